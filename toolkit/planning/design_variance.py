"""Variance of a coefficient that was estimated from a stratified sample, by linearisation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from toolkit.coefficients.chance_corrected import CHANCE, influence
from toolkit.coefficients.weights import Floats
from toolkit.planning.posterior import Counts

STEP = 1e-6  # of a share, for a coefficient whose influence values have no closed form here
Statistic = Callable[[Floats], Floats]  # tables (..., k, k) -> values (...)


def estimated_table(counts: Counts, sizes: Counts) -> Floats:
    """Shares of the pool by cell, (..., c), from counts (..., H, c): every stratum by its size."""
    portion = sizes / sizes.sum()
    return np.asarray(np.einsum("h,...hc->...c", portion, counts / counts.sum(-1, keepdims=True)))


def influence_values(table: Floats, name: str, weights: Any, statistic: Statistic) -> Floats:
    """Influence value of one item in each cell of a (k, k) table of shares, flat."""
    if name in CHANCE:
        return influence(table, name, weights).ravel()
    k = len(table)
    steps = STEP * np.eye(k * k).reshape(-1, k, k)
    # An empty cell can't lose anything: the difference is one-sided there.
    down = np.where(table.ravel() >= STEP, 1.0, 0.0)[:, None, None]
    slope = statistic(table + steps) - statistic(table - down * steps)
    slope = slope / (STEP * (1 + down[:, 0, 0]))
    return np.asarray(slope - slope @ table.ravel())


def design_variance(
    counts: Counts,
    value: Floats,
    sizes: Counts,
    *,
    estimand: str,
    prior: Floats | None = None,
) -> Floats:
    r"""Variance of the estimate, (...,).

    Parameters
    ----------
    counts : ndarray of shape (..., H, c)
        Labels read, by stratum and cell.
    value : ndarray of shape (..., c)
        Influence values.
    sizes : ndarray of shape (H,)
        Items of the strata.
    estimand : {"pool", "deployment"}
        Of the pool itself, with the finite-population correction; or of the traffic that the pool
        is a random sample of, which adds the phase-1 part.
    prior : ndarray of shape (H, c), optional
        Added to the counts for the spread alone, so that a stratum in which all labels are alike
        is not taken for certain.

    Notes
    -----
    :math:`\sum_h W_h^2 S_h^2 / n_h (1 - n_h / N_h)`, and for deployment the variance over all
    items :math:`\sum p_{ij} z_{ij}^2 / N` beside it. :math:`S_h^2` has the divisor :math:`n_h - 1`;
    with smoothed shares :math:`n_h`.

    References
    ----------
    Saerndal, Swensson and Wretman 1992, Model Assisted Survey Sampling, section 9.3,
    ISBN 978-0-387-40620-6.
    """
    n = counts.sum(-1)
    portion = sizes / sizes.sum()
    spread = _spread(counts if prior is None else counts + prior, value)
    divisor = n - 1 if prior is None else n
    left = 1 - n / sizes
    with np.errstate(divide="ignore", invalid="ignore"):
        each = portion**2 * spread / divisor * left
    # One label says nothing of a stratum's spread, unless it is the only item.
    within = np.where(left > 0, each, 0).sum(-1)
    if estimand == "pool":
        return np.asarray(within)
    table = estimated_table(counts, sizes)
    return np.asarray(within + np.einsum("...c,...c->...", table, value**2) / sizes.sum())


def _spread(counts: Any, value: Floats) -> Floats:
    """Variance of the influence value within each stratum, (..., H)."""
    shares = counts / counts.sum(-1, keepdims=True)
    mean = np.einsum("...hc,...c->...h", shares, value)
    square = np.einsum("...hc,...c->...h", shares, value**2)
    return np.asarray(np.maximum(square - mean**2, 0))


def null_variance(counts: Counts, value: Floats, sizes: Counts) -> Floats:
    """Variance if people's labels did not depend on stratum or judge; `value` of that table."""
    k = math.isqrt(counts.shape[-1])
    people = estimated_table(counts, sizes).reshape(k, k).sum(1)
    n = counts.sum(-1)
    judge = counts.reshape(-1, k, k).sum(1) / n[:, None]
    joint = (people[:, None] * judge[:, None, :]).reshape(-1, k * k)
    portion = sizes / sizes.sum()
    return np.asarray((portion**2 * _spread(joint, value) / n * (1 - n / sizes)).sum())
