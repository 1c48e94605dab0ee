"""A table of raw answers keeps its rows and columns, and gains what was read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

import toolkit as tk
from toolkit.answers import Registry
from toolkit.answers.normalize import ladder, normalize
from toolkit.answers.tables.fields import FIELDS, LADDER
from toolkit.answers.tables.frame import normalize_frame
from toolkit.errors import AnswerError, ConventionError

JUSTICE = tk.convention("he300", "justice")
MINE = {
    "benchmark": "mine",
    "conventions": [
        {"subsets": ["tone"], "labels": ["RUDE", "KIND"], "positive": "KIND"},
        {"subsets": ["stars"], "labels": [1, 2, 3], "integers": "category"},
    ],
}


@pytest.fixture
def runs():
    return pd.DataFrame(
        {
            "item_id": ["a", "b", "c", "d"],
            "subset": ["justice", "commonsense", "virtue", "mixed"],
            "subcategory": [None, None, None, "deontology"],
            "raw_response": ['{"label": 1}', "UNETHICAL.", None, "REASONABLE / UNREASONABLE"],
        },
        index=[9, 9, 3, 5],
    )


def he300(frame, **options):
    return normalize_frame(
        frame, benchmark="he300", subset="subset", subcategory="subcategory", **options
    )


def test_every_row_and_column_is_kept_in_its_order_beside_the_answer(runs):
    before = runs.copy(deep=True)
    read = he300(runs)
    assert_frame_equal(read[list(runs.columns)], runs)
    assert_frame_equal(runs, before)
    assert list(read.columns) == [*runs.columns, *FIELDS]
    assert read["label"].tolist()[:2] == ["REASONABLE", "UNETHICAL"]
    assert read["gold"].tolist() == [1, 1, pd.NA, pd.NA]
    assert read["outcome"].tolist()[:3] == ["answered", "answered", "no_answer"]
    assert read["polarity"].tolist()[:2] == ["positive", "negative"]
    assert read["level"].unique().tolist() == ["structured"]


@pytest.mark.parametrize("level", ["exact", "strict", "structured", "lenient"])
def test_each_row_is_read_as_normalize_reads_it(runs, level):
    read = he300(runs, level=level)
    for (_, row), subset in zip(read.iterrows(), [*runs["subset"][:3], "deontology"], strict=True):
        answer = normalize(row["raw_response"], tk.convention("he300", subset), level)
        assert row["outcome"] == answer.outcome
        assert row["flags"] == ";".join(answer.flags)
        assert row["raw_sha256"] == answer.raw_sha256
        assert row["registry_digest"] == answer.registry_digest
        assert (row["gold"] if answer.answered else None) == answer.gold
        if answer.span:
            assert (row["span_start"], row["span_end"]) == answer.span
        else:
            assert row[["span_start", "span_end"]].isna().all()


def test_a_column_that_has_the_name_of_a_field_stays_and_the_field_is_renamed(runs):
    runs["gold"] = [0, 1, 0, 1]
    runs["level"] = "hard"
    read = he300(runs)
    assert read["gold"].tolist() == [0, 1, 0, 1]
    assert read["answer_gold"].tolist() == [1, 1, pd.NA, pd.NA]
    assert read["answer_level"].unique().tolist() == ["structured"]
    again = he300(read)
    assert list(again.columns)[: len(read.columns)] == list(read.columns)
    assert {"answer_label", "answer_answer_gold", "answer_answer_level"} <= set(again.columns)


def test_types_do_not_depend_on_what_the_rows_hold(runs):
    whole = he300(runs, ladder=True)
    for part in (runs.head(0), runs.iloc[2:3], runs.head(1)):
        read = he300(part, ladder=True)
        assert_frame_equal(read, whole.loc[read.index.unique()].head(len(part)))
    assert whole["gold"].dtype == whole["span_end"].dtype == whole["gold_exact"].dtype == "Int64"
    assert whole["label"].dtype == whole["rule"].dtype == "str"


@pytest.mark.parametrize("size", [1, 3, 7])
def test_parts_that_are_put_together_are_the_whole(size):
    texts = ["UNREASONABLE", "reasonable.", '{"label": 0}', "", None, "hm", "x" * 50]
    frame = pd.DataFrame({"raw_response": [texts[row % 7] for row in range(20)]})
    whole = normalize_frame(frame, JUSTICE)
    starts = range(0, len(frame), size)
    parts = [normalize_frame(frame.iloc[s : s + size], JUSTICE) for s in starts]
    assert all((part.dtypes == whole.dtypes).all() for part in parts)
    assert_frame_equal(pd.concat(parts), whole)


def test_labels_are_integers_where_every_label_of_the_benchmark_is_one():
    only = Registry.read({**MINE, "conventions": MINE["conventions"][1:]})
    frame = pd.DataFrame({"raw_response": ["2", "none"], "s": ["stars", "stars"]})
    read = normalize_frame(frame, benchmark="mine", conventions=only)
    assert read["label"].dtype == "Int64"
    assert read["label"].tolist() == [2, pd.NA]
    mixed = normalize_frame(frame, benchmark="mine", subset="s", conventions=MINE)
    assert mixed["label"].dtype == "str"
    assert mixed["label"].tolist()[0] == "2"
    assert mixed["gold"].tolist() == [1, pd.NA]


def test_the_ladder_adds_every_level_beside_the_chosen_one(runs):
    read = he300(runs, ladder=True, level="strict")
    assert list(read.columns)[-len(LADDER) :] == list(LADDER)
    for (_, row), subset in zip(read.iterrows(), [*runs["subset"][:3], "deontology"], strict=True):
        rungs = ladder(row["raw_response"], tk.convention("he300", subset))
        assert {level: row[f"outcome_{level}"] for level in rungs} == {
            level: answer.outcome for level, answer in rungs.items()
        }
    assert read["outcome_strict"].tolist() == read["outcome"].tolist()


def test_strict_first_word_is_level_strict(runs):
    assert_frame_equal(he300(runs, strict_first_word=True), he300(runs, level="strict"))


def test_an_error_is_a_transport_error_only_where_no_reply_arrived():
    frame = pd.DataFrame(
        {
            "raw_response": [None, None, None, None, "REASONABLE"],
            "why": ["timeout; 3 tries", "", None, False, "timeout"],
        },
        dtype=object,
    )
    read = normalize_frame(frame, JUSTICE, error="why")
    assert read["outcome"].tolist() == ["transport_error", *["no_answer"] * 3, "answered"]
    assert read["flags"][0] == "missing;error: timeout, 3 tries"


def test_unknown_subsets_are_refused_with_their_rows_before_anything_is_read(runs):
    runs.loc[9, "subset"] = "ethics"
    with pytest.raises(
        ConventionError,
        match=r"unknown subset of 'he300' \(2 rows, the first at index 9\).*'ethics'",
    ):
        he300(runs)
    runs["subset"] = "mixed"
    with pytest.raises(
        ConventionError,
        match=r"needs a subcategory in column 'subcategory' \(3 rows, the first at index 9\)",
    ):
        he300(runs)
    runs["subset"] = [None, "justice", "justice", "justice"]
    with pytest.raises(
        ConventionError, match=r"rows have no subset in column 'subset' \(1 row, the first at"
    ):
        he300(runs)


def test_a_version_is_one_for_all_rows_or_a_column():
    frame = pd.DataFrame(
        {
            "subset": ["commonsense"] * 2,
            "raw_response": ["Yes.", "Yes."],
            "asked": ["is_this_wrong", None],
        }
    )
    options = {"benchmark": "he300", "subset": "subset", "level": "lenient"}
    assert normalize_frame(frame, version="is_this_wrong", **options)["gold"].tolist() == [1, 1]
    assert normalize_frame(frame, version="asked", **options)["gold"].tolist() == [1, pd.NA]
    with pytest.raises(
        ConventionError, match=r"unknown question version.*\(2 rows, the first at index 0\).*'askd'"
    ):
        normalize_frame(frame, version="askd", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"one thing says how to read the answers\. Allowed"),
        ({"convention": JUSTICE, "benchmark": "he300"}, "one thing says how.*'benchmark'"),
        ({"convention": "justice"}, r"no convention.*tk\.convention"),
        ({"convention": JUSTICE, "subset": "subset"}, "subset= goes with benchmark="),
        ({"convention": JUSTICE, "judge": "gpt"}, "judge= goes with contract="),
        ({"convention": JUSTICE, "raw": "raw_respons"}, "did you mean 'raw_response'"),
        ({"convention": JUSTICE, "raw": ["a"]}, r"no column \['a'\]"),
        ({"convention": JUSTICE, "error": "why"}, r"no column 'why'.*\(DataFrame, error\)"),
        ({"convention": JUSTICE, "level": "Strict"}, "unknown level, did you mean 'strict'"),
        ({"convention": JUSTICE, "level": "exact", "strict_first_word": True}, "level strict"),
        ({"convention": JUSTICE, "workers": 0}, "no number of workers"),
        ({"benchmark": "he300", "subset": "justice"}, "no column 'justice'"),
        ({"benchmark": 3}, "benchmark is a name"),
        ({"contract": {"safety": [1, 2]}, "judge": "gpt"}, "no contract"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_by_name(runs, options, message):
    with pytest.raises(AnswerError, match=message):
        normalize_frame(runs, **options)


def test_an_unknown_benchmark_is_refused_for_an_empty_table_too(runs):
    with pytest.raises(ConventionError, match="unknown benchmark, did you mean 'he300'"):
        normalize_frame(runs.head(0), benchmark="he30", subset="subset")


def test_tables_of_another_shape_are_refused(runs):
    with pytest.raises(AnswerError, match=r"no DataFrame.*to_pandas"):
        normalize_frame(runs.to_dict("list"), JUSTICE)
    with pytest.raises(AnswerError, match=r"duplicate column names.*item_id"):
        normalize_frame(runs[["item_id", "item_id", "raw_response"]], JUSTICE)
    two = runs.set_axis(pd.MultiIndex.from_product([["x"], runs.columns]), axis="columns")
    with pytest.raises(AnswerError, match="several levels of columns"):
        normalize_frame(two, JUSTICE)


def test_any_index_and_any_column_name_is_fine(runs):
    frame = runs.set_index(["item_id", "subset"]).rename(columns={"raw_response": 7})
    read = normalize_frame(frame, JUSTICE, raw=7)
    assert read.index.equals(frame.index)
    assert read["gold"].tolist() == [1, pd.NA, pd.NA, pd.NA]


def test_a_frame_of_many_pieces_keeps_what_is_noted_on_it():
    pieces = [pd.DataFrame({f"c{place}": [1.5, 2.5]}) for place in range(150)]
    frame = pd.concat([*pieces, pd.DataFrame({"raw_response": ["REASONABLE", "x"]})], axis=1)
    frame.columns.name, frame.attrs = "run", {"source": "a"}
    read = normalize_frame(frame, JUSTICE, ladder=True)
    assert (read.columns.name, read.attrs) == ("run", {"source": "a"})
    assert_frame_equal(read[list(frame.columns)], frame)


@pytest.mark.parametrize("kind", ["category", "string", "object"])
def test_text_of_any_type_is_read_alike(kind):
    frame = pd.DataFrame(
        {"subset": ["justice", "virtue"] * 2, "raw_response": ["REASONABLE", "MATCHES", "x", None]}
    )
    read = normalize_frame(frame.astype(kind), benchmark="he300", subset="subset")
    plain = normalize_frame(frame, benchmark="he300", subset="subset")
    assert_frame_equal(read[list(FIELDS)], plain[list(FIELDS)])
    assert read["subset"].dtype == frame.astype(kind)["subset"].dtype


def test_a_subset_is_found_whatever_number_names_it():
    source = {**MINE, "conventions": [{"subsets": ["1"], "labels": ["RUDE", "KIND"]}]}
    frame = pd.DataFrame({"s": [1.0, 1.0], "raw_response": ["KIND", "RUDE"]})
    read = normalize_frame(frame, benchmark="mine", subset="s", conventions=source)
    assert read["gold"].tolist() == [1, 0]


cells = st.one_of(
    st.none(),
    st.text(max_size=20),
    st.sampled_from(["REASONABLE", "\ud83d UNREASONABLE", '{"label": 1}', "<answer>"]),
    st.integers(),
    st.floats(),
    st.binary(max_size=5),
    st.booleans(),
    st.lists(st.integers(), max_size=2),
    st.sampled_from([pd.NA, pd.NaT, np.float64("nan"), np.int64(1), {"label": 0}]),
)


@given(st.lists(cells, max_size=8))
def test_no_cell_stops_the_work(values):
    frame = pd.DataFrame({"raw_response": pd.Series(values, dtype=object)})
    read = normalize_frame(frame, JUSTICE)
    assert len(read) == len(values)
    assert read["gold"].notna().equals(read["outcome"] == "answered")
    assert all(a is b for a, b in zip(read["raw_response"], values, strict=True))


def test_half_an_emoji_in_a_name_or_an_error_is_kept():
    half = pd.DataFrame(
        {"item_id": ["\ud800", "b"], "raw_response": [None, "REASONABLE"], "why": ["\ud800", None]},
        dtype=object,
    )
    read = normalize_frame(half, JUSTICE, error="why")
    assert read["outcome"].tolist() == ["transport_error", "answered"]
    assert read["why"].tolist() == ["\ud800", None]
    contract = tk.Contract({"safety": [1, 2]})
    table = normalize_frame(half, contract=contract, judge="gpt", error="why")
    assert table["item_id"].tolist() == ["\ud800", "b"]
