"""tk.draw: items drawn without replacement within strata, and weights that belong to one pool."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit import planning
from toolkit.errors import PlanError
from toolkit.planning.draw import blind, draw
from toolkit.planning.replan import replan
from toolkit.planning.weighted import weighted_kappa

SCHEMA = {"constructs": {"tone": {"categories": [0, 1], "present": [1]}}}


@pytest.fixture(scope="module")
def pool():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"item_id": [f"{i:04d}" for i in range(2_000)]})
    frame["tone"] = (rng.random(2_000) < 0.1).astype(int)
    frame["text"] = "text of " + frame["item_id"]
    return frame


@pytest.fixture(scope="module")
def plan(pool):
    rows = [("tone=0", 0, 97), ("tone=0", 1, 3), ("tone=1", 0, 20), ("tone=1", 1, 30)]
    pilot = pd.DataFrame(rows, columns=["stratum", "label", "count"]).assign(construct="tone")
    return planning.plan_for_targets(planning.strata(pool, ["tone"]), pilot, {"tone": 0.1})


def people(batch, share=0.8):
    """Labels of a person who agrees with most of the judge's labels."""
    rng = np.random.default_rng(1)
    agrees = rng.random(len(batch)) < share
    label = np.where(agrees, batch["judge_tone"], 1 - batch["judge_tone"])
    frame = batch[["item_id"]].assign(construct="tone", rater_id="ann", rater_kind="human")
    return frame.assign(label=label)


def test_every_stratum_gets_its_number_and_no_item_twice(plan, pool):
    batch = draw(plan, pool, seed=7, keep=["text"])
    planned = plan.allocation.set_index("stratum")["n"]
    assert batch["stratum"].value_counts().to_dict() == planned.to_dict()
    assert batch["item_id"].is_unique
    assert (batch["text"] == "text of " + batch["item_id"]).all()
    judged = pool.set_index("item_id")["tone"].reindex(batch["item_id"])
    assert (batch["judge_tone"].to_numpy() == judged.to_numpy()).all()


def test_weights_sum_to_the_pool_and_are_inverse_probabilities(plan, pool):
    batch = draw(plan, pool, seed=7)
    assert batch["design_weight"].sum() == pytest.approx(2_000)
    assert (batch["design_weight"] * batch["inclusion_probability"]).to_numpy() == pytest.approx(1)


def test_seed_decides_and_the_order_of_the_pool_does_not(plan, pool):
    batch = draw(plan, pool, seed=7)
    shuffled = draw(plan, pool.sample(frac=1, random_state=3), seed=7)
    pd.testing.assert_frame_equal(batch, shuffled)
    assert set(draw(plan, pool, seed=8)["item_id"]) != set(batch["item_id"])


def test_order_of_the_batch_says_nothing_of_the_stratum(plan, pool):
    places = [
        np.mean(np.flatnonzero(draw(plan, pool, seed=seed)["stratum"] == "tone=1")) / plan.total
        for seed in range(20)
    ]
    # Mean place of uniform ranks is 1/2 with a standard error below .01 here.
    assert np.mean(places) == pytest.approx(0.5, abs=0.03)


def test_every_item_of_a_stratum_is_as_likely(plan, pool):
    draws = 100
    drawn = pd.concat([draw(plan, pool, seed=seed) for seed in range(draws)])
    for stratum, part in drawn.groupby("stratum"):
        share = part["inclusion_probability"].iloc[0]
        size = part["stratum_size"].iloc[0]
        counts = part["item_id"].value_counts().to_numpy()
        squares = ((counts - draws * share) ** 2).sum() + (size - len(counts)) * (
            draws * share
        ) ** 2
        # Chi squared by its degrees of freedom is 1 with an error of sqrt(2 / size).
        ratio = squares / (draws * share * (1 - share)) / (size - 1)
        assert ratio == pytest.approx(1, abs=5 * np.sqrt(2 / size)), stratum


def test_the_labelling_side_sees_neither_stratum_nor_judge(plan, pool):
    batch = draw(plan, pool, seed=7, keep=["text"])
    assert blind(batch).columns.tolist() == ["item_id", "text"]


def test_another_pool_is_refused(plan, pool):
    with pytest.raises(PlanError, match="other items"):
        draw(plan, pool.iloc[1:])
    with pytest.raises(PlanError, match="other items"):
        draw(plan, pd.concat([pool, pool.head(1).assign(item_id="new")]))
    with pytest.raises(PlanError, match="judge's labels are others"):
        draw(plan, pool.assign(tone=1 - pool["tone"]))


def test_unknown_columns_and_plans_are_refused(plan, pool):
    with pytest.raises(PlanError, match="did you mean 'text'"):
        draw(plan, pool, keep=["txt"])
    with pytest.raises(PlanError, match="no plan"):
        draw({"tone=0": 3}, pool)
    with pytest.raises(tk.ToolkitError):
        draw(plan, pool, seed=-1)


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b.iloc[1:],
        lambda b: b.assign(item_id=b["item_id"].to_numpy()[::-1]),
        lambda b: b.assign(stratum_size=b["stratum_size"] * 2),
        lambda b: b.assign(pool_sha256="0" * 64),
    ],
)
def test_a_batch_that_was_changed_is_refused(plan, pool, change):
    batch = draw(plan, pool, seed=7)
    labels = tk.read_labels(people(batch), SCHEMA, overlap=False)
    with pytest.raises(PlanError, match="not as it was drawn"):
        weighted_kappa(labels, change(batch))


def test_a_batch_survives_a_csv_file_with_its_judge(plan, pool, tmp_path):
    batch = draw(plan, pool, seed=7)
    labels = tk.read_labels(people(batch), SCHEMA, overlap=False)
    made = weighted_kappa(labels, batch)
    batch.to_csv(tmp_path / "batch.csv", index=False)
    assert weighted_kappa(labels, tmp_path / "batch.csv") == made
    assert made.flags == ()
    with pytest.raises(PlanError, match="dtype"):  # 0001 became 1
        weighted_kappa(labels, pd.read_csv(tmp_path / "batch.csv"))


def test_a_wave_alone_is_no_design(plan, pool):
    first = draw(plan, pool, seed=7)
    labels = tk.read_labels(people(first), SCHEMA, overlap=False)
    more = replan(plan, labels, designs=first, targets={"tone": 0.08})
    second = draw(more, pool, seed=8)
    assert not set(first["item_id"]) & set(second["item_id"])
    assert (second["wave"] == 2).all()
    both = tk.read_labels(pd.concat([people(first), people(second)]), SCHEMA, overlap=False)
    with pytest.raises(PlanError, match="lacks a wave"):
        weighted_kappa(both, second)
    pooled = weighted_kappa(both, [first, second])
    assert pooled.n == len(first) + len(second)
    assert weighted_kappa(both, pd.concat([first, second])) == pooled


def test_a_lost_stratum_is_noticed_across_waves(plan, pool):
    batch = draw(plan, pool, seed=7)
    labels = tk.read_labels(people(batch), SCHEMA, overlap=False)
    other = plan.strata.names[0]
    with pytest.raises(PlanError, match="not as it was drawn"):
        weighted_kappa(labels, batch[batch["stratum"] != other])
