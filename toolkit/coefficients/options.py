"""Options that many functions share, checked once."""

from __future__ import annotations

import numbers
from typing import Any, NamedTuple

import numpy as np

from toolkit.errors import StatisticsError

METHODS = {
    "jeffreys": "Jeffreys-smoothed bootstrap",
    "percentile": "percentile bootstrap",
    "bca": "bias-corrected and accelerated bootstrap",
    "analytic": "normal interval with the linearised error",
}
FEWEST_DRAWS, MOST_DRAWS = 100, 10_000_000


class Resampling(NamedTuple):
    """How an interval is made: method, two-sided level, number of draws, seed."""

    method: str
    level: float
    draws: int
    seed: int


def resampling(interval: Any, level: Any, draws: Any, seed: Any) -> Resampling:
    """Check the four options of an interval and give them as plain Python values."""
    if not isinstance(interval, str) or interval not in METHODS:
        raise StatisticsError(
            "unknown interval", got=interval, allowed=list(METHODS), example="interval='jeffreys'"
        )
    return Resampling(
        interval,
        check_level(level),
        whole("draws", draws, FEWEST_DRAWS, MOST_DRAWS, example=20_000),
        whole("seed", seed, 0, example=0),
    )


def check_level(level: Any) -> float:
    """Check that a confidence level lies between 0 and 1."""
    if not isinstance(level, float | np.floating) or not 0 < level < 1:
        raise StatisticsError(
            "level is no probability", got=level, allowed="above 0 and below 1", example="level=.95"
        )
    return float(level)


def whole(name: str, value: Any, least: int, most: int | None = None, *, example: int) -> int:
    """Check a whole number from `least` to `most`."""
    number = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not number or value < least or (most is not None and value > most):
        upper = "" if most is None else f" to {most}"
        raise StatisticsError(
            f"{name} is no whole number of {least} or more",
            got=value,
            allowed=f"whole numbers from {least}{upper}",
            example=f"{name}={example}",
        )
    return int(value)
