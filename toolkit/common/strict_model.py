"""Frozen pydantic models that refuse in the words of this package."""

from __future__ import annotations

from typing import Any, ClassVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from toolkit.common.hints import closest, did_you_mean
from toolkit.errors import SchemaError, ToolkitError

# Pydantic's types of errors, in the words of somebody who writes YAML.
_WORDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a decimal number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping",
}


class StrictModel(BaseModel):
    """Frozen; unknown keys and every other failure raise the error named in ``refusal``.

    Attributes
    ----------
    refusal : type
        What is raised, a `ToolkitError`.
    example : str
        One valid input, shown where a field has none of its own.
    choices : dict
        Field -> allowed words, for fields that take one of a few.
    examples : dict
        Field -> one valid input.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    refusal: ClassVar[type[ToolkitError]] = SchemaError
    example: ClassVar[str] = (
        "constructs: {escalation: {kind: nominal, categories: [0, 1], present: [1]}}"
    )
    choices: ClassVar[dict[str, list[str]]] = {}
    examples: ClassVar[dict[str, str]] = {}

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise _refusal(error, type(self)) from None


def within(prefix: str, error: ToolkitError, separator: str = ".") -> ToolkitError:
    """Say in which larger thing the field of an error lies."""
    where = f"{prefix}{separator}{error.where}" if error.where else prefix
    return type(error)(
        error.what, got=error.got, allowed=error.allowed, example=error.example, where=where
    )


def _refusal(error: ValidationError, model: type[StrictModel]) -> ToolkitError:
    errors = error.errors(include_url=False)
    # An unknown key first: a misspelt one would else be reported as one that is missing.
    first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    field = str(first["loc"][0]) if first["loc"] else ""
    fields = list(model.model_fields)
    if first["type"] == "extra_forbidden":
        near = closest(field, fields)
        return model.refusal(
            f"unknown key {field!r}{did_you_mean(field, fields)}",
            allowed=fields,
            example=model.examples.get(str(near), model.example),
            where=field,
        )
    example = model.examples.get(field, model.example)
    if first["type"] == "missing":
        return model.refusal(f"{field!r} is missing", example=example, where=field)
    choices = model.choices.get(field)
    return model.refusal(
        f"{field!r} is not valid{did_you_mean(first['input'], choices) if choices else ''}",
        got=first["input"],
        allowed=choices or _allowed(first, errors, model),
        example=example,
        where=field,
    )


def _allowed(first: Any, errors: list[Any], model: type[StrictModel]) -> str:
    """Say in words what the place takes; every type of a choice of types has an error there."""
    given = first["input"]
    same = [one for one in errors if one["input"] is given and len(one["loc"]) == len(first["loc"])]
    kinds = [_WORDS[one["type"]] for one in same if one["type"] in _WORDS]
    if first["type"] == "tuple_type" and _holds_words(first["loc"], model):
        kinds = ["a list of words"]
    if not kinds:
        return str(first["msg"])
    if isinstance(given, bool) and "text" in kinds:
        word = str(given).lower()
        return f'{_either(kinds)}; a truth value that is a word here is quoted: "{word}"'
    return _either(kinds)


def _either(kinds: list[str]) -> str:
    *head, last = sorted(dict.fromkeys(kinds), key=lambda kind: kind != "text")
    return f"{', '.join(head)} or {last}" if head else last


def _holds_words(loc: tuple[Any, ...], model: type[StrictModel]) -> bool:
    """Tell whether the list at a place of a field holds text and nothing else."""
    kind: Any = model.model_fields[str(loc[0])].annotation
    for _ in loc[1:]:
        kind = (get_args(kind) or (None,))[-1]  # values of a mapping
    item = (get_args(kind) or (None,))[0]
    return item is str or get_args(item)[:1] == (str,)
