"""Populations of which kappa is known exactly: joint tables of proportions, reference in rows."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

SKEWED = {3: (0.80, 0.15, 0.05), 5: (0.70, 0.15, 0.08, 0.05, 0.02)}
BALANCED = {3: (1 / 3,) * 3, 5: (0.2,) * 5}
FAR = 9.0  # standard deviations beyond which a normal variable is taken as never to fall
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(200)


def true_kappa(table, weights=None):
    """Kappa by its definition, written apart from the package: 1 - observed / expected distance."""
    steps = np.arange(len(table))
    apart = steps[:, None] - steps
    distance = apart**2 if weights == "quadratic" else (apart != 0)
    expected = np.outer(table.sum(1), table.sum(0))
    return float(1 - (distance * table).sum() / (distance * expected).sum())


def binary(prevalence, kappa, flags=1.0):
    """Two raters of one present category (the first); the judge flags `flags` times as often."""
    reference, judge = prevalence, flags * prevalence
    apart = (1 - kappa) * (reference * (1 - judge) + judge * (1 - reference))
    both = (reference + judge - apart) / 2
    table = np.array([[both, reference - both], [judge - both, 1 - reference - judge + both]])
    if table.min() < -1e-12:
        raise ValueError(f"no table has prevalence {prevalence}, kappa {kappa}, flags {flags}")
    return np.clip(table, 0, None)


def copied(margin, kappa):
    """A judge that copies the reference with probability kappa and else draws from the margin."""
    shares = np.array(margin)
    return kappa * np.diag(shares) + (1 - kappa) * np.outer(shares, shares)


@cache
def discretised(margin, kappa):
    """A bivariate normal cut at the margin's quantiles, so correlated that `kappa` (quadratic)."""

    def gap(correlation):
        return true_kappa(_cut_normal(margin, correlation), "quadratic") - kappa

    return _cut_normal(margin, brentq(gap, 0.01, 0.999, xtol=1e-10))


def _cut_normal(margin, correlation):
    cuts = np.concatenate([[-FAR], norm.ppf(np.cumsum(margin)[:-1]), [FAR]])
    half = np.diff(cuts)[:, None] / 2
    first = cuts[:-1, None] + half * (1 + NODES)  # Gauss-Legendre nodes within each category
    density = half * NODE_WEIGHTS * norm.pdf(first)
    spread = np.sqrt(1 - correlation**2)
    below = norm.cdf((cuts - correlation * first[..., None]) / spread)
    table = np.einsum("in,inj->ij", density, np.diff(below))
    return table / table.sum()
