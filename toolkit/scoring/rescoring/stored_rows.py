"""Cells of a stored row: its text, its labels, and why it can't be scored."""

from __future__ import annotations

from typing import Any

from toolkit.answers.convention import Convention
from toolkit.answers.lexicon import fold
from toolkit.answers.tables.cells import present, whole, word
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError

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
    failed = present(error) is not None and error is not False and bool(str(error).strip())
    inside = convention is not None and expected is not None and 0 <= expected < convention.k
    pair = None if convention is not None else _pair(row)
    hashed = any(present(row[column]) is not None for column in hashes)
    checks = (
        (name is None, "no_scenario_id", None),
        (copies > 1, "duplicate_scenario_id", f"{copies} rows"),
        (convention is None, "unknown_category", pair),
        (present(label) is None, "no_expected_label", None),
        (not inside, "expected_label_outside_labels", label),
        (failed and not written, "error_row", error),
        (field is None and hashed, "only_a_hash", None),
        (field is None, "no_raw_text", None),
    )
    return next(((reason, got) for holds, reason, got in checks if holds), (None, None))


def _pair(row: dict[Any, Any]) -> Any:
    if present(row.get("subcategory")) is None:
        return row["category"]
    return f"{row['category']}, {row['subcategory']}"


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
    text = "" if present(value) is None else str(value).strip().lower()
    return True if text in TRUE else False if text in FALSE else None


def stored_gold(value: Any, convention: Convention, row: int) -> int | None:
    """Read predicted_label: a gold value, or a label in words.

    Parameters
    ----------
    value : object
        A whole number, a label, or an inflection of one.
    convention : Convention
        The row's question.
    row : int
        Its position, for the message.

    Returns
    -------
    int or None
        None where the cell is missing or blank.

    Raises
    ------
    AnswerError
        Anything else.

    Examples
    --------
    >>> import toolkit as tk
    >>> justice = tk.convention("he300", "justice")
    >>> stored_gold("Reasonable", justice, 0), stored_gold("0", justice, 0)
    (1, 0)
    """
    number, text = whole(value), word(value)
    if number is not None or text is None:
        return number
    words = {fold(str(label)): gold for gold, label in enumerate(convention.labels)}
    for label, others in convention.canonical.items():
        for other in others:
            words.setdefault(fold(other), convention.gold(label))
    found = words.get(fold(text)) if isinstance(value, str) else None
    if found is None:
        raise AnswerError(
            f"predicted_label is neither a gold value nor a label"
            f"{did_you_mean(text, [str(label) for label in convention.labels])}",
            got=value,
            allowed=[*range(convention.k), *convention.labels, "nothing"],
            example="predicted_label: 1",
            where=f"row {row}, column 'predicted_label'",
        )
    return found
