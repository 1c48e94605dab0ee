"""The result of planning: which strata to sample, how much, and what to expect of it."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import pandas as pd

from toolkit.plain import plain
from toolkit.planning.pilot import Pilot
from toolkit.planning.strata_result import Strata

FRAMES = ("allocation", "half_width", "shadow_price", "expected_positives", "comparison")
SHOWN_ROWS = 20


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """How many items of each stratum people should label.

    Made by `plan_for_targets` and `plan_for_budget`.

    Attributes
    ----------
    question : {"targets", "budget"}
        Least cost for given half-widths, or the narrowest for a given budget.
    allocation : DataFrame
        stratum, size, n (items to label), cost (of one item); with `double` second (items for a
        second person), with `reading_cost` read_<construct> (items on which it is read).
    total : int
        Items to label.
    cost : float
        Of them; `total` where an item costs 1.
    lower_bound : float
        No plan, not even one in fractions of labels, reaches these half-widths on average at a
        lower cost: the value of the dual.
    certificate : float
        `lower_bound` rounded up where all costs are whole: no plan in whole labels costs less.
    gap : float
        `cost` minus `certificate`. 0: the plan is optimal. With an assurance, what that costs.
    half_width : DataFrame
        construct, kappa (expected by the pilot), target, planned, low, high: half of the two-sided
        interval, and its 10-90 % band from the pilot's uncertainty.
    worst_ratio : float
        Largest planned half-width by its target.
    shadow_price : DataFrame
        construct, cost (what the last 10 % of width costs), words.
    expected_positives : DataFrame
        stratum, construct, expected: items that people are expected to flag.
    comparison : DataFrame
        design, labels (that it needs for the same half-widths), times (by the plan's), and
        half_width_<construct> at the plan's number of labels.
    assurance : float or None
        Chance, asked for, that the realised intervals are within all targets.
    assured : float
        That chance under this plan, by simulation; nan where no assurance was asked for.
    assumptions : tuple of str
        What the numbers rest on.
    warnings : tuple of str
        What to know before the plan is followed, and what to do: a pilot that says little of a
        construct, a census. Empty: nothing.
    targets : dict of str to float
        Half-width per construct.
    estimand : {"pool", "deployment"}
        Whose kappa the widths are of.
    level : float
        Of the intervals.
    weights : dict of str to object
        Agreement weights of each construct's kappa.
    seed : int
        Of the draws.
    sha256 : str
        Of the pool, the allocation and what it was made for.
    strata, pilot : Strata, Pilot
        What the plan was made from.
    people : DataFrame or None
        With `double`: construct, kappa (expected between two people), half_width (planned).

    See Also
    --------
    plan_for_targets, plan_for_budget : Make one.

    Examples
    --------
    >>> from toolkit import planning
    >>> pool = pd.DataFrame({"item_id": range(2000), "tone": [0] * 1800 + [1] * 200})
    >>> st = planning.strata(pool, ["tone"])
    >>> rows = [("tone=0", 0, 97), ("tone=0", 1, 3), ("tone=1", 0, 20), ("tone=1", 1, 30)]
    >>> counts = pd.DataFrame(rows, columns=["stratum", "label", "count"]).assign(construct="tone")
    >>> planning.plan_for_targets(st, counts, {"tone": 0.1}).allocation
      stratum  size    n  cost
    0  tone=0  1800  ...   1.0
    1  tone=1   200  ...   1.0
    """

    question: str
    allocation: pd.DataFrame
    total: int
    cost: float
    lower_bound: float
    certificate: float
    gap: float
    half_width: pd.DataFrame
    worst_ratio: float
    shadow_price: pd.DataFrame
    expected_positives: pd.DataFrame
    comparison: pd.DataFrame
    assurance: float | None
    assured: float
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]
    targets: dict[str, float]
    estimand: str
    level: float
    weights: dict[str, Any]
    seed: int
    sha256: str
    strata: Strata
    pilot: Pilot
    people: pd.DataFrame | None = None

    def to_frame(self) -> pd.DataFrame:
        """Give the allocation, one row per stratum."""
        return self.allocation.copy()

    def to_dict(self) -> dict[str, Any]:
        """Give everything but the items and the pilot's counts as strict-JSON material."""
        fields = {name: value for name, value in vars(self).items() if name != "pilot"}
        fields |= {name: getattr(self, name).to_dict("records") for name in FRAMES}
        fields["people"] = None if self.people is None else self.people.to_dict("records")
        fields["strata"] = self.strata.to_dict()
        return dict(plain(fields))

    def __str__(self) -> str:
        widths = ", ".join(
            f"{row.construct} {row.planned:.3f} [{row.low:.3f}, {row.high:.3f}]"
            for row in self.half_width.itertuples()
        )
        cost = "" if self.cost == self.total else f" at a cost of {self.cost:,.5g}"
        return (
            f"{self.total:,} labels{cost} in {(self.allocation['n'] > 0).sum()} strata "
            f"(no plan below {self.certificate:,.5g}); planned half-widths of the "
            f"{100 * self.level:g} % intervals, with their 10-90 % band: {widths}"
            + "".join(f". Warning: {text}" for text in self.warnings)
        )

    def __repr__(self) -> str:
        return f"Plan({self})"

    def _repr_html_(self) -> str:
        tables = {
            "Labels per stratum": self.allocation,
            "Half-widths": self.half_width,
            "What the last tenth of width costs": self.shadow_price[["construct", "words"]],
            "Other designs": self.comparison,
        }
        if self.people is not None:
            tables["Between two people"] = self.people
        shown = "".join(_table(title, table) for title, table in tables.items())
        listed = "".join(f"<li>{html.escape(text)}</li>" for text in self.assumptions)
        return (
            f"<div><p><b>{html.escape(str(self))}</b></p>{shown}"
            f"<p>What the numbers rest on</p><ul>{listed}</ul></div>"
        )


def _table(title: str, table: pd.DataFrame) -> str:
    more = len(table) - SHOWN_ROWS
    rest = f"<p>and {more:,} more rows</p>" if more > 0 else ""
    rows = table.head(SHOWN_ROWS).to_html(index=False, escape=True, float_format="{:.4g}".format)
    return f"<p>{title}</p>{rows}{rest}"
