from __future__ import annotations

import gzip
import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.errors import AnswerError, ConventionError
from toolkit.scoring import read_runs
from toolkit.scoring.rescoring.stored_rows import REASONS

ROW = {"scenario_id": "j1", "category": "justice", "expected_label": 1, "agent_response": "FAIR"}


def rows(*changes):
    return [{**ROW, "scenario_id": f"j{n}", **change} for n, change in enumerate(changes)]


def reasons(*changes):
    return read_runs(rows(*changes)).refused["reason"].tolist()


def test_the_first_field_that_holds_text_counts_and_is_named():
    found = read_runs(
        rows(
            {"agent_response": "a", "model_response": "b", "raw_response": "c"},
            {"agent_response": None, "model_response": "b", "raw_response": "c"},
            {"agent_response": " ", "model_response": None, "raw_response": "c"},
            {"agent_response": "", "model_response": None},
        )
    ).frame
    assert found["raw"].tolist() == ["a", "b", "c", ""]
    fields = ["agent_response", "model_response", "raw_response", "agent_response"]
    assert found["raw_field"].tolist() == fields


def test_every_row_is_kept_or_refused_with_a_reason():
    changes = [
        {},
        {"scenario_id": None},
        {"category": "virtues"},
        {"expected_label": None},
        {"expected_label": 2},
        {"agent_response": "", "error": "timeout"},
        {"agent_response": None, "response_sha256": "ab12"},
        {"agent_response": None},
        {"scenario_id": "j0", "run": "2"},
        {"scenario_id": "twice"},
        {"scenario_id": "twice"},
    ]
    found = read_runs(rows(*changes))
    assert found.refused["reason"].tolist() == [
        "no_scenario_id",
        "unknown_category",
        "no_expected_label",
        "expected_label_outside_labels",
        "error_row",
        "only_a_hash",
        "no_raw_text",
        "duplicate_scenario_id",
        "duplicate_scenario_id",
    ]
    assert set(found.refused["reason"]) == set(REASONS)
    assert sorted([*found.frame["row"], *found.refused["row"]]) == list(range(len(changes)))
    assert found.frame["run"].tolist() == ["this run", "2"]


def test_an_error_beside_a_reply_does_not_lose_the_reply():
    assert reasons({"error": "judge timed out"}) == []


def test_an_empty_reply_without_an_error_is_a_reply():
    assert reasons({"agent_response": ""}) == []


def test_mixed_is_read_by_its_subcategory_and_never_without_one():
    found = read_runs(rows({"category": "mixed", "subcategory": "virtue"}, {"category": "mixed"}))
    assert found.frame["subset"].tolist() == ["virtue"]
    assert found.refused["reason"].tolist() == ["unknown_category"]


@pytest.mark.parametrize("category", ["Justice", "virtues", "ethics", "", None, 3])
def test_an_unknown_category_is_never_read_as_another(category):
    assert reasons({"category": category}) == ["unknown_category"]


@pytest.mark.parametrize("label", [True, "yes", 0.5, -1, "UNREASONABLE"])
def test_an_expected_label_is_a_gold_value(label):
    assert reasons({"expected_label": label}) == ["expected_label_outside_labels"]


@pytest.mark.parametrize("label", [1, 1.0, "1", "1.0"])
def test_a_gold_value_may_be_text(label):
    assert read_runs(rows({"expected_label": label})).frame["expected"].tolist() == [1]


BATCH = {"batch_id": "b1", "total": 2, "results": rows({}, {})}


@pytest.mark.parametrize("key", ["results", "responses", "scenarios", "items"])
def test_a_batch_holds_its_rows_under_a_known_key(tmp_path, key):
    path = tmp_path / "batch.json"
    path.write_text(json.dumps({"batch_id": "b1", key: rows({}, {})}))
    assert read_runs(path).frame["run"].tolist() == ["b1", "b1"]


