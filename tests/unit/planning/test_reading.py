"""Constructs that are read at different cost, and not all on every item."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy.optimize import minimize

import toolkit as tk
from toolkit import planning
from toolkit.errors import PlanError
from toolkit.planning import reading_assurance
from toolkit.planning.allocation import Problem, least_cost
from toolkit.planning.reading import least_reading_cost, spend, use, whole_readings

TARGETS = {"escalation": 0.15, "self_harm": 0.06}


def problem(seed, strata=3, constructs=2):
    rng = np.random.default_rng(seed)
    variance = rng.uniform(0.01, 1, (strata, constructs))
    most = rng.integers(200, 900, strata).astype(float)
    allowed = (variance / most[:, None]).sum(0) * rng.uniform(2, 8, constructs)
    least = np.full(strata, 2.0)
    zero = np.zeros(constructs)
    return Problem(variance, zero, allowed, rng.uniform(0.5, 2, strata), least, most), rng


@settings(max_examples=40)
@given(some.integers(0, 10_000))
def test_the_bound_whole_readings_and_their_targets_are_in_order(seed):
    asked, rng = problem(seed)
    price = rng.uniform(0, 3, 2)
    found = least_reading_cost(asked, price)
    reads = whole_readings(asked, price, found)
    assert (use(asked, reads) <= 1 + 1e-9).all()
    assert (reads >= asked.least[:, None]).all()
    assert (reads <= asked.most[:, None]).all()
    assert found.bound <= spend(asked, price, reads) + 1e-6
    # No more than everything that is read on every item, in whole numbers.
    every = Problem(*vars(asked).values())
    whole = np.ceil(least_cost(every).n + 1e-9)
    assert found.bound <= spend(asked, price, np.repeat(whole[:, None], 2, axis=1)) + 1e-6


def test_free_readings_give_the_plan_for_items():
    asked, _ = problem(1)
    assert least_reading_cost(asked, np.zeros(2)).bound == pytest.approx(least_cost(asked).bound)


def test_free_items_give_a_plan_for_each_construct():
    asked, _ = problem(2)
    cheap = Problem(*{**vars(asked), "cost": np.full(3, 1e-9)}.values())
    alone = [
        least_cost(
            Problem(
                asked.variance[:, [c]],
                asked.fixed[[c]],
                asked.allowed[[c]],
                np.ones(3),
                asked.least,
                asked.most,
            )
        ).bound
        for c in range(2)
    ]
    assert least_reading_cost(cheap, np.ones(2)).bound == pytest.approx(sum(alone), rel=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_a_general_solver_agrees(seed):
    asked, rng = problem(seed)
    price = rng.uniform(0.1, 3, 2)
    found = least_reading_cost(asked, price)
    # Unknowns: 3 numbers of items, then 6 of readings.
    bounds = list(zip(np.repeat(asked.least, 3), np.repeat(asked.most, 3), strict=True))
    order = [*range(0, 9, 3), *np.repeat(np.arange(3) * 3, 2)]
    answer = minimize(
        lambda x: asked.cost @ x[:3] + (x[3:].reshape(3, 2) @ price).sum(),
        np.concatenate([asked.most, np.repeat(asked.most, 2)]),
        bounds=[bounds[i] for i in order],
        constraints=[
            {"type": "ineq", "fun": lambda x: 1 - use(asked, x[3:].reshape(3, 2))},
            {"type": "ineq", "fun": lambda x: (x[:3, None] - x[3:].reshape(3, 2)).ravel()},
        ],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    assert answer.success
    assert found.bound == pytest.approx(answer.fun, rel=1e-5)


@pytest.fixture(scope="module")
def pool():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"item_id": [f"i{n}" for n in range(6_000)]})
    return frame.assign(
        escalation=(rng.random(6_000) < 0.06).astype(int),
        self_harm=(rng.random(6_000) < 0.25).astype(int),
    )


@pytest.fixture(scope="module")
def st(pool):
    return planning.strata(pool, list(TARGETS))


@pytest.fixture(scope="module")
def counts(st):
    rows = []
    for c, (name, (missed, right)) in enumerate(
        {"escalation": (0.02, 0.5), "self_harm": (0.03, 0.9)}.items()
    ):
        for h, stratum in enumerate(st.names):
            share = right if st.judge[h, c] else missed
            rows += [(stratum, name, 1, 200 * share), (stratum, name, 0, 200 * (1 - share))]
    return pd.DataFrame(rows, columns=["stratum", "construct", "label", "count"])


@pytest.fixture(scope="module")
def plan(st, counts):
    prices = {"escalation": 4, "self_harm": 1}
    return tk.plan_for_targets(st, counts, TARGETS, reading_cost=prices)


def test_a_dear_construct_is_read_on_fewer_items(plan):
    n = plan.allocation
    assert n["read_escalation"].sum() < n["n"].sum()
    assert (n[["read_escalation", "read_self_harm"]].max(axis=1) == n["n"]).all()
    assert plan.cost == n["n"].sum() + 4 * n["read_escalation"].sum() + n["read_self_harm"].sum()
    assert plan.certificate <= plan.cost < plan.certificate + 10
    assert (plan.half_width["planned"] <= plan.half_width["target"] + 1e-9).all()
    assert (plan.half_width["low"] < plan.half_width["high"]).all()
    assert "To read them on every item would cost" in plan.assumptions[-1]
    assert plan.shadow_price["words"].str.contains("of cost|for free").all()


def test_the_batch_says_where_a_construct_is_read_and_the_estimate_uses_that(plan, pool):
    batch = tk.draw(plan, pool, seed=3)
    read = batch.groupby("stratum")["read_escalation"].sum()
    assert read.to_dict() == plan.allocation.set_index("stratum")["read_escalation"].to_dict()
    assert "read_escalation" in tk.planning.blind(batch)
    long = [
        batch.loc[batch[f"read_{name}"], ["item_id"]].assign(
            construct=name, label=batch[f"judge_{name}"], rater_id="ann", rater_kind="human"
        )
        for name in TARGETS
    ]
    labels = tk.read_labels(pd.concat(long), plan.strata.schema, overlap=False)
    for name in TARGETS:
        made = tk.weighted_kappa(labels, batch, name, draws=500)
        assert made.n == batch[f"read_{name}"].sum()
        assert made.estimate == 1
        unread = int((~batch[f"read_{name}"]).sum())
        assert made.left_out == ({"not_read": unread} if unread else {})
        assert "labels_missing" not in made.flags
    with pytest.raises(PlanError, match="reading costs is not planned"):
        tk.replan(plan, labels)


def test_a_construct_without_target_is_not_read(st, counts):
    plan = tk.plan_for_targets(st, counts, {"self_harm": 0.06}, reading_cost={"self_harm": 1})
    assert "read_escalation" not in plan.allocation
    assert plan.half_width.set_index("construct")["planned"].isna().to_dict() == {
        "escalation": True,
        "self_harm": False,
    }


def test_a_batch_says_that_a_construct_without_target_is_read_nowhere(st, counts, pool):
    plan = tk.plan_for_targets(st, counts, {"self_harm": 0.06}, reading_cost={"self_harm": 1})
    batch = tk.draw(plan, pool, seed=3)
    assert batch["read_self_harm"].all()
    assert batch["read_escalation"].dtype == bool
    assert not batch["read_escalation"].any()
    every = tk.draw(tk.plan_for_targets(st, counts, {"self_harm": 0.06}), pool, seed=3)
    assert not [name for name in every if name.startswith("read_")]


def labels_of(batch, plan, items):
    rows = batch[items].assign(construct="escalation", label=batch["judge_escalation"])
    people = rows[["item_id", "construct", "label"]].assign(rater_id="ann", rater_kind="human")
    return tk.read_labels(people, plan.strata.schema, overlap=False)


def test_items_that_were_not_to_be_read_are_not_missing_and_those_to_be_read_are(plan, pool):
    batch = tk.draw(plan, pool, seed=3)
    to_read = batch["read_escalation"]
    lost = batch.index == np.flatnonzero(to_read)[5]
    made = tk.weighted_kappa(labels_of(batch, plan, to_read & ~lost), batch, draws=200)
    assert made.left_out == {"no_reference_label": 1, "not_read": int((~to_read).sum())}
    assert "labels_missing" in made.flags
    every = tk.weighted_kappa(labels_of(batch, plan, to_read | True), batch, draws=200)
    assert (every.n, every.left_out) == (len(batch), {})


def test_a_column_of_readings_that_says_neither_is_refused(plan, pool):
    batch = tk.draw(plan, pool, seed=3)
    labels = labels_of(batch, plan, batch["read_escalation"])
    unclear = batch.assign(read_escalation=batch["read_escalation"].map({True: "x", False: "y"}))
    with pytest.raises(PlanError, match="a construct is read on an item or it is not"):
        tk.weighted_kappa(labels, unclear, draws=200)


def test_a_construct_that_is_read_nowhere_is_named(plan, pool):
    batch = tk.draw(plan, pool, seed=3)
    labels = tk.read_labels(
        pd.DataFrame(
            [(i, name, r, k, 0) for i in batch["item_id"].head(9) for name, r, k in (
                ("escalation", "gpt", "judge"), ("self_harm", "ann", "human"))],
            columns=["item_id", "construct", "rater_id", "rater_kind", "label"],
        ),
        plan.strata.schema,
        overlap=False,
    )  # fmt: skip
    with pytest.raises(PlanError, match="reads this construct on no drawn item"):
        tk.weighted_kappa(labels, batch.assign(read_escalation=False), "escalation", "gpt", "ann")


def test_readings_whose_search_finds_none_are_those_of_a_census_if_that_is_enough(
    st, counts, monkeypatch
):
    monkeypatch.setattr(reading_assurance, "MOST_ROUNDS", 1)
    prices = {"escalation": 4, "self_harm": 1}
    made = tk.plan_for_targets(st, counts, TARGETS, reading_cost=prices, assurance=0.9)
    assert made.assured >= 0.9
    assert "census" in made.warnings[0]


def test_readings_near_a_census_keep_the_chance_or_say_what_a_census_has(st, counts):
    options = {"reading_cost": {"escalation": 4}, "estimand": "deployment"}
    widths = tk.plan_for_budget(st, counts, 6_000, estimand="deployment").half_width
    least = widths.set_index("construct")["planned"]["escalation"]
    made = tk.plan_for_targets(st, counts, {"escalation": least * 1.03}, assurance=0.9, **options)
    assert made.assured >= 0.9
    with pytest.raises(PlanError, match=r"an assurance below 0\.\d\d\d, their chance"):
        tk.plan_for_targets(st, counts, {"escalation": least * 1.001}, assurance=0.9, **options)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"reading_cost": {}}, "reading costs are numbers by construct"),
        ({"reading_cost": {"escalation": -1}}, "no reading cost"),
        ({"reading_cost": {"tone": 1}}, "construct without target"),
        ({"reading_cost": {"escalation": 1}, "assurance": 90}, "assurance is no chance"),
    ],
)
def test_reading_costs_that_do_not_fit_are_refused(st, counts, options, what):
    with pytest.raises(PlanError, match=what):
        tk.plan_for_targets(st, counts, TARGETS, **options)


def test_a_second_person_with_reading_costs_is_refused_and_what_is_possible_is_named(st, counts):
    with pytest.raises(PlanError, match="not planned together with reading costs") as caught:
        tk.plan_for_targets(st, counts, TARGETS, reading_cost={"escalation": 1}, double=0.1)
    assert "double without reading_cost" in str(caught.value)
    assert "reading_cost without double" in str(caught.value)
    assert tk.plan_for_targets(st, counts, TARGETS, double=0.2).people is not None


def test_an_assurance_adds_readings_until_the_chance_is_reached(st, counts, plan):
    prices = {"escalation": 4, "self_harm": 1}
    sure = tk.plan_for_targets(st, counts, TARGETS, reading_cost=prices, assurance=0.9)
    assert sure.assurance == 0.9
    assert 0.9 <= sure.assured < 0.99
    assert plan.cost < sure.cost < 1.6 * plan.cost
    # As for items: no plan that meets the targets on average costs less.
    assert sure.certificate == plan.certificate
    assert any("within their targets with a chance" in text for text in sure.assumptions)
    assert (sure.half_width["planned"] <= sure.half_width["target"] + 1e-9).all()


def test_the_order_of_the_targets_does_not_change_an_assured_plan(st, counts):
    turned = dict(reversed(TARGETS.items()))
    first, second = (
        tk.plan_for_targets(st, counts, given, reading_cost={"escalation": 4}, assurance=0.9)
        for given in (TARGETS, turned)
    )
    assert second.cost == pytest.approx(first.cost, rel=0.02)
    assert second.allocation["read_escalation"].sum() < second.allocation["n"].sum()


def test_an_assurance_that_no_census_reaches_is_refused(st, counts):
    reading = {"reading_cost": {"escalation": 1}, "estimand": "deployment"}
    with pytest.raises(PlanError, match="still wider") as caught:
        tk.plan_for_targets(st, counts, {"escalation": 0.01}, **reading)
    smallest = float(str(caught.value).split("escalation above ")[1].split(";")[0])
    target = {"escalation": smallest * 1.001}
    with pytest.raises(PlanError, match="not even people's labels on the whole pool"):
        tk.plan_for_targets(st, counts, target, **reading, assurance=0.99)
