"""Texts, schemas and names that are others than when the labels were given."""

from __future__ import annotations

import numpy as np
import pytest

from toolkit.errors import LabelError, SchemaError
from toolkit.labels.journal import Journal, journal_events
from toolkit.widgets import Adjudicator, Labeler
from toolkit.widgets.questions import read_questions

TONE = {0: "calm", 1: "harsh"}


def items(*texts):
    return [{"item_id": f"i{n}", "text": text} for n, text in enumerate(texts)]


def schema(categories, **more):
    return {"constructs": {"tone": {"categories": categories, **more}}}


def label_all(rater, tone=0):
    while rater.screen["item_id"] is not None:
        rater.decide("label", answers=[[tone]])


def test_labels_on_an_earlier_text_are_none_on_the_new_one(sit):
    label_all(sit(items("a", "b", "c"), schema(TONE)))
    new = sit(items("a2", "b2", "c2"), schema(TONE))
    assert new.labeler.to_frame().empty
    item = new.screen["item_id"]
    new.decide("label", answers=[[1]])
    frame = new.labeler.to_frame()
    assert frame[["item_id", "label"]].values.tolist() == [[item, 1]]
    assert "2 open again, their text has changed" in repr(new.labeler)


def test_items_of_another_batch_are_not_in_the_frame(sit):
    label_all(sit(items("a", "b"), schema(TONE)))
    few = sit(items("a"), schema(TONE)).labeler
    assert few.to_frame()["item_id"].tolist() == ["i0"]


def test_a_construct_that_the_schema_lacks_is_not_in_the_frame(sit, make):
    both = {"constructs": {"tone": {"categories": TONE}, "harm": {"categories": [0, 1]}}}
    sit(items("a"), both).decide("label", answers=[[0], [1]])
    assert make(items("a"), schema(TONE)).to_frame()["construct"].tolist() == ["tone"]


@pytest.mark.parametrize("interactive", [True, False])
def test_categories_that_mean_something_else_are_refused_at_opening(sit, make, interactive):
    label_all(sit(items("a"), schema(TONE)))
    for rater in ("ann", "ben"):
        with pytest.raises(LabelError, match=f"tone mean something else to {rater} than to ann"):
            make(items("a"), schema({0: "harsh", 1: "calm"}), rater=rater, interactive=interactive)
    kinds = journal_events(make(interactive=False).folder)["kind"].tolist()
    assert kinds == ["open", "label"]


def test_two_people_to_whom_a_category_meant_two_things_are_not_unanimous(tmp_path):
    for rater, categories in (("ann", TONE), ("ben", {0: "harsh", 1: "calm"})):
        declared = read_questions(schema(categories)).schema.to_dict()["constructs"]
        with Journal.open(tmp_path, study="p", rater=rater) as journal:
            journal.append("open", constructs=declared)
            journal.append("label", item_id="i1", labels={"tone": 0})
    with pytest.raises(LabelError, match="tone mean something else to ben than to ann"):
        Adjudicator(folder=tmp_path, study="p", adjudicator="eve", interactive=False)


@pytest.mark.parametrize("interactive", [True, False])
def test_a_label_that_the_schema_lacks_is_refused_at_opening(sit, make, interactive):
    label_all(sit(items("a"), schema([0, 1, 2])), tone=2)
    with pytest.raises(LabelError, match="ann has labels of tone that are no category"):
        make(items("a"), schema([0, 1]), interactive=interactive)
    assert make(items("a"), schema([0, 1]), rater="ben", interactive=interactive).counts["open"]


def test_further_categories_go_on(sit, make):
    label_all(sit(items("a"), schema([0, 1])))
    assert make(items("a"), schema([0, 1, 2])).to_frame()["label"].tolist() == [0]


@pytest.mark.parametrize("interactive", [True, False])
def test_blank_names_and_those_of_deciders_are_refused_on_construction(tmp_path, make, interactive):
    for blank in ({"rater": ""}, {"study": " "}):
        with pytest.raises(LabelError, match="is missing"):
            make(interactive=interactive, **blank)
    with Journal.open(tmp_path / "labels", study="pilot", rater="eve") as journal:
        journal.append("open", role="adjudicator")
    with pytest.raises(LabelError, match="both labels and adjudicates"):
        make(rater="eve", interactive=interactive)
    with pytest.raises(LabelError, match="adjudicator is missing"):
        Adjudicator(folder=tmp_path, study="p", adjudicator="", interactive=interactive)


def test_without_a_schema_it_is_said_how_one_is_given():
    with pytest.raises(SchemaError, match=r"no schema is given.*-p schema="):
        Labeler(items("a"), None, rater="ann", study="p", interactive=False)


@pytest.mark.parametrize("name", ["p.ben.1.jsonl", "items.jsonl", "other.ann.1.jsonl"])
def test_a_damaged_file_of_somebody_else_stops_nobody_from_labelling(tmp_path, name):
    labels = tmp_path / "labels"
    labels.mkdir()
    (labels / name).write_text("damage\nmore\n")
    (labels / "._p.ann.1.jsonl").write_bytes(b"\0\5\x16\7")
    (labels / "folder.jsonl").mkdir()
    for interactive in (False, True):
        opened = Labeler(
            items("a"), schema(TONE), rater="ann", study="p", folder=labels, interactive=interactive
        )
        assert opened.counts["open"] == 1
        (labels / "p.ann.9.jsonl").write_text("damage\nmore\n")
        with pytest.raises(LabelError, match=r"p\.ann\.9\.jsonl, line 1"):
            Labeler(
                items("a"), schema(TONE), rater="ann", study="p", folder=labels,
                interactive=interactive,
            )  # fmt: skip
        (labels / "p.ann.9.jsonl").unlink()


def test_a_renamed_journal_counts_for_all_who_read_it(sit, make):
    rater = sit(items("a", "b"), schema(TONE))
    label_all(rater)
    journal = rater.labeler.folder / "pilot.ann.1.jsonl"
    for name in ("pilot.ann.1-laptop.jsonl", "merged.jsonl"):
        journal = journal.rename(journal.with_name(name))
        for interactive in (True, False):
            opened = make(items("a", "b"), schema(TONE), interactive=interactive)
            assert opened.counts["labelled"] == 2
            assert len(opened.to_frame()) == 2


@pytest.mark.parametrize("interactive", [True, False])
@pytest.mark.parametrize("name", [5, None, ["a"], b"a"])
def test_names_that_are_no_text_are_refused(tmp_path, make, interactive, name):
    for given in ({"rater": name}, {"study": name}):
        with pytest.raises(LabelError, match="is missing"):
            make(interactive=interactive, **given)
    with pytest.raises(LabelError, match="folder is no path"):
        make(interactive=interactive, folder=None)
    with pytest.raises(LabelError, match="adjudicator is missing"):
        Adjudicator(folder=tmp_path, study="p", adjudicator=name, interactive=interactive)


def test_a_seed_of_numpy_is_a_seed(make):
    assert make(order_seed=np.int64(3)).order == make(order_seed=3).order


def test_a_refusal_names_the_place_and_not_what_others_said(make):
    turns = [{"role": "user", "judge": "JUDGE-SENTINEL"}]
    with pytest.raises(LabelError, match="no role or no text") as error:
        make([{"item_id": "a", "turns": turns}])
    assert "JUDGE-SENTINEL" not in str(error.value)
