"""The percentile bootstrap against the exact resampling distribution, by enumeration."""

from __future__ import annotations

import numpy as np
import pytest
from enumeration import probabilities, tables_of

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.coefficients.kappa import kappa

CASES = ["exact_multinomial_bootstrap_a", "exact_multinomial_bootstrap_b"]


@pytest.mark.parametrize("id_", CASES)
def test_kappa_of_all_resamples_has_the_exact_bootstrap_distribution(oracle, id_):
    case = oracle(id_)
    expected, tolerance = case["expected"], case["tolerance"]
    table = np.array(case["input"]["table"])
    resamples = tables_of(table.sum())
    chances = probabilities(resamples, table / table.sum())
    values = cohen_kappa(resamples.reshape(-1, 2, 2))
    defined = ~np.isnan(values)
    undefined = 1 - chances[defined].sum()
    assert undefined == pytest.approx(expected["prob_undefined_resample"], abs=tolerance)

    order = np.argsort(values[defined])
    ordered, weight = values[defined][order], chances[defined][order] / chances[defined].sum()
    mean = weight @ ordered
    assert mean == pytest.approx(expected["boot_mean"], abs=tolerance)
    spread = np.sqrt(weight @ (ordered - mean) ** 2)
    assert spread == pytest.approx(expected["boot_sd"], abs=tolerance)
    # The oracle's quantile is the smallest value whose cumulative probability reaches q.
    for name, q in (("q025", 0.025), ("q975", 0.975)):
        quantile = ordered[np.searchsorted(weight.cumsum(), q)]
        assert quantile == pytest.approx(expected[name], abs=tolerance)


@pytest.mark.parametrize("id_", CASES)
def test_the_drawn_percentile_interval_comes_near_the_exact_one(oracle, id_):
    case = oracle(id_)
    result = kappa(case["input"]["table"], interval="percentile", draws=200_000)
    assert result.low == pytest.approx(case["expected"]["q025"], abs=0.01)
    assert result.high == pytest.approx(case["expected"]["q975"], abs=0.01)
