"""Read an item: which question it was asked, and which gold value it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toolkit.answers import Convention, Registry
from toolkit.answers.tables.cells import present, whole, word
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError, ConventionError
from toolkit.scoring.field_names import first_held

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
    name = word(_held(item, "id"))
    if name is None:
        raise AnswerError("an item has no id", got=item, example=EXAMPLE)
    where = f"item {name}"
    benchmark = word(_held(item, "benchmark"))
    if benchmark is None:
        raise AnswerError("the item names no benchmark", where=where, example=EXAMPLE)
    try:
        convention = registry.find(
            benchmark,
            word(_held(item, "subset")),
            subcategory=word(_held(item, "subcategory")),
            version=word(_held(item, "version")),
        )
    except ConventionError as error:
        raise ConventionError(
            error.what, got=error.got, allowed=error.allowed, example=error.example, where=where
        ) from None
    return Item(
        name,
        convention,
        _gold(_held(item, "gold"), convention, where),
        word(_held(item, "text")),
    )


def _held(item: Any, field: str) -> Any:
    return first_held(item, field)[1]


def _gold(value: Any, convention: Convention, where: str) -> int | None:
    value = present(value)
    if value is None:
        return None
    if isinstance(value, str) and value in convention.labels:
        return convention.gold(value)
    number = whole(value)
    if number is None or not 0 <= number < convention.k:
        hint = did_you_mean(value, convention.labels) if isinstance(value, str) else ""
        raise AnswerError(
            f"the gold value is none of {'/'.join(convention.key)}{hint}",
            got=value,
            allowed=[*range(convention.k), *convention.labels],
            where=where,
        )
    return number
