"""Frames and numbers as HTML: every cell is shown as text."""

from __future__ import annotations

import math

import pandas as pd
from IPython.display import HTML


def as_table(frame: pd.DataFrame, *, header: bool = True) -> HTML:
    """Show a frame with every cell as text; numbers with two decimals.

    Parameters
    ----------
    frame : DataFrame
        Short enough to be read.
    header : bool
        Whether to show the names of the columns.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> "&lt;b&gt;" in as_table(pd.DataFrame({"model": ["<b>"]})).data
    True
    """
    shown = frame.copy()
    for column in shown.columns:
        if pd.api.types.is_float_dtype(shown[column]):
            shown[column] = shown[column].map(number)
    return HTML(shown.to_html(index=False, header=header, escape=True, border=0, justify="left"))


def number(value: float) -> str:
    """Give a number with two decimals.

    Parameters
    ----------
    value : float
        A share, mostly.

    Returns
    -------
    str

    Examples
    --------
    >>> number(0.125), number(float("nan"))
    ('0.12', 'undefined')
    """
    # Adding 0 turns a rounded -0.0 into 0.0.
    return "undefined" if math.isnan(value) else f"{round(value, 2) + 0:.2f}"


def with_limits(value: float, low: float, high: float) -> str:
    r"""Give a number with its interval.

    Parameters
    ----------
    value, low, high : float
        nan where they are undefined.

    Returns
    -------
    str
        On one line, thanks to no-break spaces.

    Examples
    --------
    >>> with_limits(0.5, 0.25, 0.75)
    '0.50\xa0[0.25,\xa00.75]'
    """
    if math.isnan(value):
        return number(value)
    return f"{number(value)}\u00a0[{number(low)},\u00a0{number(high)}]"


def p_value(value: float) -> str:
    """Give a p-value as it is printed.

    Parameters
    ----------
    value : float
        nan where there is none.

    Returns
    -------
    str

    Examples
    --------
    >>> p_value(0.0312), p_value(1e-9)
    ('0.031', 'below 0.001')
    """
    if math.isnan(value):
        return "undefined"
    return f"{value:.3f}" if value >= 0.001 else "below 0.001"  # noqa: PLR2004  printed precision
