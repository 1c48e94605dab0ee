from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.diagnosis import latent
from toolkit.diagnosis.correlation import Moments, all_pairs, moments, positive_definite, square


def test_tetrachoric_correlation_of_even_margins_by_hand():
    # P(both) = 1/4 + asin(rho) / 2 pi, so a covariance of .1 means rho = sin(.2 pi).
    half = np.array([[0.5, 0.5]])
    pair = (np.array([0]), np.array([1]))
    made = Moments(pair, (half, half), np.array([[0.1]]), np.array([[0.25]]))
    assert made.latent()[0, 0] == pytest.approx(np.sin(0.2 * np.pi), abs=1e-6)
    assert made.pearson()[0, 0] == pytest.approx(0.4)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([2, 3, 5]), st.sampled_from([2, 4]))
def test_the_series_agrees_with_the_integral(seed, a, b):
    rng = np.random.default_rng(seed)
    people, judge = (rng.dirichlet(np.full(k, 2.0), 1) * 0.98 + 0.02 / k for k in (a, b))
    rho = rng.uniform(-0.9, 0.9, 1)
    cuts = latent.cuts_of(people), latent.cuts_of(judge)
    covariance = latent.excess(*cuts, rho).sum(axis=(-2, -1))
    pair = (np.array([0]), np.array([1]))
    made = Moments(pair, (people, judge), covariance[:, None], np.ones((1, 1)))
    assert made.latent()[0, 0] == pytest.approx(rho[0], abs=0.005)


def test_moments_are_those_of_the_tables(case_of):
    rng = np.random.default_rng(3)
    low, high = rng.integers(0, 3, (2, 80)).tolist()
    judge = [None if i == 5 else label for i, label in enumerate(high)]
    raters = {
        "human1": {"low": low, "high": high, "third": low},
        "judge": {"low": high, "high": low, "third": judge},
    }
    case = case_of(raters, categories=(0, 1, 2), kind="ordinal")
    data = [case.judged(0), case.judged(1), case.judged(2), case.referred(0)]
    r = moments(case, data, all_pairs(4), smooth=False).pearson()[0]
    codes = [case.judge[0], case.judge[1], case.judge[2], case.people[0, :, 0]]
    for (i, j), found in zip(zip(*all_pairs(4), strict=True), r, strict=True):
        both = (codes[i] >= 0) & (codes[j] >= 0)
        assert found == pytest.approx(np.corrcoef(codes[i][both], codes[j][both])[0, 1])


def test_complete_and_incomplete_columns_are_summed_alike(case_of):
    rng = np.random.default_rng(4)
    labels = rng.integers(0, 2, (4, 60))
    low, high, judge_low, judge_high = labels.tolist()
    raters = {
        "human1": {"low": low, "high": high, "third": [None] * 59 + [1]},
        "judge": {"low": judge_low, "high": judge_high, "third": [None] * 59 + [1]},
    }
    case = case_of(raters)
    data = [case.judged(0), case.referred(0), case.judged(1)]
    alone = moments(case, data, all_pairs(3))
    beside = moments(case, [*data, case.judged(2)], all_pairs(4))
    np.testing.assert_allclose(alone.covariance[0], beside.covariance[0][[0, 1, 3]])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-0.99, 0.99), min_size=6, max_size=6))
def test_repaired_matrices_are_correlation_matrices(values):
    matrix = square(np.array([values]), all_pairs(4), 4)
    near = positive_definite(matrix)
    assert np.linalg.eigvalsh(near).min() > 0
    np.testing.assert_allclose(np.diagonal(near, axis1=1, axis2=2), 1)
    if np.linalg.eigvalsh(matrix).min() > 0.02:
        np.testing.assert_allclose(near, matrix, atol=1e-12)
