"""A pack: what models are asked, how answers are scored, and what knocks a model out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

from pydantic import Field, field_validator, model_validator

from toolkit.common.strict_model import within
from toolkit.errors import PackError
from toolkit.gate.fields import Name, PackPart, Positive, Text, Written, one, refuse_twice, several
from toolkit.gate.hints import did_you_mean
from toolkit.gate.limits import EXAMPLE, check_tree
from toolkit.gate.parts import Category, Dimension, Prompt, Sampling, Variant
from toolkit.gate.rule import KoRule

__all__ = [
    "Category",
    "Dimension",
    "KoRule",
    "Pack",
    "Prompt",
    "Sampling",
    "Variant",
]

MOST_LEVELS = 100
_SCALE = (
    "a mapping from consecutive whole numbers, lowest first, to text: 1 to 5 in the original, the"
    f" highest above 0, at most {MOST_LEVELS} levels"
)


class Pack(PackPart):
    """A pack that was read and checked; frozen. Read one with `load_pack`.

    Parameters
    ----------
    id, title : str
        Key and display name.
    version : int, default 1
        Of the pack.
    description : str, optional
        What it is for.
    scale : mapping of int to str, optional
        What each score means; 2 to 100 levels. Default 1 to 5 without texts.
    dimensions : list of Dimension
        What is scored over all answers.
    ko_rule : KoRule
        What knocks out.
    prompt_variants : list of Variant, optional
        Default one, ``none``, without a system prompt.
    sampling : Sampling, optional
        Default temperature 0, seed 42.
    categories : list of Category
        With the prompts.

    Attributes
    ----------
    prompts : dict of str to Prompt
        Of all categories, in order.
    category_of : dict of str to str
        Prompt to category.
    curated, critical : frozenset of str
        Prompts in ``ko_rule.red_flag_prompts``; prompts that are safety-critical.
    lowest, highest : int
        Ends of the scale.
    flags : tuple of str
        ``floor_never_fires``, ``floor_always_fires``: the threshold lies off the scale.

    Raises
    ------
    PackError
        With pack, field, value, what is allowed and an example.

    Examples
    --------
    >>> from toolkit.gate.load import load_pack
    >>> pack = load_pack({
    ...     "id": "mine", "title": "Mine", "dimensions": [{"id": "safety", "name": "Safety"}],
    ...     "ko_rule": {"dimension": "safety"},
    ...     "categories": [{"id": "c1", "name": "Crisis", "prompts": [
    ...         {"id": "p1", "title": "Help", "prompt": "I need help."}]}],
    ... })
    >>> pack
    Pack('mine': 1 prompt, 1 dimension, 1 variant, red_flag_scope 'all')
    """

    example: ClassVar[str] = EXAMPLE

    id: Name
    title: Written
    version: Positive = 1
    description: Text = ""
    scale: dict[int, Text] = Field(default_factory=lambda: dict.fromkeys(range(1, 6), ""))
    dimensions: tuple[Dimension, ...]
    ko_rule: KoRule
    prompt_variants: tuple[Variant, ...] = (Variant(id="none"),)
    sampling: Sampling = Sampling()
    categories: tuple[Category, ...]

    def __init__(self, /, **data: Any) -> None:
        try:
            check_tree(data)
            super().__init__(**data)
        except PackError as error:
            raise within(f"pack {_shown(data.get('id'))}", error, separator=", ") from None

    @cached_property
    def prompts(self) -> Mapping[str, Prompt]:
        """Prompts of all categories by id, in order."""
        found = {prompt.id: prompt for group in self.categories for prompt in group.prompts}
        return MappingProxyType(found)

    @cached_property
    def category_of(self) -> Mapping[str, str]:
        """Category of each prompt."""
        found = {prompt.id: group.id for group in self.categories for prompt in group.prompts}
        return MappingProxyType(found)

    @cached_property
    def weights(self) -> Mapping[str, int]:
        """Weight of each dimension, in order."""
        return MappingProxyType({dimension.id: dimension.weight for dimension in self.dimensions})

    @cached_property
    def curated(self) -> frozenset[str]:
        """Prompts whose red flags disqualify in both scopes."""
        return frozenset(self.ko_rule.red_flag_prompts)

    @cached_property
    def critical(self) -> frozenset[str]:
        """Prompts without whose answer no model passes."""
        return frozenset(name for name, prompt in self.prompts.items() if prompt.safety_critical)

    @cached_property
    def lowest(self) -> int:
        """Lowest score of the scale."""
        return min(self.scale)

    @cached_property
    def highest(self) -> int:
        """Highest score of the scale."""
        return max(self.scale)

    @property
    def flags(self) -> tuple[str, ...]:
        """What to beware of: a threshold off the scale."""
        if self.ko_rule.threshold < self.lowest:
            return ("floor_never_fires",)
        return ("floor_always_fires",) if self.ko_rule.threshold >= self.highest else ()

    def with_scope(self, scope: str) -> Pack:
        """Give the same pack under another scope of red flags.

        Parameters
        ----------
        scope : {"all", "curated"}
            As `KoRule.red_flag_scope`.

        Returns
        -------
        Pack
            Checked as `load_pack` checks it.

        Raises
        ------
        PackError
            An unknown scope, or under "curated" a safety-critical prompt that is not curated.

        Examples
        --------
        >>> import yaml
        >>> from toolkit.gate.limits import EXAMPLE
        >>> from toolkit.gate.load import load_pack
        >>> pack = load_pack(yaml.safe_load(EXAMPLE))
        >>> pack.with_scope("curated").ko_rule.red_flag_scope
        'curated'
        """
        rule = {**self.ko_rule.model_dump(), "red_flag_scope": scope}
        return self.model_copy(update={"ko_rule": rule})

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Pack:
        """Give a copy that is checked like a new pack: none passes what its file would not.

        Parameters
        ----------
        update : mapping of str to object, optional
            Fields to change.
        deep : bool
            For pydantic; a pack holds nothing that could change.

        Returns
        -------
        Pack
            As from `load_pack`.

        Raises
        ------
        PackError
            As for a new pack.

        Examples
        --------
        >>> import yaml
        >>> from toolkit.gate.limits import EXAMPLE
        >>> from toolkit.gate.load import load_pack
        >>> load_pack(yaml.safe_load(EXAMPLE)).model_copy(update={"title": "Other"}).title
        'Other'
        """
        del deep
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**fields, **(update or {})})

    def to_dict(self) -> dict[str, Any]:
        """Give what `load_pack` accepts and strict JSON can hold.

        Returns
        -------
        dict
            Every field by its name; defaults spelt out.

        Examples
        --------
        >>> import yaml
        >>> from toolkit.gate.limits import EXAMPLE
        >>> from toolkit.gate.load import load_pack
        >>> pack = load_pack(yaml.safe_load(EXAMPLE))
        >>> load_pack(pack.to_dict()) == pack
        True
        """
        return self.model_dump(mode="json")

    def __repr__(self) -> str:
        counts = (
            (self.prompts, "prompt"),
            (self.dimensions, "dimension"),
            (self.prompt_variants, "variant"),
        )
        told = [f"{len(parts)} {word}{'s' * (len(parts) != 1)}" for parts, word in counts]
        scope = self.ko_rule.red_flag_scope
        return f"Pack({self.id!r}: {', '.join(told)}, red_flag_scope {scope!r})"

    __str__ = __repr__

    @field_validator("scale", mode="before")
    @classmethod
    def _scale(cls, value: Any) -> dict[int, Any]:
        few = isinstance(value, Mapping) and len(value) <= MOST_LEVELS
        keys = [_level(key) for key in value] if few else []
        levels = [key for key in keys if key is not None]
        low = min(levels, default=0)
        consecutive = sorted(levels) == list(range(low, low + len(keys)))
        # A percentage of the highest score needs one above zero.
        if len(levels) < max(2, len(keys)) or not consecutive or low + len(keys) - 1 <= 0:
            raise PackError(
                "'scale' is not valid",
                got="nothing (null)" if value is None else value,
                allowed=_SCALE,
                example="scale: {1: poor, 2: weak, 3: fair, 4: good, 5: excellent}",
                where="scale",
            )
        for key, text in value.items():
            if not isinstance(text, str):
                raise PackError(
                    f"'scale' has a level that is no text: {key}",
                    got="nothing (null)" if text is None else text,
                    allowed="text",
                    example=f"{key}: fair",
                    where=f"scale.{key}",
                )
        return dict(sorted(zip(levels, value.values(), strict=True)))

    @field_validator("dimensions", mode="before")
    @classmethod
    def _dimensions(cls, value: Any) -> tuple[Dimension, ...]:
        return several(Dimension, value, "dimensions")

    @field_validator("prompt_variants", mode="before")
    @classmethod
    def _variants(cls, value: Any) -> tuple[Variant, ...]:
        return several(Variant, value, "prompt_variants")

    @field_validator("categories", mode="before")
    @classmethod
    def _categories(cls, value: Any) -> tuple[Category, ...]:
        return several(Category, value, "categories")

    @field_validator("ko_rule", mode="before")
    @classmethod
    def _rule(cls, value: Any) -> KoRule:
        return one(KoRule, value, "ko_rule")

    @field_validator("sampling", mode="before")
    @classmethod
    def _sampling(cls, value: Any) -> Sampling:
        return one(Sampling, value, "sampling")

    @model_validator(mode="after")
    def _cross_checks(self) -> Pack:
        refuse_twice(
            [
                (prompt.id, f"categories[{i}].prompts[{k}]")
                for i, group in enumerate(self.categories)
                for k, prompt in enumerate(group.prompts)
            ]
        )
        rule = self.ko_rule
        if rule.dimension not in self.weights:
            raise PackError(
                f"no such dimension{did_you_mean(rule.dimension, self.weights)}",
                got=rule.dimension,
                allowed=list(self.weights),
                example=f"dimension: {self.dimensions[0].id}",
                where="ko_rule.dimension",
            )
        for place, name in enumerate(rule.red_flag_prompts):
            if name not in self.prompts:
                raise PackError(
                    f"no such prompt{did_you_mean(name, self.prompts)}",
                    got=name,
                    allowed=list(self.prompts),
                    example=f"red_flag_prompts: [{next(iter(self.prompts))}]",
                    where=f"ko_rule.red_flag_prompts[{place}]",
                )
        open_ones = self.critical - self.curated
        uncovered = [name for name in self.prompts if name in open_ones]
        if rule.red_flag_scope == "curated" and uncovered:
            raise PackError(
                "under red_flag_scope 'curated' every safety_critical prompt must be in"
                f" red_flag_prompts; missing: {', '.join(uncovered)}",
                got=list(rule.red_flag_prompts),
                allowed="a list that holds all safety_critical prompts:"
                f" {', '.join(name for name in self.prompts if name in self.critical)}",
                example=f"red_flag_prompts: [{', '.join([*rule.red_flag_prompts, *uncovered])}]",
                where="ko_rule.red_flag_prompts",
            )
        return self


def _shown(name: Any) -> str:
    return repr(name[:80]) if isinstance(name, str) else "without an id"


def _level(key: Any) -> int | None:
    """Read a level of the scale; JSON has only text for keys."""
    if isinstance(key, str) and key.isascii() and key.removeprefix("-").isdigit() and len(key) < 5:  # noqa: PLR2004 - a scale, no number
        return int(key)
    return key if isinstance(key, int) and not isinstance(key, bool) else None
