"""Several raters who stay who they are: Conger's kappa and Light's kappa.

Both let each rater keep an own margin, so they need ratings; a table of label counts won't do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.linearised import (
    Chance,
    Coefficient,
    Variance,
    chance_corrected,
    from_linearised,
    undefined,
    why_undefined,
)
from toolkit.coefficients.ratings import (
    PAIR,
    code_ratings,
    count_codes,
    refuse_undeclared_order,
)
from toolkit.coefficients.weights import Floats, agreement_weights


def conger_kappa(
    ratings: Any,
    *,
    categories: Sequence[Any] | None = None,
    weights: Any = None,
    variance: Variance = "linearised",
) -> Coefficient:
    r"""Conger's kappa: chance agreement of independent raters, averaged over pairs of raters.

    Parameters
    ----------
    ratings : array-like of shape (n_items, n_raters)
        Labels, missing ones None or nan; see `code_ratings`.
    categories : sequence of length k, optional
        All categories in their order; without it, those that occur.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`; distances are between category positions.
    variance : {"linearised", "irrcac"}
        How the standard error treats items with one label; see `chance_corrected`.

    Returns
    -------
    Coefficient
        1: full agreement; 0: chance. For two raters without missing labels it is Cohen's kappa,
        and the standard error that of Fleiss, Cohen and Everitt times :math:`\sqrt{n / (n - 1)}`.

    Raises
    ------
    StatisticsError
        If labels or weights do not fit.

    Notes
    -----
    :math:`p_e = \frac{1}{r (r - 1)} \sum_{g \ne h} \sum_{kl} w_{kl} p_{gk} p_{hl}`, with
    :math:`p_{gk}` the share of category k among the labels of rater g.

    References
    ----------
    Conger 1980, Psychological Bulletin 88:322, doi:10.1037/0033-2909.88.2.322. Missing labels and
    standard error: Gwet 2014, Handbook of Inter-Rater Reliability, 4th ed.,
    ISBN 978-0-9708062-8-4.

    Examples
    --------
    >>> ratings = [[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, None], [0, 1, 0]]
    >>> round(conger_kappa(ratings).estimate, 3)
    0.474
    """
    codes, matrix = _coded(ratings, categories, weights)
    return _conger(codes, matrix, variance)


def light_kappa(
    ratings: Any, *, categories: Sequence[Any] | None = None, weights: Any = None
) -> Coefficient:
    r"""Light's kappa: the mean of Cohen's kappas of all pairs of raters.

    Parameters
    ----------
    ratings : array-like of shape (n_items, n_raters)
        Labels, missing ones None or nan; see `code_ratings`. A pair of raters is compared on the
        items that both have labelled.
    categories : sequence of length k, optional
        All categories in their order; without it, those that occur.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`; distances are between category positions.

    Returns
    -------
    Coefficient
        1: full agreement; 0: chance. Undefined, reason ``undefined_pair``, where a pair of raters
        has no item in common or no kappa: the mean over the others would be another quantity.

    Raises
    ------
    StatisticsError
        If labels or weights do not fit.

    Notes
    -----
    The linearised value of an item is the mean over pairs of raters of
    :math:`\kappa_{gh} + \frac{n}{n_{gh}} (x_i - \kappa_{gh})`, with x the values of the pair, and
    :math:`\kappa_{gh}` alone for an item that the pair has not labelled.

    References
    ----------
    Light 1971, Psychological Bulletin 76:365, doi:10.1037/h0031643.

    Examples
    --------
    >>> ratings = [[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, None], [0, 1, 0]]
    >>> round(light_kappa(ratings).estimate, 3)
    0.372
    """
    codes, matrix = _coded(ratings, categories, weights)
    labels = count_codes(codes, len(matrix))
    used = labels.counts.sum(1) >= PAIR
    n_items = int(used.sum())
    reason = why_undefined(labels)
    if reason:
        return undefined(labels, n_items, reason)
    estimates, values = [], np.zeros(n_items)
    for pair in combinations(codes[used].T, 2):
        kappa = _conger(np.stack(pair, axis=1)[_both(pair)], matrix, "linearised")
        if np.isnan(kappa.estimate):
            return undefined(labels, n_items, "undefined_pair")
        estimates.append(kappa.estimate)
        values[_both(pair)] += n_items / kappa.n_items * (kappa.linearised - kappa.estimate)
    estimate = float(np.mean(estimates))
    return from_linearised(estimate, estimate + values / len(estimates), used, labels.n_raters)


def _coded(
    ratings: Any, categories: Sequence[Any] | None, weights: Any
) -> tuple[NDArray[np.intp], Floats]:
    """Give the codes of the raters who have labels, and the weights."""
    coded = code_ratings(ratings, categories)
    refuse_undeclared_order(coded, weights)
    matrix = agreement_weights(weights, len(coded.categories))
    return coded.codes[:, (coded.codes >= 0).any(0)], matrix


def _both(pair: tuple[NDArray[np.intp], ...]) -> NDArray[np.bool_]:
    return (pair[0] >= 0) & (pair[1] >= 0)


def _conger(codes: NDArray[np.intp], matrix: Floats, variance: Variance) -> Coefficient:
    labelled = codes[(codes >= 0).any(1)]

    def chance(_counts: Floats, weights: Floats) -> Chance:
        return _separate_margins(labelled, weights)

    return chance_corrected(count_codes(codes, len(matrix)), matrix, chance, variance)


def _separate_margins(codes: NDArray[np.intp], weights: Floats) -> Chance:
    n, r = codes.shape
    symmetric = (weights + weights.T) / 2
    margins = np.stack(
        [np.bincount(rater[rater >= 0], minlength=len(weights)) for rater in codes.T]
    )
    labelled = margins.sum(1, keepdims=True)
    margins = margins / labelled
    others = (margins.sum(0) - margins) @ symmetric  # what each category meets at the other raters
    agreement = float((margins * others).sum() / (r * (r - 1)))
    own = (margins * others).sum(1)
    slope = np.zeros(n)
    for g, rater in enumerate(codes.T):
        seen = rater >= 0
        slope[seen] += n / labelled[g, 0] * (others[g, rater[seen]] - own[g])
    return Chance(agreement, 2 * slope / (r * (r - 1)))
