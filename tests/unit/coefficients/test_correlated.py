"""The t-test for two correlated coefficients: Gwet's example, symmetry, missing labels, edges."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from toolkit.coefficients.correlated import COEFFICIENTS, correlated_test
from toolkit.coefficients.multirater import fleiss_kappa
from toolkit.errors import StatisticsError

NAMES = {"gwet_ac1": "gwet"}  # the oracle's name: ours
BEFORE = [[1, 1, 2], [2, 2, 2], [1, 2, 2], [1, 1, 1], [1, 2, 1]]
AFTER = [[1, 1, 1], [2, 2, 2], [2, 2, 2], [1, 1, 1], [1, 2, 1]]


def test_fifteen_subjects_four_raters_two_occasions(oracle):
    case = oracle("gwet_pairedCAC")
    first, second = case["input"]["ratings1"], case["input"]["ratings2"]
    assert {NAMES.get(name, name) for name in case["expected"]} == set(COEFFICIENTS)
    for name, expected in case["expected"].items():
        test = correlated_test(first, second, NAMES.get(name, name))
        found = [test.first, test.second, test.difference, test.se, test.t, test.p_value]
        assert found == pytest.approx(expected, abs=case["tolerance"]), name
        assert (test.df, test.n_items, test.left_out) == (14, 15, 0)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_exchanging_the_sets_turns_the_sign(coefficient):
    one, other = (
        correlated_test(BEFORE, AFTER, coefficient),
        correlated_test(AFTER, BEFORE, coefficient),
    )
    assert one.difference == pytest.approx(-other.difference)
    assert (one.se, one.p_value) == pytest.approx((other.se, other.p_value))


def test_only_items_labelled_in_both_sets_enter():
    blank = [None, None, None]
    extended = correlated_test([*BEFORE, [1, 2, 1], blank], [*AFTER, blank, [1, 1, 2]])
    assert (extended.n_items, extended.left_out) == (5, 2)
    assert extended.difference == pytest.approx(correlated_test(BEFORE, AFTER).difference)


def test_alpha_needs_two_labels_in_both_sets():
    single = [1, None, None]
    test = correlated_test([*BEFORE, single], [*AFTER, [1, 1, 1]], "krippendorff")
    assert (test.n_items, test.left_out) == (5, 1)


def test_undeclared_categories_are_those_of_both_sets():
    # AC1 depends on their number: 3 for both, though the second set shows only two of them.
    first, second = [[1, 3], [2, 2], [1, 1], [3, 3]], [[1, 2], [2, 2], [1, 1], [2, 2]]
    declared = correlated_test(first, second, "gwet", categories=[1, 2, 3])
    assert correlated_test(first, second, "gwet") == declared


def test_two_constructs_may_have_different_categories():
    first, second = [["no", "yes"], ["no", "no"], ["yes", "yes"]], [[1, 3], [2, 2], [1, 1]]
    test = correlated_test(first, second, categories=["no", "yes"], second_categories=[1, 2, 3])
    assert test.first == pytest.approx(fleiss_kappa(first).estimate)
    assert test.second == pytest.approx(fleiss_kappa(second).estimate)
    with pytest.raises(StatisticsError, match="mixed types"):
        correlated_test(first, second)


@pytest.mark.parametrize(
    ("first", "second", "reasons"),
    [
        ([[1, 2], [None, None]], [[None, None], [1, 2]], ("no_overlap",)),
        ([[None, None]], [[None, None]], ("no_overlap",)),
        ([[1, 1], [1, 1]], [[1, 2], [1, 1]], ("first_all_constant",)),
        ([[1, 2], [1, 1]], [[2, 2], [2, 2]], ("second_all_constant",)),
        ([[1, 2]], [[1, 2]], ("first_one_item", "second_one_item")),
        ([[1, 1], [2, 2]], [[1, 1], [2, 2]], ("zero_se",)),
    ],
)
def test_undefined_has_a_name(first, second, reasons):
    test = correlated_test(first, second)
    assert test.reasons == reasons
    assert np.isnan([test.t, test.p_value]).all()
    assert json.loads(json.dumps(test.to_dict(), allow_nan=False))["p_value"] is None


def test_what_does_not_fit_is_refused():
    with pytest.raises(StatisticsError, match="differ in their number of items"):
        correlated_test(BEFORE, AFTER[:4])
    with pytest.raises(StatisticsError, match="unknown coefficient"):
        correlated_test(BEFORE, AFTER, "light")
    words = [["low", "high"], ["medium", "low"]]
    with pytest.raises(StatisticsError, match="nobody declared"):
        correlated_test(words, words, weights="linear")


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(
    sets=st.integers(0, 9).flatmap(
        lambda n: st.tuples(
            hnp.arrays(np.int64, (n, 3), elements=st.integers(-1, 2)),
            hnp.arrays(np.int64, (n, 2), elements=st.integers(-1, 2)),
        )
    )
)
def test_no_pair_of_rating_tables_raises(coefficient, sets):
    test = correlated_test(*sets, coefficient, categories=[0, 1, 2])
    assert test.reasons or 0 <= test.p_value <= 1
