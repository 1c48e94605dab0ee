"""Frozen pydantic models that refuse in the words of this package."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from toolkit.common.hints import closest, did_you_mean
from toolkit.errors import SchemaError, ToolkitError


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
    first = error.errors(include_url=False)[0]
    field = str(first["loc"][0]) if first["loc"] else ""
    fields = list(model.model_fields)
    if first["type"] == "extra_forbidden":
        near = closest(field, fields)
        return model.refusal(
            f"unknown key {field!r}{did_you_mean(field, fields)}",
            allowed=fields,
            example=f"{near}: ..." if near else model.example,
            where=field,
        )
    example = model.examples.get(field, model.example)
    if first["type"] == "missing":
        return model.refusal(f"{field!r} is missing", example=example, where=field)
    choices = model.choices.get(field)
    return model.refusal(
        f"{field!r} is not valid{did_you_mean(first['input'], choices) if choices else ''}",
        got=first["input"],
        allowed=choices or first["msg"],
        example=example,
        where=field,
    )
