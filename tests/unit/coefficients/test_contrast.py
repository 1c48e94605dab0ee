"""tk.contrast and tk.contrasts: two kappas that share their items."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import LabelError


def same_call(reference_a, judge_a, reference_b, judge_b, *, call=True):
    """Labels of two constructs, a and b, one judge call an item."""
    rows = []
    for i, labels in enumerate(zip(reference_a, judge_a, reference_b, judge_b, strict=True)):
        for (construct, rater), label in zip(
            [("a", "ann"), ("a", "gpt"), ("b", "ann"), ("b", "gpt")], labels, strict=True
        ):
            kind = "judge" if rater == "gpt" else "human"
            rows.append((f"i{i}", construct, rater, kind, label, f"{rater}:{i}" if call else None))
    columns = ["item_id", "construct", "rater_id", "rater_kind", "label", "call_id"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame if call else frame.drop(columns="call_id")


def mckenzie(case):
    """Fifty patients, one diagnosis and two questionnaires, as two judges of one construct."""
    raters = {"ann": "reference", "bdi": "rater_a", "ghq": "rater_b"}
    rows = [
        (f"p{i}", "depressed", rater, "human" if rater == "ann" else "judge", label)
        for rater, column in raters.items()
        for i, label in enumerate(case["input"][column])
    ]
    names = ["item_id", "construct", "rater_id", "rater_kind", "label"]
    return tk.read_labels(pd.DataFrame(rows, columns=names))


def test_two_judges_match_mckenzie_and_multiagree(oracle):
    case = oracle("mckenzie1996_depression_dependent")
    expected, tolerance = case["expected"], case["tolerance"]
    result = tk.contrast(mckenzie(case), construct="depressed", judges=("bdi", "ghq"))
    assert result.names == ("bdi", "ghq")
    assert result.n_calls == 50
    got = {
        "kappa_a": result.kappa_low,
        "kappa_b": result.kappa_high,
        "diff": result.difference,
        "se_diff": result.se,
        "corr": result.correlation,
        "hotelling_t2": (result.difference / result.se) ** 2,
        "p_hotelling": result.p_hotelling,
    }
    want = {name: expected[name] for name in got}
    assert got == pytest.approx(want, abs=tolerance, rel=tolerance)
    # The t interval of pairedCAC is symmetric; ours is not, but it says the same.
    low, high = expected["ci95_t49_nminus1"]
    assert result.low == pytest.approx(low, abs=0.05)
    assert result.high == pytest.approx(high, abs=0.05)
    assert 0.05 < result.p_value < 0.25


def test_two_constructs_of_the_same_numbers_give_the_same_difference(oracle):
    case = oracle("mckenzie1996_depression_dependent")
    given = case["input"]
    frame = same_call(given["reference"], given["rater_a"], given["reference"], given["rater_b"])
    result = tk.contrast(tk.read_labels(frame), low="a", high="b")
    judges = tk.contrast(mckenzie(case), construct="depressed", judges=("bdi", "ghq"))
    assert result.difference == judges.difference
    assert (result.low, result.high, result.p_value) == (judges.low, judges.high, judges.p_value)


def test_exchanging_the_constructs_changes_the_sign_alone():
    labels = tk.simulate(["a", "b"], n_calls=200, seed=3)
    one, other = tk.contrast(labels, low="a", high="b"), tk.contrast(labels, low="b", high="a")
    assert one.difference == pytest.approx(-other.difference)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=0.02)
    assert one.p_hotelling == pytest.approx(other.p_hotelling)


def test_identical_constructs_differ_by_exactly_0_in_estimate_and_error():
    rng = np.random.default_rng(0)
    reference = rng.integers(0, 2, 100).tolist()
    judge = np.where(rng.random(100) < 0.2, 1 - np.array(reference), reference).tolist()
    result = tk.contrast(tk.read_labels(same_call(reference, judge, reference, judge)), "a", "b")
    assert result.difference == 0
    assert result.se == pytest.approx(0, abs=1e-9)
    assert result.low < 0 < result.high
    assert result.p_value > 0.5


def test_missing_call_ids_are_taken_as_one_call_and_flagged():
    frame = same_call([1, 0] * 10, [1, 0] * 10, [1, 1, 0, 0] * 5, [1, 0] * 10, call=False)
    result = tk.contrast(tk.read_labels(frame), "a", "b")
    assert "same_call_assumed" in result.flags
    assert result.n_calls == 20
    named = same_call([1, 0] * 10, [1, 0] * 10, [1, 1, 0, 0] * 5, [1, 0] * 10)
    assert "same_call_assumed" not in tk.contrast(tk.read_labels(named), "a", "b").flags


def test_calls_that_do_not_match_are_left_out_by_reason():
    frame = same_call([1, 0] * 10, [1, 0] * 10, [1, 1, 0, 0] * 5, [1, 0] * 10)
    judge = frame["rater_id"] == "gpt"
    frame.loc[judge & (frame["item_id"] == "i0") & (frame["construct"] == "b"), "call_id"] = "other"
    frame.loc[judge & (frame["item_id"] == "i1"), "call_id"] = None
    frame = frame[~(judge & (frame["item_id"] == "i2") & (frame["construct"] == "a"))]
    person = frame["rater_id"] == "ann"
    frame = frame[~(person & (frame["item_id"] == "i3") & (frame["construct"] == "a"))]
    result = tk.contrast(tk.read_labels(frame), "a", "b")
    assert result.n_calls == 16
    assert result.left_out == {
        "no_call_id": 1,
        "different_calls": 1,
        "no_reference_label": 1,
        "no_judge_label": 1,
    }


def test_without_a_shared_call_the_contrast_is_undefined():
    one = same_call([1, 0] * 10, [1, 0] * 10, [1, 0] * 10, [1, 0] * 10)
    apart = one.assign(call_id=one["construct"] + one["call_id"])
    result = tk.contrast(tk.read_labels(apart), "a", "b")
    assert result.reasons[0] == "no_shared_calls"
    assert result.n_calls == 0
    for number in (result.difference, result.low, result.high, result.p_value, result.p_hotelling):
        assert math.isnan(number)
    json.dumps(result.to_dict(), allow_nan=False)


def test_of_several_sittings_the_first_counts_and_must_be_one_call():
    frame = same_call([1, 0] * 10, [1, 0] * 10, [1, 0] * 10, [1, 0] * 10).assign(sitting=1)
    judge = frame["rater_id"] == "gpt"
    again = frame[judge].assign(
        sitting=2, call_id=frame["call_id"] + "-2", label=1 - frame["label"]
    )
    both = tk.read_labels(pd.concat([frame, again]))
    assert tk.contrast(both, "a", "b").kappa_low == 1
    # b was labelled at the second sitting alone: no call of the first labelled both
    first_a = pd.concat([frame[~judge | (frame["construct"] == "a")], again])
    apart = tk.contrast(tk.read_labels(first_a), "a", "b")
    assert apart.left_out == {"different_calls": 20}
    # and without call ids a sitting stands for the call
    nameless = tk.contrast(tk.read_labels(first_a.drop(columns="call_id")), "a", "b")
    assert nameless.left_out == {"different_calls": 20}
    assert "same_call_assumed" in nameless.flags


def test_a_constant_judge_is_named_and_nothing_raises():
    frame = same_call([1, 0] * 10, [0, 0] * 10, [1, 0] * 10, [1, 0] * 10)
    result = tk.contrast(tk.read_labels(frame), "a", "b")
    assert "judge_constant" in result.reasons
    assert result.kappa_low == 0
    frame = same_call([0, 0] * 10, [0, 0] * 10, [1, 0] * 10, [1, 0] * 10)
    undefined = tk.contrast(tk.read_labels(frame), "a", "b")
    assert "both_constant" in undefined.reasons
    assert math.isnan(undefined.difference)
    assert math.isnan(undefined.p_value)


def test_common_prevalence_is_a_what_if_for_binary_constructs():
    labels = tk.simulate(["a", "b"], n_calls=400, seed=2)
    assert set(tk.contrast(labels, "a", "b").common_prevalence) == {
        "prevalence", "kappa_low", "kappa_high",
    }  # fmt: skip
    scale = tk.simulate({"a": {"categories": 5}, "b": {}}, n_calls=100)
    assert tk.contrast(scale, "a", "b").common_prevalence == {}


@pytest.mark.parametrize("method", ["jeffreys", "percentile", "bca", "analytic"])
def test_interval_and_p_value_agree_about_0(method):
    for seed in range(40):
        labels = tk.simulate(["a", "b"], n_calls=60, conversations=5, seed=seed)
        result = tk.contrast(labels, "a", "b", cluster="cluster", interval=method, draws=1000)
        if abs(result.p_value - 0.05) > 2 / 1000:
            assert (result.low > 0 or result.high < 0) == (result.p_value < 0.05)


def test_kappas_of_different_weights_are_flagged():
    labels = tk.simulate({"scale": {"categories": 5}, "flag": {}}, n_calls=100)
    mixed = tk.contrast(labels, "flag", "scale", weights="schema")
    assert mixed.weights == ("unweighted", "quadratic")
    assert "weights_differ" in mixed.flags
    assert "weights_differ" not in tk.contrast(labels, "flag", "scale").flags


def test_reasons_are_kept_by_side():
    frame = same_call([1, 0] * 10, [0, 0] * 10, [0, 0] * 10, [0, 0] * 10)
    result = tk.contrast(tk.read_labels(frame), "a", "b")
    assert result.side_reasons == {"a": ("judge_constant",), "b": ("both_constant",)}
    assert math.isnan(result.difference)
    assert math.isnan(result.p_value)
    assert result.low < result.high  # wide: nothing is known of b


@pytest.mark.parametrize("method", ["percentile", "bca", "analytic"])
def test_every_interval_method_works_on_the_joint_table(method):
    labels = tk.simulate(["a", "b"], n_calls=300, seed=4)
    default, other = tk.contrast(labels, "a", "b"), tk.contrast(labels, "a", "b", interval=method)
    assert (other.low, other.high) == pytest.approx((default.low, default.high), abs=0.06)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "two constructs are needed"),
        ({"low": "a"}, "two constructs are needed"),
        ({"low": "a", "high": "a"}, "the same construct"),
        ({"low": "a", "high": "z"}, "unknown construct. Got: 'z'"),
        ({"construct": "a", "low": "a", "high": "b"}, "construct= goes with judges="),
        ({"construct": "a", "judges": ["judge"]}, "two different raters"),
        ({"construct": "a", "judges": ("judge", "judge")}, "two different raters"),
        ({"construct": "a", "judges": ("judge", "human1")}, "no person's labels to measure"),
        ({"judges": ("judge", "human1")}, "two constructs are needed, or one construct"),
    ],
)
def test_names_that_do_not_fit_are_refused(options, message):
    labels = tk.simulate(["a", "b"], n_calls=50, humans=1)
    with pytest.raises(LabelError) as caught:
        tk.contrast(labels, **options)
    assert message in str(caught.value)


def test_two_judges_need_a_third_rater_as_reference():
    labels = tk.simulate(["a"], n_calls=50, humans=2)
    with pytest.raises(LabelError, match="no rater is left to measure the two judges against"):
        tk.contrast(labels, construct="a", judges=("human1", "human2"))


def test_all_pairs_are_adjusted_by_holm():
    labels = tk.simulate(["a", "b", "c"], n_calls=150, seed=6)
    every = tk.contrasts(labels)
    assert [pair.names for pair in every] == [("a", "b"), ("a", "c"), ("b", "c")]
    raw = sorted(pair.p_value for pair in every)
    holm = np.minimum(1, np.maximum.accumulate([3 * raw[0], 2 * raw[1], raw[2]]))
    assert sorted(every.p_holm) == pytest.approx(holm)
    assert every.p_of("c", "a") == every.p_holm[1]
    assert "p_holm" in every.to_frame()
    alone = tk.contrast(labels, "a", "b")
    assert every.pairs[0] == alone
    json.dumps(every.to_dict(), allow_nan=False)


def test_fewer_than_two_constructs_have_no_pairs():
    with pytest.raises(LabelError, match="fewer than two constructs"):
        tk.contrasts(tk.simulate(["a"], n_calls=50))
