"""tk.replan: the pooled estimate, what is missing, and the next wave."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit import planning
from toolkit.errors import PlanError
from toolkit.planning.draw import draw
from toolkit.planning.replan import replan
from toolkit.planning.weighted import weighted_kappa

RATES = {"escalation": (0.05, 0.7, 0.97), "self_harm": (0.25, 0.9, 0.98)}
TARGETS = {"escalation": 0.12, "self_harm": 0.08}


class World:
    """A pool of 4,000 items with people's labels apart, and a plan from a poor pilot."""

    def __init__(self):
        rng = np.random.default_rng(3)
        size = 4_000
        self.pool = pd.DataFrame({"item_id": [f"i{i}" for i in range(size)]})
        self.truth = pd.DataFrame({"item_id": self.pool["item_id"]})
        for name, (prevalence, sensitivity, specificity) in RATES.items():
            true = rng.random(size) < prevalence
            flagged = rng.random(size) < np.where(true, sensitivity, 1 - specificity)
            self.pool[name], self.truth[name] = flagged.astype(int), true.astype(int)
        self.strata = planning.strata(self.pool, list(RATES))
        self.plan = planning.plan_for_targets(
            self.strata, self.read(self.pool.sample(160, random_state=1)), TARGETS
        )

    def read(self, items):
        """People's labels of some items."""
        rows = self.truth[self.truth["item_id"].isin(items["item_id"])]
        long = rows.melt("item_id", var_name="construct", value_name="label")
        long = long.assign(rater_id="ann", rater_kind="human")
        return tk.read_labels(long, self.strata.schema, overlap=False)


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.fixture(scope="module")
def first(world):
    return draw(world.plan, world.pool, seed=1)


def test_estimates_are_those_of_weighted_kappa(world, first):
    labels = world.read(first)
    made = replan(world.plan, labels, designs=first)
    for name in RATES:
        assert made.estimates[name] == weighted_kappa(labels, first, name)


def test_waves_go_on_until_all_targets_are_met(world, first):
    looked = replan(
        world.plan, world.read(first), designs=first, targets=dict.fromkeys(RATES, 0.06)
    )
    assert not looked.met
    assert looked.total > 0
    batches = [first]
    for seed in range(2, 8):
        batches.append(draw(looked, world.pool, seed=seed))
        labels = world.read(pd.concat(batches))
        looked = replan(looked, labels, designs=batches)
        if looked.met:
            break
    assert looked.met
    assert looked.total == 0
    assert (looked.constructs["half_width"] <= 0.06).all()
    assert looked.wave == len(batches) + 1
    for name in RATES:
        size = looked.allocation.set_index("stratum")
        assert looked.estimates[name].n == size["read"].sum()


def test_without_designs_labelled_items_are_taken_as_drawn(world, first):
    labels = world.read(first)
    free = replan(world.plan, labels)
    held = replan(world.plan, labels, designs=first)
    pd.testing.assert_frame_equal(free.constructs, held.constructs)
    assert "labels_taken_as_drawn" in free.estimates["escalation"].flags


def test_what_a_construct_lacks_is_at_most_the_next_wave(world, first):
    made = replan(world.plan, world.read(first), designs=first, targets=dict.fromkeys(RATES, 0.06))
    assert made.constructs["lacking"].max() <= made.total
    assert made.constructs.loc[made.constructs["met"], "lacking"].eq(0).all()


def test_a_plan_for_a_budget_is_held_to_the_widths_that_it_promised(world, first):
    plan = planning.plan_for_budget(world.strata, world.plan.pilot, 400)
    made = replan(plan, world.read(first))
    planned = plan.half_width.set_index("construct")["planned"]
    assert made.targets == pytest.approx(planned.to_dict())


def test_the_result_says_what_looking_does(world, first):
    made = replan(world.plan, world.read(first), designs=first)
    assert "fixed-width" in made.looks
    assert json.loads(json.dumps(made.to_dict(), allow_nan=False))["wave"] == 2
    assert made.looks in made._repr_html_()


def test_designs_may_be_files(world, first, tmp_path):
    first.to_csv(tmp_path / "batch.csv", index=False)
    labels = world.read(first)
    made = replan(world.plan, labels, designs=tmp_path / "batch.csv")
    assert made.to_dict() == replan(world.plan, labels, designs=first).to_dict()
    with pytest.raises(PlanError, match="the design can't be read"):
        replan(world.plan, labels, designs="absent.csv")


def test_designs_of_another_pool_are_refused(world, first):
    other = World()
    other.pool["escalation"] = 1 - other.pool["escalation"]
    strata = planning.strata(other.pool, list(RATES))
    plan = planning.plan_for_targets(strata, other.read(other.pool), TARGETS)
    with pytest.raises(PlanError, match="not of the plan's pool"):
        replan(plan, world.read(first), designs=first)
    with pytest.raises(PlanError, match="no plan"):
        replan("plan", world.read(first))
    with pytest.raises(PlanError, match="half-widths"):
        replan(world.plan, world.read(first), targets={"escalation": 2})
