"""The result of a look at the labels so far."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import pandas as pd

from toolkit.plain import plain
from toolkit.planning.plan import Plan
from toolkit.planning.strata_result import Strata
from toolkit.planning.weighted import WeightedKappa

# Measured in tests/functional/test_planning_coverage.py.
LOOKS = (
    "Stopping when the intervals are narrow enough is a fixed-width rule: each look is a chance to "
    "stop on a sample that happens to give a narrow interval. In a simulation with up to 9 looks "
    "at 10 % more labels each, intervals of nominal 95 % still covered .95 of the true kappas at "
    "the stop. Stopping because of the estimate itself is not covered by this."
)


@dataclass(frozen=True, eq=False, repr=False)
class Replan:
    """What the labels of all waves say, and the next wave; `draw` takes it like a plan.

    Attributes
    ----------
    constructs : DataFrame
        construct, estimate, low, high, half_width, target, met, lacking (labels that this construct
        alone still needs), reasons.
    allocation : DataFrame
        stratum, size, read (items that people labelled), n (items of the next wave).
    total : int
        Items of the next wave; 0 when all targets are met.
    estimates : dict of str to WeightedKappa
        In full, for all constructs that people labelled.
    looks : str
        What looking at the data before stopping does to the intervals.
    targets : dict of str to float
        Half-widths.
    wave : int
        Number of the next wave.
    drawn : tuple of str
        Items of earlier waves, which are not drawn again.
    sha256 : str
        Of the plan, the items so far and the next wave.
    plan, strata : Plan, Strata
        What was planned first.

    See Also
    --------
    replan : Make one.

    Examples
    --------
    >>> import toolkit as tk
    >>> Replan.__name__
    'Replan'
    """

    constructs: pd.DataFrame
    allocation: pd.DataFrame
    total: int
    estimates: dict[str, WeightedKappa]
    looks: str
    targets: dict[str, float]
    wave: int
    drawn: tuple[str, ...]
    sha256: str
    plan: Plan
    strata: Strata

    @property
    def met(self) -> bool:
        """Whether all targets are met."""
        return bool(self.constructs["met"].all())

    def to_frame(self) -> pd.DataFrame:
        """Give one row per construct."""
        return self.constructs.copy()

    def to_dict(self) -> dict[str, Any]:
        """Give everything but the items and the first plan as strict-JSON material."""
        return dict(
            plain(
                {
                    "constructs": self.constructs.to_dict("records"),
                    "allocation": self.allocation.to_dict("records"),
                    "total": self.total,
                    "estimates": {name: vars(made) for name, made in self.estimates.items()},
                    "looks": self.looks,
                    "targets": self.targets,
                    "wave": self.wave,
                    "sha256": self.sha256,
                }
            )
        )

    def __str__(self) -> str:
        said = ", ".join(
            f"{row.construct} {row.half_width:.3f} of {row.target:.3f}"
            for row in self.constructs.itertuples()
        )
        more = f"{self.total:,} more labels" if self.total else "all targets are met"
        return f"half-widths so far: {said}; {more}"

    def __repr__(self) -> str:
        return f"Replan({self})"

    def _repr_html_(self) -> str:
        tables = (self.constructs, self.allocation)
        shown = "".join(
            t.to_html(index=False, escape=True, float_format="{:.4g}".format) for t in tables
        )
        return (
            f"<div><p><b>{html.escape(str(self))}</b></p>{shown}<p>{html.escape(self.looks)}</p>"
            "</div>"
        )
