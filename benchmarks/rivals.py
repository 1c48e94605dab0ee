"""The same interval by other means: percentile bootstrap of kappa over rows.

A loop that takes minutes is timed on few resamples and scaled to the full number; its cost is
proportional to the number of resamples.
"""

from __future__ import annotations

import warnings
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from timing import seconds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Labels = NDArray[np.int64]


def gamma_draw(table: NDArray[np.int64], draws: int) -> NDArray[np.float64]:
    """Draw as many gamma variates as our interval needs, and nothing else."""
    shape = table.ravel() + 0.5
    return np.random.default_rng(0).standard_gamma(shape, size=(draws, shape.size))


def sklearn_loop(reference: Labels, judge: Labels, draws: int, timed: int) -> float:
    """Time a loop that resamples rows and calls scikit-learn."""

    def loop() -> NDArray[np.float64]:
        rng = np.random.default_rng(0)
        kappas = np.empty(timed)
        for draw in range(timed):
            rows = rng.integers(0, len(judge), len(judge))
            kappas[draw] = cohen_kappa_score(reference[rows], judge[rows])
        return np.quantile(kappas, [0.025, 0.975])

    return seconds(loop) * draws / timed


def scipy_bootstrap(reference: Labels, judge: Labels, draws: int, timed: int) -> float:
    """Time `scipy.stats.bootstrap` with a statistic that works on whole batches."""
    run = partial(
        stats.bootstrap,
        (reference, judge),
        _kappa_of_rows,
        paired=True,
        vectorized=True,
        method="percentile",
        batch=100,
        n_resamples=timed,
        rng=0,
    )
    return seconds(run) * draws / timed


def pingouin_bootstrap(reference: Labels, judge: Labels, draws: int, timed: int) -> float:
    """Time `pingouin.compute_bootci` with scikit-learn's kappa."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pingouin  # noqa: PLC0415 - an optional rival

    run = partial(
        pingouin.compute_bootci,
        reference,
        judge,
        func=cohen_kappa_score,
        paired=True,
        method="per",
        n_boot=timed,
        seed=0,
    )
    return seconds(run) * draws / timed


def sklearn_cluster_loop(
    reference: Labels, judge: Labels, cluster: Labels, draws: int, timed: int
) -> float:
    """Time a loop that resamples whole clusters of rows and calls scikit-learn."""
    order = np.argsort(cluster, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(cluster[order])) + 1)

    def loop() -> list[float]:
        rng = np.random.default_rng(0)
        kappas = []
        for _ in range(timed):
            chosen = rng.integers(0, len(members), len(members))
            rows = np.concatenate([members[position] for position in chosen])
            kappas.append(cohen_kappa_score(reference[rows], judge[rows]))
        return kappas

    return seconds(loop) * draws / timed


def _kappa_of_rows(reference: Labels, judge: Labels, axis: int = -1) -> NDArray[np.float64]:
    """Kappa of labels 0 and 1 along an axis."""
    observed = (reference == judge).mean(axis=axis)
    first, second = reference.mean(axis=axis), judge.mean(axis=axis)
    expected = first * second + (1 - first) * (1 - second)
    return np.asarray((observed - expected) / (1 - expected))
