from __future__ import annotations

import math

import pytest

from toolkit.diagnosis.gap import Gap
from toolkit.diagnosis.too_few_labels import labels_for, measure, sentence


def _gap(lower, upper, n):
    return Gap("low", "high", 0.4, 0.5, 0.1, lower, upper, 0.95, n)


def _case(case_of, n):
    labels = [0, 1] * (n // 2)
    return case_of({r: {"low": labels, "high": labels} for r in ("human1", "judge")})


def test_labels_needed_by_hand(case_of):
    # Half-width 1/4 on 64 calls: 64 (.25 / .10)^2 = 64 x 6.25 = 400.
    found = measure(_case(case_of, 64), _gap(-0.125, 0.375, 64))
    assert found.tests["half_width"] == 0.25
    assert found.facts["labels_needed"] == 400


def test_half_the_width_takes_four_times_the_labels():
    # 50 (.5 / .25)^2 = 200; 50 (.5 / .125)^2 = 800.
    gap = _gap(-0.25, 0.75, 50)
    assert labels_for(gap, 0.25) == 200
    assert labels_for(gap, 0.125) == 800


def test_a_fraction_of_a_call_is_a_call():
    # 10 (.25 / .20)^2 = 15.625
    assert labels_for(_gap(-0.25, 0.25, 10), 0.20) == 16


def test_the_sentence_says_how_many_calls_it_would_take(case_of):
    case = _case(case_of, 64)
    said = sentence(measure(case, _gap(-0.125, 0.375, 64)), case)
    assert said.startswith("With 64 shared calls the gap has a half-width of 0.25")
    assert "about 400 calls would bring it to 0.10" in said


def test_a_narrow_interval_is_said_to_be_narrow_enough(case_of):
    # Half-width 1/16 on 64 calls: 64 x .625^2 = 25.
    case = _case(case_of, 64)
    assert "narrow enough" in sentence(measure(case, _gap(0, 0.125, 64)), case)


@pytest.mark.parametrize("n", [0, 30])
def test_a_gap_without_an_interval_is_not_testable(case_of, n):
    found = measure(_case(case_of, 30), _gap(math.nan, math.nan, n))
    assert found.untestable == "the gap has no interval"
