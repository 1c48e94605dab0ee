r"""Faults that sit in a place, a stretch of the order or some strata: what both searches share.

Three series follow the judge, each minus the mean of its reference class, so that none moves when
only the kind of item changes: the loss e of a call; the log likelihood ratio r of an answer that
has nothing to do with people's label, which weighs a rare error most; and the signed difference d,
which people who slide along the scale move most.

A part of the calls with share w scores, with s the spread of a sum S under permutation of units,

.. math:: T = \max(|S_e| / s_e, |S_r| / s_r, |S_d| / s_d) - \sqrt{-2 \log 4 w (1 - w)}

where the last term lets parts of all sizes compete on equal terms, for the small ones are many
(Dumbgen and Spokoiny 2001, Annals of Statistics 29:124, doi:10.1214/aos/996986504). The largest T
is compared with that of permutations (Huskova and Slaby 2001, Kybernetika 37:605,
https://dml.cz/dmlcz/135430). Units trade places only with units of about the same expected spread,
so that a class with more errors may be commoner in one place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.diagnosis.case import LOW, Case, Floats, Marks
from toolkit.labels.roles import Codes

PERMUTATIONS = 499
LEAST_CALLS = 40  # a place is not looked for in fewer
LEAST_UNITS = 6  # fewer clusters have too few permutations
LEAST_GOOD = 0.25  # the best tenth of the calls is far better than the whole by chance alone
SPREADS = 12  # distinct expected spreads that are kept apart; more are cut into groups
GROUPS = 6
UNRELATED = 0.1  # share of unrelated answers in the likelihood ratio; keeps it finite
STILL = 0.5  # a judge that moves less than this share of what people's move implies
TINY = 1e-12
OPTIMISTIC = (
    "the place was chosen by looking at the same calls, so its effect is rather too large; "
    "gain_cross is the effect on calls that did not choose it"
)

Candidates = Callable[[Floats], Marks]


@dataclass(frozen=True, eq=False)
class Places:
    """Calls of a case by cell: blocks of the order, or strata; cell -1 is no place.

    `candidates` gives the parts that are looked at, (parts, cells), for tables (cells, k, k).
    """

    case: Case
    cell: Codes
    cells: int
    candidates: Candidates

    @cached_property
    def member(self) -> Floats:
        """Weight of each call in its cell, (n, cells)."""
        return np.where(self.cell[:, None] == np.arange(self.cells), self.case.weight[:, None], 0.0)

    @cached_property
    def residuals(self) -> Floats:
        """Residuals e, r and d, (n, 3); without d where the categories lie on no line."""
        return self._residuals[0]

    @cached_property
    def _residuals(self) -> tuple[Floats, Floats]:
        """Residuals, and their expected square in the reference class of the call."""
        scale, people = self.case.scales[LOW], self.case.referred(LOW)
        judged = self.case.judged(LOW)
        weighted = people * self.member.sum(axis=1, keepdims=True)
        mass = np.maximum(weighted.sum(axis=0), TINY)
        costs = [1 - scale.weights, unrelated(weighted.T @ judged)]
        if scale.ordered:
            costs.append(np.subtract.outer(np.arange(scale.k), np.arange(scale.k)).T * 1.0)
        found, spread = [], np.zeros(self.case.n)
        for cost in costs:
            by_class = judged @ cost.T
            by_class = by_class - (weighted * by_class).sum(axis=0) / mass
            own = (weighted * by_class**2).sum(axis=0) / mass
            found.append((people * by_class).sum(axis=1))
            spread = spread + people @ own / max(float(own.max()), TINY)
        return np.stack(found, axis=1), spread

    @cached_property
    def sums(self) -> Floats:
        """Centred sums over each cell, (series, 1 + permutations, cells): the observed come first.

        What a unit has in one cell is a piece; pieces are permuted whole.
        """
        known = self.cell >= 0
        keys = self.case.unit[known] * self.cells + self.cell[known]
        pieces, piece = np.unique(keys, return_inverse=True)
        weight = self.case.weight[known]
        residuals, spread = self._residuals
        series = [np.bincount(piece, weight * column) for column in residuals[known].T]
        own = np.bincount(piece, weight**2 * spread[known]).astype(np.float64)
        order = shuffles(_alike(own), self.case.seed)
        cells = (pieces[:, None] % self.cells == np.arange(self.cells)).astype(np.float64)
        summed = np.stack([column[order] @ cells for column in series])
        return np.asarray(summed - summed.mean(axis=1, keepdims=True))

    @cached_property
    def _covariance(self) -> Floats:
        """Covariance of the cells' sums over the permutations, (series, cells, cells)."""
        return np.asarray(np.swapaxes(self.sums, 1, 2) @ self.sums / self.sums.shape[1])

    @cached_property
    def tables(self) -> Floats:
        """Tables of the low construct by cell, (cells, k, k), unsmoothed."""
        return self._tables(np.ones(self.case.n))

    def _tables(self, keep: Floats) -> Floats:
        member = self.member * keep[:, None]
        people, judge = self.case.referred(LOW), self.case.judged(LOW)
        joint = (people[:, :, None] * judge[:, None, :]).reshape(self.case.n, -1)
        k = self.case.scales[LOW].k
        return (member.T @ joint).reshape(self.cells, k, k)

    def scores(self, parts: Marks, sums: Floats | None = None) -> Floats:
        """T of each part for sums (series, m, cells), by default those of `sums`: (m, parts)."""
        sums = self.sums if sums is None else sums
        chosen = parts.astype(np.float64)
        share = chosen @ self.member.sum(axis=0) / max(float(self.member.sum()), TINY)
        handicap = np.sqrt(-2 * np.log(np.clip(4 * share * (1 - share), TINY, 1)))
        variance = ((chosen @ self._covariance) * chosen).sum(axis=2)[:, None, :]
        top = np.abs(sums @ chosen.T)
        over = np.where(variance > TINY, top / np.sqrt(np.maximum(variance, TINY)), 0)
        return np.asarray(over.max(axis=0) - handicap)

    @cached_property
    def bad(self) -> Marks:
        """Cells of the worst part, (cells,)."""
        parts = self.candidates(self.tables)
        return self._worst(parts, self.scores(parts, self.sums[:, :1])[0], self.tables)

    def _worst(self, parts: Marks, scores: Floats, tables: Floats) -> Marks:
        """Of each part and its rest the one with the lower kappa; of those the clearest."""
        total = tables.sum(axis=0)
        inside = np.tensordot(parts.astype(np.float64), tables, 1)
        here, rest = self.kappas(inside, total - inside)
        bad = np.where((here < rest)[:, None], parts, ~parts)
        good = ~bad @ tables.sum(axis=(1, 2)) / max(float(total.sum()), TINY)
        return np.asarray(bad[np.argmax(np.where(good >= LEAST_GOOD, scores, -np.inf))])

    def kappas(self, part: Floats, rest: Floats) -> tuple[Floats, Floats]:
        """Standardised kappas of parts and of their rests, (parts, k, k) each."""
        whole, weights = self.case.table(LOW)[0], self.case.scales[LOW].weights
        by_people = on_people(part, rest, whole)
        return (
            standardised(part, whole, weights, by_people),
            standardised(rest, whole, weights, by_people),
        )

    def in_cells(self, cells: Marks) -> Marks:
        """Calls in some cells, (n,)."""
        return (self.cell >= 0) & cells[self.cell]

    def stacks(self, part: Marks, rest: Marks) -> tuple[Floats, Floats]:
        """Stacks of the standardised kappas of a part and of its rest, from marks of calls."""
        case = self.case
        people, judge = case.referred(LOW), case.judged(LOW)
        tables = [case.tables(people * keep[:, None], judge) for keep in (part, rest)]
        whole, weights = case.table(LOW), case.scales[LOW].weights
        by_people = on_people(tables[0][:1], tables[1][:1], whole[:1])
        one, two = (standardised(table, whole, weights, by_people) for table in tables)
        return one, two

    def gain_cross(self) -> float:
        """Kappa of the good minus the bad part, chosen on half of the units, read on the others."""
        units = int(self.case.unit.max()) + 1
        half = np.random.default_rng([self.case.seed, 4]).permutation(units) % 2
        gains = []
        for chooses in (0, 1):
            mine = (half[self.case.unit] == chooses).astype(np.float64)
            tables, others = self._tables(mine), self._tables(1 - mine)
            parts = self.candidates(tables)
            sums = (self.member.T @ (self.residuals * mine[:, None])).T[:, None, :]
            bad = self._worst(parts, self.scores(parts, sums)[0], tables)
            worse, total = others[bad].sum(axis=0)[None], others.sum(axis=0)[None]
            low, high = self.kappas(worse, total - worse)
            gains.append(float(high[0] - low[0]))
        return float(np.mean(gains))


