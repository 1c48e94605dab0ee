"""The evidence: one row per cause, with what was measured, what it explains, and what to do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from toolkit.diagnosis import rules
from toolkit.diagnosis.case import limits
from toolkit.diagnosis.examine import MODULES, Round
from toolkit.diagnosis.measure import CAUSES
from toolkit.diagnosis.rules import Ruling
from toolkit.diagnosis.verdict import Conclusion
from toolkit.diagnosis.words import ENABLE, TITLES
from toolkit.errors import StatisticsError
from toolkit.plain import plain

SHOWN = ["cause", "status", "effect", "low", "high", "share", "share_low", "share_high", "sentence"]


@dataclass(frozen=True, eq=False)
class CauseEvidence:
    """What the labels say about one cause.

    Attributes
    ----------
    cause : str
        Name of the cause.
    status : {"supported", "minor", "refuted", "undetermined"}
        Supported: its signature is there and it explains enough of the gap. Minor: the signature is
        there, but explains too little, or there is no gap. Refuted: undone, it would close less
        than half of the gap. Undetermined: these labels can't tell.
    effect, low, high : float
        The signature named by `compared`, with its 95 % interval; 0 where the cause is absent.
    share, share_low, share_high : float
        Share of the gap that goes when the cause is undone, with its 90 % interval; nan without a
        gap, or without a counterfactual. Shares of several causes need not sum to 1.
    kappa_without : float
        Kappa of the low construct with the cause undone and everything else kept.
    step : float
        Its share in the waterfall, where the causes act together; nan where it is no step.
    n : int
        Calls that the signature rests on.
    labels_needed : int
        Undetermined: calls at which an effect as large as observed would pass its test in 80 % of
        samples; 0 where nothing was measured, or nothing is needed.
    compared, sentence, next_step, witness, rule : str
        What the effect is; what was found; what to do; who else was asked; the rule that fired.
    facts : dict of str to object
        Further numbers.

    References
    ----------
    Kitagawa 1955, J. American Statistical Association 50:1168, doi:10.1080/01621459.1955.10501299.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["a", "b", "c"], n_calls=300, cause="threshold_shift")
    >>> tk.diagnose(labels, low="a", high="c", draws=1000).evidence["threshold_shift"].status
    'supported'
    """

    cause: str
    status: str
    effect: float
    low: float
    high: float
    share: float
    share_low: float
    share_high: float
    kappa_without: float
    step: float
    n: int
    labels_needed: int
    compared: str
    sentence: str
    next_step: str
    witness: str
    rule: str
    facts: dict[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class Evidence:
    """Evidence on all causes.

    Attributes
    ----------
    causes : tuple of CauseEvidence
        In a fixed order; also by name, ``evidence["drift"]``.

    References
    ----------
    Kitagawa 1955, J. American Statistical Association 50:1168, doi:10.1080/01621459.1955.10501299.

    Examples
    --------
    >>> import toolkit as tk
    >>> d = tk.diagnose(tk.simulate(["a", "b"], n_calls=100), draws=1000)
    >>> d.evidence.to_frame().shape[0]
    13
    """

    causes: tuple[CauseEvidence, ...]

    def __getitem__(self, cause: str) -> CauseEvidence:
        for one in self:
            if one.cause == cause:
                return one
        raise StatisticsError("unknown cause", got=cause, allowed=list(CAUSES))

    def __iter__(self) -> Iterator[CauseEvidence]:
        return iter(self.causes)

    def __repr__(self) -> str:
        return "Evidence(" + ", ".join(f"{one.cause}: {one.status}" for one in self) + ")"

    def to_frame(self) -> pd.DataFrame:
        """Give one row per cause."""
        rows = [asdict(one) for one in self]
        return pd.DataFrame(rows).drop(columns="facts")

    def to_dict(self) -> dict[str, Any]:
        """Give everything as strict-JSON material."""
        return dict(plain({one.cause: asdict(one) for one in self}))

    def _repr_html_(self) -> str:
        frame = self.to_frame()[SHOWN].round(2)
        frame["cause"] = [TITLES[cause] for cause in frame["cause"]]
        return str(frame.to_html(index=False, na_rep=""))  # which escapes


def evidence_of(conclusion: Conclusion) -> Evidence:
    """Lay out the evidence of all causes, each from the round in which it was looked at."""
    base = conclusion.base
    rows = []
    for cause in CAUSES:
        place = conclusion.round_of.get(cause)
        seen = base if place is None else conclusion.rounds[place]
        if cause == "unreadable":
            seen = conclusion.first  # of the labels as they are
        rows.append(_row(cause, seen, conclusion))
    return Evidence(tuple(rows))


def _row(cause: str, seen: Round, conclusion: Conclusion) -> CauseEvidence:
    found, ruling = seen.found[cause], _status(cause, seen, conclusion)
    share, gain = seen.share(cause), seen.gain(cause)
    effect = limits(found.effect) if found.effect is not None else (math.nan, math.nan)
    if found.untestable:
        sentence = f"Not testable: {found.untestable}."
    else:
        sentence = MODULES[cause].sentence(found, seen.case)
    return CauseEvidence(
        cause=cause,
        status=ruling.status,
        effect=math.nan if found.effect is None else float(found.effect[0]),
        low=effect[0],
        high=effect[1],
        share=share.estimate,
        share_low=share.low,
        share_high=share.high,
        kappa_without=math.nan if gain is None else float(seen.gap.kappa_low + gain[0]),
        step=seen.step(cause),
        n=found.n,
        labels_needed=ruling.labels_needed if ruling.status == rules.UNDETERMINED else 0,
        compared=found.compared,
        sentence=sentence,
        next_step=_next_step(cause, ruling, untestable=bool(found.untestable)),
        witness=found.witness,
        rule=ruling.rule,
        facts=dict(plain(dict(found.facts))),
    )


def _status(cause: str, seen: Round, conclusion: Conclusion) -> Ruling:
    """The ruling on a cause, corrected by what the verdict made of it."""
    ruling = seen.rulings[cause]
    if cause in conclusion.causes:
        return ruling._replace(status=rules.SUPPORTED)
    if cause in conclusion.open:
        return ruling._replace(status=rules.UNDETERMINED)
    if ruling.status == rules.SUPPORTED:
        why = "; not named, because a stronger cause accounts for it"
        return Ruling(rules.MINOR, ruling.rule + why)
    return ruling


def _next_step(cause: str, ruling: Ruling, *, untestable: bool) -> str:
    if ruling.status == rules.SUPPORTED:
        return str(MODULES[cause].NEXT)
    if ruling.status != rules.UNDETERMINED:
        return ""
    if untestable or not ruling.labels_needed:
        return f"To tell, it needs {ENABLE[cause]}."
    enough = f"About {ruling.labels_needed:,} shared calls"
    return f"{enough} would settle it, if the effect is as observed."


def untested(why: str) -> Evidence:
    """Evidence in which no cause could be measured."""
    nan = math.nan
    rows = [
        CauseEvidence(
            cause,
            rules.UNDETERMINED,
            nan,
            nan,
            nan,
            nan,
            nan,
            nan,
            nan,
            nan,
            0,
            0,
            "",
            f"Not testable: {why}.",
            f"To tell, it needs {ENABLE[cause]}.",
            "",
            "",
            {},
        )
        for cause in CAUSES
    ]
    return Evidence(tuple(rows))
