"""Difference of two kappas whose tables are drawn from the same units."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from toolkit.coefficients.chance_corrected import cohen_kappa, influence
from toolkit.coefficients.intervals import Interval, linearised_error
from toolkit.coefficients.intervals import interval as make_interval
from toolkit.coefficients.kappa import constant_raters
from toolkit.coefficients.options import Resampling
from toolkit.coefficients.resampling import Units, smoothing_prior
from toolkit.coefficients.weights import Floats, agreement_weights


class Side(NamedTuple):
    """One of the two tables: its number of categories, and the weights between them."""

    k: int
    weights: Any = None


class Difference(NamedTuple):
    """Kappa of the second table minus kappa of the first, and what it is read beside."""

    tables: tuple[Floats, Floats]
    kappas: tuple[float, float]
    difference: float
    low: float
    high: float
    p_value: float
    p_hotelling: float
    se: float
    correlation: float
    side_reasons: tuple[tuple[str, ...], tuple[str, ...]]
    reasons: tuple[str, ...]
    flags: tuple[str, ...]


def compare(units: Units, sides: tuple[Side, Side], options: Resampling) -> Difference:
    """Estimate the difference over units whose cells hold the two tables side by side.

    The units' weights are common to both tables, which keeps them dependent; the smoothing mass is
    drawn for each table alone, so that each kappa has exactly its one-table distribution.
    """
    sizes = (sides[0].k, sides[1].k)
    tables = split(units.total, sizes)
    matrices = [agreement_weights(side.weights, side.k) for side in sides]

    def kappas(cells: Floats) -> list[Floats]:
        parts = zip(split(cells, sizes), matrices, strict=True)
        return [cohen_kappa(table, matrix) for table, matrix in parts]

    def difference(cells: Floats) -> Floats:
        first, second = kappas(cells)
        return second - first

    first, second = (float(value) for value in kappas(units.total))
    gap = second - first
    slopes = [
        influence(table, weights=matrix).ravel()
        for table, matrix in zip(tables, matrices, strict=True)
    ]
    se, correlation = _errors(units, slopes)
    prior = np.concatenate([smoothing_prior(side.k) for side in sides])
    made = make_interval(units, difference, prior, se, options, bound=2.0)
    if units.items == 0:
        made = Interval(math.nan, math.nan, math.nan)
    return Difference(
        tables=tables,
        kappas=(first, second),
        difference=gap,
        low=made.low,
        high=made.high,
        # Without an estimate there is nothing to test; the interval stays, as for a single kappa.
        p_value=math.nan if math.isnan(gap) else made.p_value,
        p_hotelling=_hotelling(gap, se, units.number),
        se=se,
        correlation=correlation,
        side_reasons=(constant_raters(tables[0]), constant_raters(tables[1])),
        reasons=made.reasons,
        flags=made.flags,
    )


def split(cells: Floats, sizes: tuple[int, int]) -> tuple[Floats, Floats]:
    """Take the two tables out of cells of shape (..., k1 * k1 + k2 * k2)."""
    cut, lead = sizes[0] ** 2, cells.shape[:-1]
    return (
        cells[..., :cut].reshape(*lead, sizes[0], sizes[0]),
        cells[..., cut:].reshape(*lead, sizes[1], sizes[1]),
    )


def _errors(units: Units, slopes: list[Floats]) -> tuple[float, float]:
    """Linearised error of the difference, and the correlation of the two estimates."""
    first = np.concatenate([slopes[0], np.zeros_like(slopes[1])])
    second = np.concatenate([np.zeros_like(slopes[0]), slopes[1]])
    one, other, apart = (linearised_error(units, s) for s in (first, second, second - first))
    product = 2 * one * other
    return apart, (one**2 + other**2 - apart**2) / product if product > 0 else math.nan


def _hotelling(gap: float, se: float, number: float) -> float:
    """P-value of T squared with the large-sample error, as Vanbelle's multiagree gives it."""
    if math.isnan(gap) or not se > 0 or number < 2:  # noqa: PLR2004  one degree of freedom
        return math.nan
    return float(stats.f.sf((gap / se) ** 2, 1, number - 1))
