"""Labels of several raters are coded by the declared categories or refused, never guessed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from toolkit.coefficients.ratings import code_ratings, label_counts
from toolkit.errors import StatisticsError


def codes(ratings, categories=None):
    return code_ratings(ratings, categories).codes.tolist()


def test_none_nan_and_pandas_na_are_missing():
    assert codes([["a", None], ["b", float("nan")], ["a", pd.NA]]) == [[0, -1], [1, -1], [0, -1]]
    assert codes(np.array([[1.0, np.nan], [2.0, 1.0]])) == [[0, -1], [1, 0]]


def test_minus_one_is_missing_only_where_declared_categories_say_so():
    assert codes([[0, -1], [1, 1]], categories=[0, 1]) == [[0, -1], [1, 1]]
    assert codes([[0, -1], [1, 1]], categories=[-1, 0, 1]) == [[1, 0], [2, 2]]
    with pytest.raises(StatisticsError, match="may be a category or a missing label"):
        code_ratings([[0, -1], [1, 1]])


def test_equal_numbers_of_different_types_are_one_category():
    assert codes([[True, 1], [0, 0.0]]) == [[1, 1], [0, 0]]


def test_a_number_and_its_spelling_are_refused_not_merged():
    with pytest.raises(StatisticsError, match="mixed types"):
        code_ratings([["1", 1], ["0", 0]])
    with pytest.raises(StatisticsError, match=r"unknown label \(ratings, row 0, column 1"):
        code_ratings([["1", 1], ["0", "0"]], categories=["0", "1"])


def test_a_mixed_list_does_not_become_words_through_numpy():
    with pytest.raises(StatisticsError, match="mixed types"):
        code_ratings([[1, "a"], [2, "b"]])


def test_numbers_ascend_and_words_keep_their_order_of_appearance():
    assert code_ratings([[10, 9], [2, 9]]).categories == (2, 9, 10)
    words = code_ratings([["low", "high"], ["medium", "low"]])
    assert words.categories == ("low", "high", "medium")
    assert not words.order_declared


def test_declared_order_wins_and_unused_categories_stay():
    coded = code_ratings([["high", "low"]], categories=["low", "medium", "high"])
    assert coded.codes.tolist() == [[2, 0]]
    assert coded.categories == ("low", "medium", "high")


def test_a_frame_is_read_like_an_array():
    frame = pd.DataFrame({"ann": ["x", None], "bob": ["y", "x"]})
    assert codes(frame) == [[0, 1], [-1, 0]]


@pytest.mark.parametrize(
    "ratings",
    [[1, 2], [[1, 2], [3]], [[1, [2]], [1, 2]], [[float("inf"), 1]], [[b"a", b"b"]], 5, None],
)
def test_what_is_no_table_of_labels_is_refused(ratings):
    with pytest.raises(StatisticsError):
        code_ratings(ratings)


@pytest.mark.parametrize("categories", ["ab", 5, [], ["a", "a"], ["a", ["b"]], [None]])
def test_what_is_no_list_of_categories_is_refused(categories):
    with pytest.raises(StatisticsError, match="categories"):
        code_ratings([["a", "b"]], categories)


@pytest.mark.parametrize("counts", [[[1, -1]], [[0.5, 1]], [[np.nan, 1]], [1, 2], [["a", 1]]])
def test_what_is_no_count_table_is_refused(counts):
    with pytest.raises(StatisticsError, match="counts"):
        label_counts(None, counts, None, None)


def test_ratings_and_counts_exclude_each_other():
    with pytest.raises(StatisticsError, match="either ratings or counts"):
        label_counts(None, None, None, None)
    with pytest.raises(StatisticsError, match="either ratings or counts"):
        label_counts([[1, 1]], [[1, 1]], None, None)
    with pytest.raises(StatisticsError, match="columns of counts are the categories"):
        label_counts(None, [[1, 1]], ["a", "b"], None)


def test_named_weights_refuse_words_in_no_declared_order():
    ratings = [["low", "high"], ["medium", "low"]]
    with pytest.raises(StatisticsError, match="nobody declared"):
        label_counts(ratings, None, None, "quadratic")
    assert label_counts(ratings, None, ["low", "medium", "high"], "quadratic").counts.shape == (
        2,
        3,
    )
