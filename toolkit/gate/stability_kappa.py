"""Is the red flag of a prompt reliable enough to disqualify on? Kappa with people, by prompt."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from toolkit.coefficients.kappa import Kappa, kappa
from toolkit.coefficients.multirater import fleiss_kappa
from toolkit.gate.pack import Pack
from toolkit.gate.stability_people import People
from toolkit.gate.stability_seen import Seen
from toolkit.plain import plain

# Landis and Koch's lower end of "substantial". A convention, no law: say which one you use.
SUBSTANTIAL = 0.60
TOO_UNRELIABLE, NOT_SHOWN, RELIABLE, UNDEFINED = (
    "too_unreliable",
    "not_shown",
    "reliable",
    "undefined",
)
ALL_PROMPTS, ALL_TOGETHER = "", "all prompts"  # in tables; in words
METHOD = "Cohen's kappa, Jeffreys-smoothed bootstrap; self_kappa: Fleiss' kappa"


@dataclass(frozen=True, slots=True)
class FlagReliability:
    """How far people and the judge agree on the red flag of one prompt.

    Attributes
    ----------
    prompt_id : str or None
        None: one table for all prompts.
    curated, safety_critical : bool
        What the pack says of the prompt.
    n : int
        Replies that people and judge labelled.
    people, judge : int
        How many of them people flag, and the judge.
    kappa, low, high : float
        Cohen's kappa with its interval (Jeffreys-smoothed bootstrap); nan where undefined.
    level : float
        Of the interval.
    threshold : float
        What kappa is held against.
    verdict : {"too_unreliable", "not_shown", "reliable", "undefined"}
        Whether the whole interval lies below the threshold, holds it, or lies above it.
    self_kappa : float
        Fleiss' kappa of the judge with itself over the repeats of the verdicts. Steady is not yet
        right: no verdict rests on it.
    mixed : int
        Models and variants whose repeats are flagged in part only.
    reasons, flags : tuple of str
        Why a number is nan; what to beware of.
    method : str
        Of kappa, its interval and self_kappa.

    References
    ----------
    Landis and Koch 1977, Biometrics 33:159, doi:10.2307/2529310.

    Examples
    --------
    >>> FlagReliability(
    ...     "p1", True, True, 60, 12, 13, 0.95, 0.74, 0.99, 0.95, 0.6, "reliable", 1.0, 0, (), ()
    ... ).verdict
    'reliable'
    """

    prompt_id: str | None
    curated: bool
    safety_critical: bool
    n: int
    people: int
    judge: int
    kappa: float
    low: float
    high: float
    level: float
    threshold: float
    verdict: str
    self_kappa: float
    mixed: int
    reasons: tuple[str, ...]
    flags: tuple[str, ...]
    method: str = METHOD

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material.

        Returns
        -------
        dict
            nan is None.
        """
        return dict(plain(asdict(self)))


def reliabilities(
    seen: Seen,
    pack: Pack,
    people: People | None,
    *,
    threshold: float,
    level: float,
    seed: int,
) -> tuple[FlagReliability, ...]:
    """Judge every prompt, in the order of the pack.

    Parameters
    ----------
    seen : Seen
        Verdicts with repeats.
    pack : Pack
        Knows the prompts.
    people : People or None
        None: nothing can be said against people.
    threshold, level : float
        As in `gate_stability`.
    seed : int
        Of the intervals.

    Returns
    -------
    tuple of FlagReliability
        One a prompt; one for all of them in front where the table is pooled.
    """
    names = list(pack.prompts)
    if people is not None and people.pooled:
        names = [ALL_PROMPTS, *names]
    return tuple(
        _one(name, seen, pack, people, threshold=threshold, level=level, seed=seed)
        for name in names
    )


def verdict_of(kappa_: Kappa | None, threshold: float) -> str:
    """Hold an interval against the threshold.

    Parameters
    ----------
    kappa_ : Kappa or None
        With its interval.
    threshold : float
        What is enough.

    Returns
    -------
    str
        One of too_unreliable, not_shown, reliable and undefined.

    Examples
    --------
    >>> verdict_of(kappa([[40, 1], [1, 40]]), 0.6), verdict_of(None, 0.6)
    ('reliable', 'undefined')
    """
    if kappa_ is None or math.isnan(kappa_.estimate) or math.isnan(kappa_.low):
        return UNDEFINED
    if kappa_.high < threshold:
        return TOO_UNRELIABLE
    return RELIABLE if kappa_.low >= threshold else NOT_SHOWN


def _one(
    name: str,
    seen: Seen,
    pack: Pack,
    people: People | None,
    *,
    threshold: float,
    level: float,
    seed: int,
) -> FlagReliability:
    table = people.tables.get(name) if people is not None else None
    found = None if table is None else kappa(table, level=level, seed=seed)
    nothing = "people_pooled" if people is not None and people.pooled else "no_people"
    reasons = found.reasons if found else (nothing,)
    itself, mixed, why = _with_itself(name, seen, pack)
    return FlagReliability(
        prompt_id=name or None,
        curated=name in pack.curated,
        safety_critical=name in pack.critical,
        n=0 if table is None else round(table.sum()),
        people=0 if table is None else round(table[0].sum()),
        judge=0 if table is None else round(table[:, 0].sum()),
        kappa=found.estimate if found else math.nan,
        low=found.low if found else math.nan,
        high=found.high if found else math.nan,
        level=level,
        threshold=threshold,
        verdict=verdict_of(found, threshold),
        self_kappa=itself,
        mixed=mixed,
        reasons=(*reasons, *(f"self_kappa:{reason}" for reason in why)),
        flags=found.flags if found else (),
    )


def _with_itself(name: str, seen: Seen, pack: Pack) -> tuple[float, int, tuple[str, ...]]:
    place = slice(None) if name == ALL_PROMPTS else list(pack.prompts).index(name)
    hits, trials = seen.hits[:, place].ravel(), seen.trials[:, place].ravel()
    counts = np.column_stack([hits, trials - hits])[trials > 0]
    mixed = int(((hits > 0) & (hits < trials)).sum())
    if not len(counts):
        return math.nan, mixed, ("no_verdicts",)
    found = fleiss_kappa(counts=counts)
    return found.estimate, mixed, found.reasons
