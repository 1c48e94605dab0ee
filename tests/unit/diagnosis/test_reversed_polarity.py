from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.diagnosis import judge_noise
from toolkit.diagnosis.case import LOW
from toolkit.diagnosis.reversed_polarity import _best, measure, sentence, undo

REVERSED = [[5, 55], [35, 5]]
STRAIGHT = [[55, 5], [5, 35]]


def _two(of_table, *tables):
    """Labels of the low construct from tables in a row; the high construct is judged exactly."""
    parts = [of_table(table) for table in tables]
    people = [label for part in parts for label in part[0]]
    judge = [label for part in parts for label in part[1]]
    raters = {
        "human1": {"low": people, "high": people},
        "judge": {"low": judge, "high": people},
    }
    strata = [name for name, part in zip("abcdef", parts, strict=False) for _ in part[0]]
    return raters, strata


def test_kappa_of_a_reversed_table_is_that_of_the_table_turned_round(case_of, of_table):
    # (5, 55; 35, 5): observed .10, chance .6 x .4 + .4 x .6 = .48, so kappa -.38 / .52 = -.73077.
    # Turned round (55, 5; 5, 35): observed .90, chance .52, kappa .38 / .48 = .79167. The stack
    # carries half a count in each cell: (5.5, 55.5; 35.5, 5.5) turned round has n 102, observed
    # 91 / 102, margins 61 and 41 on both sides, chance (61^2 + 41^2) / 102^2.
    raters, _ = _two(of_table, REVERSED)
    case = case_of(raters)
    found = measure(case)
    observed, chance = 91 / 102, (61**2 + 41**2) / 102**2
    assert found.undone[0] == pytest.approx((observed - chance) / (1 - chance))
    right = undo(case, found)
    table = case.tables(right.referred(LOW), right.judged(LOW), smooth=False)[0]
    assert table.tolist() == STRAIGHT
    assert cohen_kappa(table) == pytest.approx(0.791667, abs=1e-6)
    assert found.tests["reversed"] == 1
    # phi of the smoothed table: (5.5 x 5.5 - 55.5 x 35.5) / (61 x 41)
    assert found.tests["r"] == pytest.approx((5.5**2 - 55.5 * 35.5) / (61 * 41))
    assert "turned round" in sentence(found, case)


def test_rare_positives_that_are_reversed_are_named_at_a_small_negative_kappa(case_of, of_table):
    # (3, 87; 9, 1): observed .04, chance .9 x .12 + .1 x .88 = .196, kappa -.156 / .804 = -.19403.
    # Turned round (87, 3; 1, 9): observed .96, chance .9 x .88 + .1 x .12 = .804, kappa .79592.
    raters, _ = _two(of_table, [[3, 87], [9, 1]])
    case = case_of(raters)
    found = measure(case)
    plain = case.tables(case.referred(LOW), case.judged(LOW), smooth=False)[0]
    assert cohen_kappa(plain) == pytest.approx(-0.194030, abs=1e-6)
    assert cohen_kappa(plain[:, ::-1]) == pytest.approx(0.795918, abs=1e-6)
    assert found.tests["reversed"] == 1


def test_a_reversed_stratum_is_named_and_only_it_is_turned(case_of, of_table):
    raters, strata = _two(of_table, STRAIGHT, REVERSED, STRAIGHT)
    case = case_of(raters, stratum="batch", batch=strata)
    found = measure(case)
    assert found.facts["strata"] == ("b",)
    assert found.tests["reversed"] == 1
    right = undo(case, found)
    table = case.tables(right.referred(LOW), right.judged(LOW), smooth=False)[0]
    assert table.tolist() == [[165, 15], [15, 105]]
    assert "batch b" in sentence(found, case)


def test_undo_turns_the_second_sitting_too(case_of, of_table):
    # The judge gives another answer in every eighth call, whichever way its labels are read.
    raters, _ = _two(of_table, REVERSED)
    case = case_of(raters)
    changed = np.arange(case.n) % 8 == 0
    again = np.where(changed, 1 - case.judge, case.judge)
    again[:, :5] = -1
    case = replace(case, again=again)
    right = undo(case, measure(case))
    assert right.again[LOW].tolist() == [-1] * 5 + (1 - again[LOW, 5:]).tolist()
    before, after = (judge_noise.measure(one) for one in (case, right))
    assert after.effect[0] == pytest.approx(before.effect[0])
    assert after.tests["rel_low"] == pytest.approx(before.tests["rel_low"])


