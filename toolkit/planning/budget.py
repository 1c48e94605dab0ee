"""The smallest worst ratio of half-width to target that a budget allows."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from toolkit.coefficients.weights import Floats
from toolkit.planning.allocation import Optimum, Problem, least_cost
from toolkit.planning.integer import spent_down

SMALLEST = 1e-6  # ratio: a budget that reaches it is a census


def best_ratio(problem: Problem, budget: float) -> tuple[float, Optimum]:
    """Smallest common factor on all targets that the budget allows, in real numbers.

    The cost of a factor falls with it, so the factor is the root of cost minus budget.
    """
    start: list[Floats | None] = [None]

    def excess(log_ratio: float) -> float:
        found = least_cost(problem.at(float(np.exp(log_ratio))), start[0])
        start[0] = found.multipliers
        return found.bound - budget

    high = max(float(np.sqrt(problem.use(problem.least).max())), SMALLEST)
    low = float(np.sqrt(max(problem.use(problem.most).max(), 0))) * (1 + 1e-9)
    low, high = np.log(max(low, SMALLEST)), np.log(high)
    if low >= high or excess(high) >= 0:
        ratio = high
    elif excess(low) <= 0:
        ratio = low
    else:
        ratio = brentq(excess, low, high, xtol=1e-13, rtol=1e-13)
    return float(np.exp(ratio)), least_cost(problem.at(float(np.exp(ratio))), start[0])


def within_budget(problem: Problem, budget: float) -> Floats:
    """Whole numbers of labels within the budget, with the smallest worst ratio that was found."""
    if problem.spend(problem.most) <= budget:
        return problem.most
    ratio, optimum = best_ratio(problem, budget)
    return spent_down(problem.at(ratio), optimum, budget)