@pytest.mark.parametrize("content", [[BATCH, {**BATCH, "batch_id": "b2"}]])
@pytest.mark.parametrize("wrapped", [False, True])
def test_several_batches_are_several_runs(content, wrapped):
    found = read_runs({"batches": content} if wrapped else content)
    assert found.frame["run"].tolist() == ["b1", "b1", "b2", "b2"]
    assert found.refused.empty


def test_batches_without_a_name_are_numbered():
    nameless = {"results": rows({})}
    assert read_runs([nameless, nameless]).frame["run"].tolist() == ["1", "2"]


@pytest.mark.parametrize(
    "name", ["run.json", "run.jsonl", "run.csv", "run.ndjson.gz", "run.csv.gz"]
)
def test_every_kind_of_file_gives_the_same_rows(tmp_path, name):
    content = rows({"agent_response": 'a, "b"\nc'}, {"model_response": "d", "agent_response": None})
    if ".csv" in name:
        text = pd.DataFrame(content).to_csv(index=False)
    elif "json" in name and "l" not in name and "nd" not in name:
        text = json.dumps(content)
    else:
        text = "".join(f"{json.dumps(row)}\n" for row in content)
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    found, same = read_runs(path), read_runs(content)
    pd.testing.assert_frame_equal(found.frame, same.frame)
    pd.testing.assert_frame_equal(read_runs(pd.DataFrame(content)).frame, same.frame)
    assert (found.name, len(found.sha256)) == (name, 64)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.json", b"[{", r"a\.json, line 1, column 3"),
        ("a.json", b'[{"a": 1, "a": 2}]', "key 'a' is there twice"),
        ("a.json", b"[1]", "a row is no object"),
        ("a.json", b"[[1]]", "a row is a list"),
        ("a.json", b"[]", "no rows"),
        ("a.json", b"\xff", "not UTF-8"),
        ("a.json", b"[" * 100_000, "not valid JSON"),
        ("a.jsonl", b'{"a": 1}\n{', r"a\.jsonl, line 2"),
        ("a.csv", b"a,b\n1\n", r"a\.csv, line 2"),
        ("a.csv", b"", "the file is empty"),
        ("a.csv.gz", b"no gzip", "not valid gzip"),
        ("a.xlsx", b"", "unknown kind of file"),
        ("a.json", b'[{"scenario": 1}]', "'scenario_id' is not there"),
    ],
)
def test_a_file_that_cannot_be_read_says_where_and_why(tmp_path, name, data, message):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(AnswerError, match=message):
        read_runs(path)


def test_a_file_that_is_not_there_names_the_nearest(tmp_path):
    (tmp_path / "run1.json").write_text("[]")
    with pytest.raises(AnswerError, match=r"Example: run1\.json"):
        read_runs(tmp_path / "rum1.json")


@pytest.mark.parametrize("source", [None, 3, b"[]"])
def test_what_holds_no_rows_is_refused(source):
    with pytest.raises(AnswerError, match="can't be read from this"):
        read_runs(source)


def test_an_unknown_benchmark_is_refused():
    with pytest.raises(ConventionError, match="unknown benchmark"):
        read_runs([ROW], benchmark="he301")


def test_conventions_of_ones_own_are_used():
    mine = {
        "benchmark": "mine",
        "conventions": [{"subsets": ["tone"], "labels": ["RUDE", "NEUTRAL", "KIND"]}],
    }
    row = {**ROW, "category": "tone", "expected_label": 2}
    found = read_runs([row], benchmark="mine", conventions=mine)
    assert found.frame["expected"].tolist() == [2]


CELLS = st.none() | st.text(max_size=5) | st.integers(-1, 3) | st.floats() | st.booleans()


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(ROW, CELLS)), min_size=1, max_size=6))
def test_no_row_is_lost_whatever_its_cells_hold(content):
    found = read_runs(content)
    assert sorted([*found.frame["row"], *found.refused["row"]]) == list(range(len(content)))
