"""Conger's and Light's kappa: published values, two-rater special cases, definitions by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from toolkit.coefficients.chance_corrected import cohen_kappa, linearised_se
from toolkit.coefficients.conger import conger_kappa, light_kappa
from toolkit.coefficients.tables import count

THREE_RATERS = np.array(
    [[0, 0, 0], [0, 0, 1], [1, 1, 1], [2, 1, 2], [2, 2, 2], [0, 1, 0], [1, 1, 2], [0, 0, 0]]
)


def pairwise_cohen(ratings, k=3):
    pairs = [(0, 1), (0, 2), (1, 2)]
    return [cohen_kappa(count(ratings[:, g], ratings[:, h], k)) for g, h in pairs]


@pytest.mark.parametrize("function", [conger_kappa, light_kappa])
@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@given(ratings=hnp.arrays(np.int64, (15, 2), elements=st.integers(0, 2)))
def test_two_complete_raters_give_cohens_kappa(function, weights, ratings):
    table = count(ratings[:, 0], ratings[:, 1], 3)
    result = function(ratings, categories=[0, 1, 2], weights=weights)
    assert result.estimate == pytest.approx(cohen_kappa(table, weights), abs=1e-9, nan_ok=True)
    # The error from ratings divides by n - 1, that of Fleiss, Cohen and Everitt by n.
    expected = linearised_se(table, weights=weights) * np.sqrt(15 / 14)
    assert result.se == pytest.approx(expected, abs=1e-7, nan_ok=True)


def test_conger_is_the_ratio_of_mean_pairwise_agreements():
    tables = [count(THREE_RATERS[:, g], THREE_RATERS[:, h], 3) for g, h in ((0, 1), (0, 2), (1, 2))]
    observed = np.mean([np.trace(table) / 8 for table in tables])
    expected = np.mean([table.sum(1) @ table.sum(0) / 64 for table in tables])
    result = conger_kappa(THREE_RATERS)
    assert result.estimate == pytest.approx((observed - expected) / (1 - expected))


def test_light_is_the_mean_of_pairwise_cohen():
    assert light_kappa(THREE_RATERS).estimate == pytest.approx(
        np.mean(pairwise_cohen(THREE_RATERS))
    )


def test_light_compares_each_pair_on_the_items_that_both_labelled():
    ratings = THREE_RATERS.astype(float)
    ratings[0, 0] = ratings[3, 2] = np.nan
    expected = []
    for g, h in ((0, 1), (0, 2), (1, 2)):
        both = ~np.isnan(ratings[:, [g, h]]).any(1)
        pair = ratings[both][:, [g, h]].astype(int)
        expected.append(cohen_kappa(count(pair[:, 0], pair[:, 1], 3)))
    result = light_kappa(ratings)
    assert result.estimate == pytest.approx(np.mean(expected))
    assert result.n_items == 8


def test_light_is_undefined_where_one_pair_is():
    constant_pair = [[0, 0, 0], [0, 0, 1], [0, 0, 1]]
    assert light_kappa(constant_pair).reasons == ("undefined_pair",)
    never_met = [[0, 0, None], [1, 1, None], [1, None, 1], [0, None, 0]]
    assert light_kappa(never_met).reasons == ("undefined_pair",)


@pytest.mark.parametrize("function", [conger_kappa, light_kappa])
def test_linearised_error_is_near_the_jackknife_error(function):
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 400)
    ratings = np.where(rng.random((400, 4)) < 0.7, truth[:, None], rng.integers(0, 3, (400, 4)))
    ratings = np.where(rng.random((400, 4)) < 0.2, -1, ratings)
    without = [
        function(np.delete(ratings, i, axis=0), categories=[0, 1, 2]).estimate for i in range(400)
    ]
    jackknife = np.sqrt(399 / 400 * ((without - np.mean(without)) ** 2).sum())
    assert function(ratings, categories=[0, 1, 2]).se == pytest.approx(jackknife, rel=0.02)


def test_a_rater_without_labels_is_no_rater():
    with_empty = np.column_stack([THREE_RATERS.astype(float), np.full(8, np.nan)])
    for function in (conger_kappa, light_kappa):
        one, other = function(with_empty), function(THREE_RATERS)
        assert one.n_raters == 3
        assert one.estimate == pytest.approx(other.estimate)
