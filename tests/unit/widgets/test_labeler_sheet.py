from __future__ import annotations

import pandas as pd
import pytest

from toolkit.errors import LabelError, SchemaError
from toolkit.labels.journal import journal_events

ROWS = [{"item_id": f"i{n}", "text": f"words {n}"} for n in range(3)]


def schema(**constructs):
    return {"constructs": {name: {"categories": given} for name, given in constructs.items()}}


def refilled(path, **cells):
    """Fill columns of a sheet, row by row, as a spreadsheet would."""
    frame = pd.read_csv(path, dtype=object)
    for name, values in cells.items():
        frame[name] = values
    frame.to_csv(path, index=False)
    return path


def test_a_sheet_goes_out_and_comes_back(make, tmp_path):
    labeler = make(interactive=False)
    sheet = pd.read_csv(labeler.to_csv(tmp_path / "sheet.csv"), dtype=object)
    assert sheet["item_id"].tolist() == labeler.order
    sheet["tone"] = ["1", "calm", "unsure", None]
    sheet["topics.work"], sheet["note"] = "0", ["=1+1", None, None, None]
    sheet.to_csv(tmp_path / "filled.csv", index=False)
    assert labeler.from_csv(tmp_path / "filled.csv") == 4
    assert labeler.from_csv(tmp_path / "filled.csv") == 0  # nothing new
    frame = make(interactive=False).to_frame()
    tone = frame[frame["construct"] == "tone"].set_index("item_id")["label"].to_dict()
    assert tone == {labeler.order[0]: 1, labeler.order[1]: 0}
    assert set(frame["note"].dropna()) == {"=1+1"}
    again = pd.read_csv(labeler.to_csv(tmp_path / "again.csv"), dtype=object)
    assert again["tone"].tolist()[:3] == ["1", "0", "unsure"]
    assert again["note"].tolist()[0] == "'=1+1"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"tone": "maybe"}, "not a category.*filled.csv, line 2, column 'tone'"),
        ({"item_id": "stranger"}, "not in this batch"),
        ({"item_sha256": "0"}, "another text"),
    ],
)
def test_a_sheet_that_does_not_fit_is_refused_whole(make, tmp_path, change, what):
    labeler = make(interactive=False)
    sheet = pd.read_csv(labeler.to_csv(tmp_path / "sheet.csv"), dtype=object)
    sheet["tone"] = "1"
    for name, value in change.items():
        sheet.loc[0, name] = value
    sheet.to_csv(tmp_path / "filled.csv", index=False)
    with pytest.raises(LabelError, match=what):
        labeler.from_csv(tmp_path / "filled.csv")
    assert labeler.to_frame().empty


def test_a_text_that_a_spreadsheet_would_run_begins_with_an_apostrophe(make, tmp_path):
    items = [{"item_id": "=1", "text": "=HYPERLINK(1)"}, {"item_id": "b", "text": "\x1b[31m\ud800"}]
    labeler = make(items, interactive=False)
    sheet = pd.read_csv(labeler.to_csv(tmp_path / "sheet.csv"), dtype=object).set_index("item_id")
    assert sheet["text"].to_dict() == {"'=1": "'=HYPERLINK(1)", "b": "[U+001B][31m[U+D800]"}
    sheet["tone"] = "1"
    sheet.reset_index().to_csv(tmp_path / "sheet.csv", index=False)
    assert labeler.from_csv(tmp_path / "sheet.csv") == 2


def test_a_note_of_blanks_takes_nothing_back(make, tmp_path):
    labeler = make(ROWS, schema(tone=[0, 1]), interactive=False)
    path = labeler.to_csv(tmp_path / "sheet.csv")
    labeler.from_csv(refilled(path, tone=["1"] * 3, note=["why"] * 3))
    assert labeler.from_csv(refilled(path, note=[" "] * 3)) == 0
    assert labeler.to_frame()["note"].tolist() == ["why"] * 3


def test_an_item_in_two_rows_is_refused_with_both_lines(make, tmp_path):
    labeler = make(ROWS, schema(tone=[0, 1]), interactive=False)
    path = refilled(labeler.to_csv(tmp_path / "sheet.csv"), tone=["0", "1", None])
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, lines[2]]) + "\n")
    with pytest.raises(LabelError, match=r"twice, first in sheet.csv, line 3 \(sheet.csv, line 5"):
        labeler.from_csv(path)
    assert labeler.to_frame().empty


