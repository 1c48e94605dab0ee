"""A population of latent classes: items, people and judges without any normal variable.

Truths of an item share its severity (a uniform number) on a share of the constructs; errors follow
the item's beta-distributed difficulty. A rater's answer is drawn from a confusion matrix.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import beta

DIFFICULTY = beta(2, 5)
MOST = 0.95  # even on the hardest item an answer is right at times
FAR = 0.3  # each further step of an error is this much rarer
SAME_SEVERITY = 0.5  # share of truths that follow the severity of the item
SAME_DIFFICULTY = 0.3  # share of difficulties that are those of the item, or of its cluster
SAME_CLUSTER = 0.45  # share of items with the severity of their cluster


def severities(rng, cluster):
    """One uniform number an item; items of a cluster share theirs at times."""
    own = rng.random(len(cluster))
    common = rng.random(cluster.max() + 1)[cluster]
    return np.where(rng.random(len(cluster)) < SAME_CLUSTER, common, own)


def truths(rng, shares, severity):
    """True class of every construct and item; each construct keeps exactly its shares."""
    own = rng.random((len(shares), len(severity)))
    follows = rng.random(own.shape) < SAME_SEVERITY
    chosen = np.where(follows, severity, own)
    return np.array([classes(share, u) for share, u in zip(shares, chosen, strict=True)])


def classes(share, u):
    """Class at each uniform number."""
    return np.searchsorted(np.cumsum(share)[:-1], u, side="right")


def difficulties(rng, constructs, cluster):
    """Difficulty of every construct and item, partly that of the whole item or cluster."""
    n = len(cluster)
    item = np.where(rng.random(n) < 0.5, DIFFICULTY.rvs(n, rng), 0)
    of_cluster = DIFFICULTY.rvs(cluster.max() + 1, random_state=rng)[cluster]
    common = np.where(item > 0, item, of_cluster)
    own = DIFFICULTY.rvs((constructs, n), random_state=rng)
    return np.where(rng.random((constructs, n)) < SAME_DIFFICULTY, common, own)


def error_chances(error, lean, k, difficulty):
    """Chance of a wrong answer, by class (rows) and difficulty; a lean errs more at the far end."""
    by_class = error * (1 + lean * (1 - 2 * np.arange(k) / (k - 1)))
    return np.minimum(MOST, by_class[:, None] * difficulty / DIFFICULTY.mean())


def destinations(k, lean):
    """Where wrong answers go, by true class: mostly one step, more of them with the lean."""
    step = np.arange(k) - np.arange(k)[:, None]
    chance = np.where(step == 0, 0, FAR ** np.abs(step) * np.exp(lean * np.sign(step)))
    return chance / chance.sum(1, keepdims=True)


def answers(rng, truth, difficulty, error, lean, k):
    """One rater's answer to each item."""
    chance = error_chances(error, lean, k, difficulty)[truth, np.arange(len(truth))]
    limits = np.cumsum(destinations(k, lean), axis=1)[:, :-1]
    wrong = (rng.random(len(truth))[:, None] > limits[truth]).sum(1)
    return np.where(rng.random(len(truth)) < chance, wrong, truth)


def expected_kappa(share, human_error, judge_error, lean):
    """Kappa of the population, quadratic weights: a mean over classes and difficulties."""
    k = len(share)
    grid = DIFFICULTY.ppf((np.arange(400) + 0.5) / 400)
    rows = [
        np.eye(k)[:, None, :] * (1 - chance[..., None])
        + destinations(k, by)[:, None, :] * chance[..., None]
        for error, by in ((human_error, 0), (judge_error, lean))
        for chance in (error_chances(error, by, k, grid),)
    ]
    table = np.einsum("t,tdi,tdj->ij", np.asarray(share) / len(grid), *rows)
    return quadratic_kappa(table)


def quadratic_kappa(table):
    """Kappa with quadratic weights; of two categories the plain one."""
    loss = np.subtract.outer(np.arange(len(table)), np.arange(len(table))) ** 2
    table = table / table.sum()
    chance = np.outer(table.sum(1), table.sum(0))
    return 1 - (loss * table).sum() / (loss * chance).sum()


def equalising_error(target, share, human_error, lean):
    """Judge's error rate at which a construct of these shares has the target kappa."""
    low, high = 0.0, 0.9
    for _ in range(40):
        middle = (low + high) / 2
        above = expected_kappa(share, human_error, middle, lean) > target
        low, high = (middle, high) if above else (low, middle)
    return (low + high) / 2
