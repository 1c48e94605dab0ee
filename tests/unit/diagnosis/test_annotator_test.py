"""The alternative annotator test, and the trap of a judge that never flags."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import t as student
from scipy.stats import ttest_1samp

from toolkit.diagnosis.annotator_test import CROWD, EXPERTS, SKILLED, annotator_test, of_case
from toolkit.errors import StatisticsError

BINARY = np.eye(2)


def run(judge, people, k=2, *, ordered=False, **options):
    return annotator_test(
        np.asarray(judge), np.asarray(people), np.eye(k), ordered=ordered, **options
    )


def test_wins_and_p_values_by_hand():
    # 40 items, persons 2 and 3 and the judge alike; person 1 apart on 10. Set aside person 1: on
    # the 10 the judge alone agrees with the others, on 30 both do, so the judge wins 1, the person
    # .75, d = -1 on 10 and 0 on 30: mean -.25, s^2 = (10 * .75^2 + 30 * .25^2) / 39 = .192308,
    # se = sqrt(s^2 / 40) = .069338, t = (-.25 - .15) / se = -5.7689 with 39 degrees of freedom.
    # Set aside person 2 or 3: judge and person say the same, always a tie, p = 0. The largest
    # of three p-values is multiplied by 3 / 3 * (1 + 1/2 + 1/3) = 11/6.
    label = np.array([0, 1] * 20)
    apart = label ^ (np.arange(40) < 10)
    result = run(label, np.stack([apart, label, label], axis=1))
    assert result.judge_wins == (1, 1, 1)
    assert result.person_wins == (0.75, 1, 1)
    assert result.p_values == pytest.approx((11 / 6 * student.cdf(-5.7689, 39), 0, 0), rel=1e-3)
    assert result.winning_rate == 1
    assert result.advantage == 1
    assert result.items == (40, 40, 40)
    # Apart on 10 of 40 at even margins: 30/40 agree, kappa 2 * .75 - 1.
    assert result.kappas == pytest.approx((0.5, 1, 1))


def test_numbers_are_scored_by_distance_and_names_by_identity():
    # Others say 0 and 4, the judge 2, the person 1. Squares: judge 4 + 4, person 1 + 9, so the
    # judge wins; by identity both miss both others and tie. Set aside the person who says 0: others
    # 1 and 4, judge 1 + 4 = 5, person 1 + 16 = 17. Set aside 4: others 0, 1: judge 4 + 1 = 5,
    # person 16 + 9 = 25.
    people = np.tile([[1, 0, 4]], (30, 1))
    judge = np.full(30, 2)
    by_distance = run(judge, people, 5, ordered=True)
    by_identity = run(judge, people, 5)
    assert by_distance.person_wins == (0, 0, 0)
    assert by_identity.person_wins == by_identity.judge_wins == (1, 1, 1)
    assert (by_distance.scoring, by_identity.scoring) == ("rmse", "accuracy")


def test_balanced_weights_by_hand():
    # 50 items, 5 of class 1, all persons alike, judge always 0. Set aside any person: d = 1 on the
    # 5 (the person alone is right), 0 on 45. Plain mean .1; balanced, the 5 weigh one half: .5.
    people = np.tile((np.arange(50) < 5).astype(int)[:, None], (1, 3))
    result = run(np.zeros(50, int), people)
    assert result.judge_wins == pytest.approx((0.9, 0.9, 0.9))
    assert result.balanced_judge_wins == pytest.approx((0.5, 0.5, 0.5))
    assert result.person_wins == pytest.approx(result.balanced_person_wins)
    assert result.kappas == (0, 0, 0)


def people_with_error(seed, prevalence, n=100):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < prevalence
    wrong = rng.random((n, 3)) < np.where(truth, 0.15, 0.02)[:, None]
    return (truth[:, None] ^ wrong).astype(int)


def test_a_judge_that_never_flags_passes_at_rare_positives_but_not_balanced():
    never = np.zeros(200, int)
    results = [run(never, people_with_error(seed, 0.05, n=200)) for seed in range(60)]
    assert np.mean([result.passes for result in results]) > 0.95
    assert np.mean([result.balanced_passes for result in results]) < 0.05
    assert all(kappa == 0 for result in results for kappa in result.kappas)


def test_a_judge_as_good_as_people_passes_both_at_even_classes():
    results = []
    for seed in range(40):
        labels = people_with_error(seed, 0.5, n=300)
        rng = np.random.default_rng(1000 + seed)
        judge = np.where(rng.random(300) < 0.05, 1 - labels[:, 0], labels[:, 0])
        results.append(run(judge, labels))
    assert np.mean([result.passes for result in results]) > 0.95
    assert np.mean([result.balanced_passes for result in results]) > 0.95


def test_with_equal_classes_balanced_is_plain():
    label = np.array([0, 1] * 30)
    apart = label ^ (np.arange(60) % 7 == 0)
    result = run(apart, np.stack([label] * 3, axis=1))
    assert result.balanced_judge_wins == pytest.approx(result.judge_wins)
    assert result.balanced_p_values == pytest.approx(result.p_values)


@settings(max_examples=40, deadline=None)
@given(arrays(np.int64, (45, 5), elements=st.integers(0, 2)))
def test_unadjusted_p_values_are_those_of_a_t_test(labels):
    judge, people = labels[:, 0], labels[:, 1:]
    result = run(judge, people, 3)
    means, p = [], []
    for j in range(4):
        others = np.delete(people, j, axis=1)
        by_judge = (others == judge[:, None]).mean(axis=1)
        by_person = (others == people[:, [j]]).mean(axis=1)
        lead = (by_person >= by_judge) * 1.0 - (by_judge >= by_person)
        means.append((by_judge >= by_person).mean())
        if np.ptp(lead) == 0:
            p.append(float(lead[0] > SKILLED))
        else:
            p.append(ttest_1samp(lead, SKILLED, alternative="less").pvalue)
    assert result.judge_wins == pytest.approx(means)
    ranked = np.sort(p)[::-1] * 4 / np.arange(4, 0, -1) * (1 + 1 / 2 + 1 / 3 + 1 / 4)
    adjusted = np.minimum(np.minimum.accumulate(ranked), 1)[::-1]
    assert np.sort(result.p_values) == pytest.approx(adjusted)


@given(arrays(np.int64, (40, 4), elements=st.integers(0, 1)), st.permutations([0, 1, 2]))
def test_the_order_of_persons_and_the_names_of_classes_do_not_matter(labels, order):
    judge, people = labels[:, 0], labels[:, 1:]
    result = run(judge, people)
    assert run(judge, people[:, order]).winning_rate == result.winning_rate
    assert run(1 - judge, 1 - people).p_values == pytest.approx(result.p_values)


@pytest.mark.parametrize(("people", "reason"), [(2, "few_people"), (3, "few_items")])
def test_too_little_is_undefined_with_a_reason(people, reason):
    labels = np.tile([[0], [1]], (14 if people == 3 else 30, people))
    result = run(labels[:, 0], labels)
    assert np.isnan([result.winning_rate, result.balanced_winning_rate, result.advantage]).all()
    assert result.reasons == (reason,)
    assert not result.passes
    assert len(result.to_frame()) == 0
    assert reason in str(result)


def test_a_person_with_few_shared_items_is_left_out_and_counted():
    labels = np.tile([[0], [1]], (30, 4))
    labels[10:, 3] = -1
    result = run(np.array([0, 1] * 30), labels, names=("a", "b", "c", "d"))
    assert result.people == ("a", "b", "c")
    assert result.left_out == {"d": 10}


def test_items_without_the_judge_or_another_person_do_not_count():
    labels = np.tile([[0], [1]], (30, 3))
    judge = np.array([0, 1] * 30)
    judge[:5] = -1
    labels[5:9, 1:] = -1
    assert run(judge, labels).items == (51, 51, 51)


def test_one_class_leaves_nothing_to_balance():
    result = run(np.zeros(40, int), np.zeros((40, 3), int))
    assert result.passes
    assert np.isnan(result.balanced_winning_rate)
    assert not result.balanced_passes
    assert result.reasons == ("one_class",)
    assert "classes weighing the same: undefined" in str(result)


def test_of_few_positives_nothing_is_concluded():
    people = np.tile((np.arange(100) < 4).astype(int)[:, None], (1, 3))
    result = run(np.zeros(100, int), people)
    assert result.passes
    assert np.isnan(result.balanced_winning_rate)
    assert result.reasons == ("few_in_class",)


def test_presets_and_a_lead_that_is_no_share():
    assert (EXPERTS, SKILLED, CROWD) == (0.2, 0.15, 0.1)
    with pytest.raises(StatisticsError, match="epsilon"):
        run(np.zeros(40, int), np.zeros((40, 3), int), epsilon=1.5)


def test_the_result_is_frozen_and_plain():
    result = run([0, 1] * 30, np.tile([[0], [1]], (30, 3)))
    with pytest.raises(FrozenInstanceError):
        result.epsilon = 0.3
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["passes"] is True
    assert list(result.to_frame()["person"]) == ["person 1", "person 2", "person 3"]
    assert "kappa" in result.to_frame()
    assert "passes the alternative annotator test" in str(result)
    assert "<table" in result._repr_html_()


def test_a_case_is_tested_with_its_own_names(case_of):
    label = [0, 1] * 30
    raters = {r: {"low": label, "high": label} for r in ("human1", "human2", "human3", "judge")}
    result = of_case(case_of(raters), 0)
    assert result.people == ("human1", "human2", "human3")
    assert result.scoring == "accuracy"
