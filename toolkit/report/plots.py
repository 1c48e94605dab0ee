"""Figures of results: they draw what they are given, say it in words, and compute nothing.

Colours are Okabe and Ito's, which colour-blind readers tell apart; markers differ as well.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.figure import Figure

from toolkit.coefficients.agreement import Agreement, ConstructAgreement
from toolkit.coefficients.contrast import Contrast

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Names in scripts that the font lacks are drawn as boxes; the tables spell them out.
warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from font", category=UserWarning)

BLUE, VERMILLION, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#767676"
ROOMY = 3  # categories up to which a cell has room for large counts
DARK = 0.7  # share from which white numbers stand out better than black ones
ROW, MARGIN = 0.42, 1.5  # inches of height per construct, and for axis and legend


class Picture(Figure):
    """A figure that also says what it shows, for those who can't see it.

    Attributes
    ----------
    alt : str
        The picture in words. A notebook keeps it beside the drawing, the report's page gives it to
        screen readers (https://www.w3.org/WAI/tutorials/images/).

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["escalation", "self_harm"], n_calls=100)
    >>> print(difference(tk.contrast(labels, low="escalation", high="self_harm")).alt)
    Kappa of self_harm minus kappa of escalation: ...
    """

    alt: str = ""

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
        # IPython adds the drawing itself; `alt` is nbconvert's key for it.
        return {}, {"image/png": {"alt": self.alt}}


def forest(
    agreement: Agreement,
    *,
    low: str | None = None,
    high: str | None = None,
    people: Agreement | None = None,
) -> Picture:
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
    Picture
        A matplotlib figure. The bar at the right of an interval marks kappa_max, the most that the
        margins allow.

    Examples
    --------
    >>> import toolkit as tk
    >>> figure = forest(tk.agreement(tk.simulate(["self_harm"], n_calls=100)))
    """
    if low and high and agreement[low].kappa.estimate > agreement[high].kappa.estimate:
        low, high = high, low
    rows = sorted(agreement, key=lambda one: -np.nan_to_num(one.kappa.estimate, nan=-2.0))
    figure = _blank(7.5, MARGIN + ROW * len(rows))
    axes = figure.subplots()
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
    figure.alt = _forest_in_words(agreement, rows[::-1], people)
    return figure


def difference(contrast: Contrast) -> Picture:
    """Draw the difference of two kappas with its interval against 0.

    Parameters
    ----------
    contrast : Contrast
        From `contrast`.

    Returns
    -------
    Picture
        A matplotlib figure.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["escalation", "self_harm"], n_calls=100)
    >>> figure = difference(tk.contrast(labels, low="escalation", high="self_harm"))
    """
    figure = _blank(7.5, 1.3)
    axes = figure.subplots()
    first, second = (_text(name) for name in contrast.names)
    axes.axvline(0, color=GREY, linewidth=1, linestyle=":")
    if np.isnan(contrast.low):
        said = _why(contrast.reasons)
        axes.text(0.5, 0.7, said, transform=axes.transAxes, ha="center", backgroundcolor="white")
    axes.plot([contrast.low, contrast.high], [0, 0], color=BLUE, linewidth=2.5)
    axes.plot(contrast.difference, 0, "o", color=BLUE, markersize=8)
    limits = [0.0, *(v for v in (contrast.low, contrast.high) if not np.isnan(v))]
    axes.set_xlim(min(limits) - 0.1, max(limits) + 0.1)
    axes.set_yticks([])
    axes.set_xlabel(
        f"kappa of {second} minus kappa of {first}, {100 * contrast.level:g} % interval"
    )
    sns.despine(ax=axes, left=True)
    figure.alt = _difference_in_words(contrast)
    return figure


