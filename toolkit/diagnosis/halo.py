"""Halo: the judge's label of the low construct follows its own labels of the other constructs.

Signature: the other constructs predict the judge's label better than they predict people's. What
is undone is only that part of the judge's label which its other labels carry, given what people
said: partial correlation would take out true covariance as well (Harvey 1982, J. Applied Psychology
67:171), and a difference of two correlations understates halo (Fisicaro and Lance 1990, Applied
Psychological Measurement 14:419, doi:10.1177/014662169001400407).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from toolkit.diagnosis import latent
from toolkit.diagnosis.case import HIGH, LOW, Case, Floats, limits, z_of
from toolkit.diagnosis.copying import own_tables
from toolkit.diagnosis.correlation import all_pairs, flat, moments, positive_definite, square
from toolkit.diagnosis.measure import Measure

NEXT = (
    "Ask for this construct in a call of its own, or ask for a quotation that supports it before "
    "its label, and compare with the present labels."
)
COMPLETE = 0.5  # share of the calls that another construct must have labels in
COPY, NO_COPY = 0.9, 0.7  # kappa of the judge's two columns, and of people's
CARRIED = 0.5  # excess from which most of what the label says is said by the others


@dataclass(frozen=True, eq=False)
class Columns:
    """Latent correlations of the usable constructs: judge first, then people, (1 + R, 2c, 2c)."""

    constructs: tuple[int, ...]
    matrix: Floats

    def correlation(self, left: list[int], right: list[int]) -> Floats:
        """Block of the matrix."""
        return np.asarray(self.matrix[:, left][:, :, right])

    def explained(self, column: int, by: list[int]) -> Floats:
        """Share of a column's latent variance that other columns predict."""
        r = self.correlation(by, [column])
        return np.asarray((r * np.linalg.solve(self.correlation(by, by), r)).sum(axis=(1, 2)))

    def excess(self, construct: int, without: int | None = None) -> Floats:
        """How much better the others predict the judge's label than people's."""
        c = len(self.constructs)
        at = self.constructs.index(construct)
        others = [i for i in range(c) if i != at and self.constructs[i] != without]
        people = [i + c for i in others]
        return self.explained(at, others) - self.explained(at + c, people)

    def own(self, construct: int) -> Floats:
        """Latent correlation with people of what the judge's other labels do not carry.

        With h the weights of the judge's other labels J beside people's label H in the regression
        of the judge's label A: corr(A - h'J, H).
        """
        c = len(self.constructs)
        at = self.constructs.index(construct)
        others, person = [i for i in range(c) if i != at], at + c
        by = [person, *others]
        h = np.linalg.solve(self.correlation(by, by), self.correlation(by, [at]))[:, 1:]
        with_people = self.correlation(others, [person])
        with_judge = self.correlation(others, [at])
        left = self.matrix[:, at, person] - (h * with_people).sum(axis=(1, 2))
        among = np.swapaxes(h, 1, 2) @ self.correlation(others, others) @ h
        variance = 1 - 2 * (h * with_judge).sum(axis=(1, 2)) + among[:, 0, 0]
        own = left / np.sqrt(np.maximum(variance, latent.LEAST))
        return np.asarray(np.clip(own, -latent.MOST, latent.MOST))


def measure(case: Case) -> Measure:
    """Measure how far the judge's label follows its other labels, and kappa without that."""
    reason = _unusable(case, LOW)
    columns = None if reason else columns_of(case)
    if columns is None or len(columns.constructs) < 2:  # noqa: PLR2004
        reason = reason or "no other construct of the same calls has ordered and varied labels"
        return Measure("halo", untestable=reason)
    excess, own = columns.excess(LOW), own_correlation(case, LOW)
    c = len(columns.constructs)
    at = columns.constructs.index(LOW)
    rho = columns.matrix[:, at, at + c]
    tests = {"z": z_of(excess), "excess": float(excess[0]), "rho_own": float(own[0])}
    tests |= {"rho": float(rho[0]), "z_over_high": float("nan")}
    if HIGH in columns.constructs:
        # Where the judge copies the high construct, the low one predicts the high one as well.
        high = columns.excess(HIGH, without=LOW) if c > 2 else 0.0  # noqa: PLR2004
        tests["z_over_high"] = z_of(excess - high)
    copied = _copied(case, columns.constructs)
    carried = excess[0] > CARRIED and limits(own - rho, 0.9)[0] <= 0
    tests |= {"copy": float(bool(copied)), "carried": float(carried)}
    # A judge that copies has no judgement of its own, so nothing is left to size it by. The same
    # where its other labels carry nearly all of a label: what they leave is error.
    undone = None
    if not copied and not carried:
        undone = _kappa_at(case, own) - _kappa_at(case, rho) + case.kappa(LOW)
    followed = int(np.delete(np.abs(columns.matrix[0, at, :c]), at).argmax())
    followed += followed >= at
    return Measure(
        "halo",
        compared="variance of the judge's label that its others predict, minus that of people's",
        effect=excess,
        undone=undone,
        tests=tests,
        facts={
            "construct": copied or case.scales[columns.constructs[followed]].name,
            "r_judge": float(columns.matrix[0, at, followed]),
            "r_people": float(columns.matrix[0, at + c, followed + c]),
            "others": c - 1,
        },
        n=case.n,
    )


