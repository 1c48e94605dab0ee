"""Kappa in other traffic: both assumptions as a table and as curves."""

from __future__ import annotations

import html
from collections.abc import Hashable, Mapping
from typing import Any, cast

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import HTML
from matplotlib.axes import Axes

from toolkit.errors import ParameterError
from toolkit.planning.curve import expected_table
from toolkit.planning.plan import Plan
from toolkit.planning.what_if import what_if
from toolkit.planning.what_if_result import JUDGE, MOVES, TRUE, WhatIf
from toolkit.report.markup import as_table
from toolkit.report.plots import BLUE, GREY, VERMILLION, Picture
from toolkit.report.show import bullets

WIDTH = 7.5  # inches
ACROSS = 2
SAME = 1e-9
LOOKS = {
    TRUE: (BLUE, "-", "if true prevalence moved"),
    JUDGE: (VERMILLION, "--", "if only the judge's shares moved"),
}


def kappa_elsewhere(
    plan: Plan, moved: str | None, shares: Mapping[str, float] | None = None
) -> dict[str, WhatIf]:
    """Ask what kappa would be in other traffic, for each construct with two sides.

    Parameters
    ----------
    plan : Plan
        From `toolkit.planning`; its pilot gives the table that was measured.
    moved : {"judge_shares_moved", "true_prevalence_moved"} or None
        What is assumed of the other traffic; None: nothing is asked.
    shares : mapping of str to float, optional
        Share of items that the judge calls positive there; constructs without one: as here.

    Returns
    -------
    dict of str to WhatIf
        By construct; without those on which nobody is positive, or all are.

    Raises
    ------
    PlanError
        If `moved` is no assumption.
    ParameterError
        If a share is of an unknown construct.

    Examples
    --------
    >>> from toolkit.report.planning_example import example_plan
    >>> made = kappa_elsewhere(example_plan(), "true_prevalence_moved", {"escalation": 0.1})
    >>> print(made["escalation"])
    kappa ... at judge share 0.100 (prevalence ...) if true prevalence moved; ...
    """
    if moved is None:
        return {}
    given = dict(shares or {})
    unknown = set(given) - set(plan.strata.constructs)
    if unknown:
        raise ParameterError(
            "unknown construct",
            got=min(unknown),
            allowed=plan.strata.constructs,
            where="elsewhere",
        )
    made = {}
    for name in plan.strata.constructs:
        present = [int(place) for place in np.flatnonzero(~plan.strata.absent(name))]
        table = expected_table(plan, name)
        here = float(table[:, present].sum() / table.sum())
        if 0 < here < 1:
            made[name] = what_if(
                table, moved=moved, judge_share=given.get(name, here), present=present
            )
    return made


def elsewhere_text(found: Mapping[str, WhatIf]) -> HTML:
    """Show kappa in other traffic under both assumptions, and why they contradict each other.

    Parameters
    ----------
    found : mapping of str to WhatIf
        From `kappa_elsewhere`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> "Name what moves" in elsewhere_text({}).data
    True
    """
    if not found:
        return bullets(
            "Name what moves (-p moved=...), because the two answers differ:",
            [f"{name}: {meaning}" for name, meaning in MOVES.items()],
        )
    rows = []
    for name, made in found.items():
        row = {
            "construct": name,
            "judge's share here": f"{made.now['judge_share']:.3f}",
            "elsewhere": f"{made.asked['judge_share'].iloc[0]:.3f}",
            "kappa here": f"{made.now['kappa']:.2f}",
        }
        for one in made.asked.to_dict("records"):
            row[f"kappa elsewhere {_said(made, str(one['moved']))}"] = _kappa(one)
        rows.append(row)
    # Where nothing was asked to move, there is nothing to explain.
    asked = {name: made for name, made in found.items() if _moves(made)} or found
    why = "".join(
        f"<p><b>{html.escape(name)}.</b> {html.escape(made.why)}</p>"
        for name, made in asked.items()
    )
    return HTML(as_table(pd.DataFrame(rows)).data + why)


def elsewhere_curves(found: Mapping[str, WhatIf]) -> Picture | None:
    """Draw kappa against the judge's share of positives under both assumptions.

    Parameters
    ----------
    found : mapping of str to WhatIf
        From `kappa_elsewhere`.

    Returns
    -------
    Picture or None
        A matplotlib figure, one panel a construct; None where nothing was asked.

    Examples
    --------
    >>> from toolkit.report.planning_example import example_plan
    >>> made = kappa_elsewhere(example_plan(), "true_prevalence_moved", {"escalation": 0.1})
    >>> print(elsewhere_curves(made).alt)
    Kappa against the judge's share of positives, two curves a construct: escalation ...
    """
    if not found:
        return None
    across = min(ACROSS, len(found))
    down = -(-len(found) // across)
    drawn = plt.figure(
        figsize=(WIDTH if across > 1 else WIDTH / 1.5, 3.1 * down + 0.5),
        layout="constrained",
        FigureClass=Picture,
    )
    plt.close(drawn)  # forgotten by pyplot, or a notebook would show it twice
    figure = cast("Picture", drawn)
    grid = figure.subplots(down, across, squeeze=False)
    for axes, (name, made) in zip(grid.ravel(), found.items(), strict=False):
        _panel(axes, name, made)
    for axes in grid.ravel()[len(found) :]:
        axes.set_visible(False)
    handles, names = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    said = "; ".join(f"{name} {made}" for name, made in found.items())
    figure.alt = f"Kappa against the judge's share of positives, two curves a construct: {said}."
    return figure


def _panel(axes: Axes, name: str, made: WhatIf) -> None:
    for moved, (color, line, _) in LOOKS.items():
        curve = made.curves[made.curves["moved"] == moved]
        width = 2.4 if made.moved == moved else 1.4
        said = _said(made, moved)
        axes.plot(curve["judge_share"], curve["kappa"], line, color=color, lw=width, label=said)
        there = made.asked[made.asked["moved"] == moved].iloc[0]
        axes.plot(there["judge_share"], there["kappa"], "D", color=color, ms=6)
    axes.plot(made.now["judge_share"], made.now["kappa"], "o", color="black", label="as measured")
    axes.axvline(float(made.asked["judge_share"].iloc[0]), color=GREY, lw=1, ls=":")
    axes.set(
        title=name.replace("$", r"\$"),
        xlabel="share that the judge calls positive",
        ylabel="kappa",
        xlim=(0, 1),
    )
    axes.grid(color="#e5e5e5")
    axes.set_axisbelow(True)
    sns.despine(ax=axes)


def _moves(made: WhatIf) -> bool:
    return abs(float(made.asked["judge_share"].iloc[0]) - made.now["judge_share"]) > SAME


def _said(made: WhatIf, moved: str) -> str:
    return f"{LOOKS[moved][2]}{' (named)' if made.moved == moved else ''}"


def _kappa(row: Mapping[Hashable, Any]) -> str:
    if pd.isna(row["kappa"]):
        return "out of reach"
    return f"{row['kappa']:.2f} (prevalence {row['prevalence']:.3f})"
