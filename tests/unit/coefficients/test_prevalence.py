"""Kappa at a given prevalence and the prevalence behind a judge: published curves, edges."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.coefficients.prevalence import kappa_at_prevalence, rogan_gladen
from toolkit.errors import StatisticsError

probability = st.floats(0, 1)


def expected_table(se, sp, ref_se, ref_sp, prevalence):
    """Cell probabilities of two raters whose errors are independent given the truth."""
    positive = prevalence * np.outer([ref_se, 1 - ref_se], [se, 1 - se])
    return positive + (1 - prevalence) * np.outer([1 - ref_sp, ref_sp], [1 - sp, sp])


def test_kappa_falls_with_prevalence_at_fixed_accuracy(oracle):
    case = oracle("prevalence_standardised_kappa")
    found = kappa_at_prevalence(**case["input"])
    assert found == pytest.approx(case["expected"]["kappa"], abs=case["tolerance"])


def test_two_fallible_raters(oracle):
    case = oracle("spitznagel_helzer_1985")
    given_ = case["input"]
    found = kappa_at_prevalence(
        given_["se1"],
        given_["sp1"],
        given_["prevalence"],
        reference_sensitivity=given_["se2"],
        reference_specificity=given_["sp2"],
    )
    assert found == pytest.approx(case["expected"]["kappa"], abs=case["tolerance"])


@given(*[st.floats(0.01, 0.99)] * 5)
def test_kappa_is_cohens_of_the_expected_table(se, sp, ref_se, ref_sp, prevalence):
    found = kappa_at_prevalence(
        se, sp, prevalence, reference_sensitivity=ref_se, reference_specificity=ref_sp
    )
    table = expected_table(se, sp, ref_se, ref_sp, prevalence)
    assert found == pytest.approx(cohen_kappa(table), abs=1e-9)


def test_arguments_broadcast():
    found = kappa_at_prevalence([[0.8], [0.9]], 0.9, [0.1, 0.3, 0.5])
    assert found.shape == (2, 3)
    assert found[1, 2] == pytest.approx(0.8)
    assert np.isscalar(kappa_at_prevalence(0.8, 0.9, 0.5))


def test_raters_who_never_vary_have_no_kappa():
    assert np.isnan(kappa_at_prevalence(1, 1, [0, 1])).all()
    assert np.isnan(kappa_at_prevalence(0, 1, 0))
    assert kappa_at_prevalence(0, 1, 0.3) == 0  # the judge never flags, the reference does


@given(*[probability] * 5)
def test_no_probability_raises_and_kappa_stays_in_range(se, sp, prevalence, ref_se, ref_sp):
    found = kappa_at_prevalence(
        se, sp, prevalence, reference_sensitivity=ref_se, reference_specificity=ref_sp
    )
    assert np.isnan(found) or -1 - 1e-9 <= found <= 1 + 1e-9


def test_rogan_gladen_corrects_the_reported_share(oracle):
    case = oracle("rogan_gladen")
    result = rogan_gladen(**case["input"])
    expected = pytest.approx(case["expected"]["prevalence"], abs=case["tolerance"])
    assert result.estimate == expected
    assert result.unclipped == expected
    assert not result.clipped
    assert (result.reasons, result.flags) == ((), ())


def test_rogan_gladen_undoes_the_judges_errors():
    truth = np.linspace(0, 1, 5)
    apparent = truth * 0.7 + (1 - truth) * 0.2
    assert rogan_gladen(apparent, 0.7, 0.8).estimate == pytest.approx(truth)


def test_impossible_shares_are_moved_to_the_end_and_flagged():
    result = rogan_gladen([0.01, 0.3, 0.99], sensitivity=0.8, specificity=0.9)
    assert result.clipped.tolist() == [True, False, True]
    assert result.estimate[[0, 2]].tolist() == [0, 1]
    assert result.unclipped[0] < 0
    assert result.unclipped[2] > 1
    assert result.flags == ("clipped",)


def test_a_judge_that_guesses_tells_nothing():
    result = rogan_gladen(0.3, [0.5, 0.7, 0.9], [0.5, 0.3, 0.1])
    assert np.isnan(result.estimate).all()
    assert result.reasons == ("uninformative_judge",)


def test_a_judge_worse_than_chance_is_flagged():
    assert rogan_gladen(0.5, 0.2, 0.3).flags == ("worse_than_chance",)


def test_a_missing_share_stays_missing():
    result = rogan_gladen([np.nan, 0.22], 0.85, 0.95)
    assert np.isnan(result.estimate).tolist() == [True, False]
    assert result.reasons == ("missing",)
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["estimate"][0] is None


@given(*[probability] * 3)
def test_rogan_gladen_never_raises_nor_leaves_its_range(apparent, se, sp):
    result = rogan_gladen(apparent, se, sp)
    assert result.reasons or 0 <= result.estimate <= 1


def test_what_is_no_probability_is_refused():
    with pytest.raises(StatisticsError, match="prevalence is no probability"):
        kappa_at_prevalence(0.8, 0.9, 5)
    with pytest.raises(StatisticsError, match="apparent is no probability"):
        rogan_gladen(-0.1, 0.8, 0.9)
    with pytest.raises(StatisticsError, match="sensitivity is no number"):
        kappa_at_prevalence("high", 0.9, 0.5)
    with pytest.raises(StatisticsError, match="different shapes"):
        kappa_at_prevalence([0.8, 0.9], 0.9, [0.1, 0.2, 0.3])
