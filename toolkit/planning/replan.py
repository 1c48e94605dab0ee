"""After a wave of labels: what is known now, what is still missing, and the next wave."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.coefficients.weights import Floats
from toolkit.errors import PlanError
from toolkit.labels.roles import refuse_other_tables, resolve_roles
from toolkit.labels.table import Labels
from toolkit.planning.allocation import Problem, least_cost
from toolkit.planning.design import JUDGE_COLUMN, READ, Design, read_design
from toolkit.planning.draw import labelled_pool_sha256
from toolkit.planning.integer import whole_labels
from toolkit.planning.matching import JUDGE
from toolkit.planning.model import least_labels
from toolkit.planning.pilot import read_pilot
from toolkit.planning.plan import Plan
from toolkit.planning.question import Question
from toolkit.planning.replan_result import LOOKS, Replan
from toolkit.planning.request import refuse_unreachable
from toolkit.planning.strata_result import Strata
from toolkit.planning.weighted import WeightedKappa, weighted_of_design

DRAWS_OF_MODEL = 1_000  # of a band that is not shown here


def replan(
    plan: Plan | Replan,
    labels: Labels,
    *,
    designs: Any = None,
    targets: Mapping[str, float] | None = None,
    judge: str | None = None,
    reference: str | Sequence[str] | None = None,
    draws: int = 20_000,
    seed: int = 0,
) -> Replan:
    """Estimate from the labels of all waves, and plan the next one.

    Parameters
    ----------
    plan : Plan or Replan
        The plan whose items were labelled, or the result of the last look.
    labels : Labels
        People's labels of all waves together.
    designs : DataFrame, path, or a list of these, optional
        The batches of all waves. Without them every item of the pool that people labelled is taken
        as drawn by `draw`, flag ``labels_taken_as_drawn``: leave out labels that came otherwise.
    targets : mapping of str to float, optional
        Half-widths; default those of the plan, or the planned ones of a plan for a budget.
    judge, reference : optional
        As in `agreement`; without a judge among the labels, the one that made the strata.
    draws, seed : int
        Of the intervals.

    Returns
    -------
    Replan
        With the pooled estimates, what each construct lacks, and the next wave for `draw`.

    Raises
    ------
    PlanError
        If the designs are of another pool, no item of the pool is labelled, or a target can't be
        reached.

    Notes
    -----
    Waves drawn without replacement from the same strata make one stratified sample: inclusion
    probabilities are those of all waves together. The variance of the plan is set to the realised
    width of each construct's default interval, then the cheapest total is sought at which all
    targets are met; what was read already is paid for. Allocating by what was seen costs a bias of
    the order of 1 / n.

    References
    ----------
    Chow and Robbins 1965, Annals of Mathematical Statistics 36:457, doi:10.1214/aoms/1177700156.

    Examples
    --------
    >>> import pandas as pd
    >>> import toolkit as tk
    >>> from toolkit import planning
    >>> pool = pd.DataFrame({"item_id": range(500), "tone": [0] * 400 + [1] * 100})
    >>> st = planning.strata(pool, ["tone"])
    >>> rows = [("tone=0", 0, 38), ("tone=0", 1, 2), ("tone=1", 0, 8), ("tone=1", 1, 12)]
    >>> counts = pd.DataFrame(rows, columns=["stratum", "label", "count"]).assign(construct="tone")
    >>> plan = planning.plan_for_targets(st, counts, {"tone": 0.15})
    >>> from toolkit.planning.draw import draw
    >>> batch = draw(plan, pool, seed=7)
    >>> read = batch[["item_id"]].assign(construct="tone", rater_id="ann", rater_kind="human")
    >>> read["label"] = [int(n % 3 > 0) * judge for n, judge in enumerate(batch["judge_tone"])]
    >>> labels = tk.read_labels(read, st.schema, overlap=False)
    >>> replan(plan, labels, designs=batch).met
    True
    """
    if not isinstance(plan, Plan | Replan):
        raise PlanError(
            "no plan", got=type(plan).__name__, allowed="a Plan or Replan", where="plan"
        )
    refuse_other_tables(labels)
    first = plan.plan if isinstance(plan, Replan) else plan
    if any(str(name).startswith(READ) for name in first.allocation):
        raise PlanError(
            "the next wave of a plan with reading costs is not planned",
            allowed="tk.weighted_kappa for estimates; a new plan with these labels as pilot",
            where="plan",
        )
    st = plan.strata
    wanted = _targets(plan, targets)
    design = _design(st, labels, designs, judge, reference)
    estimates = {
        name: weighted_of_design(
            labels,
            design,
            name,
            judge,
            reference,
            first.weights[name],
            estimand=first.estimand,
            level=first.level,
            draws=draws,
            seed=seed,
        )
        for name in st.constructs
        if name in wanted or name in labels.constructs
    }
    half = {name: (made.high - made.low) / 2 for name, made in estimates.items()}
    read = np.min([_read(estimates[name], st) for name in wanted], axis=0)
    met = {name: bool(half[name] <= target) for name, target in wanted.items()}
    inside = _people_drawn(labels, st, design)
    ask = Question(
        st,
        read_pilot(st, inside, reference),
        first.estimand,
        first.level,
        first.weights,
        first.seed,
        DRAWS_OF_MODEL,
    )
    problem = _problem(ask, st, wanted, half, read, design)
    n = np.zeros(len(st.names)) if all(met.values()) else _next(problem, read)
    lacking = {
        name: 0 if met[name] else round(float(_next(_alone(problem, c), read).sum()))
        for c, name in enumerate(wanted)
    }
    constructs = pd.DataFrame(
        [
            {
                "construct": name,
                "estimate": estimates[name].estimate,
                "low": estimates[name].low,
                "high": estimates[name].high,
                "half_width": half[name],
                "target": target,
                "met": met[name],
                "lacking": lacking[name],
                "reasons": ", ".join(estimates[name].reasons),
            }
            for name, target in wanted.items()
        ]
    )
    allocation = pd.DataFrame(
        {"stratum": st.names, "size": st.sizes, "read": read, "n": n.astype(np.int64)}
    )
    drawn = tuple(sorted({*map(str, design.items), *getattr(plan, "drawn", ())}))
    wave = plan.wave + 1 if isinstance(plan, Replan) else 2
    said = {"plan": plan.sha256, "drawn": drawn, "n": n.tolist(), "wave": wave}
    return Replan(
        constructs=constructs,
        allocation=allocation,
        total=int(n.sum()),
        estimates=estimates,
        looks=LOOKS,
        targets=wanted,
        wave=wave,
        drawn=drawn,
        sha256=hashlib.sha256(json.dumps(said).encode()).hexdigest(),
        plan=first,
        strata=st,
    )


def _targets(plan: Plan | Replan, targets: Mapping[str, float] | None) -> dict[str, float]:
    """Half-widths to reach; of a plan for a budget those that it promised."""
    if targets is None:
        if isinstance(plan, Replan) or plan.question == "targets":
            return dict(plan.targets)
        planned = plan.half_width.set_index("construct")["planned"]
        return {name: float(planned[name]) for name in plan.targets}
    unknown = [name for name in targets if name not in plan.strata.constructs]
    bad = [name for name, width in targets.items() if not 0 < width < 1]
    if unknown or bad or not targets:
        raise PlanError(
            "targets are half-widths above 0 and below 1, by construct",
            got=dict(targets),
            allowed=plan.strata.constructs,
            example="targets={'escalation': .10}",
            where="targets",
        )
    return {str(name): float(width) for name, width in targets.items()}


def _design(
    st: Strata,
    labels: Labels,
    designs: Any,
    judge: str | None,
    reference: str | Sequence[str] | None,
) -> Design:
    """Give all waves as one design, from their batches or from the strata of what was labelled."""
    if designs is not None:
        read = read_design(designs)
        if read.pools != {labelled_pool_sha256(st)}:
            raise PlanError(
                "the designs are not of the plan's pool",
                allowed="the frames that tk.draw gave for this plan",
                where="designs",
            )
        return read
    people = _people(labels, judge, reference)
    marked = np.isin(st.items.astype(str), people)
    where = np.flatnonzero(marked)
    values = {
        JUDGE_COLUMN + name: pd.Series(st.schema[name].categories).take(st.codes[where, c])
        for c, name in enumerate(st.constructs)
    }
    return Design(
        items=st.items[where],
        stratum=st.member[where],
        names=st.names,
        sizes=st.sizes,
        drawn=np.bincount(st.member[where], minlength=len(st.names)),
        judge=pd.DataFrame({name: value.to_numpy() for name, value in values.items()}),
        read={},
        flags=("labels_taken_as_drawn",),
    )


def _people(labels: Labels, judge: str | None, reference: Any) -> NDArray[np.object_]:
    """Items that the reference labelled."""
    raters = labels.raters
    if judge is None and not (raters["rater_kind"] == "judge").any() and reference is None:
        chosen = raters["rater_id"].tolist()
    else:
        chosen = list(resolve_roles(labels, judge, reference).reference)
    frame = labels.frame
    return np.asarray(
        frame.loc[frame["rater_id"].isin(chosen), "item_id"].unique(), dtype=object
    ).astype(str)


def _people_drawn(labels: Labels, st: Strata, design: Design) -> Labels:
    """Keep people's labels of drawn items, as a pilot is read."""
    frame = labels.frame
    kinds = frame["rater_kind"] if "rater_kind" in frame else pd.Series("human", frame.index)
    kept = frame["item_id"].isin(design.items) & (kinds != "judge") & (frame["rater_id"] != JUDGE)
    kept &= frame["construct"].isin(st.constructs)
    return replace(
        labels, frame=frame[kept].reset_index(drop=True), codes=labels.codes[kept.to_numpy()]
    )


