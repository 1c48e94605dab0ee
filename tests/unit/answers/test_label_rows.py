"""One reply with several constructs becomes a label table that labels are read from."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import toolkit as tk
from toolkit.answers.tables.frame import normalize_frame
from toolkit.answers.tables.stream import normalize_file
from toolkit.errors import AnswerError

CONTRACT = tk.Contract({"safety": [1, 2, 3, 4, 5], "empathy": [1, 2, 3, 4, 5]})
HEAD = ["item_id", "construct", "rater_id", "rater_kind", "label", "call_id"]
SCHEMA = {
    "constructs": {
        name: {"kind": "ordinal", "categories": [1, 2, 3, 4, 5]} for name in CONTRACT.constructs
    }
}


@pytest.fixture
def replies():
    return pd.DataFrame(
        {
            "item_id": ["a", "b", "c"],
            "model": ["gpt", "gpt", "claude"],
            "raw_response": ['{"Safety": 4, "empathy": "2"}', '{"safety": 3}', None],
            "cluster": ["x", "x", "y"],
            "outcome": ["won", "lost", "won"],
        }
    )


def test_every_reply_has_a_row_for_every_construct_with_or_without_a_label(replies):
    table = normalize_frame(replies, contract=CONTRACT, judge="model")
    assert list(table.columns)[:6] == HEAD
    assert len(table) == len(replies) * 2
    assert table["construct"].tolist() == ["safety", "empathy"] * 3
    assert table["item_id"].tolist() == list("aabbcc")
    assert table["rater_id"].tolist() == ["gpt"] * 4 + ["claude"] * 2
    assert table["rater_kind"].unique().tolist() == ["judge"]
    assert table["label"].tolist() == [4, 2, 3, pd.NA, pd.NA, pd.NA]
    assert table["outcome"].tolist() == [*["answered"] * 3, *["no_answer"] * 3]
    assert "model" not in table


def test_other_columns_are_repeated_and_renamed_where_the_table_has_that_name(replies):
    table = normalize_frame(replies, contract=CONTRACT, judge="gpt-4o", item="item_id")
    assert table["cluster"].tolist() == list("xxxxyy")
    assert table["input_outcome"].tolist() == ["won", "won", "lost", "lost", "won", "won"]
    assert table["raw_response"].tolist()[:2] == [replies["raw_response"][0]] * 2
    assert table["rater_id"].unique().tolist() == ["gpt-4o"]
    renamed = replies.rename(columns={"item_id": "scenario"}).assign(item_id="other")
    other = normalize_frame(renamed, contract=CONTRACT, judge="gpt-4o", item="scenario")
    assert other["item_id"].tolist() == table["item_id"].tolist()
    assert other["input_item_id"].unique().tolist() == ["other"]


def test_calls_come_from_their_column_and_else_are_made_for_each_reply(replies):
    made = normalize_frame(replies, contract=CONTRACT, judge="model")
    assert made.groupby("item_id")["call_id"].nunique().tolist() == [1, 1, 1]
    assert made["call_id"].nunique() == 3
    assert made["flags"].str.contains("call_id_generated").all()
    named = normalize_frame(
        replies.assign(call_id=["c1", None, "c3"]), contract=CONTRACT, judge="model"
    )
    assert named["call_id"].tolist()[::2] == ["c1", made["call_id"][2], "c3"]
    assert (
        named["flags"].str.contains("call_id_generated").tolist()
        == [False] * 2 + [True] * 2 + [False] * 2
    )
    own = normalize_frame(
        replies.assign(run=[1.0, 2.0, 3.0], call_id="old"),
        contract=CONTRACT,
        judge="model",
        call_id="run",
    )
    assert own["call_id"].tolist() == list("112233")
    assert own["input_call_id"].unique().tolist() == ["old"]


def test_equal_replies_about_one_item_in_two_rows_are_two_calls():
    frame = pd.DataFrame({"item_id": ["a", "a"], "raw_response": ['{"safety": 4}'] * 2})
    table = normalize_frame(frame, contract=CONTRACT, judge="gpt")
    assert table["call_id"].nunique() == 2


@pytest.mark.parametrize("size", [1, 2])
def test_parts_that_are_put_together_are_the_whole(replies, size):
    whole = normalize_frame(replies, contract=CONTRACT, judge="model")
    parts = [
        normalize_frame(replies.iloc[start : start + size], contract=CONTRACT, judge="model")
        for start in range(0, 3, size)
    ]
    parts.append(normalize_frame(replies.head(0), contract=CONTRACT, judge="model"))
    assert all((part.dtypes == whole.dtypes).all() for part in parts)
    assert_frame_equal(pd.concat(parts, ignore_index=True), whole)


def test_labels_are_read_from_the_table_as_it_is_and_a_missing_one_is_missing(replies):
    people = pd.DataFrame(
        [
            (item, name, "ann", "human", label)
            for item in "abc"
            for name, label in (("safety", 4), ("empathy", 2))
        ],
        columns=["item_id", "construct", "rater_id", "rater_kind", "label"],
    )
    table = normalize_frame(replies, contract=CONTRACT, judge="judge-1")
    both = pd.concat([table, people], ignore_index=True)
    labels = tk.read_labels(both, schema=SCHEMA)
    ours = labels.frame[labels.frame["rater_id"] == "judge-1"]
    assert ours["label"].tolist() == [4, 2, 3]
    assert labels.left_out.to_dict("records") == [
        {"construct": "safety", "rater_id": "judge-1", "reason": "missing", "count": 1},
        {"construct": "empathy", "rater_id": "judge-1", "reason": "missing", "count": 2},
    ]
    alone = tk.read_labels(table, schema=SCHEMA, overlap=False)
    assert alone.frame["call_id"].tolist() == table["call_id"][:3].tolist()
    assert list(alone.frame.columns)[:4] == ["item_id", "construct", "rater_id", "label"]


@pytest.mark.parametrize(
    ("categories", "label", "kind"),
    [
        ([0, 1], 1, "Int64"),
        ([-1.0, -0.5, 0.5, 1.0], 0.5, "Float64"),
        (["calm", "harsh"], "harsh", "str"),
    ],
)
def test_labels_have_the_type_of_the_categories_and_are_read_back(categories, label, kind):
    contract = tk.Contract({"tone": categories})
    frame = pd.DataFrame(
        {"item_id": ["a", "b"], "raw_response": [json.dumps({"tone": label}), "?"]}
    )
    table = normalize_frame(frame, contract=contract, judge="gpt")
    assert table["label"].dtype == kind
    assert table["label"][0] == label
    schema = {"constructs": {"tone": {"kind": "nominal", "categories": categories}}}
    labels = tk.read_labels(table, schema=schema, overlap=False)
    assert labels.frame["label"].tolist() == [label]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "say which judge"),
        ({"judge": "Model"}, "did you mean 'model'"),
        ({"judge": "gpt", "item": "id"}, r"no column 'id'.*\(DataFrame, item\)"),
        ({"judge": "gpt", "call_id": "call"}, r"no column 'call'.*call_id"),
        ({"judge": "gpt", "ladder": True}, "ladder= goes with convention="),
        ({"judge": "gpt", "subset": "model"}, "subset= goes with benchmark="),
        ({"judge": "gpt", "level": "strictly"}, "unknown level"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(replies, options, message):
    with pytest.raises(AnswerError, match=message):
        normalize_frame(replies, contract=CONTRACT, **options)


def test_rows_without_item_or_judge_are_refused_with_their_number(replies):
    replies.loc[1, "model"] = np.nan
    with pytest.raises(
        AnswerError, match=r"identifier \(column 'model', 1 row, the first at index 1\)"
    ):
        normalize_frame(replies, contract=CONTRACT, judge="model")


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_a_file_of_replies_becomes_a_file_of_labels(tmp_path, replies, kind):
    source, out = tmp_path / f"a.{kind}", tmp_path / f"b.{kind}"
    if kind == "jsonl":
        source.write_text(replies.to_json(orient="records", lines=True))
    else:
        getattr(replies, f"to_{kind}")(source, index=False)
    summary = normalize_file(source, out, contract=CONTRACT, judge="model", batch_rows=2)
    assert (summary.rows, summary.written) == (3, 6)
    labels = tk.read_labels(out, schema=SCHEMA, overlap=False)
    frame = normalize_frame(replies, contract=CONTRACT, judge="model")
    expected = tk.read_labels(frame, schema=SCHEMA, overlap=False)
    columns = [*HEAD[:3], "label", "call_id", "cluster"]
    assert_frame_equal(labels.frame[columns], expected.frame[columns])
