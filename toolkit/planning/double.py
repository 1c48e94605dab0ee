"""A share of the drawn items for a second person: how well people agree bounds what a judge can."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.coefficients.weights import Floats
from toolkit.errors import PlanError
from toolkit.planning.influence import moments
from toolkit.planning.integer import certificate
from toolkit.planning.model import LEAST, Estimand, Model
from toolkit.planning.pilot import expected_shares, posterior
from toolkit.planning.plan import Plan

EXAMPLE = "plan_for_targets(strata, pilot, targets, double=.2, people=.8)"


def checked_share(double: Any, people: Any) -> tuple[float, float]:
    """Share of the items, and the kappa that is expected between two people."""
    for name, value, most in (("double", double, 1), ("people", people, 1)):
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not number or not 0 < value <= most:
            raise PlanError(
                "no share of doubly labelled items" if name == "double" else "no kappa of people",
                got=value,
                allowed="above 0, at most 1",
                example=EXAMPLE,
                where=name,
            )
    return float(double), float(people)


def doubled(plan: Plan, double: float, people: float) -> Plan:
    """Add a second reading of a share of every stratum's items to a plan.

    Its cost is in proportion to the plan's, so the allocation stays the best one for the targets,
    and the bound grows by the same share.
    """
    st, n = plan.strata, plan.allocation["n"].to_numpy(dtype=float)
    second = np.minimum(np.maximum(np.ceil(double * n - 1e-9), LEAST), n)
    cost = float(st.cost @ (n + second))
    bound = plan.lower_bound * (1 + double)
    least = certificate(st.cost, bound)
    said = (
        f"A second person labels {second.sum():,.0f} of the items, drawn at random within strata. "
        f"The half-width of people's kappa is for a kappa of {people:g} between two people who use "
        "the categories equally often; no target is set for it"
    )
    told = json.dumps([plan.sha256, second.tolist()])
    return replace(
        plan,
        allocation=plan.allocation.assign(second=second.astype(int)),
        cost=cost,
        lower_bound=bound,
        certificate=least,
        gap=cost - least,
        people=_people(plan, second, people),
        assumptions=(*plan.assumptions, said),
        sha256=hashlib.sha256(told.encode()).hexdigest(),
    )


def _people(plan: Plan, second: Floats, people: float) -> pd.DataFrame:
    """Kappa that is expected between two people, and half of its interval's width."""
    st, rows = plan.strata, []
    estimand: Estimand = "pool" if plan.estimand == "pool" else "deployment"
    for c, name in enumerate(st.constructs):
        shares = expected_shares(st, posterior(st, plan.pilot, c)[0], c).sum(2)
        weights = plan.weights[name]
        tables = two_people(shares, st.sizes.astype(float), people, weights)
        made = moments(st.sizes, tables, weights)
        model = Model(st.sizes.astype(float), (made,), estimand, plan.level)
        rows.append((name, float(made.kappa), float(model.half_widths(second)[0])))
    return pd.DataFrame(rows, columns=["construct", "kappa", "half_width"])


def two_people(shares: Floats, sizes: Floats, people: float, weights: Any) -> Floats:
    """Joint shares (H, k, k) of two people whose kappa in the pool is `people`.

    Within a stratum the second gives the first one's label with a chance g, and else labels as
    anyone does there. Kappa of the pool is linear in g. It is not below the one of g = 0, which is
    what the strata alone make people agree on.
    """
    same = np.eye(shares.shape[1]) * shares[:, :, None]
    apart = shares[:, :, None] * shares[:, None, :]
    portion = sizes / sizes.sum()
    least = float(cohen_kappa(np.einsum("h,hij->ij", portion, apart), weights))
    g = np.clip((people - least) / (1 - least), 0, 1) if least < 1 else 1.0
    return np.asarray(g * same + (1 - g) * apart)
