from __future__ import annotations

import math

import pytest

import toolkit as tk
from toolkit.coefficients.options import resampling
from toolkit.diagnosis.build import build_whole
from toolkit.diagnosis.gap import Gap, gap_of, range_quantile
from toolkit.labels.pairs import Alignment
from toolkit.labels.roles import resolve_roles

OPTIONS = resampling("jeffreys", 0.95, 500, 0)


def _raters(of_table, low, high):
    people, judge = of_table(low)
    other, judged = of_table(high)
    return {"human1": {"low": people, "high": other}, "judge": {"low": judge, "high": judged}}


def test_the_gap_of_two_tables_by_hand(case_of, of_table):
    # (55, 5; 10, 30): .32 / .47 = .68085; (45, 5; 5, 45): observed .9, chance .5, kappa .8.
    gap = gap_of(case_of(_raters(of_table, [[55, 5], [10, 30]], [[45, 5], [5, 45]])), OPTIONS)
    assert gap.kappa_low == pytest.approx(0.32 / 0.47)
    assert gap.kappa_high == pytest.approx(0.8)
    assert gap.difference == pytest.approx(0.8 - 0.32 / 0.47)
    assert gap.lower < gap.difference < gap.upper
    assert gap.n == 100


@pytest.mark.parametrize("conversations", [None, 20])
def test_with_one_person_the_gap_is_the_contrast(conversations):
    labels = tk.simulate(["a", "b"], n_calls=120, humans=1, conversations=conversations, seed=4)
    cluster = None if conversations is None else "cluster"
    options = {"low": "a", "high": "b", "cluster": cluster, "draws": 500}
    gap, contrast = tk.diagnose(labels, **options).gap, tk.contrast(labels, **options)
    assert gap.difference == contrast.difference
    assert gap.kappa_low == contrast.kappa_low
    assert gap.kappa_high == contrast.kappa_high


def test_with_one_person_the_interval_is_that_of_the_contrast_but_for_chance():
    labels = tk.simulate(["a", "b"], n_calls=120, humans=1, seed=4)
    gap, contrast = tk.diagnose(labels, low="a", high="b").gap, tk.contrast(labels, "a", "b")
    assert gap.lower == pytest.approx(contrast.low, abs=0.01)
    assert gap.upper == pytest.approx(contrast.high, abs=0.01)


def test_several_persons_count_as_the_mean_of_single_ones(case_of):
    # Persons: one always right, one always wrong: the pooled table is (5, 5; 5, 5), kappa 0.
    labels = [0, 1] * 10
    wrong = [1, 0] * 10
    raters = {
        "human1": {"low": labels, "high": labels},
        "human2": {"low": wrong, "high": labels},
        "judge": {"low": labels, "high": labels},
    }
    gap = gap_of(case_of(raters), OPTIONS)
    assert gap.kappa_low == pytest.approx(0)
    assert gap.kappa_high == pytest.approx(1)


def test_the_range_of_equal_kappas_grows_with_the_number_of_constructs():
    labels = tk.simulate(list("abcdefg"), n_calls=150, humans=1, seed=1)
    alignment, roles = Alignment(labels), resolve_roles(labels)
    reach = [
        range_quantile(build_whole(alignment, names, roles, "schema", None, 0, 400), 0.95)
        for names in (tuple("abc"), tuple("abcde"), tuple("abcdefg"))
    ]
    assert reach == sorted(reach)
    assert reach[0] < reach[2]


def test_a_picked_pair_has_a_wider_interval_than_the_same_pair_named():
    labels = tk.simulate(list("abcde"), n_calls=200, humans=1, seed=2)
    picked = tk.diagnose(labels, draws=500).gap
    named = tk.diagnose(labels, low=picked.low, high=picked.high, draws=500).gap
    assert picked.difference == named.difference
    assert picked.lower < named.lower
    assert picked.upper >= named.upper
    assert (picked.selected_from, named.selected_from) == (5, 0)


def test_two_constructs_leave_nothing_to_pick():
    labels = tk.simulate(["a", "b"], n_calls=60, humans=1)
    assert tk.diagnose(labels, draws=200).gap.selected_from == 0


@pytest.mark.parametrize(
    ("difference", "lower", "shown"),
    [(0.10, 0.01, True), (0.0999, 0.01, False), (0.3, 0.0, False), (0.3, -0.01, False)],
)
def test_a_gap_is_shown_when_it_is_material_and_beyond_chance(difference, lower, shown):
    gap = Gap("a", "b", 0.5, 0.5 + difference, difference, lower, 0.5, 0.95, 100)
    assert gap.shown is shown


@pytest.mark.parametrize(
    ("difference", "p_value", "shown"),
    [(0.10, 0.09, True), (0.10, 0.11, False), (0.09, 0.01, False), (0.3, math.nan, False)],
)
def test_a_gap_of_known_direction_is_tested_against_one_side(difference, p_value, shown):
    gap = Gap("a", "b", 0.5, 0.6, difference, -0.01, 0.5, 0.95, 100, p_value=p_value)
    assert gap.shown_one_sided is shown


def test_a_gap_the_other_way_round_is_never_shown_one_sided():
    assert not Gap("a", "b", 0.6, 0.3, -0.3, -0.5, -0.1, 0.95, 100, p_value=0.001).shown_one_sided


def test_a_picked_pair_has_no_p_value():
    labels = tk.simulate(["a", "b", "c"], n_calls=60, humans=1)
    assert math.isnan(tk.diagnose(labels, draws=200).gap.p_value)
    assert 0 < tk.diagnose(labels, low="a", high="b", draws=200).gap.p_value <= 1


def test_the_material_gap_can_be_set(case_of, of_table):
    case = case_of(_raters(of_table, [[55, 5], [10, 30]], [[45, 5], [5, 45]]))
    assert gap_of(case, OPTIONS, material=0.3).material == 0.3


def test_no_calls_have_no_gap(case_of, of_table):
    case = case_of(_raters(of_table, [[5, 0], [0, 5]], [[5, 0], [0, 5]]))
    gap = gap_of(case.part(case.unit < 0), OPTIONS)
    assert gap.n == 0
    assert math.isnan(gap.difference)
    assert not gap.shown
