"""Reversed polarity: the judge's categories are read in the wrong order, everywhere or in strata.

Signature: people and judge covary negatively. Chance disagreement brings the covariance to 0, not
below it. Categories without an order can be mixed up in more ways than one: the best assignment of
the judge's categories to people's, found on one half of the units and scored on the other.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.special import ndtri

from toolkit.diagnosis.case import LOW, Case, Floats, Marks, indicators, z_of
from toolkit.diagnosis.correlation import flat
from toolkit.diagnosis.measure import Measure
from toolkit.labels.roles import Codes

NEXT = (
    "Find where the order of the categories is turned round (question, parser or label coding), "
    "put it right there, and measure again."
)
EVERYWHERE = -3.3  # z below which all strata are reversed, unless one of them speaks against it
AGAINST = 2.0
ERROR = 0.005  # of the test of single strata, divided by their number
WEAKEST = -0.15  # a correlation nearer to 0 is no reversal
LEAST_GAIN, LEAST_Z = 0.10, 3.3  # of a permutation, on the half that did not choose it
HALF_SEED = 4


def measure(case: Case) -> Measure:
    """Measure the covariance by stratum, and kappa with the reversed strata put right."""
    reason = flat(case, LOW)
    if reason:
        return Measure("reversed_polarity", untestable=reason)
    return _turned(case) if case.scales[LOW].ordered else _mixed_up(case)


def undo(case: Case, found: Measure) -> Case:
    """Give the case with the judge's categories put right where they are reversed."""
    if not found.tests.get("reversed"):
        return case
    mapping, where = np.asarray(found.facts["mapping"]), _within(case, found.facts["strata"])
    judge, again = case.judge.copy(), case.again.copy()
    judge[LOW], again[LOW] = (_mapped(own[LOW], mapping, where) for own in (judge, again))
    return replace(case, judge=judge, again=again)


def sentence(found: Measure, case: Case) -> str:
    """Say what was found."""
    facts, name = found.facts, case.scales[LOW].name
    kappas = f"kappa is {facts['kappa']:.2f}, and {facts['kappa_reversed']:.2f}"
    if not case.scales[LOW].ordered:
        read = ", ".join(map(str, facts["mapping"]))
        return (
            f"The judge's categories of {name} agree best with people's when read as {read} "
            f"(numbered from 0): {kappas} so; chosen on one half of the calls, the reading gains "
            f"{found.tests['gain_cross']:.2f} on the other."
        )
    where = f" in {case.names.stratum_column} {', '.join(facts['strata'])}" * bool(facts["strata"])
    if found.tests["reversed"]:
        return (
            f"Where people go up the judge goes down on {name}{where}: "
            f"r = {found.tests['r']:.2f}; {kappas} with the order turned round there."
        )
    return (
        f"People and judge do not run against each other on {name} (r = {found.tests['r']:.2f}); "
        f"{kappas} with the order turned round."
    )


def _turned(case: Case) -> Measure:
    """Test reversal of ordered categories, overall and within strata."""
    people, judge = case.referred(LOW), case.judged(LOW)
    mapping = np.arange(case.scales[LOW].k)[::-1]
    cov, r = _covariance(case.table(LOW))
    z, codes = z_of(cov), np.array([], dtype=np.int64)
    if case.stratum is not None and (case.stratum >= 0).any():
        codes = np.unique(case.stratum[case.stratum >= 0])
    parts = [case.tables(people * (case.stratum == s)[:, None], judge) for s in codes]
    each = [_covariance(tables) for tables in parts]
    z_each = np.array([z_of(part[0]) for part in each])
    r_each = np.array([part[1][0] for part in each])
    flagged = (z_each < ndtri(ERROR / max(len(codes), 1))) & (r_each < WEAKEST)
    everywhere = z < EVERYWHERE and r[0] < WEAKEST and not (z_each > AGAINST).any()
    some = bool(flagged.any()) and not everywhere
    strata = tuple(case.names.strata[s] for s in codes[flagged]) if some else ()
    right = indicators(_mapped(case.judge[LOW], mapping, _within(case, strata)), len(mapping))
    reversed_kappa = case.kappa(LOW, case.tables(people, right))
    if some:
        _, r = _covariance(sum((t for t, f in zip(parts, flagged, strict=True) if f), np.zeros(1)))
        z = float(z_each[flagged].max())
    tests = {
        "reversed": float(flagged.sum() if some else max(len(codes), 1) * everywhere),
        "z": z,
        "r": float(r[0]),
    }
    facts: dict[str, object] = {"strata": strata, "mapping": tuple(mapping.tolist())}
    if len(mapping) > 2:  # noqa: PLR2004  with two categories the reversal is the only one
        best, gain = _crossed(case)
        tests["gain_cross"] = float(gain[0])
        facts["best_mapping"] = tuple(best.tolist())
    return _made(case, tests, facts, r, reversed_kappa)


