from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolkit.diagnosis.case import HIGH, LOW
from toolkit.diagnosis.waterfall import REST, waterfall

LOWER, HIGHER = [[35, 15], [15, 35]], [[45, 5], [5, 45]]
GAP = 0.4  # .8 - .4 of the tables of counts


def _case(case_of, of_table, low, high, **options):
    people, judge = of_table(low)
    other, judged = of_table(high)
    raters = {"human1": {"low": people, "high": other}, "judge": {"low": judge, "high": judged}}
    return case_of(raters, **options)


def _factor(case, power):
    """This power of the factor that brings the latent correlation of low to that of high."""
    return (case.rho(HIGH) / case.rho(LOW)) ** power


def test_equal_margins_leave_the_whole_gap_to_the_rest_by_hand(case_of, of_table):
    # Half a count a cell, n 102, chance 1/2: kappas (71 - 31) / 102 and (91 - 11) / 102.
    steps = waterfall(_case(case_of, of_table, LOWER, HIGHER), GAP, {})
    assert steps.start[0] == pytest.approx(40 / 102)
    assert steps.end[0] == pytest.approx(80 / 102)
    assert steps.kappa_of(REST) == pytest.approx(40 / 102)
    assert steps.kappa_of("prevalence") == pytest.approx(0)
    assert steps.kappa_of("threshold_shift") == pytest.approx(0)


def test_two_factors_of_equal_size_share_the_gap_by_hand(case_of, of_table):
    # A factor that is the root of what is needed leaves the same factor to the rest; with equal
    # factors the mean over both orders is half of the gap, 20 / 102 each.
    case = _case(case_of, of_table, LOWER, HIGHER)
    steps = waterfall(case, GAP, {"human_ceiling": _factor(case, 0.5)})
    assert steps.kappa_of("human_ceiling") == pytest.approx(20 / 102)
    assert steps.kappa_of(REST) == pytest.approx(20 / 102)


def test_a_factor_that_explains_all_leaves_nothing(case_of, of_table):
    case = _case(case_of, of_table, LOWER, HIGHER)
    steps = waterfall(case, GAP, {"halo": _factor(case, 1)})
    assert steps.kappa_of("halo") == pytest.approx(40 / 102)
    assert steps.kappa_of(REST) == pytest.approx(0, abs=1e-9)


def test_a_replicate_without_a_factor_keeps_its_correlation(case_of, of_table):
    case = _case(case_of, of_table, LOWER, HIGHER)
    factor = np.full(1 + case.replicates, np.nan)
    factor[0] = 1.0
    steps = waterfall(case, GAP, {"halo": factor})
    assert np.isfinite(np.stack(list(steps.steps.values()))).all()
    assert steps.steps["halo"] == pytest.approx(0)


@pytest.fixture
def make_case(case_of, of_table):
    """Case of two tables cut to the same number of calls."""

    def make(low, high):
        sizes = [sum(map(sum, table)) for table in (low, high)]
        n = min(sizes)
        raters = {"human1": {}, "judge": {}}
        for name, table in (("low", low), ("high", high)):
            people, judge = of_table(table)
            pick = np.linspace(0, len(people) - 1, n).astype(int)
            raters["human1"][name] = [people[i] for i in pick]
            raters["judge"][name] = [judge[i] for i in pick]
        return case_of(raters)

    return make


cells = st.lists(st.integers(3, 40), min_size=4, max_size=4)


# The fixture is a function without a state.
@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(cells, st.floats(0.7, 1.3))
def test_steps_sum_to_end_minus_start_and_the_remainder_to_the_observed_gap(
    make_case, counts, factor
):
    a, b, c, d = counts
    case = make_case([[a + d, b], [c, a + c + d]], [[b + d + a, c], [b, a + c]])
    steps = waterfall(case, GAP, {"human_ceiling": np.full(1 + case.replicates, factor)})
    total = sum(steps.steps.values())
    assert total == pytest.approx(steps.end - steps.start, abs=1e-9)
    assert steps.remainder == pytest.approx(GAP - (steps.end[0] - steps.start[0]), abs=1e-12)


def test_two_categories_leave_no_remainder(case_of, of_table):
    # A latent table of two categories has as many parameters as the observed one.
    case = _case(case_of, of_table, [[50, 20], [5, 25]], [[60, 5], [5, 30]])
    steps = waterfall(case, float(case.kappa(HIGH)[0] - case.kappa(LOW)[0]), {})
    assert steps.remainder == pytest.approx(0, abs=1e-6)
    assert steps.start[0] == pytest.approx(case.kappa(LOW)[0], abs=1e-6)
    assert steps.end[0] == pytest.approx(case.kappa(HIGH)[0], abs=1e-6)


def test_unordered_categories_are_not_split(case_of, of_table):
    table = [[30, 2, 2], [2, 20, 2], [2, 2, 20]]
    assert waterfall(_case(case_of, of_table, table, table, categories=(0, 1, 2)), GAP, {}) is None


def test_a_constant_side_is_not_split(case_of, of_table):
    assert waterfall(_case(case_of, of_table, [[60, 0], [40, 0]], HIGHER), GAP, {}) is None


def test_the_remainder_is_that_of_the_gap_which_is_reported(case_of, of_table):
    # The gap of the counts is .8 - .4; half a count a cell makes the steps sum to 40 / 102.
    steps = waterfall(_case(case_of, of_table, LOWER, HIGHER), GAP, {})
    assert steps.remainder == pytest.approx(0.4 - 40 / 102)


@pytest.mark.parametrize("low", [[[25, 25], [25, 25]], [[15, 35], [35, 15]]])
def test_a_correlation_of_zero_or_below_leaves_the_gap_to_the_rest(case_of, of_table, low):
    # The split starts from a correlation of .02: kappa 2 / pi asin(.02) = .0127 with even margins.
    steps = waterfall(_case(case_of, of_table, low, HIGHER), 0.8, {})
    assert steps.start[0] == pytest.approx(0.0127, abs=1e-4)
    assert steps.end[0] == pytest.approx(80 / 102)
    assert steps.kappa_of(REST) == pytest.approx(80 / 102 - 0.0127, abs=1e-4)


def test_a_step_that_is_not_part_of_the_split_adds_nothing(case_of, of_table):
    assert waterfall(_case(case_of, of_table, LOWER, HIGHER), GAP, {}).kappa_of("drift") == 0


def test_each_step_is_given_with_its_interval(case_of, of_table):
    made = waterfall(_case(case_of, of_table, LOWER, HIGHER), GAP, {}).to_dict()
    rest = made["steps"][REST]
    assert rest["low"] < rest["kappa"] < rest["high"]
    json.dumps(made, allow_nan=False)
