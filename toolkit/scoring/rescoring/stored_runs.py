"""Stored runs, checked row by row: what can be read again, and what can't and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pandas as pd

from toolkit.answers.convention import Convention
from toolkit.answers.registry import Registry
from toolkit.answers.tables.cells import present, whole, word
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError, ConventionError
from toolkit.scoring.field_names import NAMES, first_held
from toolkit.scoring.rescoring.run_files import EXAMPLE, read_run_file
from toolkit.scoring.rescoring.stored_rows import refusal, stored_gold, truth

NEEDED = ("scenario_id", "category", "expected_label")


@dataclass(frozen=True, slots=True, eq=False)
class StoredRuns:
    """Rows of stored runs that can be scored again, and the others with a reason.

    Attributes
    ----------
    frame : DataFrame
        row (position in the source, from 0), run, scenario_id, category, subcategory, subset (whose
        question is asked), expected, raw, raw_field (which column it is from), stem, text (of the
        item), stored_label and stored_correct (what the run's own scorer said, missing where it did
        not). The run is named by run, run_id or batch_id, else by model, else "this run".
    refused : DataFrame
        row, run, scenario_id, reason, got. A row has one reason, the first of: no_scenario_id,
        duplicate_scenario_id (every row of it, because nothing says which counts),
        unknown_category, no_expected_label, expected_label_outside_labels, error_row (an error and
        no text), only_a_hash, no_raw_text.
    conventions : dict of str to Convention
        By subset.
    name : str
        Plain name of the source.
    sha256 : str or None
        Of the file's bytes.
    columns : tuple of str
        Columns of the source.

    Examples
    --------
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1}
    >>> runs = read_runs([{**row, "raw_response": "NO"}, {**row, "scenario_id": "j2"}])
    >>> runs.frame[["scenario_id", "subset", "expected", "raw", "raw_field"]]
      scenario_id   subset  expected raw     raw_field
    0          j1  justice         1  NO  raw_response
    >>> runs.refused["reason"].tolist()
    ['no_raw_text']
    """

    frame: pd.DataFrame
    refused: pd.DataFrame
    conventions: dict[str, Convention]
    name: str
    sha256: str | None
    columns: tuple[str, ...]

    def __repr__(self) -> str:
        return f"StoredRuns({self.name}: {len(self.frame)} rows, {len(self.refused)} refused)"


def read_runs(source: Any, *, benchmark: str = "he300", conventions: Any = None) -> StoredRuns:
    """Read stored answers of a benchmark.

    Parameters
    ----------
    source : path, DataFrame, list of mappings or batch
        Rows of scenario_id, category (``mixed`` also with subcategory), expected_label and one of
        agent_response, model_response, raw_response: the first that holds text counts. Optional:
        run (or run_id, batch_id, model), stem, text (or input_text), predicted_label, is_correct,
        error. Files: .json, .jsonl, .csv, see
        `toolkit.scoring.rescoring.run_files.read_run_file`.
    benchmark : str, default "he300"
        Name in the registry.
    conventions : path, mapping or Registry, optional
        Conventions of your own. Default: those of the package.

    Returns
    -------
    StoredRuns
        Every row of the source is in ``frame`` or in ``refused``.

    Raises
    ------
    AnswerError
        The source can't be read, holds no rows, or lacks a column that every row needs; a
        predicted_label is neither a gold value nor a label, or an is_correct no truth value.

    Examples
    --------
    >>> row = {"scenario_id": "v1", "category": "virtues", "expected_label": 0,
    ...        "agent_response": "MATCHES"}
    >>> read_runs([row]).refused[["scenario_id", "reason", "got"]]
      scenario_id            reason       got
    0          v1  unknown_category  'virtues'
    """
    registry = Registry.bundled() if conventions is None else Registry.read(conventions)
    registry.find(
        benchmark, next(iter(registry.subsets(benchmark)), None)
    )  # refuses an unknown one
    file = read_run_file(source)
    stored = file.frame
    if stored.empty:
        raise AnswerError("the run has no rows", example=EXAMPLE, where=file.name)
    for column in NEEDED:
        if column not in stored.columns:
            raise AnswerError(
                f"the column {column!r} is not there{did_you_mean(column, stored.columns)}",
                got=list(stored.columns),
                allowed=[*NEEDED, f"one of {', '.join(NAMES['raw'])}"],
                example=EXAMPLE,
                where=file.name,
            )
    hashes = [name for name in stored.columns if str(name).endswith(("hash", "sha256"))]
    records = stored.to_dict("records")
    names = [(word(row.get("run")), word(row["scenario_id"])) for row in records]
    seen = Counter(names)
    found: dict[tuple[str | None, str | None], Convention | None] = {}
    kept, refused = [], []
    for position, (row, (run, name)) in enumerate(zip(records, names, strict=True)):
        category, subcategory = word(row["category"]), word(row.get("subcategory"))
        key = (category, subcategory)
        if key not in found:
            found[key] = _find(registry, benchmark, *key)
        convention = found[key]
        field, raw = first_held(row, "raw")
        expected = whole(row["expected_label"])
        reason, got = refusal(row, name, seen[run, name], convention, expected, field, hashes)
        if reason or convention is None or expected is None:
            detail = None if got is None else repr(got)[:80]
            refused.append((position, run, name, reason, detail))
            continue
        kept.append(
            {
                "row": position,
                "run": run,
                "scenario_id": name,
                "category": category,
                "subcategory": subcategory,
                "subset": convention.subset,
                "expected": expected,
                "raw": raw,
                "raw_field": field,
                "stem": word(row.get("stem")),
                "text": word(first_held(row, "text")[1]),
                "stored_label": stored_gold(row.get("predicted_label"), convention, position),
                "stored_correct": _judged(row.get("is_correct"), position),
            }
        )
    used = {one.subset: one for one in found.values() if one is not None}
    return StoredRuns(
        _typed(kept),
        pd.DataFrame(refused, columns=["row", "run", "scenario_id", "reason", "got"]),
        used,
        file.name,
        file.sha256,
        tuple(str(name) for name in stored.columns),
    )


def _typed(kept: list[dict[str, Any]]) -> pd.DataFrame:
    text = ("run", "scenario_id", "category", "subcategory", "subset", "raw_field", "stem", "text")
    kinds = {"row": "int64", "expected": "Int64", "stored_label": "Int64"}
    kinds |= {"stored_correct": "boolean", "raw": "object"} | dict.fromkeys(text, "object")
    order = ["row", *text[:5], "expected", "raw", *text[5:], "stored_label", "stored_correct"]
    return pd.DataFrame(
        {name: pd.Series([row[name] for row in kept], dtype=kinds[name]) for name in order}
    )


def _find(
    registry: Registry, benchmark: str, category: str | None, subcategory: str | None
) -> Convention | None:
    if category is None:
        return None
    try:
        return registry.find(benchmark, category, subcategory=subcategory)
    except ConventionError:
        return None


def _judged(value: Any, row: int) -> bool | None:
    right = truth(value)
    if right is None and present(value):
        raise AnswerError(
            "is_correct is neither true nor false",
            got=value,
            allowed="true, false, 1, 0, or nothing",
            example="is_correct: true",
            where=f"row {row}, column 'is_correct'",
        )
    return right
