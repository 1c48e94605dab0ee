"""A coefficient of the pool with its interval, from counts by stratum and cell."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.coefficients.kappa import constant_raters
from toolkit.coefficients.options import Resampling
from toolkit.coefficients.weights import Floats
from toolkit.planning.design_variance import (
    Statistic,
    design_variance,
    estimated_table,
    influence_values,
    null_variance,
)
from toolkit.planning.posterior import DRAWS, Counts, label_prior

BLOCK = 1 << 22  # numbers that are drawn at once


class Task(NamedTuple):
    """What is estimated: the statistic of (..., k, k) tables, its name and its weights."""

    statistic: Statistic = cohen_kappa
    name: str = "cohen_kappa"
    weights: Any = None


class Estimated(NamedTuple):
    """Numbers of one coefficient, and what to know of them."""

    estimate: float
    low: float
    high: float
    se: float
    se_null: float
    undefined: float = 0.0
    reasons: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


NOTHING = Estimated(math.nan, math.nan, math.nan, math.nan, math.nan)


class _Limits(NamedTuple):
    low: float
    high: float
    undefined: float = 0.0
    reasons: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


def estimate(
    counts: Counts, sizes: Counts, task: Task, options: Resampling, estimand: str
) -> Estimated:
    """Estimate from counts (H, k * k) of a stratified sample of strata of given sizes (H,)."""
    if not counts.any():
        return NOTHING._replace(reasons=("no_overlap",))
    n = counts.sum(1)
    if not n.all():
        return NOTHING._replace(reasons=("stratum_without_labels",))
    k = math.isqrt(counts.shape[1])
    table = estimated_table(counts, sizes).reshape(k, k)
    value = float(task.statistic(table))
    slope = influence_values(table, task.name, task.weights, task.statistic)
    apart = np.outer(table.sum(1), table.sum(0))
    slope_apart = influence_values(apart, task.name, task.weights, task.statistic)
    limits = _limits(counts, sizes, task, slope, options, estimand)
    flags = [*limits.flags]
    if ((n == 1) & (sizes > 1)).any():
        flags.append("one_label_in_stratum")
    if (n == sizes).all():
        flags.append("census")
    if value < limits.low or value > limits.high:
        flags.append("estimate_outside_interval")
    return Estimated(
        estimate=value,
        low=limits.low,
        high=limits.high,
        se=float(np.sqrt(design_variance(counts, slope, sizes, estimand=estimand))),
        se_null=float(np.sqrt(null_variance(counts, slope_apart, sizes))),
        undefined=limits.undefined,
        reasons=(*constant_raters(table), *limits.reasons),
        flags=tuple(flags),
    )


def judge_counts(counts: Counts) -> Counts:
    """Labels of the judge by stratum, (H, k)."""
    k = math.isqrt(counts.shape[-1])
    return np.asarray(counts.reshape(-1, k, k).sum(1))


def _limits(
    counts: Counts,
    sizes: Counts,
    task: Task,
    slope: Floats,
    options: Resampling,
    estimand: str,
) -> _Limits:
    k = math.isqrt(counts.shape[1])
    if options.method == "linearised":
        return _normal(counts, sizes, task, slope, options, estimand)
    prior, rng = label_prior(judge_counts(counts), sizes), np.random.default_rng(options.seed)
    block = max(BLOCK // max(counts.shape), 1)
    parts = [
        task.statistic(
            DRAWS[estimand](counts, prior, sizes, min(block, options.draws - start), rng).reshape(
                -1, k, k
            )
        )
        for start in range(0, options.draws, block)
    ]
    values = np.concatenate(parts)
    defined = values[~np.isnan(values)]
    undefined = 1 - defined.size / values.size
    flags = ("undefined_draws",) if undefined else ()
    if not defined.size:
        return _Limits(math.nan, math.nan, undefined, ("interval_undefined",))
    low, high = map(float, np.quantile(defined, [(1 - options.level) / 2, (1 + options.level) / 2]))
    return _checked(_Limits(low, high, undefined, (), flags), counts, sizes)


def _normal(
    counts: Counts,
    sizes: Counts,
    task: Task,
    slope: Floats,
    options: Resampling,
    estimand: str,
) -> _Limits:
    k = math.isqrt(counts.shape[1])
    middle = float(task.statistic(estimated_table(counts, sizes).reshape(k, k)))
    prior = label_prior(judge_counts(counts))
    smooth = design_variance(counts, slope, sizes, estimand=estimand, prior=prior)
    half = float(norm.ppf((1 + options.level) / 2) * np.sqrt(smooth))
    if math.isnan(middle) or math.isnan(half):
        return _Limits(math.nan, math.nan, 0.0, ("interval_undefined",))
    clipped = ("clipped",) if middle - half < -1 or middle + half > 1 else ()
    limits = _Limits(max(middle - half, -1.0), min(middle + half, 1.0), 0.0, (), clipped)
    return _checked(limits, counts, sizes)


def _checked(limits: _Limits, counts: Counts, sizes: Counts) -> _Limits:
    """Refuse an interval of width 0, unless everything was read."""
    if limits.low < limits.high or (counts.sum(1) == sizes).all():
        return limits
    return _Limits(math.nan, math.nan, limits.undefined, ("zero_width",), limits.flags)
