"""Tables about re-scored answers: what was stored, what changes, what could not be read."""

from __future__ import annotations

import html

import pandas as pd
from IPython.display import HTML

from toolkit.report.answer_changes import CHANGES, label_changes
from toolkit.report.answer_runs import by_run, in_order
from toolkit.report.answer_words import in_answer_words
from toolkit.report.markup import as_table
from toolkit.scoring.rescoring.result import Rescore

MOST_SHOWN = 8


def stored_table(found: Rescore) -> HTML:
    """Show what the answers are compared with: a row per run and subset.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> "right before" in stored_table(tk.rescore([row])).data
    True
    """
    rows = []
    for name, one in by_run(found).items():
        for subset, part in one.scores.groupby("subset", sort=False):
            rows.append(
                {
                    "run": name,
                    "subset": subset,
                    "answers": len(part),
                    "stems": part["stem"].nunique() or "not known",
                    "old scorer": one.old,
                    "read before": _read_before(part),
                    "right before": int(part["old_correct"].sum()),
                    "accuracy before": float(part["old_correct"].mean()),
                }
            )
    refused = len(found.refused)
    without = (
        f" Without {refused:,} row{'s' * (refused != 1)} that can't be scored again."
        if refused
        else ""
    )
    caption = f"<p>Old scorer: {html.escape(str(found.versions['old_scorer']))}.{without}</p>"
    return HTML(caption + as_table(pd.DataFrame(rows)).data)


def flips_table(found: Rescore) -> HTML:
    """Show what changes and by what the answers are read now: a column per subset.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    IPython.display.HTML
        Turned over: both scorers read a label, not the same one.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> "turned over" in flips_table(tk.rescore([row])).data
    True
    """
    rows = [row for name, one in by_run(found).items() for row in label_changes(name, one)]
    if not rows:
        return HTML("<p>Nothing changes: both scorers read the same.</p>")
    cells = pd.DataFrame(rows)
    subsets = list(dict.fromkeys(cells["subset"]))
    kinds = ["run", "change", "read now by"]
    counts = cells.assign(n=1).pivot_table(
        "n", kinds, "subset", aggfunc="sum", fill_value=0, sort=False
    )
    shown = counts[subsets].astype(int).assign(total=counts.sum(axis=1)).reset_index()
    shown.columns.name = None
    rank = shown.assign(
        run=shown["run"].map(in_order(found).index),
        change=shown["change"].map(CHANGES.index),
        total=-shown["total"],
    )
    shown = shown.loc[rank.sort_values(["run", "change", "total"], kind="stable").index]
    shown[subsets] = shown[subsets].astype(object).replace(0, "")
    return as_table(shown)


def refused_table(found: Rescore) -> HTML:
    """Show which rows could not be scored again, and why.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> refused_table(tk.rescore([row])).data
    '<p>Every row was scored again.</p>'
    """
    rows = []
    for name, one in by_run(found).items():
        for reason, part in one.refused.groupby("reason", sort=False):
            listed = part["scenario_id"].map(str).head(MOST_SHOWN).tolist()
            more = [f"and {len(part) - MOST_SHOWN} more"] if len(part) > MOST_SHOWN else []
            rows.append((name, in_answer_words(reason), len(part), ", ".join([*listed, *more])))
    if not rows:
        return HTML("<p>Every row was scored again.</p>")
    return as_table(pd.DataFrame(rows, columns=["run", "reason", "rows", "items"]))


def _read_before(part: pd.DataFrame) -> int | str:
    vague = (part["old_outcome"] == "unknown_label").any()
    return "not stored" if vague else int(part["old_gold"].notna().sum())
