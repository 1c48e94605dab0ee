"""What is wrong with a pool or a pilot is said in the planner's own words, with an example."""

from __future__ import annotations

import traceback

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import LabelError, PlanError
from toolkit.planning.pool import EXAMPLE

POOL = pd.DataFrame({"item_id": range(200), "tone": [0] * 150 + [1] * 50, "kind": [0, 1] * 100})
LABELS = pd.DataFrame({"item_id": range(0, 200, 2), "rater_id": "ann", "construct": "tone"})
LABELS["label"] = [0] * 70 + [1] * 30
# Options of the reader of label tables, which nobody gave.
FOREIGN = ("construct=", "rater=", "wide=", "overlap", "cluster", "sitting", "'rater_id'")


def refused(pool, constructs="tone", **options):
    with pytest.raises(PlanError) as caught:
        tk.strata(pool, constructs, **options)
    shown = "".join(traceback.format_exception(caught.value))
    assert not [word for word in FOREIGN if word in shown.replace("constructs=", "")]
    assert "Example: " in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("pool", "what"),
    [
        (POOL.drop(columns="item_id"), "the pool has no column 'item_id' (pool). Got: ['tone', '"),
        (POOL.head(0), "the table has no rows (pool)"),
        (pd.DataFrame(), "the table has no rows (pool)"),
        ("nowhere.csv", "the file can't be read: No such file or directory (pool)"),
        ("pool.txt", "unknown kind of file (pool). Got: 'pool.txt'. Allowed: '.csv'"),
        ([{"item_id": "a", "tone": 1}], "a pool can't be read from this (pool). Got: 'list'"),
        (None, "a pool can't be read from this (pool). Got: 'NoneType'"),
        (POOL.assign(tone=None), "the judge has no label on any item (constructs)"),
        (POOL.assign(tone=np.linspace(0, 1, 200)), "the judge has 200 different labels on 'tone'"),
        (pd.concat([POOL, POOL.head(3)]), "an item has several rows (3 too many) (pool)"),
    ],
)
def test_a_pool_that_can_not_be_read_is_refused_with_an_example(pool, what):
    assert what in refused(pool)


def test_a_table_with_one_row_per_label_is_refused_as_a_pool():
    with pytest.raises(PlanError, match="the pool has a column 'rater_id'") as caught:
        tk.strata(LABELS, ["tone"])
    assert "one row per item" in str(caught.value)


@pytest.mark.parametrize("constructs", [None, 3, [], ["tone", 3], ["tone", "tone"]])
def test_constructs_that_are_no_names_are_refused(constructs):
    assert "constructs are the judge's columns" in refused(POOL, constructs)


def test_the_construct_that_was_meant_is_named():
    said = refused(POOL, ["tonne", "kind"])
    assert "on a construct, did you mean 'tone'? (constructs). Got: 'tonne'." in said
    assert "Allowed: 'tone', 'kind'" in said


def test_the_example_of_a_pool_works():
    assert tk.strata(*_call(EXAMPLE)).sizes.tolist() == [1, 1]


def _call(example):
    """Arguments of the call that an example shows."""
    return eval(example.replace("tk.strata(", "(").replace("constructs=", ""), {"pd": pd})  # noqa: S307


@pytest.mark.parametrize("option", ["scores", "cost"])
def test_a_column_that_was_meant_is_named(option):
    pool = POOL.assign(minutes=2.0)
    said = refused(pool, **{option: "minuts"})
    assert f"the pool has no column of this name, did you mean 'minutes'? ({option})" in said
    assert "Allowed: 'item_id', 'kind', 'minutes'" in said


@pytest.mark.parametrize("cost", [3, {"tone=0": "dear"}, {"tone=1": -1}])
def test_costs_that_are_none_are_refused(cost):
    assert "costs are numbers above 0" in refused(POOL, cost=cost)


def test_labels_that_do_not_fit_the_schema_keep_their_place():
    schema = {"constructs": {"tone": {"categories": [0, 1]}}}
    with pytest.raises(LabelError, match=r"unknown label for construct 'tone'.*index 3"):
        tk.strata(POOL.assign(tone=[0, 1, 0, 7] * 50), ["tone"], schema=schema)


def test_a_label_outside_a_declared_scale_of_many_categories_is_named():
    schema = {"constructs": {"tone": {"kind": "ordinal", "categories": list(range(101))}}}
    typo = POOL.assign(tone=[*[n % 101 for n in range(199)], 1_000])
    with pytest.raises(LabelError, match=r"unknown label for construct 'tone'.*Got: 1000"):
        tk.strata(typo, ["tone"], schema=schema)


def test_an_unknown_label_is_named_before_repeated_items():
    schema = {"constructs": {"tone": {"categories": [0, 1]}}}
    twice = pd.concat([POOL, POOL.head(3)], ignore_index=True)
    assert "an item has several rows (3 too many)" in refused(twice, schema=schema)
    with pytest.raises(LabelError, match=r"unknown label for construct 'tone'.*Got: 7"):
        tk.strata(twice.assign(tone=[0, 1] * 101 + [7]), ["tone"], schema=schema)


def test_another_pool_is_refused_by_the_draw_in_the_same_words():
    pilot = tk.read_labels(LABELS, overlap=False)
    plan = tk.plan_for_budget(tk.strata(POOL, ["tone"]), pilot, 80)
    with pytest.raises(PlanError, match="no column with the judge's label on a construct"):
        tk.draw(plan, POOL.drop(columns="tone"))


@pytest.mark.parametrize("pilot", ["pilot.csv", LABELS, POOL.head(20)])
def test_a_pilot_that_was_not_read_is_refused_with_how_to_read_it(pilot):
    with pytest.raises(PlanError, match="a pilot of labels is read first") as caught:
        tk.plan_for_targets(tk.strata(POOL, ["tone"]), pilot, {"tone": 0.2})
    assert "pilot=tk.read_labels('pilot.csv', overlap=False)" in str(caught.value)


@pytest.mark.parametrize("pilot", [None, [1, 2], 7])
def test_what_is_no_pilot_is_refused_with_an_example(pilot):
    with pytest.raises(PlanError, match="no pilot") as caught:
        tk.plan_for_targets(tk.strata(POOL, ["tone"]), pilot, {"tone": 0.2})
    assert "Example: pilot=tk.read_labels(" in str(caught.value)


def test_a_pilot_of_other_constructs_names_the_one_that_was_meant():
    pilot = tk.read_labels(LABELS.assign(construct="tonne"), overlap=False)
    with pytest.raises(PlanError, match=r"on any construct of the pool, did you mean 'tone'\?"):
        tk.plan_for_targets(tk.strata(POOL, ["tone"]), pilot, {"tone": 0.2})


def test_a_pilot_without_the_construct_names_those_that_it_has():
    pilot = tk.read_labels(LABELS, overlap=False)
    with pytest.raises(PlanError, match="no label by people on 'kind'") as caught:
        tk.plan_for_targets(tk.strata(POOL, ["tone", "kind"]), pilot, {"kind": 0.2})
    assert "Allowed: 'tone'" in str(caught.value)
    assert "Example: labels on 'kind' in the pilot" in str(caught.value)


@pytest.mark.parametrize("given", [POOL, None, "tone"])
def test_what_is_no_strata_is_refused_with_an_example(given):
    with pytest.raises(PlanError, match="no strata") as caught:
        tk.plan_for_targets(given, None, {"tone": 0.2})
    assert "Example: tk.plan_for_targets(tk.strata(" in str(caught.value)
