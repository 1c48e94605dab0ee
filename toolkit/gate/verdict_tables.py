"""From files, frames and lists to one table of verdicts and one of dimension scores."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from toolkit.errors import GateError, LabelError
from toolkit.gate.hints import did_you_mean
from toolkit.labels.files import read_source
from toolkit.labels.origin import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

VERDICT_COLUMNS = ("model", "prompt_id", "score", "red_flag")
VERDICT_OPTIONS = ("variant", "repeat", "category", "rationale", "unscored", "empty")
DIMENSION_COLUMNS = ("model", "dimension", "score")
EXAMPLE = (
    '{"model": "m1", "variant": "none", "prompt_id": "p1", "repeat": 1, "category": "c1",'
    ' "score": 4, "red_flag": false, "rationale": "Calm.", "unscored": false}'
)
DIMENSION_EXAMPLE = '{"model": "m1", "variant": "none", "dimension": "safety", "score": 4}'
_NEAR = 0.85  # `repeats` is meant for `repeat`, `category_name` for nothing


@dataclass(frozen=True, eq=False)
class Table:
    """Rows as they are, and where each is from."""

    frame: pd.DataFrame
    origin: Origin

    def take(self, chosen: Any) -> Table:
        """Keep some rows and remember their places."""
        places = np.flatnonzero(chosen)

        def numbers(rows: Sequence[int]) -> Sequence[object]:
            return self.origin.numbers([int(places[row]) for row in rows])

        kept = self.frame.loc[np.asarray(chosen)].reset_index(drop=True)
        return Table(kept, replace(self.origin, numbers=numbers))


@contextmanager
def as_gate_error(example: str) -> Iterator[None]:
    """Say in the words of the gate what the readers of tables refuse.

    Parameters
    ----------
    example : str
        One valid row.

    Raises
    ------
    GateError
        In place of a LabelError.

    Examples
    --------
    >>> with as_gate_error("{}"):
    ...     raise LabelError("the file is empty")
    Traceback (most recent call last):
    ...
    toolkit.errors.GateError: the file is empty. Example: {}.
    """
    try:
        yield
    except LabelError as error:
        raise GateError(
            error.what, got=error.got, allowed=error.allowed, example=example, where=error.where
        ) from None


def read_tables(rows: Any, dimensions: Any) -> tuple[Table, Table | None]:
    """Read verdict rows and dimension rows, from two sources or from one that holds both.

    Parameters
    ----------
    rows, dimensions : path, DataFrame, sequence of mappings
        `rows` may also be a mapping with the keys ``verdicts`` and ``dimensions``.

    Returns
    -------
    tuple of (Table, Table or None)
        Verdicts; dimension scores, where there are any.

    Raises
    ------
    GateError
        What can't be read, and a table that lacks a column.

    Examples
    --------
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": False}
    >>> other = {"model": "m1", "dimension": "tone", "score": 5}
    >>> verdicts, scores = read_tables([row, other], None)
    >>> len(verdicts.frame), scores.frame["dimension"].tolist()
    (1, ['tone'])
    """
    if isinstance(rows, Mapping):
        unknown = [name for name in rows if name not in ("verdicts", "dimensions")]
        if unknown or "verdicts" not in rows or dimensions is not None:
            raise GateError(
                "a mapping of verdicts has the keys `verdicts` and `dimensions`",
                got=list(rows),
                allowed="these two, or a list of rows, a DataFrame or a path",
                example='{"verdicts": frame, "dimensions": other_frame}',
                where="verdicts",
            )
        rows, dimensions = rows["verdicts"], rows.get("dimensions")
    verdicts = _table(rows, "verdicts", EXAMPLE)
    scores = None if dimensions is None else _table(dimensions, "dimensions", DIMENSION_EXAMPLE)
    if scores is None and "dimension" in verdicts.frame.columns:
        verdicts, scores = _apart(verdicts)
    _check_columns(verdicts, VERDICT_COLUMNS, VERDICT_OPTIONS, EXAMPLE)
    if scores is not None:
        _check_columns(scores, DIMENSION_COLUMNS, ("variant", "repeat"), DIMENSION_EXAMPLE)
    return verdicts, scores


def _table(source: Any, argument: str, example: str) -> Table:
    listed = isinstance(source, Sequence) and not isinstance(source, str | bytes)
    if listed and source and all(isinstance(row, Mapping) for row in source):
        # Of Python objects, so that 1, "1" and True stay what they are until they are checked.
        columns = dict.fromkeys(str(name) for row in source for name in row)
        texts = [{str(name): value for name, value in row.items()} for row in source]
        frame = pd.DataFrame(
            {name: pd.Series([row.get(name) for row in texts], dtype=object) for name in columns}
        )
        return Table(frame, Origin(argument, "row", lambda places: [place + 1 for place in places]))
    if not isinstance(source, str | Path | pd.DataFrame):
        raise GateError(
            f"{argument} can't be read from this",
            got=source if listed else type(source).__name__,
            allowed="a path (.csv, .tsv, .jsonl, .parquet), a DataFrame, or a list of mappings"
            " with at least one row",
            example=f"[{example}]",
            where=argument,
        )
    if isinstance(source, pd.DataFrame):
        ours = (*VERDICT_COLUMNS, *VERDICT_OPTIONS, "dimension")
        levels = [name for name in source.index.names if name in ours]
        source = source.reset_index(level=levels) if levels else source
    with as_gate_error(example):
        raw = read_source(source)
    return Table(raw.frame.reset_index(drop=True), raw.origin)


def _apart(table: Table) -> tuple[Table, Table | None]:
    """Part a table of both kinds: a row with a dimension is no verdict."""
    scored = written(table.frame["dimension"])
    if "prompt_id" in table.frame.columns:
        both = scored & written(table.frame["prompt_id"])
        if both.any():
            row = int(np.argmax(both))
            raise GateError(
                "a row has both a prompt_id and a dimension",
                got=[str(table.frame[name].iloc[row]) for name in ("prompt_id", "dimension")],
                allowed="a verdict on a prompt, or the score of a dimension",
                example=DIMENSION_EXAMPLE,
                where=table.origin.at(row),
            )
    verdicts, scores = table.take(~scored), table.take(scored)
    verdicts = replace(verdicts, frame=verdicts.frame.drop(columns="dimension"))
    if verdicts.frame.empty:
        raise GateError(
            "there are scores of dimensions, but no verdict on a prompt",
            allowed="both kinds of rows",
            example=EXAMPLE,
            where=table.origin.name,
        )
    empty = [
        name
        for name in ("prompt_id", *VERDICT_OPTIONS, "red_flag")
        if name in scores.frame.columns and not written(scores.frame[name]).any()
    ]
    scores = replace(scores, frame=scores.frame.drop(columns=empty))
    return verdicts, scores if len(scores.frame) else None


def written(column: pd.Series[Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Tell for each cell whether anything but blanks is in it.

    Parameters
    ----------
    column : Series
        Of any type.

    Returns
    -------
    array of bool
        One per row.

    Examples
    --------
    >>> written(pd.Series(["a", " ", None])).tolist()
    [True, False, False]
    """
    there = column.notna()
    if column.dtype == object or isinstance(column.dtype, pd.StringDtype):
        there &= column.astype(str).str.strip() != ""
    return np.asarray(there, dtype=bool)


def _check_columns(
    table: Table, required: tuple[str, ...], options: tuple[str, ...], example: str
) -> None:
    there = list(table.frame.columns)
    extra = [name for name in there if name not in (*required, *options)]
    for name in required:
        if name not in there:
            raise GateError(
                f"no column {name!r}{did_you_mean(name, extra)}",
                got=there,
                allowed=f"{', '.join(required)}; if need be {', '.join(options)}",
                example=example,
                where=table.origin.name,
            )
    absent = [name for name in options if name not in there]
    for name in extra:
        near = difflib.get_close_matches(name.strip().casefold(), absent, n=1, cutoff=_NEAR)
        if near:
            raise GateError(
                f"unknown column {name!r}, did you mean {near[0]!r}?",
                got=there,
                allowed=f"{', '.join((*required, *options))}, and names unlike these",
                example=example,
                where=table.origin.name,
            )
