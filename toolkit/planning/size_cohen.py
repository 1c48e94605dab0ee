"""Variance of Cohen's kappa per item, from margins and a kappa: Cantor's, and Flack's worst case.

Items times the squared standard error of kappa is Q, a number that depends on the table alone. Two
categories: margins and kappa fix the table (Cantor 1996). More: they do not, and Q is linear in the
cells once the margins are fixed, so the largest Q is a linear program (Flack and others 1988).
"""

from __future__ import annotations

import numpy as np
from scipy import optimize, stats

from toolkit.coefficients.chance_corrected import influence, linearised_se
from toolkit.coefficients.weights import Floats
from toolkit.errors import PlanError

ROUNDING = 1e-9


def cantor_spread(kappa: float, positives: tuple[float, ...]) -> float:
    """Q of the one 2 x 2 table with these shares of positives (reference, judge) and this kappa."""
    return float(linearised_se(two_by_two(kappa, *positives)) ** 2)


def two_by_two(kappa: float, reference: float, judge: float) -> Floats:
    """Cell shares, present first, of the table with these margins and this kappa."""
    chance = reference * judge + (1 - reference) * (1 - judge)
    agreement = chance + kappa * (1 - chance)
    both = (agreement - 1 + reference + judge) / 2
    cells = np.array([[both, reference - both], [judge - both, 1 - reference - judge + both]])
    if cells.min() < -ROUNDING:
        most = (1 - abs(reference - judge) - chance) / (1 - chance)
        raise PlanError(
            "no table has these margins and this kappa",
            got={"kappa": kappa, "prevalence": (reference, judge)},
            allowed=f"kappa up to {most:.3f} with these margins",
            example="prevalence=.3",
        )
    return np.asarray(np.maximum(cells, 0))


def flack_spread(kappa: float, shares: tuple[float, ...]) -> float:
    """Largest Q over all tables with these margins (the same for both raters) and this kappa."""
    margin = np.array(shares)
    k = len(margin)
    # This mixture of full agreement and independence has the margins and the kappa; influence
    # values depend on a table through these alone.
    mixture = kappa * np.diag(margin) + (1 - kappa) * np.outer(margin, margin)
    squared = influence(mixture) ** 2
    rows = np.kron(np.eye(k), np.ones(k))
    columns = np.kron(np.ones(k), np.eye(k))
    solved = optimize.linprog(
        -squared.ravel(),
        A_eq=np.vstack([rows, columns[:-1], np.eye(k).ravel()]),  # the last column sum follows
        b_eq=np.concatenate([margin, margin[:-1], [np.trace(mixture)]]),
        bounds=(0, None),
    )
    return float(squared.ravel() @ np.asarray(solved.x))


def items_for_width(spread: float, half_width: float, alpha: float, sided: int) -> float:
    """Items at which the normal interval reaches this far from the estimate."""
    return float(spread * (stats.norm.isf(alpha / sided) / half_width) ** 2)


def items_for_power(
    spread: tuple[float, float], distance: float, alpha: float, sided: int, power: float
) -> float:
    """Items at which the normal test rejects; `spread` under the null value and the true one."""
    under_null, under_truth = np.sqrt(spread)
    reach = stats.norm.isf(alpha / sided) * under_null + stats.norm.ppf(power) * under_truth
    return float((reach / distance) ** 2)
