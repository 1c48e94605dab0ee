"""Checks of the causes that a simulation is asked to plant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toolkit.common.hints import did_you_mean
from toolkit.errors import ToolkitError
from toolkit.labels.simulation.causes import CAUSES

if TYPE_CHECKING:
    from toolkit.labels.simulation.latent import LatentConstruct

EXAMPLE = 'cause="drift", or cause=("definition", "threshold_shift")'
MOST_CAUSES = 2
MOST_EFFECT = 2.0
NEED_TWO = ("halo", "swapped_constructs")


def read_causes(cause: Any, constructs: Sequence[LatentConstruct]) -> tuple[str, ...]:
    """Read no cause, a name or two names, and check that the constructs allow them."""
    if cause is None:
        return ()
    if isinstance(cause, str):
        names: tuple[Any, ...] = (cause,)
    elif isinstance(cause, Sequence):
        names = tuple(cause)
    else:
        names = ()
    if not 1 <= len(names) <= MOST_CAUSES or len(set(map(repr, names))) < len(names):
        raise ToolkitError(
            "a cause is one name, or a tuple of two different names",
            got=cause,
            allowed=tuple(CAUSES),
            example=EXAMPLE,
            where="cause",
        )
    for name in names:
        if not isinstance(name, str) or name not in CAUSES:
            raise ToolkitError(
                f"unknown cause{did_you_mean(name, CAUSES)}",
                got=name,
                allowed=tuple(CAUSES),
                example=EXAMPLE,
                where="cause",
            )
        if name in NEED_TWO and len(constructs) == 1:
            raise ToolkitError(
                f"{name} needs two constructs or more",
                got=[construct.name for construct in constructs],
                allowed=[other for other in CAUSES if other not in NEED_TWO],
                example=f'simulate(["escalation", "empathy", "self_harm"], cause={name!r})',
                where="cause",
            )
    if "swapped_constructs" in names:
        _refuse_other_scales(constructs)
    return names


def read_effect(value: Any) -> float:
    """Read a number above 0, up to the double of what a cause does by itself."""
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 < number <= MOST_EFFECT:
        raise ToolkitError(
            "the effect must be a number above 0",
            got=value,
            allowed=f"above 0, up to {MOST_EFFECT:g}",
            example="effect=0.6",
            where="effect",
        )
    return number


def _refuse_other_scales(constructs: Sequence[LatentConstruct]) -> None:
    first, second = constructs[:2]
    if len(first.categories) != len(second.categories):
        raise ToolkitError(
            "labels can only be swapped between constructs with equally many categories",
            got={c.name: list(c.categories) for c in (first, second)},
            allowed="the same number of categories for the first two constructs",
            example='simulate(["escalation", "empathy", "self_harm"], cause="swapped_constructs")',
            where="cause",
        )
