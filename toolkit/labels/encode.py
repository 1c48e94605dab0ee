"""Columns as codes into their distinct values, so that nothing is looked at row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.common.utf8 import is_unicode
from toolkit.errors import LabelError
from toolkit.labels.values import key

if TYPE_CHECKING:
    from toolkit.labels.origin import Origin

Codes: TypeAlias = NDArray[np.intp]


class Encoded(NamedTuple):
    """A column as codes, -1 for null, into its distinct values by first appearance.

    Examples
    --------
    >>> import numpy as np
    >>> Encoded(np.array([0, 1, 0]), pd.Index(["a", "b"])).column().tolist()
    ['a', 'b', 'a']
    """

    codes: Codes
    values: pd.Index[Any]
    rows: pd.Series[Any] | None = None  # the column itself, where it is that already

    def text(self, code: int | np.integer[Any]) -> str:
        """Give the text of one code."""
        return str(self.values[int(code)])

    def column(self) -> pd.Series[Any]:
        """Give the value of every row again."""
        if self.rows is not None:
            return self.rows
        taken = pd.api.extensions.take(self.values.array, self.codes, allow_fill=True)
        return pd.Series(taken, copy=False)


class Names(NamedTuple):
    """The three columns that say what a row is about."""

    item: Encoded
    construct: Encoded
    rater: Encoded


def encode(column: pd.Series[Any], origin: Origin) -> Encoded:
    """Factorise a column of single values.

    Parameters
    ----------
    column : Series
        Any type; 1, 1.0 and True are one value.
    origin : Origin
        Where the rows are from.

    Returns
    -------
    Encoded
        Codes and distinct values.

    Raises
    ------
    LabelError
        A cell that holds a list or a mapping, or text with half a character.

    Examples
    --------
    >>> from toolkit.labels.origin import Origin
    >>> origin = Origin("DataFrame", "index", list)
    >>> encode(pd.Series(["b", None, "a", "b"]), origin).codes.tolist()
    [0, -1, 1, 0]
    """
    try:
        codes, values = pd.factorize(column)
    except (TypeError, NotImplementedError):  # the latter from columns of Arrow lists
        row = next((i for i, value in enumerate(column) if not _is_hashable(value)), None)
        if row is None:
            codes, values = pd.factorize(column.astype(object))
        else:
            several = pd.api.types.is_list_like(column.iloc[row])
            what = "several values" if several else "what can't be compared"
            _refuse_cell(f"a cell holds {what}", row, column, origin)
    if isinstance(column.dtype, pd.CategoricalDtype):
        values = pd.Index(np.asarray(values), dtype=column.cat.categories.dtype)
    if values.dtype == object:  # text of any other type is known to be whole
        for code, value in enumerate(values):
            if isinstance(value, str) and not is_unicode(value):
                row = int(np.argmax(codes == code))
                _refuse_cell("text has half a character (a lone surrogate)", row, column, origin)
    return Encoded(codes, values)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _refuse_cell(what: str, row: int, column: pd.Series[Any], origin: Origin) -> NoReturn:
    raise LabelError(
        what,
        got=column.iloc[row],
        allowed="text, a number, true or false",
        where=origin.at(row, column=str(column.name)),
    ) from None


def encode_names(column: pd.Series[Any], origin: Origin, *, required: bool) -> Encoded:
    """Factorise a column of names: 1, 1.0 and "1" are one item, other text stays as it is.

    Parameters
    ----------
    column : Series
        item_id, construct, rater_id, call_id, cluster or stratum.
    origin : Origin
        Where the rows are from.
    required : bool
        Whether every row must have one; else blank text is null.

    Returns
    -------
    Encoded
        Codes and distinct texts.

    Raises
    ------
    LabelError
        A row without a name, bytes, or both "1" and "1.0" written as text.

    Examples
    --------
    >>> from toolkit.labels.origin import Origin
    >>> origin = Origin("DataFrame", "index", list)
    >>> encode_names(pd.Series([1.0, "1", 2]), origin, required=True).values.tolist()
    ['1', '2']
    """
    codes, values, _ = encode(column, origin)
    for code, value in enumerate(values if values.dtype == object else ()):
        if isinstance(value, bytes):
            row = int(np.argmax(codes == code))
            _refuse_cell("bytes are no text: decode them first", row, column, origin)
    texts = _texts(values)
    codes, values, _ = merged = _merged(codes, texts)
    if required and (codes < 0).any():
        row = int(np.argmax(codes < 0))
        raise LabelError(
            f"a row has no {column.name}",
            got=column.iloc[row],
            allowed="text or a number in every row",
            where=origin.at(row, column=str(column.name)),
        )
    _refuse_two_spellings(codes, values, str(column.name), origin)
    untouched = column.dtype == pd.StringDtype(na_value=np.nan) and values is texts
    return merged._replace(rows=column) if untouched else merged


def _texts(values: pd.Index[Any]) -> pd.Index[Any]:
    if isinstance(values.dtype, pd.StringDtype):
        return values.astype("str")
    if pd.api.types.is_integer_dtype(values.dtype):
        return values.astype(str)
    return pd.Index([_text(value) for value in values], dtype="str")


def _text(value: Any) -> str:
    whole = isinstance(value, float | np.floating) and float(value).is_integer()
    return str(int(value)) if whole else str(value)


def _merged(codes: Codes, texts: pd.Index[Any]) -> Encoded:
    """Give equal texts one code and blank ones none."""
    blank = np.asarray(texts.str.strip() == "", dtype=bool)
    if texts.is_unique and not blank.any():
        return Encoded(codes, texts)
    merged, distinct = pd.factorize(texts.where(~blank))
    lookup = np.append(merged, -1)  # the last entry answers for code -1
    return Encoded(lookup[codes], distinct)


def _refuse_two_spellings(codes: Codes, values: pd.Index[Any], name: str, origin: Origin) -> None:
    """Refuse "1" beside "1.0": whether they are one item is not for us to guess."""
    pointed = values[np.asarray(values.str.endswith(".0"), dtype=bool)]
    stems = [str(text).removesuffix(".0") for text in pointed]
    twice = [stem for stem in stems if isinstance(key(stem), int) and stem in values]
    if not twice:
        return
    pair = [twice[0], f"{twice[0]}.0"]
    rows = [int(np.argmax(codes == values.get_loc(text))) for text in pair]
    raise LabelError(
        f"one {name} seems to be written in two ways",
        got=pair,
        allowed="one spelling: the same, or names that do not look like one number",
        where=origin.at(*rows, column=name),
    )
