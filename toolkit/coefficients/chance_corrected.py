r"""Chance-corrected agreement of two raters on count tables, with influence values.

Every coefficient here is :math:`(p_o - p_e) / (1 - p_e)`; they differ in the chance agreement
:math:`p_e` alone. So each is one short function that gives :math:`p_e` and its slope per cell, and
one engine turns it into estimate, influence values and standard error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from toolkit.coefficients.tables import as_tables
from toolkit.coefficients.weights import Floats, agreement_weights
from toolkit.errors import StatisticsError


class _Margins(NamedTuple):
    """Proportions of each rater's categories, shape (..., k), and the weights, (k, k)."""

    reference: Floats
    judge: Floats
    weights: Floats


class _Chance(NamedTuple):
    """Chance agreement, (...,), and its derivative by the cell proportions, (..., k, k)."""

    agreement: Floats
    slope: Callable[[], Floats]


def _cohen(m: _Margins) -> _Chance:
    by_reference = m.judge @ m.weights.T
    agreement = np.einsum("...i,...i->...", m.reference, by_reference)

    def slope() -> Floats:
        return by_reference[..., :, None] + (m.reference @ m.weights)[..., None, :]

    return _Chance(agreement, slope)


def _scott(m: _Margins) -> _Chance:
    pooled = (m.reference + m.judge) / 2
    symmetric = (m.weights + m.weights.T) / 2
    expected = pooled @ symmetric

    def slope() -> Floats:
        return expected[..., :, None] + expected[..., None, :]

    return _Chance(np.einsum("...i,...i->...", pooled, expected), slope)


def _gwet(m: _Margins) -> _Chance:
    pooled = (m.reference + m.judge) / 2
    k = m.weights.shape[-1]
    factor = m.weights.sum() / (k * (k - 1)) if k > 1 else math.nan

    def slope() -> Floats:
        # Writing 1 as the sum of the cells makes p_e quadratic in them, like the others.
        return np.asarray(factor * (2 - pooled[..., :, None] - pooled[..., None, :]))

    return _Chance(factor * (pooled * (1 - pooled)).sum(-1), slope)


def _brennan_prediger(m: _Margins) -> _Chance:
    agreement = np.full(m.reference.shape[:-1], m.weights.mean())

    def slope() -> Floats:
        return np.broadcast_to(2 * m.weights.mean(), (*agreement.shape, *m.weights.shape))

    return _Chance(agreement, slope)


CHANCE: dict[str, Callable[[_Margins], _Chance]] = {
    "cohen_kappa": _cohen,
    "scott_pi": _scott,
    "gwet_ac": _gwet,
    "brennan_prediger": _brennan_prediger,
}


def coefficient(tables: Any, name: str, weights: Any = None) -> Floats:
    """Estimate the coefficient called `name`; see `cohen_kappa` for shapes and undefined cases."""
    observed, margins = _parts(tables, weights)
    chance = _chance_of(name)(margins).agreement
    return _beyond_chance(observed - chance, chance)


def cohen_kappa(tables: Any, weights: Any = None) -> Floats:
    r"""Cohen's kappa: agreement beyond that of independent raters with the same margins.

    Parameters
    ----------
    tables : array-like of shape (..., k, k)
        Counts or proportions, rows the reference's categories, columns the judge's.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`.

    Returns
    -------
    ndarray of shape (...)
        1: full agreement. 0: what independent raters with these margins reach. Below 0: less than
        that, at least -1 for unweighted tables. nan where chance agreement is 1 (both raters
        constant on one category) or the table is empty.

    Raises
    ------
    StatisticsError
        If `tables` are no non-negative numbers of shape (..., k, k), or the weights do not fit.

    Notes
    -----
    :math:`p_o = \sum w_{ij} p_{ij}`, :math:`p_e = \sum w_{ij} p_{i.} p_{.j}`.

    References
    ----------
    Cohen 1960, Educational and Psychological Measurement 20:37, doi:10.1177/001316446002000104.

    Examples
    --------
    >>> cohen_kappa([[88, 10, 2], [14, 40, 6], [18, 10, 12]]).round(4)
    np.float64(0.4915)
    """
    return coefficient(tables, "cohen_kappa", weights)


