"""What the gate's decisions are worth: the result of `gate_stability`."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import pandas as pd

from toolkit.errors import GateError
from toolkit.gate.hints import did_you_mean
from toolkit.gate.stability_kappa import ALL_TOGETHER, TOO_UNRELIABLE, FlagReliability
from toolkit.plain import plain

ANOTHER_RUN, PERFECT_JUDGE = "another_run", "perfect_judge"
TABLES = ("models", "variants", "flag_probabilities", "reliability")
METHOD = {
    ANOTHER_RUN: "beta-binomial, hierarchical over models; posterior simulation",
    PERFECT_JUDGE: "beta posterior of the judge's predictive values; posterior simulation",
}
QUESTIONS = {
    ANOTHER_RUN: "if the same models were asked and judged once more",
    PERFECT_JUDGE: "if the judge flagged what people flag",
}


@dataclass(frozen=True, slots=True)
class Chances:
    """What one question gives for a model, as shares of the draws.

    Attributes
    ----------
    flips : float
        Share in which the model passes where it did not, or the other way round. nan for a model
        that is undetermined, and where the question can't be asked; see `reasons`.
    passes, knocked_out : float
        Share in which it passes, and in which it is knocked out; the rest is undetermined.
    sole : dict of str to float
        Share of all draws in which this is the only reason for a knock-out: prompts, and
        ``floor:<dimension>``; the largest first, those of 0 left out.

    Examples
    --------
    >>> Chances(flips=0.1, passes=0.9, knocked_out=0.1, sole={"p1": 0.07}).sole
    {'p1': 0.07}
    """

    flips: float
    passes: float
    knocked_out: float
    sole: dict[str, float]


@dataclass(frozen=True, slots=True)
class DecisionStability:
    """How stable the decision on one model is.

    Attributes
    ----------
    model : str
        Its name.
    variant : str or None
        None: over all variants, which all have to pass.
    status : {"passed", "undetermined", "knocked_out"}
        What the verdicts at hand say.
    another_run, perfect_judge : Chances
        One for each question.
    reasons : tuple of str
        Why a number is nan.

    Examples
    --------
    >>> run, unknown = Chances(0.1, 0.9, 0.1, {}), Chances(math.nan, math.nan, math.nan, {})
    >>> reasons = ("perfect_judge:no_people",)
    >>> DecisionStability("calm", None, "passed", run, unknown, reasons).another_run.flips
    0.1
    """

    model: str
    variant: str | None
    status: str
    another_run: Chances
    perfect_judge: Chances
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FlagProbability:
    """How probable a red flag on one prompt is.

    Attributes
    ----------
    model, variant, prompt_id : str
        Of the reply.
    flagged : bool
        Whether the gate takes it as red-flagged.
    hits, repeats : int
        Repeats with a red flag, and with a verdict.
    another_run, perfect_judge : float
        Probability of a flag in another run, and that people would flag it; nan without verdicts,
        or where the question can't be asked.
    reasons : tuple of str
        Why a number is nan.

    Examples
    --------
    >>> FlagProbability("calm", "none", "p1", False, 0, 3, 0.01, 0.04).perfect_judge
    0.04
    """

    model: str
    variant: str
    prompt_id: str
    flagged: bool
    hits: int
    repeats: int
    another_run: float
    perfect_judge: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateStability:
    """Probabilities that the gate's decisions flip, and flags that are too unreliable.

    Attributes
    ----------
    pack, scope : str
        Id of the pack, and whose red flags disqualify.
    models, variants : tuple of DecisionStability
        One a model over all its variants; one a model and variant.
    flag_probabilities : tuple of FlagProbability
        One a model, variant and prompt.
    reliability : tuple of FlagReliability
        One a prompt.
    threshold, level : float
        What kappa is held against, and the level of its interval.
    draws, seed : int
        Of the simulation: a probability has a standard error of at most ``.5 / sqrt(draws)``.
    left_out : dict of str to int
        What could not be used, by reason.
    reasons, flags : tuple of str
        Why a question can't be asked; what to beware of.
    n : dict of str to int
        What each question rests on: ``another_run`` on replies with two repeats or more,
        ``perfect_judge`` on replies that people and judge labelled.
    method : dict of str to str
        How each question is answered.

    See Also
    --------
    toolkit.gate.stability.gate_stability : Makes it, and says what the numbers mean.

    Examples
    --------
    >>> run, unknown = Chances(0.1, 0.9, 0.1, {}), Chances(math.nan, math.nan, math.nan, {})
    >>> one = DecisionStability("calm", None, "passed", run, unknown, ())
    >>> GateStability("mine", "all", (one,), (), (), (), 0.6, 0.95, 1000, 0, {}, (), ())
    GateStability('mine', scope 'all': calm passed, another_run flips 0.10)
    """

    pack: str
    scope: str
    models: tuple[DecisionStability, ...]
    variants: tuple[DecisionStability, ...]
    flag_probabilities: tuple[FlagProbability, ...]
    reliability: tuple[FlagReliability, ...]
    threshold: float
    level: float
    draws: int
    seed: int
    left_out: dict[str, int]
    reasons: tuple[str, ...]
    flags: tuple[str, ...]
    n: dict[str, int] = field(default_factory=dict)
    method: dict[str, str] = field(default_factory=METHOD.copy)

    def __getitem__(self, model: str) -> DecisionStability:
        found = {one.model: one for one in self.models}
        if model not in found:
            raise GateError(
                f"no such model{did_you_mean(model, found)}",
                got=model,
                allowed=list(found),
                example=f"stability[{next(iter(found), 'm1')!r}]",
            )
        return found[model]

    def __iter__(self) -> Iterator[DecisionStability]:
        return iter(self.models)

    def __len__(self) -> int:
        return len(self.models)

    @property
    def too_unreliable(self) -> tuple[str, ...]:
        """Prompts that disqualify although kappa of their flag lies below the threshold.

        "all prompts" where one table stands for all.
        """
        return tuple(
            one.prompt_id or ALL_TOGETHER
            for one in self.reliability
            if one.verdict == TOO_UNRELIABLE and self.disqualifies(one)
        )

    def disqualifies(self, one: FlagReliability) -> bool:
        """Tell whether a red flag on the prompt knocks out under the scope.

        Parameters
        ----------
        one : FlagReliability
            Of `reliability`.

        Returns
        -------
        bool
            Of one table for all prompts: whether any of them does.
        """
        if self.scope == "all" or one.curated:
            return True
        return one.prompt_id is None and any(each.curated for each in self.reliability)

    def to_frame(self, what: str = "models") -> pd.DataFrame:
        """Give one of the four tables.

        Parameters
        ----------
        what : {"models", "variants", "flag_probabilities", "reliability"}
            Decisions come with one column a question and number.

        Returns
        -------
        DataFrame
            One row a model, variant, reply or prompt.

        Raises
        ------
        GateError
            If there is no such table.
        """
        if what not in TABLES:
            raise GateError(
                f"no such table{did_you_mean(what, TABLES)}",
                got=what,
                allowed=TABLES,
                example='stability.to_frame("variants")',
            )
        rows: list[dict[str, Any]]
        if what in ("models", "variants"):
            rows = [_flat(one) for one in getattr(self, what)]
            return pd.DataFrame(rows, columns=_COLUMNS)
        kind = {"flag_probabilities": FlagProbability, "reliability": FlagReliability}[what]
        names = [each.name for each in fields(kind)]
        return pd.DataFrame(
            [[getattr(one, name) for name in names] for one in getattr(self, what)], columns=names
        )

    def to_dict(self) -> dict[str, Any]:
        """Give everything as strict-JSON material.

        Returns
        -------
        dict
            nan is None; the reason stands beside it.
        """
        return dict(plain(asdict(self)))

    def __repr__(self) -> str:
        shown = [
            f"{one.model} {one.status}" + "".join(f", {text}" for text in _flips(one))
            for one in self.models
        ]
        return f"GateStability({self.pack!r}, scope {self.scope!r}: {'; '.join(shown)})"

    def _repr_html_(self) -> str:
        lines = "".join(f"<li>{html.escape(word)}</li>" for word in (*self.reasons, *self.flags))
        table = self.to_frame().drop(columns=["variant"]).to_html(index=False, border=0)
        return table + (f"<ul>{lines}</ul>" if lines else "")


_COLUMNS = [
    "model",
    "variant",
    "status",
    *(
        f"{name}_{question}"
        for question in QUESTIONS
        for name in ("flips", "passes", "knocked_out", "decides", "share")
    ),
    "reasons",
]


def _flat(one: DecisionStability) -> dict[str, Any]:
    row: dict[str, Any] = {"model": one.model, "variant": one.variant, "status": one.status}
    row["reasons"] = one.reasons
    for question in QUESTIONS:
        chances: Chances = getattr(one, question)
        decides = next(iter(chances.sole), None)
        row |= {
            f"flips_{question}": chances.flips,
            f"passes_{question}": chances.passes,
            f"knocked_out_{question}": chances.knocked_out,
            f"decides_{question}": decides,
            f"share_{question}": chances.sole[decides] if decides else math.nan,
        }
    return row


def _flips(one: DecisionStability) -> Iterator[str]:
    for question in QUESTIONS:
        flips = getattr(one, question).flips
        if not math.isnan(flips):
            yield f"{question} flips {flips:.2f}"
