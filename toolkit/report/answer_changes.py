"""What reading again changes: every answer that the two scorers read differently."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from toolkit.report.answer_runs import by_run
from toolkit.report.answer_words import in_answer_words
from toolkit.scoring.rescoring.result import Rescore

NEWLY, TURNED, DROPPED = "newly read", "turned over", "no longer read"
RIGHTED, WRONGED = "wrong, now right", "right, now wrong"
CHANGES = (RIGHTED, WRONGED, TURNED, NEWLY, DROPPED)  # in the order of their weight


def label_changes(name: str, one: Rescore) -> Iterator[dict[str, Any]]:
    """Say of every answer that the two scorers read differently how it changes.

    Parameters
    ----------
    name : str
        Of the run.
    one : Rescore
        Its scores.

    Yields
    ------
    dict
        Run, change, what it is read by now, subset. Where only right or wrong was stored, a change
        is one of correctness.
    """
    for row in one.scores.to_dict("records"):
        old, new = row["old_gold"], row["new_gold"]
        if row["old_outcome"] == "unknown_label":
            same = row["old_correct"] == row["new_correct"]
            change = RIGHTED if row["new_correct"] else WRONGED
        elif pd.isna(old) or pd.isna(new):
            same = pd.isna(old) and pd.isna(new)
            change = NEWLY if pd.isna(old) else DROPPED
        else:
            same, change = old == new, TURNED
        if not same:
            by = row["outcome"] if pd.isna(row["rule"]) else row["rule"]
            yield {
                "run": name,
                "change": change,
                "read now by": in_answer_words(by),
                "subset": row["subset"],
            }


def overturned(found: Rescore) -> dict[str, list[str]]:
    """Find runs and subsets where most labels that both scorers read are opposite.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    dict of str to list of str
        Run -> subsets.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> overturned(tk.rescore([row]))
    {'this run': ['justice']}
    """
    result = {}
    for name, one in by_run(found).items():
        scores = one.scores
        # Where wrong answers were stored without their label, the known ones are no fair sample.
        vague = set(scores.loc[scores["old_outcome"] == "unknown_label", "subset"])
        both = scores[scores["old_gold"].notna() & scores["new_gold"].notna()]
        # Of three labels none is the opposite of another.
        highest = scores[["expected", "old_gold", "new_gold"]].max(axis=1)
        many = set(scores.loc[(highest > 1).fillna(value=False), "subset"])
        both = both[~both["subset"].isin(vague | many)]
        opposite = both["old_gold"] != both["new_gold"]
        share = opposite.astype(float).groupby(both["subset"], sort=False).mean()
        if subsets := [str(subset) for subset in share[share > 0.5].index]:  # noqa: PLR2004
            result[name] = subsets
    return result