def scott_pi(tables: Any, weights: Any = None) -> Floats:
    """Scott's pi: chance agreement from the two raters' pooled margin.

    Parameters
    ----------
    tables : array-like of shape (..., k, k)
        Counts or proportions, rows the reference's categories, columns the judge's.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`.

    Returns
    -------
    ndarray of shape (...)
        1: full agreement; 0: chance; nan where undefined. For two categories also called the
        intraclass kappa.

    Raises
    ------
    StatisticsError
        If `tables` are no non-negative numbers of shape (..., k, k), or the weights do not fit.

    References
    ----------
    Scott 1955, Public Opinion Quarterly 19:321, doi:10.1086/266577.

    Examples
    --------
    >>> scott_pi([[40, 9], [6, 45]]).round(4)
    np.float64(0.6992)
    """
    return coefficient(tables, "scott_pi", weights)


def gwet_ac(tables: Any, weights: Any = None) -> Floats:
    r"""Gwet's AC1, or AC2 with weights: chance agreement that falls when margins are skewed.

    Parameters
    ----------
    tables : array-like of shape (..., k, k)
        Counts or proportions, rows the reference's categories, columns the judge's.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`.

    Returns
    -------
    ndarray of shape (...)
        1: full agreement; 0: chance. At rare positives it stays near the raw agreement and says
        little about the rare category. nan for an empty table or one category.

    Raises
    ------
    StatisticsError
        If `tables` are no non-negative numbers of shape (..., k, k), or the weights do not fit.

    Notes
    -----
    :math:`p_e = \frac{\sum w_{ij}}{k (k - 1)} \sum_k \pi_k (1 - \pi_k)`, with the pooled margin
    :math:`\pi`.

    References
    ----------
    Gwet 2008, British J. of Math. and Stat. Psychology 61:29, doi:10.1348/000711006X126600.

    Examples
    --------
    >>> gwet_ac([[80, 10], [5, 5]]).round(3)
    np.float64(0.808)
    """
    return coefficient(tables, "gwet_ac", weights)


def brennan_prediger(tables: Any, weights: Any = None) -> Floats:
    """Brennan and Prediger's coefficient: chance agreement of uniform guessing; PABAK for 2 x 2.

    Parameters
    ----------
    tables : array-like of shape (..., k, k)
        Counts or proportions, rows the reference's categories, columns the judge's.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`.

    Returns
    -------
    ndarray of shape (...)
        1: full agreement; 0: as good as uniform guessing; -1 / (k - 1) unweighted at the least.
        nan for an empty table or one category.

    Raises
    ------
    StatisticsError
        If `tables` are no non-negative numbers of shape (..., k, k), or the weights do not fit.

    References
    ----------
    Brennan and Prediger 1981, Educational and Psychological Measurement 41:687,
    doi:10.1177/001316448104100307. Byrt, Bishop and Carlin 1993, J. Clinical Epidemiology 46:423,
    doi:10.1016/0895-4356(93)90018-V.

    Examples
    --------
    >>> brennan_prediger([[40, 9], [6, 45]]).round(2)
    np.float64(0.7)
    """
    return coefficient(tables, "brennan_prediger", weights)


def influence(tables: Any, name: str = "cohen_kappa", weights: Any = None) -> Floats:
    """Influence value of one item in each cell: what it adds to the coefficient, times n.

    Parameters
    ----------
    tables : array-like of shape (..., k, k)
        Counts or proportions.
    name : str
        "cohen_kappa", "scott_pi", "gwet_ac" or "brennan_prediger".
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`.

    Returns
    -------
    ndarray of shape (..., k, k)
        Mean 0 over the items of the table; nan where the coefficient is undefined. The standard
        error, the covariance of two coefficients on the same items and the cluster-robust error
        all come from these values.

    Raises
    ------
    StatisticsError
        If `tables` are no non-negative numbers of shape (..., k, k), or the weights do not fit.

    References
    ----------
    Fleiss, Cohen and Everitt 1969, Psychological Bulletin 72:323, doi:10.1037/h0028106.
    Vanbelle 2017, Biometrical Journal 59:1016, doi:10.1002/bimj.201600154.

    Examples
    --------
    >>> influence([[40, 10], [10, 40]]).round(3)
    array([[ 0.4, -1.6],
           [-1.6,  0.4]])
    """
    observed, margins = _parts(tables, weights)
    chance = _chance_of(name)(margins)
    p_o, p_e = observed[..., None, None], chance.agreement[..., None, None]
    by_chance = (1 - p_o) * (chance.slope() - 2 * p_e)
    return _beyond_chance(margins.weights - p_o - _beyond_chance(by_chance, p_e), p_e)


