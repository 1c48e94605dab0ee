"""The writer: what a line holds, who may write it, and what asking twice does."""

from __future__ import annotations

import hashlib
import json
import threading

import numpy as np
import pytest

from toolkit.errors import LabelError
from toolkit.labels.journal import Journal, item_sha256


@pytest.fixture
def journal(tmp_path):
    with Journal.open(tmp_path, study="pilot", rater="ann") as journal:
        yield journal


def lines(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_an_event_is_on_the_disk_as_one_line_when_append_returns(journal):
    event = journal.append(
        "label",
        item_id="i1",
        item_sha256="ab",
        labels={"tone": np.int64(1), "harm": np.bool_(False), "gist": "a\nb", "none": np.nan},
        note="half an emoji \ud83d",
        active_seconds=2.5,
        order_index=7,
    )
    assert lines(journal.path) == [event]
    assert journal.path.read_bytes().endswith(b"}\n")
    assert event["labels"] == {"tone": 1, "harm": False, "gist": "a\nb", "none": None}
    assert (event["study"], event["rater"], event["sitting"], event["seq"]) == (
        "pilot",
        "ann",
        1,
        1,
    )
    assert event["decided_at"].endswith("+00:00")
    assert event["order_index"] == 7


def test_opening_again_is_resuming_in_a_file_of_its_own(tmp_path):
    with Journal.open(tmp_path / "deep" / "down", study="pilot", rater="ann") as first:
        first.append("label", item_id="i1", labels={"tone": 1})
        first.append("skip", item_id="i2")
    with Journal.open(tmp_path / "deep" / "down", study="pilot", rater="ann") as second:
        assert second.events == first.events
        second.append("label", item_id="i2", labels={"tone": 0})
    assert [event["sitting"] for event in second.events] == [1, 1, 2]
    assert second.events[-1]["seq"] == 1
    assert first.path.name, second.path.name == ("pilot.ann.1.jsonl", "pilot.ann.2.jsonl")
    assert len(lines(first.path)) == 2


def test_a_rater_resumes_from_own_events_only(tmp_path):
    for study, rater in [("pilot", "ben"), ("main", "ann"), ("pilot.ann", "x")]:
        with Journal.open(tmp_path, study=study, rater=rater) as journal:
            journal.append("label", item_id="i1", labels={"tone": 1})
    (tmp_path / "pilot.ben.1.jsonl").write_text("damage\nmore\n")
    assert Journal.open(tmp_path, study="pilot", rater="ann").events == []


def test_a_sitting_is_later_than_all_that_are_there(tmp_path):
    for _ in range(3):
        last = Journal.open(tmp_path, study="pilot", rater="ann")
        last.close()
    (tmp_path / "pilot.ann.1.jsonl").unlink()
    assert Journal.open(tmp_path, study="pilot", rater="ann").sitting == 4


@pytest.mark.parametrize("name", ["../up", "Ann B.", "a/b", "änn", "%2E", "a\nb", ".", "con:x"])
def test_any_name_is_a_file_in_the_folder(tmp_path, name):
    with Journal.open(tmp_path, study=name, rater=name) as journal:
        journal.append("label", item_id="i1", labels={"tone": 1})
    assert [path.parent for path in tmp_path.rglob("*.jsonl")] == [tmp_path]
    assert journal.path.name.isascii()
    assert Journal.open(tmp_path, study=name, rater=name).events == journal.events


@pytest.mark.parametrize("name", ["", " ", None, 3, "\ud83d"])
def test_a_name_that_is_no_text_is_refused(tmp_path, name):
    with pytest.raises(LabelError, match="rater"):
        Journal.open(tmp_path, study="pilot", rater=name)


def test_a_name_that_no_file_can_have_is_refused(tmp_path):
    with pytest.raises(LabelError, match="NOT SAVED: File name too long"):
        Journal.open(tmp_path, study="pilot", rater="x" * 300)


def test_asking_twice_writes_once(journal):
    first = journal.append("label", item_id="i1", labels={"tone": 1}, event_id="e1")
    assert journal.append("label", item_id="i1", labels={"tone": 1}, event_id="e1") == first
    assert lines(journal.path) == [first]
    with pytest.raises(LabelError, match="used for two events"):
        journal.append("label", item_id="i1", labels={"tone": 0}, event_id="e1")


def test_asking_again_in_a_later_sitting_writes_nothing(journal, tmp_path):
    first = journal.append("label", item_id="i1", labels={"tone": 1}, event_id="e1")
    with Journal.open(tmp_path, study="pilot", rater="ann") as later:
        assert later.append("label", item_id="i1", labels={"tone": 1}, event_id="e1") == first
    assert later.path.read_bytes() == b""


def test_an_undo_names_an_event_of_this_rater_and_takes_over_its_item(journal):
    event = journal.append("label", item_id="i1", item_sha256="ab", labels={"tone": 1})
    undo = journal.append("undo", of=event["event_id"])
    assert (undo["of"], undo["item_id"], undo["item_sha256"]) == (event["event_id"], "i1", "ab")
    with pytest.raises(LabelError, match="does not have"):
        journal.append("undo", of="nothing")


def test_time_never_runs_backwards(tmp_path):
    event = {"event_id": "e", "kind": "skip", "study": "pilot", "rater": "ann", "sitting": 1}
    event |= {"seq": 1, "item_id": "i1", "decided_at": "2199-01-01T00:00:00+01:00"}
    (tmp_path / "pilot.ann.1.jsonl").write_text(json.dumps(event))
    with Journal.open(tmp_path, study="pilot", rater="ann") as journal:
        made = journal.append("skip", item_id="i1")
    assert made["decided_at"] == "2198-12-31T23:00:00.000000+00:00"


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        ("lable", {"item_id": "i1"}, "did you mean 'label'"),
        ("label", {"labels": {"tone": 1}}, "item_id of a journal event is missing"),
        ("label", {"item_id": 1, "labels": {"tone": 1}}, "item_id"),
        ("label", {"item_id": "i1"}, "labels of a journal event is missing"),
        ("label", {"item_id": "i1", "labels": {}}, "a label for one construct or more"),
        ("label", {"item_id": "i1", "labels": [1]}, "mapping of construct"),
        ("label", {"item_id": "i1", "labels": {1: 1}}, "constructs named by text"),
        ("label", {"item_id": "i1", "labels": {"tone": [1]}}, "text, a finite number"),
        ("label", {"item_id": "i1", "labels": {"tone": np.inf}}, "text, a finite number"),
        ("label", {"item_id": "i1", "labels": {"tone": "\ud83d"}}, "text, a finite number"),
        ("skip", {"item_id": "i1", "note": 3}, "note"),
        ("skip", {"item_id": "i1", "active_seconds": "3"}, "active_seconds"),
        ("skip", {"item_id": "i1", "seq": 3}, "fills itself"),
        ("skip", {"item_id": "i1", "shown_at": object()}, "what JSON can't"),
        ("skip", {"item_id": "i1", "shown_at": float("nan")}, "what JSON can't"),
        ("skip", {"item_id": "i1", "event_id": " "}, "event_id"),
    ],
)
def test_an_event_that_makes_no_sense_is_refused_and_not_written(journal, kind, fields, message):
    with pytest.raises(LabelError, match=message):
        journal.append(kind, **fields)
    assert journal.path.read_bytes() == b""
    assert journal.append("skip", item_id="i1")["seq"] == 1


