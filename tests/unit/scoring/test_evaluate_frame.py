from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import AnswerError, ConventionError
from toolkit.scoring.judge.evaluate import evaluate
from toolkit.scoring.judge.evaluate_frame import evaluate_frame

WORDS = ["REASONABLE", "UNREASONABLE", '{"label": 1}', "I cannot say.", "", None]


def run(n=12):
    return pd.DataFrame(
        {
            "id": [f"j{i}" for i in range(n)],
            "subset": "justice",
            "gold": [i % 2 for i in range(n)],
            "text": [f"Item {i}." for i in range(n)],
            "raw_response": [WORDS[i % len(WORDS)] for i in range(n)],
            "seed": 7,
        }
    )


class Judge:
    """Answers by the number of the item, fails where told, and counts its calls."""

    def __init__(self, failing=(), jitter=0.0):
        self.failing, self.jitter = dict.fromkeys(failing, 0), jitter
        self.calls, self.lock = [], threading.Lock()

    def __call__(self, prompt):
        number = int(prompt.split("Item ")[1].split(".")[0])
        with self.lock:
            self.calls.append(number)
            times = self.failing.get(number)
            if times is not None:
                self.failing[number] += 1
        time.sleep(random.random() * self.jitter)  # noqa: S311
        if times is not None:
            raise ConnectionError(f"item {number}")
        return ["UNREASONABLE", "REASONABLE", "UNKNOWN"][number % 3]


def test_every_row_and_column_stays_and_the_results_follow():
    frame = run().set_index(pd.Index(range(100, 112), name="row"))
    done = evaluate_frame(frame, Judge())
    pd.testing.assert_frame_equal(done.frame[frame.columns], frame)
    assert "answer_gold" in done.frame
    assert list(done.frame["label"][:4].fillna("-")) == [
        "REASONABLE",
        "UNREASONABLE",
        "REASONABLE",
        "-",
    ]
    assert done.frame["correct"].isna().sum() == done.frame["label"].isna().sum() == 6


def test_the_answer_is_laid_out_as_normalize_frame_does_it():
    frame = run().assign(label=1, answer_label=2)
    ours = evaluate_frame(frame).frame
    theirs = tk.normalize_frame(frame, benchmark="he300", subset="subset")
    pd.testing.assert_frame_equal(ours[theirs.columns], theirs)
    assert ours.dtypes["judge_label"] == theirs.dtypes["answer_answer_label"]


def test_no_rows_and_repeated_index_labels_are_no_trouble():
    empty = evaluate_frame(run(0), Judge())
    assert len(empty.frame) == 0
    assert list(empty.frame.columns) == list(evaluate_frame(run()).frame.columns)
    twins = evaluate_frame(run(4).set_axis(list("aabb")), Judge())
    assert list(twins.frame["gold"]) == [0, 1, 0, 1]
    assert twins.frame["answer_gold"].count() == 3


def test_a_row_is_evaluated_as_evaluate_does_it():
    frame = run()
    done = evaluate_frame(frame, Judge(failing=[7]), retries=1)
    for row, one in zip(frame.to_dict("records"), done.evaluations, strict=True):
        raw = None if pd.isna(row["raw_response"]) else row["raw_response"]
        fields = {**row, "benchmark": "he300"}
        assert one == evaluate(fields, raw, Judge(failing=[7]), retries=1)


def test_the_pool_leaves_no_trace_in_the_result():
    results = [
        evaluate_frame(run(40), Judge(failing=[3], jitter=0.01), workers=workers).to_dict()
        for workers in (1, 2, 16)
    ]
    assert json.dumps(results[0]) == json.dumps(results[1]) == json.dumps(results[2])


def test_retries_keep_every_attempt():
    done = evaluate_frame(run(), Judge(failing=[1]), retries=2)
    kept = done.attempts[done.attempts["item_id"] == "j1"]
    assert list(kept["number"]) == [1, 2, 3]
    assert set(kept["message"]) == {"item 1"}
    assert done.frame.loc[1, "judge_outcome"] == "judge_error"
    assert pd.isna(done.frame.loc[1, "agree"])


