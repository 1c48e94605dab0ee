"""Threshold shift: judge and people cut the same scale at different places, so one flags more.

The cuts come from the margins; undone, the judge cuts where the people cut and is as noisy as
before. Whose cut is wrong can't be seen: only the difference is identified.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.coefficients.descriptive import kappa_max
from toolkit.coefficients.margins import mcnemar, stuart_maxwell
from toolkit.coefficients.weights import agreement_weights
from toolkit.diagnosis import latent
from toolkit.diagnosis.case import HIGH, LOW, Case, Floats, limits, z_of
from toolkit.diagnosis.measure import Measure
from toolkit.diagnosis.raking import rake
from toolkit.diagnosis.recoding import recoding_gain

NEXT = (
    "Settle with the people where the cut lies, write it into the definition with an example on "
    "either side, and give the judge the same words."
)


def measure(case: Case) -> Measure:
    """Measure how far the judge's cuts lie from the people's, and kappa with equal cuts."""
    table, scale = case.table(LOW), case.scales[LOW]
    people, judge = table.sum(axis=2), table.sum(axis=1)
    if constant(case, LOW):
        return Measure("threshold_shift", untestable=constant(case, LOW))
    if not scale.ordered:
        return _nominal(case)
    effect = shift_of(table)
    t_people, t_judge = latent.cuts_of(people), latent.cuts_of(judge)
    rho = case.rho(LOW)
    weights = scale.weights
    matched = cohen_kappa(latent.table_of(t_people, t_people, rho), weights)
    as_is = cohen_kappa(latent.table_of(t_people, t_judge, rho), weights)
    return Measure(
        "threshold_shift",
        compared="mean cut of the people minus mean cut of the judge, on the latent scale",
        effect=effect,
        undone=np.asarray(case.kappa(LOW) + matched - as_is),
        tests={"z": z_of(effect), "z_over_high": _over_high(case, effect)},
        facts={**_facts(case), **recoding_gain(case, LOW)},
        n=case.n,
    )


def sentence(found: Measure, case: Case) -> str:
    """Say who flags more, and what agreement the margins allow."""
    facts, name = found.facts, case.scales[LOW].name
    judge, people = facts["mean_judge"], facts["mean_people"]
    if case.scales[LOW].k == 2:  # noqa: PLR2004
        judge, people = facts["upper_judge"], facts["upper_people"]
        words = (
            f"On {name} the judge gives the upper category in {100 * judge:.0f} % of the calls, "
            f"the people in {100 * people:.0f} %"
        )
    elif case.scales[LOW].ordered:
        counted = "" if case.scales[LOW].values else ", counted from 1"
        words = f"On {name} the judge's mean is {judge:.2f}, the people's {people:.2f}{counted}"
    else:
        words = f"On {name} the judge uses the categories in other shares than the people"
    most = facts["kappa_max"]
    limit = "" if math.isnan(most) else f"; with these margins kappa can reach {most:.2f} at most"
    return f"{words}{limit}. Labels can't tell whose cut is the right one."


def shift_of(table: Floats) -> Floats:
    """Mean cut of the people (rows) minus mean cut of the judge (columns), as a stack."""
    people, judge = (latent.cuts_of(table.sum(axis=axis)) for axis in (2, 1))
    return np.asarray((people - judge).mean(axis=-1))


def _over_high(case: Case, effect: Floats) -> float:
    """Z of how much larger the shift of the low construct is; inf where there is none to match."""
    if not case.scales[HIGH].ordered or constant(case, HIGH):
        return float("inf")
    return z_of(np.abs(effect) - np.abs(shift_of(case.table(HIGH))))


def _nominal(case: Case) -> Measure:
    """Unordered categories: total variation between the margins; undone by raking to equal ones."""
    table, weights = case.table(LOW), case.scales[LOW].weights
    shares = table / table.sum(axis=(1, 2), keepdims=True)
    people, judge = shares.sum(axis=2), shares.sum(axis=1)
    direction = np.sign(people[0] - judge[0])
    effect = (people - judge) @ direction / 2
    return Measure(
        "threshold_shift",
        compared="share of the calls by which the margins of judge and people differ",
        effect=np.asarray(effect),
        undone=np.asarray(cohen_kappa(rake(shares, people, people), weights)),
        tests={"z": z_of(effect), "z_over_high": float("inf")},
        facts=_facts(case),
        n=case.n,
    )


def _facts(case: Case) -> dict[str, Any]:
    plain = case.tables(case.referred(LOW), case.judged(LOW), smooth=False)[0]
    steps = np.array(case.scales[LOW].values or range(1, len(plain) + 1))
    total = plain.sum()
    whole = np.round(plain)
    test = mcnemar(whole) if len(plain) == 2 else stuart_maxwell(whole)  # noqa: PLR2004
    own = case.scales[LOW].weights
    quadratic = np.array_equal(own, agreement_weights("quadratic", len(own)))
    weights = None if np.array_equal(own, np.eye(len(own))) else "quadratic" if quadratic else own
    return {
        "mean_people": float(plain.sum(axis=1) @ steps / total),
        "mean_judge": float(plain.sum(axis=0) @ steps / total),
        "upper_people": float(plain[-1].sum() / total),
        "upper_judge": float(plain[:, -1].sum() / total),
        "kappa_max": float(kappa_max(plain, weights)),
        "judge_above": float(np.triu(plain, 1).sum()),
        "judge_below": float(np.tril(plain, -1).sum()),
        "margin_test": test.method,
        "margin_p": test.p_value,
        "limits_cut": limits(shift_of(case.table(LOW))),
    }


def constant(case: Case, construct: int) -> str:
    """Why there is no cut to find."""
    name = case.scales[construct].name
    people, judge = case.referred(construct), case.judge[construct]
    if (judge == judge[0]).all():
        return f"the judge gave one category to all calls on {name}"
    if ((people > 0).any(axis=0)).sum() < 2:  # noqa: PLR2004
        return f"the people gave one category to all calls on {name}"
    return ""