def test_a_closed_journal_refuses(journal):
    journal.close()
    journal.close()
    with pytest.raises(LabelError, match="the journal is closed"):
        journal.append("skip", item_id="i1")


def test_threads_of_one_process_write_whole_lines_in_sequence(journal):
    def work(name):
        for number in range(20):
            journal.append("label", item_id=f"{name}{number}", labels={"tone": 1})

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event["seq"] for event in lines(journal.path)] == list(range(1, 81))
    assert lines(journal.path) == journal.events


def test_the_fingerprint_of_a_text_is_its_sha256_and_turns_differ_from_it():
    assert item_sha256("naïve") == hashlib.sha256("naïve".encode()).hexdigest()
    turns = [{"role": "user", "text": "naïve"}, {"role": "assistant", "text": "\ud83d"}]
    same = [{"text": "naïve", "role": "user", "time": 3}, turns[1]]
    assert item_sha256(turns) == item_sha256(same) != item_sha256(turns[:1])
    assert item_sha256("\ud83d") != item_sha256("?")


LABEL = {"kind": "label", "item_id": "i1", "labels": {"tone": 1}, "event_id": "e1"}
UNSURE = {"kind": "unsure", "item_id": "i1", "labels": {"harm": None}, "event_id": "e2"}


def test_several_events_are_written_once_and_in_their_order(journal):
    made = journal.append_all([LABEL, UNSURE])
    assert journal.append_all([LABEL, UNSURE]) == made == journal.events == lines(journal.path)
    assert [(event["kind"], event["seq"]) for event in made] == [("label", 1), ("unsure", 2)]
    assert journal.append_all([]) == []


def test_of_several_events_one_that_makes_no_sense_stops_all(journal):
    with pytest.raises(LabelError, match="item_id"):
        journal.append_all([LABEL, UNSURE | {"item_id": None}])
    assert journal.events == lines(journal.path) == []
    assert journal.append("skip", item_id="i1")["seq"] == 1
