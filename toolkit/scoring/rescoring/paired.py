"""What a second scorer changed on the same items."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from toolkit.coefficients import mcnemar
from toolkit.errors import StatisticsError


class PairedChange(NamedTuple):
    """Change of accuracy between two scorers of the same answers.

    Attributes
    ----------
    n, gained, lost : int
        Items; those that became right; those that were right and no longer are.
    change : float
        (gained - lost) / n.
    low, high : float
        Its interval.
    p_value : float
        McNemar, exact: that gains and losses are equally likely. Clusters are not part of it.
    confidence : float
        Nominal coverage.
    method : str
        ``adjusted_wald``, or ``adjusted_wald_clustered``.
    reasons, flags : tuple of str
        ``no_items``, ``no_discordant_items`` (nothing changed: no p-value), ``one_cluster``;
        ``p_value_ignores_clusters``.
    """

    n: int
    gained: int
    lost: int
    change: float
    low: float
    high: float
    p_value: float
    confidence: float
    method: str
    reasons: tuple[str, ...]
    flags: tuple[str, ...]


def paired_change(
    old: Any, new: Any, *, clusters: Any = None, confidence: float = 0.95
) -> PairedChange:
    r"""Compare two scorers item by item.

    Parameters
    ----------
    old, new : array-like of bool
        Whether each item was right.
    clusters : array-like, optional
        Stem of each item.
    confidence : float
        Nominal coverage.

    Returns
    -------
    PairedChange
        Undefined numbers are nan, with a reason.

    Raises
    ------
    StatisticsError
        Sequences of unequal length.

    Notes
    -----
    With b gains and c losses, :math:`p_b = (b + 1) / (n + 2)` and :math:`p_c` alike, the interval
    is :math:`p_b - p_c \pm z \sqrt{(p_b + p_c - (p_b - p_c)^2) / (n + 2)}` (Bonett and Price 2012).
    With clusters the variance is multiplied by the design effect of the differences, 1 at least,
    and z is a t quantile with as many degrees of freedom as clusters less one.

    References
    ----------
    Bonett and Price 2012, Journal of Educational and Behavioral Statistics 37:479,
    doi:10.3102/1076998611411915; McNemar 1947, Psychometrika 12:153, doi:10.1007/BF02295996.

    Examples
    --------
    >>> found = paired_change([False] * 8 + [True] * 12, [True] * 20)
    >>> found.gained, found.lost, found.change, round(found.p_value, 4)
    (8, 0, 0.4, 0.0078)
    """
    before, after = np.asarray(old, dtype=bool), np.asarray(new, dtype=bool)
    groups = None if clusters is None else np.unique(np.asarray(clusters), return_inverse=True)[1]
    if before.shape != after.shape or (groups is not None and groups.shape != before.shape):
        raise StatisticsError(
            "the two scorers did not score the same items",
            got=[before.shape, after.shape],
            allowed="sequences of one length",
        )
    n = before.size
    gained, lost = int((after & ~before).sum()), int((before & ~after).sum())
    method = "adjusted_wald" if groups is None else "adjusted_wald_clustered"
    flags = () if groups is None else ("p_value_ignores_clusters",)
    if n == 0:
        return PairedChange(0, 0, 0, *(math.nan,) * 4, confidence, method, ("no_items",), flags)
    reasons = () if gained + lost else ("no_discordant_items",)
    p_value = mcnemar([[0, lost], [gained, 0]]).p_value
    up, down = (gained + 1) / (n + 2), (lost + 1) / (n + 2)
    design, quantile = 1.0, float(stats.norm.ppf((1 + confidence) / 2))
    if groups is not None:
        m = int(groups.max()) + 1
        if m == 1 < n:
            reasons = (*reasons, "one_cluster")
            limits = (math.nan, math.nan)
            change = (gained - lost) / n
            return PairedChange(
                n, gained, lost, change, *limits, p_value, confidence, method, reasons, flags
            )
        if m < n:
            design = _design_effect(after.astype(int) - before, groups, m)
            quantile = float(stats.t.ppf((1 + confidence) / 2, m - 1))
    half = quantile * math.sqrt(design * (up + down - (up - down) ** 2) / (n + 2))
    low, high = max(up - down - half, -1.0), min(up - down + half, 1.0)
    change = (gained - lost) / n
    return PairedChange(
        n, gained, lost, change, low, high, p_value, confidence, method, reasons, flags
    )


def _design_effect(difference: Any, groups: Any, m: int) -> float:
    residual = difference - difference.mean()
    single = float(residual @ residual)
    sums = np.bincount(groups, weights=residual, minlength=m)
    clustered = m / (m - 1) * float(sums @ sums)
    return max(clustered / single, 1.0) if single > 0 else float(len(difference) / m)
