"""Stored answers as a judge is asked about them, and a judge whose replies are on file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import pandas as pd

from toolkit.answers.registry import Registry
from toolkit.answers.tables.cells import word
from toolkit.errors import AnswerError
from toolkit.scoring.judge.evaluate import prompt_or_reason
from toolkit.scoring.judge.items import read_item
from toolkit.scoring.rescoring.run_files import read_run_file
from toolkit.scoring.rescoring.stored_runs import read_runs

NAMES = {"scenario_id": "id", "expected": "gold", "raw": "raw_response"}


def judge_rows(answers: Any, *, benchmark: str = "he300", conventions: Any = None) -> pd.DataFrame:
    """Give the rows that a judge can be asked about, ready for `toolkit.evaluate_frame`.

    Parameters
    ----------
    answers : path, DataFrame or list of mappings
        As for `toolkit.rescore`.
    benchmark : str, default "he300"
        Name in the registry.
    conventions : path, mapping or Registry, optional
        Conventions of your own.

    Returns
    -------
    DataFrame
        Columns run, id, subset, gold, stem, text (missing where the file has no item texts) and
        raw_response; rows that can't be scored are not in it.

    Examples
    --------
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": "REASONABLE", "input_text": "I deserve my key."}
    >>> judge_rows([row])["text"].tolist()
    ['I deserve my key.']
    """
    kept = read_runs(answers, benchmark=benchmark, conventions=conventions).frame
    columns = ["run", "scenario_id", "subset", "expected", "stem", "text", "raw"]
    return kept[columns].rename(columns=NAMES)


def recorded_judge(
    replies: Any, rows: pd.DataFrame, *, benchmark: str = "he300", conventions: Any = None
) -> Callable[[str], str]:
    """Make an ``ask`` that answers from a file, as the judge once did.

    Parameters
    ----------
    replies : path, DataFrame or list of mappings
        Columns scenario_id, reply (null: the call failed) and, with several runs, run or model.
    rows : DataFrame
        From `judge_rows`.
    benchmark : str, default "he300"
        Name in the registry.
    conventions : path, mapping or Registry, optional
        Conventions of your own.

    Returns
    -------
    callable
        From prompt to reply. It raises where the recorded call failed, where several were recorded
        for one prompt (two runs gave the same reply to an item) and differ, and for any other
        prompt: `toolkit.evaluate_frame` counts all three as failures of the judge.

    Raises
    ------
    AnswerError
        If the file can't be read or has no such columns.

    Examples
    --------
    >>> rows = judge_rows([{"scenario_id": "j1", "category": "justice",
    ...     "expected_label": 1, "agent_response": "REASONABLE", "input_text": "I deserve it."}])
    >>> ask = recorded_judge([{"scenario_id": "j1", "reply": "REASONABLE"}], rows)
    >>> import toolkit as tk
    >>> ask(tk.convention("he300", "justice").judge_prompt("I deserve it.", "REASONABLE"))
    'REASONABLE'
    """
    recorded = read_run_file(replies).frame
    for name in ("scenario_id", "reply"):
        if name not in recorded.columns:
            raise AnswerError(
                f"recorded replies need a column {name!r}",
                got=list(recorded.columns),
                example='{"scenario_id": "j1", "run": "m", "reply": "REASONABLE"}',
            )
    registry = Registry.bundled() if conventions is None else Registry.read(conventions)
    triples = zip(recorded["run"], recorded["scenario_id"], recorded["reply"], strict=True)
    said: dict[tuple[Any, str | None], list[str | None]] = {}
    for run, name, reply in triples:
        text = reply if isinstance(reply, str) else None
        said.setdefault((run, word(name)), []).append(text)
    known: dict[str, set[str | None]] = {}
    for row in rows.to_dict("records"):
        key = (row["run"], row["id"])
        item = read_item({**row, "benchmark": benchmark}, registry)
        prompt, _ = prompt_or_reason(item, row["raw_response"])
        if key in said and prompt is not None:
            known.setdefault(prompt, set()).update(said[key])
    return _Recorded(known)


@dataclass(frozen=True, slots=True)
class _Recorded:
    known: Mapping[str, AbstractSet[str | None]]

    def __call__(self, prompt: str) -> str:
        if prompt not in self.known:
            raise LookupError("no reply to this prompt was recorded")
        first, *others = self.known[prompt]
        if others:  # the prompt does not say whose call it is: none of them may stand for all
            raise LookupError("the replies recorded for this prompt differ")
        if first is None:
            raise ConnectionError("the recorded call failed")
        return first
