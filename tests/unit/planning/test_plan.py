from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from planning_pool import NAMES, RATES, TARGETS, VECTORS, counts, pool_strata, positive_shares

from toolkit import planning
from toolkit.errors import PlanError, StatisticsError
from toolkit.planning.allocation import least_cost
from toolkit.planning.budget import best_ratio
from toolkit.planning.comparison import needed, separate
from toolkit.planning.influence import joint, moments
from toolkit.planning.model import Model

CASES = json.loads(
    (Path(__file__).parents[2] / "oracles" / "planning.json").read_text(encoding="utf-8")
)
ORACLES = {case["id"]: case for case in CASES}


@pytest.fixture(scope="module")
def st():
    return pool_strata()


@pytest.fixture(scope="module")
def plan(st):
    return planning.plan_for_targets(st, counts(st, 200), TARGETS)


def exact_model(estimand="pool"):
    """The scenario with its strata in fractions of items."""
    flagged = [p * se + (1 - p) * (1 - sp) for p, se, sp in RATES]
    portion = np.array(
        [np.prod([f if j else 1 - f for f, j in zip(flagged, v, strict=True)]) for v in VECTORS]
    )
    judge, made = np.array(VECTORS), []
    for c, (missed, right) in enumerate(positive_shares()):
        share = np.where(judge[:, c] == 1, right, missed)
        tables = joint(judge[:, c], np.stack([1 - share, share], axis=1))
        made.append(moments(portion, tables, None))
    return Model(20_000 * portion, tuple(made), estimand, 0.95)


def everything(model, widths=None):
    least = np.full(4, 2.0)
    return model.problem([0, 1], np.array(widths or [0.1, 0.05]), np.ones(4), least)


def test_six_hundred_labels_in_four_designs():
    case = ORACLES["scenario_600"]
    expected, model = case["expected"], exact_model()

    def near(widths):
        return pytest.approx([widths[name] for name in NAMES], abs=case["tolerance"])

    assert [m.kappa for m in model.moments] == near(expected["kappa"])
    assert model.sizes / 20_000 == pytest.approx(expected["W_11_10_01_00"], abs=1e-6)
    assert model.random_half_widths(600) == near(expected["srs_plain"])
    assert model.half_widths(np.full(4, 150.0)) == near(expected["equal_150"])
    alone = model.problem([0], np.array([0.1]), np.ones(4), np.full(4, 2.0))
    n = best_ratio(alone, 600)[1].n
    assert n == pytest.approx(expected["neyman_escalation_n"], abs=0.05)
    assert model.half_widths(n) == near(expected["neyman_escalation"])


def test_labels_for_two_targets_in_five_designs():
    case = ORACLES["scenario_targets"]
    expected, model = case["expected"], exact_model()
    problem = everything(model, list(case["inputs"]["half_width_targets"].values()))
    optimum = least_cost(problem)
    assert optimum.bound == pytest.approx(expected["bethel_total"], abs=case["tolerance"])
    assert optimum.n == pytest.approx(expected["bethel_n_11_10_01_00"], abs=case["tolerance"])
    random = model.random_labels(np.array([0.1, 0.05])).max()
    assert random == pytest.approx(expected["srs"], abs=case["tolerance"])
    equal = needed(problem, np.ones(4)).sum()
    assert equal == pytest.approx(expected["equal"], abs=case["tolerance"])
    assert separate(problem) == pytest.approx(
        expected["sum_of_separate_neyman_plans"], abs=case["tolerance"]
    )


def test_two_targets_for_deployment():
    # Section 3 with the correction off and the sampling of the pool added: 522 against 1,841.
    model = exact_model("deployment")
    assert np.ceil(least_cost(everything(model)).bound) == 522
    assert np.ceil(model.random_labels(np.array([0.1, 0.05])).max()) == 1841
    assert model.random_half_widths(600)[0] == pytest.approx(0.175, abs=5e-4)
    assert model.half_widths(np.full(4, 150.0))[0] == pytest.approx(0.103, abs=5e-4)
    alone = model.problem([0], np.array([0.1]), np.ones(4), np.full(4, 2.0))
    assert model.half_widths(best_ratio(alone, 600)[1].n)[0] == pytest.approx(0.090, abs=5e-4)


