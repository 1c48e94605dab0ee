"""Arguments of a sample-size calculation, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from toolkit.errors import PlanError

SUM = 1e-6  # how far shares may be from a sum of 1
EDGE = 1e-6  # how near to 0 or 1 shares, and to 1 kappas, may come: nearer, rounding decides
TWO = 2
MOST_CATEGORIES, MOST_RATERS = 5, 6  # up to which the goodness of fit was checked


def unit(name: str, value: Any) -> float:
    """Check a number between 0 and 1, and not at its ends."""
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(
        value, bool
    )
    if not number or not EDGE <= value <= 1 - EDGE:
        raise PlanError(
            f"{name} is out of range",
            got=value,
            allowed="above 0 and below 1",
            example=f"{name}=.3",
            where=name,
        )
    return float(value)


def kappa_value(name: str, value: Any) -> float:
    """Check a kappa from 0 to below 1: at 1 nobody ever disagrees, and nothing varies."""
    number = isinstance(value, int | float | np.integer | np.floating)
    if not number or isinstance(value, bool) or not 0 <= value <= 1 - EDGE:
        raise PlanError(
            f"{name} is no kappa to plan for",
            got=value,
            allowed="0 to below 1",
            example=f"{name}=.6",
            where=name,
        )
    return float(value)


def sides(value: Any, default: int) -> int:
    """Check the number of sides."""
    if value is None:
        return default
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value not in (1, TWO):
        raise PlanError("sided is neither 1 nor 2", got=value, allowed=[1, 2], example="sided=2")
    return int(value)


def two_margins(prevalence: Any) -> tuple[float, float]:
    """Give the share of positives of reference and judge; one number stands for both."""
    if isinstance(prevalence, Sequence | np.ndarray) and not isinstance(prevalence, str):
        if len(prevalence) != TWO:
            raise PlanError(
                "prevalence needs one share, or two (reference, judge)",
                got=list(prevalence),
                example="prevalence=(.05, .08)",
                where="prevalence",
            )
        first, second = prevalence
        return unit("prevalence", first), unit("prevalence", second)
    share = unit("prevalence", prevalence)
    return share, share


def category_shares(prevalence: Any, shares: Any) -> tuple[float, ...]:
    """Give the share of each category, from `shares` or from the share of positives."""
    if (prevalence is None) == (shares is None):
        raise PlanError(
            "give either prevalence (two categories) or shares (one for each category)",
            got={"prevalence": prevalence, "shares": shares},
            example="shares=(.2, .3, .5)",
        )
    if shares is None:
        first, second = two_margins(prevalence)
        if first != second:
            raise PlanError(
                "this method takes one prevalence for all raters",
                got=(first, second),
                allowed="one share; method='cantor' takes two",
                example="prevalence=.3",
                where="prevalence",
            )
        return first, 1 - first
    if isinstance(shares, str) or not isinstance(shares, Sequence | np.ndarray):
        raise PlanError("shares is no list", got=shares, example="shares=(.2, .3, .5)")
    given = tuple(unit("shares", share) for share in shares)
    if len(given) < TWO or abs(sum(given) - 1) > SUM:
        raise PlanError(
            "shares do not add up to 1",
            got=list(given),
            allowed="two or more shares whose sum is 1",
            example="shares=(.2, .3, .5)",
            where="shares",
        )
    return given


def fitting(shares: tuple[float, ...], raters: Any) -> int:
    """Check that the goodness of fit covers so many raters and categories; give the raters."""
    whole = isinstance(raters, int | np.integer) and not isinstance(raters, bool)
    if not whole or not TWO <= raters <= MOST_RATERS:
        raise PlanError(
            "raters out of range", got=raters, allowed=f"2 to {MOST_RATERS}", example="raters=2"
        )
    if len(shares) > MOST_CATEGORIES:
        raise PlanError(
            "too many categories for the goodness of fit",
            got=len(shares),
            allowed=f"2 to {MOST_CATEGORIES}; method='flack' takes more",
            where="shares",
        )
    return int(raters)
