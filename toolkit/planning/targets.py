"""The two questions to the planner: the least labels for targets, the best widths for a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.weights import Floats
from toolkit.errors import PlanError
from toolkit.planning.allocation import least_cost
from toolkit.planning.budget import within_budget
from toolkit.planning.double import checked_share, doubled
from toolkit.planning.integer import whole_labels
from toolkit.planning.model import least_labels
from toolkit.planning.pilot import read_pilot
from toolkit.planning.plan import Plan
from toolkit.planning.question import Question
from toolkit.planning.reading_plan import plan_of_readings, reading_prices
from toolkit.planning.request import (
    checked_assurance,
    checked_budget,
    checked_strata,
    checked_targets,
    default_targets,
    refuse_unreachable,
)
from toolkit.planning.strata_result import Strata


def plan_for_targets(
    strata: Strata,
    pilot: Any,
    targets: Mapping[str, float],
    assurance: float | None = None,
    estimand: str = "pool",
    level: float = 0.95,
    weights: Any = None,
    seed: int = 0,
    *,
    reference: str | Sequence[str] | None = None,
    draws: int = 1_000,
    double: float | None = None,
    people: float = 0.8,
    reading_cost: Mapping[str, float] | None = None,
) -> Plan:
    r"""Find the least labels with which every construct's kappa reaches its half-width.

    Parameters
    ----------
    strata : Strata
        From `strata`.
    pilot : Labels or DataFrame
        People's labels on items of the pool; or counts with the columns stratum, construct, label,
        count (and judge_label for merged strata).
    targets : mapping of str to float
        Half of the two-sided interval's width, per construct; others are only reported.
    assurance : float, optional
        Chance with which the realised intervals shall be within all targets. None: the widths are
        met on average, which is about every second sample for one construct.
    estimand : {"pool", "deployment"}
        Kappa of these very items, or of the traffic that they are a random sample of.
    level : float
        Of the intervals.
    weights : None, "linear", "quadratic", "schema", array-like, or mapping by construct
        Agreement weights of kappa.
    seed : int
        Of the draws.
    reference : str or list of str, optional
        Whose labels of the pilot count; default all people's majority.
    draws : int
        Draws of the pilot's posterior for the band, 100 or more.
    double : float, optional
        Share of every stratum's items that a second person labels, at least 2 items. How well
        people agree bounds what can be asked of a judge: `Plan.people` has the planned half-width
        of their kappa. The cost counts both.
    people : float
        Kappa that is expected between two people, with `double`.
    reading_cost : mapping of str to float, optional
        Cost of reading a construct on an item, beside that of the item itself (`strata`'s cost).
        Then a construct may be read on a part of the drawn items, and one without target is not
        read. Not with `double`.

    Returns
    -------
    Plan
        Whole numbers per stratum, with a certified lower bound.

    Raises
    ------
    PlanError
        If targets can't be reached, the pilot is from another pool, or an option does not fit.

    Notes
    -----
    Minimise :math:`\sum_h c_h n_h` subject to :math:`\sum_h W_h^2 S_{hc}^2 / n_h + f_c \le
    (E_c / z)^2`. :math:`S_{hc}` is the standard deviation of kappa's influence value within stratum
    h of share :math:`W_h`; :math:`f_c` is :math:`-\sum_h W_h S_{hc}^2 / N` for the pool, and the
    variance of the strata's mean influence values by N for deployment. The dual is maximised, its
    value rounded up bounds every plan, and its allocation is made whole by rounding up, taking away
    and exchanging labels.

    References
    ----------
    Bethel 1989, Survey Methodology 15:47-57. Neyman 1934, J. Royal Statistical Society 97:558,
    doi:10.2307/2342192. Katki, Li, Edelstein and Castle 2012, Statistics in Medicine 31:436,
    doi:10.1002/sim.4422.

    Examples
    --------
    >>> import pandas as pd
    >>> from toolkit import planning
    >>> pool = pd.DataFrame({"item_id": range(2000), "tone": [0] * 1800 + [1] * 200})
    >>> rows = [("tone=0", 0, 97), ("tone=0", 1, 3), ("tone=1", 0, 20), ("tone=1", 1, 30)]
    >>> counts = pd.DataFrame(rows, columns=["stratum", "label", "count"]).assign(construct="tone")
    >>> plan = planning.plan_for_targets(planning.strata(pool, ["tone"]), counts, {"tone": 0.1})
    >>> plan.total, plan.certificate
    (292, 292.0)
    """
    st = checked_strata(strata)
    ask = Question(st, read_pilot(st, pilot, reference), estimand, level, weights, seed, draws)
    wanted = checked_targets(st, ask.pilot, targets)
    chosen = [st.constructs.index(name) for name in wanted]
    refuse_unreachable(ask.model, chosen, wanted)
    if reading_cost is not None:
        _refuse_together(double)
        prices = reading_prices(wanted, reading_cost)
        surely = None if assurance is None else checked_assurance(assurance)
        return plan_of_readings(ask, wanted, prices, surely)
    shared = None if double is None else checked_share(double, people)
    made = _labels(ask, wanted, assurance)
    return made if shared is None else doubled(made, *shared)


def _labels(ask: Question, wanted: dict[str, float], assurance: float | None) -> Plan:
    """Plan of items that are all read on every construct."""
    problem, order = ask.problem(wanted).ordered()
    n = _unsorted(whole_labels(problem, least_cost(problem)), order)
    if assurance is None:
        return ask.plan("targets", wanted, n)
    surely = ask.scaled(n, wanted, checked_assurance(assurance))
    made = ask.plan("targets", wanted, surely.n.astype(float))
    said = (
        f"Scaled up from {n.sum():,.0f} labels, so that the default intervals of all constructs "
        f"are within their targets with a chance of {surely.chance:.3f}, by simulation from the "
        "pilot's shares"
    )
    return replace(
        made,
        assurance=float(assurance),
        assured=surely.chance,
        assumptions=(*made.assumptions, said),
    )


def plan_for_budget(
    strata: Strata,
    pilot: Any,
    budget: float,
    targets: Mapping[str, float] | None = None,
    estimand: str = "pool",
    level: float = 0.95,
    weights: Any = None,
    seed: int = 0,
    *,
    reference: str | Sequence[str] | None = None,
    draws: int = 1_000,
) -> Plan:
    """Find the narrowest intervals that a budget allows.

    Parameters
    ----------
    strata, pilot
        As in `plan_for_targets`.
    budget : float
        What the labelled items may cost: their number where each costs 1.
    targets : mapping of str to float, optional
        Half-widths in the wished proportion: the largest ratio of half-width to target is made
        small. Default: the same for all constructs.
    estimand, level, weights, seed, reference, draws
        As in `plan_for_targets`.

    Returns
    -------
    Plan
        `lower_bound` is the least cost at which its own worst ratio could be reached.

    Raises
    ------
    PlanError
        If the budget is below the least sample of the strata, or as `plan_for_targets`.

    References
    ----------
    Bethel 1989, Survey Methodology 15:47-57.

    Examples
    --------
    >>> import pandas as pd
    >>> from toolkit import planning
    >>> pool = pd.DataFrame({"item_id": range(2000), "tone": [0] * 1800 + [1] * 200})
    >>> rows = [("tone=0", 0, 97), ("tone=0", 1, 3), ("tone=1", 0, 20), ("tone=1", 1, 30)]
    >>> counts = pd.DataFrame(rows, columns=["stratum", "label", "count"]).assign(construct="tone")
    >>> plan = planning.plan_for_budget(planning.strata(pool, ["tone"]), counts, budget=200)
    >>> plan.allocation["n"].tolist()
    [126, 74]
    """
    st = checked_strata(strata)
    ask = Question(st, read_pilot(st, pilot, reference), estimand, level, weights, seed, draws)
    spendable = checked_budget(budget, st.cost, least_labels(st))
    wanted = (
        default_targets(st, ask.pilot)
        if targets is None
        else checked_targets(st, ask.pilot, targets)
    )
    problem, order = ask.problem(wanted).ordered()
    n = _unsorted(within_budget(problem, spendable), order)
    return ask.plan("budget", wanted, n)


def _refuse_together(double: float | None) -> None:
    """Refuse what is not planned together with reading costs."""
    if double is not None:
        raise PlanError(
            "a share for a second person is not planned together with reading costs",
            got=double,
            allowed="double without reading_cost: every drawn item is then read on all constructs; "
            "or reading_cost without double: people's kappa is then not planned",
            example="tk.plan_for_targets(strata, pilot, targets, double=.2)",
            where="double",
        )


def _unsorted(n: Floats, order: NDArray[np.intp]) -> Floats:
    given = np.empty_like(n)
    given[order] = n
    return given
