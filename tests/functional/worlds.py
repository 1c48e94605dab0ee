"""Draw data sets from populations: items, clusters of items, pairs of constructs.

A data set is an array of shape (n, t): for each item its cell in each of t tables. Every way of
drawing keeps the cells of each table exactly as probable as the table says.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import norm


def dirichlet_clusters(rng, table, sizes, icc):
    """Clusters with cell shares of their own: any two items of one are alike with probability icc.

    The intraclass correlation of every cell's indicator is `icc` (Dirichlet-multinomial).
    """
    shares = rng.dirichlet(table.ravel() * (1 - icc) / icc, len(sizes))
    counts = rng.multinomial(sizes, shares)
    cells = np.tile(np.arange(table.size), len(sizes))
    return np.repeat(cells, counts.ravel())[:, None]


def latent_items(rng, tables, sizes, *, icc=0.0, shared_errors=0.0, shared_reference=0.0):
    """Items of one or two tables from normal variables, correlated within clusters and tables.

    Parameters
    ----------
    tables : sequence of one or two (k, k) arrays
    sizes : (c,) array of int
        Items per cluster; all 1 for independent items.
    icc : float
        Intraclass correlation of the normal variables behind reference and judge.
    shared_errors, shared_reference : float
        Share of items on which the second table takes the first one's draw, for the judge's answer
        given the reference, and for the reference; shared_reference 1 is two judges on one
        construct.
    """
    behind_reference = _normals(rng, len(tables), sizes, icc, shared_reference)
    behind_judge = _normals(rng, len(tables), sizes, icc, shared_errors)
    columns = [
        _cells(table, x, y)
        for table, x, y in zip(tables, behind_reference, behind_judge, strict=True)
    ]
    return np.column_stack(columns)


def cluster_codes(sizes):
    """Cluster of each item, in the order in which the other functions give the items."""
    return np.repeat(np.arange(len(sizes)), sizes)


def _normals(rng, tables, sizes, icc, shared):
    """Standard normals of shape (tables, n); the second takes the first one's draws at times."""
    single = _shared_draws(rng, tables, int(np.sum(sizes)), shared)
    if icc == 0:
        return single
    common = _shared_draws(rng, tables, len(sizes), shared)
    return np.sqrt(icc) * np.repeat(common, sizes, axis=1) + np.sqrt(1 - icc) * single


def _shared_draws(rng, tables, number, shared):
    draws = rng.standard_normal((tables, number))
    same = rng.random(number) < shared
    return np.where(same, draws[0], draws)


def _cells(table, behind_reference, behind_judge):
    """Cut both normals: the reference by its margin, the judge by its row, right answer first."""
    k = len(table)
    margin = table.sum(1)
    reference = np.searchsorted(norm.ppf(np.cumsum(margin)[:-1]), behind_reference)
    order = np.array([[i, *(j for j in range(k) if j != i)] for i in range(k)])
    chances = np.take_along_axis(table / margin[:, None], order, axis=1)
    limits = np.cumsum(chances, axis=1)[:, :-1]
    place = (norm.cdf(behind_judge)[:, None] > limits[reference]).sum(1)
    return reference * k + order[reference, place]
