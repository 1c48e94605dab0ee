"""Types of the fields of a pack; each refusal names field, value, what is allowed, an example."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, NoReturn, TypeAlias, TypeVar

import numpy as np
from pydantic import BeforeValidator, ValidationInfo

from toolkit.common.strict_model import StrictModel, within
from toolkit.errors import PackError, ToolkitError
from toolkit.gate.hints import closest, did_you_mean
from toolkit.gate.limits import MOST_DIGITS, is_long


class PackPart(StrictModel):
    """Frozen part of a pack; an unknown key is named before anything else is found wrong.

    A misspelt key is otherwise reported as a missing one.
    """

    refusal: ClassVar[type[ToolkitError]] = PackError

    def __init__(self, /, **data: Any) -> None:
        known = list(type(self).model_fields)
        for name in data:
            if name not in known:
                near = closest(name, known)
                raise PackError(
                    f"unknown key {name!r}{did_you_mean(name, known)}",
                    allowed=known,
                    example=f"{near}: ..." if near else self.example,
                    where=name,
                )
        super().__init__(**data)


Part = TypeVar("Part", bound=PackPart)


def refuse(info: ValidationInfo, got: Any, allowed: str, example: str) -> NoReturn:
    """Refuse the value of a field.

    Parameters
    ----------
    info : ValidationInfo
        Pydantic's; knows the name of the field.
    got : object
        The value.
    allowed, example : str
        What would have been accepted, in words, and one value as YAML.

    Raises
    ------
    PackError
        Always.
    """
    field = str(info.field_name)
    raise PackError(
        f"{field!r} is not valid",
        got="nothing (null)" if got is None else got,
        allowed=allowed,
        example=f"{field}: {example}",
        where=field,
    )


def _name(value: Any, info: ValidationInfo) -> str:
    if not isinstance(value, str) or not value.strip() or value != value.strip():
        refuse(info, value, "text without blanks around it; numbers in quotes", '"p1"')
    return value


def _text(value: Any, info: ValidationInfo) -> str:
    if not isinstance(value, str):
        refuse(info, value, "text; in quotes where it looks like a number", '"Some text"')
    return value


def _written(value: Any, info: ValidationInfo) -> str:
    if not isinstance(value, str) or not value.strip():
        refuse(info, value, "text that is not blank", '"Some text"')
    return value


def _texts(value: Any, info: ValidationInfo) -> tuple[str, ...]:
    several = isinstance(value, list | tuple)
    if not several or not all(isinstance(each, str) and each.strip() for each in value):
        refuse(info, value, "a list of texts, or an empty list", '["first", "second"]')
    return tuple(value)


def _positive(value: Any, info: ValidationInfo) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        refuse(info, value, "a whole number, 1 or more", "1")
    _short_enough(value, info)
    return int(value)


def _whole(value: Any, info: ValidationInfo) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        refuse(info, value, "a whole number", "42")
    _short_enough(value, info)
    return int(value)


def _number(value: Any, info: ValidationInfo) -> int | float:
    good = isinstance(value, int | float | np.integer | np.floating)
    _short_enough(value, info)
    if isinstance(value, bool) or not good or not math.isfinite(value):
        refuse(info, value, "a finite number", "2")
    return int(value) if isinstance(value, int | np.integer) else float(value)


def _short_enough(value: Any, info: ValidationInfo) -> None:
    if is_long(value):
        refuse(info, "a longer one", f"a number of at most {MOST_DIGITS} digits", "42")


def _switch(value: Any, info: ValidationInfo) -> bool:
    if not isinstance(value, bool):
        refuse(info, value, "true or false, not in quotes", "true")
    return value


Name: TypeAlias = Annotated[str, BeforeValidator(_name)]
Text: TypeAlias = Annotated[str, BeforeValidator(_text)]
Written: TypeAlias = Annotated[str, BeforeValidator(_written)]
Texts: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_texts)]
Positive: TypeAlias = Annotated[int, BeforeValidator(_positive)]
Whole: TypeAlias = Annotated[int, BeforeValidator(_whole)]
Number: TypeAlias = Annotated[int | float, BeforeValidator(_number)]
Switch: TypeAlias = Annotated[bool, BeforeValidator(_switch)]


def one(model: type[Part], value: Any, where: str) -> Part:
    """Build one part of a pack.

    Parameters
    ----------
    model : type
        What to build.
    value : mapping or model
        Its fields, or the part itself.
    where : str
        Path of the part, for the error.

    Returns
    -------
    PackPart
        The part.

    Raises
    ------
    PackError
        No mapping, or as the model refuses, with the path in front.

    Examples
    --------
    >>> from toolkit.gate.pack import Variant
    >>> one(Variant, {"id": "none"}, "prompt_variants[0]").system_prompt is None
    True
    """
    if isinstance(value, model):
        return value
    if not isinstance(value, Mapping):
        got = "nothing (null)" if value is None else value
        allowed = f"a mapping with {', '.join(model.model_fields)}"
        raise PackError(
            "not a mapping", got=got, allowed=allowed, example=model.example, where=where
        )
    try:
        return model(**{str(name): inside for name, inside in value.items()})
    except PackError as error:
        raise within(where, error) from None


def several(model: type[Part], value: Any, where: str, *, least: int = 1) -> tuple[Part, ...]:
    """Build a list of parts, each with an id of its own.

    Parameters
    ----------
    model : type
        What to build.
    value : list or tuple
        Mappings or parts.
    where : str
        Path of the list.
    least : int
        How many there must be.

    Returns
    -------
    tuple of PackPart
        In the same order.

    Raises
    ------
    PackError
        No list, too short, two parts of one id, or as `one`.

    Examples
    --------
    >>> from toolkit.gate.pack import Variant
    >>> [each.id for each in several(Variant, [{"id": "none"}], "prompt_variants")]
    ['none']
    """
    if not isinstance(value, list | tuple) or len(value) < least:
        raise PackError(
            f"{where!r} is not valid",
            got="nothing (null)" if value is None else value,
            allowed=f"a list of at least {least}",
            example=f"{where}: [{model.example}]",
            where=where,
        )
    parts = tuple(one(model, each, f"{where}[{place}]") for place, each in enumerate(value))
    refuse_twice([(str(getattr(part, "id", "")), f"{where}[{i}]") for i, part in enumerate(parts)])
    return parts


def refuse_twice(found: Sequence[tuple[str, str]]) -> None:
    """Refuse two parts of one id.

    Parameters
    ----------
    found : sequence of (str, str)
        Id and path of each part.

    Raises
    ------
    PackError
        With the id and both paths.

    Examples
    --------
    >>> refuse_twice([("a", "dimensions[0]"), ("b", "dimensions[1]")])
    """
    seen: dict[str, str] = {}
    for name, path in found:
        if name in seen:
            raise PackError(
                f"duplicate id: {seen[name]} has it already",
                got=name,
                allowed="every id once",
                example=f"id: {name}_2",
                where=f"{path}.id",
            )
        seen[name] = path
