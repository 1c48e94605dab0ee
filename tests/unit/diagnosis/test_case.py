from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from toolkit.diagnosis.case import HIGH, LOW, indicators, limits, shares, z_of

TABLE = [[55, 5], [10, 30]]


def _case(case_of, of_table, **options):
    people, judge = of_table(TABLE)
    raters = {"human1": {"low": people, "high": people}, "judge": {"low": judge, "high": people}}
    return case_of(raters, **options)


def test_the_estimate_carries_half_a_count_in_each_cell(case_of, of_table):
    # Smoothing mass 2 over four cells; its mean stands in entry 0.
    case = _case(case_of, of_table)
    assert case.table(LOW)[0].tolist() == [[55.5, 5.5], [10.5, 30.5]]
    assert case.table(HIGH)[0].tolist() == [[60.5, 0.5], [0.5, 40.5]]


def test_without_smoothing_the_estimate_is_the_table_of_counts(case_of, of_table):
    case = _case(case_of, of_table)
    table = case.tables(case.referred(LOW), case.judged(LOW), smooth=False)
    assert table[0].tolist() == TABLE
    # (55, 5; 10, 30): observed .85, chance .6 x .65 + .4 x .35 = .53, kappa .32 / .47 = .68085.
    assert case.kappa(LOW, table)[0] == pytest.approx(0.32 / 0.47)


def test_the_mass_of_longer_scales_is_one_count_in_all(case_of):
    labels = [0, 1, 2] * 10
    raters = {r: {"low": labels, "high": labels} for r in ("human1", "judge")}
    case = case_of(raters, categories=(0, 1, 2), kind="ordinal")
    assert case.mass(3, 3)[0].sum() == pytest.approx(1)
    assert case.table(LOW)[0].sum() == pytest.approx(31)


def test_draws_start_with_ones_and_have_mean_one(case_of, of_table):
    case = _case(case_of, of_table)
    assert case.draws.shape == (1 + case.replicates, 100)
    assert (case.draws[0] == 1).all()
    # 400 x 100 exponential draws: standard error of the mean is 1 / 200.
    assert case.draws[1:].mean() == pytest.approx(1, abs=0.02)


def test_a_call_weighs_one_whatever_the_number_of_persons(case_of):
    # Call 1: persons say 0 and 1; call 2: one person says 1. Shares (1/2, 1/2) and (0, 1).
    raters = {
        "human1": {"low": [0, 1], "high": [0, 1]},
        "human2": {"low": [1, None], "high": [0, None]},
        "judge": {"low": [0, 1], "high": [0, 1]},
    }
    case = case_of(raters)
    assert case.referred(LOW).tolist() == [[0.5, 0.5], [0, 1]]


def test_clusters_are_drawn_whole_and_the_estimate_does_not_change(case_of, of_table):
    whole = _case(case_of, of_table)
    clusters = [f"c{i // 5}" for i in range(100)]
    case = _case(case_of, of_table, cluster="conversation", conversation=clusters)
    assert case.clustered
    assert not whole.clustered
    assert case.size == 5
    assert case.draws.shape[1] == 20
    values = case.judged(LOW)
    assert case.sums(values)[0] == pytest.approx(whole.sums(values)[0])


def test_a_part_keeps_the_labels_of_its_calls(case_of, of_table):
    case = _case(case_of, of_table)
    keep = np.arange(100) >= 60
    part = case.part(keep)
    assert part.n == 40
    table = part.tables(part.referred(LOW), part.judged(LOW), smooth=False)[0]
    assert table.tolist() == [[0, 0], [10, 30]]
    assert part.item.tolist() == list(range(60, 100))


def test_item_weights_of_a_part_have_mean_one(case_of, of_table):
    # Calls 0 to 59 weigh 1 and the others 3; of calls 50 to 99 the mean is (10 + 40 x 3) / 50.
    case = _case(case_of, of_table)
    weight = np.where(np.arange(100) < 60, 1.0, 3.0)
    case = replace(case, weight=weight / weight.mean())
    part = case.part(np.arange(100) >= 50)
    assert part.weight == pytest.approx([1 / 2.6] * 10 + [3 / 2.6] * 40)
    assert case.part(np.zeros(100, dtype=bool)).weight.size == 0


def test_changing_the_judge_leaves_the_case_as_it_was(case_of, of_table):
    case = _case(case_of, of_table)
    turned = case.with_judge(LOW, 1 - case.judge[LOW])
    assert turned.table(LOW)[0].tolist() == [[5.5, 55.5], [30.5, 10.5]]
    assert case.table(LOW)[0].tolist() == [[55.5, 5.5], [10.5, 30.5]]


def test_no_label_is_a_row_of_zeros():
    assert indicators(np.array([1, -1]), 2).tolist() == [[0, 1], [0, 0]]
    assert shares(np.array([[0, 1, -1], [-1, -1, -1]]), 2).tolist() == [[0.5, 0.5], [0, 0]]


def test_z_is_estimate_over_spread_of_the_replicates():
    # Replicates 1 and 3: standard deviation 1, so z is the estimate.
    assert z_of(np.array([2.5, 1.0, 3.0])) == 2.5
    assert z_of(np.array([2.0, 1.0, 1.0])) == np.inf
    assert np.isnan(z_of(np.array([0.0, 1.0, 1.0])))
    assert np.isnan(z_of(np.array([2.0, np.nan, np.nan])))


def test_limits_leave_undefined_replicates_out():
    low, high = limits(np.array([9.0, *np.arange(101), np.nan]), level=0.9)
    assert (low, high) == (pytest.approx(5), pytest.approx(95))
    assert np.isnan(limits(np.array([1.0, np.nan]))).all()
