"""What to know of a plan before it is followed: a pilot that says little, and a census."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from toolkit.coefficients.weights import Floats
from toolkit.planning.pilot import Pilot
from toolkit.planning.strata_result import Strata

FEWEST = 30  # labels: one of a share of .1 is among so many with a chance of .96
WIDEST = 1.0  # band by the planned half-width: wider is a guess
NEARLY = 0.95  # of the pool: the rest saves next to nothing


def warnings(
    st: Strata, pilot: Pilot, n: Floats, half_width: pd.DataFrame, targets: Mapping[str, float]
) -> tuple[str, ...]:
    """Sentences without a full stop: why not to rely on the plan, and what to do."""
    widths = half_width[["planned", "low", "high"]].to_numpy(dtype=float)
    rows = dict(zip(half_width["construct"], widths.tolist(), strict=True))
    census = _census(st, n)
    if census:  # what is left to sample is too little for the pilot to matter
        return (census,)
    found = []
    for name in targets:
        planned, low, high = rows[name]
        found.append(_pilot(st, pilot, name, planned, (low, high)))
    return tuple(text for text in found if text)


def _census(st: Strata, n: Floats) -> str:
    share = float(n.sum()) / st.total
    if share < NEARLY:
        return ""
    if share == 1:
        return (
            f"This is a census: all {st.total:,} items of the pool are labelled, and nothing is "
            "left to sample. Wider targets or a smaller budget make a sample of it"
        )
    return (
        f"This is nearly a census: {n.sum():,.0f} of the pool's {st.total:,} items are labelled. "
        "Wider targets or a smaller budget make a sample of it"
    )


def _pilot(st: Strata, pilot: Pilot, name: str, planned: float, band: tuple[float, float]) -> str:
    c = st.constructs.index(name)
    counts, absent = pilot.counts[c].sum((0, 2)), st.absent(name)
    flagged = float(st.sizes @ st.mix[c][:, ~absent].sum(1))
    why, then = [], "Label a few dozen items of every stratum first"
    if counts.sum() < FEWEST:
        why.append(f"the pilot has {counts.sum():,.0f} labels on it, fewer than {FEWEST}")
    if band[1] - band[0] > WIDEST * planned > 0:
        why.append(
            f"the pilot's 10-90 % band of {band[0]:.3f} to {band[1]:.3f} is wider than the planned "
            f"half-width of {planned:.3f}"
        )
    smoothed = "so its plan rests on the smoothing alone"
    if counts[~absent].sum() == 0:
        why.append(f"none of the pilot's {counts.sum():,.0f} labels is positive, {smoothed}")
        then += f", most of all of the {flagged:,.0f} that the judge flagged"
    elif counts[absent].sum() == 0 and absent.any():
        why.append(f"all of the pilot's {counts.sum():,.0f} labels are positive, {smoothed}")
        then += f", most of all of the {st.total - flagged:,.0f} that the judge did not flag"
    if not why:
        return ""
    return f"The plan for {name} is a guess: {'; '.join(why)}. {then}, and plan again with them"
