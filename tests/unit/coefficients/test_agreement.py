"""tk.agreement: from labels to one row per construct."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import LabelError, StatisticsError

COLUMNS = [
    "construct", "n", "agreement", "kappa", "low", "high", "kappa_max", "pabak", "ac1",
    "prevalence_reference", "prevalence_judge", "prevalence_index", "bias_index",
    "positive_agreement", "negative_agreement", "weights", "left_out", "reasons", "flags",
]  # fmt: skip
BINARY = {"categories": [0, 1], "present": [1]}


def long(rows, **columns):
    """Rows of item, construct, rater, kind, label."""
    names = ["item_id", "construct", "rater_id", "rater_kind", "label"]
    return pd.DataFrame(rows, columns=names).assign(**columns)


def two_raters(reference, judge, construct="c"):
    rows = []
    for i, (one, other) in enumerate(zip(reference, judge, strict=True)):
        rows += [
            (f"i{i}", construct, "ann", "human", one),
            (f"i{i}", construct, "gpt", "judge", other),
        ]
    return long(rows)


def test_row_of_a_construct_is_what_the_table_gives():
    reference = [1] * 49 + [0] * 51
    judge = [1] * 40 + [0] * 9 + [1] * 6 + [0] * 45
    labels = tk.read_labels(two_raters(reference, judge), schema={"constructs": {"c": BINARY}})
    frame = tk.agreement(labels).to_frame()
    assert list(frame.columns) == COLUMNS
    row, alone = frame.iloc[0], tk.kappa([[45, 6], [9, 40]])
    assert (row["kappa"], row["low"], row["high"]) == (alone.estimate, alone.low, alone.high)
    # Feinstein and Cicchetti 1990, table A, with present last: the indices do not turn round
    assert row["n"] == 100
    assert row["agreement"] == pytest.approx(0.85)
    assert row["prevalence_reference"] == pytest.approx(0.49)
    assert row["prevalence_judge"] == pytest.approx(0.46)
    assert row["prevalence_index"] == pytest.approx(-0.05)
    assert row["bias_index"] == pytest.approx(0.03)
    assert row["positive_agreement"] == pytest.approx(0.842105, abs=1e-6)
    assert row["negative_agreement"] == pytest.approx(0.857143, abs=1e-6)


def test_without_a_declared_present_category_prevalence_is_undefined_with_a_reason():
    frame = two_raters(["no", "yes", "no"] * 10, ["no", "yes", "yes"] * 10)
    row = tk.agreement(tk.read_labels(frame)).to_frame().iloc[0]
    assert math.isnan(row["prevalence_reference"])
    assert math.isnan(row["bias_index"])
    assert "present_not_declared" in row["reasons"]
    assert "order_not_declared" in row["flags"]


def test_a_construct_without_overlap_is_undefined_alone():
    frame = pd.concat(
        [
            two_raters([1, 0, 1, 0], [1, 0, 0, 0], "a"),
            long([("i1", "b", "ann", "human", 1), ("i2", "b", "gpt", "judge", 0)]),
        ]
    )
    result = tk.agreement(tk.read_labels(frame))
    assert not math.isnan(result["a"].kappa.estimate)
    empty = result["b"].kappa
    assert math.isnan(empty.estimate)
    assert math.isnan(empty.low)
    assert "no_overlap" in empty.reasons
    assert empty.left_out == {"no_reference_label": 1, "no_judge_label": 1}


def test_majority_leaves_ties_out_and_counts_them():
    rows = [
        ("i0", "c", "gpt", "judge", 1),
        ("i1", "c", "gpt", "judge", 0),
        ("i2", "c", "gpt", "judge", 0),
    ]
    people = {"ann": [1, 1, 0], "bob": [1, 0, 0], "eve": [0, None, 1]}
    for person, given in people.items():
        rows += [(f"i{i}", "c", person, "human", label) for i, label in enumerate(given)]
    labels = tk.read_labels(long(rows), schema={"constructs": {"c": BINARY}})
    result = tk.agreement(labels)
    assert result.reference == "majority of ann, bob and eve"
    assert result["c"].table.to_numpy().tolist() == [[1, 0], [0, 1]]
    assert result["c"].kappa.left_out == {"tied_reference": 1}
    alone = tk.agreement(labels, reference="ann")
    assert alone["c"].table.to_numpy().tolist() == [[1, 0], [1, 1]]
    some = tk.agreement(labels, reference=["ann", "bob"])
    assert some.reference == "majority of ann and bob"


def test_the_first_sitting_counts():
    frame = long(
        [
            ("i0", "c", "ann", "human", 1),
            ("i0", "c", "gpt", "judge", 0),
            ("i0", "c", "gpt", "judge", 1),
            ("i1", "c", "ann", "human", 0),
            ("i1", "c", "gpt", "judge", 0),
            ("i1", "c", "gpt", "judge", 0),
        ],
        sitting=[1, 2, 1, 1, 1, 2],
    )
    result = tk.agreement(tk.read_labels(frame, schema={"constructs": {"c": BINARY}}))
    assert result["c"].table.to_numpy().tolist() == [[1, 0], [0, 1]]


def test_a_person_can_stand_in_the_judges_place():
    labels = tk.simulate(["c"], n_calls=200, humans=2, seed=1)
    result = tk.agreement(labels, judge="human2", reference="human1")
    assert (result.judge, result.reference) == ("human2", "human1")
    # the majority of people never holds the person who is measured
    assert tk.agreement(labels, judge="human2").reference == "human1"


def test_unknown_kinds_need_a_named_judge_and_are_flagged():
    frame = two_raters([1, 0, 1, 0], [1, 0, 0, 0]).drop(columns="rater_kind")
    labels = tk.read_labels(frame)
    with pytest.raises(LabelError, match=r"no rater is of kind judge.*judge='ann'"):
        tk.agreement(labels)
    result = tk.agreement(labels, judge="gpt")
    assert result.reference == "ann"
    assert result.flags == ("rater_kind_assumed",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"judge": "GPT"},
            "unknown rater, did you mean 'gpt'? (judge). Got: 'GPT'. Allowed: 'ann', 'gpt'",
        ),
        ({"reference": "eve"}, "unknown rater (reference). Got: 'eve'"),
        ({"reference": "gpt"}, "the judge would be measured against itself"),
        ({"reference": []}, "reference is empty or repeats"),
        ({"constructs": ["d"]}, "unknown construct. Got: 'd'. Allowed: 'c'"),
        ({"cluster": "conversation"}, "unknown column. Got: 'conversation'"),
        ({"cluster": "label"}, "not one value for every item"),
    ],
)
def test_names_that_do_not_fit_are_refused(options, message):
    labels = tk.read_labels(two_raters([1, 0, 1, 0], [1, 0, 0, 0]))
    with pytest.raises(LabelError) as caught:
        tk.agreement(labels, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("labels", [None, "labels.csv", pd.DataFrame({"label": [1]})])
def test_what_is_no_label_table_is_refused(labels):
    for function in (tk.agreement, tk.contrasts):
        with pytest.raises(LabelError, match="no label table"):
            function(labels)


@pytest.mark.parametrize(
    "options", [{"reference": 5}, {"constructs": 5}, {"constructs": []}, {"cluster": 5}]
)
def test_options_of_the_wrong_type_are_refused(options):
    with pytest.raises(LabelError):
        tk.agreement(tk.simulate(["a"], n_calls=20), **options)


def test_one_cluster_gives_no_interval():
    labels = tk.simulate(["a"], n_calls=80)
    one = tk.agreement(tk.read_labels(labels.frame.assign(cluster="c")), cluster="cluster")["a"]
    assert "one_cluster" in one.kappa.reasons
    assert math.isnan(one.kappa.low)
    assert math.isnan(one.kappa.se)


def test_later_sittings_are_flagged_as_unused():
    labels = tk.simulate(["a"], n_calls=20)
    first = labels.frame.assign(sitting=1)
    again = first[first["rater_id"] == "judge"].assign(sitting=2)
    result = tk.agreement(tk.read_labels(pd.concat([first, again])))
    assert "later_sittings_unused" in result["a"].kappa.flags
    assert "later_sittings_unused" not in tk.agreement(tk.read_labels(first))["a"].kappa.flags


def test_weighted_kappa_of_undeclared_words_is_refused():
    frame = two_raters(["low", "high", "mid"] * 5, ["low", "mid", "mid"] * 5)
    with pytest.raises(StatisticsError, match="nobody declared it"):
        tk.agreement(tk.read_labels(frame), weights="quadratic")


def test_schema_weights_are_quadratic_for_ordinal_constructs_alone():
    labels = tk.simulate({"binary": {}, "scale": {"categories": 5}}, n_calls=300)
    result = tk.agreement(labels, weights="schema")
    assert result["scale"].kappa.weights == "quadratic"
    assert result["binary"].kappa.weights == "unweighted"


def test_clusters_widen_the_interval_and_their_fewness_is_flagged():
    rng = np.random.default_rng(5)
    conversation = np.repeat(np.arange(20), 15)
    hard = rng.random(20) < 0.3  # the judge fails in whole conversations
    reference = rng.integers(0, 2, 300)
    judge = np.where(hard[conversation], rng.integers(0, 2, 300), reference)
    frame = two_raters(reference.tolist(), judge.tolist())
    frame["cluster"] = np.repeat(conversation, 2)
    labels = tk.read_labels(frame)
    plain, clustered = (
        tk.agreement(labels)["c"].kappa,
        tk.agreement(labels, cluster="cluster")["c"].kappa,
    )
    assert clustered.estimate == plain.estimate
    assert clustered.high - clustered.low > 1.3 * (plain.high - plain.low)
    assert clustered.se > 1.3 * plain.se
    assert "few_clusters" in clustered.flags


def test_cluster_can_be_the_part_of_an_identifier_before_a_bar():
    frame = two_raters([1, 0, 1, 0] * 10, [1, 0, 0, 0] * 10)
    number = frame["item_id"].str[1:].astype(int)
    split = frame.assign(item_id=[f"c{n // 4}|m{n % 4}" for n in number])
    named = split.assign(cluster=[f"c{n // 4}" for n in number])
    part = tk.agreement(tk.read_labels(split), cluster="item_id:|")["c"].kappa
    assert part == tk.agreement(tk.read_labels(named), cluster="cluster")["c"].kappa


def test_a_bar_that_stands_nowhere_is_refused_not_ignored():
    labels = tk.read_labels(two_raters([1, 0, 1, 0], [1, 0, 0, 0]))
    for spec in ("item_id:/", "item_id:"):
        with pytest.raises(LabelError, match="nothing to cut at"):
            tk.agreement(labels, cluster=spec)


def test_few_positives_count_items_not_weights():
    frame = two_raters([1] * 3 + [0] * 97, [1] * 3 + [0] * 97)
    heavy = frame.assign(weight=np.where(frame["label"] == 1, 20.0, 1.0))
    assert "few_positives" in tk.agreement(tk.read_labels(heavy))["c"].kappa.flags
    frame = two_raters([1] * 50 + [0] * 50, [1] * 50 + [0] * 50)
    light = frame.assign(weight=np.where(frame["label"] == 1, 0.05, 1.0))
    assert "few_positives" not in tk.agreement(tk.read_labels(light))["c"].kappa.flags


def test_a_declared_construct_without_labels_has_a_row_without_a_number():
    schema = {"constructs": {"c": BINARY, "self_harm": BINARY}}
    result = tk.agreement(tk.read_labels(two_raters([1, 0, 1], [1, 0, 0]), schema=schema))
    assert result["self_harm"].kappa.reasons[0] == "no_overlap"
    assert math.isnan(result["self_harm"].kappa.low)


def test_matrix_weights_on_undeclared_words_are_refused_too():
    labels = tk.read_labels(two_raters(["low", "high", "mid"] * 5, ["low", "mid", "mid"] * 5))
    with pytest.raises(StatisticsError, match="nobody declared it"):
        tk.agreement(labels, weights=[[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]])


def test_item_weights_weigh_the_table_and_equal_weights_change_nothing():
    frame = two_raters([1, 0, 1, 0] * 10, [1, 0, 0, 0] * 10)
    plain = tk.agreement(tk.read_labels(frame))["c"]
    equal = tk.agreement(tk.read_labels(frame.assign(weight=2.5)))["c"]
    assert equal.kappa == plain.kappa
    heavy = frame["item_id"].str[1:].astype(int) % 4 == 2
    tripled = tk.agreement(tk.read_labels(frame.assign(weight=np.where(heavy, 3.0, 1.0))))["c"]
    # sklearn.metrics.cohen_kappa_score(reference, judge, sample_weight=...) gives 2 / 11
    assert tripled.kappa.estimate == pytest.approx(2 / 11)
    assert tripled.measures["n"] == 40


def test_each_kind_of_disagreement_comes_in_turn_the_costliest_first():
    reference = [0] * 90 + [1] * 10
    judge = [0] * 85 + [1] * 5 + [1] * 6 + [0] * 4
    shown = tk.agreement(tk.read_labels(two_raters(reference, judge)))["c"].disagreements
    assert len(shown) == 9
    # a missed rare case costs more than a false alarm
    assert shown["reference"].tolist() == [1, 0, 1, 0, 1, 0, 1, 0, 0]
    assert shown["influence"].iloc[0] < shown["influence"].iloc[1] < 0


def test_result_goes_to_strict_json_and_html():
    labels = tk.read_labels(two_raters([0, 0, 0], [0, 0, 0]))
    result = tk.agreement(labels)
    content = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert content["constructs"][0]["kappa"] is None
    assert "both_constant" in content["constructs"][0]["reasons"]
    assert "undefined" in result._repr_html_()


def test_labels_of_people_only_are_sent_for_those_of_the_judge():
    labels = tk.read_labels(two_raters([1, 0, 1, 0], [1, 0, 0, 0]).assign(rater_kind="human"))
    with pytest.raises(LabelError, match=r"labels of people only.*pd\.concat"):
        tk.agreement(labels)
