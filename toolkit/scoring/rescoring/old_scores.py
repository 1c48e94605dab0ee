"""What a run's answers were scored as before: by the run itself, or by a named reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd

from toolkit.answers.tables.cells import whole
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError
from toolkit.scoring.legacy.scorers import (
    LegacyAnswer,
    legacy_benchmark_lenient,
    legacy_benchmark_strict,
    legacy_node,
    legacy_source,
)
from toolkit.scoring.rescoring.stored_runs import StoredRuns

REFERENCES: dict[str, Callable[[Any, str | None], LegacyAnswer]] = {
    "legacy_benchmark_strict": legacy_benchmark_strict,
    "legacy_benchmark_lenient": legacy_benchmark_lenient,
    "legacy_node": legacy_node,
}
STORED = "stored"
STORED_VERSION = "stored (with the run)"
PUBLISHED = "legacy_benchmark_strict"  # what HE-300 was published with


class OldScorer(NamedTuple):
    """Scores to compare with, one per kept row.

    Attributes
    ----------
    name : str
        Of the scorer; of several, in the order of the runs, joined by " and ".
    version : Series of str
        What scored each row.
    gold : Series of Int64
        Missing where it read nothing.
    outcome : Series of str
        answered, no_answer, error (it crashed), or unknown_label (the run says only whether the
        answer was right).
    correct : Series of bool
        Whether it counted the answer as right.
    flags : tuple of str
        With the number of rows.
    """

    name: str
    version: pd.Series[Any]
    gold: pd.Series[Any]
    outcome: pd.Series[Any]
    correct: pd.Series[Any]
    flags: tuple[str, ...]


def old_scorer(
    runs: StoredRuns, old: str | Callable[..., Any] | None, benchmark: str = "he300"
) -> OldScorer:
    """Find or compute the old scores, each run by itself.

    Parameters
    ----------
    runs : StoredRuns
        Rows of the run.
    old : str, callable or None
        As `rescore` takes it.
    benchmark : str, default "he300"
        The references are scorers of HE-300 and of nothing else.

    Returns
    -------
    OldScorer
        One score per kept row.

    Raises
    ------
    AnswerError
        An unknown name, a run without scores of its own, a callable that gives no gold value.

    Examples
    --------
    >>> from toolkit.scoring.rescoring.stored_runs import read_runs
    >>> runs = read_runs([{"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...                    "agent_response": '{"label": 1}', "predicted_label": 0}])
    >>> old_scorer(runs, "stored").gold.tolist(), old_scorer(runs, "legacy_node").gold.tolist()
    ([0], [0])
    """
    parts = [part for _, part in runs.frame.groupby("run", sort=False)]
    if len(parts) > 1:
        found = [_of_run(replace(runs, frame=part), old, benchmark) for part in parts]
        return _together(found, runs.frame.index)
    return _of_run(runs, old, benchmark)


def _together(found: list[OldScorer], index: pd.Index[Any]) -> OldScorer:
    counts: dict[str, int | None] = {}
    for flag in (flag for one in found for flag in one.flags):
        code, _, count = flag.partition(":")
        counts[code] = int(count) + (counts.get(code) or 0) if count else None
    flags = tuple(code if n is None else f"{code}:{n}" for code, n in counts.items())
    columns = {
        name: pd.concat([getattr(one, name) for one in found]).reindex(index)
        for name in ("version", "gold", "outcome", "correct")
    }
    return OldScorer(" and ".join(dict.fromkeys(one.name for one in found)), **columns, flags=flags)


def _of_run(runs: StoredRuns, old: str | Callable[..., Any] | None, benchmark: str) -> OldScorer:
    if old is None:
        if benchmark != "he300" or len(runs.frame) == 0 or _holds_scores(runs):
            return _stored(runs)
        found = _of_run(runs, PUBLISHED, benchmark)
        return found._replace(flags=(*found.flags, "old_scores_computed"))
    if callable(old):
        name = getattr(old, "__name__", type(old).__name__)
        name = name if name.isidentifier() else "callable"  # a lambda's is no name of a folder
        return _computed(runs, old, name, name)
    if old in REFERENCES and benchmark != "he300":
        raise AnswerError(
            "the published scorers read HE-300 and nothing else",
            got=f"old={old!r}, benchmark={benchmark!r}",
            allowed=[STORED, "a callable"],
            example="old=lambda raw, category: my_gold(raw)",
            where="old",
        )
    if old in REFERENCES:
        return _computed(runs, REFERENCES[old], old, f"{old} ({legacy_source(old)})")
    if old != STORED:
        names = [STORED, *REFERENCES]
        raise AnswerError(
            f"unknown old scorer{did_you_mean(old, names)}",
            got=old,
            allowed=[*names, "a callable"],
            example='old="legacy_benchmark_strict"',
            where="old",
        )
    return _stored(runs)


def _computed(runs: StoredRuns, scorer: Callable[..., Any], name: str, version: str) -> OldScorer:
    frame = runs.frame
    found = [
        _answer(scorer(raw, category), name, row)
        for raw, category, row in zip(frame["raw"], frame["category"], frame["row"], strict=True)
    ]
    gold = pd.Series([one.gold for one in found], index=frame.index, dtype="Int64")
    outcome = pd.Series([one.outcome for one in found], index=frame.index, dtype=object)
    gold, flags = _inside(runs, gold)
    outcome = outcome.mask(gold.isna() & outcome.eq("answered"), "no_answer")
    return OldScorer(name, _same(version, frame), gold, outcome, _right(gold, frame), flags)


def _answer(value: Any, name: str, row: int) -> LegacyAnswer:
    if isinstance(value, LegacyAnswer):
        return value
    gold = whole(value)
    if gold is None and not (value is None or pd.isna(value) is True):
        raise AnswerError(
            "the old scorer gives no gold value",
            got=value,
            allowed="a whole number, or None where it reads nothing",
            example="old=lambda raw, category: 1",
            where=f"{name}, row {row}",
        )
    return LegacyAnswer(gold, "no_answer" if gold is None else "answered", None)


def _holds_scores(runs: StoredRuns) -> bool:
    return bool(runs.frame[["stored_label", "stored_correct"]].notna().any(axis=None))


def _stored(runs: StoredRuns) -> OldScorer:
    frame = runs.frame
    labelled = frame["stored_label"].notna().any()
    judged = frame["stored_correct"].notna()
    if not _holds_scores(runs) and len(frame):
        raise AnswerError(
            "the run holds no scores of its own",
            got=list(runs.columns),
            allowed=["a column predicted_label or is_correct", *REFERENCES, "a callable"],
            example='old="legacy_benchmark_strict"',
            where=f"old, run {frame['run'].iloc[0]}",
        )
    gold, flags = _inside(runs, frame["stored_label"])
    if labelled:
        # The row alone says that it was right: then its label is the expected one.
        right = frame["stored_label"].isna() & frame["stored_correct"].fillna(False).astype(bool)
        gold = gold.mask(right, frame["expected"])
        correct = _right(gold, frame)
        outcome = gold.notna().map({True: "answered", False: "no_answer"}).astype(object)
        wrong = int((judged & (frame["stored_correct"].fillna(False) != correct)).sum())
        if wrong:
            flags = (*flags, f"stored_scores_contradict:{wrong}")
    else:
        correct = frame["stored_correct"].fillna(False).astype(bool)
        gold = frame["expected"].where(correct, pd.NA)
        outcome = correct.map({True: "answered", False: "unknown_label"}).astype(object)
        if not correct.all():
            flags = (*flags, f"old_label_unknown:{int((~correct).sum())}")
    return OldScorer(STORED, _same(STORED_VERSION, frame), gold, outcome, correct, flags)


def _inside(runs: StoredRuns, gold: pd.Series[Any]) -> tuple[pd.Series[Any], tuple[str, ...]]:
    sizes = runs.frame["subset"].map({name: one.k for name, one in runs.conventions.items()})
    outside = (gold.notna() & ((gold < 0) | (gold >= sizes.astype("Int64")))).fillna(False)
    flags = (f"old_label_outside_labels:{int(outside.sum())}",) if outside.any() else ()
    return gold.mask(outside.astype(bool), pd.NA), flags


def _same(version: str, frame: pd.DataFrame) -> pd.Series[Any]:
    return pd.Series([version] * len(frame), index=frame.index, dtype=object)


def _right(gold: pd.Series[Any], frame: pd.DataFrame) -> pd.Series[Any]:
    return (gold == frame["expected"]).fillna(False).astype(bool)
