"""Several raters with missing labels: Fleiss, Gwet and Brennan-Prediger, from labels or counts.

The three need no rater's identity, so a table of label counts suffices. Items with one label still
inform the prevalences; items with none are left out and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from toolkit.coefficients.linearised import (
    Chance,
    ChanceModel,
    Coefficient,
    Variance,
    chance_corrected,
    undefined,
)
from toolkit.coefficients.ratings import label_counts
from toolkit.coefficients.weights import Floats, agreement_weights


def fleiss_kappa(
    ratings: Any = None,
    *,
    counts: Any = None,
    categories: Sequence[Any] | None = None,
    weights: Any = None,
    variance: Variance = "linearised",
) -> Coefficient:
    r"""Fleiss' kappa: chance agreement from the pooled shares of the categories.

    Parameters
    ----------
    ratings : array-like of shape (n_items, n_raters), optional
        Labels, missing ones None or nan; see `code_ratings`.
    counts : array-like of shape (n_items, k), optional
        Instead of `ratings`: how many raters chose each category.
    categories : sequence of length k, optional
        All categories of `ratings` in their order; without it, those that occur.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`; distances are between category positions.
    variance : {"linearised", "irrcac"}
        How the standard error treats items with one label; see `chance_corrected`.

    Returns
    -------
    Coefficient
        1: full agreement; 0: chance. For two raters without missing labels it is Scott's pi.

    Raises
    ------
    StatisticsError
        If labels, counts or weights do not fit.

    Notes
    -----
    :math:`p_a` is the mean over items of the agreeing share of label pairs,
    :math:`p_e = \sum w_{kl} \pi_k \pi_l` with :math:`\pi_k` the mean share of category k.

    References
    ----------
    Fleiss 1971, Psychological Bulletin 76:378, doi:10.1037/h0031619. Missing labels and standard
    error: Gwet 2014, Handbook of Inter-Rater Reliability, 4th ed., ISBN 978-0-9708062-8-4.

    Examples
    --------
    >>> result = fleiss_kappa([["a", "a", None], ["b", "b", "b"], ["a", "b", "b"]])
    >>> round(result.estimate, 3), round(result.se, 3)
    (0.55, 0.465)
    """
    labels = label_counts(ratings, counts, categories, weights)
    matrix = agreement_weights(weights, labels.counts.shape[1])
    return chance_corrected(labels, matrix, _pooled, variance)


def multirater_gwet_ac(
    ratings: Any = None,
    *,
    counts: Any = None,
    categories: Sequence[Any] | None = None,
    weights: Any = None,
    variance: Variance = "linearised",
) -> Coefficient:
    r"""Gwet's AC1 (unweighted) or AC2 (weighted) for several raters.

    Parameters
    ----------
    ratings : array-like of shape (n_items, n_raters), optional
        Labels, missing ones None or nan; see `code_ratings`.
    counts : array-like of shape (n_items, k), optional
        Instead of `ratings`: how many raters chose each category.
    categories : sequence of length k, optional
        All categories of `ratings` in their order; without it, those that occur. The coefficient
        depends on how many there are, so declare them.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`; distances are between category positions.
    variance : {"linearised", "irrcac"}
        How the standard error treats items with one label; see `chance_corrected`.

    Returns
    -------
    Coefficient
        1: full agreement; 0: chance. Undefined for a single category.

    Raises
    ------
    StatisticsError
        If labels, counts or weights do not fit.

    Notes
    -----
    :math:`p_e = \frac{\sum w_{kl}}{k (k - 1)} \sum_k \pi_k (1 - \pi_k)`.

    References
    ----------
    Gwet 2008, British J. of Math. and Stat. Psychology 61:29, doi:10.1348/000711006X126600.

    Examples
    --------
    >>> round(multirater_gwet_ac(counts=[[3, 0], [3, 0], [2, 1], [0, 3]]).estimate, 3)
    0.7
    """
    return _with_categories(_gwet, ratings, counts, categories, weights, variance)


def multirater_brennan_prediger(
    ratings: Any = None,
    *,
    counts: Any = None,
    categories: Sequence[Any] | None = None,
    weights: Any = None,
    variance: Variance = "linearised",
) -> Coefficient:
    r"""Brennan and Prediger's coefficient for several raters: chance is uniform guessing.

    Parameters
    ----------
    ratings : array-like of shape (n_items, n_raters), optional
        Labels, missing ones None or nan; see `code_ratings`.
    counts : array-like of shape (n_items, k), optional
        Instead of `ratings`: how many raters chose each category.
    categories : sequence of length k, optional
        All categories of `ratings` in their order; without it, those that occur. The coefficient
        depends on how many there are, so declare them.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`; distances are between category positions.
    variance : {"linearised", "irrcac"}
        How the standard error treats items with one label; see `chance_corrected`.

    Returns
    -------
    Coefficient
        1: full agreement; 0: as good as uniform guessing. Undefined for a single category.

    Raises
    ------
    StatisticsError
        If labels, counts or weights do not fit.

    Notes
    -----
    :math:`p_e = \sum w_{kl} / k^2`; unweighted :math:`1 / k`.

    References
    ----------
    Brennan and Prediger 1981, Educational and Psychological Measurement 41:687,
    doi:10.1177/001316448104100307.

    Examples
    --------
    >>> round(multirater_brennan_prediger(counts=[[3, 0], [3, 0], [2, 1], [0, 3]]).estimate, 3)
    0.667
    """
    return _with_categories(_uniform, ratings, counts, categories, weights, variance)


def _with_categories(
    chance: ChanceModel,
    ratings: Any,
    counts: Any,
    categories: Sequence[Any] | None,
    weights: Any,
    variance: Variance,
) -> Coefficient:
    labels = label_counts(ratings, counts, categories, weights)
    k = labels.counts.shape[1]
    matrix = agreement_weights(weights, k)
    if k == 1:
        return undefined(labels, int((labels.counts > 0).sum()), "one_category")
    return chance_corrected(labels, matrix, chance, variance)


def _shares(counts: Floats) -> Floats:
    return np.asarray(counts / counts.sum(1, keepdims=True))


def _pooled(counts: Floats, weights: Floats) -> Chance:
    shares = _shares(counts)
    pooled = shares.mean(0)
    expected = (weights + weights.T) @ pooled / 2
    agreement = float(pooled @ expected)
    return Chance(agreement, 2 * (shares @ expected - agreement))


def _gwet(counts: Floats, weights: Floats) -> Chance:
    k = len(weights)
    shares = _shares(counts)
    expected = weights.sum() / (k * (k - 1)) * (1 - shares.mean(0))
    agreement = float(shares.mean(0) @ expected)
    return Chance(agreement, 2 * (shares @ expected - agreement))


def _uniform(counts: Floats, weights: Floats) -> Chance:
    return Chance(float(weights.mean()), np.zeros(len(counts)))
