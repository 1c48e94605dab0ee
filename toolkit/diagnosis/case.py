"""The shared calls of a diagnosis as arrays, with one set of bootstrap weights for all statistics.

Every statistic is a stack: entry 0 is the estimate, the others are bootstrap replicates. They share
their weights, so that differences and products of statistics keep their dependence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.coefficients.resampling import cluster_shape, smoothing_prior
from toolkit.diagnosis import latent
from toolkit.labels.roles import Codes

Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]
LOW, HIGH = 0, 1  # positions of the two constructs that are compared; the others follow


@dataclass(frozen=True, eq=False)
class Scale:
    """Categories of one construct.

    `ordered` says that they lie on a line: two categories, or an ordinal construct. `weights` are
    the agreement weights of its kappa, shape (k, k). `values` are the categories themselves where
    they are numbers; () where they are words.
    """

    name: str
    k: int
    ordered: bool
    weights: Floats
    values: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Case:
    """Calls in which the judge labelled both constructs and a reference person did too.

    Attributes
    ----------
    scales : tuple of Scale
        All c constructs: low, high, then the others.
    judge : ndarray of int, shape (c, n)
        Codes of the judge; -1 where there is no label from the same call.
    people : ndarray of int, shape (c, n, p)
        Codes of each person; the persons of the reference come first. -1: no label.
    reference : int
        How many of the persons form the reference.
    judges : ndarray of int, shape (c, n, v)
        Codes of other judges, from their own calls.
    again : ndarray of int, shape (c, n)
        Codes of the judge's second sitting; -1: none.
    unit : ndarray of int, shape (n,)
        Resampling unit of each call: its cluster, or the call itself.
    weight : ndarray of float, shape (n,)
        Item weights with mean 1.
    stratum : ndarray of int, shape (n,), or None
        Codes of the declared strata, -1 where an item has none.
    order : ndarray of float, shape (n,), or None
        Declared order of the calls; nan where an item has none.
    item : ndarray of int, shape (n,)
        Positions of the items in the alignment.
    names : Names
        Of raters and strata.
    same_call : bool
        Whether the two constructs come from the same judge calls.
    call_assumed : bool
        Whether that is assumed, because the labels carry no call ids.
    replicates, seed : int
        Bootstrap replicates of the stacks, and their seed.
    """

    scales: tuple[Scale, ...]
    judge: Codes
    people: Codes
    reference: int
    judges: Codes
    again: Codes
    unit: Codes
    weight: Floats
    stratum: Codes | None
    order: Floats | None
    item: Codes
    names: Names
    same_call: bool = True
    call_assumed: bool = False
    replicates: int = 400
    seed: int = 0

    @property
    def n(self) -> int:
        """Number of calls."""
        return int(self.judge.shape[1])

    @property
    def c(self) -> int:
        """Number of constructs."""
        return len(self.scales)

    def part(self, keep: Marks) -> Case:
        """Give the case of some of the calls."""
        weight = self.weight[keep]
        return replace(
            self,
            judge=self.judge[:, keep],
            people=self.people[:, keep],
            judges=self.judges[:, keep],
            again=self.again[:, keep],
            unit=np.unique(self.unit[keep], return_inverse=True)[1],
            weight=weight / weight.mean() if weight.size else weight,
            stratum=None if self.stratum is None else self.stratum[keep],
            order=None if self.order is None else self.order[keep],
            item=self.item[keep],
        )

    def with_judge(self, construct: int, codes: Codes) -> Case:
        """Give the case in which the judge's labels of one construct are others."""
        judge = self.judge.copy()
        judge[construct] = codes
        return replace(self, judge=judge)

    @cached_property
    def clustered(self) -> bool:
        """Whether some resampling unit holds more than one call."""
        return self.n > 0 and int(self.unit.max()) + 1 < self.n

    @cached_property
    def size(self) -> float:
        """Mean size of the units as a call sees it."""
        counts = np.bincount(self.unit)
        return float((counts**2).sum() / counts.sum()) if self.n else 1.0

    @cached_property
    def draws(self) -> Floats:
        """Weights of the units, shape (1 + replicates, units): ones, then Gamma draws of mean 1."""
        units = int(self.unit.max()) + 1 if self.n else 0
        shape = cluster_shape(self.n / self.size, self.size)
        rng = np.random.default_rng([self.seed, 1])
        drawn = rng.standard_gamma(shape, (self.replicates, units)) / shape
        return np.concatenate([np.ones((1, units)), drawn])

    def sums(self, values: Floats) -> Floats:
        """Weighted sums over calls of each column: (n, m) -> (1 + replicates, m)."""
        weighted = values * self.weight[:, None]
        weighted = weighted[np.argsort(self.unit, kind="stable")]
        if self.clustered:
            starts = np.flatnonzero(np.diff(np.sort(self.unit), prepend=-1))
            weighted = np.add.reduceat(weighted, starts, axis=0)
        return np.asarray(self.draws @ weighted)

    def tables(self, left: Floats, right: Floats, *, smooth: bool = True) -> Floats:
        """Tables of two raters' category shares: (n, a), (n, b) -> (1 + replicates, a, b).

        Replicates carry the smoothing mass of `toolkit.coefficients.resampling`; the estimate
        carries its mean, or nothing with ``smooth=False``. Calls whose shares are 0 don't count.
        """
        a, b = left.shape[1], right.shape[1]
        total = self.sums((left[:, :, None] * right[:, None, :]).reshape(len(left), a * b))
        mass = self.mass(a, b)
        mass[0] *= smooth
        return np.asarray(total.reshape(-1, a, b) + mass)

    def mass(self, a: int, b: int) -> Floats:
        """Smoothing mass of an a by b table, (1 + replicates, a, b); entry 0 is its mean."""
        prior = smoothing_prior(a) if a == b else np.full(a * b, 1 / (a * b))
        prior = prior / (2 if a > 2 else 1)  # noqa: PLR2004  total mass 2, or 1 on longer scales
        scale = float(np.sqrt(self.size)) * float((self.weight**2).mean() if self.n else 1)
        rng = np.random.default_rng([self.seed, 2])
        drawn = rng.standard_gamma(prior, (self.replicates, a * b))
        return np.asarray(scale * np.concatenate([prior[None], drawn]).reshape(-1, a, b))

    def judged(self, construct: int) -> Floats:
        """The judge's labels as (n, k) indicators."""
        return indicators(self.judge[construct], self.scales[construct].k)

    def referred(self, construct: int) -> Floats:
        """Shares of the reference persons in each category, (n, k); every call weighs 1."""
        return shares(self.people[construct][:, : self.reference], self.scales[construct].k)

    @cached_property
    def _tables(self) -> dict[int, Floats]:
        return {}

    def table(self, construct: int) -> Floats:
        """Smoothed tables of a construct, reference in rows and judge in columns."""
        if construct not in self._tables:
            self._tables[construct] = self.tables(self.referred(construct), self.judged(construct))
        return self._tables[construct]

    @cached_property
    def _rhos(self) -> dict[int, Floats]:
        return {}

    def rho(self, construct: int) -> Floats:
        """Latent correlations of the table of a construct, as a stack."""
        if construct not in self._rhos:
            self._rhos[construct] = latent.rho_of(self.table(construct))
        return self._rhos[construct]

    def kappa(self, construct: int, tables: Floats | None = None) -> Floats:
        """Kappas of a stack of tables with the weights of the construct; by default its own."""
        tables = self.table(construct) if tables is None else tables
        return np.asarray(cohen_kappa(tables, self.scales[construct].weights))


