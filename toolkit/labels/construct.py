"""One thing that raters label: its categories in order, and what counts as no label."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from pydantic import (
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    field_validator,
    model_validator,
)

from toolkit.common.hints import did_you_mean
from toolkit.common.strict_model import StrictModel
from toolkit.common.utf8 import is_unicode
from toolkit.errors import SchemaError
from toolkit.labels.values import MISSING_WORDS, Coder, category_keys, is_null, is_scalar, key

Value: TypeAlias = StrictBool | StrictInt | StrictFloat | StrictStr

MOST_CATEGORIES = 1000  # a k by k table of more is no table of categories


class Construct(StrictModel):
    """One thing that raters label, with its categories.

    Parameters
    ----------
    kind : {"nominal", "ordinal"}, optional
        Whether the order of the categories means more and less. Default nominal.
    categories : list, or mapping of value to display label
        1 to 1000 distinct values, in order, lowest first: text, whole or decimal numbers, truth
        values. ``1``, ``"1"``, ``1.0`` and ``True`` are one value.
    labels : list of str, optional
        Display label of each category. Default: the value as text.
    present : list, optional
        Categories that mean the construct is there; may be several, or none (then prevalence is
        undefined). A single value may stand alone, here and below.
    missing : list, optional
        Values that stand for no label. Nulls and blank text always do. Default: the words NA, NaN,
        nan, <NA>, null and NULL, but for those that are categories or abstentions.
    abstain : list, optional
        Values by which a rater declines to choose ("unsure"). Left out of every table, as missing
        ones are, and counted apart from them.
    order_declared : bool, optional
        False where the order of the categories is only that in which they appeared in the data.

    Raises
    ------
    SchemaError
        An unknown key or kind, no or repeated categories, a present value that is no category, a
        value with two meanings.

    Examples
    --------
    >>> construct = Construct(kind="ordinal", categories={1: "poor", 2: "fair", 3: "good"})
    >>> construct.k, construct.categories, construct.labels
    (3, (1, 2, 3), ('poor', 'fair', 'good'))
    >>> Construct(categories=[0, 1], present=[True]).present
    (1,)
    """

    choices: ClassVar[dict[str, list[str]]] = {"kind": ["nominal", "ordinal"]}
    examples: ClassVar[dict[str, str]] = {
        "kind": "kind: ordinal",
        "categories": "categories: [0, 1]",
    }

    kind: Literal["nominal", "ordinal"] = "nominal"
    categories: tuple[Value, ...]
    labels: tuple[StrictStr, ...] = ()
    present: tuple[Value, ...] = ()
    missing: tuple[Value, ...] = MISSING_WORDS
    abstain: tuple[Value, ...] = ()
    order_declared: StrictBool = True

    @property
    def k(self) -> int:
        """Number of categories."""
        return len(self.categories)

    @property
    def coder(self) -> Coder:
        """What turns raw values into positions in `categories`."""
        return Coder(self.categories, missing=self.missing, abstain=self.abstain)

    def to_dict(self) -> dict[str, Any]:
        """Give what `Schema.read` accepts and strict JSON can hold.

        Returns
        -------
        dict
            Every field by its name.

        Examples
        --------
        >>> Construct(categories=["no", "yes"], present="yes").to_dict()["present"]
        ['yes']
        """
        return self.model_dump(mode="json")

    @model_validator(mode="before")
    @classmethod
    def _shapes(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        data = dict(data)
        if isinstance(data.get("categories"), Mapping):
            if "labels" in data:
                raise SchemaError(
                    "display labels are given twice",
                    allowed="a mapping value: label, or a list of categories and `labels`",
                    where="labels",
                )
            pairs = data["categories"]
            data |= {"categories": list(pairs), "labels": [str(v) for v in pairs.values()]}
        for name in ("categories", "present", "missing", "abstain"):
            if name in data:
                data[name] = _values(data[name], name)
        categories = data.get("categories", ())
        data.setdefault("labels", [str(category) for category in categories])
        if "missing" not in data:
            meant = {*map(str, categories), *map(str, data.get("abstain", ()))}
            data["missing"] = tuple(word for word in MISSING_WORDS if word not in meant)
        return data

    @field_validator("categories")
    @classmethod
    def _distinct(cls, categories: tuple[Any, ...]) -> tuple[Any, ...]:
        if not 1 <= len(categories) <= MOST_CATEGORIES:
            raise SchemaError(
                f"{len(categories)} categories",
                allowed=f"1 to {MOST_CATEGORIES}, normally 2 or more",
                example="categories: [0, 1]",
                where="categories",
            )
        seen: dict[Any, Any] = {}
        for category, reduced in zip(categories, category_keys(categories), strict=True):
            if reduced is None or (isinstance(category, str) and category != category.strip()):
                raise SchemaError(
                    "a category is blank or has blanks around it",
                    got=category,
                    example="categories: [low, medium, high]",
                    where="categories",
                )
            if reduced in seen:
                raise SchemaError(
                    "two categories mean the same",
                    got=[seen[reduced], category],
                    allowed='distinct values; 1, "1", 1.0 and true are one value',
                    where="categories",
                )
            seen[reduced] = category
        return categories

    @model_validator(mode="after")
    def _meanings(self) -> Construct:
        if len(self.labels) != self.k or len(set(self.labels)) != self.k:
            raise SchemaError(
                "display labels do not fit the categories",
                got=list(self.labels),
                allowed=f"{self.k} distinct labels, one for each of {list(self.categories)}",
                where="labels",
            )
        coder = Coder(self.categories)
        codes = [coder.code(value) for value in self.present]
        for value, code in zip(self.present, codes, strict=True):
            if code < 0:
                raise SchemaError(
                    f"`present` names no category{did_you_mean(value, self.categories)}",
                    got=value,
                    allowed=self.categories,
                    where="present",
                )
        # Frozen for callers; here the values take the form that `categories` gives them.
        chosen = tuple(self.categories[code] for code in sorted(set(codes)))
        object.__setattr__(self, "present", chosen)
        for name, others in (("missing", ()), ("abstain", self.missing)):
            for value in getattr(self, name):
                if coder.code(value) >= 0 or key(value) in map(key, others):
                    raise SchemaError(
                        f"a value in `{name}` already has another meaning",
                        got=value,
                        allowed="values that are in one of categories, missing and abstain",
                        where=name,
                    )
        return self


def _values(given: Any, name: str) -> tuple[Any, ...]:
    """Take one value or several; numpy scalars become Python's, nulls among several go."""
    if isinstance(given, list | tuple | np.ndarray):
        several = list(given)
    elif name == "categories":
        raise SchemaError(
            "`categories` is a list, or a mapping value: label",
            got=given,
            example="categories: [0, 1]",
            where=name,
        )
    else:
        several = [given]
    values = [value.item() if isinstance(value, np.generic) else value for value in several]
    for value in values:
        null = is_null(value)
        if (null and name == "categories") or not (null or _can_be_label(value)):
            raise SchemaError(
                "not a value that a label can have",
                got=value,
                allowed="text, a finite number, true or false",
                example=f"{name}: [0, 1]",
                where=name,
            )
    return tuple(value for value in values if not is_null(value))


def _can_be_label(value: Any) -> bool:
    if isinstance(value, str):
        return is_unicode(value)
    return is_scalar(value) and not (isinstance(value, float) and math.isinf(value))
