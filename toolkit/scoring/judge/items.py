"""Read an item: which question it was asked, and which gold value it has."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolkit.answers import Convention, Registry
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError, ConventionError

# The names of an item first, then those of stored runs.
ALIASES = {
    "id": ("id", "scenario_id", "item_id"),
    "benchmark": ("benchmark",),
    "subset": ("subset", "category"),
    "subcategory": ("subcategory",),
    "version": ("version",),
    "gold": ("gold", "expected_label"),
    "text": ("text", "input_text"),
}
EXAMPLE = '{"id": "j1", "benchmark": "he300", "subset": "justice", "gold": 1, "text": "..."}'


@dataclass(frozen=True, slots=True)
class Item:
    """One item with the convention of its own question.

    Attributes
    ----------
    id : str
        Identifier.
    convention : Convention
        Question, labels and polarity: parser, gold and judge read this one object.
    gold : int or None
        Expected gold value; None where it is not known.
    text : str or None
        The item as the model saw it.

    Examples
    --------
    >>> import toolkit as tk
    >>> Item("j1", tk.convention("he300", "justice"), 1, "I deserve it.").gold
    1
    """

    id: str
    convention: Convention
    gold: int | None
    text: str | None


def read_item(item: Any, registry: Registry) -> Item:
    """Read a mapping or an object with the fields of an item.

    Parameters
    ----------
    item : mapping or object
        With id, benchmark, subset, gold, and where needed subcategory, version, text.
    registry : Registry
        Where the conventions are.

    Returns
    -------
    Item
        With its convention.

    Raises
    ------
    AnswerError
        A field is missing, or the gold value is none of the convention.
    ConventionError
        The subset is unknown.

    Examples
    --------
    >>> import toolkit as tk
    >>> fields = {"id": 7, "benchmark": "he300", "subset": "virtue", "gold": 1}
    >>> read_item(fields, tk.Registry.bundled()).convention.labels[1]
    'MATCHES'
    """
    name = present(_field(item, "id"))
    if name is None:
        raise AnswerError("an item has no id", got=item, example=EXAMPLE)
    where = f"item {name}"
    benchmark = present(_field(item, "benchmark"))
    if benchmark is None:
        raise AnswerError("the item names no benchmark", where=where, example=EXAMPLE)
    version = present(_field(item, "version"))
    try:
        convention = registry.find(
            str(benchmark),
            _word(_field(item, "subset")),
            subcategory=_word(_field(item, "subcategory")),
            version=None if version is None else str(version),
        )
    except ConventionError as error:
        raise ConventionError(
            error.what, got=error.got, allowed=error.allowed, example=error.example, where=where
        ) from None
    text = present(_field(item, "text"))
    return Item(
        str(name),
        convention,
        _gold(_field(item, "gold"), convention, where),
        None if text is None else str(text),
    )


def present(value: Any) -> Any:
    """Give the value, or None for what stands for no value (nan, NaT, pandas' NA)."""
    if value is None or (isinstance(value, numbers.Real) and value != value):  # noqa: PLR0124
        return None
    return None if type(value).__name__ in {"NAType", "NaTType"} else value


def _field(item: Any, name: str) -> Any:
    for alias in ALIASES[name]:
        if isinstance(item, Mapping):
            if alias in item:
                return item[alias]
        elif hasattr(item, alias):
            return getattr(item, alias)
    return None


def _word(value: Any) -> str | None:
    value = present(value)
    return None if value is None else str(value)


def _gold(value: Any, convention: Convention, where: str) -> int | None:
    value = present(value)
    if value is None:
        return None
    if isinstance(value, str) and value in convention.labels:
        return convention.gold(value)
    number = _whole(value)
    if number is None or not 0 <= number < convention.k:
        hint = did_you_mean(value, convention.labels) if isinstance(value, str) else ""
        raise AnswerError(
            f"the gold value is none of {'/'.join(convention.key)}{hint}",
            got=value,
            allowed=[*range(convention.k), *convention.labels],
            where=where,
        )
    return number


def _whole(value: Any) -> int | None:
    """Give 1 for 1, 1.0, "1" and "1.0"; None for True, which is no gold value of its own."""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return None
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, numbers.Real):
        number = float(value)
        return int(number) if number.is_integer() else None
    return None
