"""Fleiss' kappa by category and its null errors: the psychiatric diagnoses of 1971."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from toolkit.coefficients.fleiss_by_category import fleiss_by_category


def test_thirty_patients_six_psychiatrists(oracle):
    case = oracle("fleiss1971_psychiatric")
    expected, at = case["expected"], case["tolerance"]
    result = fleiss_by_category(counts=case["input"]["count_table"])
    assert result.overall.estimate == pytest.approx(expected["kappa"], abs=at)
    assert result.se_null == pytest.approx(expected["se_h0"], abs=at)
    assert result.z == pytest.approx(expected["z_h0"], abs=at)
    by_category = [one.estimate for one in result.by_category]
    assert by_category == pytest.approx(expected["per_category"], abs=at)
    # sqrt(2 / (30 * 6 * 5)), Fleiss 1971, equation for a single category.
    assert result.se_null_category == pytest.approx(np.sqrt(2 / 900))


def test_error_of_the_psychiatric_data_is_that_of_the_delta_method(oracle):
    # multiagree 3.01 prints .053 (see the oracle); it divides by n, we by n - 1.
    counts = oracle("fleiss1971_psychiatric")["input"]["count_table"]
    se = fleiss_by_category(counts=counts).overall.se
    assert round(se * np.sqrt(29 / 30), 3) == 0.053


def test_two_categories_have_one_kappa():
    result = fleiss_by_category([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"]])
    assert result.categories == ("a", "b")
    for one in result.by_category:
        assert one.estimate == pytest.approx(result.overall.estimate)
    assert result.se_null == pytest.approx(result.se_null_category)


def test_unequal_numbers_of_labels_have_kappas_but_no_null_error():
    result = fleiss_by_category([["a", "a", None], ["b", "b", "b"], ["a", "b", "a"]])
    assert result.reasons == ("unequal_labels",)
    assert np.isnan([result.se_null, result.se_null_category, result.z, result.p_value]).all()
    assert not np.isnan([one.estimate for one in result.by_category]).any()


def test_a_category_that_nobody_chose_is_undefined_and_harms_no_other():
    ratings = [["a", "a", "b"], ["b", "b", "b"]]
    result = fleiss_by_category(ratings, categories=["a", "b", "c"])
    assert result.by_category[2].reasons == ("all_constant",)
    assert not result.reasons


def test_all_constant_is_undefined_throughout():
    result = fleiss_by_category(counts=[[3, 0], [3, 0]])
    assert result.reasons == ("all_constant",)
    assert np.isnan([result.overall.estimate, result.se_null, result.z]).all()
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["z"] is None


@given(
    counts=hnp.arrays(
        np.int64, st.tuples(st.integers(0, 6), st.integers(1, 4)), elements=st.integers(0, 4)
    )
)
def test_no_count_table_raises(counts):
    result = fleiss_by_category(counts=counts)
    assert result.reasons or (result.se_null > 0 and 0 <= result.p_value <= 1)


def test_null_error_is_the_spread_of_kappa_when_raters_guess():
    rng = np.random.default_rng(11)
    draws = [rng.multinomial(5, [0.5, 0.3, 0.2], size=60) for _ in range(400)]
    results = [fleiss_by_category(counts=counts) for counts in draws]
    spread = np.std([result.overall.estimate for result in results])
    assert np.mean([result.se_null for result in results]) == pytest.approx(spread, rel=0.12)
