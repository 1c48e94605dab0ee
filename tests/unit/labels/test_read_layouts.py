"""Every layout and file format gives the same table."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
import pytest

from toolkit.errors import LabelError
from toolkit.labels import read_labels

SCHEMA = {
    "constructs": {
        "harm": {"categories": [0, 1], "present": [1], "abstain": ["unsure"]},
        "tone": {"kind": "ordinal", "categories": ["low", "mid", "high"]},
    }
}
LONG = pd.DataFrame(
    [
        ("a", "harm", "ann", "1"),
        ("a", "harm", "gpt", "0"),
        ("a", "tone", "ann", "low"),
        ("a", "tone", "gpt", "high"),
        ("b", "harm", "ann", "0"),
        ("b", "harm", "gpt", "0"),
        ("b", "tone", "ann", "mid"),
        ("b", "tone", "gpt", "mid"),
    ],
    columns=["item_id", "construct", "rater_id", "label"],
)


def table(labels):
    """Give the labels in one order, whatever that of the source."""
    columns = ["item_id", "construct", "rater_id", "label"]
    return labels.frame[columns].sort_values(columns[:3], ignore_index=True)


WRITERS = {
    "labels.csv": lambda frame, path: frame.to_csv(path, index=False),
    "labels.csv.gz": lambda frame, path: frame.to_csv(path, index=False),
    "LABELS.CSV": lambda frame, path: frame.to_csv(path, index=False),
    "bom.csv": lambda frame, path: frame.to_csv(path, index=False, encoding="utf-8-sig"),
    "crlf.csv": lambda frame, path: frame.to_csv(path, index=False, lineterminator="\r\n"),
    "quoted.csv": lambda frame, path: frame.to_csv(path, index=False, quoting=1),
    "labels.tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "labels.parquet": lambda frame, path: frame.to_parquet(path),
    "labels.jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "labels.jsonl.gz": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "labels.ndjson": lambda frame, path: frame.to_json(path, orient="records", lines=True),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_table_of_the_frame(tmp_path, name):
    WRITERS[name](LONG, tmp_path / name)
    labels = read_labels(str(tmp_path / name), SCHEMA)
    pd.testing.assert_frame_equal(labels.frame, read_labels(LONG, SCHEMA).frame)
    assert labels.source == name
    assert labels.sha256 == hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()


def test_wide_by_rater_gives_the_table_of_the_long_one():
    wide = LONG.pivot_table("label", ["item_id", "construct"], "rater_id", aggfunc="first")
    labels = read_labels(wide.reset_index(), SCHEMA, wide="rater")
    pd.testing.assert_frame_equal(table(labels), table(read_labels(LONG, SCHEMA)))


def test_wide_by_construct_gives_the_table_of_the_long_one():
    wide = LONG.pivot_table("label", ["item_id", "rater_id"], "construct", aggfunc="first")
    labels = read_labels(wide.reset_index(), SCHEMA, wide="construct")
    pd.testing.assert_frame_equal(table(labels), table(read_labels(LONG, SCHEMA)))


def test_wide_by_rater_keeps_other_columns_and_takes_kinds():
    frame = pd.DataFrame(
        {
            "item_id": [1, 2],
            "cluster": ["c", ""],
            "ann": [1, 0],
            "gpt": [True, None],
            "text": ["hello", "bye"],
        }
    )
    labels = read_labels(
        frame, wide="rater", construct="harm", rater={"gpt": "judge", "ann": "human"}
    )
    assert list(labels.frame) == [
        *("item_id", "construct", "rater_id", "label", "rater_kind", "cluster", "text")
    ]
    assert labels.frame["rater_id"].tolist() == ["gpt", "ann", "ann"]
    assert labels.frame["rater_kind"].tolist() == ["judge", "human", "human"]
    assert labels.frame["text"].tolist() == ["hello", "hello", "bye"]
    assert labels.frame["cluster"].isna().tolist() == [False, False, True]
    assert labels.left_out.to_dict("records") == [
        {"construct": "harm", "rater_id": "gpt", "reason": "missing", "count": 1}
    ]


def test_wide_by_construct_takes_the_constructs_of_the_schema_and_keeps_the_rest():
    frame = pd.DataFrame(
        {"item_id": ["a", "a"], "rater_id": ["ann", "gpt"], "harm": [1, 1], "note": ["x", "y"]}
    )
    labels = read_labels(frame, SCHEMA, wide="construct")
    assert labels.constructs == ("harm",)
    assert labels.frame["note"].tolist() == ["x", "y"]
    assert labels.flags == ("no_labels:tone",)
    assert read_labels(frame, wide="construct", construct="harm").constructs == ("harm",)


def test_an_argument_names_the_only_construct_of_a_long_table():
    frame = LONG[LONG["construct"] == "harm"].drop(columns="construct")
    assert read_labels(frame, construct="harm").constructs == ("harm",)


def test_a_construct_column_serves_several_constructs_wide_by_rater():
    frame = pd.DataFrame(
        {
            "item_id": ["a", "a"],
            "construct": ["harm", "tone"],
            "ann": [1, "low"],
            "gpt": ["1", "low"],
        }
    )
    assert read_labels(frame, SCHEMA, wide="rater").frame["label"].tolist() == [1, 1, "low", "low"]


def test_numbers_as_identifiers_are_one_item_however_they_are_stored():
    frame = pd.DataFrame({"item_id": pd.Series([1, 1.0, "1"], dtype=object), "label": 1})
    frame["rater_id"] = pd.Series([7, "ann", 8.0], dtype=object)
    labels = read_labels(frame, construct="harm")
    assert labels.items == 1
    assert labels.frame["rater_id"].tolist() == ["7", "ann", "8"]
    # A null beside integers makes pandas store floats; identifiers must not turn into "1.0".
    floats = pd.DataFrame({"item_id": [1.0, 2.0], "ann": [0, 1], "gpt": [0, 1]})
    assert read_labels(floats, wide="rater", construct="harm").frame[
        "item_id"
    ].unique().tolist() == [*("1", "2")]


def test_text_identifiers_stay_as_written():
    frame = pd.DataFrame({"item_id": ["007", "1.10", "1.1"], "ann": 1, "gpt": 1})
    labels = read_labels(frame, wide="rater", construct="harm")
    assert labels.frame["item_id"].unique().tolist() == ["007", "1.10", "1.1"]


def test_a_csv_is_read_as_text_so_that_the_schema_decides(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item_id,ann,gpt\n007,1,True\n008,1.0,0\n", encoding="utf-8")
    labels = read_labels(path, wide="rater", construct="harm")
    assert labels.frame["item_id"].tolist() == ["007", "007", "008", "008"]
    assert labels.frame["label"].tolist() == [1, 1, 1, 0]


def test_long_integers_beside_a_null_keep_their_digits(tmp_path):
    big = 2**60 + 1
    frame = pd.DataFrame({"item_id": [big, big], "rater_id": ["ann", "gpt"], "label": [1, 1]})
    frame["order"] = pd.array([big, None], dtype="Int64")
    frame["call_id"] = pd.array([big, None], dtype="Int64")
    frame.to_parquet(tmp_path / "labels.parquet")
    frame.to_json(tmp_path / "labels.jsonl", orient="records", lines=True)
    for source in (frame, tmp_path / "labels.parquet", tmp_path / "labels.jsonl"):
        labels = read_labels(source, construct="harm")
        assert labels.frame["item_id"].unique().tolist() == [str(big)]
        assert labels.frame["call_id"].iloc[0] == str(big)


def test_repeats_are_legal_where_their_sittings_differ():
    frame = pd.DataFrame(
        {
            "item_id": ["a"] * 3,
            "rater_id": ["ann", "ann", "gpt"],
            "label": [1, 0, 1],
            "sitting": ["2", "10", ""],
        }
    )
    labels = read_labels(frame, construct="harm")
    assert labels.frame["sitting"].tolist()[:2] == [2, 10]
    assert labels.frame["sitting"].isna().tolist() == [False, False, True]


def test_two_answers_of_one_rater_are_a_repeat_even_where_one_is_an_abstention_or_blank():
    frame = pd.DataFrame(
        {"item_id": ["a"] * 3, "rater_id": ["ann", "ann", "gpt"], "label": ["", 0, 1]}
    ).assign(construct="harm")
    assert len(read_labels(frame, SCHEMA).frame) == 2
    with pytest.raises(LabelError, match="two labels by rater 'ann'"):
        read_labels(frame.assign(label=["unsure", 0, 1]), SCHEMA)


def test_missing_and_abstentions_are_counted_apart_by_construct_and_rater():
    frame = pd.DataFrame(
        {
            "item_id": ["a", "b", "c", "d"],
            "ann": [1, "unsure", "unsure", None],
            "gpt": ["1", "", np.nan, "0"],
        }
    )
    labels = read_labels(frame, SCHEMA, wide="rater", construct="harm")
    assert labels.left_out.to_dict("records") == [
        {"construct": "harm", "rater_id": "ann", "reason": "abstain", "count": 2},
        {"construct": "harm", "rater_id": "ann", "reason": "missing", "count": 1},
        {"construct": "harm", "rater_id": "gpt", "reason": "missing", "count": 2},
    ]
    assert len(labels.frame) + labels.left_out["count"].sum() == frame.shape[0] * 2


def test_a_construct_with_missing_labels_only_is_flagged_and_counted():
    frame = pd.DataFrame(
        {"item_id": ["a", "a"], "rater_id": ["ann", "gpt"], "harm": [1, 1], "tone": [None, ""]}
    )
    for schema in (None, SCHEMA):
        labels = read_labels(frame, schema, wide="construct")
        assert labels.constructs == ("harm",)
        assert labels.unlabelled == ("tone",)
        assert "no_labels:tone" in labels.flags
        assert labels.left_out["count"].sum() == 2


def test_one_construct_without_overlap_is_no_error():
    frame = pd.DataFrame(
        [("a", "harm", "ann", 1), ("a", "harm", "gpt", 1), ("b", "tone", "ann", "low")],
        columns=list(LONG),
    )
    assert read_labels(frame, SCHEMA).constructs == ("harm", "tone")


def test_overlap_false_reads_one_rater_and_says_so():
    frame = pd.DataFrame({"item_id": ["a"], "rater_id": ["ann"], "label": [1]})
    assert read_labels(frame, construct="harm", overlap=False).flags == (
        *("schema_inferred", "one_rater"),
    )


def test_categorical_nullable_and_arrow_columns_are_read_like_plain_ones():
    plain = read_labels(LONG, SCHEMA).frame
    for kind in ("category", "string", "string[pyarrow]", object):
        pd.testing.assert_frame_equal(read_labels(LONG.astype(kind), SCHEMA).frame, plain)


def test_unused_categories_of_a_categorical_are_no_constructs():
    frame = LONG.assign(construct=pd.Categorical(LONG["construct"], ["harm", "tone", "phantom"]))
    assert read_labels(frame, SCHEMA).constructs == ("harm", "tone")


def test_columns_of_the_table_held_in_the_index_are_found():
    assert len(read_labels(LONG.set_index(["item_id", "construct"]), SCHEMA).frame) == 8


def test_the_source_frame_is_left_as_it_was():
    frame = LONG.copy()
    read_labels(frame, SCHEMA)
    pd.testing.assert_frame_equal(frame, LONG)


def test_dates_numbers_and_text_sort_as_such():
    frame = LONG.iloc[:2].assign(order=["10", "9"])
    assert read_labels(frame, SCHEMA).frame["order"].tolist() == [10, 9]
    dates = pd.to_datetime(["2026-01-31", "2026-02-01"])
    assert read_labels(frame.assign(order=dates), SCHEMA).frame["order"].tolist() == list(dates)
    text = ["2026-01-31", "2026-02-01"]
    assert read_labels(frame.assign(order=text), SCHEMA).frame["order"].tolist() == text


def test_weights_are_numbers():
    frame = LONG.iloc[:2].assign(weight="2.5")
    assert read_labels(frame, SCHEMA).frame["weight"].tolist() == [2.5, 2.5]
