r"""One multi-rater coefficient with its linearisation: the source of its error and of tests.

A coefficient is :math:`(p_a - p_e) / (1 - p_e)`. Each item has one linearised value; their mean is
the estimate, their spread gives the standard error, and the values of two coefficients on the same
items give the error of their difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.ratings import PAIR, LabelCounts
from toolkit.coefficients.weights import Floats
from toolkit.errors import StatisticsError
from toolkit.plain import plain

Variance = Literal["linearised", "irrcac"]
VARIANCES: tuple[Variance, ...] = ("linearised", "irrcac")
ROUNDING = 1e-12  # proportions that differ by less are equal


@dataclass(frozen=True, eq=False)
class Coefficient:
    """A multi-rater agreement coefficient.

    Attributes
    ----------
    estimate : float
        1: full agreement; 0: chance agreement; nan where undefined, see `reasons`.
    se : float
        Linearised standard error over items, raters taken as fixed; nan where undefined. It is 0
        at full agreement, so it makes no interval there.
    n_items : int
        Items that entered.
    n_raters : int
        Raters with at least one label; from a count table, the most labels of any item.
    reasons : tuple of str
        Why a number is nan: ``no_labels``, ``one_rater``, ``no_overlap`` (no item has two labels),
        ``all_constant`` (one category throughout), ``no_expected_disagreement`` (the weights take
        all categories in use as equal), ``one_category``, ``undefined_pair``, ``one_item`` (the
        error alone).
    linearised : ndarray of shape (items given,)
        One value per item, mean `estimate`; nan for an item that did not enter.

    References
    ----------
    Gwet 2014, Handbook of Inter-Rater Reliability, 4th ed., ISBN 978-0-9708062-8-4.

    Examples
    --------
    >>> from toolkit.coefficients.multirater import fleiss_kappa
    >>> result = fleiss_kappa([[0, 0, 0], [1, 1, 0], [1, 1, None], [0, 0, 0]])
    >>> round(result.estimate, 3), result.n_items, result.left_out
    (0.657, 4, 0)
    """

    estimate: float
    se: float
    n_items: int
    n_raters: int
    reasons: tuple[str, ...]
    linearised: Floats

    @property
    def left_out(self) -> int:
        """Items given that did not enter."""
        return self.linearised.size - self.n_items

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self) | {"left_out": self.left_out}))


class Chance(NamedTuple):
    """Chance agreement and its first-order change by each item, shape (n,), mean 0."""

    agreement: float
    slope: Floats


ChanceModel = Callable[[Floats, Floats], Chance]  # counts of labelled items, weights -> Chance


def chance_corrected(
    labels: LabelCounts, weights: Floats, chance: ChanceModel, variance: Variance = "linearised"
) -> Coefficient:
    r"""Correct the pairwise agreement for chance; items with one label inform the chance alone.

    Parameters
    ----------
    labels : LabelCounts
        Counts of shape (n_items, k).
    weights : ndarray of shape (k, k)
        Agreement weights.
    chance : callable
        Takes the counts of the labelled items and the weights, gives `Chance`.
    variance : {"linearised", "irrcac"}
        First-order error; or that of R's irrCAC 1.0, which takes the number of items with two
        labels as fixed. They are equal where all items have two labels; where some have one,
        irrCAC's is too large (twice the true error at kappa .96 where each of two raters misses
        20 % of the labels).

    Returns
    -------
    Coefficient
        With reasons where undefined.

    Raises
    ------
    StatisticsError
        If `variance` is unknown.

    Notes
    -----
    With n labelled items, n' of them with two labels or more, :math:`p_{a|i}` the agreeing share of
    the pairs of item i and :math:`d_i` the change of :math:`p_e`, the linearised value is
    :math:`\kappa + \frac{n}{n'} \frac{p_{a|i} - p_a}{1 - p_e} - (1 - \kappa) \frac{d_i}{1 - p_e}`,
    without the second term for an item with one label.

    References
    ----------
    Gwet 2014, Handbook of Inter-Rater Reliability, 4th ed., ISBN 978-0-9708062-8-4.
    """
    check_variance(variance)
    used = labels.counts.sum(1) > 0
    counts = labels.counts[used]
    reason = why_undefined(labels)
    if reason:
        return undefined(labels, int(used.sum()), reason)
    p_e, slope = chance(counts, weights)
    if 1 - p_e <= ROUNDING:
        return undefined(labels, int(used.sum()), _no_disagreement(counts))
    paired = counts.sum(1) >= PAIR
    agreement = agreeing_pairs(counts[paired], weights)
    estimate = float(1 - (1 - agreement.mean()) / (1 - p_e))
    centre = agreement.mean() if variance == "linearised" else p_e
    by_agreement = np.full(len(counts), centre - agreement.mean())
    by_agreement[paired] += (agreement - centre) / paired.mean()
    change = (by_agreement - (1 - estimate) * slope) / (1 - p_e)
    return from_linearised(estimate, estimate + change, used, labels.n_raters)


def check_variance(variance: Any) -> None:
    """Refuse a variance that is none of `VARIANCES`."""
    if variance not in VARIANCES:
        raise StatisticsError(
            "unknown variance", got=variance, allowed=VARIANCES, example="variance='linearised'"
        )


def agreeing_pairs(counts: Floats, weights: Floats) -> Floats:
    """Weighted share of agreeing ordered pairs among the labels of each item (two or more)."""
    labels = counts.sum(1)
    same = ((counts @ weights) * counts).sum(1) - labels
    return np.asarray(same / (labels * (labels - 1)))


def from_linearised(
    estimate: float, values: Floats, used: NDArray[np.bool_], n_raters: int
) -> Coefficient:
    """Put the linearised values of the items in `used` into a result, with their standard error."""
    n = values.size
    error = math.sqrt(((values - estimate) ** 2).sum() / (n * (n - 1))) if n > 1 else math.nan
    linearised = np.full(used.shape, np.nan)
    linearised[used] = values
    return Coefficient(estimate, error, n, n_raters, () if n > 1 else ("one_item",), linearised)


def undefined(labels: LabelCounts, n_items: int, reason: str) -> Coefficient:
    """Give a result of nan with its reason."""
    empty = np.full(len(labels.counts), np.nan)
    return Coefficient(math.nan, math.nan, n_items, labels.n_raters, (reason,), empty)


def why_undefined(labels: LabelCounts) -> str | None:
    """Name what forbids any coefficient: no labels, one rater, or no item with two labels."""
    most = labels.counts.sum(1).max(initial=0)
    if most == 0:
        return "no_labels"
    if most < PAIR:
        return "one_rater" if labels.n_raters < PAIR else "no_overlap"
    return None


def _no_disagreement(counts: Floats) -> str:
    return "all_constant" if (counts.sum(0) > 0).sum() == 1 else "no_expected_disagreement"
