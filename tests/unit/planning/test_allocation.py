from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from toolkit.planning.allocation import Problem, least_cost
from toolkit.planning.budget import best_ratio, within_budget
from toolkit.planning.comparison import needed
from toolkit.planning.influence import spread
from toolkit.planning.integer import certificate, rounded_up, whole_labels, worst

CASES = json.loads(
    (Path(__file__).parents[2] / "oracles" / "planning.json").read_text(encoding="utf-8")
)
ORACLES = {case["id"]: case for case in CASES}


def of_total(sizes, deviations, allowed, *, cost=None, least=2.0, most=None):
    """Variance of an estimated total, with the finite-population correction."""
    sizes, deviations = np.asarray(sizes, dtype=float), np.asarray(deviations, dtype=float)
    deviations = deviations.reshape(len(sizes), -1)
    return Problem(
        variance=(sizes[:, None] * deviations) ** 2,
        fixed=-(sizes[:, None] * deviations**2).sum(0),
        allowed=np.atleast_1d(np.asarray(allowed, dtype=float)),
        cost=np.ones(len(sizes)) if cost is None else np.asarray(cost, dtype=float),
        least=np.broadcast_to(np.asarray(least, dtype=float), sizes.shape),
        most=sizes if most is None else np.asarray(most, dtype=float),
    )


def small(widths, cost=(1, 1, 1)):
    case = ORACLES["small_allocation_inputs"]["inputs"]
    names = ("escalation", "self_harm")
    sizes = np.array([row["N"] for row in case["strata"]])
    judge = np.array([[row["judge"][name] for name in names] for row in case["strata"]])
    positive = np.array([[row["p_human_positive"][n] for n in names] for row in case["strata"]])
    shares = [np.stack([1 - share, share], axis=1) for share in positive.T]
    found = spread(sizes, judge, shares, [None, None]) / sizes.sum()
    problem = of_total(sizes, found, np.square(widths) / case["z"] ** 2, cost=cost)
    return replace(problem, least=np.full(3, float(case["n_min"])))


def test_neyman_with_bounds():
    case = ORACLES["neyman_box"]
    sizes, deviations = case["inputs"]["N"], case["inputs"]["S"]
    expected = zip(
        case["inputs"]["cases"],
        case["expected"]["n_h"],
        case["expected"]["variance_of_total"],
        strict=True,
    )
    for asked, n, variance in expected:
        lower, upper = asked.get("lower", 1e-6), asked.get("upper")
        problem = of_total(sizes, deviations, 1.0, least=lower, most=upper)
        found = best_ratio(problem, asked["n"])[1].n
        assert found == pytest.approx(n, abs=case["tolerance"])
        assert problem.use(found) == pytest.approx(variance, rel=1e-9)


def test_three_classical_allocations():
    case = ORACLES["practools_neyman"]
    given_, expected = case["inputs"], case["expected"]
    sizes, deviations = np.array(given_["N"]), np.array(given_["S"])

    def near(n):
        return pytest.approx(n, abs=case["tolerance"])

    problem = of_total(sizes, deviations, 1.0, least=1e-6)
    assert best_ratio(problem, given_["n"])[1].n == near(expected["neyman_n100"])
    priced = of_total(sizes, deviations, 1.0, cost=given_["unit_cost"], least=1e-6)
    assert best_ratio(priced, given_["total_cost"])[1].n == near(expected["total_cost"])
    allowed = (given_["cv0"] * given_["mean"] * sizes.sum()) ** 2
    target = of_total(sizes, deviations, allowed, cost=given_["unit_cost"], least=1e-6)
    assert least_cost(target).n == near(expected["target_cv"])


def test_bethel_with_a_certificate():
    case = ORACLES["bethel_package"]
    given_, expected = case["inputs"], case["expected"]
    deviations = np.sqrt(np.array(list(given_["variance"].values()))).T
    allowed = (np.array(given_["totals"]) * given_["cv"]) ** 2
    problem = of_total(given_["N"], deviations, allowed)
    optimum = least_cost(problem)
    assert optimum.bound == pytest.approx(expected["continuous_total"], abs=case["tolerance"])
    assert optimum.n == pytest.approx(expected["continuous_n_h"], abs=case["tolerance"])
    assert rounded_up(problem, optimum).tolist() == expected["ceil_n_h"]
    assert (optimum.multipliers > 1e-6).tolist() == [False, False, True]
    assert whole_labels(problem, optimum).sum() == certificate(problem.cost, optimum.bound) == 159


