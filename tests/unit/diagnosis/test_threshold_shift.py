from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtri

from toolkit.coefficients.weights import agreement_weights
from toolkit.diagnosis import latent
from toolkit.diagnosis.case import HIGH, LOW
from toolkit.diagnosis.threshold_shift import constant, measure, sentence


def _case(case_of, of_table, low, high=None, **options):
    people, judge = of_table(low)
    other, judged = of_table(low if high is None else high)
    raters = {"human1": {"low": people, "high": other}, "judge": {"low": judge, "high": judged}}
    return case_of(raters, **options)


def test_a_shift_without_agreement_costs_nothing_by_hand(case_of, of_table):
    # (10, 40; 10, 40) carries half a count a cell: (10.5, 40.5; 10.5, 40.5) of 102. People's cut
    # is 0, the judge's z(21 / 102); rho is 0, so kappa is 0 with either cut.
    case = _case(case_of, of_table, [[10, 40], [10, 40]])
    found = measure(case)
    assert found.effect[0] == pytest.approx(-ndtri(21 / 102))
    assert found.undone[0] == pytest.approx(0, abs=1e-9)


def test_matched_cuts_give_kappa_back_by_hand(case_of, of_table):
    # Latent table with people .30, judge .60 and rho .9: kappa .43336; with the judge at .30
    # .70279. In 4,000 calls rounding and smoothing move it by less than .003.
    cuts = [np.array([ndtri(1 - share)]) for share in (0.30, 0.60)]
    counts = np.rint(4000 * latent.table_of(*cuts, np.array(0.9))).astype(int)
    case = _case(case_of, of_table, counts.tolist())
    found = measure(case)
    assert found.effect[0] == pytest.approx(ndtri(0.70) - ndtri(0.40), abs=0.005)
    assert case.kappa(LOW)[0] == pytest.approx(0.43336, abs=0.003)
    assert found.undone[0] == pytest.approx(0.70279, abs=0.003)


def test_equal_margins_leave_kappa_as_it_is(case_of, of_table):
    # (40, 10; 10, 40): both margins even, no shift. McNemar compares 10 with 10.
    case = _case(case_of, of_table, [[40, 10], [10, 40]])
    found = measure(case)
    assert found.effect[0] == pytest.approx(0)
    assert found.undone[0] == pytest.approx(case.kappa(LOW)[0])
    assert found.facts["kappa_max"] == pytest.approx(1)


def test_margins_bound_kappa_by_hand(case_of, of_table):
    # (40, 20; 0, 40): at most min(.6, .4) + min(.4, .6) = .8 agree, chance is .24 + .24 = .48,
    # so kappa can reach .32 / .52.
    facts = measure(_case(case_of, of_table, [[40, 20], [0, 40]])).facts
    assert facts["kappa_max"] == pytest.approx(0.32 / 0.52)
    assert (facts["mean_people"], facts["mean_judge"]) == (0.4, 0.6)
    assert (facts["judge_above"], facts["judge_below"]) == (20, 0)


def test_a_shift_is_compared_with_that_of_the_high_construct(case_of, of_table):
    shifted, even = [[40, 20], [0, 40]], [[50, 10], [10, 30]]
    assert measure(_case(case_of, of_table, shifted, even)).tests["z_over_high"] > 2
    assert measure(_case(case_of, of_table, even, shifted)).tests["z_over_high"] < -2


def test_a_judge_that_flags_more_has_a_positive_shift(case_of, of_table):
    up, down = [[40, 20], [0, 40]], [[40, 0], [20, 40]]
    assert measure(_case(case_of, of_table, up)).effect[0] > 0
    assert measure(_case(case_of, of_table, down)).effect[0] < 0


def test_unordered_categories_are_raked_to_the_margins_of_the_people(case_of, of_table):
    # With equal margins there is nothing to rake.
    table = [[30, 5, 5], [5, 20, 5], [5, 5, 20]]
    case = _case(case_of, of_table, table, categories=(0, 1, 2), kind="nominal")
    found = measure(case)
    assert found.undone[0] == pytest.approx(case.kappa(LOW)[0], abs=1e-6)
    assert math.isinf(found.tests["z_over_high"])
    assert "other shares" in sentence(found, case)


@pytest.mark.parametrize(
    ("low", "side"),
    [([[60, 0], [40, 0]], "judge"), ([[60, 40], [0, 0]], "people")],
)
def test_a_constant_side_has_no_cut(case_of, of_table, low, side):
    case = _case(case_of, of_table, low, [[50, 10], [10, 30]])
    assert constant(case, LOW).startswith(f"the {side} gave one category")
    assert measure(case).untestable == constant(case, LOW)
    assert constant(case, HIGH) == ""


def test_the_sentence_does_not_say_who_is_wrong(case_of, of_table):
    case = _case(case_of, of_table, [[40, 20], [0, 40]])
    said = sentence(measure(case), case)
    assert "60 % of the calls, the people in 40 %" in said
    assert "kappa can reach 0.62 at most" in said
    assert "can't tell whose cut is the right one" in said


def test_ordinal_scales_speak_of_mean_categories(case_of, of_table):
    table = [[10, 10, 0], [0, 10, 10], [0, 0, 20]]
    case = _case(case_of, of_table, table, categories=(0, 1, 2), kind="ordinal")
    assert np.array_equal(case.scales[LOW].weights, agreement_weights("quadratic", 3))
    found = measure(case)
    # People: 20 each of 0, 1, 2, mean 1; judge 10, 20, 30: (20 + 60) / 60.
    assert found.facts["mean_people"] == pytest.approx(1)
    assert found.facts["mean_judge"] == pytest.approx(80 / 60)
    assert "mean is 1.33, the people's 1.00" in sentence(found, case)
