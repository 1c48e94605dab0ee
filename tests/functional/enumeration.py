"""Every table of n items in four cells, and how probable it is: no draw is needed."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, xlogy


def tables_of(n):
    """All 2 x 2 tables of n items, shape (tables, 4)."""
    first, second, third = np.indices((n + 1,) * 3).reshape(3, -1)
    fourth = n - first - second - third
    return np.column_stack([first, second, third, fourth])[fourth >= 0]


def probabilities(tables, shares):
    """Multinomial probability of each table for the given cell shares."""
    ways = gammaln(tables.sum(1) + 1) - gammaln(tables + 1).sum(1)
    return np.exp(ways + xlogy(tables, np.ravel(shares)).sum(1))
