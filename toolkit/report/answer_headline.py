"""What reading again changes most, in one sentence, and what limits it."""

from __future__ import annotations

import html
from typing import Any

from IPython.display import HTML

from toolkit.report.answer_changes import label_changes, overturned
from toolkit.report.answer_runs import scored, scorer_words
from toolkit.report.answer_words import in_answer_words
from toolkit.report.markup import number
from toolkit.report.show import bullets
from toolkit.scoring.grade import ALL
from toolkit.scoring.rescoring.result import Rescore

NOTED = ("few_clusters", "clusters_counted")  # flags of an interval that a reader should know


def rescore_headline(found: Rescore) -> HTML:
    """Say in one sentence what reading again changes most, with what limits it right below.

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
    >>> "1 of 1 answers are read differently" in rescore_headline(tk.rescore([row])).data
    True
    """
    sentence = html.escape(rescore_sentence(found))
    notes = bullets("Before you read on:", rescore_notes(found))
    return HTML(f'<p class="headline">{sentence}</p>{notes.data}')


def rescore_sentence(found: Rescore) -> str:
    """Say what changes, and for which run the accuracy changes most.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    str

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> rescore_sentence(tk.rescore([row]))
    'Read again at level structured, 1 of 1 answers are read differently than as stored; the ...'
    """
    runs = scored(found)
    name, one = max(runs.items(), key=lambda pair: abs(_all(pair[1])["change"]))
    row = _all(one)
    changed = sum(1 for each in runs.values() for _ in label_changes("", each))
    head = (
        f"Read again at level {one.level}, {changed:,} of {len(found.scores):,} answers are read "
        f"differently than {scorer_words(found)}"
    )
    unread = int((found.scores["old_gold"].isna() & ~_vague(found)).sum())
    if unread:
        head += f" ({unread:,} had no label before)"
    if not changed:
        return f"{head}: both scorers read the same."
    most = f"most for {name}, whose" if len(runs) > 1 else "the"
    return (
        f"{head}; {most} accuracy over all items is {number(row['accuracy_new'])} instead of "
        f"{number(row['accuracy_old'])} ({100 * row['confidence']:g} % interval of the change "
        f"{number(row['low'])} to {number(row['high'])})."
    )


def rescore_notes(found: Rescore) -> list[str]:
    """Say what limits the sentence, in words.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> rescore_notes(tk.rescore([row]))[0]
    'this run, justice: most labels that both scorers read are opposite ones, so by these ...'
    """
    said = []
    for name, subsets in overturned(found).items():
        said.append(
            f"{name}, {', '.join(subsets)}: most labels that both scorers read are opposite ones, "
            "so by these conventions the old scores stand upside down"
        )
    said.append(
        "whether an answer that is no plain word has been given at all (level strict or structured)"
        " is for the owner of the benchmark to say: see below"
    )
    refused = len(found.refused)
    if refused:
        said.append(f"{refused:,} row{'s' * (refused != 1)} could not be scored again: see the end")
    for flag in found.flags:
        code, _, count = flag.partition(":")
        said.append(f"{in_answer_words(code)}{f' ({count} rows)' if count else ''}")
    flags = {flag for row in found.summary["flags"] for flag in row}
    said += [f"some subsets have {in_answer_words(flag)}" for flag in NOTED if flag in flags]
    return said


def _vague(found: Rescore) -> Any:
    return found.scores["old_outcome"] == "unknown_label"


def _all(one: Rescore) -> dict[Any, Any]:
    return dict(one.summary[one.summary["subset"] == ALL].iloc[0])