def test_a_failing_judge_changes_no_grade():
    grades = evaluate_frame(run()).frame["correct"]
    failed = evaluate_frame(run(), Judge(failing=range(12)), retries=0)
    pd.testing.assert_series_equal(failed.frame["correct"], grades)
    assert failed.report.to_frame()["judge_failure_rate"].iloc[-1] == 1
    assert failed.report.disagreements.empty


def test_the_rate_holds_over_all_workers():
    start = time.monotonic()
    done = evaluate_frame(run(), Judge(), workers=8, rate=20)
    assert len(done.attempts) == 8
    assert time.monotonic() - start >= 7 / 20


def test_rows_alike_share_one_call():
    judge = Judge()
    frame = pd.concat([run(3), run(3)], ignore_index=True)
    done = evaluate_frame(frame, judge)
    assert sorted(judge.calls) == [0, 1, 2]
    assert done.frame["judge_outcome"].notna().all()


def test_broken_characters_go_through_pool_journal_and_report(tmp_path):
    frame = run(2)
    frame["raw_response"] = pd.Series(["\ud835 REASONABLE", "REASONABLE"], dtype=object)
    path = tmp_path / "judge.jsonl"

    def ask(_):
        return "UNREASONABLE \ud835"

    first = evaluate_frame(frame, ask, journal=path)
    assert list(first.attempts["reply"]) == ["UNREASONABLE \ud835"] * 2
    assert list(first.report.disagreements["judge_reply"]) == ["UNREASONABLE \ud835"] * 2
    assert evaluate_frame(frame, Judge(), journal=path).to_dict() == first.to_dict()


def test_stored_runs_are_read_by_their_own_names():
    frame = run().rename(
        columns={
            "id": "scenario_id",
            "subset": "category",
            "gold": "expected_label",
            "text": "input_text",
            "raw_response": "agent_response",
        }
    )
    done = evaluate_frame(frame, Judge())
    assert list(done.frame["gold"].dropna()) == [1, 0, 1, 1, 0, 1]


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda f: f.drop(columns="id"), "no column holds the id"),
        (lambda f: f.drop(columns="text"), "no column holds the text"),
        (lambda f: f.drop(columns="raw_response"), "no column holds the raw"),
        (lambda f: f.assign(agent_response="x"), "several columns could be the raw"),
        (lambda f: f.assign(id=[None, *f["id"][1:]]), "row 0"),
        (lambda f: f.assign(gold=3), "item j0"),
    ],
)
def test_a_frame_that_does_not_fit_is_refused_before_anybody_is_asked(change, match):
    judge = Judge()
    with pytest.raises(AnswerError, match=match):
        evaluate_frame(change(run()), judge)
    assert judge.calls == []


def test_an_unknown_subset_names_the_item():
    with pytest.raises(ConventionError, match="item j0"):
        evaluate_frame(run().assign(subset="ethics"))