@pytest.mark.parametrize(
    "name",
    [
        "small_allocation_0.12_0.06_cost1",
        "small_allocation_0.1_0.05_cost1",
        "small_allocation_0.12_0.06_cost3",
    ],
)
def test_least_cost_of_a_provable_problem(name):
    case = ORACLES[name]
    widths = list(case["inputs"]["half_width_targets"].values())
    expected = case["expected"]
    problem = small(widths, case["inputs"]["unit_cost"])
    optimum = least_cost(problem)
    n = whole_labels(problem, optimum)
    assert problem.spend(n) == expected["optimal_cost"]
    assert problem.meets(n)
    assert n.tolist() == expected["tie_break_smallest_worst_ratio"]
    reached = np.sqrt(problem.use(n)) * widths
    assert reached == pytest.approx(expected["half_widths_at_tie_break"], abs=1e-6)
    assert optimum.bound == pytest.approx(expected["continuous_lower_bound"], abs=case["tolerance"])
    # Totals are flat around their optimum: the vector is checked loosely.
    assert optimum.n == pytest.approx(expected["continuous_n_h"], rel=case["tolerance"])
    proportional = np.ceil(needed(problem, problem.most).sum())
    assert proportional == expected["proportional_labels_needed"]
    assert np.ceil(needed(problem, np.ones(3))).sum() == expected["equal_labels_needed"]


def test_equal_targets_of_the_provable_problem():
    # Section 3 of the notes: 182 labels, proportional 436, equal 186, bound 181.62.
    problem = small((0.12, 0.12))
    optimum = least_cost(problem)
    assert whole_labels(problem, optimum).sum() == 182
    assert optimum.bound == pytest.approx(181.62, abs=0.005)
    assert np.ceil(needed(problem, problem.most).sum()) == 436
    assert np.ceil(needed(problem, np.ones(3))).sum() == 186


def test_best_worst_ratio_of_a_budget():
    case = ORACLES["small_budget_200"]
    problem = small(case["inputs"]["half_width_targets"])
    n = within_budget(problem, case["inputs"]["budget"])
    assert n.tolist() == case["expected"]["n_h"]
    ratio = np.sqrt(worst(problem, n))
    assert ratio == pytest.approx(case["expected"]["worst_ratio"], abs=case["tolerance"])
    proportional = problem.most * case["inputs"]["budget"] / problem.most.sum()
    assert np.sqrt(worst(problem, proportional)) == pytest.approx(
        case["expected"]["proportional_worst_ratio"], abs=case["tolerance"]
    )


