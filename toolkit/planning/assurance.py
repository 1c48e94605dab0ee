"""The chance that realised intervals are as narrow as planned, and the plan that reaches it.

A plan that meets its targets on average meets them all in few samples: the realised width depends
on the labels that turn up. So samples are simulated, and the default interval's half-width is
computed for each by a normal approximation that is calibrated against the interval itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm

from toolkit.coefficients.chance_corrected import cohen_kappa, influence
from toolkit.coefficients.weights import Floats
from toolkit.errors import PlanError
from toolkit.planning.influence import Codes, joint
from toolkit.planning.posterior import DRAWS, Counts, label_prior

CHUNK = 1 << 22  # numbers held at once
MOST_NUMBERS = 1 << 23  # labels simulated for one allocation; never fewer than FEWEST samples
FEWEST = 500
PROBES, PROBE_DRAWS = 256, 8_000  # samples on which the real interval is made, and its draws
INTERVAL_DRAWS = 20_000  # of the default interval
FEWER_PROBES = 64  # far from the end of a search
PROBE_BLOCK = 8  # of them at a time
PROBE_NUMBERS = 1 << 24  # numbers drawn for them; fewer probes than FEWEST_PROBES tell nothing
FEWEST_PROBES = 12
CHECKED_BY = 2_000  # simulated samples with which a user would check the chance
MOST_ROUNDS = 12  # simulated; so many, after the first half, divide what is left by 64
CLOSE = 0.002  # of the labels: fewer save next to nothing


class Scaled(NamedTuple):
    """Labels per stratum, (H,), and the chance that they meet all targets."""

    n: Counts
    chance: float


class Setting(NamedTuple):
    """What is simulated: sizes (H,), per construct the joint shares (H, k * k) and weights."""

    sizes: Counts
    shares: tuple[Floats, ...]
    weights: tuple[Any, ...]
    targets: Floats
    level: float
    estimand: str


def setting(
    sizes: Any,
    judge: Codes,
    shares: Sequence[Floats],
    weights: Sequence[Any],
    targets: Any,
    *,
    level: float = 0.95,
    estimand: str = "pool",
) -> Setting:
    """Keep the constructs that have a target; a target of nan is none."""
    wanted = np.asarray(targets, dtype=np.float64)
    chosen = np.flatnonzero(~np.isnan(wanted)).tolist()
    tables = [joint(judge[:, c], shares[c]) for c in chosen]
    return Setting(
        np.asarray(sizes, dtype=np.int64),
        tuple(table.reshape(len(table), -1) for table in tables),
        tuple(weights[c] for c in chosen),
        wanted[chosen],
        level,
        estimand,
    )


def assured(
    sizes: Any,
    judge: Codes,
    shares: Sequence[Floats],
    weights: Sequence[Any],
    n_h: Any,
    targets: Any,
    *,
    level: float = 0.95,
    draws: int = 4_000,
    seed: int = 0,
    estimand: str = "pool",
) -> float:
    """Chance that the realised default intervals of all constructs are within their targets.

    Parameters
    ----------
    sizes : array-like of shape (H,)
        Items of the strata.
    judge : ndarray of shape (H, C)
        Code of the judge's label; not used where shares are joint.
    shares : sequence of ndarray of shape (H, k) or (H, k, k)
        People's labels within the strata, per construct; joint with the judge's labels if 3-d.
    weights : sequence
        Agreement weights per construct.
    n_h : array-like of shape (H,)
        Labels per stratum.
    targets : array-like of shape (C,)
        Half-widths; nan for a construct without target.
    level, estimand
        Of the interval.
    draws, seed : int
        Of the simulation.

    Returns
    -------
    float
        Constructs are taken as independent within strata: the product of their chances.
    """
    case = setting(sizes, judge, shares, weights, targets, level=level, estimand=estimand)
    n = np.asarray(n_h, dtype=np.int64)
    return float((ratios(case, n, calibration(case, n, seed), draws, seed) <= 1).mean())


def scaled(
    sizes: Any,
    judge: Codes,
    shares: Sequence[Floats],
    weights: Sequence[Any],
    n_h: Any,
    targets: Any,
    *,
    assurance: float,
    level: float = 0.95,
    draws: int = 4_000,
    seed: int = 0,
    estimand: str = "pool",
) -> Scaled:
    """Scale an allocation until the chance of `assured` is reached; arguments as there.

    The chance aimed at is two standard errors of 2,000 simulated samples above `assurance`, so that
    such a check confirms it. The result is never smaller than `n_h`, which meets the targets on
    average.

    Raises
    ------
    PlanError
        If not even a census reaches it (estimand "deployment").
    """
    case = setting(sizes, judge, shares, weights, targets, level=level, estimand=estimand)
    start, wanted = np.asarray(n_h, dtype=np.int64), aim(assurance)
    factors = calibration(case, start, seed)
    found = _search(case, start, start, factors, wanted, draws, seed)
    closer = calibration(case, found.n, seed, PROBES)
    if (closer != factors).any():
        found = _search(case, start, found.n, closer, wanted, draws, seed)
    if found.chance < assurance:
        raise out_of_reach(case, found.chance)
    return found


def _search(
    case: Setting,
    start: Counts,
    first: Counts,
    factors: Floats,
    wanted: float,
    draws: int,
    seed: int,
) -> Scaled:
    """Fewest labels, from `first` on, with which the simulated chance is `wanted`.

    Every result was simulated: it reaches the chance, or it is a census that does not. So a search
    whose rounds run out is on the sure side, and only a census can be short.
    """
    least, most = int(start.sum()), int(case.sizes.sum())
    short, long, total = least - 1, most, int(first.sum())
    best: Scaled | None = None
    for step in range(MOST_ROUNDS):
        made, need = _simulated(
            case, spread_out(start, case.sizes, total), factors, wanted, draws, seed
        )
        if need <= 1:
            best, long = made, total
        elif total == most:
            return made
        else:
            short = total
        if best and long - short <= 1 + long * CLOSE:
            return best
        # Width falls with the root of the labels, so one simulation says how many are needed; but
        # not near a census, where finding them by halves is sure.
        total = math.ceil(total * need**2)
        if step >= MOST_ROUNDS // 2:
            total = (short + long + 1) // 2
        total = min(max(total, short + 1), long - (best is not None))
    return best or _simulated(case, case.sizes, factors, wanted, draws, seed)[0]


def _simulated(
    case: Setting, n: Counts, factors: Floats, wanted: float, draws: int, seed: int
) -> tuple[Scaled, float]:
    """An allocation with its chance, and the width by its target that it reaches as wanted."""
    simulated = ratios(case, n, factors, draws, seed)
    chance = float((simulated <= 1).mean())
    return Scaled(n, chance), float(np.quantile(simulated, wanted, method="higher"))


def out_of_reach(case: Setting, chance: float) -> PlanError:
    """Say that a census is not enough, and the chance that it has."""
    return PlanError(
        "not even people's labels on the whole pool reach the targets that surely",
        got=case.targets.tolist(),
        allowed=f"an assurance below {chance:.3f}, their chance; wider targets; or estimand='pool'",
        where="assurance",
    )


def half_widths(
    counts: Counts, prior: Floats, sizes: Counts, weights: Any, *, level: float, estimand: str
) -> Floats:
    """Half-width of the default interval of kappa by normal approximation, (...,).

    `counts` (..., H, k * k) are samples; the posterior of every stratum enters with its mean and
    variance, through kappa's influence values at the mean.
    """
    k = math.isqrt(counts.shape[-1])
    n = counts.sum(-1)
    mass = n + prior.sum(-1)
    mean = (counts + prior) / mass[..., None]
    rest = sizes - n
    portion = sizes / sizes.sum()
    share = mean
    if estimand == "pool":
        share = (counts + rest[..., None] * mean) / sizes[:, None]
    table = np.einsum("h,...hc->...c", portion, share)
    value = influence(table.reshape(*table.shape[:-1], k, k), weights=weights)
    value = value.reshape(table.shape)
    first = np.einsum("...hc,...c->...h", mean, value)
    spread = np.maximum(np.einsum("...hc,...c->...h", mean, value**2) - first**2, 0)
    if estimand == "pool":
        # Variance of a Dirichlet-multinomial count of the rest, by the size of the stratum.
        variance = (portion**2 * spread * rest * (mass + rest) / (sizes**2 * (mass + 1))).sum(-1)
    else:
        between = first**2 @ portion - (first @ portion) ** 2
        variance = (portion**2 * spread / (mass + 1)).sum(-1) + between / sizes.sum()
    return np.asarray(norm.ppf((1 + level) / 2) * np.sqrt(np.maximum(variance, 0)))


def _samples(shares: Floats, n: Counts, draws: int, rng: np.random.Generator) -> Counts:
    """Simulated labels, (draws, H, k * k)."""
    return np.asarray(rng.multinomial(n, shares, size=(draws, len(n))))


def _prior(shares: Floats, sizes: Counts) -> Floats:
    k = math.isqrt(shares.shape[1])
    return label_prior(shares.reshape(-1, k, k).sum(1), sizes)


def ratios(case: Setting, n: Counts, factors: Floats, draws: int, seed: int) -> Floats:
    """Largest half-width by its target in each of the simulated samples, (draws,)."""
    rng = np.random.default_rng(seed)
    most = MOST_NUMBERS // (len(n) * len(case.shares))
    draws = min(draws, max(most, FEWEST))
    worst, error = np.zeros(draws), _quantile_error(case.level)
    for shares, weights, target, factor in zip(
        case.shares, case.weights, case.targets, factors, strict=True
    ):
        block = max(CHUNK // shares.size, 1)
        for start in range(0, draws, block):
            part = slice(start, min(start + block, draws))
            counts = _samples(shares, n, part.stop - start, rng)
            width = factor * _widths(case, counts, shares, weights)
            width *= 1 + error * rng.standard_normal(len(width))
            worst[part] = np.maximum(worst[part], width / target)
    return worst


def _quantile_error(level: float) -> float:
    """Relative standard error of a normal interval's half-width by quantiles of its draws."""
    tail, z = (1 - level) / 2, norm.ppf((1 + level) / 2)
    return float(math.sqrt(tail * (1 - 2 * tail) / (2 * INTERVAL_DRAWS)) / (z * norm.pdf(z)))


