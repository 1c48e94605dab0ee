"""From a path, a DataFrame or a list of mappings to rows as a run stored them."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from toolkit.answers.tables.cells import word
from toolkit.common.hints import closest
from toolkit.common.utf8 import decode
from toolkit.errors import AnswerError, LabelError
from toolkit.labels.csv_file import read_csv
from toolkit.labels.jsonl_file import read_jsonl

KINDS = (".json", ".jsonl", ".ndjson", ".csv", ".tsv")
CONTAINERS = ("results", "responses", "scenarios", "items")
BATCHES = ("batches", "runs")
RUN_NAMES = ("run", "run_id", "batch_id")
MODEL = "model"  # names the run of a row that nothing else names
UNNAMED = "this run"
DEEPEST = 20  # lists and objects around a row; files of runs have four
WHERE = 80  # characters of a place that is too deep to be told
EXAMPLE = (
    '{"scenario_id": "j1", "category": "justice", "expected_label": 1,'
    ' "agent_response": "REASONABLE"}'
)


class RunFile(NamedTuple):
    """Rows as they are stored.

    Attributes
    ----------
    frame : DataFrame
        One row per stored answer, with a column ``run``: its run, run_id or batch_id, else its
        model, else "this run".
    name : str
        Plain name of the source.
    sha256 : str or None
        Of the file's bytes.
    """

    frame: pd.DataFrame
    name: str
    sha256: str | None


def read_run_file(source: Any) -> RunFile:
    """Read rows without understanding them.

    Parameters
    ----------
    source : path, DataFrame, mapping or list of mappings
        .json (a list, an object with a list under results, responses, scenarios or items, or
        several such batches), .jsonl, .ndjson, .csv, .tsv, each also with .gz; or what
        such a file holds.

    Returns
    -------
    RunFile
        Rows, name and digest.

    Raises
    ------
    AnswerError
        Not readable: file, line, column, what is allowed.

    Examples
    --------
    >>> read_run_file({"batch_id": "b7", "results": [{"scenario_id": "j1"}]}).frame
      scenario_id run
    0          j1  b7
    """
    if isinstance(source, pd.DataFrame):
        there = list(source.columns)
        twice = next((name for name in there if there.count(name) > 1), None)
        if twice is not None:
            raise AnswerError(
                f"two columns {twice!r}", got=there, allowed="one of each name", where="DataFrame"
            )
        return RunFile(_with_run(source.reset_index(drop=True)), "DataFrame", None)
    if isinstance(source, str | Path):
        return _read_path(Path(source))
    if isinstance(source, Mapping | Sequence) and not isinstance(source, bytes):
        return RunFile(_rows_frame(source, "rows"), "rows", None)
    raise AnswerError(
        "a run can't be read from this",
        got=type(source).__name__,
        allowed="a path, a DataFrame, a list of mappings or a batch",
        example=f"rescore([{EXAMPLE}])",
    )


def _read_path(path: Path) -> RunFile:
    plain = path.name.lower().removesuffix(".gz")
    kind = next((kind for kind in KINDS if plain.endswith(kind)), None)
    if kind is None:
        raise AnswerError(
            "unknown kind of file",
            got=path.name,
            allowed=[*KINDS, "each also with .gz"],
            example="rescore('run1.jsonl')",
        )
    try:
        stored = path.read_bytes()
        data = gzip.decompress(stored) if path.name.lower().endswith(".gz") else stored
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise AnswerError(
            f"the file is not valid gzip ({error})", allowed="a complete .gz file", where=path.name
        ) from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise AnswerError(
            f"the file can't be read: {getattr(error, 'strerror', error)}",
            got=str(path),
            allowed="a file; a relative path starts at the current folder",
            example=_nearest(path),
        ) from None
    digest = hashlib.sha256(stored).hexdigest()
    if kind == ".json":
        return RunFile(_rows_frame(_json(data, path.name), path.name), path.name, digest)
    try:
        if kind in (".csv", ".tsv"):
            frame, _ = read_csv(data, path.name, "\t" if kind == ".tsv" else ",")
        else:
            frame, _ = read_jsonl(data, path.name)
    except LabelError as error:
        raise AnswerError(
            error.what, got=error.got, allowed=error.allowed, example=EXAMPLE, where=error.where
        ) from None
    return RunFile(_with_run(frame), path.name, digest)


def _nearest(path: Path) -> str | None:
    try:
        siblings = [sibling.name for sibling in path.parent.iterdir()]
    except (OSError, ValueError):  # no folder, or one that may not be listed
        return None
    return None if path.name in siblings else closest(path.name, siblings)


def _json(data: bytes, name: str) -> Any:
    text = decode(data, name, AnswerError)
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        where = f"{name}, line {error.lineno}, column {error.colno}"
        what = f"not valid JSON: {error.msg}"
    except (ValueError, RecursionError) as error:
        where, what = name, f"not valid JSON: {error}"
    raise AnswerError(what, allowed="one JSON list or object", example=f"[{EXAMPLE}]", where=where)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        message = (
            f"key {next(n for n in names if names.count(n) > 1)!r} is there twice in an object"
        )
        raise ValueError(message)
    return row


def _rows_frame(content: Any, name: str) -> pd.DataFrame:
    rows = list(_rows(content, None, name))
    columns = list(dict.fromkeys(column for row in rows for column in row))
    # Objects: beside a missing cell pandas would make a float of an integer.
    frame = pd.DataFrame(
        {column: pd.Series([row.get(column) for row in rows], dtype=object) for column in columns}
    )
    return _with_run(frame)


def _rows(
    content: Any, run: str | None, where: str, depth: int = 0
) -> Iterator[dict[Hashable, Any]]:
    """Unfold batches; ``run`` is the nearest name, else the position among several."""
    if depth > DEEPEST:
        raise AnswerError(
            "batches lie too deep in each other, or in themselves",
            got=f"more than {DEEPEST} levels",
            allowed="a batch of runs of rows",
            example=EXAMPLE,
            where=where[:WHERE],
        )
    if isinstance(content, Mapping):
        inside = _inside(content)
        if inside:
            run = _named(content, (*RUN_NAMES, MODEL)) or run
            yield from _rows(content[inside], run, f"{where}, {inside}", depth + 1)
            return
        run = _named(content, RUN_NAMES) or run
        yield dict(content) if run is None else {**content, "run": run}
        return
    if not isinstance(content, Sequence) or isinstance(content, str | bytes):
        raise AnswerError(
            "a row is no object", got=content, allowed="objects", example=EXAMPLE, where=where
        )
    batches = [isinstance(part, Mapping) and _inside(part) is not None for part in content]
    for position, (part, batch) in enumerate(zip(content, batches, strict=True), start=1):
        if isinstance(part, Sequence) and not isinstance(part, str | bytes):
            raise AnswerError(
                "a row is a list",
                got=f"a list of {len(part)}",  # which may be deep, or hold itself
                allowed="objects",
                example=EXAMPLE,
                where=where,
            )
        named = str(position) if batch and len(content) > 1 else run
        yield from _rows(part, named, f"{where}, entry {position}", depth + 1)


def _named(content: Mapping[Any, Any], keys: Sequence[str]) -> str | None:
    return next((name for key in keys if (name := word(content.get(key)))), None)


def _inside(content: Mapping[Any, Any]) -> str | None:
    if "scenario_id" in content:  # a row may hold a list of its own
        return None
    return next((k for k in (*BATCHES, *CONTAINERS) if isinstance(content.get(k), list)), None)


def _with_run(frame: pd.DataFrame) -> pd.DataFrame:
    names: list[str | None] = [None] * len(frame)
    for column in (*RUN_NAMES, MODEL):
        if column in frame.columns:
            cells = zip(names, frame[column], strict=True)
            names = [word(cell) if name is None else name for name, cell in cells]
    run = pd.Series([name or UNNAMED for name in names], index=frame.index, dtype=object)
    return frame.assign(run=run)
