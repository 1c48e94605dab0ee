"""Accuracy before and after, and what the levels of strictness make of it, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from IPython.display import HTML

from toolkit.report.answer_runs import scored, scorer_words
from toolkit.report.markup import as_table, number, p_value, with_limits
from toolkit.scoring.grade import ALL
from toolkit.scoring.rescoring.result import Rescore


def change_table(found: Rescore) -> HTML:
    """Show accuracy over all items before and after: a row per run and subset.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    IPython.display.HTML
        Both shares and their change with intervals, and McNemar's exact p.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> "as stored" in change_table(tk.rescore([row])).data
    True
    """
    before = scorer_words(found)
    rows = [
        {
            "run": name,
            "subset": _subset(row["subset"]),
            "items": row["n"],
            before: _share(row, "accuracy_old", "low_old", "high_old"),
            "now": _share(row, "accuracy_new", "low_new", "high_new"),
            "change": _share(row, "change", "low", "high"),
            "wrong, now right": row["gained"],
            "right, now wrong": row["lost"],
            "p": p_value(row["p_value"]),
        }
        for name, one in scored(found).items()
        for row in one.summary.to_dict("records")
    ]
    return as_table(pd.DataFrame(rows))


def accuracy_table(found: Rescore) -> HTML:
    """Show what the new accuracy rests on: a row per run and subset.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    IPython.display.HTML
        Share answered, accuracy over answered items with interval, bounds (no unanswered item
        right, all right), what the best constant answer scores, balanced accuracy.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> "one constant answer" in accuracy_table(tk.rescore([row])).data
    True
    """
    rows = [
        {
            "run": name,
            "subset": _subset(row["subset"]),
            "items": row["n"],
            "answered": row["answered"],
            "share": row["coverage"],
            "right, of answered": _share(row, "accuracy_answered", "low_answered", "high_answered"),
            "worst to best": f"{number(row['worst'])} to {number(row['best'])}",
            "one constant answer": row["constant"],
            "balanced": row["balanced"],
        }
        for name, one in scored(found).items()
        for row in one.by_level[one.by_level["level"] == one.level].to_dict("records")
    ]
    return as_table(pd.DataFrame(rows))


def levels_table(found: Rescore, levels: Sequence[str] = ("strict", "structured")) -> HTML:
    """Show the same answers at several levels side by side.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.
    levels : sequence of str
        Of exact, strict, structured, lenient.

    Returns
    -------
    IPython.display.HTML
        A row per run and subset; per level the share answered and both accuracies.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> "level structured" in levels_table(tk.rescore([row])).data
    True
    """
    rows = []
    for name, one in scored(found).items():
        by = one.by_level.set_index(["subset", "level"])
        for subset in one.summary["subset"]:
            row: dict[tuple[str, str], Any] = {("", "run"): name, ("", "subset"): _subset(subset)}
            for level in levels:
                this, head = by.loc[(subset, level)], f"level {level}"
                limits = ("accuracy_answered", "low_answered", "high_answered")
                row[head, "answered"] = number(this["coverage"])
                row[head, "right, of all"] = _share(this, "accuracy", "low", "high")
                row[head, "of answered"] = _share(this, *limits)
            rows.append(row)
    frame = pd.DataFrame([list(row.values()) for row in rows])
    frame.columns = pd.MultiIndex.from_tuples(list(rows[0]))
    return as_table(frame)


def _share(row: Any, value: str, low: str, high: str) -> str:
    return with_limits(row[value], row[low], row[high])


def _subset(name: Any) -> str:
    return "all subsets" if name == ALL else str(name)
