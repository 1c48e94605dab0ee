"""Checks of what a simulation is asked to plant; every refusal says what is allowed."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any

from toolkit.common.hints import did_you_mean
from toolkit.errors import ToolkitError
from toolkit.labels.simulation.latent import LatentConstruct

EXAMPLE = 'simulate({"harm": {"prevalence": 0.1, "sensitivity": 0.8, "specificity": 0.97}})'
MOST_CATEGORIES = 100
MOST_HUMANS = 3

OPTIONS = ("prevalence", "sensitivity", "specificity", "categories", "agreement", "human_error")
BINARY_ONLY = ("sensitivity", "specificity")
ORDINAL_ONLY = ("agreement",)


def read_constructs(
    constructs: Any, defaults: Mapping[str, Any], humans: int
) -> list[LatentConstruct]:
    """Turn names, or name -> options, into constructs of the latent world."""
    if isinstance(constructs, str) or not isinstance(constructs, Mapping | Sequence):
        raise ToolkitError(
            "constructs must be names, or a mapping from name to options",
            got=constructs,
            allowed="a list of strings, or a dict of dicts",
            example='simulate(["escalation", "self_harm"])',
            where="constructs",
        )
    if not constructs:
        raise ToolkitError("there is no construct to simulate", got=constructs, example=EXAMPLE)
    if isinstance(constructs, Mapping):
        pairs = list(constructs.items())
    else:
        pairs = [(name, {}) for name in constructs]
    for name, _ in pairs:
        if not isinstance(name, str) or not name:
            raise ToolkitError(
                "the name of a construct must be a string that is not empty",
                got=name,
                example=EXAMPLE,
                where="constructs",
            )
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ToolkitError("a construct is named twice", got=name, where="constructs")
    return [_read_construct(name, own, defaults, humans) for name, own in pairs]


def _read_construct(
    name: str, own: Any, defaults: Mapping[str, Any], humans: int
) -> LatentConstruct:
    if not isinstance(own, Mapping):
        raise ToolkitError(
            "the options of a construct must be a mapping",
            got=own,
            allowed=OPTIONS,
            example=EXAMPLE,
            where=f"construct {name!r}",
        )
    for option in own:
        if option not in OPTIONS:
            raise ToolkitError(
                f"unknown option of construct {name!r}{did_you_mean(str(option), OPTIONS)}",
                got=option,
                allowed=OPTIONS,
                example=EXAMPLE,
                where=f"construct {name!r}",
            )
    options = {**defaults, **own}
    categories = _categories(options["categories"], f"categories of {name!r}")
    binary = len(categories) == 2  # noqa: PLR2004 - a yes and a no
    for option in ORDINAL_ONLY if binary else BINARY_ONLY:
        if option in own:
            raise ToolkitError(
                f"{option} does not apply to a construct with {len(categories)} categories",
                got=own[option],
                allowed=BINARY_ONLY if binary else ORDINAL_ONLY,
                where=f"construct {name!r}",
            )
    rates = {
        option: probability(options[option], f"{option} of {name!r}")
        for option in (*BINARY_ONLY, *ORDINAL_ONLY)
    }
    return LatentConstruct(
        name=name,
        categories=categories,
        prevalence=_prevalence(options["prevalence"], len(categories), f"prevalence of {name!r}"),
        human_error=_human_error(options["human_error"], humans, f"human_error of {name!r}"),
        **rates,
    )


def probability(value: Any, where: str) -> float:
    """Read a number in [0, 1]."""
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number <= 1:
        raise ToolkitError(
            "this must be a number between 0 and 1",
            got=value,
            allowed="0 to 1",
            example="0.1",
            where=where,
        )
    return number


def whole(value: Any, where: str, least: int, most: int | None = None) -> int:
    """Read a whole number in the given range, ends included."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        raise ToolkitError(
            "this must be a whole number in the allowed range",
            got=value,
            allowed=f"{least} or more" if most is None else f"{least} to {most}",
            example=str(least),
            where=where,
        )
    return number


def _prevalence(value: Any, categories: int, where: str) -> float | tuple[float, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return probability(value, where)
    shares = tuple(probability(share, where) for share in value)
    if len(shares) != categories or not math.isclose(sum(shares), 1, abs_tol=1e-9):
        raise ToolkitError(
            "the shares must be one per category and sum to 1",
            got=value,
            allowed=f"{categories} numbers that sum to 1, or one number",
            example="[0.5, 0.3, 0.2] for 3 categories",
            where=where,
        )
    return shares


def _human_error(value: Any, humans: int, where: str) -> tuple[float, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return (probability(value, where),) * humans
    if len(value) != humans:
        raise ToolkitError(
            "there must be one error per person",
            got=value,
            allowed=f"one number, or {humans} numbers",
            example="0.05",
            where=where,
        )
    return tuple(probability(error, where) for error in value)


def _categories(value: Any, where: str) -> tuple[int | str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        count = whole(value, where, 2, MOST_CATEGORIES)
        # A yes and a no are coded 0 and 1, rating scales start at 1.
        return (0, 1) if count == 2 else tuple(range(1, count + 1))  # noqa: PLR2004
    labels = tuple(value)
    kinds = {type(label) for label in labels}
    if (
        not 2 <= len(labels) <= MOST_CATEGORIES  # noqa: PLR2004
        or kinds not in ({int}, {str})
        or len(set(labels)) < len(labels)
        or "" in labels
    ):
        raise ToolkitError(
            "categories must be distinct integers or distinct strings, lowest first",
            got=value,
            allowed=f"a number of categories, or a list of 2 to {MOST_CATEGORIES} labels",
            example='["no", "yes"]',
            where=where,
        )
    return labels
