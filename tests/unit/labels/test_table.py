"""What a read table says about itself."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle

import numpy as np
import pandas as pd
import pytest

from toolkit.labels import Schema, read_labels

SCHEMA = {
    "constructs": {
        "tone": {"kind": "ordinal", "categories": ["low", "mid", "high"]},
        "harm": {"categories": [0, 1], "present": [1]},
        "absent": {"categories": [0, 1]},
    },
    "default": {"categories": ["no", "yes"]},
}
ROWS = [
    ("b", "other", "gpt", "yes", "judge", 1.0),
    ("b", "harm", "gpt", 1, "judge", 1.0),
    ("a", "harm", "ann", "0", "human", 2.0),
    ("a", "harm", "gpt", None, "judge", 2.0),
    ("b", "harm", "ann", True, "human", 1.0),
    ("b", "tone", "gpt", "mid", "judge", 1.0),
]
FRAME = pd.DataFrame(
    ROWS, columns=["item_id", "construct", "rater_id", "label", "rater_kind", "weight"]
).assign(note="<b>x</b>")


@pytest.fixture
def labels():
    return read_labels(FRAME, SCHEMA)


def test_columns_stand_in_the_order_of_the_conventions(labels):
    shuffled = read_labels(FRAME[sorted(FRAME, reverse=True)], SCHEMA)
    expected = ["item_id", "construct", "rater_id", "label", "rater_kind", "weight", "note"]
    assert list(labels.frame) == list(shuffled.frame) == expected


def test_rows_keep_the_order_of_the_source_and_hold_the_values_of_the_schema(labels):
    assert labels.frame["label"].tolist() == ["yes", 1, 0, 1, "mid"]
    assert [type(value) for value in labels.frame["label"]] == [str, int, int, int, str]
    assert labels.frame.index.equals(pd.RangeIndex(5))


def test_codes_are_positions_in_the_categories(labels):
    assert labels.codes.tolist() == [1, 1, 0, 1, 1]
    assert labels.codes.dtype == np.int16
    values = [
        labels.schema[construct].categories[code]
        for construct, code in zip(labels.frame["construct"], labels.codes, strict=True)
    ]
    assert values == labels.frame["label"].tolist()


def test_labels_of_one_type_have_its_dtype():
    frame = FRAME[FRAME["construct"] == "harm"]
    assert read_labels(frame, SCHEMA).frame["label"].dtype == np.int64
    wide = pd.DataFrame({"item_id": ["a"], "ann": ["x"], "gpt": ["y"]})
    assert read_labels(wide, wide="rater", construct="tone").frame["label"].dtype == "str"


def test_constructs_follow_the_schema_then_the_data(labels):
    assert labels.constructs == ("tone", "harm", "other")
    assert labels.unlabelled == ("absent",)
    assert labels.flags == ("no_labels:absent",)
    assert labels.schema.constructs["other"].categories == ("no", "yes")


def test_raters_have_kind_and_count(labels):
    assert labels.raters.to_dict("records") == [
        {"rater_id": "gpt", "rater_kind": "judge", "labels": 3},
        {"rater_id": "ann", "rater_kind": "human", "labels": 2},
    ]
    unknown = read_labels(FRAME.drop(columns="rater_kind"), SCHEMA).raters
    assert unknown["rater_kind"].tolist() == [None, None]


def test_plain_strings_compare_and_groups_are_those_there(labels):
    frame = labels.frame
    harm = frame[frame["construct"] == "harm"]
    assert len(harm) == 3
    assert harm.groupby("construct").size().to_dict() == {"harm": 3}
    assert harm["construct"].value_counts().to_dict() == {"harm": 3}
    assert (frame["item_id"] + "!").iloc[0] == "b!"


def test_the_summary_is_strict_json(labels):
    summary = json.loads(json.dumps(labels.to_dict(), allow_nan=False))
    assert (summary["labels"], summary["items"], summary["source"]) == (5, 2, "DataFrame")
    assert summary["left_out"] == [
        {"construct": "harm", "rater_id": "gpt", "reason": "missing", "count": 1}
    ]
    assert Schema.read(summary["schema"]) == labels.schema


def test_the_table_is_frozen_and_its_copies_are_ones_own(labels):
    with pytest.raises(dataclasses.FrozenInstanceError):
        labels.flags = ()
    with pytest.raises(ValueError, match="read-only"):
        labels.codes[0] = 0
    mine = labels.to_frame()
    mine.loc[0, "note"] = "changed"
    assert labels.frame.loc[0, "note"] == "<b>x</b>"


def test_a_table_survives_copy_and_pickle(labels):
    for other in (copy.deepcopy(labels), pickle.loads(pickle.dumps(labels))):  # noqa: S301
        pd.testing.assert_frame_equal(other.frame, labels.frame)
        assert other.to_dict() == labels.to_dict()


def test_reading_the_table_again_gives_the_same_table(labels):
    again = read_labels(labels.to_frame(), labels.schema)
    pd.testing.assert_frame_equal(again.frame, labels.frame)


def test_the_text_form_is_short(labels):
    assert repr(labels) == "Labels(5 labels of 2 items by 2 raters on 3 constructs, from DataFrame)"


def test_the_html_form_shows_what_was_read_and_runs_nothing():
    frame = pd.DataFrame(
        {"item_id": ["a", "b"], "<script>": ["1", ""], "gpt": [0, 1], "eve": [None, "1"]}
    )
    labels = read_labels(frame, wide="rater", construct="<img>", rater=["<script>", "gpt", "eve"])
    shown = labels._repr_html_()
    assert "4 labels of 2 items by 3 raters on 1 construct" in shown
    assert "schema_inferred" in shown
    assert "missing" in shown
    assert "&lt;script&gt;" in shown
    assert "&lt;img&gt;" in shown
    assert "<script>" not in shown
    assert "<img>" not in shown


def test_long_tables_in_the_html_form_say_how_many_rows_are_not_shown():
    raters = [f"r{n}" for n in range(30)]
    frame = pd.DataFrame([["a", *([1] * 30)]], columns=["item_id", *raters])
    assert "and 10 more rows" in read_labels(frame, wide="rater", construct="x")._repr_html_()