@pytest.mark.parametrize(
    ("targets", "total", "random", "proportional", "equal", "apart"),
    [
        ((0.10, 0.05), 494, 1686, 1671, 801, 840),
        ((0.08, 0.05), 666, 2514, 2493, 873, 1060),
        ((0.05, 0.05), 1428, 5381, 5344, 1686, 1822),
        ((0.10, 0.03), 1073, 1686, 1671, 1852, 1502),
    ],
)
def test_the_table_of_section_3(targets, total, random, proportional, equal, apart):
    # Equal strata in the last two rows: the notes have 1,871 and 2,147, with 468 and 537 labels in
    # a stratum of 240 items; here that stratum is labelled whole.
    model = exact_model()
    problem = everything(model, list(targets))
    assert np.ceil(least_cost(problem).bound) == pytest.approx(total, abs=1)
    assert model.random_labels(np.array(targets)).max() == pytest.approx(random, abs=1)
    assert needed(problem, model.sizes).sum() == pytest.approx(proportional, abs=1)
    assert needed(problem, np.ones(4)).sum() == pytest.approx(equal, abs=1)
    assert separate(problem) == pytest.approx(apart, abs=1)


def one_construct(prevalence, se, sp):
    """Two judge-label strata of an endless pool."""
    flagged = prevalence * se + (1 - prevalence) * (1 - sp)
    share = np.array([prevalence * (1 - se) / (1 - flagged), prevalence * se / flagged])
    sizes = np.array([1 - flagged, flagged]) * 1e12
    tables = joint(np.array([0, 1]), np.stack([1 - share, share], axis=1))
    return Model(sizes, (moments(sizes, tables, None),), "deployment", 0.95)


@pytest.mark.parametrize(("prevalence", "labels"), [(0.05, 1346), (0.25, 332)])
def test_random_labels_for_kappa_of_equal_margins(prevalence, labels):
    p, kappa = prevalence, 0.6
    both, one = p * p + kappa * p * (1 - p), (1 - kappa) * p * (1 - p)
    table = np.array([[1 - both - 2 * one, one], [one, both]])
    sizes = np.array([1e12])
    model = Model(sizes, (moments(sizes, table[None], None),), "deployment", 0.95)
    assert model.random_labels(np.array([0.1])) == pytest.approx([labels], rel=0.001)


@pytest.mark.parametrize(
    ("prevalence", "specificity", "planned", "proportional"),
    [(0.05, 0.97, 471, 1170), (0.25, 0.97, 226, 234), (0.01, 0.99, 916, 5278)],
)
def test_labels_in_judge_label_strata(prevalence, specificity, planned, proportional):
    model = one_construct(prevalence, 0.7, specificity)
    problem = model.problem([0], np.array([0.1]), np.ones(2), np.full(2, 2.0))
    assert least_cost(problem).bound == pytest.approx(planned, abs=0.5)
    assert needed(problem, model.sizes).sum() == pytest.approx(proportional, abs=0.5)


def test_the_whole_plan_of_section_3(st):
    # The strata are whole numbers of items here, so the random sample is one label off.
    plan = planning.plan_for_targets(st, counts(st), TARGETS)
    assert plan.total == plan.certificate == 494
    assert plan.lower_bound == pytest.approx(493.6, abs=0.3)
    assert plan.gap == 0
    shown = plan.comparison.set_index("design")
    assert shown.loc["simple random", "labels"] == pytest.approx(1686, abs=1)
    assert (plan.half_width["planned"] <= plan.half_width["target"]).all()
    budget = planning.plan_for_budget(st, counts(st), 600, {"escalation": 0.1})
    widths = budget.comparison.set_index("design")["half_width_escalation"]
    assert widths["simple random"] == pytest.approx(0.172, abs=5e-4)
    assert widths["equal"] == pytest.approx(0.099, abs=5e-4)
    assert widths["plan"] == pytest.approx(0.085, abs=5e-4)
    deployed = planning.plan_for_targets(st, counts(st), TARGETS, estimand="deployment")
    assert deployed.total == 522


def test_an_assured_plan_needs_more(st):
    plan = planning.plan_for_targets(st, counts(st), TARGETS, assurance=0.9)
    assert plan.assurance == 0.9
    assert plan.assured >= 0.9
    assert 600 <= plan.total <= 650
    assert plan.gap == plan.total - plan.certificate
    assert plan.assumptions[-1].startswith("Scaled up from 494 labels")


def test_an_assured_plan_meets_its_targets_on_average_too(st):
    # Default intervals of few labels are narrower than the linearised ones of the plan.
    for assurance in (0.1, 0.9):
        plan = planning.plan_for_targets(st, counts(st), {"escalation": 0.2}, assurance)
        assert plan.assured >= assurance
        assert plan.total >= plan.certificate
        assert plan.half_width["planned"][0] <= 0.2


