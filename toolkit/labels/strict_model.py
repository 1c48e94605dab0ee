"""Frozen pydantic models that refuse in the words of this package."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from toolkit.errors import SchemaError
from toolkit.labels.hints import closest, did_you_mean

EXAMPLE = "constructs: {escalation: {kind: nominal, categories: [0, 1], present: [1]}}"


class StrictModel(BaseModel):
    """Frozen; unknown keys and every other failure raise `SchemaError`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise _refusal(error, list(type(self).model_fields)) from None


def within(prefix: str, error: SchemaError, separator: str = ".") -> SchemaError:
    """Say in which larger thing the field of an error lies."""
    where = f"{prefix}{separator}{error.where}" if error.where else prefix
    return SchemaError(
        error.what, got=error.got, allowed=error.allowed, example=error.example, where=where
    )


def _refusal(error: ValidationError, fields: list[str]) -> SchemaError:
    first = error.errors(include_url=False)[0]
    field = str(first["loc"][0]) if first["loc"] else ""
    if first["type"] == "extra_forbidden":
        near = closest(field, fields)
        return SchemaError(
            f"unknown key {field!r}{did_you_mean(field, fields)}",
            allowed=fields,
            example=f"{near}: ..." if near else EXAMPLE,
            where=field,
        )
    if first["type"] == "missing":
        return SchemaError(f"{field!r} is missing", example=f"{field}: [0, 1]", where=field)
    allowed = ["nominal", "ordinal"] if field == "kind" else first["msg"]
    return SchemaError(
        f"{field!r} is not valid{did_you_mean(first['input'], allowed) if field == 'kind' else ''}",
        got=first["input"],
        allowed=allowed,
        example="kind: ordinal" if field == "kind" else EXAMPLE,
        where=field,
    )