@st.composite
def problems(draw, most_strata=6, *, costs=False):
    strata, constructs = draw(st.integers(1, most_strata)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    sizes = rng.integers(20, 2_000, strata)
    deviations = rng.gamma(1.0, 1.0, (strata, constructs)) / sizes.sum()
    widths = rng.uniform(0.03, 0.3, constructs)
    cost = rng.integers(1, 5, strata) if costs else None
    return of_total(sizes, deviations, (widths / 1.96) ** 2, cost=cost)


@settings(max_examples=60, deadline=None)
@given(problems(costs=True))
def test_certificate_integer_plan_and_rounded_up_plan_are_in_order(problem):
    optimum = least_cost(problem)
    n, up = whole_labels(problem, optimum), rounded_up(problem, optimum)
    assert problem.meets(n)
    assert problem.meets(up)
    assert (n == n.round()).all()
    assert (problem.least <= n).all()
    assert (n <= problem.most).all()
    bound = certificate(problem.cost, optimum.bound)
    assert optimum.bound <= bound + 1e-6
    assert bound <= problem.spend(n) <= problem.spend(up)


@settings(max_examples=60, deadline=None)
@given(problems(costs=True), st.randoms(use_true_random=False))
def test_permuting_strata_permutes_the_plan(problem, random):
    mixed = list(range(len(problem.cost)))
    random.shuffle(mixed)
    names = ("variance", "cost", "least", "most")
    other = replace(problem, **{name: getattr(problem, name)[mixed] for name in names})
    plans = []
    for each in (problem, other):
        ordered, order = each.ordered()
        n = np.empty(len(order))
        n[order] = whole_labels(ordered, least_cost(ordered))
        plans.append(n)
    assert plans[0][mixed].tolist() == plans[1].tolist()


@settings(max_examples=60, deadline=None)
@given(problems(), st.integers(0, 2))
def test_halving_a_target_never_lowers_the_total(problem, place):
    tighter = problem.allowed.copy()
    tighter[place % len(tighter)] /= 4
    halved = replace(problem, allowed=tighter)
    before, after = (least_cost(each) for each in (problem, halved))
    assert before.bound <= after.bound * (1 + 1e-9)
    assert whole_labels(problem, before).sum() <= whole_labels(halved, after).sum()


@settings(max_examples=60, deadline=None)
@given(problems(), st.integers(0, 5))
def test_merging_identical_strata_changes_nothing(problem, place):
    # A stratum in two halves: each has half the share, so a quarter of the variance of one label.
    problem = replace(problem, least=np.zeros(len(problem.cost)) + 1e-9)
    h = place % len(problem.cost)
    names = ("cost", "least", "most")
    twice = {n: np.append(getattr(problem, n), getattr(problem, n)[h]) for n in names}
    for name in ("least", "most"):
        twice[name][[h, -1]] /= 2
    variance = np.vstack([problem.variance, problem.variance[h]])
    variance[[h, -1]] /= 4
    split = replace(problem, variance=variance, **twice)
    one, two = least_cost(problem), least_cost(split)
    assert two.bound == pytest.approx(one.bound, rel=1e-7)
    assert two.n[h] + two.n[-1] == pytest.approx(one.n[h], rel=1e-3, abs=1e-3)


@settings(max_examples=25, deadline=None)
@given(problems(most_strata=4, costs=True))
def test_the_dual_agrees_with_a_general_solver(problem):
    optimum = least_cost(problem)
    scale = problem.cost.sum()
    primal = minimize(
        lambda n: problem.cost @ n / scale,
        problem.most,
        jac=lambda _: problem.cost / scale,
        bounds=list(zip(problem.least, problem.most, strict=True)),
        constraints={"type": "ineq", "fun": lambda n: 1 - problem.use(n)},
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    if primal.success:
        assert optimum.bound <= primal.fun * scale * (1 + 1e-6) + 1e-6
    reached = np.where(problem.use(optimum.n) > 0, problem.use(optimum.n), 0)
    assert (reached <= 1 + 1e-4).all()
    assert problem.spend(optimum.n) == pytest.approx(optimum.bound, rel=1e-4)


@settings(max_examples=25, deadline=None)
@given(problems(most_strata=3))
def test_the_plan_is_within_two_labels_of_an_exhaustive_search(problem):
    problem = replace(problem, most=np.minimum(problem.most, 60), fixed=problem.fixed * 0)
    problem = replace(problem, allowed=np.maximum(problem.allowed, problem.use(problem.most)))
    problem = replace(problem, allowed=problem.allowed * 1.5)
    optimum = least_cost(problem)
    n = whole_labels(problem, optimum)
    axes = [np.arange(2, int(most) + 1) for most in problem.most]
    every = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, len(axes)).astype(float)
    use = ((1 / every) @ problem.variance + problem.fixed) / problem.allowed
    best = every[(use <= 1 + 1e-9).all(1)].sum(1).min()
    assert best <= n.sum() <= best + 2


@settings(max_examples=40, deadline=None)
@given(problems(), st.integers(0, 400))
def test_a_budget_is_kept_and_more_is_no_worse(problem, extra):
    budget = float(problem.least.sum() + extra)
    first, more = (within_budget(problem, b) for b in (budget, budget * 2))
    assert problem.spend(first) <= budget + 1e-6
    assert (first >= problem.least).all()
    assert worst(problem, more) <= worst(problem, first) + 1e-9
    if extra == 0:
        assert first.tolist() == problem.least.tolist()
