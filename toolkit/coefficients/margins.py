"""Do the two raters use the categories equally often? McNemar and Stuart-Maxwell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import stats
from scipy.sparse import csgraph
from statsmodels.stats import contingency_tables

from toolkit.coefficients.tables import one_table
from toolkit.coefficients.weights import Floats
from toolkit.errors import StatisticsError
from toolkit.plain import plain

METHODS = ("exact", "chi2")


@dataclass(frozen=True)
class MarginTest:
    """Test that two raters have the same margins.

    Attributes
    ----------
    method : str
        "exact", "chi2" or "stuart_maxwell".
    statistic : float
        Chi-square; for "exact" the smaller of the two discordant cells.
    df : int
        Degrees of freedom; 0 where nothing was tested.
    p_value : float
        Two-sided.
    n_discordant : float
        Items on which the raters differ: only they carry information.
    reasons : tuple of str
        Why numbers are nan: ``no_overlap`` (an empty table), ``no_discordant_pairs``,
        ``fractional_counts`` (the exact test needs whole ones).

    References
    ----------
    McNemar 1947, Psychometrika 12:153, doi:10.1007/BF02295996; Stuart 1955, Biometrika 42:412,
    doi:10.1093/biomet/42.3-4.412.

    Examples
    --------
    >>> mcnemar([[40, 0], [0, 45]]).reasons
    ('no_discordant_pairs',)
    """

    method: str
    statistic: float
    df: int
    p_value: float
    n_discordant: float
    reasons: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))


def mcnemar(table: Any, method: Literal["exact", "chi2"] = "exact") -> MarginTest:
    """McNemar's test for two categories.

    Parameters
    ----------
    table : array-like of shape (2, 2)
        Counts, rows the reference's categories, columns the judge's.
    method : {"exact", "chi2"}
        Binomial test of the discordant cells, or chi-square without continuity correction.

    Returns
    -------
    MarginTest
        A small p-value: one rater flags more often than the other.

    Raises
    ------
    StatisticsError
        If `table` is no (2, 2) table of counts, or the method is unknown.

    References
    ----------
    McNemar 1947, Psychometrika 12:153, doi:10.1007/BF02295996. Computed by statsmodels.

    Examples
    --------
    >>> result = mcnemar([[794, 86], [150, 570]], "chi2")
    >>> round(result.statistic, 2)
    17.36
    """
    if method not in METHODS:
        raise StatisticsError(
            "unknown method", got=method, allowed=METHODS, example="mcnemar(table, 'exact')"
        )
    counts = one_table(table)
    if counts.shape != (2, 2):
        raise StatisticsError(
            "McNemar's test needs two categories",
            got=counts.shape,
            allowed="shape (2, 2)",
            example="stuart_maxwell(table) for more categories",
        )
    reason = _why_undefined(counts)
    discordant = float(counts[0, 1] + counts[1, 0])
    if method == "exact" and not reason and not (counts == np.round(counts)).all():
        reason = "fractional_counts"
    if reason:
        return MarginTest(method, math.nan, 0, math.nan, discordant, (reason,))
    result = contingency_tables.mcnemar(counts, exact=method == "exact", correction=False)
    return MarginTest(method, float(result.statistic), 1, float(result.pvalue), discordant, ())


def stuart_maxwell(table: Any) -> MarginTest:
    """Stuart and Maxwell's test of marginal homogeneity for any number of categories.

    Parameters
    ----------
    table : array-like of shape (k, k)
        Counts, rows the reference's categories, columns the judge's.

    Returns
    -------
    MarginTest
        For two categories it is McNemar's chi-square without correction. Categories that no
        disagreement touches do not count. Where disagreements fall into groups of categories
        without any between the groups, statistic and degrees of freedom are summed over groups.

    Raises
    ------
    StatisticsError
        If `table` is no (k, k) table of counts.

    References
    ----------
    Stuart 1955, Biometrika 42:412, doi:10.1093/biomet/42.3-4.412; Maxwell 1970, British J. of
    Psychiatry 116:651, doi:10.1192/bjp.116.535.651. Computed by statsmodels.

    Examples
    --------
    >>> result = stuart_maxwell([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> round(result.statistic, 2), result.df
    (13.76, 2)
    """
    counts = one_table(table)
    discordant = float(counts.sum() - np.trace(counts))
    reason = _why_undefined(counts)
    if reason:
        return MarginTest("stuart_maxwell", math.nan, 0, math.nan, discordant, (reason,))
    statistic, df = 0.0, 0
    for group in _confused_groups(counts):
        result = contingency_tables.SquareTable(
            counts[np.ix_(group, group)], shift_zeros=False
        ).homogeneity()
        statistic, df = statistic + float(result.statistic), df + int(result.df)
    p_value = float(stats.chi2.sf(statistic, df))
    return MarginTest("stuart_maxwell", statistic, df, p_value, discordant, ())


def _why_undefined(counts: Floats) -> str | None:
    if counts.sum() == 0:
        return "no_overlap"
    return "no_discordant_pairs" if counts.sum() == np.trace(counts) else None


def _confused_groups(counts: Floats) -> list[Any]:
    """Group the categories that disagreements link; within a group the covariance is regular."""
    unlike = counts - np.diag(np.diag(counts))
    number, member = csgraph.connected_components(unlike > 0, directed=False)
    groups = [np.flatnonzero(member == g) for g in range(number)]
    return [group for group in groups if group.size > 1]