def unrelated(table: Floats) -> Floats:
    """Log likelihood ratio, by cell, of answers of which some have nothing to do with people's."""
    share = table / max(float(table.sum()), TINY)
    chance = np.outer(share.sum(axis=1), share.sum(axis=0))
    mixed = (1 - UNRELATED) * share + UNRELATED * chance
    return np.asarray(np.log(np.maximum(chance, TINY) / np.maximum(mixed, TINY)))


def shuffles(group: Codes, seed: int) -> Codes:
    """Positions (1 + permutations, m): the identity, then permutations within the groups."""
    rng = np.random.default_rng([seed, 3])
    order = np.tile(np.arange(len(group)), (1 + PERMUTATIONS, 1))
    for one in np.unique(group):
        where = np.flatnonzero(group == one)
        order[1:, where] = rng.permuted(np.tile(where, (PERMUTATIONS, 1)), axis=1)
    return order


def _alike(spread: Floats) -> Codes:
    """Groups of pieces with about the same expected spread."""
    distinct, group = np.unique(spread.round(9), return_inverse=True)
    if len(distinct) <= SPREADS:
        return group
    rank = np.empty(len(spread), dtype=np.int64)
    rank[np.argsort(spread, kind="stable")] = np.arange(len(spread))
    return rank * GROUPS // len(spread)


