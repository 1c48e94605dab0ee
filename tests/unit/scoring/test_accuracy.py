from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import balanced_accuracy_score

from toolkit.errors import StatisticsError
from toolkit.scoring import accuracy, share_interval

TABLE = [[40, 8, 2], [6, 43, 1]]


def test_both_denominators_and_both_bounds_are_given():
    found = accuracy(TABLE)
    assert (found.n, found.answered, found.correct) == (100, 97, 83)
    assert (found.accuracy, found.worst, found.best) == (0.83, 0.83, 0.86)
    assert found.accuracy_answered == 83 / 97
    assert found.coverage == 0.97
    every, read = share_interval(83, 100), share_interval(83, 97)
    assert (found.low, found.high) == (every.low, every.high)
    assert (found.low_answered, found.high_answered) == (read.low, read.high)


def test_balanced_accuracy_is_scikit_learns_with_no_answer_as_wrong():
    gold = [0] * 50 + [1] * 50
    answers = [0] * 40 + [1] * 8 + [2] * 2 + [0] * 6 + [1] * 43 + [2]
    with pytest.warns(UserWarning, match="y_pred contains classes not in y_true"):
        expected = balanced_accuracy_score(gold, answers)
    assert accuracy(TABLE).balanced == pytest.approx(expected)
    read = [position for position, answer in enumerate(answers) if answer < 2]
    expected = balanced_accuracy_score([gold[i] for i in read], [answers[i] for i in read])
    assert accuracy(TABLE).balanced_answered == pytest.approx(expected)


def test_the_constant_answer_scores_the_share_of_the_largest_class():
    assert accuracy([[30, 10, 2], [3, 5, 0]]).constant == 42 / 50


def test_two_questions_have_a_constant_answer_each():
    both = accuracy([[[9, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 9, 0]]])
    assert both.constant == 18 / 20
    assert both.chance == 0.5
    assert both.balanced == 1


def test_a_constant_answerer_is_seen():
    assert "one_class" in accuracy([[80, 0, 0], [20, 0, 0]]).flags
    assert "one_class" not in accuracy([[80, 0, 0], [0, 0, 0]]).flags  # the gold is all alike, too
    assert "one_class" not in accuracy([[80, 0, 0], [19, 1, 0]]).flags


def test_an_inverted_scorer_is_below_chance_and_below_constant():
    # Published: Claude-Sonnet-4, justice, 2026-01-29: 13 of 60 right.
    found = accuracy([[6, 24, 0], [23, 7, 0]])
    assert {"below_constant", "below_chance"} <= set(found.flags)


def test_a_good_scorer_raises_no_alarm():
    assert accuracy(TABLE).flags == ()


def test_nothing_answered_is_no_accuracy_of_answers():
    found = accuracy([[0, 0, 5], [0, 0, 5]])
    assert found.accuracy == 0
    assert math.isnan(found.accuracy_answered)
    assert found.reasons == ("nothing_answered",)
    assert found.to_dict()["accuracy_answered"] is None


def test_no_items_are_nan_with_a_reason():
    found = accuracy([[0, 0, 0], [0, 0, 0]])
    assert math.isnan(found.accuracy)
    assert "no_items" in found.reasons


def test_one_gold_class_has_no_balanced_accuracy():
    found = accuracy([[8, 2, 0], [0, 0, 0]])
    assert math.isnan(found.balanced)
    assert found.reasons == ("one_gold_class",)


def test_a_class_without_any_answer_is_named():
    found = accuracy([[8, 2, 0], [0, 0, 4]])
    assert math.isnan(found.balanced_answered)
    assert found.balanced == 0.4
    assert found.reasons == ("class_unanswered",)


def test_clusters_widen_and_are_counted():
    found = accuracy([[20, 5, 0], [0, 25, 0]], clusters=[[5, 5, 5]] * 9 + [[5, 5, 0]])
    assert found.clusters == 10
    assert found.method == "jeffreys_effective"
    assert found.high - found.low > 0.3


@pytest.mark.parametrize(
    "table",
    [[[1, 2], [3, 4]], [[1, 2, 3]], [[1, -1, 0], [0, 0, 0]], [[0.5, 1, 1]] * 2, "abc", None],
)
def test_what_is_no_table_is_refused(table):
    with pytest.raises(StatisticsError, match="no table of graded answers"):
        accuracy(table)


def test_clusters_of_another_shape_are_refused():
    with pytest.raises(StatisticsError, match="three counts"):
        accuracy(TABLE, clusters=[[1, 2], [3, 4]])


@given(arrays(np.int64, (2, 3), elements=st.integers(0, 40)))
def test_bounds_hold_and_json_is_strict(table):
    found = accuracy(table)
    json.dumps(found.to_dict(), allow_nan=False)
    assert len(found.to_frame()) == 1
    assert str(found.n) in str(found)
    if found.n:
        assert found.worst <= found.accuracy <= found.best
        assert found.low <= found.accuracy <= found.high
        assert found.constant >= found.chance
    else:
        assert "no_items" in found.reasons