def _mixed_up(case: Case) -> Measure:
    """Test for a permutation of categories without an order."""
    best, gain = _crossed(case)
    z = z_of(gain)
    moved = bool((best != np.arange(len(best))).any())
    tests = {
        "reversed": float(moved and gain[0] > LEAST_GAIN and z > LEAST_Z),
        "z": z,
        "r": float("nan"),
        "gain_cross": float(gain[0]),
    }
    facts: dict[str, object] = {"strata": (), "mapping": tuple(best.tolist())}
    return _made(case, tests, facts, gain, case.kappa(LOW, _permuted(case.table(LOW), best)))


def _made(
    case: Case,
    tests: dict[str, float],
    facts: dict[str, object],
    effect: Floats,
    reversed_kappa: Floats,
) -> Measure:
    kappa = case.kappa(LOW)
    ordered = case.scales[LOW].ordered
    return Measure(
        "reversed_polarity",
        compared="correlation of people and judge" if ordered else "gain by the best permutation",
        effect=effect,
        undone=reversed_kappa,
        tests=tests,
        facts=facts | {"kappa": float(kappa[0]), "kappa_reversed": float(reversed_kappa[0])},
        n=case.n,
    )


def _covariance(tables: Floats) -> tuple[Floats, Floats]:
    """Covariance and correlation of the category numbers of stacked tables."""
    shares = tables / tables.sum(axis=(-2, -1), keepdims=True)
    scores = np.arange(shares.shape[-1])
    people, judge = shares.sum(axis=-1), shares.sum(axis=-2)
    cov = np.einsum("...ij,i,j", shares, scores, scores) - (people @ scores) * (judge @ scores)
    spreads = [m @ scores**2 - (m @ scores) ** 2 for m in (people, judge)]
    return cov, cov / np.sqrt(spreads[0] * spreads[1])  # above 0: the tables are smoothed


def _within(case: Case, strata: tuple[str, ...]) -> Marks:
    """Mark the calls of the named strata; all calls when none is named."""
    if not strata or case.stratum is None:
        return np.ones(case.n, dtype=bool)
    return np.isin(case.stratum, [case.names.strata.index(name) for name in strata])


def _mapped(codes: Codes, mapping: Codes, where: Marks) -> Codes:
    return np.asarray(np.where(where & (codes >= 0), mapping[codes], codes))


def _crossed(case: Case) -> tuple[Codes, Floats]:
    """Best permutation on all units, and the gain in kappa of one half's best on the other half."""
    people, judge = case.referred(LOW), case.judged(LOW)
    weights = case.scales[LOW].weights
    rng = np.random.default_rng([case.seed, HALF_SEED])
    units = int(case.unit.max()) + 1
    first = (rng.permutation(units) < units // 2)[case.unit]
    halves = [case.tables(people * half[:, None], judge) for half in (first, ~first)]
    gains = [
        case.kappa(LOW, _permuted(score, _best(choose[0], weights))) - case.kappa(LOW, score)
        for choose, score in (halves, halves[::-1])
    ]
    return _best(case.table(LOW)[0], weights), (gains[0] + gains[1]) / 2


def _best(table: Floats, weights: Floats) -> Codes:
    """For each category of the judge the one of people that it stands for.

    Maximised is agreement beyond chance; what is as good stays in place.
    """
    beyond = table - np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    gain = beyond.T @ weights + 1e-9 * table.sum() * np.eye(len(table))
    return np.asarray(linear_sum_assignment(gain, maximize=True)[1])


def _permuted(tables: Floats, mapping: Codes) -> Floats:
    return np.asarray(tables[..., np.argsort(mapping)])
