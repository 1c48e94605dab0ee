"""Human ceiling: people do not agree with each other, so no judge can agree with them.

Its signature is that people's agreement with each other, as a latent correlation, is lower on the
low construct than on the high one. The judge's correlation with one person is its validity times
the root of the people's reliability (attenuation: Spearman 1904, Am. J. Psychology 15:72,
doi:10.2307/1412159), so the root of the ratio of two reliabilities undoes the cause.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from toolkit.diagnosis import latent
from toolkit.diagnosis.annotator_test import of_case
from toolkit.diagnosis.case import HIGH, LOW, Case, Floats, indicators, limits, shares, z_of
from toolkit.diagnosis.measure import Measure
from toolkit.labels.roles import Codes

NEXT = (
    "Let people talk through the items they disagree on, write the rule they settle on into the "
    "definition, and let two of them label about 60 items anew."
)
PAIR = 2
FLOOR = 0.1  # below this a ratio of reliabilities is noise over noise
NEAR = 0.85  # share of its high correlation that another judge must keep to refute the ceiling
BETTER = 2.5  # standard errors by which it must be above this judge
MAJORITY = 4  # fewest persons: of three, the two that remain may tie
CAUSE = "human_ceiling"


class Witness(NamedTuple):
    """Another judge that agrees with the person, and its correlations with that person."""

    name: str
    low: Floats
    high: Floats
    judge_low: Floats


def measure(case: Case) -> Measure:
    """Compare people's agreement with each other on the two constructs."""
    if why := one_category(case):
        return Measure(CAUSE, untestable=why)
    if why := _no_pairs(case):
        return _by_another_judge(case, why)
    low, high = (_people(case, c) for c in (LOW, HIGH))
    rel = [correlation(case, c, tables) for c, tables in ((LOW, low), (HIGH, high))]
    effect = rel[1] - rel[0]
    common = case.people[LOW][_paired(case, LOW)]
    persons = np.flatnonzero((common >= 0).any(axis=0))
    return Measure(
        CAUSE,
        "latent correlation between people, high construct minus low construct",
        effect=effect,
        undone=raised(case, *rel),
        tests={
            "z": z_over(effect),
            "rel_low": float(rel[0][0]),
            "rel_high": float(rel[1][0]),
            "raters": float(len(persons)),
            "paired_items": float(len(common)),
            "judge_refutes": 0.0,
        },
        facts={
            "kappa_low": interval(case.kappa(LOW, low)),
            "kappa_high": interval(case.kappa(HIGH, high)),
            "judge_minus_people": interval(_judge_with_people(case) - case.kappa(LOW, low)),
            "validity_assumed": validity_assumed(rel[0]),
            "majority": _against_majority(case),
            "annotator_test": of_case(case, LOW).to_dict(),
        },
        n=len(common),
        witness=", ".join(case.names.people[person] for person in persons),
    )


def sentence(found: Measure, case: Case) -> str:
    """Say how well people agree with each other, and how the judge compares."""
    low, high, facts = case.scales[LOW].name, case.scales[HIGH].name, found.facts
    if found.untestable:
        return f"Whether people agree with each other was not testable: {found.untestable}."
    if "judge_low" in facts:
        return (
            f"Another judge, {found.witness}, agrees with the same person on {low} "
            f"(latent correlation {said(facts['other_low'])}) nearly as well as on {high} "
            f"({said(facts['other_high'])}), {case.names.judge} does not "
            f"({said(facts['judge_low'])}): the person's labels can be met."
        )
    lead = facts["judge_minus_people"]
    told = (
        f"People agree with each other at kappa {said(facts['kappa_low'])} on {low} and "
        f"{said(facts['kappa_high'])} on {high} ({found.n} items of {low} with two labels or "
        f"more). On those items the judge's kappa with a person minus theirs is {said(lead)}."
    )
    if facts["validity_assumed"]:
        told += (
            f" Such labels don't show how well the judge reads {low}; kappa with the cause undone "
            f"takes it to be as well as {high}."
        )
    return told


def reliability(case: Case, construct: int) -> Floats:
    """People's agreement with each other as a stack within [FLOOR, 1); nan if not usable."""
    if one_category(case) or _no_pairs(case):
        return np.full(1 + case.replicates, np.nan)
    return floored(correlation(case, construct, _people(case, construct)))