def confusion(agreement: Agreement, constructs: Sequence[str] | None = None) -> Picture:
    """Draw the count table of each construct; shading is the share of the reference's row.

    Parameters
    ----------
    agreement : Agreement
        Judge against reference.
    constructs : sequence of str, optional
        Which ones; None: all.

    Returns
    -------
    Picture
        A matplotlib figure.

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
    figure = _blank(2.9 * across, 3.0 * down)
    grid = figure.subplots(down, across, squeeze=False)
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
        for text, share in zip(axes.texts, shares.ravel(), strict=True):
            text.set_color("white" if share > DARK else "black")
        axes.set(
            title=f"\n{_text(one.construct)}",  # apart from the axis above it
            xlabel=_text(agreement.judge),
            ylabel=_text(_shortened(agreement.reference)),
        )
        axes.tick_params(length=0)
        axes.tick_params(axis="y", rotation=0)
    for axes in grid.ravel()[len(chosen) :]:
        axes.set_visible(False)
    figure.alt = _counts_in_words(agreement, chosen)
    return figure


def _blank(width: float, height: float) -> Picture:
    drawn = plt.figure(figsize=(width, height), layout="constrained", FigureClass=Picture)
    # Forgotten by pyplot, or a notebook would show it twice.
    plt.close(drawn)
    return cast("Picture", drawn)


def _interval_row(axes: Axes, height: int, one: ConstructAgreement, look: dict[str, Any]) -> None:
    kappa = one.kappa
    axes.plot([kappa.low, kappa.high], [height, height], color=look["color"], linewidth=2.5)
    axes.plot(kappa.estimate, height, look["marker"], color=look["color"], markersize=8)
    ceiling = one.measures["kappa_max"]
    axes.plot([ceiling, ceiling], [height - 0.18, height + 0.18], color=GREY, linewidth=1.5)
    if np.isnan(kappa.estimate):
        said = _why(kappa.reasons[:1])
        axes.text(1.0, height + 0.08, said, ha="right", va="bottom", fontsize=8)


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


def _forest_in_words(
    agreement: Agreement, rows: list[ConstructAgreement], people: Agreement | None
) -> str:
    defined = [one for one in rows if not np.isnan(one.kappa.estimate)]
    undefined = [one.construct for one in rows if np.isnan(one.kappa.estimate)]
    said = f"Kappa of each construct with its {100 * agreement.level:g} % interval, lowest first: "
    said += ", ".join(f"{one.construct} {one.kappa.estimate:.2f}" for one in defined)
    said += f"; undefined: {', '.join(undefined)}" if undefined else ""
    said += f"; beside it {people.judge} against {people.reference}" if people is not None else ""
    return f"{said}."


def _difference_in_words(contrast: Contrast) -> str:
    first, second = contrast.names
    said = f"Kappa of {second} minus kappa of {first}: "
    if np.isnan(contrast.difference):
        return f"{said}undefined ({_why(contrast.reasons)})."
    said += f"{contrast.difference:.2f}, {100 * contrast.level:g} % interval "
    if np.isnan(contrast.low):
        return f"{said}undefined ({_why(contrast.reasons)})."
    holds = "holds" if contrast.low <= 0 <= contrast.high else "does not hold"
    return f"{said}{contrast.low:.2f} to {contrast.high:.2f}, which {holds} 0."


def _counts_in_words(agreement: Agreement, chosen: list[ConstructAgreement]) -> str:
    tables = {one.construct: one.table.to_numpy() for one in chosen}
    same = [f"{name} {np.trace(t):,.0f} of {t.sum():,.0f}" for name, t in tables.items()]
    return (
        f"Count tables, one a construct: {agreement.reference} in rows, {agreement.judge} in "
        f"columns. Items on the diagonal, where both gave the same label: {', '.join(same)}."
    )


def _why(reasons: Sequence[str]) -> str:
    """A short form: the full sentence has no room in a picture."""
    return ", ".join(reasons).replace("_", " ")


def _shortened(name: str, most: int = 24) -> str:
    return name if len(name) <= most else "majority of people"


def _text(name: str) -> str:
    """A dollar sign in a name is a dollar sign, never the start of a formula."""
    return name.replace("$", r"\$")
