"""Disks that are full, broken or read-only: an error, no acknowledgement, no half line."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from disks import no_file_above, remount

from toolkit.errors import LabelError
from toolkit.labels.journal import Journal, read_journal
from toolkit.labels.journal_file import LineFile


def lines(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_line_that_fits_in_part_is_cut_off_and_the_next_is_whole(tmp_path):
    with Journal.open(tmp_path, study="pilot", rater="ann") as journal:
        journal.append("label", item_id="i1", labels={"tone": 1})
        before = journal.path.read_bytes()
        with no_file_above(len(before) + 100):
            with pytest.raises(LabelError, match="NOT SAVED: File too large"):
                journal.append("label", item_id="i2", labels={"tone": 1}, event_id="e2")
            assert journal.path.read_bytes() == before
        assert len(journal.events) == 1
        again = journal.append("label", item_id="i2", labels={"tone": 1}, event_id="e2")
    assert lines(journal.path) == journal.events
    assert again["seq"] == 2


def fill(journal, acknowledged):
    for number in range(1000):
        acknowledged.append(journal.append("note", item_id=f"i{number}", note="x" * 3000))


def test_a_full_disk_acknowledges_nothing_and_loses_nothing(small_disk):
    with Journal.open(small_disk, study="pilot", rater="ann") as journal:
        acknowledged = []
        with pytest.raises(LabelError, match="NOT SAVED: No space left on device"):
            fill(journal, acknowledged)
        assert len(acknowledged) > 5
        assert lines(journal.path) == acknowledged == journal.events
        with pytest.raises(LabelError, match="NOT SAVED"):
            journal.append("note", item_id="more", note="x" * 3000)
        remount(small_disk, "size=1m")
        journal.append("label", item_id="room", labels={"tone": 1})
    assert lines(journal.path) == journal.events
    assert read_journal(small_disk).frame["item_id"].tolist() == ["room"]


def test_a_disk_without_room_for_a_new_file_says_so(small_disk):
    (small_disk / "filler").write_bytes(b"x" * 60_000)
    with Journal.open(small_disk, study="pilot", rater="ann") as journal:
        with pytest.raises(LabelError, match="NOT SAVED: No space left on device"):
            journal.append("note", item_id="i1", note="x" * 9000)
        assert journal.path.read_bytes() == b""


def test_a_disk_that_turned_read_only_says_so(small_disk):
    Journal.open(small_disk, study="pilot", rater="ann").close()
    remount(small_disk, "ro")
    with pytest.raises(LabelError, match="NOT SAVED: Read-only file system"):
        Journal.open(small_disk, study="pilot", rater="ann")


@contextmanager
def as_nobody():
    """Without the rights of root, whom no permission stops."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_read_only_folder_is_named():
    # Not in tmp_path, the folders above which are closed to everybody else.
    with tempfile.TemporaryDirectory() as base:
        place = Path(base) / "labels"
        place.mkdir()
        place.chmod(0o555)
        Path(base).chmod(0o755)
        with as_nobody(), pytest.raises(LabelError, match="NOT SAVED: Permission denied") as error:
            Journal.open(place, study="pilot", rater="ann")
        assert error.value.got == str(place)
        with as_nobody(), pytest.raises(LabelError, match="NOT SAVED: Permission denied"):
            Journal.open(place / "deeper", study="pilot", rater="ann")
        assert list(place.iterdir()) == []


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "labels").write_text("")
    for place in ("labels", "labels/deeper"):
        with pytest.raises(LabelError, match="NOT SAVED"):
            Journal.open(tmp_path / place, study="pilot", rater="ann")
    with pytest.raises(LabelError, match="NOT SAVED: embedded null byte"):
        Journal.open("a\0b", study="pilot", rater="ann")


def move_to_trash(path):
    trash = path.parents[1] / "trash"
    trash.mkdir()
    path.rename(trash / path.name)


def replace_by_a_copy(path):
    shutil.copy2(path, path.parents[1])
    path.unlink()
    (path.parents[1] / path.name).rename(path)


def replace_the_folder(path):
    rename_the_folder(path)
    path.parent.mkdir()


def rename_the_folder(path):
    path.parent.rename(path.parents[1] / "old")


def put_a_file_in_the_place_of_the_folder(path):
    rename_the_folder(path)
    path.parent.write_text("")


def delete_what_has_another_name(path):
    (path.parents[1] / "backup").hardlink_to(path)
    path.unlink()


MOVES = [
    Path.unlink,
    move_to_trash,
    replace_by_a_copy,
    rename_the_folder,
    replace_the_folder,
    put_a_file_in_the_place_of_the_folder,
    delete_what_has_another_name,
]


@pytest.mark.parametrize("move", MOVES)
def test_a_file_that_is_not_in_its_place_acknowledges_nothing_more(tmp_path, move):
    with Journal.open(tmp_path / "labels", study="pilot", rater="ann") as journal:
        journal.append("label", item_id="i1", labels={"tone": 1})
        before = journal.path.read_bytes()
        move(journal.path)
        for _ in range(2):
            with pytest.raises(
                LabelError, match="NOT SAVED: the journal file was moved or deleted"
            ):
                journal.append("label", item_id="i2", labels={"tone": 1}, event_id="e2")
        assert [event["item_id"] for event in journal.events] == ["i1"]
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert set(kept) <= {before, b""}