def p_of(statistic: Floats) -> float:
    """Share of (1 + permutations,) statistics that reach the observed first."""
    return float((statistic >= statistic[0] - 1e-9).mean())


def on_people(part: Floats, rest: Floats, whole: Floats) -> Marks:
    """Whether to condition on people when a part is compared with its rest.

    The side that moved carries the fault, so kappa is standardised on the other. The judge follows
    when the items differ: its margin should move as people's do, times the rows of the whole. Only
    a judge that moves less than half of that stands still while people move.
    """
    rows = whole / np.maximum(whole.sum(axis=-1, keepdims=True), TINY)
    people, judge = (_share(part, axis) - _share(rest, axis) for axis in (-1, -2))
    expected = np.abs((people[..., None, :] @ rows)[..., 0, :]).sum(axis=-1)
    return np.asarray(np.abs(judge).sum(axis=-1) >= STILL * expected)


def _share(tables: Floats, axis: int) -> Floats:
    margin = tables.sum(axis=axis)
    return np.asarray(margin / np.maximum(margin.sum(axis=-1, keepdims=True), TINY))


def standardised(part: Floats, whole: Floats, weights: Floats, by_people: Marks) -> Floats:
    """Kappa of a part if it had the whole's margin: of people, or of the judge.

    T* = margin of the whole x conditional rows of the part; where `by_people` is false, columns.
    One call's worth of the whole fills up each row, so that an empty one is that of the whole.
    """
    made = []
    for axis in (-1, -2):
        margin = whole.sum(axis=axis, keepdims=True)
        rows = part + whole / np.maximum(margin, TINY)
        made.append(margin * rows / np.maximum(rows.sum(axis=axis, keepdims=True), TINY))
    return np.asarray(cohen_kappa(np.where(by_people[..., None, None], *made), weights))


def no_place(case: Case) -> str:
    """Why no place of a fault can be looked for; "" where it can."""
    if case.n < LEAST_CALLS:
        return f"only {case.n} calls carry both constructs; {LEAST_CALLS} are the least"
    units = np.unique(case.unit).size
    if units < LEAST_UNITS:
        return f"the calls come from only {units} clusters; {LEAST_UNITS} are the least"
    if np.unique(case.judge[LOW]).size < 2:  # noqa: PLR2004  two labels
        return "the judge gives one and the same label everywhere"
    if (case.referred(LOW).sum(axis=0) > 0).sum() < 2:  # noqa: PLR2004
        return "the reference gives one and the same label everywhere"
    return ""
