"""What a raw value means, and what it never means."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.labels.values import ABSTAIN, MISSING, UNKNOWN, Coder, key

ONES = [
    *(True, 1, "1", 1.0, "1.0", " 1 ", "+1", "1e0", "01", Decimal(1)),
    *(np.bool_(1), np.int8(1), np.uint64(1), np.float32(1), np.float64(1), np.str_("1")),
]


@pytest.mark.parametrize("value", ONES, ids=repr)
@pytest.mark.parametrize("categories", [[0, 1], ["0", "1"], [False, True], [0.0, 1.0], [1, 2, 3]])
def test_every_spelling_of_one_meets_the_category_one(value, categories):
    position = [key(category) for category in categories].index(1)
    assert Coder(categories).code(value) == position


@pytest.mark.parametrize("word", ["True", "true", "TRUE"])
@pytest.mark.parametrize("categories", [[0, 1], [False, True], ["False", "True"], ["0", "1"]])
def test_the_word_true_meets_1_on_a_binary_construct(word, categories):
    assert Coder(categories).code(word) == 1


@pytest.mark.parametrize("categories", [[1, 2, 3], [0, 1, 2], ["no", "yes"]])
def test_the_word_true_is_unknown_elsewhere(categories):
    assert Coder(categories).code("True") == UNKNOWN


@pytest.mark.parametrize("word", ["Yes", "YES", " yes", "yes ", "y", "true", "1"])
def test_words_must_match_exactly(word):
    assert Coder(["no", "yes"]).code(word) == UNKNOWN


@pytest.mark.parametrize("value", [None, float("nan"), np.nan, pd.NA, pd.NaT, "", "  "], ids=repr)
def test_nulls_and_blanks_are_missing_and_never_a_category(value):
    assert Coder([0, 1]).code(value) == MISSING


def test_declared_words_are_missing_or_abstentions():
    coder = Coder([1, 2], missing=["-9", "n/a"], abstain=["unsure", 99])
    assert [coder.code(v) for v in (-9, "-9.0", "n/a", "unsure", "99", 99.0)] == [
        *(MISSING, MISSING, MISSING, ABSTAIN, ABSTAIN, ABSTAIN)
    ]


@pytest.mark.parametrize(
    "value", ["inf", float("inf"), "1_0", "0x1", "\uff11", "1,5", [1], {"a": 1}, b"1"], ids=repr
)
def test_what_is_no_plain_decimal_number_is_no_number(value):
    assert Coder([0, 1, 10, 1.5]).code(value) == UNKNOWN


def test_a_short_float_means_its_shortest_text():
    assert Coder([0.1, 0.5]).code(np.float32(0.1)) == 0


def test_long_integers_stay_apart():
    coder = Coder([2**60, 2**60 + 1])
    assert [coder.code(str(2**60)), coder.code(2**60 + 1)] == [0, 1]


@given(st.integers(-(10**12), 10**12))
def test_an_integer_its_text_and_its_float_have_one_key(number):
    assert key(number) == key(str(number)) == key(float(number)) == key(f"{number}.0") == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_and_its_text_have_one_key(number):
    assert key(number) == key(repr(number)) == number


@given(st.text())
def test_no_text_makes_the_key_fail(text):
    assert key(text) is None or isinstance(key(text), int | float | str)
