r"""Two states of a call: ok, or failed and answered without looking at the item.

Given what the witnesses say of an item, h, the judge's answers j to its constructs are independent
in both states. With failed answers D_c, a share pi of failed calls and a share s_c of constructs
that a failed call hits,

.. math:: P(j | h) = \int \Big[(1 - \pi) \prod_c A_c(j_c | h_c, u)
          + \pi \prod_c \{(1 - s_c) A_c(j_c | h_c, u) + s_c D_c(j_c)\}\Big] \phi(u) du

is a latent class model, fitted by EM (Dawid and Skene 1979, Applied Statistics 28:20,
doi:10.2307/2346806). The factor u stands for what else ties the errors of a call (Albert and Dodd
2004, Biometrics 60:427, doi:10.1111/j.0006-341X.2004.00187.x): a general impression moves the cuts
of all constructs the same way; difficulty makes all errors likelier, and with them disagreement
of the witnesses. Either of them without failed calls is a rival of the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import ndtr, ndtri

from toolkit.diagnosis.case import HIGH, LOW, Case, Floats, indicators
from toolkit.diagnosis.witnesses import Witnesses
from toolkit.labels.roles import Codes

NODES, MASS = np.polynomial.hermite_e.hermegauss(5)
MASS = MASS / MASS.sum()
LOADINGS = (0.0, 0.2, 0.35, 0.5, 0.65)
START_SHARE, START_LOW, START_HIGH, START_OTHER = 0.4, 0.95, 0.2, 0.6
STEPS, STEPS_ON = 30, 12  # of EM, and of EM that goes on from a fit without the factor
STRETCH = 1.6  # of each step: EM approaches its end from one side
LEAST, LEAST_SHARE, MOST_SHARE = 1e-4, 0.01, 0.7
TINY = 1e-6


@dataclass(frozen=True)
class Factor:
    """What ties the errors of a call although none failed: loadings of its three signs."""

    impression: float = 0.0
    difficulty: float = 0.0
    doubt: float = 0.0  # loading of the witnesses' disagreement on difficulty


NOTHING = Factor()


@dataclass(frozen=True, eq=False)
class Answers:
    """Answers of the judge as tables: in rows what is known of the item, in columns the answer.

    Behind the tables of the c constructs stand those of the witnesses: class and disagreement.

    Attributes
    ----------
    counts, prior, rows : tuples of ndarray, one a table
        Weights of the calls; a prior of one answer a row; and P(answer | row) with it.
    right : tuple of ndarray of bool
        Which cells are no errors.
    ordered : tuple of bool
        Whether an impression can move the cuts of a construct.
    marks : sparse array, shape (n, cells)
        Which cells of all tables, side by side, a call holds.
    weight : ndarray, shape (n,)
        Of the calls.
    table : ndarray of int, shape (cells,)
        Table of every cell.
    c : int
        Number of constructs.
    """

    counts: tuple[Floats, ...]
    prior: tuple[Floats, ...]
    rows: tuple[Floats, ...]
    right: tuple[NDArray[np.bool_], ...]
    ordered: tuple[bool, ...]
    marks: Any
    weight: Floats
    table: Codes
    c: int


@dataclass(frozen=True, eq=False)
class Fit:
    """Two-state model at its best: log-likelihood, pi, s, and for every call two probabilities.

    `low` is that the call failed on the low construct, `state` that it failed at all.
    """

    likelihood: float
    failed: float
    hit: Floats
    low: Floats
    state: Floats


def answers(case: Case, witnesses: Witnesses) -> Answers:
    """Tabulate the answers by what the witnesses say; see `Witnesses.row`."""
    columns, rows = list(case.judge), list(witnesses.row)
    right = [np.tile(np.eye(scale.k, dtype=bool), (2, 1)) for scale in case.scales]
    if (witnesses.doubt >= 0).any():
        columns += list(witnesses.doubt)
        rows += list(witnesses.middle)
        right += [np.tile([True, False], (scale.k, 1)) for scale in case.scales]
    counts, cells, start = [], [], 0
    for row, column, fine in zip(rows, columns, right, strict=True):
        seen = (row >= 0) & (column >= 0)
        cell = row * fine.shape[1] + column
        table = np.bincount(cell[seen], case.weight[seen], fine.size)
        counts.append(np.asarray(table, dtype=np.float64).reshape(fine.shape))
        cells.append(np.where(seen, start + cell, -1))
        start += fine.size
    prior = [_prior(table, fine) for table, fine in zip(counts, right, strict=True)]
    held = np.stack(cells, axis=1)
    call, _ = np.nonzero(held >= 0)
    return Answers(
        tuple(counts),
        tuple(prior),
        tuple(_shares(t + p) for t, p in zip(counts, prior, strict=True)),
        tuple(right),
        tuple(scale.ordered for scale in case.scales),
        csr_array((np.ones(len(call)), (call, held[held >= 0])), shape=(case.n, start)),
        case.weight,
        np.repeat(np.arange(len(right)), [fine.size for fine in right]),
        case.c,
    )


def tied(seen: Answers, factor: Factor, *, doubt_only: bool = False) -> float:
    """Log-likelihood of answers that share nothing but a factor."""
    logs = np.log(_moved(seen, seen.rows, factor))
    if doubt_only:
        logs[seen.table < seen.c] = 0
    return float(seen.weight @ np.log(np.exp(seen.marks @ logs) @ _mass(factor)))


def two_state(
    seen: Answers, answer: list[Floats], factor: Factor = NOTHING, start: Fit | None = None
) -> Fit:
    """Fit the two states; `answer` holds the distribution of a failed answer per construct.

    `start` is a fit without the factor.
    """
    judged = int((seen.table < seen.c).sum())
    low = int((seen.table == 0).sum())
    failing = [np.tile(d, (len(t), 1)) for d, t in zip(answer, seen.counts, strict=False)]
    guesses = np.concatenate([d.ravel() for d in failing])[:, None]
    of = indicators(seen.table[:judged], seen.c)
    marks, back = seen.marks, seen.marks.T.tocsr()[:judged]
    observed = np.maximum([t.sum() for t in seen.counts[: seen.c]], TINY)
    mass, total = _mass(factor), seen.weight.sum()
    low_marks = marks[:, :low]
    no_low = low_marks.sum(axis=1) == 0
    failed, hit = START_SHARE, np.full(seen.c, START_OTHER)
    hit[[LOW, HIGH]] = START_LOW, START_HIGH
    if start is not None:
        failed, hit = start.failed, start.hit
    held = failed * (of @ hit) * guesses[:, 0] * _calls(seen)[:judged]
    rows = _without(seen, held)
    best = Fit(-np.inf, failed, hit, *np.zeros((2, len(seen.weight))))
    for _ in range(STEPS if start is None else STEPS_ON):
        ok = _moved(seen, rows, factor)
        guess = (of @ hit)[:, None] * guesses
        hurt = ok.copy()
        hurt[:judged] = (1 - of @ hit)[:, None] * ok[:judged] + guess
        both = np.exp(marks @ np.log(np.concatenate([ok, hurt], axis=1)))
        sound = (1 - failed) * both[:, : len(mass)] @ mass
        state = failed * both[:, len(mass) :] * mass
        whole = sound + state.sum(axis=1)
        state /= whole[:, None]
        part = guess / hurt[:judged]
        likelihood = float(seen.weight @ np.log(whole))
        if likelihood > best.likelihood:
            own = ((low_marks @ part[:low]) * state).sum(axis=1)
            own = np.where(no_low, hit[LOW] * state.sum(axis=1), own)
            best = Fit(likelihood, failed, hit, own, state.sum(axis=1))
        held = ((back @ (seen.weight[:, None] * state)) * part).sum(axis=1)
        share = failed * hit
        share = np.clip(share + STRETCH * (held @ of / observed - share), LEAST, MOST_SHARE)
        failed += STRETCH * (float(seen.weight @ state.sum(axis=1) / total) - failed)
        failed = float(np.clip(failed, max(LEAST_SHARE, share.max()), MOST_SHARE + LEAST))
        hit = np.clip(share / failed, 0, 1 - LEAST)
        rows = _without(seen, held)
    return best


def _prior(table: Floats, right: NDArray[np.bool_]) -> Floats:
    """One answer a row, half of it as usual in the table and half of it right."""
    k = table.shape[1]
    usual = (table.sum(axis=0) + 1 / k) / (table.sum() + 1)
    return np.asarray((usual + right) / 2)


def _shares(table: Floats) -> Floats:
    return np.asarray(table / table.sum(axis=1, keepdims=True))


def _mass(factor: Factor) -> Floats:
    """Weights of the nodes; without a factor one node is enough."""
    return np.ones(1) if factor == NOTHING else MASS


def _calls(seen: Answers) -> Floats:
    """Calls in the row of every cell."""
    return np.asarray(np.concatenate([np.repeat(t.sum(axis=1), t.shape[1]) for t in seen.counts]))


def _without(seen: Answers, held: Floats) -> tuple[Floats, ...]:
    """Rows of the answers that are ok: the counts less those of the failed ones."""
    rows, start = [], 0
    for table, prior in zip(seen.counts[: seen.c], seen.prior, strict=False):
        failed = held[start : start + table.size].reshape(table.shape)
        rows.append(_shares(np.maximum(table - failed, 0) + prior))
        start += table.size
    return (*rows, *seen.rows[seen.c :])


def _moved(seen: Answers, rows: tuple[Floats, ...], factor: Factor) -> Floats:
    """Rows as a column of cells for each node of the factor, shape (cells, nodes)."""
    if factor == NOTHING:
        return np.concatenate([row.ravel() for row in rows])[:, None]
    moved = []
    for table, (row, right) in enumerate(zip(rows, seen.right, strict=True)):
        judged = table < seen.c
        loading = factor.difficulty if judged else factor.doubt
        if judged and factor.impression and seen.ordered[table]:
            cuts = ndtri(np.clip(np.cumsum(row, axis=1)[:, :-1], TINY, 1 - TINY))
            below = ndtr(_shift(cuts, -factor.impression))
            ends = np.zeros((len(row), 1, len(NODES)))
            changed = np.diff(np.concatenate([ends, below, ends + 1], axis=1), axis=1)
        elif loading:
            wrong = np.clip((row * ~right).sum(axis=1), TINY, 1 - TINY)
            more = ndtr(_shift(ndtri(wrong), loading))
            changed = np.where(
                right[:, :, None],
                row[:, :, None] * ((1 - more) / (1 - wrong)[:, None])[:, None, :],
                row[:, :, None] * (more / wrong[:, None])[:, None, :],
            )
        else:
            changed = np.repeat(row[:, :, None], len(NODES), axis=2)
        moved.append(changed.reshape(row.size, -1))
    return np.asarray(np.maximum(np.concatenate(moved), TINY))


def _shift(cuts: Floats, loading: float) -> Floats:
    """Cuts given each value of a factor with that loading; their average over it is unchanged."""
    return np.asarray((cuts[..., None] + loading * NODES) / np.sqrt(1 - loading**2))
