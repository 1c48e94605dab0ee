"""What stands beside kappa: Byrt's indices, specific agreement, ceilings, categories."""

from __future__ import annotations

import numpy as np
import pytest

import toolkit as tk
from toolkit.coefficients import (
    bias_index,
    brennan_prediger,
    category_kappa,
    cohen_kappa,
    collapse,
    kappa_max,
    prevalence_index,
    specific_agreement,
)
from toolkit.errors import StatisticsError

TWO_BY_TWO = [
    "feinstein_cicchetti_A",
    "feinstein_cicchetti_B",
    "feinstein_cicchetti_C",
    "rare_positive_negative_kappa",
    "sim_wright_2x2",
]


@pytest.mark.parametrize("name", TWO_BY_TWO)
def test_indices_of_two_by_two_tables_match_published_values(oracle, name):
    case = oracle(name)
    table, other = case["input"]["table"], case["expected"]["other"]
    positive, negative = specific_agreement(table)
    got = {
        "pabak": brennan_prediger(table),
        "prevalence_index": prevalence_index(table),
        "bias_index": bias_index(table),
        "positive_agreement": positive,
        "negative_agreement": negative,
    }
    want = {name: other[name] for name in got}
    assert got == pytest.approx(want, abs=case["tolerance"])


def test_specific_agreement_of_an_unused_category_is_undefined():
    positive, negative = specific_agreement([[0, 0], [0, 9]])
    assert np.isnan(positive)
    assert negative == 1


def test_indices_are_refused_for_more_than_two_categories():
    for function in (prevalence_index, bias_index, specific_agreement):
        with pytest.raises(StatisticsError, match="more than two categories"):
            function(np.ones((3, 3)))


def test_collapse_puts_present_first_whatever_the_order():
    table = np.array([[90, 4], [1, 5]])
    assert collapse(table, [1]).tolist() == [[5, 1], [4, 90]]
    with pytest.raises(StatisticsError, match="no positions"):
        collapse(table, [2])


def test_category_kappa_is_kappa_of_the_collapsed_table():
    table = np.array([[75, 1, 4], [5, 4, 1], [0, 0, 10]])
    assert category_kappa(table)[2] == cohen_kappa(collapse(table, [2]))


def test_kappa_max_with_ordered_weights_beats_every_other_table_of_these_margins():
    # By hand: margins (5, 5, 0) and (0, 5, 5) are best paired by equal quantiles, all one step
    # apart: with quadratic weights p_o = .75, p_e = .625, so kappa_max = 1 / 3.
    table = np.array([[0, 5, 0], [0, 0, 5], [0, 0, 0]])
    p_e = 0.25 * (0.75 + 0 + 1 + 0.75)
    assert kappa_max(table, "quadratic") == pytest.approx((0.75 - p_e) / (1 - p_e))
    worse = np.array([[0, 0, 5], [0, 5, 0], [0, 0, 0]])
    assert cohen_kappa(worse, "quadratic") < kappa_max(worse, "quadratic")
    assert np.isnan(kappa_max(table, np.eye(3)))


def test_present_says_which_category_the_indices_are_about():
    table = tk.crosstab([1] * 10 + [0] * 90, [1] * 8 + [0] * 92)
    for function in (prevalence_index, bias_index):
        assert function(table, present=1) == pytest.approx(-function(table, present=0))
        assert function(table.to_numpy(), present=1) == function(table, present=1)
    assert prevalence_index(table, present=1) == pytest.approx(-0.82)
    positive, negative = specific_agreement(table, present=1)
    assert (negative, positive) == specific_agreement(table)
    with pytest.raises(StatisticsError, match="present is no category"):
        prevalence_index(table, present="yes")
