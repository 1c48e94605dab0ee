"""A share of the items for a second person."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit import planning
from toolkit.coefficients import cohen_kappa
from toolkit.errors import PlanError
from toolkit.planning.double import two_people

SIZES = np.array([4_000.0, 600.0])
SHARES = np.array([[0.98, 0.02], [0.4, 0.6]])


def joint_of_two(people):
    return np.einsum("h,hij->ij", SIZES / SIZES.sum(), two_people(SHARES, SIZES, people, None))


def test_two_people_have_the_kappa_that_is_expected_of_them():
    for people in (0.6, 0.8, 1.0):
        assert float(cohen_kappa(joint_of_two(people))) == pytest.approx(people)


def test_people_agree_at_least_by_what_the_strata_tell():
    # By hand: both say yes with chance .02 (4,000 items) or .6 (600), independently.
    yes = (4_000 * 0.02 + 600 * 0.6) / 4_600
    both = (4_000 * 0.02**2 + 600 * 0.6**2) / 4_600
    least = (both - yes**2) / (yes * (1 - yes))
    assert float(cohen_kappa(joint_of_two(0.01))) == pytest.approx(least)


@pytest.fixture(scope="module")
def pool():
    return pd.DataFrame(
        {"item_id": [f"i{n}" for n in range(4_600)], "tone": [0] * 4000 + [1] * 600}
    )


@pytest.fixture(scope="module")
def st(pool):
    return planning.strata(pool, ["tone"])


@pytest.fixture(scope="module")
def counts(st):
    rows = [
        (stratum, label, 300 * share)
        for stratum, both in zip(st.names, SHARES, strict=True)
        for label, share in enumerate(both)
    ]
    return pd.DataFrame(rows, columns=["stratum", "label", "count"]).assign(construct="tone")


@pytest.fixture(scope="module")
def plan(st, counts):
    return tk.plan_for_targets(st, counts, {"tone": 0.08}, double=0.3, people=0.8)


def test_the_second_readings_are_a_share_of_every_stratum_and_cost(plan, st, counts):
    single = tk.plan_for_targets(st, counts, {"tone": 0.08})
    n, second = plan.allocation["n"], plan.allocation["second"]
    assert n.tolist() == single.allocation["n"].tolist()
    assert second.tolist() == np.ceil(0.3 * n).astype(int).tolist()
    assert plan.cost == n.sum() + second.sum()
    assert plan.certificate <= plan.cost
    assert plan.sha256 != single.sha256
    assert single.people is None


def test_the_ceiling_is_planned_and_reported(plan):
    row = plan.people.iloc[0]
    assert row["kappa"] == pytest.approx(0.8)
    assert 0.08 < row["half_width"] < 0.25
    assert "A second person labels" in plan.assumptions[-1]
    assert (
        json.loads(json.dumps(plan.to_dict(), allow_nan=False))["people"][0]["construct"] == "tone"
    )
    assert "Between two people" in plan._repr_html_()


def test_more_second_readings_narrow_the_ceiling(st, counts, plan):
    more = tk.plan_for_targets(st, counts, {"tone": 0.08}, double=1)
    assert more.people["half_width"][0] < plan.people["half_width"][0]
    assert (more.allocation["second"] == more.allocation["n"]).all()


def test_the_planned_width_of_the_ceiling_is_the_realised_one(plan, pool):
    # People's kappa of the pool from the items with both labels, by the batch's weights.
    rng = np.random.default_rng(1)
    widths, found = [], []
    for seed in range(6):
        batch = tk.draw(plan, pool, seed=seed)
        tables = two_people(SHARES, SIZES, 0.8, None)[batch["judge_tone"]]
        cell = (rng.random(len(batch))[:, None] > tables.reshape(-1, 4).cumsum(1)).sum(1)
        ann = batch[["item_id"]].assign(label=cell // 2, rater_id="ann")
        ben = batch[["item_id"]].assign(label=cell % 2, rater_id="ben")[batch["second"]]
        frame = pd.concat([ann, ben]).assign(construct="tone", rater_kind="human")
        labels = tk.read_labels(frame, overlap=False)
        made = tk.weighted_kappa(labels, batch, judge="ben", reference="ann", draws=500)
        assert made.n == batch["second"].sum()
        widths.append((made.high - made.low) / 2)
        found.append(made.estimate)
    assert np.mean(widths) == pytest.approx(plan.people["half_width"][0], rel=0.25)
    assert np.mean(found) == pytest.approx(0.8, abs=0.1)


def test_the_batch_marks_them_and_the_labeller_does_not_see_it(plan, pool):
    batch = tk.draw(plan, pool, seed=1)
    marked = batch.groupby("stratum")["second"].sum().to_dict()
    assert marked == plan.allocation.set_index("stratum")["second"].to_dict()
    assert "second" not in planning.blind(batch)


@pytest.mark.parametrize(
    "options", [{"double": 0}, {"double": 1.5}, {"double": True}, {"double": 0.1, "people": 2}]
)
def test_shares_that_do_not_fit_are_refused(st, counts, options):
    with pytest.raises(PlanError, match=r"no share of doubly labelled items|no kappa of people"):
        tk.plan_for_targets(st, counts, {"tone": 0.08}, **options)
