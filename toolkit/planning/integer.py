"""From real numbers of labels to whole ones: round up, take away, exchange."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.weights import Floats
from toolkit.planning.allocation import PRECISION, Optimum, Problem

MOST_PAIRED = 60  # strata among which labels are exchanged, in each direction
MOST_STARTS = 12  # strata that are tried for one label less
MOST_ROUNDED = 10  # strata whose roundings are all tried
TINY = 1e-12


def rounded_up(problem: Problem, optimum: Optimum) -> Floats:
    """Round up; with the labels that the precision of the optimum left out."""
    n = np.clip(np.ceil(optimum.n - PRECISION), problem.least, problem.most)
    while not problem.meets(n):
        gain = problem.variance * (1 / n - 1 / (n + 1))[:, None] / problem.allowed
        lacking = np.maximum(problem.use(n) - 1, 0)
        value = np.where(n < problem.most, gain @ lacking / problem.cost, -1)
        n[int(value.argmax())] += 1
    return n


def whole_labels(problem: Problem, optimum: Optimum) -> Floats:
    """Cheapest whole numbers that were found to meet all targets.

    Never more than rounding up; the gap to the lower bound is what was not proved.
    """
    weight = optimum.multipliers / max(optimum.multipliers.sum(), TINY)
    least = certificate(problem.cost, optimum.bound)
    proven = spent_down(problem, optimum, least)
    if problem.meets(proven):
        return proven
    n = _stripped(problem, rounded_up(problem, optimum), weight)
    while problem.spend(n) > least + PRECISION:
        better = _cheaper(problem, n, weight)
        if better is None:
            break
        n = _stripped(problem, better, weight)
    return lowered(problem, n, weight, problem.spend(n))


def certificate(cost: Floats, bound: float) -> float:
    """Lower bound on any whole plan's cost: with whole costs the next whole number."""
    whole = bool((cost == cost.round()).all())
    return float(np.ceil(bound - 1e-6)) if whole else bound


def worst(problem: Problem, n: Floats) -> float:
    """Share of the allowed variance that the worst construct uses."""
    return float(problem.use(n).max())


def lowered(problem: Problem, n: Floats, weight: Floats, budget: float) -> Floats:
    """Exchange single labels within a budget while the worst construct gains."""
    while True:
        found = _exchange(problem, n, weight, budget)
        if found is None or found[0] >= worst(problem, n) - TINY:
            return n
        n = n.copy()
        n[found[1]] -= 1
        n[found[2]] += 1


def spent_down(problem: Problem, optimum: Optimum, budget: float) -> Floats:
    """Spend a budget on whole labels near an optimum: the smallest worst use that was found."""
    weight = optimum.multipliers / max(optimum.multipliers.sum(), TINY)
    down = np.clip(np.floor(optimum.n + PRECISION), problem.least, problem.most)
    starts = _roundings(problem, down, budget)
    starts = starts[np.argsort((_uses(problem, starts)).max(1), kind="stable")[:MOST_STARTS]]
    ends = [lowered(problem, _filled(problem, n, weight, budget), weight, budget) for n in starts]
    return min(ends, key=lambda n: worst(problem, n))


def _roundings(problem: Problem, down: Floats, budget: float) -> Floats:
    """All ways of rounding few strata up within the budget; of many only the way of none."""
    if len(down) > MOST_ROUNDED:
        return down[None]
    up = (np.arange(2 ** len(down))[:, None] >> np.arange(len(down))) & 1
    ways = np.minimum(down + up, problem.most)
    return np.asarray(ways[ways @ problem.cost <= max(budget, problem.spend(down)) + PRECISION])


def _uses(problem: Problem, ways: Floats) -> Floats:
    return np.asarray(((1 / ways) @ problem.variance + problem.fixed) / problem.allowed)


def _filled(problem: Problem, n: Floats, weight: Floats, budget: float) -> Floats:
    """Spend what is left on the labels that help the worst construct, else all of them."""
    n = n.copy()
    while True:
        room = (n < problem.most) & (problem.spend(n) + problem.cost <= budget + PRECISION)
        if not room.any():
            return n
        _, gain = _steps(problem, n)
        after = np.where(room, (problem.use(n) - gain).max(1), np.inf)
        best = int(after.argmin())
        if after[best] >= worst(problem, n):
            best = int(np.where(room, gain @ weight / problem.cost, -np.inf).argmax())
        n[best] += 1


def _exchange(
    problem: Problem, n: Floats, weight: Floats, budget: float
) -> tuple[float, int, int] | None:
    """Best exchange: (worst use after it, stratum that gives, stratum that gets)."""
    loss, gain = _steps(problem, n)
    give = _first((loss / problem.cost[:, None]) @ weight, n > problem.least)
    get = _first(-(gain / problem.cost[:, None]) @ weight, n < problem.most)
    if not len(give) or not len(get):
        return None
    after = (problem.use(n) + loss[give][:, None] - gain[get][None]).max(2)
    spent = problem.spend(n) - problem.cost[give][:, None] + problem.cost[get][None]
    forbidden = (give[:, None] == get[None]) | (spent > budget + PRECISION)
    after = np.where(forbidden, np.inf, after)
    best = np.unravel_index(int(after.argmin()), after.shape)
    if not np.isfinite(after[best]):
        return None
    return float(after[best]), int(give[best[0]]), int(get[best[1]])


def _steps(problem: Problem, n: Floats) -> tuple[Floats, Floats]:
    """Change of every use, (H, C), by one label less and by one more."""
    per_label = problem.variance / problem.allowed
    less = np.maximum(n - 1, TINY)
    return per_label * (1 / less - 1 / n)[:, None], per_label * (1 / n - 1 / (n + 1))[:, None]


def _first(value: Floats, allowed: NDArray[np.bool_]) -> NDArray[np.intp]:
    order = np.argsort(np.where(allowed, value, np.inf), kind="stable")
    return order[: min(int(allowed.sum()), MOST_PAIRED)]


def _stripped(problem: Problem, n: Floats, weight: Floats) -> Floats:
    """Take labels away while all targets stay met, those that matter least for their cost first."""
    n = n.copy()
    while True:
        loss, _ = _steps(problem, n)
        fits = (n > problem.least) & (problem.use(n) + loss <= 1 + PRECISION).all(1)
        if not fits.any():
            return n
        harm = np.where(fits, loss @ weight / problem.cost, np.inf)
        n[int(harm.argmin())] -= 1


def _cheaper(problem: Problem, n: Floats, weight: Floats) -> Floats | None:
    """Take one label too many away, then exchange: a cheaper plan, if that meets all targets."""
    loss, _ = _steps(problem, n)
    for start in _first(loss @ weight / problem.cost, n > problem.least)[:MOST_STARTS]:
        fewer = n.copy()
        fewer[start] -= 1
        fewer = lowered(problem, fewer, weight, problem.spend(fewer))
        if problem.meets(fewer):
            return fewer
    return None
