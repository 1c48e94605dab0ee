"""Sheets: nothing is lost, nothing is taken that was not meant."""

from __future__ import annotations

import resource

import pandas as pd
import pytest

from toolkit.errors import LabelError, SchemaError
from toolkit.labels.journal import journal_events

ITEMS = [{"item_id": f"i{n}", "text": f"words {n}"} for n in range(3)]
TONE = {"constructs": {"tone": {"categories": {0: "calm", 1: "harsh"}}}}


@pytest.fixture
def labeler(make):
    return make(ITEMS, TONE, interactive=False)


@pytest.fixture
def sheet(labeler, tmp_path):
    """Write a sheet, change cells by item, and give the path."""

    def changed(name="filled.csv", drop=(), **columns):
        path = labeler.to_csv(tmp_path / f"raw-{name}")
        frame = pd.read_csv(path, dtype=object).set_index("item_id")
        for column, cells in columns.items():
            frame[column] = frame[column].astype(object) if column in frame else None
            for item, value in cells.items():
                frame.loc[item, column] = value
        frame.drop(columns=list(drop)).reset_index().to_csv(tmp_path / name, index=False)
        return tmp_path / name

    return changed


def notes(labeler):
    return {i: labeler._progress().state(i).note for i in labeler.order}  # noqa: SLF001


def test_a_note_without_a_new_label_is_taken_over(labeler, sheet, make):
    labeler.from_csv(sheet(tone={"i0": "1"}))
    assert labeler.from_csv(sheet(note={"i0": "why", "i1": "odd"})) == 2
    assert notes(make(ITEMS, TONE, interactive=False)) == {"i0": "why", "i1": "odd", "i2": ""}
    frame = labeler.to_frame()
    assert frame[["item_id", "label", "note"]].values.tolist() == [["i0", 1, "why"]]
    assert labeler.from_csv(sheet(note={"i0": "other"})) == 1
    assert labeler.to_frame()["note"].tolist() == ["other"]
    assert labeler.counts["open"] == 2


@pytest.mark.parametrize("drop", [(), ("note",), ("text", "to_read", "note")])
def test_an_empty_or_missing_note_takes_nothing_back(labeler, sheet, drop):
    labeler.from_csv(sheet(tone={"i0": "1"}, note={"i0": "=kept\u202e"}))
    stored = notes(labeler)["i0"]
    blank = {} if drop else {"note": {"i0": None}}
    assert labeler.from_csv(sheet(drop=drop, tone={"i0": "0"}, **blank)) == 1
    assert notes(labeler)["i0"] == stored == "=kept\u202e"
    assert labeler.to_frame()[["label", "note"]].values.tolist() == [[0, stored]]


def test_what_is_written_out_of_a_note_is_that_note(labeler, sheet):
    labeler.from_csv(sheet(tone={"i0": "1"}, note={"i0": "=a\u202e\nb"}))
    assert labeler.from_csv(sheet()) == 0


def test_unsure_answers_stay_when_their_note_changes(labeler, sheet):
    labeler.from_csv(sheet(tone={"i0": "unsure"}))
    labeler.from_csv(sheet(note={"i0": "hard"}))
    assert labeler.counts["unsure"] == 1
    assert journal_events(labeler.folder)["kind"].tolist() == ["open", "unsure", "unsure"]


@pytest.mark.parametrize("name", ["note", "text", "item_id", "to_read"])
def test_a_construct_with_the_name_of_a_column_is_refused(make, tmp_path, name):
    labeler = make(ITEMS, {"constructs": {name: {"categories": [0, 1]}}}, interactive=False)
    with pytest.raises(SchemaError, match="name of another column"):
        labeler.to_csv(tmp_path / "sheet.csv")


@pytest.mark.parametrize(
    ("change", "drop", "what"),
    [
        ({"tnoe": {"i0": "1"}}, ["tone"], "did not write, did you mean 'tone'"),
        ({}, ["tone"], "the sheet lacks tone"),
        ({}, ["item_sha256"], "the sheet lacks item_sha256"),
    ],
)
def test_columns_that_do_not_fit_are_named(labeler, sheet, change, drop, what):
    with pytest.raises(LabelError, match=what):
        labeler.from_csv(sheet(drop=drop, **change))


def test_an_item_that_is_there_twice_is_refused(labeler, sheet, tmp_path):
    frame = pd.read_csv(sheet(tone={"i0": "1"}), dtype=object)
    pd.concat([frame, frame.assign(tone="0")]).to_csv(tmp_path / "twice.csv", index=False)
    with pytest.raises(LabelError, match=r"there twice.*line 5"):
        labeler.from_csv(tmp_path / "twice.csv")
    assert labeler.to_frame().empty


@pytest.mark.parametrize("cells", [{"tone": {"i0": "1"}}, {"note": {"i0": "why"}}])
def test_a_sheet_with_answers_that_are_not_in_the_journal_is_not_replaced(labeler, sheet, cells):
    path = sheet(**cells)
    before = path.read_bytes()
    with pytest.raises(LabelError, match=r"filled.csv is not replaced.*1 items"):
        labeler.to_csv(path)
    assert path.read_bytes() == before
    labeler.from_csv(path)
    labeler.to_csv(path)  # now it is
    assert labeler.from_csv(path) == 0


def test_another_file_is_not_replaced(labeler, tmp_path):
    (tmp_path / "thesis.csv").write_text("chapter\none\n")
    with pytest.raises(LabelError, match=r"thesis.csv is not replaced"):
        labeler.to_csv(tmp_path / "thesis.csv")
    assert (tmp_path / "thesis.csv").read_text() == "chapter\none\n"


def limited(size, deed):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        with pytest.raises(LabelError, match="NOT SAVED: File too large"):
            deed()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_sheet_that_does_not_fit_on_the_disk_leaves_the_one_before(labeler, tmp_path):
    path = labeler.to_csv(tmp_path / "sheet.csv")
    before = path.read_bytes()
    limited(100, lambda: labeler.to_csv(path))
    assert path.read_bytes() == before
    assert list(tmp_path.glob(".*")) == []


def test_a_disk_that_is_full_midway_leaves_nothing_of_a_sheet(labeler, sheet):
    path = sheet(tone={"i0": "1", "i1": "0", "i2": "1"})
    labeler._begin()  # noqa: SLF001 - so that the journal's first line is there
    journal = next(labeler.folder.iterdir())
    before = journal.read_bytes()
    limited(len(before) + 700, lambda: labeler.from_csv(path))  # one line fits
    assert journal.read_bytes() == before
    assert labeler.to_frame().empty
    assert labeler.from_csv(path) == 3
