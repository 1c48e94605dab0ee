"""What was asked of the planner, checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from toolkit.coefficients.from_labels import order_flags
from toolkit.coefficients.kappa import refuse_undeclared_order
from toolkit.coefficients.options import resampling
from toolkit.coefficients.weights import Floats, agreement_weights
from toolkit.common.hints import did_you_mean
from toolkit.errors import PlanError
from toolkit.planning.model import Estimand, Model
from toolkit.planning.pilot import Pilot
from toolkit.planning.strata_result import Strata

EXAMPLE = "targets={'escalation': .10, 'self_harm': .05}"
ESTIMANDS = ("pool", "deployment")


def checked_strata(st: Any) -> Strata:
    """Refuse what is no strata."""
    if not isinstance(st, Strata):
        raise PlanError(
            "no strata",
            got=type(st).__name__,
            allowed="what tk.strata gives",
            example="tk.plan_for_targets(tk.strata(pool, ['escalation']), pilot, "
            "{'escalation': .10})",
            where="strata",
        )
    return st


def checked_targets(st: Strata, pilot: Pilot, targets: Any) -> dict[str, float]:
    """Half-widths above 0 and below 1, of constructs that judge and people labelled."""
    if not isinstance(targets, Mapping) or not targets:
        raise PlanError(
            "targets are half-widths by construct", got=targets, example=EXAMPLE, where="targets"
        )
    found: dict[str, float] = {}
    for name, width in targets.items():
        if name not in st.constructs:
            raise PlanError(
                f"unknown construct{did_you_mean(name, st.constructs)}",
                got=name,
                allowed=st.constructs,
                where="targets",
            )
        number = isinstance(width, int | float | np.number) and not isinstance(width, bool)
        if number and width == 0:
            raise PlanError(
                f"a half-width of 0 needs people's labels on all {st.total:,} items, "
                "and then nothing is estimated",
                got=width,
                allowed="above 0 and below 1",
                example=EXAMPLE,
                where=f"targets, {name}",
            )
        if not number or not 0 < width < 1:
            raise PlanError(
                "no half-width",
                got=width,
                allowed="above 0 and below 1",
                example=EXAMPLE,
                where=f"targets, {name}",
            )
        _refuse_constant(st, pilot, name)
        found[str(name)] = float(width)
    return found


def default_targets(st: Strata, pilot: Pilot) -> dict[str, float]:
    """Same width for all constructs that can be planned: the widest is made narrow."""
    able = [
        name
        for c, name in enumerate(st.constructs)
        if pilot.labels(c) and not constant_judge(st, name)
    ]
    if not able:
        raise PlanError(
            "no construct can be planned: each has a constant judge or no label by people",
            got=st.constructs,
            where="pilot",
        )
    return dict.fromkeys(able, 1.0)


def constant_judge(st: Strata, name: str) -> bool:
    """Whether the judge gave all items of the pool one label."""
    return bool((st.sizes @ st.mix[st.constructs.index(name)] > 0).sum() == 1)


def _refuse_constant(st: Strata, pilot: Pilot, name: str) -> None:
    if constant_judge(st, name):
        raise PlanError(
            f"the judge gave every item the same label on {name!r}: kappa is 0 whatever people say",
            got=name,
            allowed=[other for other in st.constructs if not constant_judge(st, other)],
            where="targets",
        )
    if not pilot.labels(st.constructs.index(name)):
        raise PlanError(
            f"the pilot has no label by people on {name!r}",
            got=name,
            allowed=[other for c, other in enumerate(st.constructs) if pilot.labels(c)],
            example=f"labels on {name!r} in the pilot, or a target for another construct",
            where="pilot",
        )


def checked_options(estimand: Any, level: Any, draws: Any, seed: Any) -> Estimand:
    """Estimand by name; level, draws and seed as everywhere."""
    resampling("jeffreys", level, draws, seed)
    if estimand not in ESTIMANDS:
        raise PlanError("unknown estimand", got=estimand, allowed=ESTIMANDS, where="estimand")
    return "pool" if estimand == "pool" else "deployment"


def checked_assurance(assurance: Any) -> float:
    """Give a chance below 1: no sample of a part is certain."""
    if isinstance(assurance, bool) or not isinstance(assurance, float) or not 0 < assurance < 1:
        raise PlanError(
            "assurance is no chance",
            got=assurance,
            allowed="above 0 and below 1",
            example="assurance=.9",
            where="assurance",
        )
    return assurance


def checked_weights(st: Strata, weights: Any) -> dict[str, Any]:
    """Agreement weights of every construct, by name; "schema" is quadratic for ordinal ones."""
    found: dict[str, Any] = {}
    for name in st.constructs:
        construct = st.schema[name]
        each = weights.get(name) if isinstance(weights, Mapping) else weights
        if isinstance(each, str) and each == "schema":
            each = "quadratic" if construct.kind == "ordinal" else None
        refuse_undeclared_order(order_flags(construct), each, construct.k)
        agreement_weights(each, construct.k)
        found[name] = each
    return found


def checked_budget(budget: Any, cost: Floats, least: Floats) -> float:
    """Refuse a budget that does not even pay the floors."""
    number = isinstance(budget, int | float | np.number) and not isinstance(budget, bool)
    floor = float(cost @ least)
    if not number or not math.isfinite(budget) or budget < floor:
        raise PlanError(
            "the budget is below the least sample of the strata"
            if number and math.isfinite(budget)
            else "no budget",
            got=budget,
            allowed=f"{floor:,.6g} or more: 2 labels in each stratum, and the floor where the "
            "judge flagged nothing; fewer strata or a lower floor (tk.strata) need less",
            where="budget",
        )
    return float(budget)


def refuse_unreachable(model: Model, chosen: Sequence[int], targets: dict[str, float]) -> None:
    """Refuse targets that not even a census of the pool meets."""
    smallest = model.half_widths(model.sizes)[list(chosen)]
    out_of_reach = {
        name: float(width)
        for (name, target), width in zip(targets.items(), smallest, strict=True)
        if target <= width * (1 + 1e-9)
    }
    if out_of_reach:
        feasible = ", ".join(f"{name} above {width:.4f}" for name, width in out_of_reach.items())
        raise PlanError(
            f"with people's labels on all {model.sizes.sum():,.0f} items of the pool the interval "
            f"of kappa in {model.estimand} is still wider",
            got={name: targets[name] for name in out_of_reach},
            allowed=f"half-widths of {feasible}; or estimand='pool'; or a larger pool",
            where="targets",
        )
