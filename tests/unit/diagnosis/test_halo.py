from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.diagnosis import latent
from toolkit.diagnosis.case import LOW
from toolkit.diagnosis.correlation import positive_definite
from toolkit.diagnosis.halo import Columns, columns_of, measure, own_correlation, sentence


def _columns(judge, people, cross):
    """Latent correlations of two constructs (judge A, judge B, people A, people B), one entry."""
    (a_a, a_b), (b_a, b_b) = cross
    matrix = [
        [1, judge, a_a, a_b],
        [judge, 1, b_a, b_b],
        [a_a, b_a, 1, people],
        [a_b, b_b, people, 1],
    ]
    return Columns((0, 1), np.array([matrix]))


def _patterns(**counts):
    rows = [[int(digit) for digit in name[1:]] for name, n in counts.items() for _ in range(n)]
    low, high, judge = np.array(rows).T.tolist()
    return {
        "human1": {"low": low, "high": high},
        "judge": {"low": judge, "high": high},
    }


# Patterns of (people low, people high, judge low); the judge's high is people's high. Even margins,
# people's labels independent, judge low agrees with either in 70 %: 45 % where both say the same,
# and half of what is left where they differ.
HALO = _patterns(p000=450, p001=50, p111=450, p110=50, p010=250, p011=250, p100=250, p101=250)


def test_own_correlation_and_excess_of_a_matrix_by_hand():
    # Judge A with people A .5, with judge B .6; judge B with people A 0; people A with people B .2.
    # The two predictors of judge A don't correlate, so h = .6 and
    # own = .5 / sqrt(1 - 2 x .6 x .6 + .36) = .5 / .8; excess = .6^2 - .2^2.
    columns = _columns(0.6, 0.2, ((0.5, 0.1), (0.0, 0.3)))
    assert columns.own(0)[0] == pytest.approx(0.625)
    assert columns.excess(0)[0] == pytest.approx(0.32)


def test_own_correlation_of_correlated_predictors_by_hand():
    # Judge B with people A .4: normal equations g + .4 h = .5, .4 g + h = .6 give h = .4 / .84
    # = 10/21; own = (.5 - .4 h) / sqrt(1 - 1.2 h + h^2).
    columns = _columns(0.6, 0.2, ((0.5, 0.1), (0.4, 0.3)))
    h = 10 / 21
    assert columns.own(0)[0] == pytest.approx((0.5 - 0.4 * h) / np.sqrt(1 - 1.2 * h + h * h))


def test_halo_of_even_labels_by_hand(case_of):
    # phi .4 with people and with the judge's high: at medians rho = sin(pi / 2 x .4) = .58779.
    # Blended: predictors don't correlate, so h = .58779 and own = .58779 / sqrt(1 - .58779^2) =
    # .72654. Copied: within either class of people's low the covariance of the judge's two labels
    # is .10 and the variance of high .25, so s = .4; (.35 - .4 x .25) / .6 = .41667 on the
    # diagonal, .08333 off it, phi 2/3, rho = sin(pi / 3) = .86603. The mean is .79628, kappa at
    # medians 2/pi asin of it = .5864; excess = .58779^2 - 0 = .3455.
    case = case_of(HALO)
    found = measure(case)
    assert found.tests["rho"] == pytest.approx(0.58779, abs=0.005)
    assert found.tests["rho_own"] == pytest.approx(0.79628, abs=0.01)
    assert found.effect[0] == pytest.approx(0.3455, abs=0.005)
    assert found.undone[0] == pytest.approx(0.5864, abs=0.008)
    assert found.tests["z"] > 3
    assert found.tests["copy"] == 0
    assert found.facts["construct"] == "high"
    assert "goes with its high" in sentence(found, case)
    np.testing.assert_array_equal(own_correlation(case, LOW)[0], found.tests["rho_own"])


def test_a_judge_that_follows_people_alone_has_no_halo(case_of):
    raters = _patterns(p000=80, p001=20, p010=80, p011=20, p100=20, p101=80, p110=20, p111=80)
    case = case_of(raters)
    found = measure(case)
    assert abs(found.effect[0]) < 0.01
    assert found.undone[0] == pytest.approx(case.kappa(LOW)[0], abs=0.01)


def test_a_copied_column_is_named(case_of):
    raters = _patterns(p000=50, p011=50, p100=50, p111=50)
    found = measure(case_of(raters))
    assert found.tests["copy"] == 1
    assert found.facts["construct"] == "high"
    assert "nearly the same labels" in sentence(found, case_of(raters))


def test_a_label_carried_by_another_is_halo_that_cannot_be_sized(case_of):
    # The judge's low follows its high in 85 %, whatever people say of low: phi .7, rho sin(pi/2 x
    # .7) = .89101 with high and 0 with people's low, so the excess is .7939 and rho = own = 0.
    raters = _patterns(p000=425, p001=75, p010=75, p011=425, p100=425, p101=75, p110=75, p111=425)
    case = case_of(raters)
    found = measure(case)
    assert found.effect[0] == pytest.approx(0.7939, abs=0.01)
    assert found.tests["carried"] == 1
    assert found.tests["copy"] == 0
    assert found.undone is None
    assert "Too little of a judgement of its own" in sentence(found, case)
    assert measure(case_of(HALO)).tests["carried"] == 0


def test_without_another_construct_of_use_it_is_not_testable(case_of):
    even = [0, 1] * 30
    raters = {"human1": {"low": even, "high": even}, "judge": {"low": even, "high": [0] * 60}}
    case = case_of(raters)
    assert "no other construct" in measure(case).untestable
    assert np.isnan(own_correlation(case, LOW)).all()


def test_a_constant_judge_nominal_labels_and_different_calls_are_not_testable(case_of):
    even, three = [0, 1] * 30, [0, 1, 2] * 20
    constant = {"human1": {"low": even, "high": even}, "judge": {"low": [1] * 60, "high": even}}
    nominal = {"human1": {"low": three, "high": three}, "judge": {"low": three, "high": three}}
    apart = replace(case_of(HALO), same_call=False)
    assert measure(case_of(constant)).untestable == "the judge gives one label on low only"
    assert "no order" in measure(case_of(nominal, categories=(0, 1, 2))).untestable
    assert "different judge calls" in measure(apart).untestable


def test_a_construct_with_few_labels_is_left_out(case_of):
    raters = {rater: dict(own) for rater, own in HALO.items()}
    third = [0, 1] * 10 + [None] * 1980
    raters["human1"]["third"] = raters["judge"]["third"] = third
    assert columns_of(case_of(raters)).constructs == (0, 1)


@settings(max_examples=40, deadline=None)
@given(st.floats(-0.8, 0.8), st.floats(-0.8, 0.8), st.floats(-0.8, 0.8), st.integers(0, 99))
def test_own_correlation_stays_a_correlation(judge, straight, crossed, seed):
    other = np.random.default_rng(seed).uniform(-0.6, 0.6, 3)
    columns = _columns(judge, other[0], ((straight, other[1]), (crossed, other[2])))
    columns = Columns((0, 1), positive_definite(columns.matrix))
    assert np.abs(columns.own(0)).max() <= latent.MOST
    assert 0 <= columns.explained(0, [1])[0] <= 1
