"""The result of a diagnosis."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from toolkit.coefficients.agreement import Agreement
from toolkit.coefficients.contrast import Contrast
from toolkit.diagnosis.annotator_test import AnnotatorTest
from toolkit.diagnosis.evidence import Evidence, untested
from toolkit.diagnosis.gap import Gap
from toolkit.diagnosis.mtmm import Mtmm
from toolkit.diagnosis.plot import shares_figure
from toolkit.diagnosis.waterfall import Waterfall
from toolkit.plain import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure


STANDINGS = ("named", "open", "also_seen", "excluded")


@dataclass(frozen=True)
class DiagnosisVerdict:
    """What a diagnosis concludes.

    Attributes
    ----------
    causes : tuple of str
        Named causes, strongest first; may be empty.
    open : tuple of str
        Causes that these data can't tell apart.
    also_seen : tuple of str
        Causes whose signature is there, but which do not explain the gap.
    excluded : tuple of str
        Causes that are refuted.
    sentence : str
        The verdict in plain words.
    questions : tuple of str
        What can't be told apart, and the data that would tell.
    rules : dict of str to str
        For each named cause the rule that fired, with its numbers.

    References
    ----------
    Campbell and Fiske 1959, Psychological Bulletin 56:81, doi:10.1037/h0046016.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["a", "b", "c"], n_calls=400, cause="threshold_shift")
    >>> tk.diagnose(labels, low="a", high="c", draws=1000).verdict.causes
    ('threshold_shift',)
    """

    causes: tuple[str, ...]
    open: tuple[str, ...]
    also_seen: tuple[str, ...]
    excluded: tuple[str, ...]
    sentence: str
    questions: tuple[str, ...]
    rules: dict[str, str]

    def to_frame(self) -> pd.DataFrame:
        """Give one row per cause that was ruled on: cause, standing, and the rule that fired."""
        rows = [
            (cause, standing, self.rules.get(cause, ""))
            for standing in STANDINGS
            for cause in getattr(self, "causes" if standing == "named" else standing)
        ]
        return pd.DataFrame(rows, columns=["cause", "standing", "rule"], dtype="str")

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))

    def _repr_html_(self) -> str:
        said = f"<p><b>{html.escape(self.sentence)}</b></p>"
        return said + self.to_frame().to_html(index=False)


@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis:
    """Why the kappa of one construct is lower than that of another.

    Attributes
    ----------
    verdict : DiagnosisVerdict
        Named causes, open ones, and one sentence.
    evidence : Evidence
        One row per cause.
    gap : Gap
        The difference that is to be explained. With several reference persons it is that of the
        judge with single persons, each call weighing 1; `contrast` uses their majority.
    contrast : Contrast or None
        The two kappas compared; None with one construct.
    agreement : Agreement
        All constructs.
    waterfall : Waterfall or None
        The gap split into steps that sum to it.
    mtmm : Mtmm
        The multitrait-multimethod matrix.
    annotator_test : AnnotatorTest
        The alternative annotator test on the low construct; read it beside kappa only.
    disagreements : DataFrame
        Items of the low construct to read first.
    next_steps : tuple of str
        What to do, in order.
    not_run : tuple of dict
        Checks that could not be made: check, why, enable.
    parameters : dict of str to object
        Judge, reference, witnesses, columns, seed.

    References
    ----------
    Campbell and Fiske 1959, Psychological Bulletin 56:81, doi:10.1037/h0046016; Shorrocks 2013,
    J. Economic Inequality 11:99, doi:10.1007/s10888-011-9214-z.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["a", "b", "c"], n_calls=400, cause="threshold_shift")
    >>> tk.diagnose(labels, low="a", high="c", draws=1000).verdict.causes
    ('threshold_shift',)
    """

    verdict: DiagnosisVerdict
    evidence: Evidence
    gap: Gap
    contrast: Contrast | None
    agreement: Agreement
    waterfall: Waterfall | None
    mtmm: Mtmm | None
    annotator_test: AnnotatorTest | None
    disagreements: pd.DataFrame
    next_steps: tuple[str, ...]
    not_run: tuple[dict[str, str], ...]
    parameters: dict[str, Any]

    def __repr__(self) -> str:
        return f"Diagnosis({self.verdict.sentence})"

    def to_frame(self) -> pd.DataFrame:
        """Give the evidence, one row per cause."""
        return self.evidence.to_frame()

    def to_dict(self) -> dict[str, Any]:
        """Give everything as strict-JSON material."""
        parts = (
            "verdict",
            "evidence",
            "contrast",
            "agreement",
            "waterfall",
            "mtmm",
            "annotator_test",
        )
        made = {}
        for name in parts:
            part = getattr(self, name)
            made[name] = None if part is None else part.to_dict()
        return dict(
            plain(
                {
                    **made,
                    "gap": self.gap.to_dict(),
                    "disagreements": self.disagreements.to_dict("records"),
                    "next_steps": self.next_steps,
                    "not_run": self.not_run,
                    "parameters": self.parameters,
                }
            )
        )

    def plot(self) -> Figure:
        """Draw each cause's share of the gap with its interval, named causes in colour.

        Returns
        -------
        matplotlib.figure.Figure
        """
        return shares_figure(self)

    def _repr_html_(self) -> str:
        steps = "".join(f"<li>{html.escape(step)}</li>" for step in self.next_steps)
        after = f"<p>Next:</p><ul>{steps}</ul>" if steps else ""
        said = f"<p><b>{html.escape(self.verdict.sentence)}</b></p>"
        return said + self.evidence._repr_html_() + after


def single(agreement: Agreement, parameters: dict[str, Any]) -> Diagnosis:
    """Give the diagnosis of a table with one construct, in which there is nothing to compare."""
    (one,) = agreement.constructs
    why = "there is one construct, so there is no gap to explain"
    nan = math.nan
    kappa = one.kappa
    said = (
        f"Kappa of {one.construct} is undefined"
        if math.isnan(kappa.estimate)
        else f"Kappa of {one.construct} is {kappa.estimate:.2f} ({100 * kappa.level:g} % interval "
        f"{kappa.low:.2f} to {kappa.high:.2f}, {one.measures['n']:,} items)"
    )
    sentence = f"{said}; with one construct there is nothing to compare."
    return Diagnosis(
        verdict=DiagnosisVerdict((), (), (), (), sentence, (), {}),
        evidence=untested(why),
        gap=Gap(one.construct, "", one.kappa.estimate, nan, nan, nan, nan, agreement.level, 0),
        contrast=None,
        agreement=agreement,
        waterfall=None,
        mtmm=None,
        annotator_test=None,
        disagreements=one.disagreements,
        next_steps=("Label a second construct in the same calls: the comparison needs it.",),
        not_run=(
            {
                "check": "all causes",
                "why": why,
                "enable": "a second construct, from the same calls",
            },
        ),
        parameters=parameters,
    )
