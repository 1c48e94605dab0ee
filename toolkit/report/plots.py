"""Figures of results: they draw what they are given and compute nothing.

Colours are Okabe and Ito's, which colour-blind readers tell apart; markers differ as well.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns

from toolkit.coefficients.agreement import Agreement, ConstructAgreement
from toolkit.coefficients.contrast import Contrast

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Names in scripts that the font lacks are drawn as boxes; the tables spell them out.
warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from font", category=UserWarning)

BLUE, VERMILLION, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#767676"
ROOMY = 3  # categories up to which a cell has room for large counts
ROW, MARGIN = 0.42, 1.5  # inches of height per construct, and for axis and legend


def forest(
    agreement: Agreement,
    *,
    low: str | None = None,
    high: str | None = None,
    people: Agreement | None = None,
) -> Figure:
    """Draw kappa of every construct with its interval, the lowest on top.

    Parameters
    ----------
    agreement : Agreement
        Judge against reference.
    low, high : str, optional
        The two constructs to mark, in either order.
    people : Agreement, optional
        One person against another, drawn as a hollow diamond where it is there.

    Returns
    -------
    matplotlib.figure.Figure
        The bar at the right of an interval marks kappa_max, the most that the margins allow.

    Examples
    --------
    >>> import toolkit as tk
    >>> figure = forest(tk.agreement(tk.simulate(["self_harm"], n_calls=100)))
    """
    if low and high and agreement[low].kappa.estimate > agreement[high].kappa.estimate:
        low, high = high, low
    rows = sorted(agreement, key=lambda one: -np.nan_to_num(one.kappa.estimate, nan=-2.0))
    figure, axes = plt.subplots(figsize=(7.5, MARGIN + ROW * len(rows)), layout="constrained")
    axes.axvline(0, color=GREY, linewidth=1, linestyle=":")
    for height, one in enumerate(rows):
        _interval_row(axes, height, one, _look(one.construct, low, high))
        if people is not None:
            other = {each.construct: each for each in people}.get(one.construct)
            if other is not None:
                axes.plot(
                    other.kappa.estimate, height - 0.22, "D", color="black", fillstyle="none", ms=5
                )
    _legend(figure, axes, low, high, people)
    axes.set_yticks(range(len(rows)), [_text(one.construct) for one in rows])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    lowest = min([0.0, *(one.kappa.low for one in rows if not np.isnan(one.kappa.low))])
    axes.set_xlim(min(-0.05, lowest - 0.03), 1.03)
    axes.set_xlabel(f"kappa, {100 * agreement.level:g} % interval")
    sns.despine(ax=axes, left=True)
    axes.tick_params(axis="y", length=0)
    plt.close(figure)
    return figure


def difference(contrast: Contrast) -> Figure:
    """Draw the difference of two kappas with its interval against 0.

    Parameters
    ----------
    contrast : Contrast
        From `contrast`.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["escalation", "self_harm"], n_calls=100)
    >>> figure = difference(tk.contrast(labels, low="escalation", high="self_harm"))
    """
    figure, axes = plt.subplots(figsize=(7.5, 1.3), layout="constrained")
    first, second = (_text(name) for name in contrast.names)
    axes.axvline(0, color=GREY, linewidth=1, linestyle=":")
    if np.isnan(contrast.low):
        axes.text(0.5, 0.5, ", ".join(contrast.reasons), transform=axes.transAxes, ha="center")
    axes.plot([contrast.low, contrast.high], [0, 0], color=BLUE, linewidth=2.5)
    axes.plot(contrast.difference, 0, "o", color=BLUE, markersize=8)
    limits = [0.0, *(v for v in (contrast.low, contrast.high) if not np.isnan(v))]
    axes.set_xlim(min(limits) - 0.1, max(limits) + 0.1)
    axes.set_yticks([])
    axes.set_xlabel(
        f"kappa of {second} minus kappa of {first}, {100 * contrast.level:g} % interval"
    )
    sns.despine(ax=axes, left=True)
    plt.close(figure)
    return figure


def confusion(agreement: Agreement, constructs: Sequence[str] | None = None) -> Figure:
    """Draw the count table of each construct; shading is the share of the reference's row.

    Parameters
    ----------
    agreement : Agreement
        Judge against reference.
    constructs : sequence of str, optional
        Which ones; None: all.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    KeyError
        If a construct is not in the agreement.

    Examples
    --------
    >>> import toolkit as tk
    >>> figure = confusion(tk.agreement(tk.simulate(["self_harm"], n_calls=100)))
    """
    chosen = list(agreement) if constructs is None else [agreement[name] for name in constructs]
    across = min(3, len(chosen))
    down = -(-len(chosen) // across)
    figure, grid = plt.subplots(
        down, across, figsize=(2.9 * across, 2.9 * down), layout="constrained", squeeze=False
    )
    for axes, one in zip(grid.ravel(), chosen, strict=False):
        table = one.table.to_numpy()
        total = table.sum(1, keepdims=True)
        shares = np.divide(table, total, out=np.zeros_like(table), where=total > 0)
        names = [_text(str(name)) for name in one.table.index]
        sns.heatmap(
            shares,
            ax=axes,
            annot=[[f"{value:,.0f}" for value in row] for row in table],
            fmt="",
            annot_kws={"fontsize": 10 if len(names) <= ROOMY else 8},
            cmap="Blues",
            vmin=0,
            vmax=1,
            cbar=False,
            square=True,
            linewidths=1,
            xticklabels=names,
            yticklabels=names,
        )
        axes.set(
            title=_text(one.construct),
            xlabel=_text(agreement.judge),
            ylabel=_text(_shortened(agreement.reference)),
        )
        axes.tick_params(length=0)
        axes.tick_params(axis="y", rotation=0)
    for axes in grid.ravel()[len(chosen) :]:
        axes.set_visible(False)
    plt.close(figure)
    return figure


def _interval_row(axes: Axes, height: int, one: ConstructAgreement, look: dict[str, Any]) -> None:
    kappa = one.kappa
    axes.plot([kappa.low, kappa.high], [height, height], color=look["color"], linewidth=2.5)
    axes.plot(kappa.estimate, height, look["marker"], color=look["color"], markersize=8)
    ceiling = one.measures["kappa_max"]
    axes.plot([ceiling, ceiling], [height - 0.18, height + 0.18], color=GREY, linewidth=1.5)
    if np.isnan(kappa.estimate):
        axes.text(1.0, height, ", ".join(kappa.reasons[:1]), ha="right", va="bottom", fontsize=8)


def _look(construct: str, low: str | None, high: str | None) -> dict[str, Any]:
    if construct == low:
        return {"color": VERMILLION, "marker": "v"}
    if construct == high:
        return {"color": GREEN, "marker": "^"}
    return {"color": BLUE, "marker": "o"}


def _legend(
    figure: Figure, axes: Axes, low: str | None, high: str | None, people: Agreement | None
) -> None:
    if low is not None:
        axes.plot([], [], "v", color=VERMILLION, label="lower of the pair")
    if high is not None:
        axes.plot([], [], "^", color=GREEN, label="higher of the pair")
    axes.plot(
        [], [], "|", color=GREY, markersize=10, label="kappa_max: the most these margins allow"
    )
    if people is not None:
        label = _text(f"people: {people.judge} against {people.reference}")
        axes.plot([], [], "D", color="black", fillstyle="none", ms=5, label=label)
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)


def _shortened(name: str, most: int = 24) -> str:
    return name if len(name) <= most else "majority of people"


def _text(name: str) -> str:
    """A dollar sign in a name is a dollar sign, never the start of a formula."""
    return name.replace("$", r"\$")
