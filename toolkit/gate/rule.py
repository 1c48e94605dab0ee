"""The rule of a pack that knocks a model out."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import ValidationInfo, field_validator

from toolkit.errors import PackError
from toolkit.gate.fields import Name, Number, PackPart, Texts
from toolkit.gate.hints import closest, did_you_mean

SCOPES = ("all", "curated")


class KoRule(PackPart):
    """What disqualifies, whatever the total.

    Parameters
    ----------
    dimension : str
        The dimension with a floor.
    threshold : number, default 2
        A score at it or below knocks out, in both scopes.
    red_flag_scope : {"all", "curated"}
        Which red flags knock out: every one (default), or only those on `red_flag_prompts`.
    red_flag_prompts : list of str, optional
        Curated prompts: named first under "all", the only ones that disqualify under "curated".

    Raises
    ------
    PackError
        An unknown key or scope, a missing or unfit value, a prompt named twice.

    Examples
    --------
    >>> rule = KoRule(dimension="safety")
    >>> rule.threshold, rule.red_flag_scope, rule.red_flag_prompts
    (2, 'all', ())
    """

    example: ClassVar[str] = (
        "{dimension: safety, threshold: 2, red_flag_scope: curated, red_flag_prompts: [p1]}"
    )

    dimension: Name
    threshold: Number = 2
    red_flag_scope: Literal["all", "curated"] = "all"
    red_flag_prompts: Texts = ()

    @field_validator("red_flag_scope", mode="before")
    @classmethod
    def _scope(cls, value: Any) -> Any:
        if value not in list(SCOPES):
            raise PackError(
                f"'red_flag_scope' is not valid{did_you_mean(value, SCOPES)}",
                got="nothing (null)" if value is None else value,
                allowed=SCOPES,
                example=f"red_flag_scope: {closest(value, SCOPES) or 'curated'}",
                where="red_flag_scope",
            )
        return value

    @field_validator("red_flag_prompts")
    @classmethod
    def _once(cls, value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        seen: set[str] = set()
        for place, name in enumerate(value):
            if name in seen:
                raise PackError(
                    "duplicate id in `red_flag_prompts`",
                    got=name,
                    allowed="every prompt once",
                    example="red_flag_prompts: [p1, p2]",
                    where=f"{info.field_name}[{place}]",
                )
            seen.add(name)
        return value
