"""Columns of verdicts as numbers and truth values; what can't be read is named with its place."""

from __future__ import annotations

from typing import Any, NoReturn, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.errors import GateError
from toolkit.gate.verdict_tables import EXAMPLE, Table, as_gate_error
from toolkit.labels.encode import Encoded, encode, encode_names
from toolkit.labels.values import MISSING_WORDS, TRUTH_WORDS, is_null, key

Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

NOTHING = -1  # no truth value written
MOST_REPEATS = 1_000_000


def refuse_cell(table: Table, column: str, row: int, what: str, allowed: Any) -> NoReturn:
    """Refuse one cell.

    Parameters
    ----------
    table : Table
        Where it is.
    column : str
        Its column.
    row : int
        Its position.
    what : str
        What is wrong.
    allowed : object
        What would have been accepted.

    Raises
    ------
    GateError
        Always.

    Examples
    --------
    >>> from toolkit.gate.verdict_tables import read_tables
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": "0"}
    >>> table, _ = read_tables([row], None)
    >>> refuse_cell(table, "score", 0, "too kind", "3 at most")
    Traceback (most recent call last):
    ...
    toolkit.errors.GateError: too kind (verdicts, row 1, column 'score'). Got: 4. Allowed: 3 at
    most. Example: {"model": "m1", ...}.
    """
    got = table.frame[column].iloc[row] if column in table.frame else None
    raise GateError(
        what,
        got="nothing" if is_null(got) else got,
        allowed=allowed,
        example=EXAMPLE,
        where=table.origin.at(row, column=column),
    )


def names(table: Table, column: str) -> Encoded:
    """Take a column of names, one in every row.

    Parameters
    ----------
    table : Table
        Rows as they are.
    column : str
        model, variant, prompt_id or dimension.

    Returns
    -------
    Encoded
        Codes into the distinct names.

    Raises
    ------
    GateError
        A row without a name, or with what is no name.

    Examples
    --------
    >>> from toolkit.gate.verdict_tables import read_tables
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": "0"}
    >>> table, _ = read_tables([row], None)
    >>> names(table, "model").values.tolist()
    ['m1']
    """
    with as_gate_error(EXAMPLE):
        return encode_names(table.frame[column], table.origin, required=True)


def scores(table: Table, lowest: int, highest: int) -> Floats:
    """Read scores; nan where there is none.

    Parameters
    ----------
    table : Table
        With a column ``score``.
    lowest, highest : int
        Ends of the scale.

    Returns
    -------
    array of float
        One per row.

    Raises
    ------
    GateError
        No number, or off the scale.

    Examples
    --------
    >>> from toolkit.gate.verdict_tables import read_tables
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": "0"}
    >>> table, _ = read_tables([row], None)
    >>> scores(table, 1, 5).tolist()
    [4.0]
    """
    allowed = f"{lowest} to {highest}, or nothing"
    numbers = _numbers(table, "score", allowed)
    off = ~np.isnan(numbers) & ~((numbers >= lowest) & (numbers <= highest))
    if off.any():
        refuse_cell(table, "score", int(np.argmax(off)), "a score is off the scale", allowed)
    return numbers


def repeats(table: Table) -> Ints:
    """Read the number of the repeat; 1 where none is written.

    Parameters
    ----------
    table : Table
        Maybe with a column ``repeat``.

    Returns
    -------
    array of int
        One per row, 0 or more.

    Raises
    ------
    GateError
        No whole number, below 0 or above a million.

    Examples
    --------
    >>> from toolkit.gate.verdict_tables import read_tables
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": "0"}
    >>> table, _ = read_tables([row], None)
    >>> repeats(table).tolist()
    [1]
    """
    if "repeat" not in table.frame:
        return np.ones(len(table.frame), dtype=np.int64)
    allowed = "a whole number, 0 or more; nothing means 1"
    numbers = _numbers(table, "repeat", allowed)
    numbers = np.where(np.isnan(numbers), 1, numbers)
    bad = ~((numbers >= 0) & (numbers <= MOST_REPEATS) & (numbers == np.floor(numbers)))
    if bad.any():
        refuse_cell(table, "repeat", int(np.argmax(bad)), "a repeat is no whole number", allowed)
    return numbers.astype(np.int64)


def truths(table: Table, column: str) -> NDArray[np.int8]:
    """Read true and false.

    Parameters
    ----------
    table : Table
        Rows as they are.
    column : str
        red_flag, unscored or empty.

    Returns
    -------
    array of int8
        1, 0, or -1 where nothing is written or the column is not there.

    Raises
    ------
    GateError
        Something else.

    Examples
    --------
    >>> from toolkit.gate.verdict_tables import read_tables
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": "0"}
    >>> table, _ = read_tables([row], None)
    >>> truths(table, "red_flag").tolist(), truths(table, "empty").tolist()
    ([0], [-1])
    """
    if column not in table.frame:
        return np.full(len(table.frame), NOTHING, dtype=np.int8)
    values = table.frame[column]
    if values.dtype == bool:
        return values.to_numpy().astype(np.int8)
    encoded = _encode(table, column)
    read = [_truth(value) for value in encoded.values]
    for code, truth in enumerate(read):
        if truth is None:
            row = int(np.argmax(encoded.codes == code))
            refuse_cell(table, column, row, f"`{column}` is not true or false", "true, false, 1, 0")
    return np.array([*read, NOTHING], dtype=np.int8)[encoded.codes]  # the last is for code -1


def _truth(value: Any) -> int | None:
    if is_null(value) or (isinstance(value, str) and value.strip() in MISSING_WORDS):
        return NOTHING
    if isinstance(value, str):
        value = TRUTH_WORDS.get(value.strip(), value)
    found = key(value) if isinstance(value, str | bool | np.bool_ | int | float) else None
    return int(found) if found in (0, 1) else None


def _numbers(table: Table, column: str, allowed: str) -> Floats:
    values = table.frame[column]
    real = pd.api.types.is_integer_dtype(values.dtype) or pd.api.types.is_float_dtype(values.dtype)
    if real and not isinstance(values.dtype, pd.CategoricalDtype):
        return values.to_numpy(dtype=np.float64, na_value=np.nan)
    encoded = _encode(table, column)
    read = [_number(value) for value in encoded.values]
    for code, number in enumerate(read):
        if number is None:
            row = int(np.argmax(encoded.codes == code))
            refuse_cell(table, column, row, f"`{column}` is no number", allowed)
    return np.array([*read, np.nan], dtype=np.float64)[encoded.codes]


def _number(value: Any) -> float | None:
    if is_null(value) or (isinstance(value, str) and value.strip() in MISSING_WORDS):
        return np.nan
    if isinstance(value, bool | np.bool_) or not isinstance(value, str | int | float | np.number):
        return None
    found = None if np.iscomplexobj(value) else key(value)
    try:
        return None if isinstance(found, str) or found is None else float(found)
    except OverflowError:
        return float("inf")


def _encode(table: Table, column: str) -> Encoded:
    with as_gate_error(EXAMPLE):
        return encode(table.frame[column], table.origin)
