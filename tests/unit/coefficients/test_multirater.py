"""Fleiss, Gwet and Brennan-Prediger for several raters: published values, identities, edges."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from statsmodels.stats import inter_rater

from toolkit.coefficients.chance_corrected import (
    brennan_prediger,
    gwet_ac,
    linearised_se,
    scott_pi,
)
from toolkit.coefficients.conger import conger_kappa, light_kappa
from toolkit.coefficients.krippendorff import multirater_alpha
from toolkit.coefficients.multirater import (
    fleiss_kappa,
    multirater_brennan_prediger,
    multirater_gwet_ac,
)
from toolkit.errors import StatisticsError

FROM_COUNTS = (fleiss_kappa, multirater_gwet_ac, multirater_brennan_prediger, multirater_alpha)
ALL = (*FROM_COUNTS, conger_kappa, light_kappa)
TWO_RATERS = {
    fleiss_kappa: ("scott_pi", scott_pi),
    multirater_gwet_ac: ("gwet_ac", gwet_ac),
    multirater_brennan_prediger: ("brennan_prediger", brennan_prediger),
}

ratings_2_to_4_raters = st.tuples(st.integers(2, 12), st.integers(2, 4)).flatmap(
    lambda shape: hnp.arrays(np.int64, shape, elements=st.integers(-1, 2))
)
count_tables = st.tuples(st.integers(0, 8), st.integers(1, 4)).flatmap(
    lambda shape: hnp.arrays(np.int64, shape, elements=st.integers(0, 5))
)
weights_of_any_kind = st.sampled_from([None, "linear", "quadratic"])


def estimate(function, ratings, weights=None):
    return function(ratings, categories=[0, 1, 2], weights=weights).estimate


def close(one, other, tolerance=1e-9):
    return one == pytest.approx(other, abs=tolerance, nan_ok=True)


def test_four_raters_with_missing_labels_as_irrcac(oracle):
    case = oracle("gwet_raw4_nominal")
    ratings, expected, at = case["input"]["ratings"], case["expected"], case["tolerance"]
    for function, name in (
        (fleiss_kappa, "fleiss"),
        (multirater_gwet_ac, "gwet_ac1"),
        (multirater_brennan_prediger, "brennan_prediger"),
        (conger_kappa, "conger"),
    ):
        result = function(ratings, variance="irrcac")
        assert close(result.estimate, expected[name], at), name
        assert close(result.se, expected[f"{name}_se"], at), name
        assert (result.n_items, result.n_raters, result.left_out) == (12, 4, 0)


def test_four_raters_with_missing_labels_and_quadratic_weights_as_irrcac(oracle):
    case = oracle("gwet_raw4_quadratic")
    ratings, expected, at = case["input"]["ratings"], case["expected"], case["tolerance"]
    for function, name in (
        (fleiss_kappa, "fleiss"),
        (multirater_gwet_ac, "gwet_ac2"),
        (multirater_brennan_prediger, "brennan_prediger"),
        (conger_kappa, "conger"),
    ):
        result = function(ratings, weights="quadratic", variance="irrcac")
        assert close(result.estimate, expected[name], at), name
        assert close(result.se, expected[f"{name}_se"], at), name


def test_observed_agreement_leaves_out_items_with_one_label(oracle):
    case = oracle("gwet_raw4_nominal")
    # Brennan-Prediger with five categories is (5 p_a - 1) / 4.
    result = multirater_brennan_prediger(case["input"]["ratings"])
    assert close((4 * result.estimate + 1) / 5, case["expected"]["pa"], case["tolerance"])


def test_counts_of_six_raters_as_irrcac(oracle):
    case = oracle("gwet_distrib_6raters")
    counts, expected, at = case["input"]["count_table"], case["expected"], case["tolerance"]
    for function, name in (
        (fleiss_kappa, "fleiss"),
        (multirater_gwet_ac, "gwet_ac1"),
        (multirater_brennan_prediger, "brennan_prediger"),
    ):
        result = function(counts=counts)
        assert close(result.estimate, expected[name], at), name
        assert close(result.se, expected[f"{name}_se"], at), name
        assert result.n_raters == 6


def test_fleiss_agrees_with_statsmodels(oracle):
    counts = oracle("fleiss1971_psychiatric")["input"]["count_table"]
    reference = inter_rater.fleiss_kappa(np.array(counts), method="fleiss")
    assert close(fleiss_kappa(counts=counts).estimate, reference)
    randolph = inter_rater.fleiss_kappa(np.array(counts), method="randolph")
    assert close(multirater_brennan_prediger(counts=counts).estimate, randolph)


def test_two_complete_raters_give_the_two_rater_coefficients(oracle):
    table = np.array(oracle("gwet_3x3_abstractors")["input"]["table"])
    ratings = np.repeat(np.argwhere(table >= 0), table.ravel(), axis=0)
    n = len(ratings)
    for function, (name, on_table) in TWO_RATERS.items():
        for weights in (None, "linear", "quadratic"):
            result = function(ratings, categories=[0, 1, 2], weights=weights)
            assert close(result.estimate, on_table(table, weights))
            # The error from ratings divides by n - 1, that from the table by n.
            assert close(result.se * np.sqrt((n - 1) / n), linearised_se(table, name, weights))


@pytest.mark.parametrize("function", [*FROM_COUNTS, conger_kappa])
def test_error_holds_where_many_items_have_one_label_and_that_of_irrcac_does_not(function):
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 300)
    ratings = np.where(rng.random((300, 2)) < 0.97, truth[:, None], 1 - truth[:, None])
    ratings = np.where(rng.random((300, 2)) < 0.25, -1, ratings)
    without = [
        function(np.delete(ratings, i, axis=0), categories=[0, 1]).estimate for i in range(300)
    ]
    jackknife = np.sqrt(299 / 300 * ((without - np.mean(without)) ** 2).sum())
    assert function(ratings, categories=[0, 1]).se == pytest.approx(jackknife, rel=0.03)
    if function is not multirater_alpha:  # alpha uses no item with one label
        assert function(ratings, categories=[0, 1], variance="irrcac").se > 1.3 * jackknife


def test_ratings_and_their_counts_give_the_same():
    ratings = [[0, 0, 1], [1, None, 1], [2, 2, 2], [None, None, 0]]
    counts = [[2, 1, 0], [0, 2, 0], [0, 0, 3], [1, 0, 0]]
    for function in FROM_COUNTS:
        one, other = function(ratings), function(counts=counts)
        assert close(one.estimate, other.estimate)
        assert close(one.se, other.se)


def test_items_without_labels_are_left_out_and_counted():
    result = fleiss_kappa([[0, 0], [1, 1], [None, None], [0, 1]])
    assert (result.n_items, result.left_out) == (3, 1)
    assert np.isnan(result.linearised).tolist() == [False, False, True, False]
    assert close(result.estimate, fleiss_kappa([[0, 0], [1, 1], [0, 1]]).estimate)


def test_mean_of_the_linearised_values_is_the_estimate():
    ratings = [[0, 0, 1], [1, None, 1], [2, 2, 2], [0, None, 0], [None, 1, None]]
    for function in ALL:
        result = function(ratings)
        assert close(np.nanmean(result.linearised), result.estimate), function.__name__


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[None, None], [None, None]], "no_labels"),
        (np.empty((0, 3)), "no_labels"),
        ([[0, None], [1, None]], "one_rater"),
        ([[0], [1]], "one_rater"),
        ([[0, None], [None, 1]], "no_overlap"),
        ([[1, 1], [1, 1]], "all_constant"),
    ],
)
def test_undefined_has_a_name(ratings, reason):
    for function in (fleiss_kappa, multirater_alpha, conger_kappa):
        result = function(ratings)
        assert result.reasons == (reason,)
        assert np.isnan([result.estimate, result.se]).all()
        assert np.isnan(result.linearised).all()


def test_one_category_is_no_scale_for_gwet_and_brennan_prediger():
    for function in (multirater_gwet_ac, multirater_brennan_prediger):
        assert function([["pass", "pass"], ["pass", "pass"]]).reasons == ("one_category",)
        declared = function([["pass", "pass"]] * 2, categories=["pass", "fail"])
        assert declared.estimate == 1


def test_weights_that_forgive_everything_leave_nothing_to_expect():
    result = fleiss_kappa([[0, 1], [1, 0], [0, 0]], weights=[[1, 1], [1, 1]])
    assert result.reasons == ("no_expected_disagreement",)


def test_one_item_has_an_estimate_but_no_error():
    result = fleiss_kappa([[0, 1, 1]])
    assert result.estimate == pytest.approx(-0.5)  # p_a 1/3, p_e 5/9
    assert result.reasons == ("one_item",)
    assert np.isnan(result.se)


def test_to_dict_is_strict_json():
    for ratings in ([[0, 1], [1, 1], [None, None]], [[1, 1], [1, 1]]):
        text = json.dumps(fleiss_kappa(ratings).to_dict(), allow_nan=False)
        assert json.loads(text)["left_out"] == len(ratings) - json.loads(text)["n_items"]


def test_weights_that_do_not_fit_are_refused():
    with pytest.raises(StatisticsError, match="unknown weights"):
        fleiss_kappa([[0, 1]], weights="cubic")
    with pytest.raises(StatisticsError, match="wrong shape"):
        conger_kappa([[0, 1]], weights=np.eye(3))
    with pytest.raises(StatisticsError, match="unknown variance"):
        fleiss_kappa([[0, 1]], variance="jackknife")


@given(ratings=ratings_2_to_4_raters, weights=weights_of_any_kind)
def test_no_rating_table_raises_and_no_estimate_exceeds_one(ratings, weights):
    for function in ALL:
        result = function(ratings, categories=[0, 1, 2], weights=weights)
        assert result.reasons or result.estimate <= 1
        assert np.isnan(result.estimate) == (
            bool(result.reasons) and result.reasons != ("one_item",)
        )


@given(counts=count_tables, weights=weights_of_any_kind)
def test_no_count_table_raises(counts, weights):
    for function in FROM_COUNTS:
        result = function(counts=counts, weights=weights)
        assert result.reasons or (result.estimate <= 1 and result.se >= 0)


@given(ratings=ratings_2_to_4_raters, data=st.data())
def test_order_of_raters_and_items_does_not_matter(ratings, data):
    rows = data.draw(st.permutations(range(ratings.shape[0])))
    columns = data.draw(st.permutations(range(ratings.shape[1])))
    for function in ALL:
        shuffled = ratings[np.ix_(rows, columns)]
        assert close(estimate(function, shuffled), estimate(function, ratings))


@given(ratings=ratings_2_to_4_raters, names=st.permutations([0, 1, 2]))
def test_names_of_categories_do_not_matter_without_weights(ratings, names):
    renamed = np.where(ratings < 0, -1, np.array([*names, -1])[ratings])
    for function in ALL:
        assert close(estimate(function, renamed), estimate(function, ratings))


@given(ratings=ratings_2_to_4_raters, weights=weights_of_any_kind)
def test_duplicating_all_items_keeps_the_estimate(ratings, weights):
    twice = np.vstack([ratings, ratings])
    for function in set(ALL) - {multirater_alpha}:  # alpha has a small-sample term
        assert close(estimate(function, twice, weights), estimate(function, ratings, weights))
