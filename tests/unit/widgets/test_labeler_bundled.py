from __future__ import annotations

import make_labelling
from written import differences

from toolkit.report import bundled
from toolkit.widgets import Labeler


def test_the_bundled_batch_is_what_its_generator_makes():
    assert differences(make_labelling.FOLDER, make_labelling.make()) == []


def test_the_bundled_batch_opens(tmp_path):
    folder = bundled("labelling")
    labeler = Labeler(
        folder / "items.jsonl",
        folder / "schema.yaml",
        rater="ann",
        study="example",
        folder=tmp_path,
        guidelines=folder / "guidelines.yaml",
        interactive=False,
    )
    assert labeler.counts["open"] == make_labelling.ITEMS
    questions = labeler._setup()["questions"]  # noqa: SLF001 - what the browser gets
    assert [question["kind"] for question in questions] == ["nominal", "ordinal", "multiple"]
    assert all(question["guideline"] for question in questions)