def test_the_result_carries_everything(plan, st):
    assert plan.allocation["n"].sum() == plan.total == plan.cost
    assert plan.to_frame()["stratum"].tolist() == list(st.names)
    assert (plan.half_width["low"] < plan.half_width["high"]).all()
    assert plan.shadow_price["words"][0].startswith("the last 10 % of width for escalation costs")
    # Cost falls by twice the multiplier per relative unit of width (Bethel): a tenth less a bit.
    assert 10 < plan.shadow_price["cost"][0] < 60
    flagged = plan.expected_positives.query("construct == 'escalation'")["expected"].to_numpy()
    missed, right = positive_shares()[0]
    shares = [missed, missed, right, right]
    # Smoothing adds at most half a label to the pilot's 200.
    assert flagged == pytest.approx(plan.allocation["n"] * shares, abs=300 * 0.5 / 200)
    assert plan.comparison["design"].tolist() == [
        *("plan", "simple random", "proportional", "equal", "separate"),
    ]
    assert (plan.comparison["times"][1:] > 1).all()
    assert len(plan.sha256) == 64
    assert np.isnan(plan.assured)


def test_the_result_is_frozen_and_plain(plan):
    with pytest.raises(FrozenInstanceError):
        plan.total = 3
    summed = json.loads(json.dumps(plan.to_dict(), allow_nan=False))
    assert summed["total"] == plan.total
    assert summed["assured"] is None
    assert "pilot" not in summed
    assert "Labels per stratum" in plan._repr_html_()
    assert str(plan).startswith(f"{plan.total} labels in 4 strata")


def test_the_seed_and_the_pool_are_part_of_the_fingerprint(plan, st):
    again = planning.plan_for_targets(st, counts(st, 200), TARGETS)
    assert again.sha256 == plan.sha256
    pd.testing.assert_frame_equal(again.half_width, plan.half_width)
    other = replace(st, sha256="0" * 64)
    assert planning.plan_for_targets(other, counts(st, 200), TARGETS).sha256 != plan.sha256


def test_a_small_pilot_leaves_a_wider_band(st, plan):
    rough = planning.plan_for_targets(st, counts(st, 20), TARGETS).half_width
    for name in NAMES:
        row, other = (f.set_index("construct").loc[name] for f in (rough, plan.half_width))
        assert row["high"] - row["low"] > other["high"] - other["low"]


def test_costs_move_labels_to_cheaper_strata(st):
    dear = replace(st, cost=np.array([1.0, 1.0, 5.0, 1.0]))
    first, second = (planning.plan_for_targets(s, counts(st), TARGETS) for s in (st, dear))
    assert second.allocation["n"][2] < first.allocation["n"][2]
    assert second.cost == second.allocation["n"] @ dear.cost
    assert second.cost < first.allocation["n"] @ dear.cost
    assert "of cost" in second.shadow_price["words"][0]


def test_the_floor_of_negative_strata_is_kept_and_said(st):
    floored = replace(st, floor=400)
    plan = planning.plan_for_targets(floored, counts(st), TARGETS)
    assert plan.allocation["n"][0] == 400
    assert any("floor of 400 labels decides" in text for text in plan.assumptions)


def test_a_stratum_smaller_than_its_floor_is_labelled_whole_and_said():
    pool = pd.DataFrame({"item_id": range(60), "a": [0] * 20 + [1] * 40})
    st = replace(planning.strata(pool, ["a"], floor=10), floor=30)
    rows = [("a=0", 1, 1), ("a=0", 0, 9), ("a=1", 1, 8), ("a=1", 0, 2)]
    pilot = pd.DataFrame(rows, columns=["stratum", "label", "count"]).assign(construct="a")
    plan = planning.plan_for_targets(st, pilot, {"a": 0.3})
    assert plan.allocation["n"][0] == 20
    assert any(
        "Smaller than the floor of 30, so labelled whole: a=0" in t for t in plan.assumptions
    )


def test_a_thin_stratum_of_a_rare_label_is_kept_and_said():
    pool = pd.DataFrame({"item_id": range(500), "a": [0] * 490 + [1] * 10})
    st = planning.strata(pool, ["a"])
    rows = [("a=0", 1, 1), ("a=0", 0, 9), ("a=1", 1, 8), ("a=1", 0, 2)]
    pilot = pd.DataFrame(rows, columns=["stratum", "label", "count"]).assign(construct="a")
    plan = planning.plan_for_budget(st, pilot, 100)
    assert plan.allocation["n"].between(2, [490, 10]).all()
    assert any("Below 30 items, but kept" in text for text in plan.assumptions)


def test_strata_without_pilot_labels_are_said(st):
    pilot = counts(st, 100)
    plan = planning.plan_for_targets(st, pilot[pilot["stratum"] != st.names[3]], TARGETS)
    assert any(f"no label on escalation in {st.names[3]}" in text for text in plan.assumptions)


def test_a_census_has_no_width(st):
    plan = planning.plan_for_budget(st, counts(st), 20_000)
    assert plan.total == 20_000
    assert plan.half_width["planned"].tolist() == pytest.approx([0, 0], abs=1e-6)


