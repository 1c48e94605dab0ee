"""Pictures of re-scored answers: before and after, and what each level of strictness reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import seaborn as sns
from matplotlib.axes import Axes

from toolkit.answers.answer import LEVELS
from toolkit.report.answer_runs import scored, scorer_words
from toolkit.report.plots import BLUE, GREEN, GREY, VERMILLION, Picture, _blank, _text
from toolkit.scoring.grade import ALL
from toolkit.scoring.rescoring.result import Rescore

ACROSS = 2  # panels in a row


def before_after(found: Rescore) -> Picture:
    """Draw accuracy over all items before and as scored again, by run and subset.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    Picture
        A matplotlib figure; a panel a run. The bar marks what one constant answer would score.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> figure = before_after(tk.rescore([row]))
    >>> print(figure.alt)
    Accuracy as stored, and read again ... this run: justice 0.00, now 1.00.
    """
    runs = scored(found)
    most = max(len(one.summary) for one in runs.values()) - 1
    figure, panels = _panels(len(runs), 0.5 * most + 1.3)
    for axes, (name, one) in zip(panels, runs.items(), strict=False):
        rows = one.summary[one.summary["subset"] != ALL].iloc[::-1]
        for height, row in enumerate(rows.to_dict("records")):
            _interval(axes, height + 0.14, row, "old", VERMILLION, "s")
            _interval(axes, height - 0.14, row, "new", BLUE, "o")
            ends = [height - 0.32, height + 0.32]
            axes.plot([row["constant"]] * 2, ends, color=GREY, linewidth=1.5)
        axes.set_yticks(range(len(rows)), [_text(str(subset)) for subset in rows["subset"]])
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.6, len(rows) - 0.4), xlabel="accuracy over all items")
        axes.set_title(_text(name))
        sns.despine(ax=axes, left=True)
        axes.tick_params(axis="y", length=0)
    first = panels[0]
    first.plot([], [], "s", color=VERMILLION, fillstyle="none", label=_text(scorer_words(found)))
    first.plot([], [], "o", color=BLUE, label=f"read again, level {found.level}")
    first.plot([], [], "|", color=GREY, markersize=10, label="one constant answer")
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    figure.alt = _before_after_in_words(found)
    return figure


def level_ladder(found: Rescore) -> Picture:
    """Draw what is answered and what is right at each level, by run.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    Picture
        A matplotlib figure; a panel a run, over all subsets. The gap between two levels is what the
        format costs.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> print(level_ladder(tk.rescore([row])).alt)
    Share of all replies answered, and right, ... structured 1.00 and 1.00, lenient 1.00 and 1.00.
    """
    runs = scored(found)
    figure, panels = _panels(len(runs), 2.7)
    shown = (
        ("coverage", "answered", GREY, "s"),
        ("accuracy", "right, of all", BLUE, "o"),
        ("accuracy_answered", "right, of answered", GREEN, "^"),
    )
    for axes, (name, one) in zip(panels, runs.items(), strict=False):
        rows = one.by_level[one.by_level["subset"] == ALL].set_index("level").reindex(LEVELS)
        for column, label, color, marker in shown:
            axes.plot(range(len(LEVELS)), rows[column], f"{marker}-", color=color, label=label)
        axes.set_xticks(range(len(LEVELS)), LEVELS)
        axes.set(xlim=(-0.3, len(LEVELS) - 0.7), ylim=(-0.03, 1.05), title=_text(name))
        axes.grid(axis="y", color="#e5e5e5")
        axes.set_axisbelow(True)
        sns.despine(ax=axes)
    panels[0].set_ylabel("share")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    figure.alt = _ladder_in_words(found)
    return figure


def _panels(number: int, height: float) -> tuple[Picture, list[Axes]]:
    across = min(ACROSS, number)
    down = -(-number // across)
    figure = _blank(4.6 * across + 1, height * down)
    panels = list(figure.subplots(down, across, squeeze=False).ravel())
    for axes in panels[number:]:
        axes.set_visible(False)
    return figure, panels


def _interval(
    axes: Axes, height: float, row: Mapping[Any, Any], name: str, color: str, marker: str
) -> None:
    limits = [row[f"low_{name}"], row[f"high_{name}"]]
    axes.plot(limits, [height, height], color=color, linewidth=2)
    style = "none" if name == "old" else "full"
    axes.plot(row[f"accuracy_{name}"], height, marker, color=color, fillstyle=style, markersize=7)


def _before_after_in_words(found: Rescore) -> str:
    said = []
    for name, one in scored(found).items():
        rows = one.summary[one.summary["subset"] != ALL].to_dict("records")
        pairs = [
            f"{r['subset']} {r['accuracy_old']:.2f}, now {r['accuracy_new']:.2f}" for r in rows
        ]
        said.append(f"{name}: {'; '.join(pairs)}.")
    head = (
        f"Accuracy {scorer_words(found)}, and read again at level {found.level}, with intervals. "
    )
    return head + " ".join(said)


def _ladder_in_words(found: Rescore) -> str:
    said = []
    for name, one in scored(found).items():
        rows = one.by_level[one.by_level["subset"] == ALL].to_dict("records")
        shares = [f"{r['level']} {r['coverage']:.2f} and {r['accuracy']:.2f}" for r in rows]
        said.append(f"{name}: {', '.join(shares)}.")
    return f"Share of all replies answered, and right, at each level. {' '.join(said)}"
