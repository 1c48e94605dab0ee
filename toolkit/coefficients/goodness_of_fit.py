"""Goodness-of-fit interval of the intraclass kappa of a 2 x 2 table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, stats

from toolkit.coefficients.options import check_level
from toolkit.coefficients.tables import as_tables
from toolkit.errors import StatisticsError
from toolkit.plain import plain

EDGE = 1e-12  # the misfit has poles at the ends of kappa's range: search just inside


@dataclass(frozen=True)
class IntraclassKappa:
    """Intraclass kappa of two raters and two categories, with its goodness-of-fit interval.

    Attributes
    ----------
    estimate : float
        Scott's pi: 1 full agreement, 0 chance, at least minus the odds of the rarer category.
    low, high, level : float
        Interval, and its nominal coverage.
    n : float
        Items in the table.
    reasons : tuple of str
        Why numbers are nan: ``no_overlap`` (an empty table), ``both_constant``.

    References
    ----------
    Donner and Eliasziw 1992, Statistics in Medicine 11:1511, doi:10.1002/sim.4780111109.

    Examples
    --------
    >>> result = gof_interval([[10, 0], [0, 10]])
    >>> result.estimate, round(result.low, 3), result.high
    (1.0, 0.678, 1.0)
    """

    estimate: float
    low: float
    high: float
    level: float
    n: float
    reasons: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))


def gof_interval(table: Any, *, level: float = 0.95) -> IntraclassKappa:
    r"""Interval of the intraclass kappa that inverts a goodness-of-fit test.

    Parameters
    ----------
    table : array-like of shape (2, 2)
        Counts.
    level : float
        Nominal coverage, above 0 and below 1.

    Returns
    -------
    IntraclassKappa
        Wider than 0 also at full agreement. It assumes that both raters use the categories equally
        often: a judge that flags more often than people spoils its coverage.

    Raises
    ------
    StatisticsError
        If `table` is no (2, 2) table of counts, or `level` no probability.

    Notes
    -----
    The limits are the two :math:`\kappa` at which :math:`\sum (n_i - n P_i)^2 / (n P_i)` over the
    outcomes "both first", "unlike", "both second" equals the chi-square quantile with one degree of
    freedom; :math:`P = (p^2 + \kappa p q, 2 p q (1 - \kappa), q^2 + \kappa p q)` and p the share of
    the first category among all labels.

    References
    ----------
    Donner and Eliasziw 1992, Statistics in Medicine 11:1511, doi:10.1002/sim.4780111109.

    Examples
    --------
    >>> result = gof_interval([[40, 9], [6, 45]])
    >>> round(result.estimate, 3), round(result.low, 3), round(result.high, 3)
    (0.699, 0.533, 0.813)
    """
    level = check_level(level)
    counts = as_tables(table)
    if counts.shape != (2, 2):
        raise StatisticsError(
            "the goodness-of-fit interval needs one table with two categories",
            got=counts.shape,
            allowed="shape (2, 2)",
            example="gof_interval([[40, 9], [6, 45]])",
        )
    n = float(counts.sum())
    if n == 0:
        return IntraclassKappa(math.nan, math.nan, math.nan, level, n, ("no_overlap",))
    both, unlike = np.diag(counts) / n, float((counts[0, 1] + counts[1, 0]) / n)
    rarer, commoner = float(both.min()), float(both.max())
    spread = 1 - (commoner - rarer) ** 2  # 4 p q
    if spread <= 0:
        return IntraclassKappa(math.nan, math.nan, math.nan, level, n, ("both_constant",))
    quantile = float(stats.chi2.ppf(level, 1)) / n

    def misfit(shift: float) -> float:
        # At fixed p, another kappa moves the two alike outcomes by the same amount.
        inverse = 1 / (rarer + shift) + 4 / (unlike - 2 * shift) + 1 / (commoner + shift)
        return shift**2 * inverse - quantile

    def kappa(shift: float) -> float:
        return 1 - 2 * (unlike - 2 * shift) / spread

    return IntraclassKappa(
        estimate=kappa(0.0),
        low=kappa(_limit(misfit, -rarer)),
        high=kappa(_limit(misfit, unlike / 2)),
        level=level,
        n=n,
        reasons=(),
    )


def _limit(misfit: Callable[[float], float], end: float) -> float:
    """Find where the misfit changes sign between 0 (the estimate) and the end of the range."""
    near, far = EDGE * end, (1 - EDGE) * end
    if end == 0 or misfit(near) >= 0:
        return 0.0
    return float(optimize.brentq(misfit, near, far)) if misfit(far) > 0 else end
