r"""Stratum: in some of the declared strata the judge and people agree less than in the others.

Signature: residuals of `places` add up within strata, :math:`Q = \sum_s S_s^2 / v_s`. The strata
are then ordered by their standardised kappa and cut in two. Kappas of strata may differ from their
spread alone, with the same judge (Vach 2005, J. Clinical Epidemiology 58:655,
doi:10.1016/j.jclinepi.2004.02.021), so a test of equal kappas is given beside and decides nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.coefficients.homogeneity import kappa_homogeneity
from toolkit.diagnosis.case import LOW, Case, Floats, Marks, limits
from toolkit.diagnosis.measure import Measure
from toolkit.diagnosis.places import (
    OPTIMISTIC,
    TINY,
    Places,
    no_place,
    on_people,
    p_of,
    standardised,
)
from toolkit.labels.roles import Codes

LEAST_STRATUM = 10
SHRINK = 20  # average calls that each stratum is given before the strata are ordered
OTHER = "other (small)"
SPREAD_ALONE = "kappas of strata can differ from the spread of their labels alone"
NEXT = (
    "Read the disagreements in the strata named, give the judge what it lacks there (examples, "
    "context, a rule), and until then report kappa without them."
)


def measure(case: Case) -> Measure:
    """Look for the strata with the worst agreement."""
    if case.stratum is None:
        return Measure("stratum", untestable="no column of strata is declared")
    reason = no_place(case.part(case.stratum >= 0))
    if reason:
        return Measure("stratum", untestable=reason)
    cell, names = pooled(case.stratum, case.names.strata)
    if len(names) < 2:  # noqa: PLR2004  two strata to compare
        why = f"fewer than two strata have {LEAST_STRATUM} calls"
        return Measure("stratum", untestable=why)
    places = Places(case, cell, len(names), lambda tables: splits(tables, case))
    if (np.count_nonzero(places.tables.sum(axis=2), axis=1) < 2).all():  # noqa: PLR2004
        why = "people give one label in each stratum, so that no kappa exists inside"
        return Measure("stratum", untestable=why)
    bad = places.in_cells(places.bad)
    good = places.in_cells(~places.bad)
    undone, worse = places.stacks(good, bad)
    effect = undone - worse
    own = _own_scores(places)
    p_own = holm(np.array([p_of(column) for column in own.T]))
    strata = _strata(places, names, p_own)
    by_kappa = sorted(strata, key=lambda stratum: stratum["standardised"])
    tests = {
        "p": p_of(_between(places)),
        "gain": float(effect[0]),
        "gain_cross": places.gain_cross(),
        "p_homogeneity": _homogeneity(places),
    }
    return Measure(
        "stratum",
        compared="standardised kappa of the other strata minus that of the worst",
        effect=effect,
        undone=undone,
        tests=tests,
        facts={
            "strata": strata,
            "bad": [name for name, is_bad in zip(names, places.bad, strict=True) if is_bad],
            "worst": by_kappa[0]["name"],
            "best": by_kappa[-1]["name"],
            "kappa_good": float(undone[0]),
            "kappa_bad": float(worse[0]),
            "n_bad": int(bad.sum()),
            "without_stratum": int((cell < 0).sum()),
            "stratum": case.names.stratum_column,
            "homogeneity": SPREAD_ALONE,
            "remark": OPTIMISTIC,
        },
        n=int((cell >= 0).sum()),
        good=good,
    )


def sentence(found: Measure, case: Case) -> str:
    """Say in which strata agreement is worse, and by how much."""
    if found.untestable:
        return f"Strata could not be tested: {found.untestable}."
    facts, name = found.facts, case.scales[LOW].name
    which = ", ".join(facts["bad"])
    return (
        f"By {facts['stratum']} the agreement on {name} is lowest in {which}: standardised kappa "
        f"{facts['kappa_bad']:.2f} against {facts['kappa_good']:.2f} in the other strata "
        f"(permutation p = {found.tests['p']:.2g}, {facts['n_bad']} of {found.n} calls). Chosen on "
        f"one half of the calls, they differ by {found.tests['gain_cross']:.2f} on the other."
    )


def pooled(stratum: Codes, names: tuple[str, ...]) -> tuple[Codes, tuple[str, ...]]:
    """Strata that occur, the small ones as one; too small together, they have no place."""
    known = stratum >= 0
    size = np.bincount(stratum[known], minlength=len(names))
    large = np.flatnonzero(size >= LEAST_STRATUM)
    has_other = int(size[size < LEAST_STRATUM].sum()) >= LEAST_STRATUM
    to = np.full(size.size + 1, len(large) if has_other else -1)  # the last entry is code -1
    to[large], to[-1] = np.arange(len(large)), -1
    return to[stratum], (*(names[s] for s in large), *((OTHER,) if has_other else ()))


def splits(tables: Floats, case: Case) -> Marks:
    """Worst stratum, worst two, and so on, (strata - 1, strata), by shrunk standardised kappa."""
    total = tables.sum(axis=0)
    whole, weights = case.table(LOW)[0], case.scales[LOW].weights
    kappas = standardised(tables, whole, weights, on_people(tables, total - tables, whole))
    size = tables.sum(axis=(1, 2))
    average = float(cohen_kappa(whole, weights))
    shrunk = (size * kappas + SHRINK * average) / (size + SHRINK)
    place = np.argsort(np.argsort(shrunk, kind="stable"), kind="stable")
    return np.asarray(place < np.arange(1, len(tables))[:, None])


def holm(p: Floats) -> Floats:
    """Holm's adjusted p-values (Scandinavian J. of Statistics 6:65, 1979)."""
    order = np.argsort(p, kind="stable")
    stepped = np.minimum(np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)), 1)
    adjusted = np.empty_like(p)
    adjusted[order] = stepped
    return adjusted


def _own_scores(places: Places) -> Floats:
    """Scores of each stratum against the rest, (1 + permutations, strata)."""
    return places.scores(np.eye(places.cells, dtype=bool))


def _between(places: Places) -> Floats:
    """Q of the series in which it stands out more, (1 + permutations,)."""
    variance = places.sums.var(axis=1, keepdims=True)
    squares = np.where(variance > TINY, places.sums**2 / np.maximum(variance, TINY), 0.0)
    return np.asarray(squares.sum(axis=2).max(axis=0))


def _strata(places: Places, names: tuple[str, ...], p_own: Floats) -> list[dict[str, Any]]:
    """What is known of each stratum."""
    raw = cohen_kappa(places.tables, places.case.scales[LOW].weights)
    known = places.cell >= 0
    rows = []
    for number, name in enumerate(names):
        own = places.cell == number
        stack, _ = places.stacks(own, known & ~own)
        low, high = limits(stack)
        rows.append(
            {
                "name": name,
                "n": int(own.sum()),
                "kappa": float(raw[number]),
                "standardised": float(stack[0]),
                "low": low,
                "high": high,
                "p_holm": float(p_own[number]),
                "bad": bool(places.bad[number]),
            }
        )
    return rows


def _homogeneity(places: Places) -> float:
    """Its p for equal kappas; nan with clusters, weights or a stratum without error."""
    if places.case.clustered or np.ptp(places.case.weight) > TINY:
        return float("nan")
    return kappa_homogeneity(list(places.tables), weights=places.case.scales[LOW].weights).p_value
