"""What a plan rests on, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.weights import Floats
from toolkit.planning.model import Model, least_labels
from toolkit.planning.pilot import Pilot, posterior
from toolkit.planning.strata_result import Strata

MOST_NAMED = 5


def assumptions(
    st: Strata, pilot: Pilot, model: Model, n: Floats, targets: dict[str, float]
) -> tuple[str, ...]:
    """Sentences without a full stop."""
    width = (
        f"Half-widths are half of a two-sided {100 * model.level:g} % interval from kappa's "
        "linearised variance (denominator n): without an assurance, about every second sample "
        "gives a wider interval"
    )
    sample = (
        "Items are drawn at random without replacement within strata; people label every drawn "
        "item on every construct, and their label is the truth that kappa is measured against; "
        "items of the pilot may be drawn again, and their labels then count"
    )
    shares = (
        "The shares of people's labels are those of the pilot, smoothed as kappa's interval is "
        "(half a label of each of two categories, for each judge label); the band shows what the "
        "pilot leaves open"
    )
    return (
        _estimand(st, model),
        width,
        sample,
        shares,
        *pilot.notes,
        *_borrowed(st, pilot, targets),
        *_floors(st, n),
        *_merged(st),
        *_left_out(st),
    )


def _estimand(st: Strata, model: Model) -> str:
    if model.estimand == "pool":
        return (
            f"Kappa of this very pool of {st.total:,} items, finite-population correction on: "
            "labelling all of them leaves no uncertainty"
        )
    return (
        f"Kappa of the traffic that the {st.total:,} items are a random sample of: no "
        "finite-population correction, and the sampling of the pool is part of the width"
    )


def _borrowed(st: Strata, pilot: Pilot, targets: dict[str, float]) -> list[str]:
    said = []
    for name in targets:
        names = posterior(st, pilot, st.constructs.index(name))[1]
        if names:
            said.append(
                f"The pilot has no label on {name} in {_listed(names)}: there the counts of all "
                "strata with the same judge label stand in"
            )
    return said


def _floors(st: Strata, n: Floats) -> list[str]:
    said = []
    least = least_labels(st)
    if st.thin:
        said.append(
            f"Below {st.floor} items, but kept, because a judge label stands alone in no other "
            f"stratum: {_listed(st.thin)}"
        )
    small = st.negative & (st.sizes < st.floor)
    if small.any():
        said.append(f"Smaller than the floor of {st.floor}, so labelled whole: {_names(st, small)}")
    held = st.negative & ~small & (n == least)
    if held.any():
        said.append(
            f"The floor of {st.floor} labels decides the number in {_names(st, held)}, where the "
            "judge flagged nothing and missed positives hide"
        )
    return said


def _merged(st: Strata) -> list[str]:
    if not st.merged:
        return []
    said = (
        f"Strata below {st.floor} items were merged: {_listed(tuple(st.merged))}; where these hold "
        "several judge labels, their known shares are used"
    )
    return [said]


def _left_out(st: Strata) -> list[str]:
    return [
        f"{count:,} items without a judge label on every construct are in no stratum, so the plan "
        "says nothing of them"
        for count in st.left_out.values()
    ]


def _names(st: Strata, which: NDArray[np.bool_]) -> str:
    return _listed(tuple(st.names[h] for h in np.flatnonzero(which)))


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    shown = "; ".join(names[:MOST_NAMED])
    return f"{shown} and {more} more strata" if more > 0 else shown
