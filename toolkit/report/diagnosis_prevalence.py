"""Kappa against prevalence: how kappa of each construct would move if it were rarer or commoner."""

from __future__ import annotations

from typing import Any

import numpy as np
from IPython.display import HTML

from toolkit.coefficients.agreement import ConstructAgreement
from toolkit.coefficients.descriptive import collapse
from toolkit.coefficients.from_labels import present_positions
from toolkit.coefficients.prevalence import kappa_at_prevalence
from toolkit.coefficients.weights import Floats
from toolkit.diagnosis.result import Diagnosis
from toolkit.labels.table import Labels
from toolkit.report.diagnosis_markup import paragraph
from toolkit.report.plots import GREEN, VERMILLION, Picture, _blank, _text

SHARES = np.linspace(0.005, 0.995, 199)


def prevalence_curves(diagnosis: Diagnosis, labels: Labels) -> Picture | HTML:
    """Draw kappa of both constructs against prevalence, with their own error rates kept.

    Parameters
    ----------
    diagnosis : Diagnosis
        From `toolkit.diagnose`.
    labels : Labels
        What was read.

    Returns
    -------
    Picture or IPython.display.HTML
        A matplotlib figure; a sentence where it can't be drawn.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["a", "b"], n_calls=100)
    >>> print(prevalence_curves(tk.diagnose(labels, draws=500), labels).alt)
    Kappa against prevalence, ...
    """
    pair = [name for name in (diagnosis.gap.low, diagnosis.gap.high) if name]
    chosen = [diagnosis.agreement[name] for name in pair]
    wide = [one.construct for one in chosen if len(one.table) != 2]  # noqa: PLR2004  binary
    if wide:
        return HTML(
            paragraph(
                f"Not drawn for {' and '.join(wide)}: with more than two categories kappa depends "
                "on the whole spread of the labels, not on one prevalence. The row on rarity in "
                "the table of evidence gives kappa at the other construct's spread instead."
            )
        )
    tables = {one.construct: two_by_two(one, labels) for one in chosen}
    drawn = {name: table for name, table in tables.items() if table.sum(axis=1).all()}
    if not drawn:
        return HTML(paragraph("Not drawn: the reference gave one label throughout."))
    figure = _blank(8, 4)
    axes = figure.subplots()
    looks = dict(zip(pair, ((VERMILLION, "v", "-"), (GREEN, "^", "--")), strict=False))
    said = []
    for name, table in drawn.items():
        color, marker, style = looks[name]
        rates = table[0, 0] / table[0].sum(), table[1, 1] / table[1].sum()
        own = float(table[0].sum() / table.sum())
        kappa = float(kappa_at_prevalence(*rates, own))
        label = f"{_text(name)}: sensitivity {rates[0]:.2f}, specificity {rates[1]:.2f}"
        curve = np.asarray(kappa_at_prevalence(*rates, SHARES))
        axes.plot(SHARES, curve, style, color=color, linewidth=2.2)
        look: dict[str, Any] = {"color": color, "markersize": 11, "markeredgecolor": "black"}
        axes.plot(own, kappa, marker, **look)
        axes.plot([], [], marker + style, linewidth=2.2, label=label, **look)
        said.append(f"{name} {kappa:.2f} at its own {100 * own:.0f} %")
    axes.set_xlim(0, 1)
    axes.set_xticks(np.linspace(0, 1, 6), [f"{share:.0f} %" for share in range(0, 101, 20)])
    axes.set_ylim(min(0.0, axes.get_ylim()[0]), 1)
    axes.set_xlabel("share of items in which the construct is present, by the reference")
    axes.set_ylabel("kappa")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, color="#d0d7de", linewidth=0.6)
    figure.legend(
        loc="outside lower center",
        frameon=False,
        fontsize=9,
        title="markers: at its own prevalence",
    )
    figure.alt = f"Kappa against prevalence, sensitivity and specificity kept: {', '.join(said)}."
    return figure


def two_by_two(one: ConstructAgreement, labels: Labels) -> Floats:
    """Counts with the present category first; where none is declared, the last one."""
    where = present_positions(labels.schema[one.construct]) or (len(one.table) - 1,)
    return np.asarray(collapse(one.table.to_numpy(dtype=np.float64), where))
