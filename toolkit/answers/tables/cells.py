"""Cells of a table as plain values: missing is None, whatever the table calls it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd


def present(cell: Any) -> Any:
    """Give the cell, or None where it is missing.

    Parameters
    ----------
    cell : object
        Of any column.

    Returns
    -------
    object
        None for None, nan, NA and NaT; anything else as it is.

    Examples
    --------
    >>> present(float("nan")) is None, present(pd.NA) is None, present(""), present(0)
    (True, True, '', 0)
    """
    if type(cell) is str:
        return cell
    if cell is None or cell is pd.NA or cell is pd.NaT:
        return None
    return None if isinstance(cell, float) and cell != cell else cell  # noqa: PLR0124 - nan


def word(cell: Any) -> str | None:
    """Give a cell as text, or None where it is missing or blank.

    Parameters
    ----------
    cell : object
        Of a column of names, such as subsets, judges, calls or errors.

    Returns
    -------
    str or None
        A whole number without ".0", as identifiers are read elsewhere.

    Examples
    --------
    >>> word("timeout"), word(3.0), word(" "), word(None)
    ('timeout', '3', None, None)
    """
    cell = present(cell)
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    text = "" if cell is None else str(cell)
    return text if text.strip() else None


def whole(cell: Any) -> int | None:
    """Give a cell as a whole number, or None where it is none.

    Parameters
    ----------
    cell : object
        1, 1.0, "1" or "1.0"; a truth value is no number.

    Returns
    -------
    int or None
        None for everything else.

    Examples
    --------
    >>> whole("1.0"), whole(0), whole(True), whole("yes"), whole(None)
    (1, 0, None, None, None)
    """
    if present(cell) is None or isinstance(cell, bool | np.bool_) or "_" in str(cell):
        return None  # Python reads "1_0" as 10
    try:
        number = float(cell)
    except (TypeError, ValueError, OverflowError):
        return None
    return int(number) if number.is_integer() else None