@pytest.mark.parametrize(
    "options", [{"workers": 0}, {"rate": 0}, {"retries": 1.5}, {"timeout": -1}, {"raw": "reply"}]
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(AnswerError):
        evaluate_frame(run(), Judge(), **options)


def test_why_no_reply_arrived_is_read_from_its_column():
    frame = run(6).assign(error=[None] * 5 + ["timeout"])
    done = evaluate_frame(frame, Judge(), error="error")
    assert list(done.frame["outcome"][4:]) == ["no_answer", "transport_error"]
    assert list(done.frame["not_asked"][4:]) == ["empty_reply", "transport_error"]


def test_an_interrupt_ends_the_run_and_what_was_answered_is_kept(tmp_path):
    path = tmp_path / "judge.jsonl"

    def ask(prompt):
        if "Item 2." in prompt:
            raise KeyboardInterrupt
        return "REASONABLE"

    with pytest.raises(KeyboardInterrupt):
        evaluate_frame(run(), ask, workers=1, journal=path)
    assert len(path.read_text().splitlines()) == 2
    judge = Judge()
    evaluate_frame(run(), judge, journal=path)
    assert sorted(judge.calls) == [2, 3, 6, 7, 8, 9]


def test_a_second_start_asks_nothing_again_and_gives_the_same(tmp_path):
    path = tmp_path / "sub" / "judge.jsonl"
    first = evaluate_frame(run(), Judge(), journal=path)
    written = path.read_bytes()
    judge = Judge()
    second = evaluate_frame(run(), judge, journal=path)
    assert judge.calls == []
    assert path.read_bytes() == written
    assert first.to_dict() == second.to_dict()
    pd.testing.assert_frame_equal(first.attempts, second.attempts)


def test_a_changed_reply_or_question_is_asked_again(tmp_path):
    path = tmp_path / "judge.jsonl"
    evaluate_frame(run(), Judge(), journal=path)
    judge = Judge()
    frame = run()
    frame.loc[0, "raw_response"] = "UNREASONABLE"
    frame.loc[1, "text"] = "Item 1. Changed."
    evaluate_frame(frame, judge, journal=path)
    assert sorted(judge.calls) == [0, 1]


def test_calls_that_failed_are_made_again_and_the_failures_stay(tmp_path):
    path = tmp_path / "judge.jsonl"
    evaluate_frame(run(), Judge(failing=[1]), journal=path, retries=1)
    done = evaluate_frame(run(), Judge(), journal=path)
    kept = done.attempts[done.attempts["item_id"] == "j1"]
    assert list(kept["number"]) == [1, 2, 3]
    assert list(kept["outcome"]) == ["raised", "raised", "replied"]
    assert done.frame.loc[1, "judge_outcome"] == "answered"


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_a_torn_last_line_is_told_and_done_again(tmp_path, cut):
    path = tmp_path / "judge.jsonl"
    whole = evaluate_frame(run(), Judge(), workers=1, journal=path)
    path.write_bytes(path.read_bytes()[:-cut])
    judge = Judge()
    done = evaluate_frame(run(), judge, journal=path)
    assert done.flags == ("journal_torn",)
    assert len(judge.calls) == 1
    assert done.to_dict()["evaluations"] == whole.to_dict()["evaluations"]
    assert evaluate_frame(run(), judge, journal=path).flags == ()


def test_a_torn_line_in_the_middle_is_an_error(tmp_path):
    path = tmp_path / "judge.jsonl"
    evaluate_frame(run(), Judge(), journal=path)
    lines = path.read_text().splitlines(keepends=True)
    damaged = "".join([lines[0], lines[1][:40] + "\n", *lines[2:]])
    path.write_text(damaged)
    with pytest.raises(AnswerError, match=r"judge.jsonl, line 2"):
        evaluate_frame(run(), Judge(), journal=path)
    assert path.read_text() == damaged


def test_a_file_that_is_no_journal_is_left_as_it_is(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my notes, without a newline")
    with pytest.raises(AnswerError, match="no entry of a judge's journal"):
        evaluate_frame(run(), Judge(), journal=path)
    assert path.read_text() == "my notes, without a newline"


@pytest.mark.skipif(sys.platform == "win32", reason="no flock")
def test_two_runs_do_not_write_one_journal(tmp_path):
    path = tmp_path / "judge.jsonl"

    def ask(_):
        with pytest.raises(AnswerError, match="another run"):
            evaluate_frame(run(), Judge(), journal=path)
        return "REASONABLE"

    evaluate_frame(run(1), ask, journal=path)


SCRIPT = """
import sys, time
import pandas as pd
from toolkit.scoring.judge.evaluate_frame import evaluate_frame
frame = pd.read_json(sys.argv[1], orient="records")
def ask(prompt):
    time.sleep(0.02)
    return "REASONABLE"
print("ready", flush=True)
evaluate_frame(frame, ask, workers=3, journal=sys.argv[2])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_killed_run_loses_the_calls_in_flight_only(tmp_path):
    path, source = tmp_path / "judge.jsonl", tmp_path / "run.json"
    frame = run(400).assign(raw_response="REASONABLE")
    frame.to_json(source, orient="records")
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", SCRIPT, source, path], stdout=subprocess.PIPE
    )
    process.stdout.readline()
    while not path.exists() or path.read_bytes().count(b"\n") < 20:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    kept = path.read_bytes().count(b"\n")
    assert 20 <= kept < 400
    judge = Judge()
    done = evaluate_frame(frame, judge, journal=path)
    assert len(judge.calls) == 400 - kept
    assert done.frame["judge_outcome"].notna().all()
    assert len(path.read_text().splitlines()) == 400
