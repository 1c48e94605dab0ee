from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.diagnosis.campbell_fiske import CRITERIA, compare_traits
from toolkit.diagnosis.mtmm import mtmm

METHODS = ("people", "judge")


def _row(found, trait, criterion):
    at = (found["trait"] == trait) & (found["criterion"] == criterion)
    return found[at].iloc[0]


def _exact(matrix):
    """Make a stack without sampling error."""
    return np.repeat(np.array([matrix], dtype=np.float64), 5, axis=0)


def test_phi_of_every_pair_by_hand(case_of):
    # people low x judge low (30, 10; 10, 30): phi (900 - 100) / 1600 = .5; high is judged exactly,
    # 1; low and high alternate in every cell: 0.
    low = [0] * 40 + [1] * 40
    judge = [0] * 30 + [1] * 10 + [0] * 10 + [1] * 30
    high = [0, 1] * 40
    raters = {"human1": {"low": low, "high": high}, "judge": {"low": judge, "high": high}}
    found = mtmm(case_of(raters)).to_frame()
    r = found.set_index(["trait_1", "method_1", "trait_2", "method_2"])["r"]
    assert r["low", "people", "low", "judge"] == pytest.approx(0.5)
    assert r["high", "people", "high", "judge"] == pytest.approx(1)
    assert r["low", "people", "high", "people"] == pytest.approx(0)
    kinds = found["kind"].value_counts().to_dict()
    assert kinds == {
        "convergent": 2,
        "heterotrait_monomethod": 2,
        "heterotrait_heteromethod": 2,
    }
    assert (found["n"] == 80).all()


def test_differences_of_the_criteria_by_hand():
    # Order people a, people b, judge a, judge b. Convergent: a .6, b .3. People a-b .2, judge a-b
    # .5; people a - judge b .1, people b - judge a .4.
    # a: .6; .6 - .4; .6 - .5.  b: .3; .3 - .4; .3 - .5. Two constructs have no pattern.
    matrix = [[1, 0.2, 0.6, 0.1], [0.2, 1, 0.4, 0.3], [0.6, 0.4, 1, 0.5], [0.1, 0.3, 0.5, 1]]
    found = compare_traits(_exact(matrix), ("a", "b"), METHODS)
    assert found["difference"].tolist() == pytest.approx(
        [0.6, 0.2, 0.1, np.nan, 0.3, -0.1, -0.2, np.nan], nan_ok=True
    )
    assert found["met"].tolist() == ["met", "met", "met", "", "met", "not met", "not met", ""]
    assert "judge's a and people's b 0.40" in _row(found, "a", CRITERIA[1])["sentence"]
    assert "judge's b and judge's a 0.50" in _row(found, "b", CRITERIA[2])["sentence"]


def test_the_same_pattern_in_all_triangles_is_met_and_a_turned_one_is_not():
    heterotrait = np.array(
        [[0, 0.1, 0.2, 0.3], [0.1, 0, 0.3, 0.2], [0.2, 0.3, 0, 0.1], [0.3, 0.2, 0.1, 0]]
    )
    same = np.block(
        [[heterotrait + np.eye(4), heterotrait], [heterotrait, heterotrait + np.eye(4)]]
    )
    turned = np.block(
        [[heterotrait + np.eye(4), heterotrait], [heterotrait, 0.4 - heterotrait - 0.4 * np.eye(4)]]
    )
    first = _row(compare_traits(_exact(same), tuple("abcd"), METHODS), "a", "same_pattern")
    second = _row(compare_traits(_exact(turned), tuple("abcd"), METHODS), "a", "same_pattern")
    assert first["difference"] == pytest.approx(1)
    assert first["met"] == "met"
    assert second["difference"] == pytest.approx(-1)
    assert second["met"] == "not met"


def test_a_pattern_of_chance_is_not_compared():
    # Correlations 0 with sampling error .1: people's row varies no more than that.
    rng = np.random.default_rng(2)
    noise = rng.normal(0, 0.1, (401, 8, 8))
    stack = np.eye(8) + (noise + np.swapaxes(noise, 1, 2)) / np.sqrt(2)
    row = _row(compare_traits(stack, tuple("abcd"), METHODS), "a", "same_pattern")
    assert row["met"] == ""
    assert "no more than chance" in row["sentence"]


def test_an_interval_that_holds_zero_is_undetermined():
    stack = _exact([[1, 0.2, 0.6, 0.1], [0.2, 1, 0.4, 0.3], [0.6, 0.4, 1, 0.5], [0.1, 0.3, 0.5, 1]])
    stack[1:, 0, 2] = stack[1:, 2, 0] = [-0.1, 0.5, 0.6, 0.7]
    assert (
        _row(compare_traits(stack, ("a", "b"), METHODS), "a", "convergent")["met"] == "undetermined"
    )


def test_swapped_constructs_fail_the_second_criterion(case_of):
    rng = np.random.default_rng(0)
    low, high = rng.integers(0, 2, (2, 200)).tolist()
    raters = {"human1": {"low": low, "high": high}, "judge": {"low": high, "high": low}}
    found = mtmm(case_of(raters)).criteria
    assert _row(found, "low", "over_heterotrait_heteromethod")["met"] == "not met"


def test_another_judge_is_a_method_of_its_own(case_of):
    rng = np.random.default_rng(1)
    low, high = rng.integers(0, 2, (2, 60)).tolist()
    raters = {rater: {"low": low, "high": high} for rater in ("human1", "judge", "judge2")}
    found = mtmm(case_of(raters))
    assert found.methods == ("people", "judge", "judge2")
    assert len(found.to_frame()) == 15
    assert len(found.criteria) == 8


def test_what_is_undefined_says_why(case_of):
    even = [0, 1] * 20
    raters = {
        "human1": {"low": even, "high": even, "third": [None] * 40},
        "judge": {"low": even, "high": [0] * 40, "third": [None] * 40},
    }
    raters["human1"]["third"] = [None] * 38 + [0, 1]
    raters["judge"]["third"] = [0] * 2 + [None] * 38
    found = mtmm(case_of(raters)).to_frame()
    assert (found["r"].isna() == (found["reason"] != "")).all()
    assert (found["low"].isna() == found["r"].isna()).all()
    assert {"constant", "too_few_common_calls"} <= set(found["reason"])


def test_nominal_categories_have_no_correlation(case_of):
    three = [0, 1, 2] * 20
    raters = {rater: {"low": three, "high": three} for rater in ("human1", "judge")}
    found = mtmm(case_of(raters, categories=(0, 1, 2)))
    assert set(found.to_frame()["reason"]) == {"categories_without_order"}
    assert set(found.criteria["met"]) == {""}


def test_the_result_is_strict_json_and_names_are_text_in_html(case_of):
    even = [0, 1] * 20
    raters = {rater: {"<b>": even, "high": [0] * 40} for rater in ("human1", "judge")}
    found = mtmm(case_of(raters))
    json.dumps(found.to_dict(), allow_nan=False)
    assert "<b>" not in found._repr_html_()
    assert "criteria" in str(found)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_met_follows_from_the_interval(seed):
    rng = np.random.default_rng(seed)
    data = rng.normal(size=(50, 40, 8)) + rng.normal(size=(50, 40, 1))
    stack = np.stack([np.corrcoef(part.T) for part in data])
    found = compare_traits(stack, tuple("abcd"), METHODS)
    assert ((found["low"] > 0) == (found["met"] == "met")).all()
    assert ((found["high"] <= 0) == (found["met"] == "not met")).all()
    assert len(found) == 16