def linearised_se(tables: Any, name: str = "cohen_kappa", weights: Any = None) -> Floats:
    """Large-sample standard error from the influence values; for Cohen's kappa that of 1969.

    Parameters
    ----------
    tables : array-like of shape (..., k, k)
        Counts (the standard error needs the number of items).
    name : str
        "cohen_kappa", "scott_pi", "gwet_ac" or "brennan_prediger".
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`.

    Returns
    -------
    ndarray of shape (...)
        0 or more; nan where the coefficient is undefined. Too small when positives are few: the
        default interval does not use it.

    Raises
    ------
    StatisticsError
        If `tables` are no non-negative numbers of shape (..., k, k), or the weights do not fit.

    References
    ----------
    Fleiss, Cohen and Everitt 1969, Psychological Bulletin 72:323, doi:10.1037/h0028106.

    Examples
    --------
    >>> linearised_se([[75, 1, 4], [5, 4, 1], [0, 0, 10]]).round(6)
    np.float64(0.087703)
    """
    counts = as_tables(tables)
    total = counts.sum((-2, -1))
    second_moment = (counts * influence(counts, name, weights) ** 2).sum((-2, -1))
    return np.sqrt(_ratio(second_moment, total**2))


def null_se(tables: Any, weights: Any = None) -> Floats:
    r"""Standard error of Cohen's kappa if the raters were independent: for a test of 0 alone.

    Parameters
    ----------
    tables : array-like of shape (..., k, k)
        Counts.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`.

    Returns
    -------
    ndarray of shape (...)
        Never to be used for an interval: away from 0 it is the error of another hypothesis.

    Raises
    ------
    StatisticsError
        If `tables` are no non-negative numbers of shape (..., k, k), or the weights do not fit.

    Notes
    -----
    Variance :math:`\frac{1}{n (1 - p_e)^2} (\sum p_{i.} p_{.j} (w_{ij} - \bar w_{i.} -
    \bar w_{.j})^2 - p_e^2)`.

    References
    ----------
    Fleiss, Cohen and Everitt 1969, Psychological Bulletin 72:323, doi:10.1037/h0028106.

    Examples
    --------
    >>> null_se([[75, 1, 4], [5, 4, 1], [0, 0, 10]]).round(6)
    np.float64(0.076187)
    """
    _, margins = _parts(tables, weights)
    chance = _cohen(margins)
    independent = margins.reference[..., :, None] * margins.judge[..., None, :]
    spread = (independent * (margins.weights - chance.slope()) ** 2).sum((-2, -1))
    variance = np.maximum(spread - chance.agreement**2, 0)
    return _beyond_chance(
        np.sqrt(_ratio(variance, as_tables(tables).sum((-2, -1)))), chance.agreement
    )


def _chance_of(name: str) -> Callable[[_Margins], _Chance]:
    if name not in CHANCE:
        raise StatisticsError(
            "unknown coefficient", got=name, allowed=list(CHANCE), example="name='cohen_kappa'"
        )
    return CHANCE[name]


def _parts(tables: Any, weights: Any) -> tuple[Floats, _Margins]:
    """Give observed agreement, (...,), and the margins of tables of shape (..., k, k)."""
    counts = as_tables(tables)
    k = counts.shape[-1]
    matrix = agreement_weights(weights, k)
    cells = counts.reshape(*counts.shape[:-2], k * k)
    # Sums over short axes are slow in numpy; products with 0/1 matrices are not.
    proportions = _ratio(cells, (cells @ np.ones(k * k))[..., None])
    rows, columns = np.repeat(np.eye(k), k, axis=0), np.tile(np.eye(k), (k, 1))
    margins = _Margins(proportions @ rows, proportions @ columns, matrix)
    return proportions @ matrix.ravel(), margins


def _beyond_chance(numerator: Floats, chance_agreement: Floats) -> Floats:
    """Divide by 1 - p_e; nan where chance agreement is 1 up to the rounding of proportions."""
    return _ratio(numerator, 1 - chance_agreement, rounding=1e-14)


def _ratio(numerator: Floats, denominator: Floats, rounding: float = 0.0) -> Floats:
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    result = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=result, where=np.abs(denominator) > rounding)
    return result[()]