def test_a_refused_sheet_begins_no_sitting(make, tmp_path):
    labeler = make(ROWS, schema(tone=[0, 1]), interactive=False)
    path = refilled(labeler.to_csv(tmp_path / "sheet.csv"), tone=["7", None, None])
    with pytest.raises(LabelError, match="not a category"):
        labeler.from_csv(path)
    assert not labeler.folder.exists()


def test_a_sheet_may_be_split_by_questions(make, tmp_path):
    labeler = make(interactive=False)
    path = refilled(labeler.to_csv(tmp_path / "sheet.csv"), tone="1")
    frame = pd.read_csv(path, dtype=object)
    frame.drop(columns=["topics.work", "topics.family"]).to_csv(path, index=False)
    assert labeler.from_csv(path) == 4
    frame.drop(columns="topics.work").to_csv(path, index=False)
    with pytest.raises(LabelError, match=r"the sheet lacks topics\.work \("):
        labeler.from_csv(path)


def test_an_unknown_column_is_ignored_only_where_it_is_empty(make, tmp_path):
    labeler = make(ROWS, schema(tone=[0, 1]), interactive=False)
    path = refilled(labeler.to_csv(tmp_path / "sheet.csv"), tone="1", extra=None)
    assert labeler.from_csv(path) == 3
    with pytest.raises(LabelError, match="did not write"):
        labeler.from_csv(refilled(path, extra=[None, "seen", None]))


def test_a_sheet_without_a_filled_cell_stores_nothing(make, tmp_path):
    labeler = make(ROWS, schema(tone=[0, 1]), interactive=False)
    assert labeler.from_csv(labeler.to_csv(tmp_path / "sheet.csv")) == 0
    assert labeler.to_frame().empty


@pytest.mark.parametrize(
    "categories",
    [
        ["sure", "unsure"],
        {0: "sure", 1: "unsure"},
        {0: "1", 1: "2", 2: "3"},  # is "1" the first or the second?
        {0: "NA", 1: "there"},  # a cell of NA says nothing
        ["=a", "'=a"],
    ],
)
def test_a_category_that_a_cell_could_not_tell_is_refused(make, tmp_path, categories):
    labeler = make(ROWS, schema(tone=categories), interactive=False)
    with pytest.raises(SchemaError, match=r"two meanings \(constructs.tone.categories\)"):
        labeler.to_csv(tmp_path / "sheet.csv")
    assert not (tmp_path / "sheet.csv").exists()


def test_unsure_comes_back_as_unsure(make, tmp_path):
    labeler = make(ROWS, schema(tone=["calm", "harsh"]), interactive=False)
    path = refilled(labeler.to_csv(tmp_path / "sheet.csv"), tone="unsure")
    labeler.from_csv(path)
    assert labeler.from_csv(labeler.to_csv(path)) == 0
    assert set(journal_events(labeler.folder)["kind"]) == {"open", "unsure"}


@pytest.mark.parametrize(
    "categories",
    [{0: "=calm", 1: "+harsh"}, ["=calm", "@harsh"], ["a\u200b", "b"], [-1, 1], [0.1, 0.5]],
)
def test_categories_are_harmless_and_come_back(make, tmp_path, categories):
    labeler = make(ROWS, schema(tone=categories), interactive=False)
    first, second = categories
    path = refilled(labeler.to_csv(tmp_path / "sheet.csv"), tone=[str(first), str(second), None])
    assert labeler.from_csv(path) == 2
    tone = pd.read_csv(labeler.to_csv(path), dtype=object)["tone"].dropna()
    assert not tone.str.startswith(("=", "+", "@")).any()
    assert labeler.from_csv(path) == 0
    assert set(labeler.to_frame()["label"]) == {first, second}


def test_what_is_shown_of_a_category_that_looks_like_a_formula_can_be_written(make, tmp_path):
    labeler = make(ROWS, schema(tone={0: "=calm", 1: "+harsh"}), interactive=False)
    path = refilled(labeler.to_csv(tmp_path / "sheet.csv"), tone=["'=calm", "=calm", "'+harsh"])
    assert labeler.from_csv(path) == 3
    assert sorted(labeler.to_frame()["label"]) == [0, 0, 1]


def test_a_construct_that_looks_like_a_formula_is_harmless_and_comes_back(make, tmp_path):
    labeler = make(ROWS, schema(**{"=1+1": [0, 1], "a\u200b": [0, 1]}), interactive=False)
    path = labeler.to_csv(tmp_path / "sheet.csv")
    assert list(pd.read_csv(path))[3:5] == ["'=1+1", "a[U+200B]"]
    assert labeler.from_csv(refilled(path, **{"'=1+1": "1", "a[U+200B]": "0"})) == 3
    assert set(labeler.to_frame()["construct"]) == {"=1+1", "a\u200b"}
    assert labeler.from_csv(labeler.to_csv(path)) == 0


