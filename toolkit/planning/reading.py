r"""The least cost where a construct is not read on every item, and each reading has a price.

Minimise :math:`\sum_h (c_h n_h + \sum_c k_c n_{hc})` subject to the targets on :math:`n_{hc}` and
:math:`m_h \le n_{hc} \le n_h \le M_h`: still convex, so still solved by its dual. At given
multipliers the strata fall apart, and each has a closed form.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, minimize

from toolkit.coefficients.weights import Floats
from toolkit.planning.allocation import PRECISION, Problem


class Readings(NamedTuple):
    """Readings by stratum and construct, (H, C); multipliers (C,) and the bound on the cost."""

    n: Floats
    multipliers: Floats
    bound: float


def least_reading_cost(problem: Problem, price: Floats, start: Floats | None = None) -> Readings:
    """Solve the problem in real numbers; `price` (C,) of a construct's reading, 0 or more.

    References
    ----------
    Bethel 1989, Survey Methodology 15:47-57, has the program for one number of labels per stratum.
    """
    load = problem.load
    dear = problem.cost[:, None] + price
    scale = np.maximum(np.sqrt(load * dear).sum(0) ** 2, 1e-300)
    unit = max(float(scale.max()), float(problem.cost @ problem.least))

    def negative(x: Floats) -> tuple[float, Floats]:
        reads = _reads(problem, load, price, x * scale)
        slack = (load / reads).sum(0) - 1
        return -(spend(problem, price, reads) + float((x * scale) @ slack)) / unit, (
            -slack * scale / unit
        )

    constructs = load.shape[1]
    found = minimize(
        negative,
        np.full(constructs, 1 / constructs) if start is None else start / scale,
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(0, np.inf),
        options={"maxiter": 2000, "maxfun": 8000, "ftol": 1e-15, "gtol": 1e-11, "maxcor": 30},
    )
    multipliers = np.asarray(found.x) * scale
    return Readings(
        _reads(problem, load, price, multipliers), multipliers, -float(found.fun) * unit
    )


def spend(problem: Problem, price: Floats, reads: Floats) -> float:
    """Cost of readings: of the items, and of each construct."""
    return float(problem.cost @ reads.max(1) + (reads @ price).sum())


def use(problem: Problem, reads: Floats) -> Floats:
    """Variance by what is allowed, (C,): 1 or less meets the target."""
    return np.asarray(((problem.variance / reads).sum(0) + problem.fixed) / problem.allowed)


def whole_readings(problem: Problem, price: Floats, optimum: Readings) -> Floats:
    """Whole numbers that meet the targets: rounded up, then taken away while these stay met."""
    least, most = problem.least[:, None], problem.most[:, None]
    reads = np.clip(np.ceil(optimum.n - PRECISION), least, most)
    while (use(problem, reads) > 1 + PRECISION).any():
        gain = problem.variance * (1 / reads - 1 / (reads + 1)) / problem.allowed
        lacking = use(problem, reads) > 1 + PRECISION
        gain = np.where((reads < most) & lacking, gain, -1)
        reads[np.unravel_index(int(gain.argmax()), gain.shape)] += 1
    weight = optimum.multipliers / max(float(optimum.multipliers.sum()), 1e-300)
    while True:
        fewer, saved = _steps(problem, price, reads)
        loss = problem.variance * (1 / np.maximum(reads - fewer, 1) - 1 / reads) / problem.allowed
        fits = (reads - fewer >= least).all(2) & (saved > 0)
        fits &= (use(problem, reads) + loss <= 1 + PRECISION).all(2)
        if not fits.any():
            return reads
        harm = np.where(fits, (loss @ weight) / np.maximum(saved, 1e-300), np.inf)
        move, h = np.unravel_index(int(harm.argmin()), harm.shape)
        reads[h] -= fewer[move, h]


def _steps(problem: Problem, price: Floats, reads: Floats) -> tuple[Floats, Floats]:
    """Readings that may go, (C + 1, H, C), and what that saves, (C + 1, H).

    One reading of a construct; or one item, with every construct that is read on all of them.
    """
    constructs = reads.shape[1]
    one = np.broadcast_to(np.eye(constructs)[:, None, :], (constructs, *reads.shape))
    item = (reads == reads.max(1, keepdims=True)).astype(float)
    fewer = np.concatenate([one, item[None]])
    alone = item.sum(1) == 1
    saved = fewer @ price
    saved[-1] += problem.cost
    saved[:-1] += np.where(alone & (item.T > 0), problem.cost, 0)
    return fewer, saved


def _reads(problem: Problem, load: Floats, price: Floats, multipliers: Floats) -> Floats:
    """Cheapest readings at given multipliers, (H, C).

    A construct alone would be read t times; where that is more than the items, on all of them.
    Marginal cost of an item is the least over the sets of constructs that want more, and these
    are the first ones in the order of t: so the largest of the roots of these sets holds.
    """
    wish = load * multipliers
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = np.where(price > 0, np.sqrt(wish / price), np.inf)
    order = np.argsort(-alone, axis=1, kind="stable")
    wishes = np.take_along_axis(wish, order, axis=1).cumsum(1)
    prices = problem.cost[:, None] + price[order].cumsum(1)
    items = np.clip(np.sqrt(wishes / prices).max(1), problem.least, problem.most)
    return np.asarray(np.clip(np.minimum(items[:, None], alone), problem.least[:, None], None))
