"""The one place that turns a raw value into a category.

``True``, ``1``, ``"1"``, ``1.0``, ``"1.0"`` and ``" 1 "`` meet the same category, because they mean
the same; words must match exactly, because folding "Yes" into "yes" is a decision about the data.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Value: TypeAlias = bool | int | float | str
Key: TypeAlias = int | float | str

MISSING, ABSTAIN, UNKNOWN = -1, -2, -3
REASONS = {MISSING: "missing", ABSTAIN: "abstain"}

# What R, pandas, numpy and SQL exports write where there is no label. "None" and "N/A" are left
# out: "none" is a common category and "not applicable" is an answer.
MISSING_WORDS = ("", "NA", "NaN", "nan", "<NA>", "null", "NULL")

TRUTH_WORDS = {"True": 1, "true": 1, "TRUE": 1, "False": 0, "false": 0, "FALSE": 0}

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
EXACT = 2**53  # above it a float no longer tells neighbouring integers apart


def is_null(value: Any) -> bool:
    """Tell whether a value is None, NaN, ``pd.NA`` or ``NaT``.

    Parameters
    ----------
    value : object
        One raw value.

    Returns
    -------
    bool
        False for every text; a blank text is handled by `key`.

    Examples
    --------
    >>> is_null(float("nan")), is_null("NaN")
    (True, False)
    """
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    can_be_null = isinstance(value, Real | Decimal | np.datetime64 | np.timedelta64)
    return can_be_null and bool(pd.isna(value))


def is_scalar(value: Any) -> bool:
    """Tell whether a value can be a label at all: text, number or truth value.

    Parameters
    ----------
    value : object
        One raw value.

    Returns
    -------
    bool
        False for lists, mappings, dates, bytes and other objects.

    Examples
    --------
    >>> is_scalar("yes"), is_scalar([1])
    (True, False)
    """
    return isinstance(value, str | bool | np.bool_ | Real | Decimal)


def key(value: Any) -> Key | None:
    """Reduce a raw value to what is compared: a number, else the exact word.

    Parameters
    ----------
    value : str, bool or number
        One raw value; numpy scalars too.

    Returns
    -------
    int, float, str or None
        A number where the value is one or reads as one in plain decimal notation; None for nulls
        and blank text; else the text itself.

    Examples
    --------
    >>> [key(v) for v in (True, 1, "1", 1.0, "1.0", " 1 ")]
    [1, 1, 1, 1, 1, 1]
    >>> key("Yes"), key("0.5"), key(" "), key("True")
    ('Yes', 0.5, None, 'True')
    """
    if is_null(value):
        return None
    if isinstance(value, str):
        text = value.strip()
        if not text:
            return None
        return _number(text) if _NUMBER.fullmatch(text) else value
    if isinstance(value, np.floating):
        value = float(str(value))  # the shortest text: float32 0.1 means 0.1
    return _whole(float(value)) if not isinstance(value, bool | np.bool_ | int) else int(value)


def _number(text: str) -> Key:
    digits = text.lstrip("+-")
    if digits.isdigit() and len(digits) < 100:  # noqa: PLR2004 - int() refuses very long texts
        return int(text)
    return _whole(float(text))


def _whole(number: float) -> Key:
    if not math.isfinite(number):
        return str(number)
    return int(number) if number.is_integer() and abs(number) < EXACT else number


def category_keys(categories: Sequence[Any]) -> list[Key | None]:
    """Reduce the categories of one construct to keys.

    Parameters
    ----------
    categories : sequence of str, bool or number
        The declared categories.

    Returns
    -------
    list of int, float, str or None
        As `key`; the words true and false count as 1 and 0 where there is nothing but these.

    Examples
    --------
    >>> category_keys(["False", "True"]), category_keys(["True", "unsure"])
    ([0, 1], ['True', 'unsure'])
    """
    keys = [key(category) for category in categories]
    truth = [TRUTH_WORDS.get(k, k) if isinstance(k, str) else k for k in keys]
    return truth if is_binary(truth) else keys


def is_binary(keys: Iterable[Any]) -> bool:
    """Tell whether keys are 0 and 1 only, so that true and false may stand for them.

    Parameters
    ----------
    keys : iterable
        As `key` makes them.

    Returns
    -------
    bool
        False where there are none.

    Examples
    --------
    >>> is_binary([0, 1]), is_binary([1, 2])
    (True, False)
    """
    found = set(keys)
    return bool(found) and found <= {0, 1}


class Coder:
    """Turns raw values of one construct into positions in its categories.

    Parameters
    ----------
    categories, missing, abstain : sequence of str, bool or number
        As the schema declares them.

    Examples
    --------
    >>> coder = Coder([0, 1], missing=["NA"], abstain=["unsure"])
    >>> [coder.code(v) for v in ("1.0", False, "true", None, "NA", "unsure", "2")]
    [1, 0, 1, -1, -1, -2, -3]
    """

    def __init__(
        self, categories: Sequence[Any], *, missing: Sequence[Any] = (), abstain: Sequence[Any] = ()
    ) -> None:
        keys = category_keys(categories)
        codes: dict[Key | None, int] = {None: MISSING}
        if is_binary(keys):
            codes |= {word: keys.index(n) for word, n in TRUTH_WORDS.items() if n in keys}
        codes |= {key(value): MISSING for value in missing}
        codes |= {key(value): ABSTAIN for value in abstain}
        codes |= {k: position for position, k in enumerate(keys)}
        self._codes = codes

    def code(self, value: Any) -> int:
        """Find the category of one raw value.

        Parameters
        ----------
        value : object
            One raw value.

        Returns
        -------
        int
            Position in the categories, or MISSING (-1), ABSTAIN (-2), UNKNOWN (-3).
        """
        if is_null(value):
            return MISSING
        return self._codes.get(key(value), UNKNOWN) if is_scalar(value) else UNKNOWN
