r"""Correlations between columns of labels of the same calls, as stacks.

Needed are the margins of each column and one covariance per pair, never the tables of all pairs.
With Mehler's series the covariance of the latent model splits into one factor per column,

.. math:: \Phi_2(h, g; \rho) - \Phi(h)\Phi(g) = \sum_{m \ge 1} \rho^m\, a_m(h)\, a_m(g), \quad
          a_m(h) = \phi(h)\, He_{m-1}(h) / \sqrt{m!}

(Kendall 1941, Biometrika 32:196, doi:10.1093/biomet/32.2.196), so that all pairs are solved at once
as polynomials in the correlation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toolkit.diagnosis import latent
from toolkit.diagnosis.case import Case, Floats

TERMS = 64  # of the series: an error below .001 up to a correlation of .95, .01 at .99
FIRST, THEN = 12, 2  # Newton steps of the estimate, and of the replicates, which start from it
LARGEST, TINY = 0.4, 1e-9
LEAST_ROOT = 0.01  # eigenvalues are kept above it, so that regressions stay stable
MASS_SEED = 3

Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, eq=False)
class Moments:
    """Covariance of each pair over the calls that carry both; variances over the same calls."""

    pairs: Pairs
    margins: tuple[Floats, ...]
    covariance: Floats
    spread: Floats

    def pearson(self) -> Floats:
        """Correlation of the category numbers of each pair, (1 + replicates, pairs); nan: flat."""
        result = np.full(self.covariance.shape, np.nan)
        np.divide(self.covariance, self.spread, out=result, where=self.spread > TINY)
        return np.asarray(np.clip(result, -1, 1))

    def latent(self) -> Floats:
        """Latent correlation of each pair, as `latent.rho_of` has it, (1 + replicates, pairs)."""
        factors = np.stack([_factors(latent.cuts_of(margin)) for margin in self.margins], axis=1)
        observed = self.covariance.T
        start = _solved(factors[..., :1], self.pairs, observed[:, :1], np.zeros((1, 1)), FIRST)
        rest = _solved(factors[..., 1:], self.pairs, observed[:, 1:], start, THEN)
        return np.asarray(np.sin(np.concatenate([start, rest], axis=1)).T)


def all_pairs(columns: int) -> Pairs:
    """Positions (first, second) of all pairs of columns."""
    return np.triu_indices(columns, 1)


def moments(case: Case, columns: Sequence[Floats], pairs: Pairs, *, smooth: bool = True) -> Moments:
    """Moments of pairs of columns, each the shares (n, k) of a rater's labels; zeros: no label.

    Replicates carry the smoothing mass of `Case.tables`, shuffled from pair to pair; the estimate
    carries its mean, or nothing with ``smooth=False``.
    """
    sizes = [column.shape[1] for column in columns]
    total = _sums(case, columns, pairs)
    total += _mass(case, [(sizes[i], sizes[j]) for i, j in zip(*pairs, strict=True)], smooth)
    both, x, y, xy, xx, yy = np.moveaxis(total, 1, 0)
    both = np.maximum(both, TINY)
    variances = (xx / both - (x / both) ** 2) * (yy / both - (y / both) ** 2)
    margins = np.split(case.sums(np.concatenate(columns, axis=1)), np.cumsum(sizes)[:-1], axis=1)
    smoothed = tuple(margin + 1 / margin.shape[1] for margin in margins)
    return Moments(pairs, smoothed, xy / both - x * y / both**2, np.sqrt(np.maximum(variances, 0)))


def square(values: Floats, pairs: Pairs, columns: int) -> Floats:
    """Values of all pairs (..., p) as symmetric matrices (..., v, v) with ones on the diagonal."""
    matrix = np.broadcast_to(np.eye(columns), (*values.shape[:-1], columns, columns)).copy()
    matrix[..., pairs[0], pairs[1]] = values
    matrix[..., pairs[1], pairs[0]] = values
    return matrix


def positive_definite(matrices: Floats) -> Floats:
    """Nearest matrices with eigenvalues above `LEAST_ROOT`, rescaled to a diagonal of ones."""
    roots, vectors = np.linalg.eigh(matrices)
    raised = np.maximum(roots, LEAST_ROOT)
    near = (vectors * raised[..., None, :]) @ np.swapaxes(vectors, -1, -2)
    scale = np.sqrt(np.diagonal(near, axis1=-2, axis2=-1))
    return np.asarray(near / (scale[..., :, None] * scale[..., None, :]))


def flat(case: Case, construct: int) -> str:
    """Why nothing can be correlated with a construct's labels; "" where something can."""
    name = case.scales[construct].name
    columns = case.judged(construct), case.referred(construct)
    for column, who in zip(columns, ("the judge", "people"), strict=True):
        used = int((column.sum(axis=0) > 0).sum())
        if used < 2:  # noqa: PLR2004  one category
            verb = ("gives", "give")[who == "people"]
            return f"{who} {verb} {'one' if used else 'no'} label on {name}" + " only" * used
    return ""


