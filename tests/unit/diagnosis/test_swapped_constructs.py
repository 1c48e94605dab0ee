from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.diagnosis import judge_noise
from toolkit.diagnosis.case import LOW, Case, Names, Scale
from toolkit.diagnosis.swapped_constructs import measure, sentence, undo


def _cells(**counts):
    """Labels of four columns from counts of their joint patterns, such as p0110=20."""
    rows = [[int(digit) for digit in name[1:]] for name, n in counts.items() for _ in range(n)]
    return np.array(rows).T.tolist()


def _raters(people_low, people_high, judge_low, judge_high):
    return {
        "human1": {"low": people_low, "high": people_high},
        "judge": {"low": judge_low, "high": judge_high},
    }


def test_an_exact_swap_has_crosswise_kappa_one(case_of):
    # People: low and high independent, 40 of each pattern. The judge's low is people's high and
    # its high people's low: straight tables are (40, 40; 40, 40), phi 0; crosswise (80, 0; 0, 80).
    # With half a count in each cell: phi (80.5^2 - .5^2) / 81^2 = 80 x 81 / 81^2 = 80 / 81, which
    # for equal margins is kappa too.
    columns = _cells(p0000=40, p0110=40, p1001=40, p1111=40)
    case = case_of(_raters(*columns))
    found = measure(case)
    assert found.facts["partner"] == "high"
    assert found.facts["r_low_low"] == pytest.approx(0, abs=1e-12)
    assert found.facts["r_low_partner"] == pytest.approx(80 / 81)
    assert found.facts["r_partner_low"] == pytest.approx(80 / 81)
    assert found.undone[0] == pytest.approx(80 / 81)
    assert found.tests["z_min"] > 5
    assert found.tests["partners"] == 1
    assert not found.facts["copied"]
    assert "0.99" in sentence(found, case)


def test_correlations_of_a_partial_swap_by_hand(case_of):
    # Of 200 calls the judge swaps 120 and not 80, people's labels independent and even:
    # swapped patterns (people low, people high, judge low, judge high) 30 each, straight 20 each.
    # people low x judge low: agree in 80 straight calls and in half of the swapped ones, 60, so
    # (70, 30; 30, 70) and phi .4; people high x judge low: 120 and 40 agree: (80, 20; 20, 80), .6.
    # Half a count more in each cell: (70.5, 30.5; 30.5, 70.5): phi 40 / 101; crosswise 60 / 101.
    columns = _cells(p0000=50, p1111=50, p0110=30, p1001=30, p0101=20, p1010=20)
    found = measure(case_of(_raters(*columns)))
    assert found.facts["r_low_low"] == pytest.approx(40 / 101)
    assert found.facts["r_low_partner"] == pytest.approx(60 / 101)
    assert found.effect[0] == pytest.approx(20 / 101)


def test_undo_exchanges_the_columns_and_leaves_people_alone(case_of):
    columns = _cells(p0000=40, p0110=40, p1001=40, p1111=40)
    case = case_of(_raters(*columns))
    right = undo(case, measure(case))
    np.testing.assert_array_equal(right.judge[[1, 0]], case.judge)
    np.testing.assert_array_equal(right.people, case.people)
    assert right.kappa(LOW)[0] == pytest.approx(80 / 81)


def test_undo_exchanges_the_second_sitting_too(case_of):
    # Asked again the judge changes every eighth answer of one construct, every fifth of the other.
    case = case_of(_raters(*_cells(p0000=40, p0110=40, p1001=40, p1111=40)))
    changed = np.stack([np.arange(case.n) % every == 0 for every in (8, 5)])
    case = replace(case, again=np.where(changed, 1 - case.judge, case.judge))
    right = undo(case, measure(case))
    np.testing.assert_array_equal(right.again[[1, 0]], case.again)
    before, after = (judge_noise.measure(one).tests for one in (case, right))
    assert after["rel_low"] == pytest.approx(before["rel_high"])
    assert after["rel_high"] == pytest.approx(before["rel_low"])


def test_a_partner_beside_the_pair_is_found_and_calls_without_it_are_left_out(case_of):
    rng = np.random.default_rng(0)
    low, high, third = rng.integers(0, 2, (3, 120)).tolist()
    given_third = [None if i < 20 else label for i, label in enumerate(low)]
    raters = {
        "human1": {"low": low, "high": high, "third": third},
        "judge": {"low": third, "high": high, "third": given_third},
    }
    case = case_of(raters)
    found = measure(case)
    assert found.facts["partner"] == "third"
    assert found.tests["partners"] == 2
    right = undo(case, found)
    assert right.n == 100
    assert (right.judge[LOW] >= 0).all()


def test_a_column_that_is_copied_is_no_swap(case_of):
    # The judge's low repeats its high, which is right: one side alone crosses over.
    columns = _cells(p0000=40, p0111=40, p1000=40, p1111=40)
    case = case_of(_raters(*columns))
    found = measure(case)
    assert found.facts["copied"] == "high"
    assert found.tests["z_min"] < 0
    assert "Only one side crosses over with high" in sentence(found, case)


def test_nominal_constructs_swap_by_kappa(case_of):
    rng = np.random.default_rng(1)
    low, high = rng.integers(0, 3, (2, 150)).tolist()
    found = measure(case_of(_raters(low, high, high, low), categories=(0, 1, 2)))
    assert found.tests["z_min"] > 3
    assert found.undone[0] > 0.95


def test_what_cannot_be_swapped_is_not_testable(case_of):
    even = [0, 1] * 20
    constant = [0] * 40
    assert (
        "the judge gives one label"
        in measure(case_of(_raters(even, even, constant, even))).untestable
    )
    assert "no other construct" in measure(case_of(_raters(even, even, even, constant))).untestable


def test_constructs_from_different_calls_are_not_testable(case_of):
    even = [0, 1] * 20
    case = replace(case_of(_raters(even, even, even, even)), same_call=False)
    assert measure(case).untestable == "the two constructs come from different judge calls"


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_undo_twice_gives_the_labels_back(case_of_seed, seed):
    case = case_of_seed(seed)
    found = measure(case)
    np.testing.assert_array_equal(undo(undo(case, found), found).judge, case.judge)


@pytest.fixture(scope="module")
def case_of_seed():
    def make(seed):
        rng = np.random.default_rng(seed)
        n, none = 30, np.zeros((3, 30, 0), dtype=np.int64)
        judge = rng.integers(0, 2, (3, n))
        judge[:, :2] = [0, 1]
        people = judge[:, :, None].copy()
        scales = tuple(Scale(name, 2, True, np.eye(2)) for name in "abc")
        blank = np.full((3, n), -1)
        names = Names("judge", ("human1",))
        unit = np.arange(n)
        return Case(
            scales, judge, people, 1, none, blank, unit, np.ones(n), None, None, unit, names
        )

    return make
