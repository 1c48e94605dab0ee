"""Half-widths against the number of labels, and the table of labels that a pilot lets expect."""

from __future__ import annotations

import numpy as np
import pandas as pd

from toolkit.coefficients.weights import Floats
from toolkit.planning.budget import within_budget
from toolkit.planning.model import least_labels
from toolkit.planning.pilot import expected_shares, posterior
from toolkit.planning.plan import Plan
from toolkit.planning.question import Question

POINTS = 15
FEWEST_DRAWS = 100


def width_curve(plan: Plan, points: int = POINTS) -> pd.DataFrame:
    """Half-width of every construct against the number of labels, planned and at random.

    Parameters
    ----------
    plan : Plan
        From `plan_for_targets` or `plan_for_budget`.
    points : int
        Numbers of labels, from a third to four times the plan's, evenly spaced by their ratio.

    Returns
    -------
    DataFrame
        Columns construct, labels, planned, random. `planned`: the best allocation of so many labels
        for the plan's targets. `random`: a simple random sample of as many. In both every construct
        is read on every item.

    References
    ----------
    Bethel 1989, Survey Methodology 15:47-57.

    Examples
    --------
    >>> from toolkit import planning
    >>> pool = pd.DataFrame({"item_id": range(2000), "tone": [0] * 1800 + [1] * 200})
    >>> rows = [("tone=0", 0, 97), ("tone=0", 1, 3), ("tone=1", 0, 20), ("tone=1", 1, 30)]
    >>> counts = pd.DataFrame(rows, columns=["stratum", "label", "count"]).assign(construct="tone")
    >>> plan = planning.plan_for_targets(planning.strata(pool, ["tone"]), counts, {"tone": 0.1})
    >>> curve = width_curve(plan)
    >>> bool((curve["planned"] < curve["random"]).all())
    True
    """
    ask = _question(plan)
    problem, cost = ask.problem(plan.targets), plan.strata.cost
    least, most = float(least_labels(plan.strata) @ cost), float(plan.strata.sizes @ cost)
    spent = float(plan.allocation["n"].to_numpy() @ cost)  # without second or priced readings
    budgets = np.clip(np.geomspace(spent / 3, spent * 4, points), least, most)
    rows = []
    for budget in np.unique(np.append(budgets, np.clip(spent, least, most))):
        n = within_budget(problem, float(budget))
        total = float(n.sum())
        frame = {
            "construct": plan.strata.constructs,
            "labels": int(total),
            "planned": ask.model.half_widths(n),
            "random": ask.model.random_half_widths(total),
        }
        rows.append(pd.DataFrame(frame))
    return pd.concat(rows, ignore_index=True).sort_values(["construct", "labels"], kind="stable")


def expected_table(plan: Plan, construct: str) -> Floats:
    """Items of the pool by people's label (rows) and judge's (columns), as the pilot expects them.

    Parameters
    ----------
    plan : Plan
        From `plan_for_targets` or `plan_for_budget`.
    construct : str
        One of its constructs.

    Returns
    -------
    ndarray of shape (k, k)
        Categories in the order of the schema. The half labels of the plan's prior are added.

    References
    ----------
    Katki, Li, Edelstein and Castle 2012, Statistics in Medicine 31:436, doi:10.1002/sim.4422.

    Examples
    --------
    >>> from toolkit import planning
    >>> pool = pd.DataFrame({"item_id": range(2000), "tone": [0] * 1800 + [1] * 200})
    >>> rows = [("tone=0", 0, 97), ("tone=0", 1, 3), ("tone=1", 0, 20), ("tone=1", 1, 30)]
    >>> counts = pd.DataFrame(rows, columns=["stratum", "label", "count"]).assign(construct="tone")
    >>> plan = planning.plan_for_targets(planning.strata(pool, ["tone"]), counts, {"tone": 0.1})
    >>> expected_table(plan, "tone").round()
    array([[1738.,   80.],
           [  62.,  120.]])
    """
    st = plan.strata
    place = st.constructs.index(construct)
    shares = expected_shares(st, posterior(st, plan.pilot, place)[0], place)
    return np.asarray(np.einsum("h,hij->ij", st.sizes.astype(float), shares))


def _question(plan: Plan) -> Question:
    """Ask again what the plan was made from; its band is not needed."""
    return Question(
        plan.strata,
        plan.pilot,
        plan.estimand,
        plan.level,
        plan.weights,
        plan.seed,
        FEWEST_DRAWS,
    )
