"""Intervals of any statistic of counted tables, from draws or from influence values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import stats

from toolkit.coefficients.options import Resampling
from toolkit.coefficients.resampling import Units, multinomial_draws, smoothed_draws
from toolkit.coefficients.weights import Floats
from toolkit.errors import StatisticsError

Statistic = Callable[[Floats], Floats]  # cells (..., c) -> values (...)


class Interval(NamedTuple):
    """Two limits, or nan with a reason; the draws; the share of draws that were undefined."""

    low: float
    high: float
    reasons: tuple[str, ...]
    draws: Floats
    undefined: float


def interval(
    units: Units, statistic: Statistic, prior: Floats, se: float, options: Resampling
) -> Interval:
    """Make the two-sided interval of `statistic` over `units` by the method of `options`.

    Parameters
    ----------
    units : Units
        Items or clusters.
    statistic : callable
        Takes cells of shape (..., c), gives values of shape (...); nan where undefined.
    prior : ndarray of shape (c,)
        Smoothing mass per cell, for the method "jeffreys" alone.
    se : float
        Standard error, for the method "analytic" alone.
    options : Resampling
        Method, level, draws, seed.

    Returns
    -------
    Interval
        An interval of width 0 is no interval: it comes back as nan, reason ``zero_width``.
    """
    estimate = float(statistic(units.total))
    if options.method == "analytic":
        return _checked(*_normal(estimate, se, options.level), np.empty(0), 0.0)
    if options.method == "jeffreys":
        # Smoothed tables are always defined, also where the observed one is empty.
        rng = np.random.default_rng(options.seed)
        values = statistic(smoothed_draws(units, prior, options.draws, rng))
        return _checked(*_quantiles(values, options.level), values, 0.0)
    values, undefined = _resampled(units, statistic, options)
    tails = _tails(options.level)
    if options.method == "bca":
        tails = _bca_tails(values, estimate, units, statistic, tails)
    if values.size == 0 or np.isnan(tails).any():
        return Interval(math.nan, math.nan, ("interval_undefined",), values, undefined)
    low, high = np.quantile(values, tails)
    return _checked(float(low), float(high), values, undefined)


def linearised_error(units: Units, slope: Floats) -> float:
    """Standard error over units, from the statistic's influence values per cell, shape (c,)."""
    items = units.items
    squares = (units.cells @ slope) ** 2
    return float(np.sqrt(units.multiplicity @ squares) / items) if items else math.nan


def _resampled(units: Units, statistic: Statistic, options: Resampling) -> tuple[Floats, float]:
    if not np.array_equal(units.multiplicity, np.round(units.multiplicity)):
        raise StatisticsError(
            f"interval {options.method!r} needs whole counts",
            got=units.multiplicity.tolist(),
            allowed="whole numbers of items in every cell",
            example="interval='jeffreys'",
        )
    if units.number == 0:
        return np.empty(0), 1.0
    rng = np.random.default_rng(options.seed)
    values = statistic(multinomial_draws(units, options.draws, rng))
    defined = values[~np.isnan(values)]
    return defined, 1 - defined.size / values.size


def _tails(level: float) -> Floats:
    return np.array([(1 - level) / 2, (1 + level) / 2])


def _normal(estimate: float, se: float, level: float) -> tuple[float, float]:
    half = stats.norm.ppf((1 + level) / 2) * se
    return float(estimate - half), float(estimate + half)


def _quantiles(values: Floats, level: float) -> tuple[float, float]:
    low, high = np.quantile(values, _tails(level))
    return float(low), float(high)


def _bca_tails(
    values: Floats, estimate: float, units: Units, statistic: Statistic, tails: Floats
) -> Floats:
    """Shift the two tails for bias and skewness.

    Efron 1987, J. American Statistical Association 82:171, doi:10.1080/01621459.1987.10478410.
    The jackknife leaves out one unit of each distinct kind and weighs it by its multiplicity, so it
    is exact and takes as many evaluations as there are kinds.
    """
    if values.size == 0 or math.isnan(estimate):
        return np.full(2, np.nan)
    below = ((values < estimate).sum() + (values == estimate).sum() / 2) / values.size
    present = units.multiplicity > 0
    left_out = statistic(units.total - units.cells[present])
    count = units.multiplicity[present]
    if np.isnan(left_out).any() or not 0 < below < 1:
        return np.full(2, np.nan)
    deviation = count @ left_out / count.sum() - left_out
    spread = count @ deviation**2
    acceleration = (count @ deviation**3) / (6 * spread**1.5) if spread > 0 else math.nan
    bias = stats.norm.ppf(below)
    shifted = bias + stats.norm.ppf(tails)
    return np.asarray(stats.norm.cdf(bias + shifted / (1 - acceleration * shifted)))


def _checked(low: float, high: float, values: Floats, undefined: float) -> Interval:
    if math.isnan(low) or math.isnan(high):
        return Interval(math.nan, math.nan, ("interval_undefined",), values, undefined)
    if low == high:
        return Interval(math.nan, math.nan, ("zero_width",), values, undefined)
    return Interval(low, high, (), values, undefined)
