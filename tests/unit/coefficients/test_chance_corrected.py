"""Cohen's kappa and its relatives on tables: outside values, definitions, invariances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from toolkit.coefficients import (
    agreement_weights,
    brennan_prediger,
    category_kappa,
    cohen_kappa,
    gwet_ac,
    influence,
    kappa_max,
    linearised_se,
    null_se,
    observed_agreement,
    scott_pi,
)
from toolkit.errors import StatisticsError

COHEN_ORACLES = [
    "cohen1960_table2",
    "fleiss_cohen_everitt_1969",
    "fleiss_levin_paik_2003",
    "sas_dermatologists",
    "feinstein_cicchetti_A",
    "feinstein_cicchetti_B",
    "feinstein_cicchetti_C",
    "rare_positive_negative_kappa",
    "sim_wright_2x2",
    "sim_wright_4x4",
    "gwet_3x3_abstractors",
]
RELATIVES = {
    "scott_pi": scott_pi,
    "gwet_ac1": gwet_ac,
    "brennan_prediger": brennan_prediger,
    "kappa_max": kappa_max,
}
COEFFICIENTS = [cohen_kappa, scott_pi, gwet_ac, brennan_prediger]
NAMES = ["cohen_kappa", "scott_pi", "gwet_ac", "brennan_prediger"]


def tables(min_k=2, max_k=5, high=60):
    """Count tables of 2 to 5 categories, empty ones included."""
    sizes = st.integers(min_k, max_k)
    counts = st.integers(0, high)
    return sizes.flatmap(lambda k: hnp.arrays(np.int64, (k, k), elements=counts))


@pytest.mark.parametrize("name", COHEN_ORACLES)
@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_and_both_standard_errors_match_published_tables(oracle, name, weights):
    case = oracle(name)
    expected = case["expected"].get(weights or "unweighted")
    if expected is None:  # two categories: all weights are the same
        expected = case["expected"]["unweighted"]
    table = case["input"]["table"]
    got = [
        cohen_kappa(table, weights),
        linearised_se(table, weights=weights),
        null_se(table, weights),
    ]
    want = [expected["kappa"], expected["se"], expected["se_h0"]]
    assert got == pytest.approx(want, abs=case["tolerance"])


@pytest.mark.parametrize("name", COHEN_ORACLES)
def test_relatives_match_published_tables(oracle, name):
    case = oracle(name)
    for relative, function in RELATIVES.items():
        value = function(case["input"]["table"])
        assert value == pytest.approx(case["expected"]["other"][relative], abs=case["tolerance"])


def test_custom_agreement_weights_match_fleiss_cohen_everitt(oracle):
    case = oracle("fce1969_custom_weights")
    table, weights = case["input"]["table"], case["input"]["agreement_weights"]
    expected = case["expected"]
    got = [
        cohen_kappa(table, weights),
        linearised_se(table, weights=weights),
        null_se(table, weights),
    ]
    want = [expected["kappa"], expected["se"], expected["se_h0"]]
    assert got == pytest.approx(want, abs=case["tolerance"])


def test_disagreement_weights_match_cohen_1968(oracle):
    case = oracle("cohen1968_disagreement_weights")
    table, weights = case["input"]["table"], case["input"]["disagreement_weights"]
    expected = case["expected"]
    got = [cohen_kappa(table, weights), linearised_se(table, weights=weights), cohen_kappa(table)]
    want = [expected["kappa"], expected["se"], expected["unweighted_kappa"]]
    assert got == pytest.approx(want, abs=case["tolerance"])


def test_linearised_errors_of_the_relatives_match_irrcac(oracle):
    case = oracle("gwet_3x3_se")
    table, expected = case["input"]["table"], case["expected"]
    got = {
        "scott_pi_se": linearised_se(table, "scott_pi"),
        "gwet_ac1_se": linearised_se(table, "gwet_ac"),
        "brennan_prediger_se": linearised_se(table, "brennan_prediger"),
        # alpha of two raters differs from pi by 1 / 2n alone; irrCAC gives both one error
        "alpha_se": linearised_se(table, "scott_pi"),
        "percent_agreement_se": np.sqrt(
            observed_agreement(table) * (1 - observed_agreement(table)) / 100
        ),
        "cohen_quadratic": cohen_kappa(table, "quadratic"),
        "cohen_quadratic_se": linearised_se(table, weights="quadratic"),
        "gwet_ac2_quadratic": gwet_ac(table, "quadratic"),
        "gwet_ac2_quadratic_se": linearised_se(table, "gwet_ac", "quadratic"),
    }
    assert got == pytest.approx(expected, abs=case["tolerance"])


def test_a_stack_of_tables_gives_what_each_table_gives():
    rng = np.random.default_rng(1)
    stack = rng.integers(0, 30, (4, 3, 3, 3))
    for function in COEFFICIENTS:
        one_by_one = [[function(table, "linear") for table in row] for row in stack]
        np.testing.assert_allclose(function(stack, "linear"), one_by_one)


def test_both_raters_constant_on_one_category_is_undefined(oracle):
    case = oracle("degenerate_both_constant")
    table = case["input"]["table"]
    assert np.isnan(cohen_kappa(table))
    assert observed_agreement(table) == case["expected"]["po"]
    assert gwet_ac(table) == case["expected"]["gwet_ac1"]
    assert brennan_prediger(table) == case["expected"]["brennan_prediger"]


def test_one_constant_rater_gives_kappa_0(oracle):
    case = oracle("degenerate_judge_constant")
    table = case["input"]["table"]
    assert cohen_kappa(table) == case["expected"]["kappa"]
    assert kappa_max(table) == case["expected"]["kappa_max"]
    assert gwet_ac(table) == pytest.approx(case["expected"]["gwet_ac1"], abs=case["tolerance"])
    assert brennan_prediger(table) == pytest.approx(case["expected"]["brennan_prediger"])


def test_integer_counts_do_not_overflow():
    # scikit-learn issue 8354: kappa 5.22 at 250,000 items from an integer product
    assert cohen_kappa(np.array([[2**31, 0], [0, 2**31]], dtype=np.int64)) == 1


@given(tables())
def test_no_table_of_counts_raises_or_leaves_its_range(table):
    for function in COEFFICIENTS:
        for weights in (None, "linear", "quadratic"):
            value = function(table, weights)
            assert np.isnan(value) or value <= 1 + 1e-12
    assert np.isnan(cohen_kappa(table)) or cohen_kappa(table) >= -1 - 1e-12
    for weights in (None, "linear", "quadratic"):
        ceiling = kappa_max(table, weights)
        assert np.isnan(ceiling) or ceiling >= cohen_kappa(table, weights) - 1e-9
    null_se(table)
    category_kappa(table)


@given(tables(), st.sampled_from([None, "linear", "quadratic"]))
def test_transposing_keeps_kappa_for_symmetric_weights(table, weights):
    np.testing.assert_allclose(
        cohen_kappa(table, weights), cohen_kappa(table.T, weights), atol=1e-9
    )


@given(tables(), st.randoms(use_true_random=False))
def test_permuting_categories_keeps_unweighted_coefficients(table, random):
    order = random.sample(range(len(table)), len(table))
    permuted = table[np.ix_(order, order)]
    for function in COEFFICIENTS:
        np.testing.assert_allclose(function(table), function(permuted), atol=1e-9)


@given(tables(), st.integers(2, 9))
def test_duplicating_all_items_keeps_kappa_and_shrinks_its_error(table, times):
    np.testing.assert_allclose(cohen_kappa(table), cohen_kappa(times * table), atol=1e-9)
    expected = linearised_se(table) / np.sqrt(times)
    np.testing.assert_allclose(linearised_se(times * table), expected, atol=1e-9)


@given(tables(min_k=2, max_k=2))
def test_for_two_categories_all_weights_are_the_same(table):
    plain = cohen_kappa(table)
    np.testing.assert_allclose(
        [cohen_kappa(table, "linear"), cohen_kappa(table, "quadratic")], plain
    )


@given(tables(), st.sampled_from(NAMES), st.sampled_from([None, "linear", "quadratic"]))
def test_influence_values_are_the_derivative_of_the_coefficient(table, name, weights):
    functions = dict(zip(NAMES, COEFFICIENTS, strict=True))
    shares = (table + 1.0) / (table + 1.0).sum()  # no empty cell: the derivative exists
    slope = influence(shares, name, weights)
    assert (shares * slope).sum() == pytest.approx(0, abs=1e-9)
    step = 1e-6
    for cell in [(0, 0), (0, len(table) - 1)]:
        moved = (1 - step) * shares
        moved[cell] += step
        change = (functions[name](moved, weights) - functions[name](shares, weights)) / step
        assert change == pytest.approx(slope[cell], rel=1e-3, abs=1e-3)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("cubic", "unknown weights. Got: 'cubic'. Allowed: None, 'linear', 'quadratic'"),
        ([[1, 0]], r"wrong shape. Got: (1, 2). Allowed: (3, 3)"),
        (np.full((3, 3), np.nan), "not all finite"),
        (np.full((3, 3), 0.5), "neither agreement nor disagreement weights"),
        ([[1, 2, 0], [2, 1, 0], [0, 0, 1]], "neither agreement nor disagreement weights"),
        (object(), "weights are no numbers"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights, message):
    with pytest.raises(StatisticsError) as caught:
        agreement_weights(weights, 3)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([1, 2, 3], "not square"),
        ([[1, 2, 3], [4, 5, 6]], "not square"),
        ([[1, -2], [3, 4]], "no counts"),
        ([[1, np.nan], [3, 4]], "no counts"),
        ([[1, np.inf], [3, 4]], "no counts"),
        ([["a", "b"], ["c", "d"]], "no numbers"),
        ([[1, 2], [3]], "no numbers"),
        (np.zeros((0, 0)), "not square"),
    ],
)
def test_what_is_no_table_is_refused(table, message):
    with pytest.raises(StatisticsError, match=message):
        cohen_kappa(table)
