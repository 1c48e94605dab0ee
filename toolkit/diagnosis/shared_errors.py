"""Whether the errors of several constructs fall into the same calls, within the reference class."""

from __future__ import annotations

import numpy as np

from toolkit.diagnosis.case import LOW, Case, Floats, Marks
from toolkit.labels.roles import Codes

LEAST_VARIANCE = 1e-3  # of an error, so that a class with hardly any does not outweigh the others


def shared_error_tests(
    case: Case, classes: Codes, wrong: Marks, answer: list[Floats]
) -> dict[str, float]:
    """Score tests of independence: of pairs with the low construct, of all, of those without it.

    Each error weighs r g / v: its residual, the rise that a failed call with these answers would
    cause, its variance. The sum over pairs of products is the score against a small share of failed
    calls; with clusters the larger of its null and its observed variance counts.
    """
    score, variance = np.zeros(classes.shape), np.zeros(classes.shape)
    for c, failed in enumerate(answer):
        seen = classes[c] >= 0
        rate = error_rates(case, c, classes[c], wrong[c])
        rise = (1 - failed - rate) / np.maximum(rate * (1 - rate), LEAST_VARIANCE)
        own = classes[c, seen]
        score[c, seen] = (wrong[c, seen] - rate[own]) * rise[own]
        variance[c, seen] = (rise**2 * rate * (1 - rate))[own]
    low = score[LOW] * score[1:].sum(axis=0), variance[LOW] * variance[1:].sum(axis=0)
    rest = _pairs(score[1:]), _pairs(variance[1:])
    tests = {"z_low": low, "z_rest": rest, "z_all": (low[0] + rest[0], low[1] + rest[1])}
    return {name: _z(case, *parts) for name, parts in tests.items()}


def error_correlation(case: Case, classes: Codes, wrong: Marks) -> Floats:
    """Mean correlation of the errors of the low construct with those of each other one: a stack."""
    residual = np.zeros(classes.shape)
    for c, own in enumerate(classes):
        seen = own >= 0
        residual[c, seen] = wrong[c, seen] - error_rates(case, c, own, wrong[c])[own[seen]]
    low, others = residual[LOW], residual[1:]
    both = (classes[LOW] >= 0) & (classes[1:] >= 0)
    columns = np.concatenate([low * others, low**2 * both, others**2 * both])
    cross, own, other = np.split(case.sums(columns.T), 3, axis=1)
    known = own * other > 0
    correlation = np.where(known, cross / np.sqrt(np.where(known, own * other, 1)), 0)
    count = known.sum(axis=1)
    return np.where(count > 0, correlation.sum(axis=1) / np.maximum(count, 1), np.nan)


def error_rates(case: Case, construct: int, classes: Codes, wrong: Marks) -> Floats:
    """Share of errors in each class; 0 in classes that nothing is known of."""
    seen, k = classes >= 0, case.scales[construct].k
    count = np.bincount(classes[seen], case.weight[seen], k)
    errors = np.bincount(classes[seen], case.weight[seen] * wrong[seen], k)
    return np.asarray(errors / np.where(count > 0, count, 1))


def _pairs(values: Floats) -> Floats:
    """Sum of the products of all pairs of rows."""
    return np.asarray((values.sum(axis=0) ** 2 - (values**2).sum(axis=0)) / 2)


def _z(case: Case, products: Floats, variance: Floats) -> float:
    total = np.bincount(case.unit, case.weight * products)
    null = float(case.weight**2 @ variance)
    if case.clustered:
        null = max(null, float((total**2).sum()))
    return float(total.sum() / np.sqrt(null)) if null > 0 else float("nan")
