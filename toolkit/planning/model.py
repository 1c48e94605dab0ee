"""Half-widths of every construct under any allocation: what a pilot makes of the strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.stats import norm

from toolkit.coefficients.weights import Floats
from toolkit.planning.allocation import Problem
from toolkit.planning.influence import Moments, moments
from toolkit.planning.pilot import Pilot, drawn_shares, expected_shares, posterior
from toolkit.planning.strata_result import Strata

Estimand = Literal["pool", "deployment"]
LEAST = 2  # labels in a stratum: fewer have no variance
CHUNK = 4_000_000  # numbers in memory at a time


@dataclass(frozen=True, eq=False)
class Model:
    """Moments of every construct, and what the variance is of.

    `estimand` "pool": kappa of these items, with finite-population correction. "deployment": kappa
    of the traffic that the pool is a sample of, without it, plus the variance of that sampling.
    """

    sizes: Floats
    moments: tuple[Moments, ...]
    estimand: Estimand
    level: float

    @property
    def z(self) -> float:
        """Normal quantile of the two-sided level."""
        return float(norm.ppf((1 + self.level) / 2))

    @property
    def variance(self) -> Floats:
        """Variance of kappa that one label in each stratum would leave, (..., H, C)."""
        portion = self.sizes / self.sizes.sum()
        return np.asarray(np.stack([(portion * m.spread) ** 2 for m in self.moments], axis=-1))

    @property
    def fixed(self) -> Floats:
        """Part of the variance that the allocation does not change, (..., C)."""
        if self.estimand == "pool":
            return np.asarray(-(self.variance / self.sizes[:, None]).sum(-2))
        return np.asarray(np.stack([m.between for m in self.moments], axis=-1) / self.sizes.sum())

    def half_widths(self, n: Floats) -> Floats:
        """Half-widths under an allocation (H,), or readings of each construct (H, C): (..., C)."""
        variance = (self.variance / (n if n.ndim > 1 else n[:, None])).sum(-2) + self.fixed
        return np.asarray(self.z * np.sqrt(np.maximum(variance, 0)))

    def random_half_widths(self, total: float) -> Floats:
        """Half-widths of plain kappa under a simple random sample of the pool, (C,)."""
        return np.asarray(self.z * np.sqrt(self._total * np.maximum(1 / total - self._rest, 0)))

    def random_labels(self, widths: Floats) -> Floats:
        """Labels of a simple random sample that reach the widths, (C,); real numbers."""
        return np.asarray(1 / ((widths / self.z) ** 2 / self._total + self._rest))

    @property
    def _total(self) -> Floats:
        return np.maximum([float(m.total) for m in self.moments], np.finfo(float).tiny)

    @property
    def _rest(self) -> float:
        return 1 / float(self.sizes.sum()) if self.estimand == "pool" else 0.0

    def problem(
        self, chosen: Sequence[int], widths: Floats, cost: Floats, least: Floats
    ) -> Problem:
        """Least cost for half-widths of some constructs."""
        return Problem(
            variance=self.variance[:, chosen],
            fixed=self.fixed[list(chosen)],
            allowed=(widths / self.z) ** 2,
            cost=cost,
            least=least,
            most=self.sizes,
        )


def least_labels(st: Strata) -> Floats:
    """Least sample of each stratum: 2, and the floor where the judge flagged nothing."""
    return np.minimum(np.where(st.negative, max(st.floor, LEAST), LEAST), st.sizes).astype(float)


def expected_model(
    st: Strata, pilot: Pilot, weights: Sequence[Any], estimand: Estimand, level: float
) -> tuple[Model, list[Floats]]:
    """Model at the pilot's posterior means, and the joint shares that it is built on."""
    tables, made = [], []
    for c, weight in enumerate(weights):
        tables.append(expected_shares(st, posterior(st, pilot, c)[0], c))
        made.append(moments(st.sizes, tables[c], weight))
    return Model(st.sizes.astype(float), tuple(made), estimand, level), tables


def width_draws(
    st: Strata,
    pilot: Pilot,
    weights: Sequence[Any],
    model: Model,
    n: Floats,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Half-widths under shares drawn from the pilot's posterior, (draws, C)."""
    columns = []
    for c, weight in enumerate(weights):
        alpha, _ = posterior(st, pilot, c)
        step = max(CHUNK // alpha.size, 1)
        parts = []
        for start in range(0, draws, step):
            shares = drawn_shares(st, alpha, c, min(step, draws - start), rng)
            one = Model(
                model.sizes,
                (moments(st.sizes, shares, weight, alpha.sum(1)),),
                model.estimand,
                model.level,
            )
            parts.append(one.half_widths(n if n.ndim == 1 else n[:, [c]])[:, 0])
        columns.append(np.concatenate(parts))
    return np.stack(columns, axis=1)