def test_a_budget_without_targets_narrows_the_widest(st):
    plan = planning.plan_for_budget(st, counts(st), 600)
    assert plan.total == 600
    assert plan.worst_ratio == pytest.approx(plan.half_width["planned"].max())
    assert plan.certificate <= 600


@pytest.mark.parametrize(
    ("targets", "what"),
    [
        ({"escalation": 0}, "a half-width of 0 needs people's labels on all 20,000 items"),
        ({"escalation": -0.1}, "no half-width"),
        ({"escalation": 1.5}, "no half-width"),
        ({"escalation": "small"}, "no half-width"),
        ({"escalation": float("nan")}, "no half-width"),
        ({"escalations": 0.1}, "unknown construct, did you mean 'escalation'?"),
        ({}, "targets are half-widths by construct"),
        ([0.1], "targets are half-widths by construct"),
    ],
)
def test_targets_that_do_not_fit_are_refused(st, targets, what):
    with pytest.raises(PlanError, match=what.replace("?", r"\?")):
        planning.plan_for_targets(st, counts(st), targets)


def test_unreachable_targets_say_what_is(st):
    with pytest.raises(PlanError, match="still wider") as caught:
        planning.plan_for_targets(st, counts(st), {"escalation": 0.001}, estimand="deployment")
    assert "escalation above 0.0" in str(caught.value)
    smallest = float(str(caught.value).split("escalation above ")[1].split(";")[0])
    reached = planning.plan_for_targets(
        st, counts(st), {"escalation": smallest * 1.02}, estimand="deployment"
    )
    assert reached.total <= 20_000


def test_a_budget_below_the_floors_says_the_least(st):
    with pytest.raises(PlanError, match="below the least sample of the strata") as caught:
        planning.plan_for_budget(st, counts(st), 30)
    assert "36 or more" in str(caught.value)
    assert planning.plan_for_budget(st, counts(st), 36).total == 36
    with pytest.raises(PlanError, match="no budget"):
        planning.plan_for_budget(st, counts(st), float("nan"))


def test_a_constant_judge_and_a_construct_without_labels_are_refused():
    pool = pd.DataFrame({"item_id": range(100), "a": [0] * 50 + [1] * 50, "b": 0})
    st = planning.strata(pool, ["a", "b"])
    rows = [(name, "a", label, 5) for name in st.names for label in (0, 1)]
    pilot = pd.DataFrame(rows, columns=["stratum", "construct", "label", "count"])
    with pytest.raises(PlanError, match="kappa is 0 whatever people say"):
        planning.plan_for_targets(st, pilot, {"b": 0.1})
    with pytest.raises(PlanError, match="the pilot has no label by people on 'a'"):
        planning.plan_for_targets(st, pilot.assign(construct="b"), {"a": 0.1})
    assert planning.plan_for_budget(st, pilot, 80).targets == {"a": 1.0}
    with pytest.raises(PlanError, match="no construct can be planned"):
        planning.plan_for_budget(st, pilot.assign(construct="b"), 80)


@pytest.mark.parametrize(
    ("options", "error", "what"),
    [
        ({"estimand": "traffic"}, PlanError, "unknown estimand"),
        ({"assurance": 90}, PlanError, "assurance is no chance"),
        ({"level": 95}, StatisticsError, "level is no probability"),
        ({"seed": -1}, StatisticsError, "seed"),
        ({"weights": "cubic"}, StatisticsError, "weights"),
    ],
)
def test_options_that_do_not_fit_are_refused(st, options, error, what):
    with pytest.raises(error, match=what):
        planning.plan_for_targets(st, counts(st), TARGETS, **options)


def test_other_strata_are_refused(st):
    with pytest.raises(PlanError, match="no strata"):
        planning.plan_for_targets(counts(st), counts(st), TARGETS)


def test_weights_are_per_construct_for_ordered_categories():
    rng = np.random.default_rng(0)
    pool = pd.DataFrame({"item_id": range(900), "tone": rng.integers(1, 4, 900)})
    st = planning.strata(pool, ["tone"])
    rows = [
        (f"tone={judge}", "tone", label, 30 if judge == label else 5)
        for judge in (1, 2, 3)
        for label in (1, 2, 3)
    ]
    pilot = pd.DataFrame(rows, columns=["stratum", "construct", "label", "count"])
    plain, weighted = (
        planning.plan_for_budget(st, pilot, 200, weights=weights) for weights in (None, "schema")
    )
    assert weighted.weights == {"tone": "quadratic"}
    assert weighted.half_width["kappa"][0] > plain.half_width["kappa"][0]
