"""The gap split into steps that act together: a Shapley split over the fitted latent model.

The steps act on the people's cuts, on the judge's shift, and as factors on the latent correlation;
the last factor, the rest, brings the correlation to that of the high construct. Each step's share
is its mean effect over all orders, so the steps sum to the gap of the fitted model. Shorrocks 2013,
J. Economic Inequality 11:99, doi:10.1007/s10888-011-9214-z.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.diagnosis import latent
from toolkit.diagnosis.case import HIGH, LOW, Case, Floats, limits
from toolkit.diagnosis.threshold_shift import constant, shift_of

REST = "rest"
LEAST_RHO = 0.02


@dataclass(frozen=True, eq=False)
class Waterfall:
    """Steps from kappa of the low to kappa of the high construct.

    Attributes
    ----------
    steps : dict of str to ndarray of shape (1 + replicates,)
        Kappa gained by each step; the names are causes, and ``rest``.
    start, end : ndarray of shape (1 + replicates,)
        Kappas of the fitted model.
    remainder : float
        Observed gap minus the sum of the steps.
    """

    steps: dict[str, Floats]
    start: Floats
    end: Floats
    remainder: float

    def kappa_of(self, step: str) -> float:
        """Kappa gained by a step; 0 where it is not part of the split."""
        return float(self.steps[step][0]) if step in self.steps else 0.0

    def to_frame(self) -> pd.DataFrame:
        """Give one row per step: the kappa it gains, with its 90 % interval."""
        rows = [(name, stack[0], *limits(stack, 0.9)) for name, stack in self.steps.items()]
        return pd.DataFrame(rows, columns=["step", "kappa", "low", "high"])

    def _repr_html_(self) -> str:
        return self.to_frame().round(2).to_html(index=False)

    def to_dict(self) -> dict[str, object]:
        """Give each step with its 90 % interval."""
        steps = {
            name: dict(zip(("kappa", "low", "high"), (stack[0], *limits(stack, 0.9)), strict=True))
            for name, stack in self.steps.items()
        }
        return {
            "start": self.start[0],
            "end": self.end[0],
            "remainder": self.remainder,
            "steps": steps,
        }


def waterfall(case: Case, gap: float, factors: Mapping[str, Floats]) -> Waterfall | None:
    """Split the gap; None where the two constructs can't be put on one latent scale.

    `gap` is the observed one; `factors` are stacks by which undoing a cause multiplies the latent
    correlation.
    """
    low, high = case.scales[:2]
    if low.k != high.k or not (low.ordered and high.ordered):
        return None
    if constant(case, LOW) or constant(case, HIGH):
        return None
    tables = [case.table(side) for side in (LOW, HIGH)]
    rho = [case.rho(side) for side in (LOW, HIGH)]
    cuts = [latent.cuts_of(table.sum(axis=2)) for table in tables]
    shift = [shift_of(table)[:, None] for table in tables]
    known = {name: _usable(factor) for name, factor in factors.items()}
    base = np.maximum(rho[LOW], LEAST_RHO)
    product = np.prod(np.stack([np.ones_like(base), *known.values()]), axis=0)
    known[REST] = rho[HIGH] / np.maximum(base * product, LEAST_RHO)
    names = ("prevalence", "threshold_shift", *known)

    def kappa(done: frozenset[str]) -> Floats:
        t = cuts["prevalence" in done]
        now = base * np.prod([known[n] for n in known if n in done] or [np.ones_like(base)], axis=0)
        table = latent.table_of(t, t - shift["threshold_shift" in done], np.clip(now, -1, 1))
        return np.asarray(cohen_kappa(table, low.weights))

    steps = _shapley(names, kappa)
    start, end = kappa(frozenset()), kappa(frozenset(names))
    return Waterfall(steps, start, end, gap - float(end[0] - start[0]))


def _usable(factor: Floats) -> Floats:
    """Replicates without a factor leave the correlation as it is."""
    return np.where(np.isfinite(factor), np.clip(factor, 0, 10), 1.0)


def _shapley(
    names: tuple[str, ...], value: Callable[[frozenset[str]], Floats]
) -> dict[str, Floats]:
    """Mean effect of each name over all orders in which they could be added."""
    count = len(names)
    subsets = [frozenset(s) for size in range(count + 1) for s in combinations(names, size)]
    worth = {subset: value(subset) for subset in subsets}
    steps = {}
    for name in names:
        total = np.zeros_like(worth[frozenset()])
        for subset in subsets:
            if name not in subset:
                share = factorial(len(subset)) * factorial(count - len(subset) - 1)
                total += share / factorial(count) * (worth[subset | {name}] - worth[subset])
        steps[name] = total
    return steps
