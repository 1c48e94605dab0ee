from __future__ import annotations

import numpy as np
import pytest

from toolkit.diagnosis.case import LOW
from toolkit.diagnosis.recoding import recoding_gain


def _case(case_of, people, judge, k=3):
    raters = {"human1": {"low": people, "high": people}, "judge": {"low": judge, "high": people}}
    return case_of(raters, categories=range(k), kind="ordinal")


def test_a_judge_one_category_above_is_recoded_by_hand(case_of):
    # People use 0 and 1 evenly, the judge says one more. Both variances and the covariance are
    # 1/4, the means differ by 1: kappa = 2/4 / (1/4 + 1/4 + 1) = 1/3. Recoded 1 -> 0, 2 -> 1 the
    # two agree fully, a gain of 2/3; category 0 can only go to 0.
    case = _case(case_of, [0, 1] * 60, [1, 2] * 60)
    found = recoding_gain(case, LOW)
    assert found["best_recoding"] == [0, 0, 1]
    assert found["recoding_gain_seen"] == pytest.approx(2 / 3)
    # The halves hold a share p of ones each: kappa 2 p (1 - p) / (2 p (1 - p) + 1), near 1/3.
    assert found["recoding_gain"] == pytest.approx(2 / 3, abs=0.03)


def test_a_judge_that_agrees_is_left_as_it_is(case_of):
    found = recoding_gain(_case(case_of, [0, 1, 2] * 20, [0, 1, 2] * 20), LOW)
    assert found["best_recoding"] == [0, 1, 2]
    assert found["recoding_gain"] == pytest.approx(0, abs=1e-12)
    assert found["recoding_gain_seen"] == pytest.approx(0, abs=1e-12)


def test_noise_has_a_gain_that_is_seen_but_smaller_on_unseen_units(case_of):
    # Twenty tables without any agreement: the best of 126 recodings always gains where it is
    # chosen; on the other half it gains what recoding to fewer categories gives, on average less.
    rng = np.random.default_rng(3)
    gains = []
    for _ in range(20):
        people, judge = rng.integers(0, 5, (2, 80)).tolist()
        gains.append(recoding_gain(_case(case_of, people, judge, k=5), LOW))
    seen, unseen = ([g[key] for g in gains] for key in ("recoding_gain_seen", "recoding_gain"))
    assert min(seen) > 0
    assert np.mean(unseen) < np.mean(seen) / 2


@pytest.mark.parametrize("k", [2, 8])
def test_two_categories_and_very_many_are_not_recoded(case_of, k):
    labels = list(range(k)) * 10
    assert recoding_gain(_case(case_of, labels, labels, k=k), LOW) == {}
