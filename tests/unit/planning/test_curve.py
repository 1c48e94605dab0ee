"""Half-widths against labels, and the table that a pilot lets expect."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from toolkit.coefficients import cohen_kappa
from toolkit.planning.curve import expected_table, width_curve
from toolkit.planning.stratify import strata
from toolkit.planning.targets import plan_for_budget, plan_for_targets

JUDGED = {(0, 0): 1500, (0, 1): 350, (1, 0): 100, (1, 1): 50}
# Positives among 20 labelled items of each stratum: escalation, self_harm.
FOUND = {(0, 0): (1, 1), (0, 1): (0, 18), (1, 0): (9, 2), (1, 1): (10, 17)}


@pytest.fixture(scope="module")
def st():
    rows = [labels for labels, size in JUDGED.items() for _ in range(size)]
    pool = pd.DataFrame(rows, columns=["escalation", "self_harm"])
    return strata(pool.assign(item_id=[f"i{n}" for n in range(len(pool))]), list(pool.columns))


@pytest.fixture(scope="module")
def counts():
    rows = []
    for (first, second), found in FOUND.items():
        stratum = f"escalation={first}, self_harm={second}"
        for construct, positive in zip(("escalation", "self_harm"), found, strict=True):
            rows += [(stratum, construct, 1, positive), (stratum, construct, 0, 20 - positive)]
    return pd.DataFrame(rows, columns=["stratum", "construct", "label", "count"])


@pytest.fixture(scope="module")
def plan(st, counts):
    return plan_for_targets(st, counts, {"escalation": 0.15, "self_harm": 0.08})


def test_the_curve_goes_through_the_plan(plan):
    curve = width_curve(plan, points=5)
    at = curve[curve["labels"] == plan.total].set_index("construct")["planned"]
    ratios = [at[name] / target for name, target in plan.targets.items()]
    assert max(ratios) == pytest.approx(plan.worst_ratio, rel=0.01)


def test_more_labels_never_widen_the_worst_half_width(plan):
    wide = width_curve(plan, points=8).pivot_table(
        index="labels", columns="construct", values=["planned", "random"]
    )
    targets = pd.Series(plan.targets)
    assert (wide["planned"].div(targets).max(axis=1).diff().dropna() <= 1e-9).all()
    assert (wide["random"].diff().dropna() <= 0).all(axis=None)


def test_the_curve_of_a_budget_is_kept_between_the_floor_and_the_pool(st, counts):
    plan = plan_for_budget(st, counts, budget=1500)
    labels = width_curve(plan, points=4)["labels"]
    assert labels.max() == st.total
    at_census = width_curve(plan, points=4).query("labels == @st.total")
    assert at_census["planned"].to_numpy() == pytest.approx(0, abs=1e-9)


def test_the_expected_table_holds_the_pool_and_the_judge_as_counted(plan):
    """By hand: strata of one judge label share half a label of each category by their size."""
    table = expected_table(plan, "escalation")
    assert table.sum(0) == pytest.approx([1850, 150])
    judge_negative = [
        size * (positive + 0.5 * size / 1850) / (20 + size / 1850)
        for size, positive in ((1500, 1), (350, 0))
    ]
    judge_positive = [
        size * (positive + 0.5 * size / 150) / (20 + size / 150)
        for size, positive in ((100, 9), (50, 10))
    ]
    assert table[1] == pytest.approx([sum(judge_negative), sum(judge_positive)])
    planned = plan.half_width.set_index("construct")["kappa"]
    assert float(cohen_kappa(table)) == pytest.approx(planned["escalation"])
    assert np.trace(expected_table(plan, "self_harm")) > 1800
