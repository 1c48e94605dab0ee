"""Without a schema nothing is guessed that could be wrong."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from toolkit.errors import LabelError
from toolkit.labels import read_labels


def inferred(*values):
    """Read two raters who agree on every value, and give the construct and the labels."""
    items = [f"i{n}" for n in range(len(values))]
    frame = pd.DataFrame(
        {"item_id": items * 2, "rater_id": ["ann"] * len(items) + ["gpt"] * len(items)}
    )
    frame["label"] = pd.Series([*values, *values], dtype=object)
    return read_labels(frame, construct="tone")


BINARY = {
    "integers": [0, 1],
    "text": ["1", "0"],
    "floats": [1.0, 0.0],
    "truth values": [True, False],
    "truth words": ["True", "False"],
    "all spellings": [True, "1", 1.0, "1.0", " 1 ", "true", "0", np.int64(1), np.bool_(0)],
    "only 0": [0, 0],
    "only 1": ["1", "1"],
    "only False": [False],
}


@pytest.mark.parametrize("values", BINARY.values(), ids=BINARY)
def test_zero_and_one_are_nominal_and_1_is_present(values):
    construct = inferred(*values).schema["tone"]
    assert (construct.kind, construct.categories, construct.present) == ("nominal", (0, 1), (1,))


@pytest.mark.parametrize(
    ("values", "kind", "categories"),
    [
        (["10", "9", "2"], "ordinal", (2, 9, 10)),
        ([2, 1], "nominal", (1, 2)),
        (["-1.0", "0.5", "1.0"], "ordinal", (-1.0, 0.5, 1.0)),
        ([5, 5], "nominal", (5,)),
    ],
)
def test_numbers_ascend_and_nothing_is_present(values, kind, categories):
    construct = inferred(*values).schema["tone"]
    assert (construct.kind, construct.categories, construct.present) == (kind, categories, ())
    assert construct.order_declared


def test_words_keep_the_order_of_appearance_and_say_so():
    labels = inferred("medium", "low", "high")
    construct = labels.schema["tone"]
    assert construct.categories == ("medium", "low", "high")
    assert (construct.kind, construct.present) == ("nominal", ())
    assert not construct.order_declared
    assert labels.flags == ("schema_inferred", "order_not_declared")


def test_missing_words_are_no_categories():
    labels = inferred("yes", "NA", "no", "", None, "nan")
    assert labels.schema["tone"].categories == ("yes", "no")
    assert labels.left_out["count"].tolist() == [4, 4]


def test_a_declared_schema_is_not_flagged():
    frame = pd.DataFrame({"item_id": ["a"], "ann": [1], "gpt": [1]})
    schema = {"default": {"categories": [0, 1]}}
    options = {"wide": "rater", "construct": "tone", "rater": ["ann", "gpt"]}
    assert read_labels(frame, schema, **options).flags == ()


@pytest.mark.parametrize(
    ("values", "example"),
    [
        ([1, 0, "unsure"], "{tone: {categories: [0, 1], present: [1], abstain: [unsure]}}"),
        ([True, "unsure"], "{tone: {categories: [0, 1], present: [1], abstain: [unsure]}}"),
        (["3", "n/a", "1", "2"], "{tone: {categories: [1, 2, 3], abstain: [n/a]}}"),
        (["True", 3], "{tone: {categories: [3], abstain: [True]}}"),
        (["False", "maybe"], "{tone: {categories: [0, 1], present: [1], abstain: [maybe]}}"),
    ],
)
def test_numbers_beside_words_are_refused_and_the_declaration_shown(values, example):
    with pytest.raises(LabelError) as refusal:
        inferred(*values)
    message = str(refusal.value)
    assert "mixed types: construct 'tone'" in message
    assert example in message
    position = next(i for i, v in enumerate(values) if v in ("unsure", "n/a", "maybe", "True"))
    assert f"(DataFrame, index {position}, column 'label')" in message


def test_free_text_and_measurements_are_refused():
    with pytest.raises(LabelError, match=r"102 different labels.*at most 101 without a schema"):
        inferred(*range(102))
    assert inferred(*range(101)).schema["tone"].k == 101


@pytest.mark.parametrize("value", [pd.Timestamp("2026-01-31"), b"1"], ids=repr)
def test_what_is_neither_text_nor_number_is_refused(value):
    with pytest.raises(LabelError, match="neither text nor a number"):
        inferred(1, value)


def test_two_spellings_of_one_word_are_refused_and_the_first_is_proposed():
    with pytest.raises(LabelError, match=r"differ only in letter case .*replace\('Yes', 'yes'\)"):
        inferred("yes", "no", "Yes")
