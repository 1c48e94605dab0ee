"""Stored answers run by run: read, scored again, and shown to a judge whose replies are on file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from toolkit.answers.registry import Registry
from toolkit.errors import AnswerError
from toolkit.scoring.rescoring.rescore import rescore
from toolkit.scoring.rescoring.result import Rescore
from toolkit.scoring.rescoring.run_files import EXAMPLE, read_run_file
from toolkit.scoring.rescoring.stored_runs import read_runs

UNNAMED = "this run"
NO_NAME = "1"  # what a reader of files calls the only run of a file that names none
TEXTS = ("text", "input_text")


@dataclass(frozen=True, slots=True)
class StoredAnswers:
    """Rows of stored answers, and which run each is of.

    Attributes
    ----------
    name : str
        Plain name of the source.
    sha256 : str or None
        Of the file's bytes.
    frame : DataFrame
        As stored, with a column ``run``: where the file names no run, its ``model``; without
        either, one run.

    Examples
    --------
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1, "model": "m",
    ...        "agent_response": "REASONABLE"}
    >>> list(read_answers([row]).runs)
    ['m']
    """

    name: str
    sha256: str | None
    frame: pd.DataFrame = field(repr=False)

    @property
    def runs(self) -> dict[str, pd.DataFrame]:
        """The rows of each run, in the order of the file."""
        groups = self.frame.groupby("run", sort=False)
        return {str(name): rows.reset_index(drop=True) for name, rows in groups}


def read_answers(source: Any) -> StoredAnswers:
    """Read stored answers of one run or several.

    Parameters
    ----------
    source : path, DataFrame or list of mappings
        As `toolkit.scoring.rescoring.run_files.read_run_file` takes it.

    Returns
    -------
    StoredAnswers
        Not understood yet: `rescore_runs` says which rows can't be scored.

    Raises
    ------
    AnswerError
        If the source can't be read.

    Examples
    --------
    >>> import toolkit as tk
    >>> list(read_answers(tk.bundled("he300/answers.jsonl")).runs)
    ['plain-7b', 'json-70b']
    """
    file = read_run_file(source)
    run = file.frame["run"].astype(object)
    if (run == NO_NAME).all():
        run = run.where(run != NO_NAME, None)
    if "model" in file.frame.columns:
        run = run.where(run.notna(), file.frame["model"])
    named = run.where(run.notna(), UNNAMED).astype(str)
    return StoredAnswers(file.name, file.sha256, file.frame.assign(run=named))


def rescore_runs(stored: StoredAnswers, **options: Any) -> dict[str, Rescore]:
    """Score every run again, each by itself.

    Parameters
    ----------
    stored : StoredAnswers
        From `read_answers`.
    **options : object
        As for `toolkit.rescore`: level, old, conventions, confidence.

    Returns
    -------
    dict of str to Rescore
        By run.

    Raises
    ------
    AnswerError
        As `toolkit.rescore` does, or if no row of any run can be scored.

    Examples
    --------
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1, "model": "m",
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> rescore_runs(read_answers([row]))["m"].flips["new_label"].tolist()
    ['REASONABLE']
    """
    try:
        found = {name: rescore(rows, **options) for name, rows in stored.runs.items()}
    except AnswerError as error:
        if error.where != "DataFrame":
            raise
        facts = {"got": error.got, "allowed": error.allowed, "example": error.example}
        raise AnswerError(error.what, where=stored.name, **facts) from None
    if not any(len(one.scores) for one in found.values()):
        reasons = pd.concat([one.refused["reason"] for one in found.values()])
        raise AnswerError(
            "no row can be scored again",
            got={str(reason): int(n) for reason, n in reasons.value_counts().items()},
            example=EXAMPLE,
            where=stored.name,
        )
    return found


def judge_rows(stored: StoredAnswers, conventions: Any = None) -> pd.DataFrame:
    """Give the rows that a judge can be asked about, ready for `toolkit.evaluate_frame`.

    Parameters
    ----------
    stored : StoredAnswers
        From `read_answers`.
    conventions : path, mapping or Registry, optional
        Conventions of your own.

    Returns
    -------
    DataFrame
        Columns run, id, subset, gold, text (missing where the file has no item texts) and
        raw_response; rows that can't be scored are not in it.

    Examples
    --------
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": "REASONABLE", "input_text": "I deserve my key."}
    >>> judge_rows(read_answers([row]))["text"].tolist()
    ['I deserve my key.']
    """
    parts = []
    for name, rows in stored.runs.items():
        kept = read_runs(rows, conventions=conventions).frame
        text = next((rows[column] for column in TEXTS if column in rows.columns), None)
        part = kept[["scenario_id", "subset", "expected", "raw"]].rename(
            columns={"scenario_id": "id", "expected": "gold", "raw": "raw_response"}
        )
        part.insert(0, "run", name)
        part["text"] = None if text is None else text.iloc[kept["row"]].to_numpy()
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def recorded_judge(
    replies: Any, rows: pd.DataFrame, *, conventions: Any = None
) -> Callable[[str], str]:
    """Make an ``ask`` that answers from a file, as the judge once did.

    Parameters
    ----------
    replies : path, DataFrame or list of mappings
        Columns scenario_id, reply (null: the call failed) and, with several runs, run or model.
    rows : DataFrame
        From `judge_rows`.
    conventions : path, mapping or Registry, optional
        Conventions of your own.

    Returns
    -------
    callable
        From prompt to reply. It raises where the recorded call failed and for any other prompt:
        `toolkit.evaluate_frame` counts both as failures of the judge.

    Raises
    ------
    AnswerError
        If the file can't be read or has no such columns.

    Examples
    --------
    >>> rows = judge_rows(read_answers([{"scenario_id": "j1", "category": "justice",
    ...     "expected_label": 1, "agent_response": "REASONABLE", "input_text": "I deserve it."}]))
    >>> ask = recorded_judge([{"scenario_id": "j1", "reply": "REASONABLE"}], rows)
    >>> import toolkit as tk
    >>> ask(tk.convention("he300", "justice").judge_prompt("I deserve it.", "REASONABLE"))
    'REASONABLE'
    """
    recorded = read_answers(replies).frame
    for name in ("scenario_id", "reply"):
        if name not in recorded.columns:
            raise AnswerError(
                f"recorded replies need a column {name!r}",
                got=list(recorded.columns),
                example='{"scenario_id": "j1", "run": "m", "reply": "REASONABLE"}',
            )
    registry = Registry.bundled() if conventions is None else Registry.read(conventions)
    triples = zip(recorded["run"], recorded["scenario_id"], recorded["reply"], strict=True)
    said = {(run, str(name)): reply for run, name, reply in triples}
    known: dict[str, Any] = {}
    for row in rows.to_dict("records"):
        key = (row["run"], row["id"])
        if key in said and isinstance(row["text"], str):
            convention = registry.find("he300", row["subset"])
            known[convention.judge_prompt(row["text"], str(row["raw_response"]))] = said[key]
    return _Recorded(known)


@dataclass(frozen=True, slots=True)
class _Recorded:
    known: Mapping[str, Any]

    def __call__(self, prompt: str) -> str:
        if prompt not in self.known:
            raise LookupError("no reply to this prompt was recorded")
        reply = self.known[prompt]
        if not isinstance(reply, str):
            raise ConnectionError("the recorded call failed")
        return reply
