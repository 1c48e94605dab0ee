"""Equality of the kappas of independent samples, and their common value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from toolkit.coefficients.chance_corrected import cohen_kappa, linearised_se
from toolkit.coefficients.linearised import ROUNDING
from toolkit.coefficients.options import check_level
from toolkit.coefficients.tables import one_table
from toolkit.coefficients.weights import Floats
from toolkit.errors import StatisticsError
from toolkit.plain import plain


@dataclass(frozen=True)
class Homogeneity:
    """Kappas of independent samples, pooled and compared.

    Attributes
    ----------
    kappas, ses : tuple of float
        Cohen's kappa and its Fleiss-Cohen-Everitt standard error, one a table.
    overall : float
        Mean of the kappas, weighted by the inverse of their variances.
    low, high, level : float
        Normal interval for the common kappa, and its nominal coverage.
    chi2, df, p_value : float
        Test of equality.
    reasons : tuple of str
        Why numbers are nan: ``undefined_kappa`` (in some table), ``zero_se`` (a table whose error
        is 0, as at full agreement, would get all the weight), ``one_table`` (nothing to compare).

    References
    ----------
    Fleiss, Levin and Paik 2003, Statistical Methods for Rates and Proportions, 3rd ed., chapter 18,
    doi:10.1002/0471445428.

    Examples
    --------
    >>> result = kappa_homogeneity([[[30, 5], [5, 10]], [[20, 10], [10, 10]]])
    >>> round(result.overall, 3), round(result.p_value, 3)
    (0.357, 0.064)
    """

    kappas: tuple[float, ...]
    ses: tuple[float, ...]
    overall: float
    low: float
    high: float
    level: float
    chi2: float
    df: int
    p_value: float
    reasons: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))


def kappa_homogeneity(
    tables: Sequence[Any], *, weights: Any = None, level: float = 0.95
) -> Homogeneity:
    r"""Test whether Cohen's kappas of independent samples are equal.

    Parameters
    ----------
    tables : sequence of array-likes of shape (k, k)
        One count table a sample of other items; k may differ unless `weights` is a matrix. Kappas
        of the same items are dependent and need another test.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`.
    level : float
        Nominal coverage of the interval, above 0 and below 1.

    Returns
    -------
    Homogeneity
        Large-sample answers: they trust each table's standard error, so no table should be sparse.

    Raises
    ------
    StatisticsError
        If there is no table, one is no count table, or weights or level do not fit.

    Notes
    -----
    :math:`\bar\kappa = \sum \kappa_g v_g^{-1} / \sum v_g^{-1}`,
    :math:`\chi^2 = \sum (\kappa_g - \bar\kappa)^2 / v_g` with (tables - 1) degrees of freedom.

    References
    ----------
    Fleiss, Levin and Paik 2003, Statistical Methods for Rates and Proportions, 3rd ed., chapter 18,
    doi:10.1002/0471445428.

    Examples
    --------
    >>> result = kappa_homogeneity([[[30, 5], [5, 10]], [[20, 10], [10, 10]]])
    >>> [round(kappa, 3) for kappa in result.kappas]
    [0.524, 0.167]
    """
    level = check_level(level)
    counts = [one_table(table) for table in tables]
    if not counts:
        raise StatisticsError("no tables", example="kappa_homogeneity([[[30, 5], [5, 10]]])")
    kappas = np.array([cohen_kappa(table, weights) for table in counts])
    ses = np.array([linearised_se(table, "cohen_kappa", weights) for table in counts])
    overall = se = chi2 = math.nan
    reasons = _why_undefined(kappas, ses)
    df = len(counts) - 1
    if not reasons:
        precision = ses**-2.0
        overall = float(precision @ kappas / precision.sum())
        se = float(precision.sum() ** -0.5)
        chi2 = float(precision @ (kappas - overall) ** 2) if df else math.nan
        reasons = () if df else ("one_table",)
    half = float(stats.norm.ppf((1 + level) / 2)) * se
    return Homogeneity(
        kappas=tuple(kappas.tolist()),
        ses=tuple(ses.tolist()),
        overall=overall,
        low=overall - half,
        high=overall + half,
        level=level,
        chi2=chi2,
        df=df,
        p_value=float(stats.chi2.sf(chi2, df)) if df else math.nan,
        reasons=reasons,
    )


def _why_undefined(kappas: Floats, ses: Floats) -> tuple[str, ...]:
    if np.isnan(kappas).any():
        return ("undefined_kappa",)
    return ("zero_se",) if (ses <= ROUNDING).any() else ()
