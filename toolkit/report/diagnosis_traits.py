"""The multitrait-multimethod matrix as a picture, and Campbell and Fiske's criteria as a table."""

from __future__ import annotations

import html
from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import HTML
from matplotlib.patches import Rectangle

from toolkit.diagnosis.campbell_fiske import CRITERIA
from toolkit.diagnosis.mtmm import CONVERGENT, Mtmm
from toolkit.diagnosis.result import Diagnosis
from toolkit.report.diagnosis_markup import paragraph, ranged, table_of
from toolkit.report.markup import number
from toolkit.report.plots import Picture, _blank, _text

MOST = 16  # rows up to which the numbers in the cells can be read
CELL = 0.52  # inches
DARK = 0.6  # correlation from which white numbers stand out better than black ones
NOTHING = "There is no matrix: it takes two constructs in the same calls."
ASKED = {
    "convergent": "judge with people: r",
    "over_heterotrait_heteromethod": "its lead over the strongest r across constructs and sides",
    "over_heterotrait_monomethod": "its lead over the strongest r across constructs, one side",
    "same_pattern": "do all sides order the other constructs alike? r of the patterns",
}
SIGNS = {"met": "● met", "not met": "○ not met", "undetermined": "? undetermined", "": "-"}


def trait_matrix(diagnosis: Diagnosis) -> Picture | HTML:
    """Draw the correlations of all constructs as people and judges see them.

    Parameters
    ----------
    diagnosis : Diagnosis
        From `toolkit.diagnose`.

    Returns
    -------
    Picture or IPython.display.HTML
        A matplotlib figure; a sentence where there is no matrix. Frames mark the same construct
        seen by two sides. Where many judges would make the numbers unreadable, the matrix is that
        of people and the judge.

    Examples
    --------
    >>> import toolkit as tk
    >>> figure = trait_matrix(tk.diagnose(tk.simulate(["a", "b"], n_calls=60), draws=500))
    >>> print(figure.alt)
    Correlations ...
    """
    found = diagnosis.mtmm
    if found is None:
        return HTML(paragraph(NOTHING))
    square = found.square()
    if len(square) > MOST:
        keep = square.index.get_level_values("method").isin(found.methods[:2])
        square = square.loc[keep, keep]
    values = square.to_numpy(dtype=np.float64)
    size = len(values)
    side = max(CELL * size, 2.4)
    figure = _blank(side + 2.8, side + 1.9)
    axes = figure.subplots()
    drawn = axes.imshow(values, cmap="RdBu", vmin=-1, vmax=1)
    names = [_text(f"{method}: {trait}") for method, trait in square.index]
    for row, column in zip(*(side.tolist() for side in np.tril_indices(size, -1)), strict=True):
        value = values[row, column]
        said = "-" if np.isnan(value) else number(value).replace("0.", ".")
        color = "white" if abs(np.nan_to_num(value)) > DARK else "black"
        axes.text(column, row, said, ha="center", va="center", fontsize=9, color=color)
        if square.index[row][1] == square.index[column][1]:
            corner = (column - 0.5, row - 0.5)
            axes.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor="black", linewidth=2))
    for edge in range(len(found.traits), size, len(found.traits)):
        axes.plot([-0.5, edge - 0.5], [edge - 0.5, edge - 0.5], color="black", linewidth=0.8)
        axes.plot([edge - 0.5, edge - 0.5], [edge - 0.5, size - 0.5], color="black", linewidth=0.8)
    axes.set_xticks(range(size), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(size), names)
    axes.set_xlim(-0.5, size - 1.5)
    axes.set_ylim(size - 0.5, 0.5)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.colorbar(drawn, ax=axes, label="correlation r", shrink=0.8)
    figure.alt = _in_words(found)
    return figure


def criteria_table(diagnosis: Diagnosis) -> HTML:
    """Show Campbell and Fiske's four criteria for each construct.

    Parameters
    ----------
    diagnosis : Diagnosis
        From `toolkit.diagnose`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> import toolkit as tk
    >>> diagnosis = tk.diagnose(tk.simulate(["a", "b"], n_calls=60), draws=500)
    >>> "met" in criteria_table(diagnosis).data
    True
    """
    if diagnosis.mtmm is None:
        return HTML("")
    rows = []
    for trait, part in diagnosis.mtmm.criteria.groupby("trait", sort=False):
        by = {one["criterion"]: one for one in part.to_dict("records")}
        cells = [_cell(by[name]) if name in by else "-" for name in CRITERIA]
        rows.append((f"<b>{html.escape(str(trait))}</b>", *cells))
    return HTML(table_of(("construct", *(ASKED[name] for name in CRITERIA)), rows))


def _cell(one: dict[Hashable, Any]) -> str:
    if pd.isna(one["difference"]):
        return html.escape(str(one["sentence"]).partition(": ")[2])
    return f"{SIGNS[one['met']]}<br>{ranged(one['difference'], one['low'], one['high'])}"


def _in_words(found: Mtmm) -> str:
    frame = found.correlations
    judge = found.methods[1]
    own = frame[(frame["kind"] == CONVERGENT) & (frame["method_2"] == judge)]
    own = own[own["method_1"] == found.methods[0]]
    said = ", ".join(
        f"{trait} {'undefined' if np.isnan(r) else f'{r:.2f}'}"
        for trait, r in zip(own["trait_1"], own["r"], strict=True)
    )
    return (
        f"Correlations of {len(found.traits)} constructs as seen by {', '.join(found.methods)}. "
        f"The same construct, people with {judge}: {said}."
    )
