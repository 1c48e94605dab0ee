"""The optional columns: kind of rater, order, sitting and weight."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from toolkit.common.hints import did_you_mean
from toolkit.errors import LabelError
from toolkit.labels.encode import Encoded, encode
from toolkit.labels.values import is_null, is_scalar, key

if TYPE_CHECKING:
    from toolkit.labels.encode import Codes
    from toolkit.labels.origin import Origin

KINDS = ("human", "judge")
_DIGITS = re.compile("([0-9]+)")


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
    # The last entry answers for code -1.
    known = np.array([*(word in KINDS for word in words), False])
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
    """Make a column that has an order: numbers, dates, durations, ordered categories, else text.

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
        Numbers beside words, or text that sorts otherwise than the numbers in it.

    Examples
    --------
    >>> from toolkit.labels.origin import Origin
    >>> sortable(pd.Series(["9", "10"]), Origin("DataFrame", "index", list)).tolist()
    [9, 10]
    """
    if isinstance(column.dtype, pd.CategoricalDtype) and column.cat.ordered:
        return column
    codes, values, _ = encode(column, origin)
    values = values.infer_objects()
    if values.dtype.kind in "mM":  # durations and points in time
        return Encoded(codes, values).column()
    keys = [key(value) if is_scalar(value) else value for value in values]
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
    if numbers:
        return Encoded(codes, pd.Index(pd.Series([0 if k is None else k for k in keys]))).column()
    texts = values.astype("str")
    _refuse_unnatural(texts, codes, str(column.name), origin)
    return Encoded(codes, texts).column()


def _refuse_unnatural(texts: pd.Index[Any], codes: Codes, name: str, origin: Origin) -> None:
    """Refuse "round 9" and "round 10", of which the second would come first."""
    if len(texts.str.replace("[0-9]", "0", regex=True).unique()) <= 1:
        return  # all of one shape, as times are: nothing to compare one by one
    pairs = pairwise(sorted(texts))
    pair = next(((a, b) for a, b in pairs if _natural(a) > _natural(b)), None)
    if pair is None:
        return
    rows = [int(np.argmax(codes == texts.get_loc(text))) for text in pair]
    raise LabelError(
        f"{name} is text that sorts otherwise than the numbers in it",
        got=[pair[1], pair[0]],
        allowed="numbers, or text in which they have the same number of digits",
        example=f"{name}: 1, 2, 3 or 2026-01-31T09:00",
        where=origin.at(*rows, column=name),
    )


def _natural(text: str) -> list[tuple[int, str]]:
    """Compare the numbers in a text by their size: count of digits first."""
    parts = (part.lstrip("0") if part.isdigit() else part for part in _DIGITS.split(text))
    return [(len(part) if part.isdigit() else 0, part) for part in parts]


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
    if column.dtype.kind in "biuf" or isinstance(column.dtype, pd.StringDtype):
        numbers = pd.to_numeric(column, errors="coerce")
        weights = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    else:  # objects of any kind, which to_numeric would stumble over or make numbers of
        codes, values, _ = encode(column, origin)
        weights = np.array([*map(_weight, values), np.nan])[codes]
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


def _weight(value: Any) -> float:
    number = key(value) if is_scalar(value) else None
    try:
        return float(number) if isinstance(number, int | float) else np.nan
    except OverflowError:
        return np.nan
