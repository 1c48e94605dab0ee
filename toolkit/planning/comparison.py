"""What other designs would need for the same widths, and reach with the same labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from toolkit.coefficients.weights import Floats
from toolkit.planning.allocation import PRECISION, Problem, least_cost
from toolkit.planning.model import Model

SMALLEST_SHARE = 60.0  # of the pool, as minus its natural logarithm: no sample is smaller
DESIGNS = ("plan", "simple random", "proportional", "equal", "separate")


def proportional(sizes: Floats, total: float) -> Floats:
    """Share of the labels that a stratum has of the items."""
    return np.asarray(sizes * total / sizes.sum())


def equal(sizes: Floats, total: float) -> Floats:
    """Give all strata the same number of labels, where they have as many items."""
    level = brentq(lambda m: np.minimum(m, sizes).sum() - total, 0, float(sizes.max()))
    return np.minimum(level, sizes)


def needed(problem: Problem, allocation: Floats) -> Floats:
    """Real-valued labels with which allocations along `allocation` meet the targets, (H,).

    Strata are labelled whole where these go beyond them. nan: not even the whole pool is enough.
    """

    def labels(log_scale: float) -> Floats:
        return np.asarray(np.minimum(allocation * np.exp(log_scale), problem.most))

    def lack(log_scale: float) -> float:
        return float(problem.use(labels(log_scale)).max()) - 1

    census = float(np.log((problem.most / allocation).max()))
    if lack(census) > PRECISION:
        return np.full_like(problem.most, np.nan)
    if lack(census) >= 0:
        return problem.most
    found = brentq(lack, census - SMALLEST_SHARE, census, xtol=1e-13, rtol=1e-13)
    return labels(found)


def separate(problem: Problem) -> float:
    """Labels of one plan per construct, each with a sample of its own; real numbers."""
    total = 0.0
    for c in range(len(problem.allowed)):
        alone = Problem(
            problem.variance[:, [c]],
            problem.fixed[[c]],
            problem.allowed[[c]],
            problem.cost,
            problem.least,
            problem.most,
        )
        total += float(least_cost(alone).n.sum())
    return total


def comparison(
    model: Model,
    problem: Problem,
    n: Floats,
    chosen: Sequence[int],
    constructs: Sequence[str],
) -> pd.DataFrame:
    """One row per design: labels needed for the problem's targets, and widths at the plan's labels.

    Parameters
    ----------
    model, problem : Model, Problem
        With the widths that are compared.
    n : ndarray of shape (H,)
        The plan.
    chosen : sequence of int
        Constructs with a target.
    constructs : sequence of str
        All constructs.

    Returns
    -------
    DataFrame
        design, labels, times (labels by those of the plan), half_width_<construct>. Separate plans
        have no widths at the plan's labels: nan.
    """
    total, sizes = float(n.sum()), model.sizes
    targets = model.z * np.sqrt(problem.allowed)
    random = float(model.random_labels(_all(targets, chosen, len(constructs))).max())
    labels = [
        total,
        random if random <= sizes.sum() else float("nan"),
        float(needed(problem, sizes / sizes.sum()).sum()),
        float(needed(problem, np.ones(len(sizes))).sum()),
        separate(problem),
    ]
    widths = np.stack(
        [
            model.half_widths(n),
            model.random_half_widths(total),
            model.half_widths(proportional(sizes, total)),
            model.half_widths(equal(sizes, total)),
            np.full(len(constructs), np.nan),
        ]
    )
    frame = pd.DataFrame({"design": DESIGNS, "labels": np.ceil(np.round(labels, 6))})
    frame["times"] = np.array(labels) / total
    for c, name in enumerate(constructs):
        frame[f"half_width_{name}"] = widths[:, c]
    return frame


def _all(targets: Floats, chosen: Sequence[int], number: int) -> Floats:
    widths = np.full(number, np.inf)
    widths[list(chosen)] = targets
    return widths
