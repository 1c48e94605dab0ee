from __future__ import annotations

import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import LabelError, SchemaError


def test_a_labeler_that_nobody_clicks_shows_a_summary_and_writes_nothing(make):
    labeler = make(interactive=False)
    bundle = labeler._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"].startswith("Study pilot, rater ann: 0 of 4 items done")
    assert "<script" not in bundle["text/html"]
    assert not labeler.folder.exists()


def test_without_a_page_the_labeler_is_not_interactive(make, monkeypatch):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert make(interactive=None).interactive is False


def test_the_summary_stands_beside_the_widget_for_exports(make):
    bundle = make()._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "Run this cell again" in bundle["text/html"]


def test_summary_and_frame_say_the_same_as_the_journal(sit, make):
    rater = sit()
    rater.label(tone=1, topics=[0])
    rater.label(tone="unsure")
    rater.decide("skip")
    later = make(interactive=False)
    assert "3 of 4 items done (1 labelled, 1 unsure, 1 skipped, 0 flagged)" in repr(later)
    assert "tone: calm 0, harsh 1, unsure 1" in repr(later)
    assert "topics: work 1, family 0, none 1, unsure 0" in repr(later)
    frame = later.to_frame()
    assert frame["construct"].value_counts().to_dict() == {
        "tone": 1, "topics.work": 2, "topics.family": 2,
    }  # fmt: skip
    assert tk.read_labels(frame, overlap=False).items == 2


def test_names_that_are_markup_are_written_as_text(make):
    text = make(study="<b>x</b>", interactive=False)._repr_mimebundle_()["text/html"]
    assert "<b>x</b>" not in text


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


@pytest.mark.parametrize(
    ("schema", "guidelines", "what"),
    [
        ({"constructs": {"a": {"kind": "multiple", "categories": []}}}, None, "multiple"),
        ({"constructs": {"a": {"kind": "multiple", "categories": [1], "x": 1}}}, None, "multiple"),
        ({"constructs": {"a": {"kind": "multiple", "categories": [1, "1"]}}}, None, "one name"),
        ({"default": {"categories": [0, 1]}}, None, "names no construct"),
        ({"constructs": {"a": {"categories": [0, 1]}}}, {"b": "x"}, "guideline"),
        ({"constructs": {"a": {"categories": [0, 1]}}}, 7, "guideline"),
    ],
)
def test_a_schema_or_guideline_that_does_not_fit_is_refused(make, schema, guidelines, what):
    with pytest.raises(SchemaError, match=what):
        make(schema=schema, guidelines=guidelines)


def test_a_folder_that_cannot_be_written_is_refused_before_the_first_label(make, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LabelError):
        make(folder=tmp_path / "file" / "labels")
