"""Drift: for a stretch of the declared order the judge, or people, label differently.

Signature: over some interval of the order the residuals of `places` add up to more than any
permutation of the calls explains. One change point is the interval that touches an end (epidemic
change: Levin and Kline 1985, Statistics in Medicine 4:469).
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from toolkit.diagnosis.case import LOW, Case, Floats, Marks
from toolkit.diagnosis.measure import Measure
from toolkit.diagnosis.places import LEAST_CALLS, OPTIMISTIC, Places, no_place, p_of
from toolkit.diagnosis.sides import side_of
from toolkit.labels.roles import Codes

BLOCKS = 24
LEAST, MOST = 0.1, 0.9  # share of the calls in an interval
NEXT = (
    "Find out what changed there (model version, prompt, guideline, raters), repeat the calls or "
    "the labels of that stretch, and measure again; until then report the rest of the order."
)


def measure(case: Case) -> Measure:
    """Look for the stretch of the order with the worst agreement."""
    reason = _untestable(case)
    if reason or case.order is None:
        return Measure("drift", untestable=reason)
    cell = blocks(case.order, case.unit)
    sizes = np.bincount(cell[cell >= 0], minlength=BLOCKS)
    parts = intervals(sizes)
    if not parts.any():
        return Measure("drift", untestable="nearly all calls have the same place in the order")
    places = Places(case, cell, BLOCKS, lambda _: parts)
    bad = places.in_cells(places.bad)
    good = places.in_cells(~places.bad)
    undone, worse = places.stacks(good, bad)
    effect = undone - worse
    side = side_of(case, good, bad)
    cross = places.gain_cross()
    tests = {
        "p": p_of(places.scores(parts).max(axis=1)),
        "gain": float(effect[0]),
        "gain_cross": cross,
        "side_z": side.z,
    }
    return Measure(
        "drift",
        compared="standardised kappa outside minus inside the worst stretch of the order",
        effect=effect,
        undone=undone,
        tests=tests,
        facts={
            "stretches": stretches(case.order, bad, good),
            "moved": side.moved,
            "kappa_good": float(undone[0]),
            "kappa_bad": float(worse[0]),
            "n_bad": int(bad.sum()),
            "without_order": int(np.isnan(case.order).sum()),
            "order": case.names.order_column,
            "remark": OPTIMISTIC,
        },
        n=int((good | bad).sum()),
        witness=side.witness,
        good=good,
    )


def sentence(found: Measure, case: Case) -> str:
    """Say where agreement is worse, by how much, and who moved."""
    if found.untestable:
        return f"Drift could not be tested: {found.untestable}."
    facts, name = found.facts, case.scales[LOW].name
    where = " and ".join(
        f"{_place(one['start'], case)} to {_place(one['end'], case)} "
        f"({100 * one['from']:.0f}-{100 * one['to']:.0f} % of the calls)"
        for one in facts["stretches"]
    )
    who = {"unknown": "who moved is unknown"}.get(facts["moved"], f"moved: {facts['moved']}")
    return (
        f"Along {facts['order']} the agreement on {name} is lowest from {where}: standardised "
        f"kappa {facts['kappa_bad']:.2f} against {facts['kappa_good']:.2f} in the rest "
        f"(permutation p = {found.tests['p']:.2g}; {who}). Chosen on one half of the calls, the "
        f"stretch differs by {found.tests['gain_cross']:.2f} on the other."
    )


def _place(value: float, case: Case) -> str:
    """A place in the order as the column has it: a number, or a date."""
    if case.names.order_is_date:
        return str(pd.Timestamp(value, unit="s").isoformat(sep=" ", timespec="minutes"))
    return f"{value:.12g}"


def _untestable(case: Case) -> str:
    if case.order is None:
        return "no column of the order is declared; row order is not time"
    known = case.order[~np.isnan(case.order)]
    if known.size < LEAST_CALLS:
        return f"only {known.size} calls have a place in the order; {LEAST_CALLS} are the least"
    if np.unique(known).size == 1:
        return "all calls have the same place in the order"
    return no_place(case.part(~np.isnan(case.order)))


def blocks(order: Floats, unit: Codes) -> Codes:
    """Block of each call, -1 without a place: about equal numbers of calls, ties in one block.

    A unit whose calls stand about together goes whole into the block of its middle; one that is
    spread over the order is cut.
    """
    known = ~np.isnan(order)
    rank = rankdata(order[known])
    unit = np.unique(unit[known], return_inverse=True)[1]
    size = np.bincount(unit)
    first, last = np.full(size.size, np.inf), np.zeros(size.size)
    np.minimum.at(first, unit, rank)
    np.maximum.at(last, unit, rank)
    together = last - first < np.maximum(2 * size, rank.size / BLOCKS)
    middle = (np.bincount(unit, rank) / size)[unit]
    place = np.where(together[unit], middle, rank)
    cell = np.full(order.size, -1)
    cell[known] = np.minimum((place - 0.5) * BLOCKS / rank.size, BLOCKS - 1).astype(np.int64)
    return cell


def intervals(sizes: Codes) -> Marks:
    """Intervals [a, b) of the blocks with a share of the calls in (.1, .9), (intervals, blocks)."""
    start, end = np.triu_indices(sizes.size)
    at = np.arange(sizes.size)
    made = (at >= start[:, None]) & (at <= end[:, None])
    share = made @ sizes / max(int(sizes.sum()), 1)
    return np.asarray(made[(share > LEAST) & (share < MOST)])


def stretches(order: Floats, bad: Marks, good: Marks) -> list[dict[str, float]]:
    """Ends of the bad part, in the order's units and as shares; two where both ends are bad."""
    calls = np.flatnonzero(bad | good)
    calls = calls[np.argsort(order[calls], kind="stable")]
    edge = np.flatnonzero(np.diff(bad[calls].astype(int), prepend=0, append=0))
    return [
        {
            "start": float(order[calls[one]]),
            "end": float(order[calls[two - 1]]),
            "from": float(one / calls.size),
            "to": float(two / calls.size),
        }
        for one, two in edge.reshape(-1, 2)
    ]
