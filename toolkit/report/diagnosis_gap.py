"""The gap as a staircase: from the kappa of the low construct to that of the high one."""

from __future__ import annotations

import math

from IPython.display import HTML

from toolkit.diagnosis.case import limits
from toolkit.diagnosis.result import Diagnosis
from toolkit.diagnosis.verdict import RELABELLED
from toolkit.diagnosis.waterfall import REST, Waterfall
from toolkit.diagnosis.words import TITLES
from toolkit.report.diagnosis_markup import paragraph
from toolkit.report.markup import number
from toolkit.report.plots import BLUE, GREY, ROW, VERMILLION, Picture, _blank, _text
from toolkit.report.show import contrast_text

ALL_ELSE = "all else"
REMAINDER = "not in the model"
NEARLY_MORE = 1.001  # kappa ends at 1, ticks carry rounding errors
SMALL = 0.005  # a remainder that two decimals do not show


def gap_text(diagnosis: Diagnosis) -> HTML:
    """Show the two kappas over the same calls, and how they differ from those of the verdict.

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
    >>> diagnosis = tk.diagnose(tk.simulate(["a"], n_calls=50), draws=500)
    >>> "nothing to compare" in gap_text(diagnosis).data
    True
    """
    contrast, gap = diagnosis.contrast, diagnosis.gap
    if contrast is None:
        return HTML(paragraph("Only one construct: nothing to compare."))
    people = len(diagnosis.parameters["reference"])
    if people == 1 or not contrast.n_calls:
        return contrast_text(contrast)
    apart = (
        f"The verdict compares the judge with each of the {people} people alone, each call "
        f"weighing 1: kappa {number(gap.kappa_low)} and {number(gap.kappa_high)}, a gap of "
        f"{number(gap.difference)} [{number(gap.lower)}, {number(gap.upper)}]. A majority hides "
        f"what people disagree on. The table below compares it with the {contrast.reference}."
    )
    return HTML(paragraph(apart) + contrast_text(contrast).data)


def waterfall(diagnosis: Diagnosis) -> Picture | HTML:
    """Draw the steps that lead from the low to the high kappa.

    Parameters
    ----------
    diagnosis : Diagnosis
        From `toolkit.diagnose`.

    Returns
    -------
    Picture or IPython.display.HTML
        A matplotlib figure; a sentence where the gap can't be split.

    Examples
    --------
    >>> import toolkit as tk
    >>> figure = waterfall(tk.diagnose(tk.simulate(["a", "b"], n_calls=100), draws=500))
    >>> print(figure.alt)
    From kappa ...
    """
    split, gap = diagnosis.waterfall, diagnosis.gap
    if split is None:
        return HTML(
            "<p>The gap can't be split: it takes two constructs with the same ordered categories, "
            "both labelled with more than one of them, and a judge that is not at chance.</p>"
        )
    rows = steps_of(split)
    figure = _blank(8, 1.2 + ROW * (len(rows) + 2))
    axes = figure.subplots()
    at = start = float(split.start[0])
    undone = [TITLES[cause] for cause in diagnosis.verdict.causes if cause in RELABELLED]
    names = [", ".join([f"kappa of {_text(gap.low)}", *(f"{title} undone" for title in undone)])]
    axes.barh(0, start, color=GREY, height=0.6)
    axes.text(max(start, 0) + 0.01, 0, f"{start:.2f}", va="center", fontsize=9)
    for height, (name, step, low, high) in enumerate(rows, 1):
        color, hatch = (BLUE, "") if step >= 0 else (VERMILLION, "///")
        axes.barh(height, step, left=at, color=color, hatch=hatch, height=0.6, edgecolor="white")
        axes.plot([at, at], [height - 1.3, height + 0.3], color=GREY, linewidth=0.8)
        said = f"{round(step, 2) + 0:+.2f}" + (
            "" if math.isnan(low) else f" [{number(low)}, {number(high)}]"
        )
        axes.text(max(at, at + step) + 0.01, height, said, va="center", fontsize=9)
        names.append(name)
        at += step
    last = len(rows) + 1
    axes.plot([at, at], [last - 1.3, last + 0.3], color=GREY, linewidth=0.8)
    axes.barh(last, at, color=GREY, height=0.6)
    axes.text(max(at, 0) + 0.01, last, f"{at:.2f}", va="center", fontsize=9)
    names.append(f"kappa of {_text(gap.high)}")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    right = max(start, at, *(0.0, at)) + 0.3
    axes.set_xlim(min(0.0, start, at) - 0.02, max(right, 1.0))
    axes.set_xticks(
        [tick for tick in axes.get_xticks() if axes.get_xlim()[0] <= tick < NEARLY_MORE]
    )
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel("kappa; steps in brackets with their 90 % intervals")
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    figure.alt = _in_words(diagnosis, rows, start, at)
    return figure


def steps_of(split: Waterfall) -> list[tuple[str, float, float, float]]:
    """Give name, size and 90 % interval of each step: largest first, the remainders last."""
    made = [(name, float(stack[0]), *limits(stack, 0.9)) for name, stack in split.steps.items()]
    made.sort(key=lambda step: (step[0] == REST, -abs(step[1])))
    rows = [
        (ALL_ELSE if name == REST else TITLES[name], step, low, high)
        for name, step, low, high in made
    ]
    if abs(split.remainder) >= SMALL:
        rows.append((REMAINDER, split.remainder, math.nan, math.nan))
    return rows


def _in_words(
    diagnosis: Diagnosis, rows: list[tuple[str, float, float, float]], start: float, end: float
) -> str:
    gap = diagnosis.gap
    said = ", ".join(f"{name} {round(step, 2) + 0:+.2f}" for name, step, _, _ in rows)
    return f"From kappa {start:.2f} of {gap.low} to {end:.2f} of {gap.high}: {said}."
