"""Files are read and written a batch at a time, and hold what a frame would hold."""

from __future__ import annotations

import gzip
import json
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pandas.testing import assert_frame_equal

import toolkit as tk
from toolkit.answers.tables.frame import normalize_frame
from toolkit.answers.tables.stream import normalize_file
from toolkit.errors import AnswerError, ConventionError

JUSTICE = tk.convention("he300", "justice")
HE300 = {"benchmark": "he300", "subset": "subset"}


def rows(number=25):
    replies = ['{"label": 1}', "REASONABLE.", "UNREASONABLE", "who knows", None, "MATCHES, yes"]
    subsets = ["justice", "deontology", "virtue"]
    return [
        {"id": place, "subset": subsets[place % 3], "raw_response": replies[place % 6]}
        for place in range(number)
    ]


def write_jsonl(path, objects):
    text = "".join(f"{json.dumps(one)}\n" for one in objects)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def read_jsonl(path):
    stored = path.read_bytes()
    text = (gzip.decompress(stored) if path.suffix == ".gz" else stored).decode()
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(("name", "out"), [("a.jsonl", "b.jsonl.gz"), ("a.ndjson.gz", "b.jsonl")])
@pytest.mark.parametrize("batch_rows", [1, 7, 10_000])
def test_json_lines_come_out_as_a_frame_would(tmp_path, name, out, batch_rows):
    source = write_jsonl(tmp_path / name, rows())
    summary = normalize_file(source, tmp_path / out, **HE300, ladder=True, batch_rows=batch_rows)
    frame = normalize_frame(pd.DataFrame(rows()), **HE300, ladder=True)
    expected = frame.astype(object).where(frame.notna(), None).to_dict("records")
    assert read_jsonl(tmp_path / out) == expected
    assert summary.outcomes == dict(frame["outcome"].value_counts(sort=False).items())
    assert (summary.rows, summary.written, summary.out) == (25, 25, out)


@pytest.mark.parametrize(
    ("name", "out", "separator"), [("a.csv", "b.csv.gz", ","), ("a.tsv.gz", "b.tsv", "\t")]
)
def test_csv_comes_out_as_a_frame_would(tmp_path, name, out, separator):
    frame = pd.DataFrame(rows()).astype("str")
    frame.loc[0, "raw_response"] = 'REASONABLE,\n"surely"'
    frame.to_csv(tmp_path / name, index=False, sep=separator)
    normalize_file(tmp_path / name, tmp_path / out, **HE300, batch_rows=4)
    expected = normalize_frame(pd.read_csv(tmp_path / name, sep=separator, dtype="str"), **HE300)
    whole = {"gold": "Int64", "span_start": "Int64", "span_end": "Int64"}
    read = pd.read_csv(tmp_path / out, sep=separator, dtype="str").astype(whole)
    expected["flags"] = expected["flags"].replace("", None)  # an empty cell is missing
    assert_frame_equal(read, expected)


def test_parquet_keeps_its_types_and_gains_the_fields(tmp_path):
    table = pa.table(
        {
            "id": pa.array(range(25), pa.int16()),
            "when": pa.array([None, *range(24)], pa.timestamp("us", tz="UTC")),
            "subset": pa.array([row["subset"] for row in rows()]).dictionary_encode(),
            "raw_response": [row["raw_response"] for row in rows()],
            "label": [[1, 2]] * 25,
        }
    )
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=6)
    normalize_file(tmp_path / "a.parquet", tmp_path / "b.parquet", **HE300, batch_rows=4)
    written = pq.read_table(tmp_path / "b.parquet")
    assert written.select(table.column_names).equals(table)
    expected = normalize_frame(pd.DataFrame(rows()), **HE300)
    assert written["answer_label"].to_pylist() == [
        None if pd.isna(label) else label for label in expected["label"]
    ]
    assert written["gold"].to_pandas(integer_object_nulls=True).fillna(-1).tolist() == (
        expected["gold"].fillna(-1).tolist()
    )
    assert written.schema.field("gold").type == pa.int64()


def test_a_frame_that_pandas_wrote_as_parquet_keeps_its_index(tmp_path):
    frame = pd.DataFrame(rows(), index=pd.Index([f"r{place}" for place in range(25)], name="row"))
    frame.to_parquet(tmp_path / "a.parquet")
    normalize_file(tmp_path / "a.parquet", tmp_path / "b.parquet", **HE300)
    assert_frame_equal(pd.read_parquet(tmp_path / "b.parquet")[list(frame.columns)], frame)


