"""Swapped constructs: the judge's labels of two constructs stand under each other's name.

Signature: crosswise correlations beat straight ones on both sides, r(judge A, people B) over
r(judge A, people A) and r(judge B, people A) over r(judge B, people B); in the words of Campbell
and Fiske (1959, Psychological Bulletin 56:81, doi:10.1037/h0046016) both convergent validities lie
below their heterotrait values. On one side alone it is a copied column or a halo, no swap.
Correlations, because kappa also moves with the other construct's margins.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from toolkit.diagnosis.case import LOW, Case, Floats, z_of
from toolkit.diagnosis.correlation import flat, moments
from toolkit.diagnosis.measure import Measure

NEXT = (
    "Check the order in which the constructs stand in the prompt, the reply and the parser, put "
    "the two back in place, and measure again."
)
ONE_SIDED = 3.0  # z of one side above it and of the other below 0: the column may be a copy


def measure(case: Case) -> Measure:
    """Measure both crosswise differences for the construct that fits a swap best."""
    name = "swapped_constructs"
    reason = "" if case.same_call else "the two constructs come from different judge calls"
    reason = reason or flat(case, LOW)
    if reason:
        return Measure(name, untestable=reason)
    own = case.scales[LOW]
    alike = [
        b
        for b, scale in enumerate(case.scales)
        if b != LOW and (scale.k, scale.ordered) == (own.k, own.ordered) and not flat(case, b)
    ]
    if not alike:
        return Measure(
            name, untestable=f"no other construct has varied labels of {own.k} categories"
        )
    r = _correlations(case, [LOW, *alike])
    straight, crossed = r[:, [0], 0], r[:, 1:, 0]  # of judge A; r[:, people, judge]
    here = crossed - straight
    there = r[:, 0, 1:] - np.diagonal(r, axis1=1, axis2=2)[:, 1:]
    z = np.array([[z_of(side[:, b]) for b in range(len(alike))] for side in (here, there)])
    z = np.nan_to_num(z, nan=0.0)
    best = int(z.min(axis=0).argmax())
    partner = alike[best]
    z_min = float(z[:, best].min())
    one_sided = np.where((z.min(axis=0) < 0) & (z_min < 0), z.max(axis=0), 0)
    crossing = case.scales[alike[int(one_sided.argmax())]].name
    swapped = case.tables(case.referred(LOW), case.judged(partner))
    return Measure(
        name,
        compared="smaller of the two leads of the crosswise correlation over the straight one",
        effect=np.minimum(here[:, best], there[:, best]),
        undone=case.kappa(LOW, swapped),
        tests={"z_min": z_min, "partners": float(len(alike))},
        facts={
            "partner": case.scales[partner].name,
            "r_low_low": float(r[0, 0, 0]),
            "r_low_partner": float(r[0, best + 1, 0]),
            "r_partner_low": float(r[0, 0, best + 1]),
            "r_partner_partner": float(r[0, best + 1, best + 1]),
            "copied": crossing if one_sided.max() > ONE_SIDED else "",
            "kappa": float(case.kappa(LOW)[0]),
            "kappa_swapped": float(case.kappa(LOW, swapped[:1])[0]),
        },
        n=int((case.judge[partner] >= 0).sum()),
    )


def undo(case: Case, found: Measure) -> Case:
    """Give the case with the two columns of the judge exchanged, on calls that have both."""
    names = [scale.name for scale in case.scales]
    partner = names.index(found.facts["partner"])
    order = np.arange(case.c)
    order[[LOW, partner]] = partner, LOW
    changed = replace(case, judge=case.judge[order], again=case.again[order])
    return changed.part(changed.judge[LOW] >= 0)


def sentence(found: Measure, case: Case) -> str:
    """Say what was found."""
    low, partner = case.scales[LOW].name, found.facts["partner"]
    facts = found.facts
    side = ""
    if facts["copied"]:
        side = f" Only one side crosses over with {facts['copied']}: a copy or a halo, no swap."
    return (
        f"The judge's {low} correlates {facts['r_low_low']:.2f} with people's {low} and "
        f"{facts['r_low_partner']:.2f} with their {partner}; its {partner} correlates "
        f"{facts['r_partner_partner']:.2f} with people's {partner} and "
        f"{facts['r_partner_low']:.2f} with their {low}.{side}"
    )


def _correlations(case: Case, constructs: list[int]) -> Floats:
    """Agreement of people's and the judge's columns, (1 + replicates, people, judge).

    Pearson's correlation where categories have an order, else kappa.
    """
    people = [case.referred(c) for c in constructs]
    judge = [case.judged(c) for c in constructs]
    c = len(constructs)
    if case.scales[LOW].ordered:
        first, second = (place.ravel() for place in np.indices((c, c)))
        r = moments(case, [*people, *judge], (first, second + c)).pearson()
        return r.reshape(-1, c, c)
    pairs = [[case.kappa(LOW, case.tables(h, j)) for j in judge] for h in people]
    return np.moveaxis(np.array(pairs), 2, 0)
