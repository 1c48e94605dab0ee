"""The optional columns: kind of rater, order, sitting and weight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from toolkit.errors import LabelError
from toolkit.labels.encode import Encoded, encode
from toolkit.labels.hints import did_you_mean
from toolkit.labels.values import is_null, key

if TYPE_CHECKING:
    from toolkit.labels.origin import Origin

KINDS = ("human", "judge")


def rater_kinds(column: pd.Series[Any], raters: Encoded, origin: Origin) -> pd.Series[Any]:
    """Check that every row says human or judge, and of one rater always the same.

    Parameters
    ----------
    column : Series
        `rater_kind` as the source has it.
    raters : Encoded
        `rater_id`.
    origin : Origin
        Where the rows are from.

    Returns
    -------
    Series of str
        The column.

    Raises
    ------
    LabelError
        Another word, a blank, or a rater with both.

    Examples
    --------
    >>> from toolkit.labels.origin import Origin
    >>> origin = Origin("DataFrame", "index", list)
    >>> raters = encode(pd.Series(["ann", "gpt"]), origin)
    >>> rater_kinds(pd.Series(["human", "judge"]), raters, origin).tolist()
    ['human', 'judge']
    """
    codes, words, _ = encode(column, origin)
    known = np.append(words.isin(KINDS), values=False)  # the last entry answers for code -1
    if not known[codes].all():
        row = int(np.argmin(known[codes]))
        word = column.iloc[row]
        raise LabelError(
            "rater_kind is neither human nor judge" + did_you_mean(word, KINDS),
            got=None if is_null(word) else word,
            allowed=KINDS,
            where=origin.at(row, column="rater_kind"),
        )
    last = np.empty(len(raters.values), dtype=np.intp)
    last[raters.codes] = codes
    other = codes != last[raters.codes]
    if other.any():
        row = int(np.argmax(other))
        same = raters.codes == raters.codes[row]
        rows = (row, int(np.flatnonzero(same & ~other)[0]))
        raise LabelError(
            f"rater {raters.values[raters.codes[row]]!r} is of two kinds",
            got=[column.iloc[i] for i in sorted(rows)],
            allowed="one kind for each rater",
            where=origin.at(*rows, column="rater_kind"),
        )
    return Encoded(codes, pd.Index(words, dtype="str")).column()


def sortable(column: pd.Series[Any], origin: Origin) -> pd.Series[Any]:
    """Make a column that has an order: numbers or dates as such, else text.

    Parameters
    ----------
    column : Series
        `order` or `sitting`; nulls are allowed.
    origin : Origin
        Where the rows are from.

    Returns
    -------
    Series
        Numbers where all values are numbers or read as such, so that 10 comes after 9.

    Raises
    ------
    LabelError
        Numbers beside words.

    Examples
    --------
    >>> from toolkit.labels.origin import Origin
    >>> sortable(pd.Series(["9", "10"]), Origin("DataFrame", "index", list)).tolist()
    [9, 10]
    """
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return column
    codes, values, _ = encode(column, origin)
    keys = [
        key(value) if isinstance(value, str | float | int | np.number) else value
        for value in values
    ]
    filled = np.append(np.array([k is None for k in keys], dtype=bool), values=True)
    codes = np.where(filled[codes], -1, codes)
    words = [i for i, k in enumerate(keys) if k is not None and not isinstance(k, int | float)]
    numbers = [i for i, k in enumerate(keys) if isinstance(k, int | float)]
    if words and numbers:
        rows = [int(np.argmax(codes == group[0])) for group in (numbers, words)]
        raise LabelError(
            f"{column.name} has numbers and words, which have no order",
            got=[values[numbers[0]], values[words[0]]],
            allowed="numbers, or text that sorts (2026-01-31)",
            where=origin.at(*rows, column=str(column.name)),
        )
    made = pd.Series([0 if k is None else k for k in keys]) if numbers else values.astype("str")
    return Encoded(codes, pd.Index(made)).column()


def item_weights(column: pd.Series[Any], items: Encoded, origin: Origin) -> pd.Series[Any]:
    """Check that every item has one finite weight above 0.

    Parameters
    ----------
    column : Series
        `weight` as the source has it.
    items : Encoded
        `item_id`.
    origin : Origin
        Where the rows are from.

    Returns
    -------
    Series of float
        The column.

    Raises
    ------
    LabelError
        A weight that is no number, blank, infinite, 0 or below, or two weights for one item. An
        item of weight 0 would be left out without being counted: leave its rows out instead.

    Examples
    --------
    >>> from toolkit.labels.origin import Origin
    >>> origin = Origin("DataFrame", "index", list)
    >>> items = encode(pd.Series(["a", "b"]), origin)
    >>> item_weights(pd.Series(["1.5", "2"]), items, origin).tolist()
    [1.5, 2.0]
    """
    weights = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    good = np.isfinite(weights) & (weights > 0)
    if not good.all():
        row = int(np.argmin(good))
        raise LabelError(
            "not a weight",
            got=column.iloc[row],
            allowed="a finite number above 0 in every row",
            example="1.5",
            where=origin.at(row, column="weight"),
        )
    last = np.empty(len(items.values))
    last[items.codes] = weights
    other = weights != last[items.codes]
    if other.any():
        row = int(np.argmax(other))
        same = items.codes == items.codes[row]
        rows = (row, int(np.flatnonzero(same & ~other)[0]))
        raise LabelError(
            f"item {items.values[items.codes[row]]!r} has two weights",
            got=[float(weights[i]) for i in sorted(rows)],
            allowed="one weight in all rows of an item",
            where=origin.at(*rows, column="weight"),
        )
    return pd.Series(weights)