def _read(made: WeightedKappa, st: Strata) -> NDArray[np.int64]:
    """Items of every stratum that have both labels."""
    return np.array([made.strata.get(name, {"labelled": 0})["labelled"] for name in st.names])


def _problem(
    ask: Question,
    st: Strata,
    wanted: dict[str, float],
    half: dict[str, float],
    read: NDArray[np.int64],
    design: Design,
) -> Problem:
    """Least cost of the widths: what was read is the least, the realised widths the guide."""
    chosen = [st.constructs.index(name) for name in wanted]
    model_half = ask.model.half_widths(np.maximum(read, 1).astype(float))[chosen]
    realised = np.array([half[name] for name in wanted])
    usable = np.isfinite(realised) & (model_half > 0) & (realised > 0)
    ratio = np.where(usable, realised / np.where(usable, model_half, 1), 1)
    aims = {name: target / r for (name, target), r in zip(wanted.items(), ratio, strict=True)}
    refuse_unreachable(ask.model, chosen, aims)
    drawn = dict(zip(design.names, design.drawn, strict=True))
    unread = np.array([drawn.get(name, 0) for name in st.names]) - read
    most = np.maximum(st.sizes - unread, read).astype(float)
    least = np.minimum(np.maximum(read, least_labels(st)), most)
    problem = ask.problem(aims)
    return replace(problem, least=np.asarray(least), most=np.asarray(most))


def _alone(problem: Problem, construct: int) -> Problem:
    only = [construct]
    return replace(
        problem,
        variance=problem.variance[:, only],
        fixed=problem.fixed[only],
        allowed=problem.allowed[only],
    )


def _next(problem: Problem, read: NDArray[np.int64]) -> Floats:
    """Labels beyond those that were read; all that are left where even these do not suffice."""
    if not problem.meets(problem.most):
        return np.asarray(problem.most - read)
    return np.asarray(whole_labels(problem, least_cost(problem)) - read)