def test_all_strata_reversed_is_reversed_everywhere(case_of, of_table):
    raters, strata = _two(of_table, REVERSED, REVERSED)
    found = measure(case_of(raters, stratum="batch", batch=strata))
    assert found.facts["strata"] == ()
    assert found.tests["reversed"] == 2


@pytest.mark.parametrize("table", [STRAIGHT, [[25, 25], [25, 25]], [[80, 10], [9, 1]]])
def test_agreement_and_chance_are_no_reversal(case_of, of_table, table):
    raters, _ = _two(of_table, table)
    case = case_of(raters)
    found = measure(case)
    assert found.tests["reversed"] == 0
    turned = case.with_judge(LOW, 1 - case.judge[LOW])
    np.testing.assert_array_equal(found.undone, turned.kappa(LOW))
    assert undo(case, found) is case
    assert "do not run against each other" in sentence(found, case)


def test_a_reversed_ordinal_scale_is_named_and_the_mapping_is_the_reversal(case_of, of_table):
    raters, _ = _two(of_table, [[2, 3, 35], [3, 40, 4], [30, 5, 2]])
    found = measure(case_of(raters, categories=(0, 1, 2), kind="ordinal"))
    assert found.tests["reversed"] == 1
    assert found.facts["mapping"] == found.facts["best_mapping"] == (2, 1, 0)
    assert found.tests["gain_cross"] > 0.5


def test_mixed_up_nominal_categories_are_found_on_the_half_that_did_not_choose(case_of, of_table):
    # The judge's a is people's b, its b people's c, its c people's a.
    raters, _ = _two(of_table, [[3, 2, 45], [40, 4, 3], [2, 38, 5]])
    case = case_of(raters, categories=(0, 1, 2))
    found = measure(case)
    assert found.tests["reversed"] == 1
    assert found.facts["mapping"] == (1, 2, 0)
    right = undo(case, found)
    table = case.tables(right.referred(LOW), right.judged(LOW), smooth=False)[0]
    assert table.tolist() == [[45, 3, 2], [3, 40, 4], [5, 2, 38]]
    assert found.undone[0] > 0.7
    assert "when read as 1, 2, 0" in sentence(found, case)


def test_nominal_categories_in_place_stay_in_place(case_of, of_table):
    raters, _ = _two(of_table, [[30, 8, 8], [9, 30, 9], [8, 9, 30]])
    case = case_of(raters, categories=(0, 1, 2))
    found = measure(case)
    assert found.tests["reversed"] == 0
    assert found.facts["mapping"] == (0, 1, 2)
    assert "when read as 0, 1, 2" in sentence(found, case)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[60, 0], [40, 0]], "the judge gives one label on low only"),
        ([[60, 40], [0, 0]], "people give one label on low only"),
    ],
)
def test_one_label_alone_is_not_testable(case_of, of_table, table, reason):
    raters, _ = _two(of_table, table)
    raters["judge"]["high"] = [0, 1] * 50
    assert measure(case_of(raters)).untestable == reason


def test_three_items_give_numbers_and_no_reversal(case_of):
    raters = {
        "human1": {"low": [0, 1, 1], "high": [0, 1, 1]},
        "judge": {"low": [1, 0, 0], "high": [0, 1, 1]},
    }
    found = measure(case_of(raters))
    assert np.isfinite(found.undone).all()


def test_no_shared_call_is_not_testable(case_of):
    raters = {
        "human1": {"low": [0, 1, None, None], "high": [None, None, 0, 1]},
        "judge": {"low": [1, 0, None, None], "high": [None, None, 0, 1]},
    }
    assert "no label" in measure(case_of(raters)).untestable


@settings(max_examples=60, deadline=None)
@given(
    st.permutations(range(4)),
    st.lists(st.integers(20, 60), min_size=4, max_size=4),
    st.floats(0.0, 4.0),
)
def test_the_best_permutation_puts_a_mixed_up_diagonal_back(order, counts, noise):
    table = np.diag(counts) + noise * np.ones((4, 4))
    mixed = table[:, order]
    mapping = _best(mixed, np.eye(4))
    np.testing.assert_array_equal(mapping, order)
