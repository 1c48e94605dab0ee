"""Snapshots: the same labels again, replaced whole or not at all."""

from __future__ import annotations

import resource

import pytest

from toolkit.errors import LabelError
from toolkit.labels import read_labels
from toolkit.labels.journal import Journal, export, read_journal


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "labels"
    for rater in ("ann", "ben"):
        with Journal.open(place, study="pilot", rater=rater) as journal:
            for number in range(30):
                labels = {"tone": number % 2, "gist": ["bad", "good"][number % 2]}
                note = 'say "why", now\nor =never' if number == 3 else None
                journal.append("label", item_id=f"i{number}", labels=labels, note=note)
            journal.append("skip", item_id="i99")
    return place


@pytest.mark.parametrize("name", ["labels.csv", "labels.parquet", "LABELS.CSV"])
def test_a_snapshot_is_read_as_the_labels_that_it_was_made_of(folder, tmp_path, name):
    path = export(folder, tmp_path / name)
    again, labels = read_labels(path), read_journal(folder)
    keys = ["item_id", "construct", "rater_id", "label", "decided_at", "event_id"]
    assert again.frame[keys].astype(str).equals(labels.frame[keys].astype(str))
    assert again.frame["note"].dropna().unique().tolist() == ['say "why", now\nor =never']
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == [name]


def test_a_snapshot_replaces_the_one_before(folder, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("old")
    with path.open() as reader:
        export(folder, path)
        assert reader.read() == "old"  # who reads meanwhile has the whole old one
    assert len(read_labels(path).frame) == 120


@pytest.mark.parametrize("name", ["labels.csv", "labels.parquet"])
def test_a_snapshot_that_does_not_fit_leaves_the_one_before(folder, tmp_path, name):
    path = export(folder, tmp_path / name)
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(LabelError, match="NOT SAVED: File too large"):
            export(folder, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == [name]


def test_a_place_that_can_not_be_written_is_named(folder, tmp_path):
    with pytest.raises(LabelError, match="NOT SAVED: No such file"):
        export(folder, tmp_path / "none" / "labels.csv")
    with pytest.raises(LabelError, match="NOT SAVED: Not a directory"):
        export(folder, folder / "pilot.ann.1.jsonl" / "labels.csv")
    (tmp_path / "taken.csv").mkdir()
    with pytest.raises(LabelError, match="NOT SAVED: Is a directory"):
        export(folder, tmp_path / "taken.csv")
    with pytest.raises(LabelError, match="unknown kind of file"):
        export(folder, tmp_path / "labels.xlsx")
