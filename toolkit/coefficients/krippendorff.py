r"""Krippendorff's alpha for any number of raters, missing labels and four metrics.

Only items with two labels or more enter. Alpha is
:math:`1 - (1 - \epsilon) (1 - p_a) / (1 - p_e)`, where :math:`1 - p_a` and :math:`1 - p_e` are the
observed and the expected disagreement, both over the largest distance, and :math:`\epsilon` is one
over the number of labels (Krippendorff's small-sample term).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from toolkit.coefficients.linearised import (
    ROUNDING,
    Coefficient,
    Variance,
    agreeing_pairs,
    check_variance,
    from_linearised,
    undefined,
    why_undefined,
)
from toolkit.coefficients.ratings import (
    PAIR,
    CodedRatings,
    LabelCounts,
    code_ratings,
    count_codes,
    label_counts,
)
from toolkit.coefficients.weights import Floats, agreement_weights
from toolkit.errors import StatisticsError

Metric = Literal["nominal", "ordinal", "interval", "ratio"]
METRICS: tuple[Metric, ...] = ("nominal", "ordinal", "interval", "ratio")


def krippendorff_alpha(
    ratings: Any,
    metric: Metric = "nominal",
    *,
    categories: Sequence[Any] | None = None,
    variance: Variance = "linearised",
) -> Coefficient:
    r"""Krippendorff's alpha with the distance between values that their scale allows.

    Parameters
    ----------
    ratings : array-like of shape (n_items, n_raters)
        Labels, missing ones None or nan; see `code_ratings`.
    metric : {"nominal", "ordinal", "interval", "ratio"}
        Distance between two values. "interval" and "ratio" need numbers, "ratio" none below 0,
        "ordinal" numbers or declared `categories`.
    categories : sequence of length k, optional
        All categories in their order; without it, those that occur.
    variance : {"linearised", "irrcac"}
        See `multirater_alpha`.

    Returns
    -------
    Coefficient
        1: full agreement; 0: chance. nan where all labels are one value: without variation there
        is nothing to be reliable about. The error takes ordinal distances as fixed.

    Raises
    ------
    StatisticsError
        If labels or metric do not fit.

    Notes
    -----
    Squared distances: nominal 1; interval :math:`(a - b)^2`; ratio :math:`((a - b) / (a + b))^2`;
    ordinal :math:`(n_a / 2 + n_{a+1} + \dots + n_b / 2)^2` with n the labels per category.

    References
    ----------
    Krippendorff 2011, Computing Krippendorff's alpha-reliability,
    https://repository.upenn.edu/asc_papers/43. Hayes and Krippendorff 2007, Communication Methods
    and Measures 1:77, doi:10.1080/19312450709336664.

    Examples
    --------
    >>> ratings = [[1, 1, 2], [2, 2, None], [3, 3, 4], [1, 2, 1]]
    >>> [round(krippendorff_alpha(ratings, metric).estimate, 3) for metric in METRICS]
    [0.286, 0.687, 0.727, 0.597]
    """
    coded = code_ratings(ratings, categories)
    labels = count_codes(coded.codes, len(coded.categories))
    check_variance(variance)
    matrix = _metric_weights(metric, coded, labels)
    return _alpha(labels, matrix, variance, from_counts=False)


def multirater_alpha(
    ratings: Any = None,
    *,
    counts: Any = None,
    categories: Sequence[Any] | None = None,
    weights: Any = None,
    variance: Variance = "linearised",
) -> Coefficient:
    r"""Krippendorff's alpha with the agreement weights of the other coefficients.

    Parameters
    ----------
    ratings : array-like of shape (n_items, n_raters), optional
        Labels, missing ones None or nan; see `code_ratings`.
    counts : array-like of shape (n_items, k), optional
        Instead of `ratings`: how many raters chose each category.
    categories : sequence of length k, optional
        All categories of `ratings` in their order; without it, those that occur.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`; quadratic is the interval metric on category positions.
    variance : {"linearised", "irrcac"}
        First-order error of alpha itself, as in Gwet's test for correlated coefficients; or what
        R's irrCAC 1.0 prints, which disagrees with itself: from ratings the error of alpha without
        the small-sample term, from counts one that takes half of the change of chance agreement.

    Returns
    -------
    Coefficient
        1: full agreement; 0: chance.

    Raises
    ------
    StatisticsError
        If labels, counts, weights or `variance` do not fit.

    References
    ----------
    Gwet 2014, Handbook of Inter-Rater Reliability, 4th ed., ISBN 978-0-9708062-8-4; Gwet 2016,
    Educational and Psychological Measurement 76:609, doi:10.1177/0013164415596420.

    Examples
    --------
    >>> round(multirater_alpha(counts=[[3, 0], [3, 0], [2, 1], [0, 3]]).estimate, 3)
    0.656
    """
    labels = label_counts(ratings, counts, categories, weights)
    matrix = agreement_weights(weights, labels.counts.shape[1])
    check_variance(variance)
    return _alpha(labels, matrix, variance, from_counts=counts is not None)


def _alpha(
    labels: LabelCounts, weights: Floats, variance: Variance, *, from_counts: bool
) -> Coefficient:
    used = labels.counts.sum(1) >= PAIR
    counts = labels.counts[used]
    reason = why_undefined(labels)
    if reason:
        return undefined(labels, len(counts), reason)
    expected = (weights + weights.T) @ counts.sum(0) / (2 * counts.sum())
    p_e = float(counts.sum(0) @ expected / counts.sum())
    if 1 - p_e <= ROUNDING:
        one = (counts.sum(0) > 0).sum() == 1
        return undefined(labels, len(counts), "all_constant" if one else "no_expected_disagreement")
    size = counts.sum(1) / counts.sum(1).mean()
    disagreement = size * (1 - agreeing_pairs(counts, weights))
    chance = counts @ expected / counts.sum(1).mean()
    observed, small_sample = disagreement.mean(), 1 - 1 / counts.sum()
    excess = observed / (1 - p_e)
    # First order: the number of labels varies with the items, and each item moves p_e twice.
    by_agreement, by_chance = observed * size - disagreement, 2 * (chance - p_e * size)
    scale = small_sample
    if variance == "irrcac" and from_counts:
        by_chance = chance - p_e - (size - 1)
    elif variance == "irrcac":
        by_agreement, scale = by_agreement - observed * (size - 1) / counts.sum(), 1.0
    estimate = float(1 - small_sample * excess)
    change = scale * (by_agreement - excess * by_chance) / (1 - p_e)
    return from_linearised(estimate, estimate + change, used, labels.n_raters)


def _metric_weights(metric: str, coded: CodedRatings, labels: LabelCounts) -> Floats:
    """Turn squared distances into agreement weights; alpha is the same for both."""
    _check_metric(metric, coded)
    k = len(coded.categories)
    if metric == "nominal" or k == 0:
        return np.eye(k)
    if metric == "ordinal":
        paired = labels.counts[labels.counts.sum(1) >= PAIR].sum(0)
        middle = np.cumsum(paired) - paired / 2
        distance = np.abs(np.subtract.outer(middle, middle))
    else:
        values = np.array(coded.categories, dtype=np.float64)
        values = values / max(np.abs(values).max(), np.finfo(float).tiny)  # squares stay finite
        distance = np.abs(np.subtract.outer(values, values))
        if metric == "ratio":
            total = np.add.outer(values, values)
            distance = np.divide(distance, total, out=np.zeros_like(total), where=total > 0)
    largest = distance.max()
    return 1.0 - (distance / largest) ** 2 if largest > 0 else np.ones((k, k))


def _check_metric(metric: str, coded: CodedRatings) -> None:
    categories = coded.categories
    if metric not in METRICS:
        raise StatisticsError(
            "unknown metric", got=metric, allowed=METRICS, example="metric='ordinal'"
        )
    if metric == "ordinal" and not coded.order_declared:
        raise StatisticsError(
            "metric='ordinal' needs the order of the categories, which nobody declared",
            got=list(categories),
            example="categories=['low', 'medium', 'high']",
        )
    if metric in ("interval", "ratio") and any(isinstance(value, str) for value in categories):
        raise StatisticsError(
            f"metric={metric!r} needs numbers", got=list(categories), example="metric='nominal'"
        )
    if metric == "ratio" and any(value < 0 for value in categories):
        raise StatisticsError(
            "metric='ratio' needs numbers of 0 or more",
            got=list(categories),
            example="metric='interval'",
        )
