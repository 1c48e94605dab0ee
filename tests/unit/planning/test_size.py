"""Classical sample sizes: published and independently computed values, monotony, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from toolkit.coefficients import cohen_kappa, linearised_se
from toolkit.errors import PlanError
from toolkit.planning.size import size
from toolkit.planning.size_cohen import flack_spread, two_by_two
from toolkit.planning.size_fit import Fit

ORACLES = {
    case["id"]: case
    for name in ("planning", "agreement")
    for case in json.loads(
        (Path(__file__).parents[2] / "oracles" / f"{name}.json").read_text(encoding="utf-8")
    )
}
FIT = "goodness_of_fit"


def oracle(id_):
    case = ORACLES[id_]
    return case["inputs" if "inputs" in case else "input"], case["expected"], case["tolerance"]


def test_the_variance_per_item_is_that_of_the_published_standard_error():
    inputs, expected, at = oracle("fce_ase")
    table = np.array(inputs["table_rows_judge_1_0_cols_human_1_0"]).T  # the reference in rows here
    n = table.sum()
    reference, judge = table.sum(1)[0] / n, table.sum(0)[0] / n
    kappa = float(cohen_kappa(table))
    assert kappa == pytest.approx(expected["kappa"], rel=at)
    assert two_by_two(kappa, reference, judge) == pytest.approx(table / n, abs=at)
    # The width formula turned round: at n items the half-width is z times this standard error.
    half_width = stats.norm.isf(0.025) * expected["ase"]
    made = size(true=kappa, half_width=half_width, prevalence=(reference, judge))
    assert made.n_raw == pytest.approx(n, rel=10 * at)
    assert linearised_se(table) == pytest.approx(expected["ase"], abs=at)


@pytest.mark.parametrize(
    "id_", ["cantor_power_reversed", "cantor_power_as_captioned", "cantor_power_two_sided"]
)
def test_power_by_cantor(id_):
    inputs, expected, at = oracle(id_)
    made = size(
        "cantor",
        true=inputs["kappa_true"],
        null=inputs["kappa_null"],
        prevalence=(inputs["p1"], inputs["p2"]),
        alpha=inputs["alpha"],
        power=inputs["power"],
        sided=inputs["sided"],
    )
    assert made.n == expected["n"]
    assert made.n_raw == pytest.approx(expected["n_raw"], abs=at)
    assert made.sided == inputs["sided"]


@pytest.mark.parametrize(
    "id_",
    [
        "flack_101",
        "flack_136",
        "flack_18",
        "flack_two_sided_p0.5_pw0.8",
        "flack_two_sided_p0.3_pw0.8",
        "flack_two_sided_p0.1_pw0.8",
    ],
)
def test_power_in_the_worst_case_by_flack(id_):
    inputs, expected, at = oracle(id_)
    made = size(
        "flack",
        true=inputs["kappa_true"],
        null=inputs["kappa_null"],
        shares=inputs["margins"],
        alpha=inputs["alpha"],
        power=inputs["power"],
        sided=inputs["sided"],
    )
    assert made.n == expected["n"]
    if "n_raw" in expected:
        assert made.n_raw == pytest.approx(expected["n_raw"], abs=at)


def test_calls_of_another_package():
    """Its rate1, rate2, k1 and k0 are prevalence, true and null; it is one-sided by default."""
    inputs, expected, _ = oracle("irr_n_cohen_kappa")
    made = []
    for call in inputs["calls"]:
        method, margins = (
            ("flack", {"shares": call["mrg"]})
            if "mrg" in call
            else ("cantor", {"prevalence": (call["rate1"], call["rate2"])})
        )
        made.append(size(method, true=call["k1"], null=call["k0"], sided=1, **margins).n)
    assert made == expected["n"]


@pytest.mark.parametrize(
    "id_",
    [
        "gof_ci_doc",
        "gof_ci_one_sided",
        "gof_ci_p0.03",
        "gof_ci_p0.25",
        "kappasize_cibinary_doc",
        "kappasize_cibinary_onesided",
    ],
)
def test_width_by_goodness_of_fit(id_):
    inputs, expected, at = oracle(id_)
    made = size(
        FIT,
        true=inputs["kappa0"],
        low=inputs["kappaL"],
        high=inputs.get("kappaU"),
        prevalence=inputs["prevalence"],
        alpha=inputs["alpha"],
        raters=inputs.get("raters", 2),
    )
    assert made.n == expected["n"]
    assert made.sided == (2 if "kappaU" in inputs else 1)
    if "n_raw" in expected:
        assert made.n_raw == pytest.approx(expected["n_raw"], abs=at)


@pytest.mark.parametrize(
    "id_", ["gof_power_doc", "kappasize_powerbinary_doc", "kappasize_powerbinary_rare"]
)
def test_power_by_goodness_of_fit(id_):
    inputs, expected, at = oracle(id_)
    made = size(
        FIT,
        null=inputs["kappa0"],
        true=inputs["kappa1"],
        prevalence=inputs["prevalence"],
        alpha=inputs["alpha"],
        power=inputs["power"],
    )
    raw, whole = (
        (expected["n_raw"], expected["n"])
        if "n_raw" in expected
        else (expected["n"], expected["n_ceil"])
    )
    assert made.n == whole
    # The published value bisects the noncentrality to 1e-5: the tolerance is relative there.
    assert made.n_raw == pytest.approx(raw, rel=at)
    assert made.sided == 2


def test_the_interval_that_n_items_give():
    inputs, expected, at = oracle("gof_fixed_n")
    given = {"true": inputs["kappa0"], "n": inputs["n"], "prevalence": inputs["prevalence"]}
    one, two = size(FIT, **given, sided=1), size(FIT, **given)
    assert one.low == pytest.approx(expected["one_sided_lower_exact_root"], abs=at)
    assert two.low == pytest.approx(expected["two_sided_lower_exact_root"], abs=at)
    # The package steps down a grid of .001 and stops at the first value past the root.
    assert np.floor(1000 * one.low) / 1000 == pytest.approx(expected["kappaSize_grid_value"])
    assert one.high is None
    assert two.high > two.true


def test_the_interval_that_n_items_give_for_more_raters_and_rarer_positives():
    inputs, expected, at = oracle("kappasize_fixedn")
    for case, low in zip(inputs["cases"], expected["kappaL"], strict=True):
        made = size(
            FIT,
            true=case["kappa0"],
            n=case["n"],
            prevalence=case["prevalence"],
            raters=case["raters"],
            alpha=case["alpha"],
            sided=1,
        )
        assert made.low == pytest.approx(low, abs=at)


def test_more_categories_and_raters_by_goodness_of_fit():
    inputs, expected, at = oracle("kappasize_r_only")
    wide, strong, fixed = inputs["CI3Cats"], inputs["Power3Cats"], inputs["FixedNBinary"]
    width = size(
        FIT,
        true=wide["kappa0"],
        low=wide["kappaL"],
        high=wide["kappaU"],
        shares=wide["props"],
        raters=wide["raters"],
        alpha=wide["alpha"],
    )
    power = size(
        FIT,
        null=strong["kappa0"],
        true=strong["kappa1"],
        shares=strong["props"],
        alpha=strong["alpha"],
        power=strong["power"],
    )
    reach = size(
        FIT,
        true=fixed["kappa0"],
        n=fixed["n"],
        prevalence=fixed["props"],
        raters=fixed["raters"],
        alpha=fixed["alpha"],
        sided=1,
    )
    assert (width.n, power.n) == (expected["CI3Cats_n"], expected["Power3Cats_n"])
    assert power.n_raw == pytest.approx(expected["Power3Cats_n_raw"], abs=at)
    assert reach.low == pytest.approx(expected["FixedNBinary_kappaL"], abs=at)


def test_three_categories():
    inputs, expected, _ = oracle("kappasize_multi")
    wide, strong = inputs["ci3"], inputs["power3"]
    limits = {"true": wide["kappa0"], "low": wide["kappaL"], "high": wide["kappaU"]}
    assert size(FIT, **limits, shares=wide["props"], raters=3).n == expected["ci3_n"]
    kappas = {"null": strong["kappa0"], "true": strong["kappa1"]}
    assert size(FIT, **kappas, shares=strong["props"]).n == expected["power3_n"]


def test_a_95_percent_interval_is_not_called_so_at_90_percent():
    inputs, expected, at = oracle("presize_level_trap")
    asked = {
        "true": inputs["kappa"],
        "half_width": inputs["full_width"] / 2,
        "prevalence": inputs["prevalence"],
    }
    right, looser = size(FIT, **asked), size(FIT, **asked, alpha=0.1)
    assert right.n == expected["correct_two_sided_95_n"]
    assert right.n_raw == pytest.approx(expected["two_sided_95_n_raw"], abs=at)
    assert looser.n == expected["presize_n"]
    assert looser.n_raw == pytest.approx(expected["two_sided_90_n_raw"], abs=at)
    assert (right.level, right.sided) == (0.95, 2)


@pytest.mark.parametrize(("prevalence", "labels"), [(0.05, 1346), (0.25, 332)])
def test_a_half_width_of_a_tenth_at_kappa_six_tenths(prevalence, labels):
    made = size(true=0.6, half_width=0.1, prevalence=prevalence)
    assert made.n_raw == pytest.approx(labels, rel=0.001)


def test_two_outcome_models_agree_for_two_raters():
    """Two categories seen as a list of shares of 2: the Dirichlet law gives the same cells."""
    kappa, shares = 0.3, np.array([0.2, 0.8])
    dirichlet = shares * (shares * (1 - kappa) + kappa)
    assert Fit((0.2, 0.8), 2).outcomes(kappa)[:2] == pytest.approx(dirichlet)


def test_two_categories_fix_the_table_so_the_worst_case_is_the_only_one():
    power = {"null": 0.4, "true": 0.6, "prevalence": 0.3}
    assert size("flack", **power).n_raw == pytest.approx(size("cantor", **power).n_raw)


def test_no_table_with_these_shares_and_this_kappa_has_a_larger_variance():
    """Mixtures of feasible tables are feasible: none of them beats the linear program."""
    shares, kappa = np.array([0.2, 0.25, 0.55]), 0.4
    mixture = kappa * np.diag(shares) + (1 - kappa) * np.outer(shares, shares)
    rng = np.random.default_rng(0)
    turn = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])  # keeps margins and diagonal
    step = mixture[turn < 0].min()
    tables = mixture + rng.uniform(-step, step, (50, 1, 1)) * turn
    assert cohen_kappa(tables) == pytest.approx(kappa)
    assert (linearised_se(tables) ** 2 <= flack_spread(kappa, tuple(shares)) + 1e-9).all()


@given(
    true=st.floats(0.1, 0.9),
    prevalence=st.floats(0.02, 0.98),
    half_width=st.floats(0.02, 0.09),
    method=st.sampled_from(["cantor", FIT]),
)
@settings(deadline=None, max_examples=50)
def test_half_the_width_never_needs_fewer_items(true, prevalence, half_width, method):
    asked = {"method": method, "true": true, "prevalence": prevalence}
    wide = size(**asked, half_width=half_width).n
    assert size(**asked, half_width=half_width / 2).n >= wide


@given(true=st.floats(0.2, 0.8), prevalence=st.floats(0.05, 0.95), n=st.integers(20, 5000))
@settings(deadline=None, max_examples=50)
def test_reach_turns_width_round(true, prevalence, n):
    asked = {"method": FIT, "true": true, "prevalence": prevalence}
    low = size(**asked, n=n, sided=1).low
    if low > 0:
        assert size(**asked, low=low).n_raw == pytest.approx(n, rel=1e-6)


def test_a_result_says_what_it_rests_on_and_is_strict_json():
    made = size(null=0.85, true=0.7, prevalence=0.5, sided=1)
    assert "one-sided" in str(made)
    assert any("true lies below null" in line for line in made.assumptions)
    assert json.loads(json.dumps(made.to_dict(), allow_nan=False))["sided"] == 1
    assert made.to_frame().loc[0, "n"] == 96
    assert "<li>" in made._repr_html_()
    with pytest.raises(AttributeError):
        made.n = 3


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"method": "kappa"}, "unknown method"),
        ({"true": 0.6, "prevalence": 0.3}, "one question at a time"),
        ({"true": 0.6, "null": 0.4, "half_width": 0.1, "prevalence": 0.3}, "one question"),
        ({"true": 0.6, "null": 0.6, "prevalence": 0.3}, "the same kappa"),
        ({"true": 1.0, "null": 0.6, "prevalence": 0.3}, "no kappa to plan for"),
        ({"null": 0.6, "prevalence": 0.3}, "no kappa to plan for"),
        ({"true": 0.6, "null": 0.4}, "share of positives is needed"),
        ({"true": 0.9, "null": 0.4, "prevalence": (0.1, 0.5)}, "no table has these margins"),
        ({"true": 0.6, "null": 0.4, "prevalence": (0.1, 0.5, 0.4)}, "two .reference, judge."),
        ({"true": 0.6, "null": 0.4, "prevalence": 0.0}, "prevalence is out of range"),
        ({"true": 0.6, "null": 0.4, "prevalence": "a"}, "prevalence is out of range"),
        ({"true": 0.6, "null": 0.4, "shares": [0.3, 0.7]}, "no formula for shares="),
        ({"true": 0.6, "null": 0.4, "prevalence": 0.3, "raters": 3}, "more than two raters"),
        ({"true": 0.6, "null": 0.4, "prevalence": 0.3, "sided": 3}, "neither 1 nor 2"),
        ({"true": 0.6, "null": 0.4, "prevalence": 0.3, "alpha": 0.5}, "alpha is too large"),
        ({"true": 0.6, "null": 0.4, "prevalence": 0.3, "power": 0.3}, "power is too small"),
        ({"true": 0.6, "half_width": 0.1, "prevalence": 0.3, "power": 0.8}, "power goes with"),
        ({"method": "flack", "true": 0.6, "half_width": 0.1, "shares": [0.3, 0.7]}, "interval"),
        ({"method": "flack", "true": 0.6, "null": 0.4, "shares": [0.3, 0.6]}, "add up to 1"),
        ({"method": "flack", "true": 0.6, "null": 0.4, "shares": 0.3}, "shares is no list"),
        ({"method": "flack", "true": 0.6, "null": 0.4}, "either prevalence"),
        ({"method": "flack", "true": 0.6, "null": 0.4, "prevalence": (0.1, 0.2)}, "one prevalence"),
        ({"method": FIT, "true": 0.95, "half_width": 0.1, "prevalence": 0.3}, "limits do not fit"),
        ({"method": FIT, "true": 0.6, "low": 0.7, "prevalence": 0.3}, "limits do not fit"),
        ({"method": FIT, "true": 0.6, "low": "a", "prevalence": 0.3}, "limits do not fit"),
        ({"method": FIT, "true": 0.6, "high": 0.7, "prevalence": 0.3}, "limits do not fit"),
        ({"method": FIT, "true": 0.6, "n": 1, "prevalence": 0.3}, "no number of items"),
        ({"method": FIT, "true": 0.6, "n": 9, "prevalence": 0.3, "raters": 7}, "raters out of"),
        ({"method": FIT, "true": 0.6, "n": 9, "shares": [1 / 6] * 6}, "too many categories"),
    ],
)
def test_what_does_not_fit_is_refused_and_named(given, said):
    with pytest.raises(PlanError, match=said):
        size(**given)
