"""Unreadable labels: the judge's answers on the low construct are missing more often.

Kappa is then that of the readable part. Bounds: all unreadable answers right, all as wrong as can
be; between them stand the readable items of the same class.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.diagnosis.build import Readable
from toolkit.diagnosis.case import HIGH, LOW, Case, Floats, indicators, limits, z_of
from toolkit.diagnosis.measure import Measure

NEXT = (
    "Read the unreadable answers again with a more lenient level of the normalizer, or ask the "
    "judge again, before anything else is concluded."
)
FEWEST = 20  # items below which missing rates say nothing


def measure(case: Case, readable: Readable) -> Measure:
    """Compare the missing rates of the two constructs, and bound kappa of the low one."""
    n = readable.judge.shape[1]
    if n < FEWEST:
        return Measure("unreadable", untestable=f"fewer than {FEWEST} items to count on")
    lost = readable.judge < 0
    units = int(readable.unit.max()) + 1
    rng = np.random.default_rng([case.seed, 3])
    draws = np.concatenate(
        [np.ones((1, units)), rng.standard_exponential((case.replicates, units))]
    )
    weights = draws[:, readable.unit] * readable.weight
    rates = (weights @ lost.T) / weights.sum(axis=1, keepdims=True)
    effect = rates[:, LOW] - rates[:, HIGH]
    people, scale = readable.people[LOW], case.scales[LOW]
    given = indicators(readable.judge[LOW], scale.k)
    gone = people * lost[LOW][:, None]
    kept = _tables(weights, people, given)
    missing = weights @ gone  # (1 + replicates, k), by the persons' category
    right = kept + missing[:, :, None] * np.eye(scale.k)
    wrong = kept + missing[:, :, None] * np.eye(scale.k)[scale.weights.argmin(axis=1)]
    rows = kept / np.maximum(kept.sum(axis=2, keepdims=True), 1e-9)
    alike = kept + missing[:, :, None] * rows
    base, best, worst, stand_in = (
        np.asarray(cohen_kappa(table, scale.weights)) for table in (kept, right, wrong, alike)
    )
    return Measure(
        "unreadable",
        compared="missing rate of the judge's labels: low construct minus high construct",
        effect=effect,
        undone=case.kappa(LOW) + best - base,
        tests={
            "z": z_of(effect),
            "difference": float(effect[0]),
            "p_class": _p_class(people, lost[LOW]),
            "stand_in": float(stand_in[0] - base[0]),
        },
        facts={
            "missing": (float(rates[0, LOW]), float(rates[0, HIGH])),
            "kappa_if_right": float(best[0]),
            "kappa_if_wrong": float(worst[0]),
            "kappa_if_alike": float(stand_in[0]),
            "kappa_readable": float(base[0]),
            "limits_if_right": limits(best),
        },
        n=n,
    )


def sentence(found: Measure, case: Case) -> str:
    """Say how much is missing, and between which bounds kappa lies."""
    low, high = (scale.name for scale in case.scales[:2])
    facts = found.facts
    return (
        f"{100 * facts['missing'][LOW]:.1f} % of the judge's labels of {low} and "
        f"{100 * facts['missing'][HIGH]:.1f} % of those of {high} are missing; kappa of {low} "
        f"would be {facts['kappa_if_right']:.2f} if all of them were right and "
        f"{facts['kappa_if_wrong']:.2f} if all were wrong."
    )


def _tables(weights: Floats, people: Floats, judge: Floats) -> Floats:
    k = people.shape[1]
    cells = (people[:, :, None] * judge[:, None, :]).reshape(len(people), k * k)
    return (weights @ cells).reshape(-1, k, k)


def _p_class(people: Floats, lost: np.ndarray) -> float:
    """P-value of chi-squared for equal missing rates in all classes of the reference."""
    counts = np.stack([people[lost].sum(axis=0), people[~lost].sum(axis=0)])
    counts = counts[:, counts.sum(axis=0) > 0]
    if counts.shape[1] < 2 or (counts.sum(axis=1) == 0).any():  # noqa: PLR2004
        return 1.0
    return float(stats.chi2_contingency(counts, correction=False).pvalue)