@pytest.mark.parametrize("move", [Path.unlink, move_to_trash, rename_the_folder])
def test_after_a_move_a_new_sitting_saves_as_the_message_says(tmp_path, move):
    place = tmp_path / "labels"
    with Journal.open(place, study="pilot", rater="ann") as journal:
        move(journal.path)
        with pytest.raises(LabelError, match="run the cell again"):
            journal.append("label", item_id="i1", labels={"tone": 1}, event_id="e1")
    with Journal.open(place, study="pilot", rater="ann") as journal:
        journal.append("label", item_id="i1", labels={"tone": 1}, event_id="e1")
    assert read_journal(place).frame["item_id"].tolist() == ["i1"]


def test_a_file_that_is_back_in_its_place_is_written_again(tmp_path):
    with Journal.open(tmp_path / "labels", study="pilot", rater="ann") as journal:
        journal.append("label", item_id="i1", labels={"tone": 1})
        move_to_trash(journal.path)
        with pytest.raises(LabelError, match="NOT SAVED"):
            journal.append("label", item_id="i2", labels={"tone": 1}, event_id="e2")
        (tmp_path / "trash" / journal.path.name).rename(journal.path)
        journal.append("label", item_id="i2", labels={"tone": 1}, event_id="e2")
    assert lines(journal.path) == journal.events


def test_another_working_folder_moves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    with Journal.open("labels", study="pilot", rater="ann") as journal:
        monkeypatch.chdir(tmp_path / "elsewhere")
        journal.append("label", item_id="i1", labels={"tone": 1})
    assert read_journal(tmp_path / "labels").frame["item_id"].tolist() == ["i1"]


@pytest.mark.parametrize("lost", [1, 10, 10_000])
def test_nothing_is_appended_to_a_file_that_was_cut(tmp_path, lost):
    with Journal.open(tmp_path, study="pilot", rater="ann") as journal:
        journal.append("label", item_id="i1", labels={"tone": 1})
        journal.append("label", item_id="i2", labels={"tone": 1})
        os.truncate(journal.path, max(0, journal.path.stat().st_size - lost))
        before = journal.path.read_bytes()
        for _ in range(2):
            with pytest.raises(LabelError, match="NOT SAVED: another program changed") as error:
                journal.append("label", item_id="i3", labels={"tone": 1})
        assert "run the cell again" in str(error.value)
        assert journal.path.read_bytes() == before
    with Journal.open(tmp_path, study="pilot", rater="ann") as journal:
        journal.append("label", item_id="i3", labels={"tone": 1})
    assert "i3" in read_journal(tmp_path).frame["item_id"].tolist()


@pytest.mark.parametrize("more", [b"half a li", b"\n", b"x" * 10_000])
def test_nothing_is_appended_to_nor_cut_off_what_another_program_wrote(tmp_path, more):
    with Journal.open(tmp_path, study="pilot", rater="ann") as journal:
        journal.append("label", item_id="i1", labels={"tone": 1})
        with journal.path.open("ab") as other:
            other.write(more)
        before = journal.path.read_bytes()
        for _ in range(2):
            with pytest.raises(LabelError, match="NOT SAVED: another program changed"):
                journal.append("label", item_id="i2", labels={"tone": 1})
        assert journal.path.read_bytes() == before


def test_a_device_that_takes_nothing_acknowledges_nothing(tmp_path):
    with Journal.open(tmp_path, study="pilot", rater="ann") as journal:
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, journal._file._descriptor)  # noqa: SLF001  the disk behind an open file
        os.close(full)
        for _ in range(2):
            with pytest.raises(LabelError, match="NOT SAVED"):
                journal.append("label", item_id="i1", labels={"tone": 1})
    assert journal.events == []


def test_a_half_line_that_could_not_be_cut_off_is_cut_off_before_the_next(tmp_path):
    file = LineFile.create(tmp_path, "pilot.ann", 1)
    file.append(b"one\n")
    file._half = len(b"half a line\n")  # noqa: SLF001  as a failed cut leaves it
    with file.path.open("ab") as other:
        other.write(b"half a li")
    file.append(b"two\n")
    assert file.path.read_bytes() == b"one\ntwo\n"
    file.close()


@pytest.mark.parametrize("size", [2, 40])  # shorter than the whole lines; more than one half line
def test_of_a_file_with_a_half_line_no_more_than_that_is_cut_off(tmp_path, size):
    file = LineFile.create(tmp_path, "pilot.ann", 1)
    file.append(b"one\n")
    file._half = len(b"half a line\n")  # noqa: SLF001  as a failed cut leaves it
    file.path.write_bytes(b"one\n".ljust(size, b"x")[:size])
    before = file.path.read_bytes()
    with pytest.raises(LabelError, match="NOT SAVED: another program changed"):
        file.append(b"two\n")
    assert file.path.read_bytes() == before
    file.close()


def test_a_file_that_is_there_is_never_opened_to_write(tmp_path):
    files = [LineFile.create(tmp_path, "pilot.ann", 1) for _ in range(3)]
    assert [file.path.name[-7:] for file in files] == ["1.jsonl", "2.jsonl", "3.jsonl"]
    for file in files:
        file.close()


def test_of_several_events_that_fit_in_part_none_is_written(tmp_path):
    label = {"kind": "label", "item_id": "i1", "labels": {"tone": 1}, "event_id": "e1"}
    unsure = {"kind": "unsure", "item_id": "i1", "labels": {"harm": None}, "event_id": "e2"}
    with Journal.open(tmp_path, study="pilot", rater="ann") as journal:
        size = len(json.dumps(journal.append("skip", item_id="i0")))
        before = journal.path.read_bytes()
        with no_file_above(2 * size + 100):  # the first line would fit
            with pytest.raises(LabelError, match="NOT SAVED: File too large"):
                journal.append_all([label, unsure])
            assert journal.path.read_bytes() == before
        assert [event["seq"] for event in journal.append_all([label, unsure])] == [2, 3]
    assert lines(journal.path) == journal.events
