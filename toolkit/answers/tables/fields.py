"""An Answer as one row: names, order and types that depend on what was asked, never on the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from toolkit.answers.answer import LEVELS, Answer

if TYPE_CHECKING:
    from collections.abc import Collection

FIELDS = (
    "label",
    "gold",
    "polarity",
    "outcome",
    "rule",
    "stage",
    "span_start",
    "span_end",
    "level",
    "flags",
    "normalizer_version",
    "registry_digest",
    "raw_sha256",
)
RUNG = ("outcome", "label", "gold", "rule", "flags")
LADDER = tuple(f"{name}_{level}" for level in LEVELS for name in RUNG)
INTEGER, DECIMAL, TEXT = "Int64", "Float64", "str"
FLAG_SEPARATOR = ";"

Record: TypeAlias = tuple[Any, ...]


def record(answer: Answer) -> Record:
    """Lay an answer out in the order of `FIELDS`.

    Parameters
    ----------
    answer : Answer
        What was read.

    Returns
    -------
    tuple
        None where there is nothing to say; flags joined by ";".

    Examples
    --------
    >>> from toolkit.answers.answer import Answer
    >>> record(Answer(None, None, None, "no_answer", None, None, None, "strict"))[:5]
    (None, None, None, 'no_answer', None)
    """
    start, end = answer.span or (None, None)
    return (
        answer.label,
        answer.gold,
        answer.polarity,
        answer.outcome,
        answer.rule,
        answer.stage,
        start,
        end,
        answer.level,
        _joined(answer.flags),
        answer.normalizer_version,
        answer.registry_digest,
        answer.raw_sha256,
    )


def rungs(answers: dict[str, Answer]) -> Record:
    """Lay the answers of all levels out in the order of `LADDER`.

    Parameters
    ----------
    answers : dict of str to Answer
        By level, as `ladder` gives them.

    Returns
    -------
    tuple
        What `RUNG` names, of each level.

    Examples
    --------
    >>> import toolkit as tk
    >>> rungs(tk.ladder("REASONABLE", tk.convention("he300", "justice")))[:3]
    ('answered', 'REASONABLE', 1)
    """
    found = (answers[level] for level in LEVELS)
    return tuple(
        part
        for one in found
        for part in (one.outcome, one.label, one.gold, one.rule, _joined(one.flags))
    )


def _joined(flags: tuple[str, ...]) -> str:
    # A flag may quote an error message, which may hold the separator.
    return FLAG_SEPARATOR.join(flag.replace(FLAG_SEPARATOR, ",") for flag in flags)


def label_type(labels: Collection[Any]) -> str:
    """Choose the type of the column of labels from the labels on offer.

    Parameters
    ----------
    labels : collection of str, int or float
        Everything that could be answered.

    Returns
    -------
    {"Int64", "Float64", "str"}
        Numbers only where every label on offer is one; else text, 3 then being "3".

    Examples
    --------
    >>> label_type([1, 2]), label_type([-0.5, 1]), label_type(["KIND"]), label_type([0, "other"])
    ('Int64', 'Float64', 'str', 'str')
    """
    if all(isinstance(label, int) for label in labels):
        return INTEGER
    return DECIMAL if all(isinstance(label, int | float) for label in labels) else TEXT


def type_of(field: str, label: str) -> str:
    """Give the type of a field's column.

    Parameters
    ----------
    field : str
        One of `FIELDS`, of `LADDER`, or of a label table.
    label : str
        The type of labels.

    Returns
    -------
    str
        A pandas type.

    Examples
    --------
    >>> type_of("gold_exact", "str"), type_of("outcome", "Int64"), type_of("label", "Int64")
    ('Int64', 'str', 'Int64')
    """
    if field.startswith("label"):
        return label
    return INTEGER if field.startswith(("gold", "span_")) else TEXT
