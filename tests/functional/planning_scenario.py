"""One pool of 20,000 items in four strata, and many samples of it at once, by counts."""

from __future__ import annotations

import numpy as np

from toolkit.coefficients import cohen_kappa, influence
from toolkit.planning.design_variance import design_variance, estimated_table
from toolkit.planning.posterior import DRAWS, label_prior

SIZES = np.array([241, 762, 4_560, 14_437])  # judge (escalation, self_harm) 11, 10, 01, 00
JUDGE = {"escalation": np.array([1, 1, 0, 0]), "self_harm": np.array([1, 0, 1, 0])}
RATES = {"escalation": (0.03, 0.70, 0.97), "self_harm": (0.25, 0.90, 0.98)}
BLOCK = 250  # data sets whose draws are held at once


def shares(name):
    """Share of items that people flag in each stratum: predictive value or false omission rate."""
    prevalence, sensitivity, specificity = RATES[name]
    flagged = prevalence * sensitivity + (1 - prevalence) * (1 - specificity)
    values = np.array(
        [prevalence * (1 - sensitivity) / (1 - flagged), prevalence * sensitivity / flagged]
    )
    return values[JUDGE[name]]


def positives(name):
    """Items of each stratum that people flag, in this pool."""
    return np.round(SIZES * shares(name)).astype(int)


def tables(name, flagged, total):
    """Counts (..., 4, 4) by stratum and cell (reference, judge), from people's positives."""
    counts = np.zeros((*np.shape(flagged), 2, 2), dtype=np.int64)
    for h, judge in enumerate(JUDGE[name]):
        counts[..., h, 1, judge] = flagged[..., h]
        counts[..., h, 0, judge] = (total - flagged)[..., h]
    return counts.reshape(*np.shape(flagged), 4)


def pool_kappa(name):
    return float(cohen_kappa(tables(name, positives(name), SIZES).sum(0).reshape(2, 2)))


def samples(name, n, number, rng):
    """Labels of `number` samples without replacement; n by stratum, or in all of a random one."""
    if np.ndim(n) == 0:
        n = rng.multivariate_hypergeometric(SIZES, n, number, method="marginals")
    n = np.broadcast_to(n, (number, 4))
    found = positives(name)
    return tables(name, rng.hypergeometric(found, SIZES - found, n), n)


def as_random_sample(counts):
    """The same samples as of one stratum: what a simple random sample is."""
    return counts.sum(-2, keepdims=True), SIZES.sum(keepdims=True)


def estimates(counts, sizes=SIZES):
    return cohen_kappa(estimated_table(counts, sizes).reshape(-1, 2, 2))


def intervals(counts, rng, *, sizes=SIZES, draws=500, estimand="pool", level=0.95):
    """Limits of the default interval for every sample, (number, 2)."""
    judge = counts[0].reshape(-1, 2, 2).sum(1)
    prior = label_prior(judge, sizes)
    tails = [(1 - level) / 2, (1 + level) / 2]
    limits = []
    for start in range(0, len(counts), BLOCK):
        part = counts[start : start + BLOCK]
        drawn = DRAWS[estimand](part, prior, sizes, draws, rng)
        values = cohen_kappa(drawn.reshape(len(part), draws, 2, 2))
        # A constant draw has no kappa; sorting puts it at the end.
        limits.append(np.nanquantile(values, tails, axis=1).T)
    return np.concatenate(limits)


def linearised(counts, *, smooth):
    """Half-widths of the linearised interval, divisor n, with the correction, at 95 %."""
    value = influence(estimated_table(counts, SIZES).reshape(-1, 2, 2)).reshape(len(counts), 4)
    held = label_prior(counts[0].reshape(-1, 2, 2).sum(1))
    prior = held if smooth else held * 1e-9
    return 1.959964 * np.sqrt(design_variance(counts, value, SIZES, estimand="pool", prior=prior))
