"""People beside the judge: how far people agree with each other, and the judge with them."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

import numpy as np
from IPython.display import HTML

from toolkit.coefficients.agreement import Agreement
from toolkit.diagnosis.result import Diagnosis
from toolkit.report.diagnosis_markup import paragraph, table_of
from toolkit.report.markup import number, p_value
from toolkit.report.plots import BLUE, GREY, VERMILLION, Picture, _blank, _text

ALONE = (
    "Not drawn: no two people labelled the same items. To enable it: a second person on about 60 "
    "of the items."
)
ROW = 0.5  # inches a construct
LIFT = (0.2, 0.0, -0.2)


def ceiling(pairs: Sequence[Agreement]) -> Picture | HTML:
    """Draw kappa of two people with each other beside that of the judge with each of them.

    Parameters
    ----------
    pairs : sequence of Agreement
        People with each other first, then the judge with each; empty without two people.

    Returns
    -------
    Picture or IPython.display.HTML
        A matplotlib figure; a sentence without two people.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["a"], n_calls=60, humans=2)
    >>> two = [tk.agreement(labels, judge="human2", reference="human1")]
    >>> print(ceiling([*two, tk.agreement(labels, reference="human1")]).alt)
    Kappa of human2 with human1: a ...
    """
    if not pairs:
        return HTML(paragraph(ALONE))
    names = [one.construct for one in pairs[0]]
    order = sorted(names, key=lambda name: -np.nan_to_num(_kappa(pairs[1], name), nan=-2.0))
    figure = _blank(8, 1.5 + ROW * len(order))
    axes = figure.subplots()
    axes.axvline(0, color=GREY, linewidth=1, linestyle=":")
    looks = (("black", "D"), (BLUE, "o"), (VERMILLION, "s"))
    for pair, (color, marker), lift in zip(pairs, looks, LIFT, strict=False):
        for height, name in enumerate(order):
            kappa = pair[name].kappa
            axes.plot([kappa.low, kappa.high], [height + lift] * 2, color=color, linewidth=2)
            axes.plot(kappa.estimate, height + lift, marker, color=color, markersize=6)
        label = _text(f"{pair.judge} with {pair.reference}")
        axes.plot([], [], marker + "-", color=color, label=label)
    axes.set_yticks(range(len(order)), [_text(name) for name in order])
    axes.set_ylim(-0.6, len(order) - 0.4)
    axes.set_xlim(min(axes.get_xlim()[0], -0.05), 1.03)
    axes.set_xlabel(f"kappa, {100 * pairs[0].level:g} % interval")
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    figure.alt = "; ".join(
        f"Kappa of {pair.judge} with {pair.reference}: "
        + ", ".join(f"{name} {number(_kappa(pair, name))}" for name in order)
        for pair in pairs
    )
    return figure


def people_text(diagnosis: Diagnosis) -> HTML:
    """Say how the judge stands to people on the low construct, the annotator test beside kappa.

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
    >>> diagnosis = tk.diagnose(tk.simulate(["a", "b"], n_calls=100), draws=500)
    >>> "alternative annotator test" in people_text(diagnosis).data
    True
    """
    parts = [paragraph(diagnosis.evidence["human_ceiling"].sentence)]
    test = diagnosis.annotator_test
    if test is None or math.isnan(test.winning_rate):
        why = "it takes three people with 30 shared items each"
        parts.append(paragraph(f"The alternative annotator test was not run: {why}."))
        return HTML("".join(parts))
    said = str(test)
    parts.append(
        paragraph(
            f"On {diagnosis.gap.low} {said}. Read it beside kappa only: where positives are rare, "
            "a judge that never flags passes the unbalanced test."
        )
    )
    rows = [
        (
            html.escape(str(row["person"])),
            f"{row['items']:,}",
            number(row["kappa"]),
            f"{number(row['judge_wins'])} / {number(row['person_wins'])}",
            p_value(row["p_value"]),
            f"{number(row['balanced_judge_wins'])} / {number(row['balanced_person_wins'])}",
            p_value(row["balanced_p_value"]),
        )
        for row in test.to_frame().to_dict("records")
    ]
    headers = (
        "person set aside", "items", "kappa with the judge", "wins: judge / person", "p",
        "wins, classes weighing the same: judge / person", "p of it",
    )  # fmt: skip
    return HTML("".join([*parts, table_of(headers, rows)]))


def _kappa(agreement: Agreement, name: str) -> float:
    return agreement[name].kappa.estimate
