from __future__ import annotations

import json
import math

import pandas as pd
import pytest

from toolkit.errors import GateError
from toolkit.gate import load_pack, read_verdicts


def refusal(rows, pack, dimensions=None):
    with pytest.raises(GateError) as caught:
        read_verdicts(rows, pack, dimensions)
    return caught.value


def verdict(**fields):
    return {"model": "m", "prompt_id": "p1", "score": 4, "red_flag": False, **fields}


def test_one_table_or_two_or_a_mapping_of_two_read_the_same(pack, rows, tmp_path):
    both = rows("m1", ["p2"]) + rows("m2", safety=2)
    verdicts = [row for row in both if "prompt_id" in row]
    scores = [row for row in both if "dimension" in row]
    pd.DataFrame(verdicts).to_csv(tmp_path / "v.csv", index=False)
    pd.DataFrame(scores).to_csv(tmp_path / "d.csv", index=False)
    pd.DataFrame(both).to_csv(tmp_path / "both.csv", index=False)
    lines = "".join(f"{json.dumps(row)}\n" for row in both)
    (tmp_path / "both.jsonl").write_text(lines)
    first = read_verdicts(both, pack)
    others = [
        read_verdicts(verdicts, pack, scores),
        read_verdicts({"verdicts": verdicts, "dimensions": scores}, pack),
        read_verdicts(pd.DataFrame(verdicts), pack, pd.DataFrame(scores)),
        read_verdicts(pd.DataFrame(both), pack),
        read_verdicts(tmp_path / "v.csv", pack, str(tmp_path / "d.csv")),
        read_verdicts(tmp_path / "both.csv", pack),
        read_verdicts(tmp_path / "both.jsonl", pack),
        read_verdicts(first.to_frame(), pack),
        read_verdicts(first, load_pack({**pack.to_dict(), "version": 2})),
    ]
    for other in others:
        pd.testing.assert_frame_equal(other.frame, first.frame)
        pd.testing.assert_frame_equal(other.dimensions, first.dimensions)
        assert other.counts == first.counts
    assert read_verdicts(first, pack) is first


def test_a_row_is_completed_from_the_pack(pack):
    read = read_verdicts([verdict(judge="j1")], pack)
    row = read.frame.iloc[0].to_dict()
    assert row == {
        "model": "m",
        "variant": "none",
        "prompt_id": "p1",
        "repeat": 1,
        "category": "c1",
        "score": 4.0,
        "red_flag": False,
        "unscored": False,
        "empty": False,
        "judge": "j1",
    }
    assert read.run.tolist() == read.prompt.tolist() == [0]


def test_runs_are_every_model_under_every_variant(letters):
    read = read_verdicts([verdict(prompt_id="l1", variant="house")], letters)
    assert read.runs == [("m", "none"), ("m", "house")]
    assert read.run.tolist() == [1]


def test_what_is_missing_is_counted(night_line):
    rows = [
        verdict(prompt_id="n1", repeat=1),
        verdict(prompt_id="n1", repeat=2, score=None, red_flag=None, unscored=True),
        verdict(prompt_id="n2", score=None, red_flag=True, empty=True),
        verdict(prompt_id="zz", red_flag=True),
    ]
    read = read_verdicts(rows, night_line)
    assert read.counts == {
        "rows": 4,
        "unscored": 2,
        "empty": 1,
        "red_flags": 2,
        "unknown_prompts": 1,
        "absent": 3,  # the third repeat of n1, n3 and n4
    }
    assert read.flags == ("unknown_prompt:zz",)
    json.dumps(read.to_dict(), allow_nan=False)


def test_more_repeats_than_declared_are_kept_and_flagged(pack):
    read = read_verdicts([verdict(repeat=1), verdict(repeat=2)], pack)
    assert read.flags == ("more_repeats_than_declared",)


@pytest.mark.parametrize("word", [True, 1, 1.0, "true", "True", "1", "1.0", " 1 "])
def test_a_red_flag_is_read_in_every_usual_spelling(pack, word):
    assert read_verdicts([verdict(red_flag=word)], pack).frame["red_flag"].tolist() == [True]


def test_scores_are_read_from_text(pack):
    assert read_verdicts([verdict(score=" 4.0 ")], pack).frame["score"].tolist() == [4.0]
    assert math.isnan(read_verdicts([verdict(score="NA")], pack).frame["score"][0])


