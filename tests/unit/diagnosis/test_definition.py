from __future__ import annotations

import pytest

from toolkit.diagnosis.case import HIGH, LOW
from toolkit.diagnosis.definition import measure, sentence
from toolkit.diagnosis.waterfall import waterfall

LOWER, HIGHER = [[35, 15], [15, 35]], [[45, 5], [5, 45]]


def _case(case_of, of_table, low, high):
    people, judge = of_table(low)
    other, judged = of_table(high)
    raters = {"human1": {"low": people, "high": other}, "judge": {"low": judge, "high": judged}}
    return case_of(raters)


def test_with_equal_margins_all_of_the_gap_is_left_by_hand(case_of, of_table):
    # Half a count a cell: kappas (71 - 31) / 102 = 40/102 and (91 - 11) / 102 = 80/102; nothing but
    # the latent correlation differs, so the remainder is 40/102.
    case = _case(case_of, of_table, LOWER, HIGHER)
    found = measure(case, waterfall(case, {}))
    assert found.facts["left"] == pytest.approx(40 / 102)
    assert found.undone[0] == pytest.approx(80 / 102)
    assert "0.39 of the gap is left" in sentence(found, case)


def test_what_another_cause_explains_is_not_left_by_hand(case_of, of_table):
    # A factor that brings the latent correlation all the way leaves 0; its root leaves half.
    case = _case(case_of, of_table, LOWER, HIGHER)
    ratio = case.rho(HIGH) / case.rho(LOW)
    left = [
        measure(case, waterfall(case, {"human_ceiling": ratio**power})).facts["left"]
        for power in (1, 0.5)
    ]
    assert left == pytest.approx([0, 20 / 102], abs=1e-9)


def test_without_a_split_there_is_no_remainder(case_of, of_table):
    case = _case(case_of, of_table, LOWER, HIGHER)
    found = measure(case, None)
    assert found.untestable == "the gap can't be split into steps"
    assert found.undone is None
    assert case.kappa(LOW)[0] == pytest.approx(40 / 102)
