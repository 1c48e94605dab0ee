"""Pictures of the gate: totals and decisions, how stable these are, and which flags to trust."""

from __future__ import annotations

import math
from typing import cast

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes

from toolkit.gate.ko import KNOCKED_OUT, PASSED, UNDETERMINED
from toolkit.gate.scorecard import Scorecard
from toolkit.gate.stability_kappa import NOT_SHOWN, RELIABLE, TOO_UNRELIABLE
from toolkit.gate.stability_result import (
    ANOTHER_RUN,
    PERFECT_JUDGE,
    QUESTIONS,
    DecisionStability,
    GateStability,
)
from toolkit.report.gate_stability_show import least_stable_first
from toolkit.report.gate_words import in_gate_words
from toolkit.report.plots import BLUE, GREY, VERMILLION, Picture

ROW, MARGIN, WIDTH = 0.34, 1.5, 7.5  # inches
MOST_DRAWN = 40
LOOKS = {PASSED: (BLUE, "o"), UNDETERMINED: (GREY, "D"), KNOCKED_OUT: (VERMILLION, "X")}
ASKED = {ANOTHER_RUN: (BLUE, "o"), PERFECT_JUDGE: (VERMILLION, "^")}
TRUST = {RELIABLE: (BLUE, "o"), NOT_SHOWN: (GREY, "s"), TOO_UNRELIABLE: (VERMILLION, "X")}


def totals_and_gate(card: Scorecard) -> Picture:
    """Draw the total of every model, marked by what the gate decided.

    Parameters
    ----------
    card : Scorecard
        From `toolkit.gate.scorecard`.

    Returns
    -------
    Picture
        A matplotlib figure, the highest total on top. Models without a total are left out and
        named in its words.

    Examples
    --------
    >>> from toolkit.gate import scorecard
    >>> from toolkit.report.gate_files import read_gate
    >>> print(totals_and_gate(scorecard(read_gate().verdicts)).alt)
    Total of each model, highest first: alder 100.0 % knocked out, birch 91.4 % passed, ...
    """
    models = card.models.sort_values("percentage", ascending=False, kind="stable")
    drawn = models[models["percentage"].notna()].head(MOST_DRAWN)
    figure, axes = _rows(len(drawn))
    for place, row in enumerate(drawn.to_dict("records")):
        color, marker = LOOKS[row["status"]]
        height = len(drawn) - 1 - place
        axes.plot(row["percentage"], height, marker, color=color, markersize=8)
    for status, (color, marker) in LOOKS.items():
        axes.plot([], [], marker, color=color, label=in_gate_words(status))
    lowest = float(drawn["percentage"].min()) if len(drawn) else 0.0
    _finish(figure, axes, list(drawn["model"])[::-1], (max(min(lowest, 95) - 5, 0), 102))
    axes.set_xlabel("weighted total, % of the highest possible")
    said = [
        f"{row['model']} {row['percentage']:.1f} % {in_gate_words(row['status'])}"
        for row in drawn.to_dict("records")
    ]
    figure.alt = f"Total of each model, highest first: {', '.join(said)}."
    without = models.loc[models["percentage"].isna(), "model"]
    if len(without):
        figure.alt += f" Without a total: {', '.join(without)}."
    return figure


def decision_flips(stability: GateStability) -> Picture:
    """Draw how probably the decision on each model flips, the least stable on top.

    Parameters
    ----------
    stability : GateStability
        From `toolkit.gate.gate_stability`.

    Returns
    -------
    Picture
        A matplotlib figure; undetermined models have no decision that could flip.

    Examples
    --------
    >>> from toolkit.gate.stability import gate_stability
    >>> from toolkit.report.gate_files import read_gate
    >>> read = read_gate()
    >>> found = gate_stability(read.verdicts, read.pack, confusion=read.people, draws=200)
    >>> print(decision_flips(found).alt)
    Probability that the decision flips, least stable first: larch (knocked out) ...
    """
    order = least_stable_first(stability)[:MOST_DRAWN]
    figure, axes = _rows(len(order))
    for place, one in enumerate(order):
        height = len(order) - 1 - place
        for question, (color, marker) in ASKED.items():
            axes.plot(getattr(one, question).flips, height, marker, color=color, markersize=7)
        if one.status == UNDETERMINED:
            axes.text(0.01, height, "undetermined: no decision that could flip", va="center")
    for question, (color, marker) in ASKED.items():
        axes.plot([], [], marker, color=color, label=QUESTIONS[question])
    names = [f"{one.model} ({in_gate_words(one.status)})" for one in order]
    _finish(figure, axes, names[::-1], (-0.02, 1.02), across=1)
    axes.set_xlabel("probability that the decision flips")
    said = "; ".join(_flips_in_words(one) for one in order)
    figure.alt = f"Probability that the decision flips, least stable first: {said}."
    return figure