def _sums(case: Case, columns: Sequence[Floats], pairs: Pairs) -> Floats:
    """Sums of 1, x, y, xy, x^2, y^2 over the calls that carry both, (1 + replicates, 6, pairs)."""
    first, second = pairs
    known = np.stack([column.any(axis=1) for column in columns], axis=1).astype(np.float64)
    score = np.stack([column @ np.arange(column.shape[1]) for column in columns], axis=1)
    square = np.stack([column @ np.arange(column.shape[1]) ** 2 for column in columns], axis=1)
    product = score[:, first] * score[:, second]
    if known.all():  # then what a pair sums up is what its columns sum up
        sums = case.sums(np.concatenate([known[:, :1], score, square, product], axis=1))
        one, x, xx, xy = np.split(sums, np.cumsum([1, len(columns), len(columns)]), axis=1)
        one = np.broadcast_to(one, xy.shape)
        return np.stack([one, x[:, first], x[:, second], xy, xx[:, first], xx[:, second]], axis=1)
    parts = [
        known[:, first] * known[:, second],
        score[:, first] * known[:, second],
        known[:, first] * score[:, second],
        product,
        square[:, first] * known[:, second],
        known[:, first] * square[:, second],
    ]
    sums = case.sums(np.concatenate(parts, axis=1))
    return sums.reshape(len(sums), len(parts), len(first))


def _mass(case: Case, sizes: Sequence[tuple[int, int]], smooth: bool) -> Floats:  # noqa: FBT001
    """Moments of the smoothing mass of each pair of columns, (1 + replicates, 6, pairs)."""
    rng = np.random.default_rng([case.seed, MASS_SEED])
    own = {size: _mass_moments(case, *size) for size in set(sizes)}
    mass = np.stack([own[size] for size in sizes], axis=2)
    order = rng.permuted(np.tile(np.arange(1, len(mass)), (len(sizes), 1)), axis=1).T
    mass[1:] = np.take_along_axis(mass, order[:, None, :], axis=0)
    if not smooth:
        mass[0] = 0
    return mass


def _mass_moments(case: Case, a: int, b: int) -> Floats:
    cells = case.mass(a, b).reshape(-1, a * b)
    x, y = (place.ravel().astype(np.float64) for place in np.indices((a, b)))
    return cells @ np.stack([np.ones(a * b), x, y, x * y, x * x, y * y], axis=1)


def _factors(cuts: Floats) -> Floats:
    """Coefficients a_m summed over the cuts of a column: (..., k - 1) -> (terms, ...)."""
    before, now = np.zeros_like(cuts), np.exp(-(cuts**2) / 2) / np.sqrt(2 * np.pi)
    result = np.empty((TERMS, *cuts.shape[:-1]))
    for m in range(TERMS):
        result[m] = now.sum(axis=-1) / np.sqrt(m + 1)
        before, now = now, (cuts * now - np.sqrt(m) * before) / np.sqrt(m + 1)
    return result


def _solved(factors: Floats, pairs: Pairs, observed: Floats, start: Floats, steps: int) -> Floats:
    """Angles arcsin(rho), (pairs, entries), at which the series is the observed covariance."""
    first, second = pairs
    angle = np.broadcast_to(start, observed.shape)
    for _ in range(steps):
        rho = np.sin(angle)
        value, slope = np.zeros_like(rho), np.zeros_like(rho)
        for factor in factors[::-1]:
            slope = slope * rho + value
            value = value * rho + factor[first] * factor[second]
        slope, value = slope * rho + value, value * rho
        step = (value - observed) / np.maximum(slope * np.cos(angle), TINY)
        angle = np.clip(angle - np.clip(step, -LARGEST, LARGEST), -latent.EDGE, latent.EDGE)
    return np.asarray(angle)
