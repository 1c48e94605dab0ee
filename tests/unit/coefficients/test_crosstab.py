"""tk.crosstab: two sequences of labels to one table, without silent surprises."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import StatisticsError


def test_numbers_stand_in_ascending_order():
    assert list(tk.crosstab([10, 2, 1], [10, 1, 2]).index) == [1, 2, 10]


def test_unequal_category_sets_are_joined():
    table = tk.crosstab([0, 1, 2], [0, 1, 1])
    assert table.to_numpy().tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]


def test_one_and_one_point_zero_and_true_are_one_category():
    table = tk.crosstab([1, 1.0, True, 0], np.array([1.0, 1, 0, 0]))
    assert list(table.index) == [0, 1]
    assert table.to_numpy().tolist() == [[1, 0], [1, 2]]


@pytest.mark.parametrize("other", [["1", "0"], ["yes", "no"]])
def test_words_against_numbers_are_refused(other):
    with pytest.raises(StatisticsError, match="mixed types"):
        tk.crosstab([1, 0], other)


def test_one_nan_of_four_is_left_out_and_counted_never_a_category():
    # others count it as a category: kappa .60 or .636 instead of 1
    table = tk.crosstab([1, 0, 1, 0], [1, 0, np.nan, 0])
    assert tk.kappa(table).estimate == 1
    assert tk.kappa(table).left_out == {"missing": 1}
    assert tk.kappa(table).n == 3


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_every_kind_of_missing_is_missing(missing):
    assert tk.crosstab(["a", missing], ["a", "b"]).attrs["left_out"] == {"missing": 1}


def test_a_label_outside_the_categories_is_refused_with_its_name():
    with pytest.raises(StatisticsError) as caught:
        tk.crosstab(["yes", "Yes"], ["yes", "no"], categories=["no", "yes"])
    assert "Got: 'Yes'. Allowed: 'no', 'yes'" in str(caught.value)


def test_lengths_must_match():
    with pytest.raises(StatisticsError, match="differ in length"):
        tk.crosstab([1, 0], [1])


def test_nothing_to_count_needs_declared_categories():
    with pytest.raises(StatisticsError, match="no categories are declared"):
        tk.crosstab([None], [None])
    assert tk.crosstab([None], [1], categories=[0, 1]).to_numpy().sum() == 0


def test_a_reversed_column_gives_a_negative_kappa_not_chance():
    reference = [1] * 10 + [0] * 90
    reversed_judge = [1 - label for label in reference]
    assert tk.kappa(tk.crosstab(reference, reversed_judge)).estimate < -0.2


def test_two_series_of_the_same_items_in_another_order_are_refused():
    reference = pd.Series([1, 0, 1, 0], index=list("abcd"))
    with pytest.raises(StatisticsError, match="the same items in another order"):
        tk.crosstab(reference, reference.reindex(list("dabc")))


def test_a_masked_label_is_missing():
    masked = np.ma.array([1, 0, 1], mask=[0, 1, 0])
    table = tk.crosstab(masked, [1, 1, 1], categories=[0, 1])
    assert table.to_numpy().tolist() == [[0, 0], [0, 2]]
    assert table.attrs["left_out"] == {"missing": 1}


@pytest.mark.parametrize("labels", [[{}], [[1], [1, 2]], [[1], [2]], 5])
def test_what_is_no_flat_sequence_of_labels_is_refused(labels):
    with pytest.raises(StatisticsError, match="no flat sequence"):
        tk.crosstab(labels, labels)


@pytest.mark.parametrize("categories", [5, "ab", [], [0, 0], [0, None], [0, np.nan], [[0], [1]]])
def test_categories_must_be_distinct_numbers_or_words(categories):
    with pytest.raises(StatisticsError, match="no list of distinct numbers or words"):
        tk.crosstab([0], [0], categories=categories)


def test_series_with_any_index_count_by_position():
    one = pd.Series(["a", "b"], index=[7, 9])
    assert tk.crosstab(one, ["a", "b"]).to_numpy().tolist() == [[1, 0], [0, 1]]
