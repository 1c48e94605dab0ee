"""Population tables and kappas of the latent world, by quadrature instead of sampling."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy import integrate, special

from toolkit.labels.simulation.truth import ConstructTruth

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from toolkit.labels.simulation.latent import LatentConstruct

    Floats = NDArray[np.float64]
    Given = Callable[[float], Floats]

STEEP = 0.5  # below this correlation with z a rater's probabilities change too slowly for a break
FAR = 40.0  # beyond it lies less than the smallest number; 0 times infinity would be nan


@lru_cache(maxsize=256)  # simulation studies draw many samples from one population
def construct_truth(construct: LatentConstruct) -> ConstructTruth:
    """Compute what the population of one construct implies, by quadrature over the latent value."""
    people = [_person_given(construct, index) for index in range(len(construct.human_error))]
    judge = _judge_given(construct)
    table = _table(construct, people[0], judge)
    against_majority = _table(construct, _majority_given(people), judge)
    decided = against_majority.sum()
    table_majority = against_majority / decided if decided > 0 else np.full_like(table, np.nan)
    between = np.full_like(table, np.nan)
    if len(people) > 1:
        between = _table(construct, people[0], people[1])
    for fixed in (table, table_majority):
        fixed.setflags(write=False)
    binary = not construct.ordinal
    return ConstructTruth(
        construct=construct.name,
        categories=construct.categories,
        shares=tuple(float(share) for share in construct.shares),
        prevalence=float(construct.shares[1]) if binary else np.nan,
        sensitivity=construct.sensitivity if binary else np.nan,
        specificity=construct.specificity if binary else np.nan,
        agreement=np.nan if binary else construct.agreement,
        human_error=construct.human_error,
        table=table,
        kappa=_kappa(table),
        kappa_quadratic=_kappa(table, quadratic=True),
        table_majority=table_majority,
        kappa_majority=_kappa(table_majority),
        kappa_majority_quadratic=_kappa(table_majority, quadratic=True),
        tied=float(max(0.0, 1 - decided)),
        kappa_people=_kappa(between),
        kappa_people_quadratic=_kappa(between, quadratic=True),
    )


def _table(construct: LatentConstruct, rows: Given, columns: Given) -> Floats:
    """Integrate P(row | z) P(column | z) over the population, on the scale u = Phi(z).

    Given z the two raters are independent. The breaks are where a conditional probability jumps, or
    nearly so: at the cuts, and for an ordinal rater with little noise at the cuts on its own scale.
    """
    scales = [1.0]
    if construct.ordinal:
        scales += [construct.agreement, *np.sqrt(1 - np.array(construct.human_error))]
    breaks = {float(special.ndtr(cut / r)) for r in scales if r > STEEP for cut in construct.cuts}

    def at(u: float) -> Floats:
        z = float(np.clip(special.ndtri(u), -FAR, FAR))
        return np.outer(rows(z), columns(z))

    points = sorted(point for point in breaks if 0 < point < 1)
    table, _ = integrate.quad_vec(at, 0, 1, points=points, epsabs=1e-11, epsrel=1e-11)
    return np.asarray(table)


def _judge_given(construct: LatentConstruct) -> Given:
    if construct.ordinal:
        return _noisy(construct.cuts, construct.agreement)
    absent = np.array([construct.specificity, 1 - construct.specificity])
    present = np.array([1 - construct.sensitivity, construct.sensitivity])
    return lambda z: present if z > construct.cuts[0] else absent


def _person_given(construct: LatentConstruct, index: int) -> Given:
    error = construct.human_error[index]
    if construct.ordinal:
        return _noisy(construct.cuts, float(np.sqrt(1 - error)))
    absent = np.array([1 - error, error])
    return lambda z: absent[::-1] if z > construct.cuts[0] else absent


def _noisy(cuts: Floats, reliability: float) -> Given:
    """Category probabilities of a rater who sees r z + sqrt(1 - r^2) e."""
    noise = np.sqrt(1 - reliability**2)

    def given(z: float) -> Floats:
        gap = cuts - reliability * z
        below = special.ndtr(gap / noise) if noise > 0 else (gap >= 0).astype(float)
        return np.diff(below, prepend=0.0, append=1.0)

    return given


def _majority_given(people: Sequence[Given]) -> Given:
    """Probabilities that a category has more than half of the one to three people behind it."""

    def given(z: float) -> Floats:
        each = [person(z) for person in people]
        if len(each) < 3:  # noqa: PLR2004 - one or two people: all of them
            return np.asarray(np.prod(each, axis=0))
        pairs = sum(a * b for a, b in combinations(each, 2))
        return np.asarray(pairs - 2 * np.prod(each, axis=0))

    return given


def _kappa(table: Floats, *, quadratic: bool = False) -> float:
    """Cohen's kappa as 1 - observed / expected disagreement, nan where none is expected."""
    position = np.arange(len(table))
    apart = np.subtract.outer(position, position).astype(float)
    disagreement = apart**2 if quadratic else (apart != 0).astype(float)
    expected = (disagreement * np.outer(table.sum(axis=1), table.sum(axis=0))).sum()
    if not expected > 0:
        return float("nan")
    return float(1 - (disagreement * table).sum() / expected)
