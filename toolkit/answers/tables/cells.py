"""Cells of a table as plain values: missing is None, whatever the table calls it."""

from __future__ import annotations

from typing import Any

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
