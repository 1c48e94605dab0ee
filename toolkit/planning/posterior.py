"""Draws of a pool's table from the labels of a stratified sample of it.

Cells are those of the (k, k) table laid flat, reference by judge. Within a stratum the shares have
a Dirichlet prior; where the judge gave one label to all items of a stratum, as is the rule, only k
of its cells can hold anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.resampling import smoothing_prior
from toolkit.coefficients.weights import Floats

Counts = NDArray[np.int64]


def label_prior(judge: Any, sizes: Counts | None = None) -> Floats:
    """Prior mass of every cell, (H, k * k).

    Parameters
    ----------
    judge : ndarray of shape (H, k)
        The judge's labels within the strata, by counts or shares; a stratum without any is empty.
    sizes : ndarray of shape (H,), optional
        Items of the strata. With them, strata that share a judge label share its mass by size;
        without, each has the whole.

    Returns
    -------
    ndarray of shape (H, k * k)

    Notes
    -----
    The mass is that of `kappa`'s default interval: for two categories half a label in each, so
    Dirichlet(1/2) for each judge label; for more, less off the diagonal. With one stratum the draws
    are those of `kappa`. Whole masses in every stratum would drown rare labels: with 8 strata for
    each judge label, 40 labels in each, intervals of nominal 95 % covered .79, with 32 strata .32;
    shared by size they cover .93. Half a label in each of five categories covers .34 where this
    mass covers .97 (weighted kappa .90, 30 labels per stratum).
    """
    counts = np.asarray(judge, dtype=np.float64)
    strata, k = counts.shape
    total = counts.sum(1, keepdims=True)
    portion = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    if sizes is None:
        portion = (portion > 0).astype(np.float64)
    else:
        held = sizes[:, None] * portion
        portion = held / np.maximum(held.sum(0), np.finfo(float).tiny)
    mass = smoothing_prior(k).reshape(k, k) * portion[:, None, :]
    return np.asarray(mass.reshape(strata, k * k))


def pool_draws(
    counts: Counts, prior: Floats, sizes: Counts, draws: int, rng: np.random.Generator
) -> Floats:
    """Tables of the pool itself: the labels that were read, and drawn ones for the rest.

    Parameters
    ----------
    counts : ndarray of shape (..., H, c)
        Labels read, by stratum and cell; several samples may stand in front.
    prior : ndarray of shape (H, c)
        From `label_prior`; a cell without mass stays empty.
    sizes : ndarray of shape (H,)
        Items of the strata.
    draws : int
        Number of draws.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of shape (..., draws, c)
        Counts of all items: after a census every draw is what was read.

    Notes
    -----
    The unread items of a stratum are a draw from the posterior predictive, a multinomial with
    Dirichlet shares. That is the finite-population correction: what was read is certain.
    """
    rest = sizes - counts.sum(-1)
    read = counts.sum(-2, dtype=np.float64)[..., None, :]
    total = np.repeat(read, draws, axis=-2)
    for h in range(len(sizes)):
        cells, shares = _shares(counts[..., h, :], prior[h], draws, rng)
        total[..., cells] += rng.multinomial(rest[..., h, None], shares)
    return total


def deployment_draws(
    counts: Counts, prior: Floats, sizes: Counts, draws: int, rng: np.random.Generator
) -> Floats:
    """Tables of the traffic that the pool was drawn from: strata's shares vary as well.

    Parameters and result as in `pool_draws`, but shares instead of counts.
    """
    portion = rng.standard_gamma(sizes, (*counts.shape[:-2], draws, len(sizes)))
    portion /= portion.sum(-1, keepdims=True)
    total = np.zeros((*counts.shape[:-2], draws, counts.shape[-1]))
    for h in range(len(sizes)):
        cells, shares = _shares(counts[..., h, :], prior[h], draws, rng)
        total[..., cells] += portion[..., h, None] * shares
    return total


def _shares(
    counts: Counts, prior: Floats, draws: int, rng: np.random.Generator
) -> tuple[NDArray[np.intp], Floats]:
    """Shares of one stratum's cells, drawn from their posterior: (..., draws, cells)."""
    cells = np.flatnonzero(prior)
    shape = (counts[..., cells] + prior[cells])[..., None, :]
    mass = rng.standard_gamma(shape, (*counts.shape[:-1], draws, len(cells)))
    return cells, np.asarray(mass / mass.sum(-1, keepdims=True))


DRAWS: dict[str, Any] = {"pool": pool_draws, "deployment": deployment_draws}