def _widths(case: Setting, counts: Counts, shares: Floats, weights: Any) -> Floats:
    prior = _prior(shares, case.sizes)
    return half_widths(counts, prior, case.sizes, weights, level=case.level, estimand=case.estimand)


def calibration(case: Setting, n: Counts, seed: int, most: int = FEWER_PROBES) -> Floats:
    """Half-width of the real interval by that of the approximation, per construct.

    The mean and two of its standard errors, to be on the sure side: where many are labelled the
    widths differ so little that .1 % of them is .03 of a chance.
    1 where there are so many strata that the draws would take too long: they are normal by then.
    """
    rng = np.random.default_rng(seed)
    tails = [(1 - case.level) / 2, (1 + case.level) / 2]
    probes = min(most, PROBE_NUMBERS // (PROBE_DRAWS * len(n) * len(case.shares)))
    factors = np.ones(len(case.shares))
    # A census has width 0 for the pool.
    if probes < FEWEST_PROBES or (case.estimand == "pool" and (n == case.sizes).all()):
        return factors
    for c, (shares, weights) in enumerate(zip(case.shares, case.weights, strict=True)):
        k = math.isqrt(shares.shape[1])
        counts = _samples(shares, n, probes, rng)
        close = _widths(case, counts, shares, weights)
        prior = _prior(shares, case.sizes)
        real = []
        for start in range(0, probes, PROBE_BLOCK):
            part = counts[start : start + PROBE_BLOCK]
            tables = DRAWS[case.estimand](part, prior, case.sizes, PROBE_DRAWS, rng)
            values = cohen_kappa(tables.reshape(len(part), PROBE_DRAWS, k, k), weights)
            low, high = np.nanquantile(values, tails, axis=1)
            real.append((high - low) / 2)
        each = np.concatenate(real) / close
        factors[c] = each.mean() + 2 * each.std() / math.sqrt(probes)
    return factors


def aim(assurance: float) -> float:
    """Chance to aim at, so that a check by simulation confirms the one asked for."""
    error = math.sqrt(assurance * (1 - assurance) / CHECKED_BY)
    return min(assurance + 2 * error, (1 + assurance) / 2)


def spread_out(start: Counts, sizes: Counts, total: int) -> Counts:
    """Whole numbers in proportion to `start`, at most the sizes, that sum to `total`."""
    ideal = start.astype(np.float64)
    for _ in range(len(start)):
        free = ideal < sizes
        fixed = ideal[~free].sum()
        if not free.any() or math.isclose(ideal.sum(), total):
            break
        ideal = np.where(free, ideal * (total - fixed) / ideal[free].sum(), sizes)
        ideal = np.minimum(ideal, sizes)
    n = np.floor(ideal + 1e-9).astype(np.int64)
    order = np.argsort(-(ideal - n), kind="stable")
    room = order[n[order] < sizes[order]]
    n[room[: max(total - int(n.sum()), 0)]] += 1
    return n
