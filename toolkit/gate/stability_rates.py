"""Rates of many small groups at once: each is drawn towards what the groups have in common.

A rate of 0 in 3 says little by itself. Given Jeffreys' prior alone it would be .13 on average, and
among fifty such groups one would seem sure to be hit; the groups together know better.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
MEANS, CORRELATIONS = 200, 60  # points of the grid
HALF = 0.5  # Jeffreys' prior of a single rate is Beta(1/2, 1/2)


class RatePrior(NamedTuple):
    """Draws of the Beta distribution that the rates of the groups follow; both of shape (draws,).

    Attributes
    ----------
    a, b : ndarray of shape (draws,)
        Its two parameters in every draw.
    """

    a: Floats
    b: Floats


def common_prior(hits: Floats, trials: Floats, draws: int, rng: np.random.Generator) -> RatePrior:
    r"""Draw the distribution of the groups' rates from its posterior, given all groups.

    Parameters
    ----------
    hits, trials : ndarray of shape (groups,)
        What was counted in each group; groups without trials tell nothing.
    draws : int
        How many draws.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    RatePrior
        With fewer than two groups that have trials: Jeffreys' prior in every draw.

    Notes
    -----
    :math:`k_i \sim BetaBinomial(n_i, \mu s, (1 - \mu) s)` with the intraclass correlation
    :math:`\rho = 1 / (1 + s)`; :math:`\rho` is uniform a priori, :math:`\mu` Beta(1/2, 1/2). The
    posterior is summed over a grid of equal prior mass, and a draw is spread over its grid cell.

    References
    ----------
    Gelman et al. 2013, Bayesian Data Analysis, 3rd ed., section 5.3, ISBN 978-1-4398-4095-5;
    Daniels 1999, Canadian J. of Statistics 27:567, doi:10.2307/3316112 (uniform shrinkage prior).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> prior = common_prior(np.array([0.0, 0, 0, 3]), np.full(4, 3.0), 1000, rng)
    >>> bool(0.05 < np.median(prior.a / (prior.a + prior.b)) < 0.5)
    True
    """
    counted = trials > 0
    if counted.sum() < 2:  # noqa: PLR2004  one group has nothing in common with others
        return RatePrior(np.full(draws, HALF), np.full(draws, HALF))
    mean = (np.arange(MEANS) + HALF) / MEANS
    correlation = (np.arange(CORRELATIONS) + HALF) / CORRELATIONS
    a, b = beta_parameters(mean[:, None], correlation[None, :])
    fit = fit_to_counts(hits, trials, a, b)
    mass = np.exp(fit - fit.max()).ravel()
    chosen = rng.choice(mass.size, draws, p=mass / mass.sum())
    row, column = np.unravel_index(chosen, a.shape)
    spread = rng.random((2, draws)) - HALF
    return RatePrior(
        *beta_parameters(
            mean[row] + spread[0] / MEANS, correlation[column] + spread[1] / CORRELATIONS
        )
    )


def rates(prior: RatePrior, hits: Floats, trials: Floats, rng: np.random.Generator) -> Floats:
    """Draw the rate of each group given its own counts and the common distribution.

    Parameters
    ----------
    prior : RatePrior
        From `common_prior`.
    hits, trials : ndarray of shape (groups,)
        Counts of the groups wanted; without trials the rate is that of any such group.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of shape (draws, groups)

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> prior = RatePrior(np.full(5000, 0.5), np.full(5000, 0.5))
    >>> round(float(rates(prior, np.array([3.0]), np.array([3.0]), rng).mean()), 2)
    0.87
    """
    return rng.beta(prior.a[:, None] + hits, prior.b[:, None] + (trials - hits))


def fit_to_counts(hits: Floats, trials: Floats, a: Floats, b: Floats) -> Floats:
    """Log-likelihood of the groups' counts under each of several Beta distributions of rates.

    Parameters
    ----------
    hits, trials : ndarray of shape (groups,)
        Counts; equal groups are summed once.
    a, b : ndarray
        Parameters of the distributions, of any shape.

    Returns
    -------
    ndarray
        Of the shape of `a`; without the binomial coefficients.

    Examples
    --------
    >>> half = np.array([0.5])
    >>> np.exp(fit_to_counts(np.array([1.0, 0.0]), np.array([1.0, 1.0]), half, half))
    array([0.25])
    """
    fit = np.zeros(a.shape)
    pairs, times = np.unique(np.column_stack([hits, trials]), axis=0, return_counts=True)
    for (k, n), often in zip(pairs, times, strict=True):
        if n > 0:
            fit += often * (special.betaln(a + k, b + n - k) - special.betaln(a, b))
    return fit


def beta_parameters(quantile: Floats, correlation: Floats) -> tuple[Floats, Floats]:
    """Turn a mean and an intraclass correlation into the parameters of a Beta distribution.

    Parameters
    ----------
    quantile : ndarray
        Of the mean, in Beta(1/2, 1/2): equal steps have equal prior mass.
    correlation : ndarray
        1 / (1 + a + b), in (0, 1).

    Returns
    -------
    tuple of two ndarrays
        a and b.

    Examples
    --------
    >>> a, b = beta_parameters(np.array([0.5]), np.array([0.5]))
    >>> round(float(a[0]), 6), round(float(b[0]), 6)
    (0.5, 0.5)
    """
    share = np.sin(np.pi / 2 * quantile) ** 2
    size = 1 / correlation - 1
    least = np.finfo(np.float64).tiny  # a parameter of 0 is none
    return np.maximum(share * size, least), np.maximum((1 - share) * size, least)
