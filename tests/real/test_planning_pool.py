"""Planning on openai/moderation-api-release (f4ab51b5edd3), 1,680 prompts with labels by people.

Prevalence differs by stratum, and which constructs were labelled depends on the stratum. The data
have no judge: one is simulated from people's labels, with sensitivity .8 and specificity .97, so
the kappas say nothing about any judge. Pool, strata, prevalences and gaps are real.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.coefficients import cohen_kappa

pytestmark = pytest.mark.real

SENSITIVITY, SPECIFICITY = 0.8, 0.97
LABELLED = {
    "sexual": 984,
    "hate": 771,
    "sexual_minors": 994,
    "violence": 1450,
    "hate_threatening": 761,
    "harassment": 1444,
    "self_harm": 1447,
    "violence_graphic": 1447,
}


@pytest.fixture(scope="module")
def people(shared_data):
    """One row per prompt: people's labels, empty where nobody was asked, and the stratum."""
    frame = pd.read_csv(shared_data / "openai_moderation.csv.gz")
    wide = frame.pivot_table(index="item_id", columns="construct", values="label")
    wide["stratum"] = frame.drop_duplicates("item_id").set_index("item_id")["stratum"]
    return wide.reset_index()


@pytest.fixture(scope="module")
def pool(people):
    """Labels of the simulated judge where people labelled; `other` marks the smaller strata."""
    rng = np.random.default_rng(0)
    made = people[["item_id"]].assign(other=(people["stratum"] != "all8").astype(int))
    for name in LABELLED:
        flag = rng.random(len(people)) < np.where(people[name] == 1, SENSITIVITY, 1 - SPECIFICITY)
        made[name] = np.where(people[name].notna(), flag, np.nan)
    return made


def schema_of(name):
    return {"constructs": {name: {"categories": [0, 1], "present": [1]}}}


def labels_of(people, name, items):
    rows = people.loc[people["item_id"].isin(items), ["item_id", name]].dropna()
    rows = rows.rename(columns={name: "label"}).astype({"label": int})
    rows = rows.assign(construct=name, rater_id="people", rater_kind="human")
    return tk.read_labels(rows, schema_of(name), overlap=False)


def strata_of(pool, name):
    part = pool[["item_id", "other", name]].dropna().astype({name: int})
    split = {"scores": "other", "quantiles": [0.02]} if part["other"].any() else {}
    return part, tk.strata(part, [name], schema=schema_of(name), **split)


def true_kappa(people, pool, name):
    known = people[name].notna()
    table = pd.crosstab(people.loc[known, name], pool.loc[known, name])
    return float(cohen_kappa(table.to_numpy(dtype=float)))


def test_a_stratum_has_fourteen_times_the_prevalence_of_another(people):
    # README of the data: 47 of 755, 3 of 678.
    by_stratum = people.groupby("stratum")["self_harm"].agg(["sum", "count"])
    assert by_stratum.loc["all8"].tolist() == [47, 755]
    assert by_stratum.loc["V+HR+SH+V2"].tolist() == [3, 678]


def test_a_plan_for_all_constructs_covers_less_than_half_of_the_pool_and_says_so(pool):
    whole = pool.astype(dict.fromkeys(LABELLED, "Int64"))
    st = tk.strata(whole, list(LABELLED))
    assert st.total == 755
    assert st.left_out == {"no_judge_label": 925}


@pytest.mark.parametrize("name", list(LABELLED))
def test_each_construct_is_planned_on_what_was_labelled_on_it(people, pool, name):
    part, st = strata_of(pool, name)
    assert st.total == LABELLED[name]
    pilot = labels_of(people, name, part.sample(frac=0.3, random_state=1)["item_id"])
    plan = tk.plan_for_targets(st, pilot, {name: 0.1})
    shown = plan.comparison.set_index("design")["labels"]
    assert plan.certificate <= plan.total <= plan.certificate + 1
    assert plan.total < shown["simple random"]
    batch = tk.draw(plan, part, seed=2)
    made = tk.weighted_kappa(labels_of(people, name, batch["item_id"]), batch, draws=2_000)
    assert "labels_missing" not in made.flags
    assert abs(made.estimate - true_kappa(people, pool, name)) < 0.2


def test_the_estimate_covers_the_pool_that_was_labelled(people, pool):
    part, st = strata_of(pool, "self_harm")
    pilot = labels_of(people, "self_harm", part["item_id"])
    plan = tk.plan_for_targets(st, pilot, {"self_harm": 0.1})
    truth, covered = true_kappa(people, pool, "self_harm"), []
    for seed in range(20):
        batch = tk.draw(plan, part, seed=seed)
        labels = labels_of(people, "self_harm", batch["item_id"])
        made = tk.weighted_kappa(labels, batch, draws=500)
        covered.append(made.low <= truth <= made.high)
    # At .95 fewer than 16 of 20 have probability .003.
    assert sum(covered) >= 16


def test_a_pilot_of_the_dense_stratum_alone_is_said_to_stand_in_for_the_others(people, pool):
    _, st = strata_of(pool, "self_harm")
    dense = people.loc[people["stratum"] == "all8", "item_id"]
    plan = tk.plan_for_targets(st, labels_of(people, "self_harm", dense), {"self_harm": 0.1})
    assert any("The pilot has no label on self_harm in" in text for text in plan.assumptions)


def test_strata_that_nobody_labelled_leave_the_pools_kappa_undefined(people, pool):
    # A judge for all 1,680 prompts; people were asked about hate in 771 of them, by stratum.
    flag = np.random.default_rng(3).random(len(pool)) < 1 - SPECIFICITY
    known = pool["hate"].notna()
    whole = pool[["item_id"]].assign(hate=np.where(known, pool["hate"], flag).astype(int))
    whole["other"] = people["stratum"].isin(["V+HR+SH+V2", "S+S3", "S3"]).astype(int)
    st = tk.strata(whole, ["hate"], scores="other", quantiles=[0.02])
    plan = tk.plan_for_targets(st, labels_of(people, "hate", whole["item_id"]), {"hate": 0.1})
    assert any("The pilot has no label on hate in" in text for text in plan.assumptions)
    batch = tk.draw(plan, whole, seed=1)
    made = tk.weighted_kappa(labels_of(people, "hate", batch["item_id"]), batch)
    assert np.isnan(made.estimate)
    assert "stratum_without_labels" in made.reasons
    assert "labels_missing" in made.flags