def pairs_of(codes: Codes, k: int) -> Floats:
    """Share of an item's ordered pairs of raters in each cell: (n, raters) -> (n, k * k).

    Items with fewer than two labels are rows of 0; each other item weighs 1 however many labels.
    """
    counts = (codes[:, :, None] == np.arange(k)).sum(axis=1).astype(np.float64)
    pairs = counts[:, :, None] * (counts[:, None, :] - np.eye(k))
    labels = counts.sum(axis=1)
    number = np.maximum(labels * (labels - 1), 1)
    return np.asarray(pairs.reshape(len(codes), k * k) / number[:, None])


def smoothed(case: Case, cells: Floats, k: int) -> Floats:
    """Tables of shares of cells, with the smoothing mass of all other tables of the case."""
    nothing = np.zeros((case.n, k))
    return case.sums(cells).reshape(-1, k, k) + case.tables(nothing, nothing)


def correlation(case: Case, construct: int, tables: Floats) -> Floats:
    """Latent correlation of a stack of tables; kappa if either of the constructs has no order.

    Both constructs are measured alike, because their ratio is what counts.
    """
    ordered = case.scales[LOW].ordered and case.scales[HIGH].ordered
    return latent.rho_of(tables) if ordered else case.kappa(construct, tables)


def floored(rel: Floats) -> Floats:
    """Keep a reliability in [FLOOR, 1); all nan if the estimate lies below, as a ratio then may."""
    if not rel[0] >= FLOOR:
        return np.full(rel.shape, np.nan)
    return np.clip(rel, FLOOR, latent.MOST)


def raised(case: Case, low: Floats, high: Floats) -> Floats | None:
    """Kappa of the low construct if its reliability were that of the high one; None: unknown.

    Labels with next to no reliability say nothing of the validity behind them. It is then taken to
    be that on the high construct (see `validity_assumed`).
    """
    if not high[0] >= FLOOR:
        return None
    ordered = case.scales[LOW].ordered and case.scales[HIGH].ordered
    if validity_assumed(low):
        rho = case.rho(HIGH) if ordered else case.kappa(HIGH)
    else:
        rho = case.rho(LOW) if ordered else case.kappa(LOW)
        rho = rho * np.sqrt(floored(high) / floored(low))
    if not ordered:
        return np.clip(rho, -1.0, 1.0)
    table = case.table(LOW)
    people, judge = latent.cuts_of(table.sum(axis=-1)), latent.cuts_of(table.sum(axis=-2))
    return case.kappa(LOW, latent.table_of(people, judge, np.clip(rho, -latent.MOST, latent.MOST)))


def validity_assumed(low: Floats) -> bool:
    """Whether the reliability of the low construct is too small to divide by."""
    return not low[0] >= FLOOR


def one_category(case: Case) -> str:
    """Say who used one category only, of the judge and the reference; "" if nobody did."""
    for c in (LOW, HIGH):
        name = case.scales[c].name
        if (case.judged(c).sum(axis=0) > 0).sum() < PAIR:
            return f"the judge gave one category only on {name}"
        if (case.referred(c).sum(axis=0) > 0).sum() < PAIR:
            return f"the people gave one category only on {name}"
    return ""


def z_over(effect: Floats) -> float:
    """Estimate over its standard deviation; 0 where both reliabilities are as high as can be."""
    return 0.0 if not effect.any() else z_of(effect)


def interval(stack: Floats) -> dict[str, float]:
    """Estimate and 95 % interval of a stack as plain values."""
    low, high = limits(stack)
    return {"estimate": float(stack[0]), "low": low, "high": high}


def said(facts: dict[str, float]) -> str:
    """An estimate with its interval, as in ".35 [.28, .41]"."""
    return f"{facts['estimate']:.2f} [{facts['low']:.2f}, {facts['high']:.2f}]"


def _no_pairs(case: Case) -> str:
    """Why people cannot be compared with each other; "" if they can."""
    if (case.people[LOW] >= 0).any(axis=0).sum() < PAIR:
        return "one reference rater only"
    for c in (LOW, HIGH):
        name, cells = case.scales[c].name, pairs_of(case.people[c], case.scales[c].k)
        if not cells.any():
            return f"no item has the labels of two people on {name}"
        if (cells.sum(axis=0).reshape(case.scales[c].k, -1).sum(axis=0) > 0).sum() < PAIR:
            return f"on the items they share, people gave one category only on {name}"
    return ""


