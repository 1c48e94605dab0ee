r"""The least cost at which every construct reaches its target: a convex program, by its dual.

Minimise :math:`\sum_h c_h n_h` subject to :math:`\sum_h a_{hc} / n_h \le 1` for every construct c
and :math:`m_h \le n_h \le M_h`. The dual has as many unknowns as there are constructs, whatever the
number of strata, and any of its values is a lower bound on every plan's cost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, minimize

from toolkit.coefficients.weights import Floats

PRECISION = 1e-9  # of feasibility, relative
NEWTON_STEPS = 20


@dataclass(frozen=True, eq=False)
class Problem:
    """Least cost for target variances.

    `variance` (H, C) is what one label in a stratum would leave of a construct's variance, divided
    by n; `fixed` (C,) is the part that labels do not change (below 0 with the finite-population
    correction), `allowed` (C,) the target. `cost`, `least` and `most` (H,) are those of a stratum.
    """

    variance: Floats
    fixed: Floats
    allowed: Floats
    cost: Floats
    least: Floats
    most: Floats

    def use(self, n: Floats) -> Floats:
        """Variance under an allocation by what is allowed, (C,): 1 or less meets the target."""
        return np.asarray(((self.variance / n[:, None]).sum(0) + self.fixed) / self.allowed)

    def meets(self, n: Floats) -> bool:
        """Whether every construct reaches its target."""
        return bool((self.use(n) <= 1 + PRECISION).all())

    def spend(self, n: Floats) -> float:
        """Cost of an allocation."""
        return float(self.cost @ n)

    def at(self, ratio: float) -> Problem:
        """Give the same problem with all half-widths `ratio` times as wide."""
        return replace(self, allowed=self.allowed * ratio**2)

    def ordered(self) -> tuple[Problem, NDArray[np.intp]]:
        """Sort the strata by what they are, so that their given order decides no tie."""
        keys = np.column_stack([self.variance, self.least, self.cost, self.most])
        order = np.lexsort(keys.T)
        strata = ("variance", "cost", "least", "most")
        return replace(self, **{name: getattr(self, name)[order] for name in strata}), order

    @property
    def load(self) -> Floats:
        """Variance of one label by what the sum of all may be, (H, C)."""
        return np.asarray(self.variance / (self.allowed - self.fixed))


class Optimum(NamedTuple):
    """Real-valued allocation (H,), multipliers (C,), and the certified lower bound on the cost."""

    n: Floats
    multipliers: Floats
    bound: float


def least_cost(problem: Problem, start: Floats | None = None) -> Optimum:
    """Solve the problem in real numbers; it must be feasible at `most`.

    References
    ----------
    Bethel 1989, Survey Methodology 15:47-57. Kokan and Khan 1967, J. Royal Statistical Society B
    29:115, doi:10.1111/j.2517-6161.1967.tb00679.x.
    """
    load, cost = problem.load, problem.cost
    # What each construct would cost alone without bounds is the natural unit of its multiplier.
    scale = np.maximum((np.sqrt(load * cost[:, None])).sum(0) ** 2, 1e-300)
    unit = max(float(cost @ problem.least), float(scale.max()), 1e-300)

    def negative(x: Floats) -> tuple[float, Floats]:
        n = _labels(problem, load, x * scale)
        slack = (load / n[:, None]).sum(0) - 1
        return -float(cost @ n + (x * scale) @ slack) / unit, -slack * scale / unit

    constructs = load.shape[1]
    first = np.full(constructs, 1 / constructs)
    if start is not None and _dual(problem, load, start) > _dual(problem, load, first * scale):
        first = start / scale
    found = minimize(
        negative,
        first,
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(0, np.inf),
        options={"maxiter": 1000, "maxfun": 4000, "ftol": 1e-15, "gtol": 1e-11, "maxcor": 30},
    )
    multipliers = _polished(problem, load, np.asarray(found.x) * scale)
    n = _labels(problem, load, multipliers)
    return Optimum(n, multipliers, _dual(problem, load, multipliers))


def _labels(problem: Problem, load: Floats, multipliers: Floats) -> Floats:
    """Cheapest allocation at given multipliers: Neyman's rule, kept within its bounds."""
    return np.clip(np.sqrt(load @ multipliers / problem.cost), problem.least, problem.most)


def _dual(problem: Problem, load: Floats, multipliers: Floats) -> float:
    n = _labels(problem, load, multipliers)
    return float(problem.cost @ n + multipliers @ ((load / n[:, None]).sum(0) - 1))


def _polished(problem: Problem, load: Floats, multipliers: Floats) -> Floats:
    """Newton's steps on the binding constructs: L-BFGS stops at half the digits of the optimum."""
    best, value = multipliers, _dual(problem, load, multipliers)
    for _ in range(NEWTON_STEPS):
        n = _labels(problem, load, best)
        slack = (load / n[:, None]).sum(0) - 1
        binding = np.flatnonzero((best > 0) | (slack > 0))
        free = (n > problem.least) & (n < problem.most)
        inner = load[np.ix_(free, binding)]
        curve = 0.5 * (inner / (problem.cost[free] * n[free] ** 3)[:, None]).T @ inner
        if not len(binding) or not np.any(curve):
            break
        step = np.zeros_like(best)
        step[binding] = np.linalg.lstsq(curve, slack[binding], rcond=1e-12)[0]
        tried = np.maximum(best + step, 0)
        gained = _dual(problem, load, tried)
        if not gained > value:
            break
        best, value = tried, gained
    return best