@dataclass(frozen=True)
class Names:
    """Names of the judge, the persons, the other judges, the strata and the columns used."""

    judge: str
    people: tuple[str, ...]
    judges: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    stratum_column: str = ""
    order_column: str = ""
    order_is_date: bool = False


def indicators(codes: Codes, k: int) -> Floats:
    """Codes as indicator columns; -1 gives a row of zeros."""
    return np.asarray((codes[:, None] == np.arange(k)).astype(np.float64))


def shares(codes: Codes, k: int) -> Floats:
    """Shares of several raters' codes, shape (n, raters), in each category; no label: zeros."""
    counts = (codes[:, :, None] == np.arange(k)).sum(axis=1).astype(np.float64)
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))


def z_of(stack: Floats) -> float:
    """Estimate over the standard deviation of its replicates.

    Replicates that don't vary give an infinite z, or nan where the estimate is 0 or undefined.
    """
    if not np.isfinite(stack[1:]).any():
        return float("nan")
    spread = float(np.nanstd(stack[1:]))
    if spread > 0:
        return float(stack[0] / spread)
    return float(np.copysign(np.inf, stack[0])) if abs(stack[0]) > 0 else float("nan")


def limits(stack: Floats, level: float = 0.95) -> tuple[float, float]:
    """Equal-tailed quantiles of the replicates; nan where none is defined."""
    if not np.isfinite(stack[1:]).any():
        return float("nan"), float("nan")
    tail = (1 - level) / 2
    low, high = np.nanquantile(stack[1:], [tail, 1 - tail])
    return float(low), float(high)
