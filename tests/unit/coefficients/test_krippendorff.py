"""Krippendorff's alpha: his own examples, the errors that Gwet's packages print, edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from toolkit.coefficients.krippendorff import METRICS, krippendorff_alpha, multirater_alpha
from toolkit.coefficients.multirater import fleiss_kappa
from toolkit.errors import StatisticsError


@pytest.mark.parametrize("metric", METRICS)
def test_four_observers_with_missing_labels(oracle, metric):
    case = oracle("krippendorff_2011")
    result = krippendorff_alpha(case["input"]["ratings"], metric)
    assert result.estimate == pytest.approx(case["expected"][metric], abs=case["tolerance"])
    assert (result.n_items, result.left_out) == (11, 1)  # the last unit has a single label


def test_two_observers_and_five_categories(oracle):
    case = oracle("krippendorff_2011_nominal2")
    ratings = list(zip(case["input"]["rater1"], case["input"]["rater2"], strict=True))
    expected = pytest.approx(case["expected"]["alpha"], abs=case["tolerance"])
    assert krippendorff_alpha(ratings).estimate == expected


def test_binary_data_of_krippendorffs_section_a():
    # Krippendorff 2011, section A: two observers, ten units, alpha = .095.
    one = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    two = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    result = krippendorff_alpha(list(zip(one, two, strict=True)))
    assert result.estimate == pytest.approx(0.095238, abs=1e-6)


@pytest.mark.parametrize(
    ("id_", "weights"), [("gwet_raw4_nominal", None), ("gwet_raw4_quadratic", "quadratic")]
)
def test_from_ratings_irrcac_prints_the_error_without_the_small_sample_term(oracle, id_, weights):
    case = oracle(id_)
    expected, at = case["expected"], case["tolerance"]
    result = multirater_alpha(case["input"]["ratings"], weights=weights, variance="irrcac")
    assert result.estimate == pytest.approx(expected["krippendorff_alpha"], abs=at)
    assert result.se == pytest.approx(expected["krippendorff_se"], abs=at)


def test_from_counts_irrcac_prints_another_error(oracle):
    case = oracle("gwet_distrib_6raters")
    counts, expected, at = case["input"]["count_table"], case["expected"], case["tolerance"]
    result = multirater_alpha(counts=counts, variance="irrcac")
    assert result.estimate == pytest.approx(expected["krippendorff_alpha"], abs=at)
    assert result.se == pytest.approx(expected["krippendorff_se"], abs=at)


def test_with_equally_many_labels_alpha_and_its_error_shrink_fleiss_by_the_same_factor(oracle):
    counts = np.array(oracle("gwet_distrib_6raters")["input"]["count_table"])
    alpha, fleiss = multirater_alpha(counts=counts), fleiss_kappa(counts=counts)
    factor = 1 - 1 / counts.sum()
    assert 1 - alpha.estimate == pytest.approx(factor * (1 - fleiss.estimate))
    assert alpha.se == pytest.approx(factor * fleiss.se)


def test_linearised_error_is_near_the_jackknife_error():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 4, 400)
    ratings = np.where(rng.random((400, 4)) < 0.7, truth[:, None], rng.integers(0, 4, (400, 4)))
    ratings = np.where(rng.random((400, 4)) < 0.3, np.nan, ratings)
    without = [
        krippendorff_alpha(np.delete(ratings, i, axis=0), "interval").estimate for i in range(400)
    ]
    jackknife = np.sqrt(399 / 400 * ((without - np.mean(without)) ** 2).sum())
    assert krippendorff_alpha(ratings, "interval").se == pytest.approx(jackknife, rel=0.02)


def test_interval_metric_is_quadratic_weights_on_equally_spaced_values():
    ratings = [[10, 20, 20], [30, 30, None], [40, 30, 40], [10, 10, 20]]
    one, other = (
        krippendorff_alpha(ratings, "interval"),
        multirater_alpha(ratings, weights="quadratic"),
    )
    assert one.estimate == pytest.approx(other.estimate)
    assert one.se == pytest.approx(other.se)


def test_interval_metric_uses_the_values_not_their_positions():
    ratings = [[1, 2], [2, 2], [100, 100], [1, 1]]
    by_value = krippendorff_alpha(ratings, "interval").estimate
    by_position = multirater_alpha(ratings, weights="quadratic").estimate
    assert by_value > 0.999 > by_position


def test_no_variation_is_undefined_under_every_metric():
    for metric in METRICS:
        result = krippendorff_alpha([[3, 3], [3, 3]], metric)
        assert result.reasons == ("all_constant",)
        assert np.isnan(result.estimate)


def test_metrics_refuse_scales_they_do_not_fit():
    words = [["low", "high"], ["high", "high"]]
    with pytest.raises(StatisticsError, match="needs numbers"):
        krippendorff_alpha(words, "interval")
    with pytest.raises(StatisticsError, match="nobody declared"):
        krippendorff_alpha(words, "ordinal")
    declared = krippendorff_alpha(words, "ordinal", categories=["low", "high"])
    assert declared.estimate == pytest.approx(krippendorff_alpha(words).estimate)
    with pytest.raises(StatisticsError, match="0 or more"):
        krippendorff_alpha([[-2, 1], [1, 1]], "ratio")
    with pytest.raises(StatisticsError, match="unknown metric"):
        krippendorff_alpha(words, "polar")
    with pytest.raises(StatisticsError, match="unknown variance"):
        multirater_alpha(words, variance="jackknife")


@pytest.mark.parametrize("metric", METRICS)
@given(
    ratings=hnp.arrays(
        np.float64,
        st.tuples(st.integers(0, 8), st.integers(1, 4)),
        elements=st.sampled_from([np.nan, 0.0, 1.0, 2.5, 1e-300, 1e300]),
    )
)
def test_no_table_of_values_raises(metric, ratings):
    result = krippendorff_alpha(ratings, metric)
    assert result.reasons or (result.estimate <= 1 and result.se >= 0)


@given(ratings=hnp.arrays(np.int64, (9, 3), elements=st.integers(0, 4)), data=st.data())
def test_monotone_relabelling_keeps_ordinal_alpha(ratings, data):
    steps = data.draw(st.lists(st.integers(1, 50), min_size=5, max_size=5))
    stretched = np.cumsum(steps)[ratings]
    one, other = (krippendorff_alpha(values, "ordinal").estimate for values in (ratings, stretched))
    assert one == pytest.approx(other, abs=1e-9, nan_ok=True)
