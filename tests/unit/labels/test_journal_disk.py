"""Disks that are full, broken or read-only: an error, no acknowledgement, no half line."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from toolkit.errors import LabelError
from toolkit.labels.journal import Journal, read_journal
from toolkit.labels.journal_file import LineFile


@contextmanager
def no_file_above(size):
    """Files grow to this size and no further: a part of a write succeeds, the rest fails."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 64 KB in memory; needs the right to mount."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:  # noqa: S603
        pytest.skip("no right to mount a small tmpfs; the limit of a file's size is tested instead")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)  # noqa: S603, S607


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
        subprocess.run(  # noqa: S603
            ["mount", "-o", "remount,size=1m", str(small_disk)],  # noqa: S607
            check=True,
        )
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
    remount = ["mount", "-o", "remount,ro", str(small_disk)]
    subprocess.run(remount, check=True)  # noqa: S603
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


def test_a_deleted_file_acknowledges_nothing_more(tmp_path):
    with Journal.open(tmp_path, study="pilot", rater="ann") as journal:
        journal.append("label", item_id="i1", labels={"tone": 1})
        journal.path.unlink()
        with pytest.raises(LabelError, match="NOT SAVED: the file was deleted"):
            journal.append("label", item_id="i2", labels={"tone": 1})


def test_a_device_that_takes_nothing_acknowledges_nothing(tmp_path):
    with Journal.open(tmp_path, study="pilot", rater="ann") as journal:
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, journal._file._descriptor)  # noqa: SLF001  the disk behind an open file
        os.close(full)
        for _ in range(2):  # nor can it be cut off
            with pytest.raises(LabelError, match="NOT SAVED"):
                journal.append("label", item_id="i1", labels={"tone": 1})
    assert journal.events == []


def test_a_half_line_that_could_not_be_cut_off_is_cut_off_before_the_next(tmp_path):
    file = LineFile.create(tmp_path, "pilot.ann", 1)
    file.append(b"one\n")
    file._size, file._torn = 4, True  # noqa: SLF001  as a failed cut leaves it
    with file.path.open("ab") as other:
        other.write(b"half a li")
    file.append(b"two\n")
    assert file.path.read_bytes() == b"one\ntwo\n"
    file.close()


def test_a_file_that_is_there_is_never_opened_to_write(tmp_path):
    files = [LineFile.create(tmp_path, "pilot.ann", 1) for _ in range(3)]
    assert [file.path.name[-7:] for file in files] == ["1.jsonl", "2.jsonl", "3.jsonl"]
    for file in files:
        file.close()
