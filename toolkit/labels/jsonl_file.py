"""JSON Lines: one object a line, one row of the table."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from toolkit.common.utf8 import decode
from toolkit.errors import LabelError
from toolkit.labels.columns import refuse_unusable_names
from toolkit.labels.origin import Origin

EXAMPLE = '{"item_id": "i1", "construct": "tone", "rater_id": "ann", "label": 1}'


def read_jsonl(data: bytes, name: str) -> tuple[pd.DataFrame, Origin]:
    r"""Read one JSON object a line.

    Parameters
    ----------
    data : bytes
        The file, unpacked; blank lines are skipped.
    name : str
        Its plain name, for errors.

    Returns
    -------
    tuple of DataFrame and Origin
        A column for every key, null where an object lacks it; where each row is from.

    Raises
    ------
    LabelError
        Empty file, not UTF-8, a line that is no JSON object, a key twice in one object, a key that
        can't name a column.

    Examples
    --------
    >>> frame, origin = read_jsonl(b'{"item_id": "a", "label": true}\n', "labels.jsonl")
    >>> frame["label"].tolist(), origin.at(0)
    ([True], 'labels.jsonl, line 1')
    """
    lines = decode(data, name, LabelError).split("\n")
    numbers = [number for number, line in enumerate(lines, start=1) if line.strip()]
    if not numbers:
        raise LabelError("the file is empty", allowed=f"lines such as {EXAMPLE}", where=name)
    rows = _objects([lines[number - 1] for number in numbers])
    if rows is None:
        rows = [_object(lines[number - 1], f"{name}, line {number}") for number in numbers]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    refuse_unusable_names(columns, name)
    frame = pd.DataFrame({column: _column([row.get(column) for row in rows]) for column in columns})
    origin = Origin(name, "line", lambda positions: [numbers[position] for position in positions])
    return frame, origin


def _column(values: list[Any]) -> pd.Series[Any]:
    column = pd.Series(values, dtype=object)
    # Beside a null, pandas would make a float of an integer, and long ones would lose digits.
    if column.isna().any():
        return column
    try:
        return column.infer_objects()
    except UnicodeEncodeError:  # half an emoji, which pandas has no text for
        return column


def _objects(lines: list[str]) -> list[dict[str, Any]] | None:
    """Read all lines as one array, three times as fast; None where one is at fault."""
    try:
        rows = json.loads(f"[{','.join(lines)}]", object_pairs_hook=_pairs)
    except (ValueError, RecursionError):
        return None
    sound = len(rows) == len(lines) and all(isinstance(row, dict) for row in rows)
    return rows if sound else None


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line, object_pairs_hook=_pairs)
    except (ValueError, RecursionError) as error:
        raise LabelError(
            f"not valid JSON: {error}", got=line, example=EXAMPLE, where=where
        ) from None
    if not isinstance(row, dict):
        raise LabelError("a line is no JSON object", got=line, example=EXAMPLE, where=where)
    return row


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        message = f"key {twice!r} is there twice"
        raise ValueError(message)
    return row