@pytest.mark.parametrize("item", ["a\u200b", "\ufeffa", "a\rb", "a\r\nb", "'a", "'=a", "=a", "007"])
def test_an_item_comes_back_whatever_its_id(make, tmp_path, item):
    labeler = make([{"item_id": item, "text": "x"}], schema(tone=[0, 1]), interactive=False)
    path = refilled(labeler.to_csv(tmp_path / "sheet.csv"), tone="1")
    assert labeler.from_csv(path) == 1
    assert journal_events(labeler.folder)["item_id"].dropna().tolist() == [item]
    assert labeler.from_csv(labeler.to_csv(path)) == 0


def test_items_that_no_reader_could_tell_apart_are_refused(make, tmp_path):
    items = [{"item_id": name, "text": "x"} for name in ("a\u200b", "a[U+200B]")]
    with pytest.raises(LabelError, match="can't be told apart"):
        make(items, schema(tone=[0, 1]), interactive=False).to_csv(tmp_path / "sheet.csv")


@pytest.mark.parametrize("name", ["text", "note", "item_id", "item_sha256", "to_read"])
def test_a_construct_named_as_a_column_is_an_error_of_the_schema(make, tmp_path, name):
    labeler = make(ROWS, schema(**{name: [0, 1]}), interactive=False)
    with pytest.raises(SchemaError, match="name of another column"):
        labeler.to_csv(tmp_path / "sheet.csv")


def test_constructs_whose_headings_are_one_are_refused(make, tmp_path):
    labeler = make(ROWS, schema(**{"a\u200b": [0, 1], "a[U+200B]": [0, 1]}), interactive=False)
    with pytest.raises(SchemaError, match="name of another column"):
        labeler.to_csv(tmp_path / "sheet.csv")


@pytest.mark.parametrize("blank", [",,,,,", " ,,,,, "])
def test_a_blank_row_is_ignored(make, tmp_path, blank):
    labeler = make(ROWS, schema(tone=[0, 1]), interactive=False)
    path = refilled(labeler.to_csv(tmp_path / "sheet.csv"), tone="1")
    path.write_text(path.read_text() + f"{blank}\n")
    assert labeler.from_csv(path) == 3


@pytest.mark.parametrize("mark", [";", "\t"])
def test_a_sheet_that_a_spreadsheet_separated_otherwise_is_read(make, tmp_path, mark):
    items = [{"item_id": "a", "text": "one, two; three"}, {"item_id": "b", "text": "x"}]
    labeler = make(items, schema(tone=[0, 1]), interactive=False)
    path = labeler.to_csv(tmp_path / "sheet.csv")
    frame = pd.read_csv(path, dtype=object)
    frame["tone"], frame["note"] = ["1", "7"], ["yes, but", "a;b"]
    frame.to_csv(path, index=False, sep=mark, encoding="utf-8-sig", lineterminator="\r\n")
    with pytest.raises(LabelError, match=r"sheet\.csv, line 3, column 'tone'"):
        labeler.from_csv(path)
    frame["tone"] = "1"
    frame.to_csv(path, index=False, sep=mark, encoding="utf-8-sig", lineterminator="\r\n")
    assert labeler.from_csv(path) == 2
    assert set(labeler.to_frame()["note"]) == {"yes, but", "a;b"}


def test_a_sheet_is_written_as_csv_only(make, tmp_path):
    labeler = make(ROWS, schema(tone=[0, 1]), interactive=False)
    with pytest.raises(LabelError, match=r"a sheet is a \.csv file"):
        labeler.to_csv(tmp_path / "sheet.tsv")


def test_an_id_whose_line_end_a_spreadsheet_changed_is_the_same(make, tmp_path):
    labeler = make([{"item_id": "a\r\nb", "text": "x"}], schema(tone=[0, 1]), interactive=False)
    path = refilled(labeler.to_csv(tmp_path / "sheet.csv"), tone="1")
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))
    assert labeler.from_csv(path) == 1


def test_a_sheet_without_any_construct_is_refused(make, tmp_path):
    labeler = make(ROWS, schema(tone=[0, 1], harm=[0, 1]), interactive=False)
    path = labeler.to_csv(tmp_path / "sheet.csv")
    pd.read_csv(path, dtype=object).drop(columns=["tone", "harm"]).to_csv(path, index=False)
    with pytest.raises(LabelError, match="the sheet lacks tone, harm"):
        labeler.from_csv(path)
