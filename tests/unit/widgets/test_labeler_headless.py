from __future__ import annotations

import pytest

import toolkit as tk
from toolkit.errors import LabelError, SchemaError
from toolkit.widgets.raters import study_events


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
    assert "tone | calm: 0, harsh: 1, unsure: 1" in repr(later)
    assert "topics | work: 1, family: 0, none of these: 1, unsure: 0" in repr(later)
    frame = later.to_frame()
    assert frame["construct"].value_counts().to_dict() == {
        "tone": 1, "topics.work": 2, "topics.family": 2,
    }  # fmt: skip
    assert tk.read_labels(frame, overlap=False).items == 2


def test_names_that_are_markup_are_written_as_text(make):
    text = make(study="<b>x</b>", interactive=False)._repr_mimebundle_()["text/html"]
    assert "<b>x</b>" not in text


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


def test_where_nothing_is_stored_no_folder_is_named(make, sit):
    assert "in the folder" not in repr(make(interactive=False))
    rater = sit()
    assert "in the folder" not in repr(rater.labeler)
    rater.label()
    assert "in the folder" in repr(rater.labeler)


def test_frame_and_summary_read_the_folder_once_whatever_the_number_of_items(
    make, sit, monkeypatch
):
    items = [{"item_id": n, "text": "x"} for n in range(30)]
    sit(items).label()
    labeler = make(items, interactive=False)
    reads = []

    def counted(*args):
        reads.append(args)
        return study_events(*args)

    monkeypatch.setattr("toolkit.widgets.labeler.study_events", counted)
    assert len(labeler.to_frame()) == 3
    assert len(reads) == 1
    repr(labeler)
    assert len(reads) == 2
