"""Resample counted units instead of rows: the cost does not grow with the number of items.

A unit is what is drawn anew in a replicate: an item, or a cluster of items. Units that contribute
the same counts to every cell are kept once, with their multiplicity, so n items of a 2 x 2 table
are at most four distinct units.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.weights import Floats

CHUNK = 1 << 22  # random numbers held at once, 32 MB: memory stays flat with many clusters


@dataclass(frozen=True)
class Units:
    """Distinct resampling units.

    Attributes
    ----------
    cells : ndarray of shape (u, c)
        What one unit of each kind adds to the c cells (of one table, or of several side by side).
    multiplicity : ndarray of shape (u,)
        How many units of each kind there are.
    tables : int
        Number of tables that stand side by side in the cells; each holds every item once.
    scale : float
        Factor on the smoothing mass: 1 for items of equal weight, the square root of the (size-
        weighted) mean cluster size for clusters, times the design effect of unequal weights.
    shape : float
        Shape of the Gamma weight of one unit: 1 (exponential) for items, less for few clusters,
        whose weights must vary more (see `cluster_shape`).
    """

    cells: Floats
    multiplicity: Floats
    tables: int = 1
    scale: float = 1.0
    shape: float = 1.0

    @property
    def total(self) -> Floats:
        """Counts of all units together, shape (c,)."""
        return self.multiplicity @ self.cells

    @property
    def items(self) -> float:
        """Number of items (their weights summed)."""
        return float(self.total.sum() / self.tables)

    @property
    def number(self) -> float:
        """Number of units: of items, or of clusters."""
        return float(self.multiplicity.sum())


def units_of_table(table: Floats) -> Units:
    """Make every item of a (k, k) table a unit."""
    return Units(np.eye(table.size), table.ravel())


def units_of_items(
    positions: NDArray[Any],
    sizes: tuple[int, ...],
    *,
    weight: Floats | None = None,
    cluster: NDArray[Any] | None = None,
) -> Units:
    """Group items, or their clusters, into distinct units.

    Parameters
    ----------
    positions : ndarray of shape (n, t)
        For each item its cell in each of t tables.
    sizes : tuple of t ints
        Cells of each table; the unit vectors hold the tables side by side.
    weight : ndarray of shape (n,), optional
        Item weights above 0; they are rescaled to mean 1.
    cluster : ndarray of shape (n,), optional
        Codes 0..m-1 of the clusters. None: every item stands alone.

    Returns
    -------
    Units
    """
    n = len(positions)
    weights = np.ones(n) if weight is None else weight / weight.mean()
    design_effect = float((weights**2).mean()) if n else 1.0
    if cluster is None:
        keys = np.column_stack([positions, weights]) if weight is not None else positions
        distinct, multiplicity = np.unique(keys, axis=0, return_counts=True)
        heights = distinct[:, -1] if weight is not None else np.ones(len(distinct))
        cells = _indicators(distinct[:, : len(sizes)].astype(np.intp), heights, sizes)
        return Units(cells, multiplicity.astype(np.float64), len(sizes), design_effect)
    number = int(cluster.max()) + 1 if n else 0
    starts = np.cumsum([0, *sizes[:-1]])
    flat = cluster[:, None] * sum(sizes) + positions + starts
    height = np.repeat(weights, len(sizes))
    summed = np.bincount(flat.ravel(), weights=height, minlength=number * sum(sizes))
    distinct, multiplicity = np.unique(
        summed.reshape(number, sum(sizes)), axis=0, return_counts=True
    )
    size = _size_weighted(np.bincount(cluster, minlength=number))
    return Units(
        distinct,
        multiplicity.astype(np.float64),
        len(sizes),
        scale=float(np.sqrt(size)) * design_effect,
        shape=cluster_shape(n / size, size),
    )


def _size_weighted(counts: NDArray[np.intp]) -> float:
    """Mean cluster size as an item sees it: sum m^2 / sum m. Large clusters count for more."""
    return float((counts**2).sum() / counts.sum()) if counts.size else 1.0


def cluster_shape(number: float, size: float) -> float:
    """Shape of the Gamma weights of clusters: 1 - 4 (1 - 1 / size) / (number + 4).

    Exponential weights make the spread of a mean over C clusters too small by about 1 - 1 / C, and
    quantiles of draws know nothing of the t distribution that few clusters call for. The smaller
    shape makes up for both. `size` is the size-weighted mean, `number` the items divided by it. The
    shape is 1 for clusters of one item, and tends to 1 with many; docs/validation.md has the
    coverage.
    """
    return 1 - 4 * (1 - 1 / max(size, 1)) / (number + 4)


def smoothing_prior(k: int) -> Floats:
    """Shapes of the Gamma mass of a (k, k) table, flat: 1 in all on the diagonal, 1 in all off it.

    Half a count in each cell of a 2 x 2 table is Jeffreys' prior. For more categories the total
    stays 2 and agreement stays even odds; equal shares per cell would put 1 - 1 / k of the mass on
    disagreement, and half a count in each would drown the data.
    """
    apart = 1 / (k * (k - 1)) if k > 1 else 0.0
    return np.where(np.eye(k, dtype=bool), 1 / k, apart).ravel()


def smoothed_draws(units: Units, prior: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Jeffreys-smoothed bootstrap: Gamma weights for the units plus Gamma mass per cell.

    Parameters
    ----------
    units : Units
        What is drawn anew.
    prior : ndarray of shape (c,)
        Shape of the Gamma mass added to each cell, so that an empty cell is not impossible.
    draws : int
        Number of replicates.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of shape (draws, c)
        Unnormalised tables: every coefficient is free of scale.

    Notes
    -----
    A sum of m exponential weights is Gamma(m), which is why equal units are drawn together, and why
    the plain table needs one Gamma(n + a) per cell (a Dirichlet draw up to its scale).

    `smoothing_prior` gives the shapes of the mass.

    References
    ----------
    Rubin 1981, Annals of Statistics 9:130, doi:10.1214/aos/1176345338.
    """
    if _is_one_table(units):
        return _gammas(units.multiplicity + prior, draws, rng).T
    total = units.scale * _gammas(prior, draws, rng).T
    step = max(CHUNK // draws, 1)
    for start in range(0, len(units.cells), step):
        part = slice(start, start + step)
        weights = _gammas(units.shape * units.multiplicity[part], draws, rng).T
        total += weights @ (units.cells[part] / units.shape)
    return total


def multinomial_draws(units: Units, draws: int, rng: np.random.Generator) -> Floats:
    """Ordinary bootstrap: as many units drawn with replacement as there are.

    Parameters
    ----------
    units : Units
        What is drawn anew; multiplicities must be whole numbers.
    draws : int
        Number of replicates.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of shape (draws, c)
        Tables of counts.
    """
    number = round(units.number)
    shares = units.multiplicity / units.number
    result = np.empty((draws, units.cells.shape[1]))
    step = max(CHUNK // len(shares), 1)
    for start in range(0, draws, step):
        size = min(step, draws - start)
        result[start : start + size] = rng.multinomial(number, shares, size) @ units.cells
    return result


def _is_one_table(units: Units) -> bool:
    cells = units.cells
    square = cells.shape[0] == cells.shape[1] and units.scale == 1.0
    return square and np.array_equal(cells, np.eye(len(cells)))


def _gammas(shapes: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Standard Gamma draws, one row per shape: filling row by row is fastest in numpy.

    Shapes 1 and 1/2 are exponential and half of chi-squared: several times faster to draw.
    """
    result = np.empty((len(shapes), draws))
    for row, shape in zip(result, shapes, strict=True):
        if shape == 1:
            rng.standard_exponential(out=row)
        elif shape == 0.5:  # noqa: PLR2004  the smoothing mass of a 2 x 2 table
            rng.standard_normal(out=row)
            np.multiply(row, row / 2, out=row)
        else:
            rng.standard_gamma(shape, out=row)
    return result


def _indicators(positions: NDArray[np.intp], heights: Floats, sizes: tuple[int, ...]) -> Floats:
    cells = np.zeros((len(positions), sum(sizes)))
    starts = np.cumsum([0, *sizes[:-1]])
    for table, start in enumerate(starts):
        cells[np.arange(len(cells)), start + positions[:, table]] = heights
    return cells
