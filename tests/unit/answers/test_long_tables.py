"""Long tables: several processes, constant memory, a bar that nobody depends on."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import toolkit as tk
from toolkit.answers.tables.frame import normalize_frame
from toolkit.answers.tables.row_reader import RowReader
from toolkit.answers.tables.stream import normalize_file
from toolkit.answers.tables.workers import CHUNK, Workers
from toolkit.errors import AnswerError

JUSTICE = tk.convention("he300", "justice")
REPLIES = ["REASONABLE.", '{"label": 0}', "no idea", None, 3.5, b"UNREASONABLE", "\ud83d {"]
# Not ru_maxrss: a new process starts with that of the one that started it (getrusage(2)).
MEASURED = """
import json, pathlib, re, sys, toolkit as tk
from toolkit.answers.tables.stream import normalize_file
source, out, batch = sys.argv[1:]
convention = tk.convention("he300", "justice")
summary = normalize_file(source, out, convention, batch_rows=int(batch))
status = pathlib.Path("/proc/self/status").read_text()
print(json.dumps([summary.rows, int(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1])]))
"""


class Fatal:
    """Ends every process that receives it."""

    def __reduce__(self):
        return os._exit, (3,)


@pytest.fixture(scope="module")
def long():
    rows = 2 * CHUNK + 300
    replies = [REPLIES[row % 7] if row % 3 else f"row {row}: UNREASONABLE" for row in range(rows)]
    return pd.DataFrame({"item_id": range(rows), "raw_response": replies}, dtype=object)


def test_several_processes_read_what_one_reads(long):
    one = normalize_frame(long, JUSTICE, ladder=True)
    assert_frame_equal(normalize_frame(long, JUSTICE, ladder=True, workers=2), one)


def test_several_processes_read_contracts_and_files_alike(long, tmp_path):
    contract = tk.Contract({"label": [0, 1], "harm": ["low", "high"]})
    options = {"contract": contract, "judge": "gpt"}
    rows = long[long["raw_response"].map(lambda cell: not isinstance(cell, bytes))]
    source = tmp_path / "a.jsonl"
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows.to_dict("records")))
    for workers in (1, None):
        normalize_file(source, tmp_path / f"{workers}.jsonl", workers=workers, **options)
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "None.jsonl").read_bytes()


def test_conventions_and_contracts_survive_the_way_to_a_worker():
    _ = JUSTICE.lexicon, JUSTICE.digest
    reader = RowReader((JUSTICE, tk.Contract({"harm": [0, 1]})), "lenient")
    again = pickle.loads(pickle.dumps(reader))  # noqa: S301 - our own bytes
    texts = ["surely unjust", '{"harm": 1}']
    assert again.records(texts, [0, 1], None) == reader.records(texts, [0, 1], None)


def test_no_process_is_started_for_few_rows():
    with Workers(RowReader((JUSTICE,), "strict"), 8) as team:
        team.records(["REASONABLE"] * CHUNK, [0] * CHUNK, None, lambda _: None)
        assert not multiprocessing.active_children()


def test_a_worker_that_dies_is_an_error_and_not_a_missing_row(long):
    frame = long.assign(raw_response=[*long["raw_response"][:-1], Fatal()])
    with pytest.raises(AnswerError, match=r"a worker process ended.*__main__.*workers=1"):
        normalize_frame(frame, JUSTICE, workers=2)


def test_a_cell_that_cannot_travel_is_an_error_that_says_so(long):
    frame = long.assign(raw_response=[*long["raw_response"][:-1], lambda: None])
    with pytest.raises(AnswerError, match=r"can't be sent to another process.*workers=1"):
        normalize_frame(frame, JUSTICE, workers=2)
    assert len(normalize_frame(frame, JUSTICE)) == len(frame)


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "2"])
def test_workers_are_counted_in_whole_numbers(workers):
    with pytest.raises(AnswerError, match="no number of workers"):
        normalize_frame(pd.DataFrame({"raw_response": []}), JUSTICE, workers=workers)


def test_a_bar_is_shown_when_asked_for_and_changes_nothing(long, capsys):
    quiet = normalize_frame(long, JUSTICE)
    assert capsys.readouterr().err == ""
    shown = normalize_frame(long, JUSTICE, progress=True)
    assert "rows" in capsys.readouterr().err
    assert_frame_equal(shown, quiet)


def test_no_bar_is_shown_where_nobody_looks(capsys):
    frame = pd.DataFrame({"raw_response": ["REASONABLE"] * 20_001})
    normalize_frame(frame, JUSTICE)
    normalize_frame(frame, JUSTICE, progress=False)
    assert capsys.readouterr().err == ""


def peak(source, out, batch):
    run = [sys.executable, "-c", MEASURED, str(source), str(out), str(batch)]
    measured = subprocess.run(run, capture_output=True, text=True, check=True)  # noqa: S603
    return json.loads(measured.stdout)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no peak of memory in /proc")
@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("jsonl", 5_000),
        ("csv", 5_000),
        ("parquet", 20_000),
        pytest.param("jsonl", 20_000, marks=pytest.mark.slow),
        pytest.param("csv", 20_000, marks=pytest.mark.slow),
    ],
)
def test_ten_times_the_rows_need_no_more_memory(tmp_path, kind, rows):
    replies = [f"{row % 50} REASONABLE {'x ' * 200}" for row in range(rows)]
    frame = pd.DataFrame({"id": range(rows), "raw_response": replies})
    peaks = []
    for times in (1, 10):
        whole = pd.concat([frame] * times, ignore_index=True)
        source = tmp_path / f"{times}.{kind}"
        if kind == "jsonl":
            whole.to_json(source, orient="records", lines=True)
        else:
            getattr(whole, f"to_{kind}")(source, index=False)
        read, kilobytes = peak(source, tmp_path / f"out{times}.{kind}", rows // 2)
        assert read == len(whole)
        peaks.append(kilobytes)
    assert peaks[1] < 1.15 * peaks[0]
