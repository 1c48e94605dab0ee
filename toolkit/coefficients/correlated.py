r"""Test of the difference between two multi-rater coefficients on the same items.

The two estimates are correlated because the items, and often the raters, are the same. The
difference of their linearised values, item by item, carries that correlation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from toolkit.coefficients.conger import conger_kappa
from toolkit.coefficients.krippendorff import multirater_alpha
from toolkit.coefficients.linearised import ROUNDING, Coefficient
from toolkit.coefficients.multirater import (
    fleiss_kappa,
    multirater_brennan_prediger,
    multirater_gwet_ac,
)
from toolkit.coefficients.ratings import PAIR, CodedRatings, code_ratings, refuse_undeclared_order
from toolkit.errors import StatisticsError
from toolkit.plain import plain

COEFFICIENTS: dict[str, Callable[..., Coefficient]] = {
    "fleiss": fleiss_kappa,
    "gwet": multirater_gwet_ac,
    "krippendorff": multirater_alpha,
    "brennan_prediger": multirater_brennan_prediger,
    "conger": conger_kappa,
}


@dataclass(frozen=True)
class CorrelatedTest:
    """Difference of two coefficients on the same items, with a t-test.

    Attributes
    ----------
    coefficient : str
        Which coefficient, as asked for.
    first, second : float
        The two estimates, on the shared items alone.
    difference : float
        `second` - `first`.
    se : float
        Standard error of the difference.
    t, df, p_value : float
        Statistic, degrees of freedom (items - 1), two-sided p-value.
    n_items : int
        Items that enter both coefficients.
    left_out : int
        Items given that do not.
    reasons : tuple of str
        Why a number is nan: ``no_overlap`` (no shared item), the reasons of the first or the second
        coefficient (``first_`` or ``second_`` before their name), ``zero_se``.

    References
    ----------
    Gwet 2016, Educational and Psychological Measurement 76:609, doi:10.1177/0013164415596420.

    Examples
    --------
    >>> before = [[1, 1, 2], [2, 2, 2], [1, 2, 2], [1, 1, 1], [1, 2, 1]]
    >>> after = [[1, 1, 1], [2, 2, 2], [2, 2, 2], [1, 1, 1], [1, 2, 1]]
    >>> test = correlated_test(before, after)
    >>> round(test.difference, 3), test.df
    (0.536, 4)
    """

    coefficient: str
    first: float
    second: float
    difference: float
    se: float
    t: float
    df: int
    p_value: float
    n_items: int
    left_out: int
    reasons: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))


def correlated_test(
    first: Any,
    second: Any,
    coefficient: str = "fleiss",
    *,
    categories: Sequence[Any] | None = None,
    second_categories: Sequence[Any] | None = None,
    weights: Any = None,
) -> CorrelatedTest:
    r"""Test whether a coefficient differs between two sets of labels of the same items.

    Parameters
    ----------
    first, second : array-like of shape (n_items, n_raters)
        Labels of the same items in the same order; the raters may differ in number. See
        `code_ratings`.
    coefficient : {"fleiss", "gwet", "krippendorff", "brennan_prediger", "conger"}
        "gwet" is AC1, or AC2 with weights; "krippendorff" is `multirater_alpha`.
    categories : sequence, optional
        All categories of `first`, and of `second` unless `second_categories` says otherwise.
        Without it: those that occur in either set.
    second_categories : sequence, optional
        All categories of `second` where its scale is another one.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`.

    Returns
    -------
    CorrelatedTest
        Only items with labels in both sets enter (for alpha: two labels in both); the rest is
        counted.

    Raises
    ------
    StatisticsError
        If labels, weights or the name of the coefficient do not fit, or the sets differ in length.

    Notes
    -----
    With :math:`d_i` the difference of the linearised values of item i,
    :math:`se^2 = \sum (d_i - \bar d)^2 / (n (n - 1))` and t has n - 1 degrees of freedom.

    References
    ----------
    Gwet 2016, Educational and Psychological Measurement 76:609, doi:10.1177/0013164415596420.

    Examples
    --------
    >>> before = [[1, 1, 2], [2, 2, 2], [1, 2, 2], [1, 1, 1], [1, 2, 1]]
    >>> after = [[1, 1, 1], [2, 2, 2], [2, 2, 2], [1, 1, 1], [1, 2, 1]]
    >>> round(correlated_test(before, after, "gwet").p_value, 2)
    0.18
    """
    if coefficient not in COEFFICIENTS:
        raise StatisticsError(
            "unknown coefficient",
            got=coefficient,
            allowed=list(COEFFICIENTS),
            example="correlated_test(first, second, 'gwet')",
        )
    sets = _coded(first, second, categories, second_categories)
    fewest = PAIR if coefficient == "krippendorff" else 1
    shared = np.logical_and(*[(coded.codes >= 0).sum(1) >= fewest for coded in sets])
    results = [_estimate(coefficient, coded, shared, weights) for coded in sets]
    return _compare(coefficient, results[0], results[1], shared)


def _coded(
    first: Any, second: Any, categories: Sequence[Any] | None, second_categories: Any
) -> tuple[CodedRatings, CodedRatings]:
    """Code both sets; where nothing is declared, with the categories of both together."""
    if categories is None and second_categories is None:
        apart = code_ratings(first), code_ratings(second)
        values = [value for coded in apart for value in coded.categories]
        both = code_ratings(np.array(values, dtype=object)[:, None])
        categories = both.categories or None
        declared = both.order_declared
    else:
        declared = True
    other = categories if second_categories is None else second_categories
    sets = code_ratings(first, categories), code_ratings(second, other)
    if len(sets[0].codes) != len(sets[1].codes):
        raise StatisticsError(
            "the two sets of ratings differ in their number of items",
            got=tuple(len(coded.codes) for coded in sets),
            allowed="the same items in the same order, None where a label is missing",
        )
    return sets[0]._replace(order_declared=declared), sets[1]._replace(order_declared=declared)


def _estimate(
    name: str, coded: CodedRatings, shared: NDArray[np.bool_], weights: Any
) -> Coefficient | None:
    refuse_undeclared_order(coded, weights)
    if not shared.any():
        return None
    positions = range(len(coded.categories))
    return COEFFICIENTS[name](coded.codes[shared], categories=positions, weights=weights)


def _compare(
    name: str, first: Coefficient | None, second: Coefficient | None, shared: NDArray[np.bool_]
) -> CorrelatedTest:
    n = int(shared.sum())
    no_overlap: tuple[str, ...] = ("no_overlap",)
    one, two, se, t, reasons = math.nan, math.nan, math.nan, math.nan, no_overlap
    if first is not None and second is not None:
        one, two = first.estimate, second.estimate
        reasons = (
            *(f"first_{reason}" for reason in first.reasons),
            *(f"second_{reason}" for reason in second.reasons),
        )
        if not reasons:
            spread = (second.linearised - first.linearised - (two - one)) ** 2
            se = math.sqrt(spread.sum() / (n * (n - 1)))
            t, reasons = ((two - one) / se, ()) if se > ROUNDING else (math.nan, ("zero_se",))
    df = max(n - 1, 0)
    p_value = float(2 * stats.t.sf(abs(t), df)) if not math.isnan(t) else math.nan
    return CorrelatedTest(
        name, one, two, two - one, se, t, df, p_value, n, shared.size - n, reasons
    )
