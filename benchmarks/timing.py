"""Medians of five, and the workload that says how fast this machine is."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REPEATS = 5
SHORTEST = 0.1  # seconds: what is quicker is called several times a turn, and divided


def seconds(function: Callable[[], object]) -> float:
    """Median wall time of a function over five calls."""
    return statistics.median(_once(function) for _ in range(REPEATS))


def together(functions: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Median wall time of short functions that are to be compared, measured in turns.

    A machine that slows down for a while then slows down all of them.
    """
    calls = {
        name: max(1, round(SHORTEST / min(_once(function) for _ in range(2))))
        for name, function in functions.items()
    }
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(REPEATS):
        for name, function in functions.items():
            times[name].append(_once(function, calls[name]))
    return {name: statistics.median(each) for name, each in times.items()}


def workload() -> None:
    """Do the fixed numpy work beside which all times are to be read on another machine."""
    rng = np.random.default_rng(0)
    rng.standard_gamma(50.0, size=(10_000, 4))
    square = rng.standard_normal((1_000, 1_000))
    square @ square


def _once(function: Callable[[], object], calls: int = 1) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - start) / calls
