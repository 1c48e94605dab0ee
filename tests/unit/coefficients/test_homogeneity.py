"""Equality of independent kappas: the textbook problem, the formula, edges."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from toolkit.coefficients.homogeneity import kappa_homogeneity
from toolkit.errors import StatisticsError

GOOD = [[30, 5], [5, 10]]


def test_problem_18_3_of_fleiss_levin_and_paik(oracle):
    case = oracle("flp2003_problem_18_3")
    expected, at = case["expected"], case["tolerance"]
    result = kappa_homogeneity(case["input"]["tables"])
    assert result.kappas == pytest.approx(expected["kappas"], abs=at)
    assert result.ses == pytest.approx(expected["ses"], abs=at)
    assert result.overall == pytest.approx(expected["overall"], abs=at)
    assert [result.low, result.high] == pytest.approx(expected["overall_ci95"], abs=at)
    assert result.chi2 == pytest.approx(expected["chi2"], abs=at)
    assert result.df == expected["df"]
    assert result.p_value == pytest.approx(expected["p"], abs=at)


def test_equal_tables_are_homogeneous_and_halve_the_variance():
    one, two = kappa_homogeneity([GOOD]), kappa_homogeneity([GOOD, GOOD])
    assert two.chi2 == pytest.approx(0)
    assert two.p_value == pytest.approx(1)
    assert two.high - two.low == pytest.approx((one.high - one.low) / np.sqrt(2))


def test_samples_may_have_different_numbers_of_categories():
    result = kappa_homogeneity([GOOD, [[9, 1, 0], [2, 8, 1], [0, 2, 7]]], weights="linear")
    assert not result.reasons
    assert result.df == 1


def test_one_table_has_an_interval_but_no_test():
    result = kappa_homogeneity([GOOD])
    assert result.reasons == ("one_table",)
    assert result.low < result.overall == result.kappas[0] < result.high
    assert np.isnan([result.chi2, result.p_value]).all()


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[0, 0], [0, 50]], "undefined_kappa"),
        ([[0, 0], [0, 0]], "undefined_kappa"),
        ([[5, 0], [0, 45]], "zero_se"),
        ([[0, 2], [0, 8]], "zero_se"),
    ],
)
def test_a_table_without_a_usable_kappa_makes_the_pooled_one_undefined(table, reason):
    result = kappa_homogeneity([GOOD, table])
    assert result.reasons == (reason,)
    assert np.isnan([result.overall, result.low, result.high, result.chi2, result.p_value]).all()
    assert result.kappas[0] == pytest.approx(0.5238, abs=1e-4)
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["overall"] is None


def test_what_does_not_fit_is_refused():
    with pytest.raises(StatisticsError, match="no tables"):
        kappa_homogeneity([])
    with pytest.raises(StatisticsError, match="not square"):
        kappa_homogeneity(GOOD)
    with pytest.raises(StatisticsError, match="stack of tables"):
        kappa_homogeneity([[GOOD, GOOD]])
    for level in (0, 1, 95, "95 %", None):
        with pytest.raises(StatisticsError, match="level is no probability"):
            kappa_homogeneity([GOOD], level=level)


@given(tables=hnp.arrays(np.int64, (3, 2, 2), elements=st.integers(0, 30)))
def test_no_tables_raise(tables):
    result = kappa_homogeneity(tables)
    assert result.reasons or 0 <= result.p_value <= 1
