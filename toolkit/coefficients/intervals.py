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
MOST_NUMBERS = 1 << 24  # drawn at once: 128 MB


class Interval(NamedTuple):
    """Two limits, or nan with a reason, and the p-value of the statistic being 0.

    The p-value is the smallest 1 - level at which the interval by the same method leaves 0 out.
    """

    low: float
    high: float
    p_value: float
    reasons: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    undefined: float = 0.0


def interval(
    units: Units,
    statistic: Statistic,
    prior: Floats,
    se: float,
    options: Resampling,
    *,
    bound: float = 1.0,
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
    bound : float
        The statistic lies between -bound and bound; the analytic interval is cut there.

    Returns
    -------
    Interval
        An interval of width 0 is no interval: it comes back as nan, reason ``zero_width``.
    """
    if units.number == 1 < units.items:
        return Interval(math.nan, math.nan, math.nan, ("one_cluster",))
    estimate = float(statistic(units.total))
    if options.method == "analytic":
        return _normal(estimate, se, options.level, bound)
    rng = np.random.default_rng(options.seed)
    if options.method == "jeffreys":
        # Smoothed tables are always defined, also where the observed one is empty.
        values = _in_blocks(
            lambda n: statistic(smoothed_draws(units, prior, n, rng)), units, options
        )
        return _between(values, _tails(options.level), _no_shift, 0.0)
    _refuse_fractions(units, options.method)
    values = np.full(1, np.nan)
    if units.number > 0:
        values = _in_blocks(lambda n: statistic(multinomial_draws(units, n, rng)), units, options)
    defined = values[~np.isnan(values)]
    shift = _no_shift
    if options.method == "bca":
        shift = _bca_shift(defined, estimate, units, statistic)
    return _between(defined, _tails(options.level), shift, 1 - defined.size / values.size)


def linearised_error(units: Units, slope: Floats) -> float:
    """Standard error over units, from the statistic's influence values per cell, shape (c,)."""
    items = units.items
    if units.number == 1 < items:  # one cluster does not show how clusters vary
        return math.nan
    squares = (units.cells @ slope) ** 2
    return float(np.sqrt(units.multiplicity @ squares) / items) if items else math.nan


def _in_blocks(draw: Callable[[int], Floats], units: Units, options: Resampling) -> Floats:
    """Draw in blocks of bounded memory: tables of many categories are large."""
    block = max(MOST_NUMBERS // units.cells.shape[1], 1)
    left = [min(block, options.draws - start) for start in range(0, options.draws, block)]
    return np.concatenate([draw(number) for number in left])


def _refuse_fractions(units: Units, method: str) -> None:
    if not np.array_equal(units.multiplicity, np.round(units.multiplicity)):
        raise StatisticsError(
            f"interval {method!r} needs whole counts",
            got=units.multiplicity.tolist(),
            allowed="whole numbers of items in every cell",
            example="interval='jeffreys'",
        )


def _tails(level: float) -> Floats:
    return np.array([(1 - level) / 2, (1 + level) / 2])


def _normal(estimate: float, se: float, level: float, bound: float) -> Interval:
    half = float(stats.norm.ppf((1 + level) / 2)) * se
    low, high = estimate - half, estimate + half
    p_value = float(2 * stats.norm.sf(abs(estimate) / se)) if se > 0 else math.nan
    clipped = ("clipped",) if low < -bound or high > bound else ()
    return _checked(max(low, -bound), min(high, bound), p_value, clipped, 0.0)


def _between(values: Floats, tails: Floats, shift: Shift, undefined: float) -> Interval:
    """Take the quantiles of the draws at the shifted tails, and the p-value by shifting back."""
    flags = ("undefined_draws",) if undefined > 0 else ()
    shifted = shift.forth(tails)
    if values.size == 0 or np.isnan(values).any() or np.isnan(shifted).any():
        return Interval(math.nan, math.nan, math.nan, ("interval_undefined",), flags, undefined)
    low, high = np.quantile(values, shifted)
    below, above = (
        float(shift.back((part.sum()) / values.size)) for part in (values <= 0, values < 0)
    )
    p_value = float(min(1.0, max(2 * min(below, 1 - above), 1 / values.size)))
    return _checked(float(low), float(high), p_value, flags, undefined)


class Shift(NamedTuple):
    """From nominal tails to the shares of draws that are cut off, and back."""

    forth: Callable[[Floats], Floats]
    back: Callable[[float], float]


_no_shift = Shift(lambda tails: tails, lambda share: share)


def _bca_shift(values: Floats, estimate: float, units: Units, statistic: Statistic) -> Shift:
    """Shift the tails for bias and skewness.

    Efron 1987, J. American Statistical Association 82:171, doi:10.1080/01621459.1987.10478410.
    The jackknife leaves out one unit of each distinct kind and weighs it by its multiplicity, so it
    is exact and takes as many evaluations as there are kinds.
    """
    nowhere = Shift(lambda tails: np.full_like(tails, np.nan), lambda _: math.nan)
    if values.size == 0 or math.isnan(estimate):
        return nowhere
    below = ((values < estimate).sum() + (values == estimate).sum() / 2) / values.size
    present = units.multiplicity > 0
    left_out = statistic(units.total - units.cells[present])
    count = units.multiplicity[present]
    if np.isnan(left_out).any() or not 0 < below < 1:
        return nowhere
    deviation = count @ left_out / count.sum() - left_out
    spread = count @ deviation**2
    if spread == 0:
        return nowhere
    skew = (count @ deviation**3) / (6 * spread**1.5)
    bias = stats.norm.ppf(below)

    def forth(tails: Floats) -> Floats:
        moved = bias + stats.norm.ppf(tails)
        return np.asarray(stats.norm.cdf(bias + moved / (1 - skew * moved)))

    def back(share: float) -> float:
        moved = stats.norm.ppf(share) - bias
        if not math.isfinite(moved):
            return share
        return float(stats.norm.cdf(moved / (1 + skew * moved) - bias))

    return Shift(forth, back)


def _checked(
    low: float, high: float, p_value: float, flags: tuple[str, ...], undefined: float
) -> Interval:
    if math.isnan(low) or math.isnan(high):
        return Interval(math.nan, math.nan, math.nan, ("interval_undefined",), (), undefined)
    if low == high:
        return Interval(math.nan, math.nan, math.nan, ("zero_width",), flags, undefined)
    return Interval(low, high, p_value, (), flags, undefined)
