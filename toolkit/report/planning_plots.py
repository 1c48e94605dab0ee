"""Pictures of a plan: where the labels go, what width they buy, how many positives they find."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, cast

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from toolkit.planning.curve import expected_table
from toolkit.planning.plan import Plan
from toolkit.report.plots import BLUE, GREY, VERMILLION, Picture

WIDTH, ROW, MARGIN = 7.5, 0.5, 1.4  # inches
MOST_DRAWN = 30
ACROSS = 2


def allocation_chart(plan: Plan) -> Picture:
    """Draw the share of the labels and the share of the pool of each stratum.

    Parameters
    ----------
    plan : Plan
        From `toolkit.planning`.

    Returns
    -------
    Picture
        A matplotlib figure, the stratum with most labels on top; 30 strata at most.

    Examples
    --------
    >>> from toolkit.report.planning_example import example_plan
    >>> print(allocation_chart(example_plan()).alt)
    Labels and pool by stratum: escalation=0, self_harm=0 ...
    """
    frame = plan.allocation.sort_values("n", ascending=False, kind="stable").head(MOST_DRAWN)
    figure = _blank(WIDTH, MARGIN + ROW * len(frame))
    axes = figure.subplots()
    places = np.arange(len(frame))[::-1]
    labels, items = frame["n"] / plan.total, frame["size"] / plan.strata.total
    axes.barh(places + 0.18, labels, 0.34, color=BLUE, label=f"of the {plan.total:,} labels")
    axes.barh(
        places - 0.18, items, 0.34, color="#c8c8c8", label=f"of the pool's {plan.strata.total:,}"
    )
    for place, n, share in zip(places, frame["n"], labels, strict=True):
        axes.text(share + 0.008, place + 0.18, f"{n:,}", va="center", fontsize=9)
    for place, size, share in zip(places, frame["size"], items, strict=True):
        axes.text(share + 0.008, place - 0.18, f"{size:,}", va="center", fontsize=8, color=GREY)
    axes.set_yticks(places, [_text(name) for name in frame["stratum"]])
    axes.set_xlim(0, float(max(labels.max(), items.max())) * 1.12)
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("share")
    _finish(figure, axes, ncols=2)
    said = "; ".join(
        f"{row.stratum} {row.n:,} labels of {row.size:,} items"
        for row in frame.rename(columns=str).itertuples()
    )
    figure.alt = f"Labels and pool by stratum: {said}."
    return figure


def width_curves(plan: Plan, curve: pd.DataFrame) -> Picture:
    """Draw half-width against labels for each construct, with the plan and its band.

    Parameters
    ----------
    plan : Plan
        From `toolkit.planning`.
    curve : DataFrame
        From `toolkit.planning.width_curve`.

    Returns
    -------
    Picture
        A matplotlib figure, one panel a construct.

    Examples
    --------
    >>> from toolkit.planning.curve import width_curve
    >>> from toolkit.report.planning_example import example_plan
    >>> plan = example_plan()
    >>> print(width_curves(plan, width_curve(plan, points=3)).alt)
    Half-width against number of labels: escalation 0.100 planned with ... labels, band ...
    """
    rows = plan.half_width.to_dict("records")
    across = min(ACROSS, len(rows))
    down = -(-len(rows) // across)
    figure = _blank(WIDTH if across > 1 else WIDTH / 1.5, 3.1 * down + 0.5)
    grid = figure.subplots(down, across, squeeze=False)
    for axes, row in zip(grid.ravel(), rows, strict=False):
        _width_panel(axes, plan, row, curve[curve["construct"] == row["construct"]])
    for axes in grid.ravel()[len(rows) :]:
        axes.set_visible(False)
    handles, names = grid[0, 0].get_legend_handles_labels()
    figure.legend(
        handles, names, loc="outside lower center", ncols=len(names), frameon=False, fontsize=9
    )
    said = []
    for row in rows:
        mine = curve[curve["construct"] == row["construct"]]
        at = mine.iloc[(mine["labels"] - plan.total).abs().argmin()]
        said.append(
            f"{row['construct']} {row['planned']:.3f} planned with {plan.total:,} labels, band "
            f"{row['low']:.3f} to {row['high']:.3f}, against {at['random']:.3f} at random"
        )
    figure.alt = f"Half-width against number of labels: {'; '.join(said)}."
    return figure


def positives_chart(plan: Plan) -> Picture:
    """Draw how many positives of each construct people are expected to meet.

    Parameters
    ----------
    plan : Plan
        From `toolkit.planning`.

    Returns
    -------
    Picture
        A matplotlib figure: the plan, beside a simple random sample of as many items.

    Examples
    --------
    >>> from toolkit.report.planning_example import example_plan
    >>> print(positives_chart(example_plan()).alt)
    Expected positives among ... labelled items: escalation ...
    """
    names = list(plan.strata.constructs)
    planned = plan.expected_positives.groupby("construct")["expected"].sum()
    drawn = {name: _prevalence(plan, name) * plan.total for name in names}
    figure = _blank(WIDTH, MARGIN + ROW * len(names))
    axes = figure.subplots()
    places = np.arange(len(names))[::-1]
    groups = (
        (0.18, [planned[name] for name in names], BLUE, "the plan"),
        (-0.18, [drawn[name] for name in names], "#c8c8c8", "a simple random sample of as many"),
    )
    for shift, values, color, label in groups:
        axes.barh(places + shift, values, 0.34, color=color, label=label)
        for place, value in zip(places, values, strict=True):
            axes.text(value, place + shift, f"  {value:,.0f}", va="center", fontsize=9)
    axes.set_yticks(places, [_text(name) for name in names])
    axes.set_xlim(0, max(*planned, *drawn.values(), 1) * 1.12)
    axes.set_xlabel(f"positives expected among {plan.total:,} labelled items")
    _finish(figure, axes, ncols=2)
    said = ", ".join(f"{name} {planned[name]:.0f} ({drawn[name]:.0f} at random)" for name in names)
    figure.alt = f"Expected positives among {plan.total:,} labelled items: {said}."
    return figure


def _width_panel(axes: Axes, plan: Plan, row: Mapping[Hashable, Any], curve: pd.DataFrame) -> None:
    axes.plot(curve["labels"], curve["random"], "--", color=GREY, label="simple random sample")
    axes.plot(curve["labels"], curve["planned"], color=BLUE, label="planned")
    planned = row["planned"]
    below, above = max(planned - row["low"], 0), max(row["high"] - planned, 0)
    axes.errorbar(
        plan.total,
        planned,
        yerr=[[below], [above]],
        fmt="o",
        color=VERMILLION,
        capsize=4,
        label="this plan, 10-90 % band",
    )
    if not np.isnan(row["target"]):
        axes.axhline(row["target"], color=VERMILLION, linewidth=1, linestyle=":", label="target")
    axes.set_xscale("log")
    ticks = [plan.total / 2, plan.total, plan.total * 2, plan.total * 4]
    axes.set_xticks(ticks, [f"{tick:,.0f}" for tick in ticks])
    axes.minorticks_off()
    highest = max(float(curve[["planned", "random"]].to_numpy().max()), row["high"])
    axes.set_ylim(0, highest * 1.05)
    axes.set(title=_text(str(row["construct"])), xlabel="labels", ylabel="half-width of kappa")
    axes.grid(color="#e5e5e5")
    axes.set_axisbelow(True)
    sns.despine(ax=axes)


def _prevalence(plan: Plan, construct: str) -> float:
    table = expected_table(plan, construct)
    return float(table[~plan.strata.absent(construct)].sum() / table.sum())


def _blank(width: float, height: float) -> Picture:
    drawn = plt.figure(figsize=(width, height), layout="constrained", FigureClass=Picture)
    plt.close(drawn)  # forgotten by pyplot, or a notebook would show it twice
    return cast("Picture", drawn)


def _finish(figure: Picture, axes: Axes, ncols: int) -> None:
    axes.grid(axis="x", color="#e5e5e5")
    axes.set_axisbelow(True)
    sns.despine(ax=axes, left=True)
    axes.tick_params(axis="y", length=0)
    figure.legend(loc="outside lower center", ncols=ncols, frameon=False, fontsize=9)


def _text(name: str) -> str:
    """A dollar sign in a name is a dollar sign, never the start of a formula."""
    return name.replace("$", r"\$")
