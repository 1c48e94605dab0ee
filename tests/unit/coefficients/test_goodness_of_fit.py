"""Goodness-of-fit interval of the intraclass kappa: checked values, its definition, edges."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from toolkit.coefficients.chance_corrected import scott_pi
from toolkit.coefficients.goodness_of_fit import gof_interval
from toolkit.errors import StatisticsError

CASES = (
    "gof_interval_feinstein_cicchetti_A",
    "gof_interval_feinstein_cicchetti_B",
    "gof_interval_sim_wright",
    "gof_interval_salmon",
)
tables_2_by_2 = hnp.arrays(np.int64, (2, 2), elements=st.integers(0, 10**6))


def goodness_of_fit(table, kappa):
    """Pearson's statistic of the three outcomes, from its definition."""
    n = table.sum()
    observed = np.array([table[0, 0], table[0, 1] + table[1, 0], table[1, 1]])
    p = (2 * observed[0] + observed[1]) / (2 * n)
    shared = kappa * p * (1 - p)
    expected = n * np.array([p**2 + shared, 2 * p * (1 - p) - 2 * shared, (1 - p) ** 2 + shared])
    return ((observed - expected) ** 2 / expected).sum()


@pytest.mark.parametrize("id_", CASES)
def test_checked_intervals(oracle, id_):
    case = oracle(id_)
    expected, at = case["expected"], case["tolerance"]
    result = gof_interval(case["input"]["table"])
    assert result.estimate == pytest.approx(expected["intraclass_kappa"], abs=at)
    assert result.low == pytest.approx(expected["lower"], abs=at)
    assert result.high == pytest.approx(expected["upper"], abs=at)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_statistic_at_the_limits_is_the_chi_square_quantile(level):
    table = np.array([[80, 10], [5, 5]])
    result = gof_interval(table, level=level)
    for limit in (result.low, result.high):
        assert goodness_of_fit(table, limit) == pytest.approx(stats.chi2.ppf(level, 1))


def test_full_agreement_has_an_interval_up_to_one():
    result = gof_interval([[5, 0], [0, 45]])
    assert result.estimate == result.high == 1
    assert goodness_of_fit(np.array([[5, 0], [0, 45]]), result.low) == pytest.approx(3.841459)


def test_least_agreement_has_an_interval_down_to_the_least_kappa():
    result = gof_interval([[0, 5], [5, 10]])
    assert result.estimate == pytest.approx(-1 / 3)
    assert result.low == result.estimate < 0 < result.high


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[0, 0], [0, 50]], "both_constant"),
        ([[7, 0], [0, 0]], "both_constant"),
        ([[0, 0], [0, 0]], "no_overlap"),
    ],
)
def test_undefined_has_a_name(table, reason):
    result = gof_interval(table)
    assert result.reasons == (reason,)
    assert np.isnan([result.estimate, result.low, result.high]).all()
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["low"] is None


def test_what_does_not_fit_is_refused():
    for table in (np.eye(3), np.ones((2, 2, 2))):
        with pytest.raises(StatisticsError, match="two categories"):
            gof_interval(table)
    with pytest.raises(StatisticsError, match="level"):
        gof_interval([[4, 1], [1, 4]], level=95)


@given(table=tables_2_by_2)
def test_no_table_raises_and_the_interval_holds_the_estimate(table):
    result = gof_interval(table)
    if result.reasons:
        assert np.isnan(result.estimate)
    else:
        assert -1 - 1e-12 <= result.low <= result.estimate <= result.high <= 1
        assert result.low < result.high
        assert result.estimate == pytest.approx(scott_pi(table), abs=1e-6)


@given(table=tables_2_by_2)
def test_exchanging_raters_or_categories_keeps_the_interval(table):
    one = gof_interval(table)
    for other in (gof_interval(table.T), gof_interval(table[::-1, ::-1])):
        assert [one.low, one.high] == pytest.approx([other.low, other.high], nan_ok=True)


@given(table=tables_2_by_2)
def test_a_higher_level_is_wider(table):
    narrow, wide = gof_interval(table, level=0.8), gof_interval(table, level=0.99)
    assert narrow.reasons or (wide.low <= narrow.low and narrow.high <= wide.high)
