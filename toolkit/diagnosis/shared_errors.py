"""Whether the errors of several constructs fall into the same calls, within the reference class."""

from __future__ import annotations

import numpy as np

from toolkit.diagnosis.case import LOW, Case, Floats, Marks
from toolkit.labels.roles import Codes


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
