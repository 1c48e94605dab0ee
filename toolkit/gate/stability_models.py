"""Flag rates of every model: its cells share a mean, and the models' means a distribution.

Models differ in how often they are flagged. If all cells were alike, a good model would inherit
the flags of a bad one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import special

from toolkit.gate.stability_rates import HALF, Floats, RatePrior, beta_parameters, fit_to_counts

MEANS, CENTRES, CORRELATIONS = 100, 50, 30  # points of the grids
SPREADS = np.array([0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.3, 1.6, 2.0, 2.5, 3.0])
USUAL_SPREAD = 1.0  # of models, on the logit scale: the scale of a half-normal prior


def priors_by_model(
    hits: Floats,
    trials: Floats,
    model: NDArray[np.intp],
    draws: int,
    rng: np.random.Generator,
) -> Iterator[RatePrior]:
    r"""Draw the distribution of each model's flag rates from its posterior, given all models.

    Parameters
    ----------
    hits, trials : ndarray of shape (runs, prompts)
        Repeats flagged and repeats judged.
    model : ndarray of shape (runs,)
        Codes 0, 1, ... of the model of each run.
    draws : int
        How many draws.
    rng : numpy.random.Generator
        Source of randomness.

    Yields
    ------
    RatePrior
        One a model, in the order of the codes.

    Notes
    -----
    :math:`k \sim BetaBinomial(n, \mu_m s, (1 - \mu_m) s)` in every cell of model m, with
    :math:`logit\,\mu_m \sim N(c, \tau^2)` over models. A priori :math:`\rho = 1 / (1 + s)` is
    uniform, :math:`logit^{-1} c` Beta(1/2, 1/2), :math:`\tau` half-normal(1). Posteriors are summed
    over grids; a draw of :math:`\mu_m` and :math:`\rho` is spread over its grid cell.

    References
    ----------
    Gelman et al. 2013, Bayesian Data Analysis, 3rd ed., section 5.3, ISBN 978-1-4398-4095-5.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> hits = np.array([[0.0] * 20, [3.0] * 10 + [0.0] * 10])
    >>> priors = priors_by_model(hits, np.full((2, 20), 3.0), np.array([0, 1]), 500, rng)
    >>> good, bad = (float(np.median(prior.a / (prior.a + prior.b))) for prior in priors)
    >>> good < 0.15 < 0.3 < bad
    True
    """
    mean = (np.arange(MEANS) + HALF) / MEANS
    correlation = (np.arange(CORRELATIONS) + HALF) / CORRELATIONS
    a, b = beta_parameters(mean[:, None], correlation[None, :])
    number = int(model.max()) + 1
    fits = np.array(
        [
            fit_to_counts(hits[model == m].ravel(), trials[model == m].ravel(), a, b)
            for m in range(number)
        ]
    )
    likelihood = np.exp(fits - fits.max(axis=(1, 2), keepdims=True))
    models = _population()  # (hyper, means)
    evidence = np.log(np.maximum(models @ likelihood, np.finfo(np.float64).tiny)).sum(axis=0)
    evidence -= np.repeat((SPREADS / USUAL_SPREAD) ** 2 / 2, CENTRES)[:, None]
    mass = np.exp(evidence - evidence.max()).ravel()
    chosen = rng.choice(mass.size, draws, p=mass / mass.sum())
    hyper, column = np.unravel_index(chosen, evidence.shape)
    spread = correlation[column] + (rng.random(draws) - HALF) / CORRELATIONS
    shares = models[hyper]
    by_correlation = likelihood.transpose(0, 2, 1)
    for one in by_correlation:
        reached = np.cumsum(shares * one[column], axis=1)
        row = (reached < rng.random((draws, 1)) * reached[:, -1:]).sum(axis=1)
        place = mean[np.minimum(row, MEANS - 1)] + (rng.random(draws) - HALF) / MEANS
        yield RatePrior(*beta_parameters(place, spread))


def _population() -> Floats:
    """Share of models in each cell of the grid of means, by spread and centre."""
    centre = _logit((np.arange(CENTRES) + HALF) / CENTRES)
    edges = _logit(np.arange(MEANS + 1) / MEANS)
    below = special.ndtr((edges - centre[None, :, None]) / SPREADS[:, None, None])
    return np.asarray(np.diff(below, axis=-1).reshape(-1, MEANS))


def _logit(quantile: Floats) -> Floats:
    """Logit of a quantile of Beta(1/2, 1/2)."""
    return np.asarray(2 * np.log(np.tan(np.pi / 2 * np.minimum(quantile, 1 - 1e-12)).clip(1e-12)))
