"""Fleiss' kappa category by category, and standard errors under the hypothesis of no agreement.

These errors test kappa = 0. They are no base for an interval: away from 0 the error is another one
(`Coefficient.se`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from toolkit.coefficients.linearised import Coefficient
from toolkit.coefficients.multirater import fleiss_kappa
from toolkit.coefficients.ratings import label_counts
from toolkit.coefficients.weights import Floats
from toolkit.plain import plain


@dataclass(frozen=True)
class FleissByCategory:
    """Fleiss' kappa, overall and for each category against all others.

    Attributes
    ----------
    overall : Coefficient
        Fleiss' kappa over all categories.
    categories : tuple
        The categories; positions 0..k-1 where a count table was given.
    by_category : tuple of Coefficient
        One for each category, in the same order; nan where nobody, or everybody, chose it.
    se_null : float
        Standard error of the overall kappa if raters did not agree; nan, see `reasons`.
    se_null_category : float
        The same for a single category; it does not depend on the category.
    z, p_value : float
        Overall kappa over `se_null`, and its two-sided normal p-value.
    reasons : tuple of str
        Why the null errors are nan: the reasons of `overall`, or ``unequal_labels`` where items
        differ in their number of labels.

    References
    ----------
    Fleiss 1971, Psychological Bulletin 76:378, doi:10.1037/h0031619.

    Examples
    --------
    >>> result = fleiss_by_category(counts=[[3, 0, 0], [0, 2, 1], [0, 3, 0], [2, 0, 1]])
    >>> [round(one.estimate, 2) for one in result.by_category], round(result.z, 2)
    ([0.66, 0.66, -0.2], 2.17)
    """

    overall: Coefficient
    categories: tuple[Any, ...]
    by_category: tuple[Coefficient, ...]
    se_null: float
    se_null_category: float
    z: float
    p_value: float
    reasons: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        nested = {
            "overall": self.overall.to_dict(),
            "by_category": [one.to_dict() for one in self.by_category],
        }
        return dict(plain(vars(self) | nested))


def fleiss_by_category(
    ratings: Any = None, *, counts: Any = None, categories: Sequence[Any] | None = None
) -> FleissByCategory:
    r"""Fleiss' kappa for each category against the rest, with the errors under no agreement.

    Parameters
    ----------
    ratings : array-like of shape (n_items, n_raters), optional
        Labels, missing ones None or nan; see `code_ratings`.
    counts : array-like of shape (n_items, k), optional
        Instead of `ratings`: how many raters chose each category.
    categories : sequence of length k, optional
        All categories of `ratings` in their order; without it, those that occur.

    Returns
    -------
    FleissByCategory
        Estimates also with missing labels; null errors only where all items have equally many.

    Raises
    ------
    StatisticsError
        If labels or counts do not fit.

    Notes
    -----
    With N items of m labels, :math:`q_j = 1 - p_j` and :math:`S = \sum p_j q_j`: for a category
    :math:`\sqrt{2 / (N m (m - 1))}`, overall that times
    :math:`\sqrt{S^2 - \sum p_j q_j (q_j - p_j)} / S`.

    References
    ----------
    Fleiss 1971, Psychological Bulletin 76:378, doi:10.1037/h0031619. Null errors: Fleiss, Nee and
    Landis 1979, Psychological Bulletin 86:974, doi:10.1037/0033-2909.86.5.974.

    Examples
    --------
    >>> result = fleiss_by_category([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"]])
    >>> round(result.overall.estimate, 2), round(result.se_null, 2)
    (0.55, 0.33)
    """
    labels = label_counts(ratings, counts, categories, None)
    table = labels.counts
    overall = fleiss_kappa(counts=table)
    rest = table.sum(1)
    by_category = tuple(
        fleiss_kappa(counts=np.stack([column, rest - column], axis=1)) for column in table.T
    )
    reasons = _why_no_null_error(overall, rest)
    se_null, se_category = (math.nan, math.nan) if reasons else _null_errors(table)
    z = overall.estimate / se_null if not reasons else math.nan
    return FleissByCategory(
        overall=overall,
        categories=labels.categories,
        by_category=by_category,
        se_null=se_null,
        se_null_category=se_category,
        z=z,
        p_value=float(2 * stats.norm.sf(abs(z))),
        reasons=reasons,
    )


def _why_no_null_error(overall: Coefficient, labels_of_item: Floats) -> tuple[str, ...]:
    if math.isnan(overall.estimate):
        return overall.reasons
    return ("unequal_labels",) if np.unique(labels_of_item[labels_of_item > 0]).size > 1 else ()


def _null_errors(table: Floats) -> tuple[float, float]:
    share = table.sum(0) / table.sum()
    product = share * (1 - share)
    m = table.sum(1).max()
    category = math.sqrt(2 / (table.sum() * (m - 1)))
    spread = product.sum() ** 2 - (product * (1 - 2 * share)).sum()
    return category * math.sqrt(max(spread, 0.0)) / float(product.sum()), category