def flag_kappas(stability: GateStability) -> Picture | None:
    """Draw kappa of the red flag with people, by prompt, against what is enough.

    Parameters
    ----------
    stability : GateStability
        From `toolkit.gate.gate_stability`.

    Returns
    -------
    Picture or None
        A matplotlib figure, prompts in the order of the pack; None without labels of people.

    Examples
    --------
    >>> from toolkit.gate.stability import gate_stability
    >>> from toolkit.report.gate_files import read_gate
    >>> read = read_gate()
    >>> found = gate_stability(read.verdicts, read.pack, confusion=read.people, draws=200)
    >>> print(flag_kappas(found).alt)
    Kappa of the red flag between people and judge, with its 95 % interval, ... too unreliable: ...
    """
    rows = [one for one in stability.reliability if one.n][:MOST_DRAWN]
    if not rows:
        return None
    figure, axes = _rows(len(rows))
    axes.axvline(stability.threshold, color=GREY, linewidth=1, linestyle="--")
    for place, one in enumerate(rows):
        height = len(rows) - 1 - place
        color, marker = TRUST.get(one.verdict, (GREY, "s"))
        axes.plot([one.low, one.high], [height, height], color=color, linewidth=2)
        axes.plot(one.kappa, height, marker, color=color, markersize=7)
    for verdict, (color, marker) in TRUST.items():
        axes.plot([], [], marker, color=color, label=in_gate_words(verdict))
    names = [
        f"{one.prompt_id or 'all prompts'}{' (curated)' if one.curated else ''}" for one in rows
    ]
    lowest = min([0.0, *(one.low for one in rows if not math.isnan(one.low))])
    _finish(figure, axes, names[::-1], (lowest - 0.05, 1.03))
    axes.set_xlabel(f"kappa, {100 * stability.level:g} % interval; dashed: threshold")
    parts = [
        f"{in_gate_words(verdict)}: "
        + (", ".join(one.prompt_id or "all" for one in rows if one.verdict == verdict) or "none")
        for verdict in TRUST
    ]
    figure.alt = (
        "Kappa of the red flag between people and judge, with its "
        f"{100 * stability.level:g} % interval, by prompt, against {stability.threshold:.2f}. "
        f"{'; '.join(parts[::-1])}."
    )
    return figure


def _rows(number: int) -> tuple[Picture, Axes]:
    drawn = plt.figure(
        figsize=(WIDTH, MARGIN + ROW * number), layout="constrained", FigureClass=Picture
    )
    plt.close(drawn)  # forgotten by pyplot, or a notebook would show it twice
    figure = cast("Picture", drawn)
    return figure, figure.subplots()


def _finish(
    figure: Picture, axes: Axes, names: list[str], limits: tuple[float, float], across: int = 3
) -> None:
    axes.set_yticks(np.arange(len(names)), [name.replace("$", r"\$") for name in names])
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlim(*limits)
    axes.grid(axis="x", color="#e5e5e5")
    axes.set_axisbelow(True)
    sns.despine(ax=axes, left=True)
    axes.tick_params(axis="y", length=0)
    figure.legend(loc="outside lower center", ncols=across, frameon=False, fontsize=9)


def _flips_in_words(one: DecisionStability) -> str:
    if one.status == UNDETERMINED:
        return f"{one.model} is undetermined"
    parts = [
        f"{getattr(one, question).flips:.2f} {QUESTIONS[question]}"
        for question in ASKED
        if not math.isnan(getattr(one, question).flips)
    ]
    return f"{one.model} ({in_gate_words(one.status)}) {', '.join(parts) or 'not known'}"
