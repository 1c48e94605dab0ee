"""A plan in which constructs cost differently to read, and are read on a part of the items."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from toolkit.coefficients.weights import Floats
from toolkit.common.hints import did_you_mean
from toolkit.errors import PlanError
from toolkit.planning.allocation import least_cost
from toolkit.planning.design import READ
from toolkit.planning.integer import certificate
from toolkit.planning.plan import Plan
from toolkit.planning.question import Question
from toolkit.planning.reading import least_reading_cost, spend, use, whole_readings
from toolkit.planning.reading_assurance import assured_readings
from toolkit.planning.warned import warnings

EVERY, PART = "people label every drawn item on every construct", "people label the drawn items"


def reading_prices(targets: Mapping[str, float], cost: Any) -> Floats:
    """Price of a reading of each target's construct, (C,); 0 where none is named."""
    example = "reading_cost={'escalation': 1, 'self_harm': .2}"
    if not isinstance(cost, Mapping) or not cost:
        raise PlanError(
            "reading costs are numbers by construct",
            got=cost,
            example=example,
            where="reading_cost",
        )
    for name, price in cost.items():
        if name not in targets:
            raise PlanError(
                f"a reading cost of a construct without target{did_you_mean(name, targets)}",
                got=name,
                allowed=f"{', '.join(targets)}; others are not read",
                where="reading_cost",
            )
        number = isinstance(price, int | float | np.number) and not isinstance(price, bool)
        if not number or not 0 <= price < np.inf:
            raise PlanError(
                "no reading cost",
                got=price,
                allowed="0 or more",
                example=example,
                where=f"reading_cost, {name}",
            )
    return np.array([float(cost.get(name, 0)) for name in targets])


def plan_of_readings(
    ask: Question, targets: dict[str, float], price: Floats, assurance: float | None = None
) -> Plan:
    """Cheapest items and readings for the targets; constructs without target are not read."""
    st, problem = ask.st, ask.problem(targets)
    optimum = least_reading_cost(problem, price)
    reads, chance = whole_readings(problem, price, optimum), float("nan")
    sure: tuple[str, ...] = ()
    if assurance is not None:
        cheapest = spend(problem, price, reads)
        reads, chance = assured_readings(
            problem, price, ask.simulated(targets), assurance, ask.seed
        )
        text = (
            f"Made dearer from a cost of {cheapest:,.5g}, so that the default intervals of all "
            f"constructs are within their targets with a chance of {chance:.3f}, by simulation "
            "from the pilot's shares"
        )
        sure = (text,)
    n = reads.max(1)
    made = ask.plan("targets", targets, n)
    cost = spend(problem, price, reads)
    whole = bool((price == price.round()).all())
    least = certificate(st.cost, optimum.bound) if whole else optimum.bound
    columns = {READ + name: reads[:, c].astype(int) for c, name in enumerate(targets)}
    widths = _half_widths(ask, targets, n, reads)
    everywhere = replace(problem, cost=problem.cost + price.sum())
    average = "" if assurance is None else ", met on average"
    said = (
        "Constructs are read on a part of the items, drawn at random within strata: "
        + ", ".join(f"{name} on {reads[:, c].sum():,.0f}" for c, name in enumerate(targets))
        + f" of {n.sum():,.0f}. To read them on every item would cost "
        f"{least_cost(everywhere).bound:,.5g} or more{average}; the other designs of the "
        "comparison do that"
    )
    return replace(
        made,
        allocation=made.allocation.assign(**columns),
        cost=cost,
        lower_bound=optimum.bound,
        certificate=least,
        gap=cost - least,
        half_width=widths,
        warnings=warnings(st, ask.pilot, n, widths, targets),
        worst_ratio=float(np.sqrt(max(use(problem, reads).max(), 0))),
        shadow_price=ask.shadow_price(problem, optimum, list(targets), price),
        assurance=assurance,
        assured=chance,
        assumptions=(*(text.replace(EVERY, PART) for text in made.assumptions), *sure, said),
        sha256=hashlib.sha256(json.dumps([made.sha256, reads.tolist()]).encode()).hexdigest(),
    )


def _half_widths(ask: Question, targets: dict[str, float], n: Floats, reads: Floats) -> Any:
    """Planned half-widths with their band; nan for a construct that is not read."""
    every = np.repeat(n[:, None], len(ask.st.constructs), axis=1)
    for c, name in enumerate(targets):
        every[:, ask.st.constructs.index(name)] = reads[:, c]
    frame = ask.half_width(every, targets)
    frame.loc[~frame["construct"].isin(targets), ["planned", "low", "high"]] = np.nan
    return frame
