from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from toolkit.diagnosis.build import Readable
from toolkit.diagnosis.case import LOW, indicators
from toolkit.diagnosis.unreadable import FEWEST, measure, sentence


def _readable(people, judge, k, weight=None):
    """Items with labels on both constructs; the judge's high labels are all there and right."""
    people, judge = np.array(people), np.array(judge)
    shares = indicators(people, k)
    n = len(people)
    weight = np.ones(n) if weight is None else np.array(weight)
    return Readable(np.stack([judge, people]), (shares, shares), np.arange(n), weight)


def _case(case_of, people, judge, **options):
    read = [(p, j) for p, j in zip(people, judge, strict=True) if j >= 0]
    kept, given = map(list, zip(*read, strict=True))
    raters = {"human1": {"low": kept, "high": kept}, "judge": {"low": given, "high": kept}}
    return case_of(raters, **options)


def _binary():
    """Readable (15, 3; 2, 10); 2 of class 0 and 8 of class 1 are missing."""
    people = [0] * 20 + [1] * 20
    judge = [0] * 15 + [1] * 3 + [-1] * 2 + [0] * 2 + [1] * 10 + [-1] * 8
    return people, judge


def test_bounds_of_kappa_with_missing_labels_by_hand(case_of):
    # Readable (15, 3; 2, 10): observed 25/30, chance (18 x 17 + 12 x 13) / 900 = 462/900, so
    # kappa (750 - 462) / (900 - 462) = 288/438. People are 20 : 20, so chance is 1/2 below:
    # all missing right (17, 3; 2, 18): observed 35/40, kappa 3/4;
    # all missing wrong (15, 5; 10, 10): observed 25/40, kappa 1/4;
    # as the readable of their class (20 x 15/18, ...; ..., 20 x 10/12): observed 5/6, kappa 2/3.
    people, judge = _binary()
    case = _case(case_of, people, judge)
    found = measure(case, _readable(people, judge, 2))
    assert found.facts["kappa_readable"] == pytest.approx(288 / 438)
    assert found.facts["kappa_if_right"] == pytest.approx(3 / 4)
    assert found.facts["kappa_if_wrong"] == pytest.approx(1 / 4)
    assert found.facts["kappa_if_alike"] == pytest.approx(2 / 3)
    assert found.tests["stand_in"] == pytest.approx(2 / 3 - 288 / 438)
    assert found.undone[0] - case.kappa(LOW)[0] == pytest.approx(3 / 4 - 288 / 438)


def test_missing_rates_and_their_tie_to_the_class_by_hand(case_of):
    # 10 of 40 against 0 of 40. By class (2, 8) missing and (18, 12) read:
    # chi2 = 40 (2 x 12 - 8 x 18)^2 / (10 x 30 x 20 x 20) = 4.8.
    people, judge = _binary()
    found = measure(_case(case_of, people, judge), _readable(people, judge, 2))
    assert found.tests["difference"] == pytest.approx(0.25)
    assert found.tests["p_class"] == pytest.approx(stats.chi2.sf(4.8, 1))
    assert found.facts["missing"] == (pytest.approx(0.25), pytest.approx(0))
    assert found.n == 40


def test_on_a_scale_the_worst_case_is_the_far_end(case_of):
    # Class 0 read as 0 (10), class 2 read as 2 (10), ten more of class 2 missing. All wrong is
    # (10, 0; 10, 10) at the two ends: observed 2/3, chance 1/3 x 2/3 + 2/3 x 1/3 = 4/9, so kappa
    # (2/9) / (5/9) = .4; right and alike give 1. chi2 of (0, 10) and (10, 10): 7.5.
    people = [0] * 10 + [2] * 20
    judge = [0] * 10 + [2] * 10 + [-1] * 10
    case = _case(case_of, people, judge, categories=(0, 1, 2), kind="ordinal")
    found = measure(case, _readable(people, judge, 3))
    assert found.facts["kappa_if_wrong"] == pytest.approx(0.4)
    assert found.facts["kappa_if_right"] == pytest.approx(1)
    assert found.facts["kappa_if_alike"] == pytest.approx(1)
    assert found.tests["p_class"] == pytest.approx(stats.chi2.sf(7.5, 1))


def test_nothing_missing_has_no_effect_and_no_gain(case_of):
    people = [0, 1] * 20
    case = _case(case_of, people, people)
    found = measure(case, _readable(people, people, 2))
    assert found.effect == pytest.approx(0)
    assert found.undone == pytest.approx(case.kappa(LOW))
    assert found.tests["p_class"] == 1


def test_few_items_say_nothing_about_missing_rates(case_of):
    people = [0, 1] * 9 + [0]
    assert len(people) == FEWEST - 1
    found = measure(_case(case_of, people, people), _readable(people, people, 2))
    assert "fewer than 20" in found.untestable


def test_the_sentence_gives_rates_and_bounds(case_of):
    people, judge = _binary()
    case = _case(case_of, people, judge)
    said = sentence(measure(case, _readable(people, judge, 2)), case)
    assert "25.0 %" in said
    assert "would be 0.75 if all of them were right and 0.25 if all were wrong." in said


def test_item_weights_count_in_rates_and_bounds_by_hand(case_of):
    # The missing weigh 3, the others 1: 10 x 3 of 60 are missing.
    # All right: (15 + 6, 3; 2, 10 + 24), observed 55/60, chance (24 x 23 + 36 x 37) / 3600, so
    # kappa (3300 - 1884) / (3600 - 1884). All wrong: (15, 3 + 6; 2 + 24, 10), observed 25/60,
    # chance (24 x 41 + 36 x 19) / 3600, so kappa (1500 - 1668) / (3600 - 1668).
    people, judge = _binary()
    weight = [3.0 if label < 0 else 1.0 for label in judge]
    found = measure(_case(case_of, people, judge), _readable(people, judge, 2, weight))
    assert found.facts["missing"] == (pytest.approx(0.5), pytest.approx(0))
    assert found.facts["kappa_if_right"] == pytest.approx(1416 / 1716)
    assert found.facts["kappa_if_wrong"] == pytest.approx(-168 / 1932)