def test_what_json_can_hold_survives(tmp_path):
    odd = {
        "raw_response": "REASONABLE \ud83d",
        "deep": {"a": [1, 1.5, None, True, 10**30]},
        "name": "M\u00fcller \U0001f642",
        "": "no name",
    }
    source = write_jsonl(tmp_path / "a.jsonl", [odd, {"raw_response": "x", "late": 1}])
    source.write_text(
        source.read_text() + '\n{"raw_response": NaN}\n\ufeff'.removesuffix("\ufeff"), "utf-8-sig"
    )
    normalize_file(source, tmp_path / "b.jsonl", JUSTICE)
    first, second, third = read_jsonl(tmp_path / "b.jsonl")
    assert {key: first[key] for key in odd} == odd
    assert (first["gold"], second["late"], third["raw_response"]) == (1, 1, None)
    assert "late" not in first
    assert third["flags"] == "missing"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"raw_response": "a"}\n{"raw_resp', r"not valid JSON.*missing\? \(a.jsonl, line 2\)"),
        ('{"raw_response": "a"}\n\n[1]\n', r"no JSON object \(a.jsonl, line 3\)"),
        ('{"raw_response": "a", "raw_response": "b"}\n', r"'raw_response' is there twice"),
        ('{"raw_response": Infinity}\n', "Infinity is no number"),
        ('{"raw_response": "a", "n": 1e999}\n', r"1e999 is too large a number.*line 1"),
        ("", "the file is empty"),
        ('{"answer": "a"}\n', r"no column 'raw_response'.*\(a.jsonl, raw\)"),
    ],
)
def test_broken_lines_are_refused_with_their_number_and_nothing_is_written(tmp_path, text, message):
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(AnswerError, match=message):
        normalize_file(tmp_path / "a.jsonl", tmp_path / "b.jsonl", JUSTICE)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        (
            "a.jsonl",
            b'{"raw_response": "a"}\n{"raw_response": "\xe9"}',
            r"not UTF-8 \(a.jsonl, li.*2",
        ),
        ("a.jsonl.gz", gzip.compress(b"{}\n" * 99_999)[:-9], "file can't be read"),
        ("a.jsonl.gz", b"{}", "file can't be read.*gzip"),
        ("a.csv", b"raw_response,b\nx,1\ny\n", r"another number of fields.*\(a.csv, line 3\)"),
        ("a.csv", b'raw_response,b\n"x,1\ny,2\n', r"can't be read as CSV.*line 2"),
        ("a.csv", b"raw_response,b\nx,\xe9\n", "not UTF-8"),
        ("a.csv", b"raw_response,raw_response\nx,y\n", "duplicate column names"),
        ("a.csv", b"", "the file is empty"),
        ("a.parquet", b"PAR1", "can't be read as Parquet"),
    ],
)
def test_damaged_files_are_refused(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(AnswerError, match=message):
        normalize_file(tmp_path / name, tmp_path / f"b{name}", JUSTICE)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_unknown_subsets_are_refused_before_anything_is_written(tmp_path):
    source = write_jsonl(tmp_path / "a.jsonl", [*rows(), {"subset": "ethics"}])
    with pytest.raises(
        ConventionError, match=r"\(1 row, the first at a.jsonl, line 26\).*'ethics'"
    ):
        normalize_file(source, tmp_path / "b.jsonl", **HE300, batch_rows=5)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_the_source_is_never_overwritten_and_an_old_output_only_by_a_complete_one(tmp_path):
    source = write_jsonl(tmp_path / "a.jsonl", rows())
    (tmp_path / "link.jsonl").symlink_to(source)
    for out in (source, tmp_path / "link.jsonl", tmp_path / "." / "a.jsonl"):
        with pytest.raises(AnswerError, match="would overwrite the source"):
            normalize_file(source, out, **HE300)
    assert read_jsonl(source) == rows()
    out = tmp_path / "b.jsonl"
    out.write_text("old")
    source.write_text(source.read_text() + "{")
    with pytest.raises(AnswerError, match="line 26"):
        normalize_file(source, out, **HE300)
    assert out.read_text() == "old"
    normalize_file(write_jsonl(source, rows()), out, **HE300)
    assert len(read_jsonl(out)) == 25


@pytest.mark.parametrize(
    ("source", "out", "options", "message"),
    [
        ("a.jsonl", "b.csv", {}, "different kinds.*ends in .jsonl"),
        ("a.xlsx", "b.xlsx", {}, "unknown kind of file"),
        ("a.parquet.gz", "b.parquet", {}, "unknown kind of file"),
        ("aa.jsonl", "b.jsonl", {}, r"No such file.*a\.jsonl"),
        ("a.jsonl", "no/b.jsonl", {}, "can't be written: No such file"),
        ("a.jsonl", "b.jsonl", {"batch_rows": 0}, "no number of rows"),
        ("a.jsonl", "b.jsonl", {"level": "loose"}, "unknown level"),
    ],
)
def test_paths_and_options_that_do_not_fit_are_refused(tmp_path, source, out, options, message):
    write_jsonl(tmp_path / "a.jsonl", rows())
    with pytest.raises(AnswerError, match=message):
        normalize_file(tmp_path / source, tmp_path / out, JUSTICE, **options)
    with pytest.raises(AnswerError, match="no path"):
        normalize_file(pd.DataFrame(), tmp_path / "b.jsonl", JUSTICE)


def test_a_table_without_rows_comes_out_with_its_columns(tmp_path):
    (tmp_path / "a.csv").write_text("raw_response\n")
    assert normalize_file(tmp_path / "a.csv", tmp_path / "b.csv", JUSTICE).rows == 0
    frame = pd.DataFrame({"raw_response": pd.Series([], dtype="str")})
    assert list(pd.read_csv(tmp_path / "b.csv")) == list(normalize_frame(frame, JUSTICE))
    frame.to_parquet(tmp_path / "a.parquet")
    normalize_file(tmp_path / "a.parquet", tmp_path / "b.parquet", JUSTICE)
    assert pq.read_table(tmp_path / "b.parquet").num_rows == 0


def test_equal_work_gives_equal_bytes(tmp_path):
    source = write_jsonl(tmp_path / "a.jsonl", rows())
    for out in ("b.jsonl.gz", "c.jsonl.gz"):
        normalize_file(source, tmp_path / out, **HE300)
    assert (tmp_path / "b.jsonl.gz").read_bytes() == (tmp_path / "c.jsonl.gz").read_bytes()


def test_the_summary_is_strict_json_and_a_frame(tmp_path):
    source = write_jsonl(tmp_path / "a.jsonl", rows())
    summary = normalize_file(source, tmp_path / "b.jsonl", **HE300, level="lenient")
    assert json.loads(json.dumps(summary.to_dict(), allow_nan=False))["level"] == "lenient"
    assert summary.to_frame()["rows"].sum() == summary.written == 25


def test_threads_with_one_output_do_not_share_a_draft(tmp_path):
    sources = [write_jsonl(tmp_path / f"{n}.jsonl", rows(n)) for n in (200, 300, 400, 500)]
    out = tmp_path / "out.jsonl"
    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(normalize_file, one, out, **HE300, batch_rows=10) for one in sources]
    assert [one.result().rows for one in done] == [200, 300, 400, 500]
    assert [row["id"] for row in read_jsonl(out)] == list(range(len(read_jsonl(out))))
    assert len(read_jsonl(out)) in {200, 300, 400, 500}
    assert {path.name for path in tmp_path.iterdir()} == {out.name, *(s.name for s in sources)}


@pytest.mark.parametrize("name", ["a\0b.jsonl", f"{'n' * 300}.jsonl"])
def test_an_output_that_no_disk_can_name_is_refused(tmp_path, name):
    source = write_jsonl(tmp_path / "in.jsonl", rows(2))
    with pytest.raises(AnswerError, match="can't be written"):
        normalize_file(source, tmp_path / name, **HE300)
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_a_name_as_long_as_the_disk_allows_is_written(tmp_path):
    source = write_jsonl(tmp_path / "in.jsonl", rows(2))
    out = tmp_path / f"{'n' * 244}.jsonl"
    normalize_file(source, out, **HE300)
    assert len(read_jsonl(out)) == 2
