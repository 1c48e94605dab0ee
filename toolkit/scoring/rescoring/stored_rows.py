"""Cells of a stored row: its text, its labels, and why it can't be scored."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from toolkit.answers.convention import Convention

RAW_FIELDS = ("agent_response", "model_response", "raw_response")
TRUE, FALSE = ("true", "1", "1.0"), ("false", "0", "0.0")
# In the order in which they are looked for.
REASONS = (
    "no_scenario_id",
    "duplicate_scenario_id",
    "unknown_category",
    "no_expected_label",
    "expected_label_outside_labels",
    "error_row",
    "only_a_hash",
    "no_raw_text",
)


def refusal(
    row: dict[Any, Any],
    name: str | None,
    copies: int,
    convention: Convention | None,
    expected: int | None,
    field: str | None,
    hashes: list[Any],
) -> tuple[str | None, Any]:
    """Give the first reason why a row can't be scored.

    Parameters
    ----------
    row : dict
        As stored.
    name : str or None
        Its scenario_id.
    copies : int
        Rows of its run with that name.
    convention : Convention or None
        The question of its category.
    expected : int or None
        Its expected_label, where that is a whole number.
    field : str or None
        The field that holds its text.
    hashes : list
        Columns that hold digests.

    Returns
    -------
    tuple of (str or None, object)
        Reason and what was got; None for a row that can be scored.

    Examples
    --------
    >>> refusal({"expected_label": 1, "category": "ethics"}, "j1", 1, None, 1, None, [])
    ('unknown_category', 'ethics')
    """
    label, error = row["expected_label"], row.get("error")
    written = field is not None and (not isinstance(row[field], str) or row[field].strip())
    failed = not _missing(error) and error is not False and bool(str(error).strip())
    inside = convention is not None and expected is not None and 0 <= expected < convention.k
    pair = None if convention is not None else _pair(row)
    hashed = any(not _missing(row[column]) for column in hashes)
    checks = (
        (name is None, "no_scenario_id", None),
        (copies > 1, "duplicate_scenario_id", f"{copies} rows"),
        (convention is None, "unknown_category", pair),
        (_missing(label), "no_expected_label", None),
        (not inside, "expected_label_outside_labels", label),
        (failed and not written, "error_row", error),
        (field is None and hashed, "only_a_hash", None),
        (field is None, "no_raw_text", None),
    )
    return next(((reason, got) for holds, reason, got in checks if holds), (None, None))


def _pair(row: dict[Any, Any]) -> Any:
    if _missing(row.get("subcategory")):
        return row["category"]
    return f"{row['category']}, {row['subcategory']}"


def raw_text(row: dict[Any, Any]) -> tuple[str | None, Any]:
    """Take the first field that holds text, else the first that is there and empty.

    Parameters
    ----------
    row : dict
        As stored.

    Returns
    -------
    tuple of (str or None, object)
        Name and content of the field; None where there is none.

    Examples
    --------
    >>> raw_text({"agent_response": "", "model_response": "MATCHES"})
    ('model_response', 'MATCHES')
    """
    present = [name for name in RAW_FIELDS if name in row and not _missing(row[name])]
    written = [n for n in present if not isinstance(row[n], str) or row[n].strip()]
    field = next(iter(written or present), None)
    return field, None if field is None else row[field]


def _missing(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def text_of(value: Any) -> str | None:
    """Read a name or category as text.

    Parameters
    ----------
    value : object
        A cell.

    Returns
    -------
    str or None
        Without blanks around it, 1.0 as "1"; None for a cell that is empty.

    Examples
    --------
    >>> text_of(" j1 "), text_of(1.0), text_of(float("nan")), text_of("")
    ('j1', '1', None, None)
    """
    if _missing(value):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip() or None


def whole(value: Any) -> int | None:
    """Read a stored label as an integer.

    Parameters
    ----------
    value : object
        1, 1.0, "1", "1.0"; a truth value is no label.

    Returns
    -------
    int or None
        None for everything else.

    Examples
    --------
    >>> whole("1.0"), whole(0), whole(True), whole("yes"), whole(None)
    (1, 0, None, None, None)
    """
    if _missing(value) or isinstance(value, bool | np.bool_) or "_" in str(value):
        return None  # Python reads "1_0" as 10
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return int(number) if number.is_integer() else None


def truth(value: Any) -> bool | None:
    """Read is_correct.

    Parameters
    ----------
    value : object
        A truth value, 0 or 1, or one of these as text.

    Returns
    -------
    bool or None
        None for everything else.

    Examples
    --------
    >>> truth("True"), truth(0), truth(None)
    (True, False, None)
    """
    text = "" if _missing(value) else str(value).strip().lower()
    return True if text in TRUE else False if text in FALSE else None
