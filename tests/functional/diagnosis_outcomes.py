"""What a diagnosis made of a planted cause, and the rates of many, with exact limits."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from diagnosis_worlds import CAUSES
from scipy.stats import binomtest

FEW = "too_few_labels"


class Outcome(NamedTuple):
    """One data set through tk.diagnose; causes by name."""

    generator: str
    variant: str | None
    cause: tuple[str, ...]
    n: int
    seed: int
    identifiable: bool
    named: tuple[str, ...]
    open: tuple[str, ...]
    undetermined: tuple[str, ...]
    seconds: float
    error: str | None = None

    @property
    def first(self):
        """The first-named cause; without one: error, open or none."""
        if self.named:
            return self.named[0]
        return "error" if self.error else "open" if self.open else "none"

    @property
    def others(self):
        """Named causes that were not planted; too few labels is an honest answer, not a cause."""
        return tuple(one for one in self.named if one not in (*self.cause, FEW))


def is_left_open(outcome, cause):
    """Whether the cause is not named, and the diagnosis says that it could not tell."""
    if cause in outcome.named or outcome.error:
        return False
    doubtful = cause in (*outcome.open, *outcome.undetermined)
    return doubtful or outcome.named == (FEW,)


def rate(happened):
    """Count, total, share and its exact (Clopper-Pearson) 95 % limits of a list of truth values."""
    count, total = sum(happened), len(happened)
    if total == 0:
        return {"count": 0, "total": 0, "share": None, "low": None, "high": None}
    limits = binomtest(count, total).proportion_ci(0.95, "exact")
    numbers = {"share": count / total, "low": float(limits.low), "high": float(limits.high)}
    return {"count": int(count), "total": total, **numbers}


def summary(outcomes):
    """Rates by generator, variant, n and planted cause(s)."""
    cells = defaultdict(list)
    for outcome in outcomes:
        key = (outcome.generator, outcome.variant, outcome.n, outcome.cause)
        cells[key].append(outcome)
    return [
        {
            "generator": generator,
            "variant": variant,
            "n": n,
            "cause": list(cause),
            "all": rates(found, cause),
            "identifiable": rates([one for one in found if one.identifiable], cause),
            "first": dict(Counter(one.first for one in found).most_common()),
            "errors": dict(Counter(one.error for one in found if one.error)),
            "seconds": sum(one.seconds for one in found) / len(found),
        }
        for (generator, variant, n, cause), found in cells.items()
    ]


def rates(outcomes, cause):
    """Rates of one cell: of no cause, of one, or of a pair."""
    always = {"other_named": [len(one.others) > 0 for one in outcomes]}
    if not cause:
        kinds = {
            "any_named": [len(one.others) > 0 for one in outcomes],
            "too_few": [one.named == (FEW,) for one in outcomes],
            "open": [one.first == "open" for one in outcomes],
            "none": [one.first == "none" for one in outcomes],
        }
    elif len(cause) == 1:
        (planted,) = cause
        left_open = [is_left_open(one, planted) for one in outcomes]
        named = [planted in one.named for one in outcomes]
        kinds = {
            "first_named": [one.first == planted for one in outcomes],
            "among_named": named,
            "undetermined": left_open,
            "missed": [not (a or b) for a, b in zip(named, left_open, strict=True)],
        }
    else:
        kinds = {
            "both_named": [set(cause) <= set(one.named) for one in outcomes],
            "one_named": [bool(set(cause) & set(one.named)) for one in outcomes],
            "first_is_planted": [one.first in cause for one in outcomes],
        }
    return {name: rate(happened) for name, happened in {**kinds, **always}.items()}


def confusion(outcomes):
    """Share of first-named causes (columns) by planted cause (rows); rows sum to 1."""
    rows = {}
    for planted in (None, *CAUSES):
        cause = () if planted is None else (planted,)
        found = [one.first for one in outcomes if one.cause == cause]
        if found:
            counts = Counter(found)
            rows[planted or "none"] = {name: counts[name] / len(found) for name in counts}
    return rows