def _paired(case: Case, construct: int) -> Any:
    return (case.people[construct] >= 0).sum(axis=1) >= PAIR


def _people(case: Case, construct: int) -> Floats:
    """Tables of people with each other, both orders."""
    k = case.scales[construct].k
    return smoothed(case, pairs_of(case.people[construct], k), k)


def _judge_with_people(case: Case) -> Floats:
    """Kappa of the judge with the people, low construct, on the items that two of them share."""
    paired = _paired(case, LOW)[:, None]
    everyone = shares(case.people[LOW], case.scales[LOW].k) * paired
    return case.kappa(LOW, case.tables(everyone, case.judged(LOW)))


def _against_majority(case: Case) -> dict[str, Any]:
    """Kappa of the judge, and of each person, with the majority of the other people (low)."""
    codes, k = case.people[LOW], case.scales[LOW].k
    if (codes >= 0).any(axis=0).sum() < MAJORITY:
        return {"why_not": "fewer than four people: of three, the two that remain may tie"}
    counts = (codes[:, :, None] == np.arange(k)).sum(axis=1)
    item, person = np.nonzero(codes >= 0)
    own = codes[item, person]
    others = counts[item] - (own[:, None] == np.arange(k))
    most = others.max(axis=1)
    clear = ((others == most[:, None]).sum(axis=1) == 1) & (others.sum(axis=1) >= MAJORITY - 1)
    if not clear.any():
        return {"why_not": "no item with a clear majority of three other people"}
    item, own, majority = item[clear], own[clear], others[clear].argmax(axis=1)
    weight = 1 / np.bincount(item, minlength=case.n)[item]
    judge, people = (
        case.kappa(LOW, smoothed(case, _cells(case.n, k, item, majority, codes, weight), k))
        for codes in (case.judge[LOW][item], own)
    )
    return {
        "judge": interval(judge),
        "people": interval(people),
        "difference": interval(judge - people),
        "items": len(np.unique(item)),
    }


def _cells(n: int, k: int, item: Codes, rows: Codes, columns: Codes, weight: Floats) -> Floats:
    """Weights summed per item and cell, (n, k * k)."""
    flat = item * k * k + rows * k + columns
    summed = np.bincount(flat, weights=weight, minlength=n * k * k).astype(np.float64)
    return summed.reshape(n, k * k)


def _by_another_judge(case: Case, why: str) -> Measure:
    """With one person only: another judge that agrees with the person shows it can be done."""
    witness = _refuting(case)
    if witness is None:
        return Measure(CAUSE, untestable=why)
    effect = witness.high - witness.low
    nan = float("nan")
    return Measure(
        CAUSE,
        "latent correlation of another judge with the person, high construct minus low construct",
        effect=effect,
        tests={
            "z": nan,
            "rel_low": nan,
            "rel_high": nan,
            "raters": 1.0,
            "paired_items": 0.0,
            "judge_refutes": 1.0,
        },
        facts={
            "other_low": interval(witness.low),
            "other_high": interval(witness.high),
            "judge_low": interval(witness.judge_low),
        },
        n=case.n,
        witness=witness.name,
    )


def _refuting(case: Case) -> Witness | None:
    """The other judge that refutes a ceiling most clearly; None if none does.

    The reverse proves nothing: two judges may share a misreading.
    """
    best, found = BETTER, None
    for v, name in enumerate(case.names.judges):
        low, high = (_with_person(case, c, case.judges[c][:, v]) for c in (LOW, HIGH))
        own = _with_person(case, LOW, np.where(case.judges[LOW][:, v] >= 0, case.judge[LOW], -1))
        if not np.isfinite(low[0] * high[0] * own[0]):
            continue
        z = z_of(low - own)
        if z > best and low[0] > NEAR * max(high[0], case.rho(HIGH)[0]):
            best, found = z, Witness(name, low, high, own)
    return found


def _with_person(case: Case, construct: int, codes: Codes) -> Floats:
    """Correlation of a judge's codes with the reference; nan where it has none."""
    if len(np.unique(codes[codes >= 0])) < PAIR:
        return np.full(1 + case.replicates, np.nan)
    other = indicators(codes, case.scales[construct].k)
    return correlation(case, construct, case.tables(case.referred(construct), other))
