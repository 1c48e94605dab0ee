"""tk.kappa: estimate, interval, reasons and flags of one table."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import toolkit as tk
from toolkit.errors import StatisticsError

METHODS = ["jeffreys", "percentile", "bca", "analytic"]


@pytest.mark.parametrize(
    "name",
    [
        "jeffreys_dirichlet_balanced",
        "jeffreys_dirichlet_skewed",
        "jeffreys_dirichlet_all_agree",
        "jeffreys_dirichlet_no_positives",
    ],
)
def test_jeffreys_interval_is_that_of_the_oracles_with_four_million_draws(oracle, name):
    case = oracle(name)
    result = tk.kappa(case["input"]["table"], draws=4_000_000)
    limits = [case["expected"]["q025"], case["expected"]["q975"]]
    assert [result.low, result.high] == pytest.approx(limits, abs=case["tolerance"])


@pytest.mark.parametrize("name", ["exact_multinomial_bootstrap_a", "exact_multinomial_bootstrap_b"])
def test_percentile_interval_is_near_the_exact_enumeration(oracle, name):
    case = oracle(name)
    result = tk.kappa(case["input"]["table"], interval="percentile", draws=200_000)
    expected = case["expected"]
    assert [result.low, result.high] == pytest.approx(
        [expected["q025"], expected["q975"]], abs=0.01
    )
    assert result.undefined_draws == pytest.approx(expected["prob_undefined_resample"], abs=1e-3)


def test_analytic_interval_is_estimate_and_error(oracle):
    case = oracle("cohen1960_table2")
    result = tk.kappa(case["input"]["table"], interval="analytic")
    expected = case["expected"]["unweighted"]["ci95_wald"]
    assert [result.low, result.high] == pytest.approx(expected, abs=case["tolerance"])


def test_bca_interval_is_near_scipys():
    # scipy 1.17.1, stats.bootstrap of the 200 rows, paired, 20,000 resamples, method="BCa":
    # (0.294, 0.815); the percentile interval of the same call: (0.286, 0.808).
    table = [[7, 3], [6, 184]]
    bca = tk.kappa(table, interval="bca", draws=100_000)
    assert [bca.low, bca.high] == pytest.approx([0.294, 0.815], abs=0.01)
    percentile = tk.kappa(table, interval="percentile", draws=100_000)
    assert [percentile.low, percentile.high] == pytest.approx([0.286, 0.808], abs=0.01)


def test_perfect_agreement_of_ten_items_never_gives_1_to_1():
    for method in METHODS:
        result = tk.kappa([[5, 0], [0, 5]], interval=method)
        assert result.estimate == 1
        assert not (result.low == result.high == 1)
    smoothed = tk.kappa([[5, 0], [0, 5]])
    assert smoothed.low < 0.6
    assert smoothed.high < 1
    assert "estimate_outside_interval" in smoothed.flags
    assert "zero_width" in tk.kappa([[5, 0], [0, 5]], interval="percentile").reasons


def test_all_items_passed_by_both_prove_nothing():
    result = tk.kappa([[200, 0], [0, 0]])
    assert math.isnan(result.estimate)
    assert result.reasons == ("both_constant",)
    assert result.low < 0.05
    assert result.high > 0.9
    for method in METHODS[1:]:
        other = tk.kappa([[200, 0], [0, 0]], interval=method)
        assert math.isnan(other.low)
        assert other.reasons == ("both_constant", "interval_undefined")


def test_one_constant_rater_gives_0_with_a_reason_and_an_interval_with_width():
    judge = tk.kappa([[0, 2], [0, 8]])
    assert judge.estimate == 0
    assert judge.reasons == ("judge_constant",)
    assert judge.low < 0 < judge.high
    assert tk.kappa([[0, 0], [2, 8]]).reasons == ("reference_constant",)
    for method in METHODS[1:]:
        assert math.isnan(tk.kappa([[0, 2], [0, 8]], interval=method).low)


def test_both_constant_on_different_categories_is_0_not_undefined():
    result = tk.kappa([[0, 9], [0, 0]])
    assert result.estimate == 0
    assert result.reasons == ("reference_constant", "judge_constant")


def test_an_empty_table_is_undefined_throughout():
    result = tk.kappa(np.zeros((2, 2)))
    assert math.isnan(result.estimate)
    assert math.isnan(result.low)
    assert result.reasons[0] == "no_overlap"


def test_few_positives_are_flagged_whichever_category_is_rare():
    assert "few_positives" in tk.kappa([[7, 1], [2, 90]]).flags
    assert "few_positives" in tk.kappa([[90, 2], [1, 7]]).flags
    assert "few_positives" not in tk.kappa([[40, 9], [6, 45]]).flags


def test_ordinal_words_in_order_of_appearance_refuse_weights(oracle):
    case = oracle("ordinal_string_labels")
    one, other = case["input"]["rater1"], case["input"]["rater2"]
    declared = tk.crosstab(one, other, categories=case["input"]["order"])
    for weights in ("quadratic", "linear"):
        estimate = tk.kappa(declared, weights=weights).estimate
        assert estimate == pytest.approx(case["expected"][weights], abs=case["tolerance"])
    undeclared = tk.crosstab(one, other)
    assert "order_not_declared" in tk.kappa(undeclared).flags
    with pytest.raises(StatisticsError, match="nobody declared it"):
        tk.kappa(undeclared, weights="quadratic")


@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_numbers_and_another_seed_others(method):
    table = [[40, 9], [6, 45]]
    assert tk.kappa(table, interval=method) == tk.kappa(table, interval=method)
    moved = tk.kappa(table, interval=method, seed=1).low != tk.kappa(table, interval=method).low
    assert moved == (method != "analytic")


def test_an_analytic_interval_beyond_1_is_clipped_and_flagged():
    result = tk.kappa([[9, 1], [0, 10]], interval="analytic")
    assert result.high == 1
    assert "clipped" in result.flags


def test_more_categories_than_were_simulated_are_flagged_and_fit_in_memory():
    many = tk.kappa(np.eye(60) + 1, draws=20_000)
    assert "many_categories" in many.flags
    assert "many_categories" not in tk.kappa(np.eye(5) + 1).flags


def test_a_wider_level_gives_a_wider_interval():
    narrow, wide = (tk.kappa([[40, 9], [6, 45]], level=level) for level in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_result_is_frozen_and_goes_to_strict_json_frame_and_html():
    result = tk.kappa([[0, 0], [0, 50]])
    with pytest.raises(AttributeError):
        result.estimate = 1
    content = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert content["estimate"] is None
    assert content["reasons"] == ["both_constant"]
    assert result.to_frame().shape[0] == 1
    assert "both_constant" in result._repr_html_()
    assert pickle.loads(pickle.dumps(result)).high == result.high  # noqa: S301  our own bytes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"interval": "wald"}, "unknown interval. Got: 'wald'"),
        ({"level": 95}, "level is no probability. Got: 95"),
        ({"level": True}, "level is no probability"),
        ({"draws": 10}, "draws is no whole number of 100 or more. Got: 10"),
        ({"draws": 1000.0}, "draws is no whole number"),
        ({"seed": -1}, "seed is no whole number of 0 or more. Got: -1"),
        ({"seed": None}, "seed is no whole number"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, message):
    with pytest.raises(StatisticsError) as caught:
        tk.kappa([[40, 9], [6, 45]], **options)
    assert message in str(caught.value)


def test_a_stack_and_shares_are_refused_where_they_would_mislead():
    with pytest.raises(StatisticsError, match="stack of tables"):
        tk.kappa(np.ones((2, 2, 2)))
    with pytest.raises(StatisticsError, match="holds shares"):
        tk.kappa([[0.5, 0.1], [0.1, 0.3]])
    with pytest.raises(StatisticsError, match="whole counts"):
        tk.kappa([[5.5, 1.5], [1, 3]], interval="percentile")
    with pytest.raises(StatisticsError, match="not the same categories"):
        tk.kappa(pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"], columns=["b", "a"]))


@settings(max_examples=60)
@given(
    st.integers(2, 4).flatmap(lambda k: hnp.arrays(np.int64, (k, k), elements=st.integers(0, 40))),
    st.sampled_from(METHODS),
    st.sampled_from([None, "linear", "quadratic"]),
)
def test_no_table_raises_and_intervals_stay_inside_minus_1_to_1(table, method, weights):
    result = tk.kappa(table, weights=weights, interval=method, draws=200)
    if not math.isnan(result.low):
        assert -1 - 1e-9 <= result.low <= result.high <= 1 + 1e-9
    if math.isnan(result.estimate) or math.isnan(result.low):
        assert result.reasons