def own_correlation(case: Case, construct: int) -> Floats:
    """Latent correlation of people and judge without what the judge's other labels carry; a stack.

    The mean of two what-ifs, because labels hardly tell which holds: the judge blends its
    judgements in every call (`Columns.own`), or copies a label in some calls (`copying`). nan
    without other constructs, or without ordered and varied labels.
    """
    columns = columns_of(case)
    if construct not in columns.constructs or len(columns.constructs) < 2:  # noqa: PLR2004
        return np.full(1 + case.replicates, np.nan)
    k = case.scales[construct].k
    alike = [c for c in columns.constructs if c != construct and case.scales[c].k == k]
    blended = columns.own(construct)
    if not alike:
        return blended
    return (blended + latent.rho_of(own_tables(case, construct, alike))) / 2


def sentence(found: Measure, case: Case) -> str:
    """Say what was found."""
    low, facts = case.scales[LOW].name, found.facts
    left = ""
    if found.tests["copy"]:
        left = " The judge's labels of the two are nearly the same labels."
    elif found.tests["carried"]:
        left = " Too little of a judgement of its own is left to say what it would be without them."
    return (
        f"The judge's {low} goes with its {facts['construct']} (latent r = {facts['r_judge']:.2f}; "
        f"people's: {facts['r_people']:.2f}); its other labels predict {found.tests['excess']:.2f} "
        f"more of its variance than people's do of theirs.{left}"
    )


@lru_cache(maxsize=2)
def columns_of(case: Case) -> Columns:
    """Latent correlation matrix of all usable constructs, kept for the case at hand."""
    use = tuple(c for c in range(case.c) if not _unusable(case, c))
    data = [case.judged(c) for c in use] + [case.referred(c) for c in use]
    if len(use) < 2:  # noqa: PLR2004
        return Columns(use, np.ones((1 + case.replicates, 2 * len(use), 2 * len(use))))
    pairs = all_pairs(len(data))
    rho = moments(case, data, pairs).latent()
    return Columns(use, positive_definite(square(rho, pairs, len(data))))


def _unusable(case: Case, construct: int) -> str:
    scale = case.scales[construct]
    if not case.same_call:
        return "the constructs come from different judge calls"
    if not scale.ordered:
        return f"the categories of {scale.name} have no order"
    labelled = (case.judge[construct] >= 0) & (case.referred(construct).sum(axis=1) > 0)
    if labelled.sum() < COMPLETE * case.n:
        return f"most calls have no label on {scale.name}"
    return flat(case, construct)


def _kappa_at(case: Case, rho: Floats) -> Floats:
    """Kappas of the low construct at other latent correlations, cuts as they are."""
    table = case.table(LOW)
    cuts = latent.cuts_of(table.sum(axis=-1)), latent.cuts_of(table.sum(axis=-2))
    return case.kappa(LOW, latent.table_of(*cuts, rho))


def _copied(case: Case, constructs: tuple[int, ...]) -> str:
    """Name of a construct whose labels the judge repeats although people do not; "" if none."""
    low = case.judged(LOW), case.referred(LOW)
    for b in constructs:
        if b != LOW and case.scales[b].k == case.scales[LOW].k:
            other = case.judged(b), case.referred(b)
            tables = [(a * case.weight[:, None]).T @ o for a, o in zip(low, other, strict=True)]
            judge, people = case.kappa(LOW, np.stack(tables))
            if judge > COPY and people < NO_COPY:
                return case.scales[b].name
    return ""
