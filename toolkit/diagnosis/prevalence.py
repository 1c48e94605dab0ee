"""Prevalence: the low construct is rarer, and rarity alone lowers kappa.

Two what-ifs give the high construct the people's margins of the low one: with the judge's rows
P(judge | people) kept (sensitivity and specificity), and with cuts and latent correlation kept.
They disagree where the judge differs for other reasons; prevalence is named only when both agree.
Vach 2005, J. Clinical Epidemiology 58:655, doi:10.1016/j.jclinepi.2004.02.021 (rows move with the
case mix); Spitznagel and Helzer 1985, doi:10.1001/archpsyc.1985.01790300093012.

The high construct is demoted and not the low one promoted: at 4 % positives a few wrong positives
of the people make the judge's rows look bad although the judge is the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.diagnosis import latent
from toolkit.diagnosis.case import HIGH, LOW, Case, Floats, limits, z_of
from toolkit.diagnosis.measure import Measure
from toolkit.diagnosis.raking import rake
from toolkit.diagnosis.threshold_shift import constant, shift_of

NEXT = (
    "Label more items in which the construct is likely to be present (plan them by the judge's "
    "label) and weigh them back; until then read sensitivity and specificity beside kappa."
)
SPREAD = 0.8  # the low construct has less spread when its variance is below this share


def measure(case: Case) -> Measure:
    """Measure the spread of the people's labels, and kappa at the high construct's spread."""
    low, high = case.scales[:2]
    if low.k != high.k or low.ordered != high.ordered:
        return Measure("prevalence", untestable="the two constructs have different categories")
    reason = constant(case, LOW) or constant(case, HIGH)
    if reason:
        return Measure("prevalence", untestable=reason)
    tables = [case.table(side) for side in (LOW, HIGH)]
    people = [(t / t.sum(axis=(1, 2), keepdims=True)).sum(axis=2) for t in tables]
    spread = [_variance(p, ordered=low.ordered) for p in people]
    by_rows = _by_rows(tables[HIGH], people, high.weights)
    by_scale = (_by_cuts if low.ordered else _by_raking)(tables[HIGH], people, high.weights)
    rarer = spread[LOW][0] < SPREAD * spread[HIGH][0]
    larger = by_rows if (by_rows[0] > by_scale[0]) == rarer else by_scale
    smaller = by_scale if larger is by_rows else by_rows
    return Measure(
        "prevalence",
        compared="variance of the people's labels: high construct minus low construct",
        effect=spread[HIGH] - spread[LOW],
        undone=case.kappa(LOW) + larger,
        tests={
            "z": z_of(spread[HIGH] - spread[LOW]),
            "spread_ratio": float(spread[LOW][0] / spread[HIGH][0]),
            "smaller": float(smaller[0]),
        },
        facts={
            **_facts(case),
            "by_rows": float(by_rows[0]),
            "by_scale": float(by_scale[0]),
            "limits_by_rows": limits(by_rows),
            "limits_by_scale": limits(by_scale),
        },
        n=case.n,
    )


def sentence(found: Measure, case: Case) -> str:
    """Say how rare both are, and what the two what-ifs give."""
    low, high = (scale.name for scale in case.scales[:2])
    facts = found.facts
    weighted = "Weighted, " if facts["weighted"] else ""
    return (
        f"{weighted}{100 * facts['shares'][LOW]:.1f} % of the people's labels of {low} "
        f"({facts['counts'][LOW]:.0f} calls) and {100 * facts['shares'][HIGH]:.1f} % of those of "
        f"{high} ({facts['counts'][HIGH]:.0f}) lie outside the commonest category. With the "
        f"people's margins of {low}, kappa of {high} would fall by {facts['by_rows']:.2f} (judge's "
        f"rates kept) or by {facts['by_scale']:.2f} (latent correlation kept)."
    )


def _by_rows(table: Floats, people: list[Floats], weights: Floats) -> Floats:
    rows = table / table.sum(axis=2, keepdims=True)
    at = [np.asarray(cohen_kappa(p[:, :, None] * rows, weights)) for p in people]
    return at[HIGH] - at[LOW]


def _by_cuts(table: Floats, people: list[Floats], weights: Floats) -> Floats:
    rho, shift = latent.rho_of(table), shift_of(table)[:, None]
    cuts = [latent.cuts_of(p) for p in people]
    at = [np.asarray(cohen_kappa(latent.table_of(t, t - shift, rho), weights)) for t in cuts]
    return at[HIGH] - at[LOW]


def _by_raking(table: Floats, people: list[Floats], weights: Floats) -> Floats:
    """Unordered categories: odds ratios kept, and the judge's margin moved like the people's."""
    judge = table.sum(axis=1) / table.sum(axis=(1, 2))[:, None]
    moved = judge / np.maximum(people[HIGH], 1e-9) * people[LOW]
    moved = moved / moved.sum(axis=1, keepdims=True)
    as_is = np.asarray(cohen_kappa(table, weights))
    return as_is - np.asarray(cohen_kappa(rake(table, people[LOW], moved), weights))


def _variance(shares: Floats, *, ordered: bool) -> Floats:
    """Variance of category numbers, or the Gini index of unordered categories."""
    if not ordered:
        return np.asarray(1 - (shares**2).sum(axis=1))
    steps = np.arange(shares.shape[1])
    return np.asarray(shares @ steps**2 - (shares @ steps) ** 2)


def _facts(case: Case) -> dict[str, Any]:
    referred = [case.referred(side) for side in (LOW, HIGH)]
    margins = [each.T @ case.weight / case.weight.sum() for each in referred]
    rare = [np.arange(margin.size) != margin.argmax() for margin in margins]
    facts: dict[str, Any] = {
        "shares": [float(m[r].sum()) for m, r in zip(margins, rare, strict=True)],
        "counts": [float(e[:, r].sum()) for e, r in zip(referred, rare, strict=True)],
        "weighted": bool(np.ptp(case.weight) > 0),
    }
    if case.scales[LOW].k == 2:  # noqa: PLR2004
        for side, name in ((LOW, "low"), (HIGH, "high")):
            rows = case.table(side)[0]
            facts[f"specificity_{name}"] = float(rows[0, 0] / rows[0].sum())
            facts[f"sensitivity_{name}"] = float(rows[1, 1] / rows[1].sum())
    return facts