BAD = [
    ({"score": 6}, "off the scale", "score"),
    ({"score": 0.99}, "off the scale", "score"),
    ({"score": "high"}, "is no number", "score"),
    ({"score": True}, "is no number", "score"),
    ({"score": [4]}, "several values", "score"),
    ({"score": "inf"}, "is no number", "score"),
    ({"score": math.inf}, "is no number", "score"),
    ({"red_flag": "maybe"}, "not true or false", "red_flag"),
    ({"red_flag": 2}, "not true or false", "red_flag"),
    ({"red_flag": None}, "does not say", "red_flag"),
    ({"unscored": True}, "unscored and has a score", "score"),
    ({"model": None}, "has no model", "model"),
    ({"model": " "}, "has no model", "model"),
    ({"variant": "None"}, "did you mean 'none'", "variant"),
    ({"category": "c2"}, "another category", "category"),
    ({"repeat": 1.5}, "a repeat is no whole number", "repeat"),
    ({"repeat": -1}, "a repeat is no whole number", "repeat"),
]


@pytest.mark.parametrize(("fields", "words", "column"), BAD)
def test_a_bad_cell_is_named_with_its_row_and_column(pack, fields, words, column):
    good = {**verdict(prompt_id="p2"), **dict.fromkeys(fields)}
    good |= {key: verdict()[key] for key in fields if key in verdict()}
    good |= {
        key: {"repeat": 1, "variant": "none"}[key] for key in fields if key in ("repeat", "variant")
    }
    error = refusal([good, verdict(**fields)], pack)
    assert words in error.what
    assert "row 2" in error.where
    assert f"'{column}'" in error.where
    assert error.allowed


def test_a_row_that_is_there_twice_is_refused_with_both_places(pack):
    error = refusal([verdict(), verdict(prompt_id="p2"), verdict(score=1)], pack)
    assert "there twice" in error.what
    assert error.where == "verdicts, rows 1 and 3"
    scores = [{"model": "m", "dimension": "safety", "score": 4}] * 2
    assert "dimension" in refusal([verdict(), *scores], pack).what


def test_a_model_with_dimension_scores_alone_is_refused_because_it_is_probably_misspelt(pack):
    error = refusal(
        [verdict(model="gpt-9"), {"model": "GPT-9", "dimension": "safety", "score": 5}], pack
    )
    assert "did you mean 'gpt-9'" in error.what


def test_bad_dimension_rows_are_named(pack):
    row = {"model": "m", "dimension": "safety", "score": 5}
    for fields, words in (
        ({"dimension": "Safety"}, "did you mean 'safety'"),
        ({"score": 9}, "off the scale"),
        ({"red_flag": True}, "a red flag on a dimension"),
        ({"prompt_id": "p2"}, "both a prompt_id and a dimension"),
        ({"variant": "other"}, "no such variant"),
    ):
        assert (
            words
            in refusal([verdict(variant="none"), {"variant": "none", **row, **fields}], pack).what
        )


@pytest.mark.parametrize("column", ["model", "prompt_id", "score", "red_flag"])
def test_a_missing_column_is_named(pack, column):
    row = verdict()
    row[f"{column}s"] = row.pop(column)
    assert f"no column {column!r}, did you mean '{column}s'?" in refusal([row], pack).what


def test_a_column_that_is_nearly_one_of_ours_is_not_taken_for_another(pack):
    assert "did you mean 'unscored'?" in refusal([verdict(unscord=True)], pack).what
    assert "did you mean 'repeat'?" in refusal([verdict(repeats=2)], pack).what


def test_a_pack_with_variants_needs_them_in_the_rows(letters):
    assert "no column 'variant'" in refusal([verdict(prompt_id="l1")], letters).what


@pytest.mark.parametrize("source", [None, 5, [], [1], {"verdict": []}, {}, "missing.csv", "a.xlsx"])
def test_what_holds_no_verdicts_is_named(pack, source):
    assert refusal(source, pack).allowed


def test_a_table_of_dimension_scores_alone_holds_no_verdicts(pack):
    error = refusal([{"model": "m", "dimension": "safety", "score": 5}], pack)
    assert "no verdict" in error.what


def test_a_line_of_a_file_is_named(pack, tmp_path):
    path = tmp_path / "v.csv"
    path.write_text("model,prompt_id,score,red_flag\nm,p1,4,false\nm,p2,7,false\n")
    assert refusal(path, pack).where == "v.csv, line 3, column 'score'"
