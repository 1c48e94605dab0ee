"""Which constructs are asked of which item: the columns read_<construct> of a batch."""

from __future__ import annotations

import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import LabelError
from toolkit.labels.journal import journal_events
from toolkit.widgets import Adjudicator
from toolkit.widgets.batch import read_batch
from toolkit.widgets.questions import read_questions

SCHEMA = {
    "constructs": {
        "tone": {"categories": {0: "calm", 1: "harsh"}, "present": [1]},
        "topics": {"kind": "multiple", "categories": ["work", "family"]},
    }
}
QUESTIONS = read_questions(SCHEMA).asked
PARTS = {"i0": (True, True), "i1": (True, False), "i2": (False, True)}


def items(parts=PARTS):
    return [
        {"item_id": item, "text": f"words {item}", "read_tone": tone, "read_topics": topics}
        for item, (tone, topics) in parts.items()
    ]


def asked(source):
    return {
        item: [q.name for q in each] for item, each in read_batch(source, QUESTIONS).asked.items()
    }


def answer(rater, tone, topics):
    """Answer what is asked of the item on the screen, and nothing else."""
    both = ([tone], [*topics])
    return rater.decide(
        "label",
        answers=[each if n in rater.screen["asked"] else None for n, each in enumerate(both)],
    )


def turn_to(rater, item):
    while rater.screen["item_id"] != item:
        rater.send(kind="forward", item_id=rater.screen["item_id"])


def test_a_construct_is_asked_where_its_column_is_true(tmp_path):
    expected = {"i0": ["tone", "topics"], "i1": ["tone"], "i2": ["topics"]}
    frame = pd.DataFrame(items())
    frame.to_csv(tmp_path / "items.csv", index=False)
    frame.to_json(tmp_path / "items.jsonl", orient="records", lines=True)
    numbers = frame.astype({"read_tone": int, "read_topics": float})
    for source in (items(), frame, numbers, tmp_path / "items.csv", tmp_path / "items.jsonl"):
        assert asked(source) == expected


def test_a_construct_without_a_column_is_asked_on_every_item():
    assert asked([{"item_id": "a", "text": "x"}]) == {"a": ["tone", "topics"]}
    one = [{"item_id": "a", "text": "x", "read_tone": 0, "read_stranger": "what"}]
    assert asked(one) == {"a": ["topics"]}


def test_several_options_are_asked_together_where_one_of_them_is_read():
    rows = [
        {"item_id": "a", "text": "x", "read_topics.work": 1, "read_topics.family": 0},
        {"item_id": "b", "text": "x", "read_topics.work": 0, "read_topics.family": 0},
    ]
    assert asked(rows) == {"a": ["tone", "topics"], "b": ["tone"]}


@pytest.mark.parametrize("value", ["maybe", 2, 0.5, None, float("nan"), "", [1]])
def test_what_is_neither_true_nor_false_is_refused_and_the_item_named(value):
    rows = [*items(), {"item_id": "i9", "text": "x", "read_tone": value, "read_topics": True}]
    with pytest.raises(LabelError, match=r"whether.*to be read.*item 'i9', column 'read_tone'"):
        read_batch(rows, QUESTIONS)


def test_an_item_on_which_nothing_is_to_be_read_is_left_out_and_counted(make):
    labeler = make(items({**PARTS, "i3": (False, False)}))
    assert sorted(labeler.order) == ["i0", "i1", "i2"]
    assert labeler.counts["open"] == 3
    assert "0 of 3 items done" in repr(labeler)
    assert "1 left out, nothing is to be read on them" in repr(labeler)
    assert labeler.widget.setup["left_out"] == 1
    assert journal_events(labeler.folder).iloc[0]["items_left_out"] == 1


def test_a_batch_on_which_nothing_at_all_is_to_be_read_is_refused(make):
    with pytest.raises(LabelError, match="nothing is to be read on any item"):
        make(items({"i0": (False, False)}))


def test_an_item_is_done_when_what_is_asked_is_answered_and_nothing_else_is_stored(sit):
    rater = sit(items())
    turn_to(rater, "i1")
    assert rater.screen["asked"] == [0]
    assert answer(rater, 1, [0])["kind"] == "saved"
    turn_to(rater, "i2")
    assert rater.screen["asked"] == [1]
    assert answer(rater, 1, [0])["kind"] == "saved"
    assert rater.labeler.counts["labelled"] == 2
    events = journal_events(rater.labeler.folder).query("kind == 'label'")
    assert events["labels"].tolist() == [{"tone": 1}, {"topics.work": 1, "topics.family": 0}]
    frame = rater.labeler.to_frame()
    assert frame["item_id"].value_counts().to_dict() == {"i1": 1, "i2": 2}


def test_what_is_asked_must_be_answered_and_what_is_not_asked_must_not(sit):
    rater = sit(items({"i1": (True, False)}))
    assert rater.decide("label", answers=[None, []])["reason"] == "an answer is missing"
    assert rater.decide("label", answers=[[1], []])["reason"].startswith("an answer to what is not")
    assert rater.decide("label", answers=[[1], "unsure"])["kind"] == "refused"
    assert journal_events(rater.labeler.folder)["kind"].tolist() == ["open"]


def test_unsure_and_skip_are_counted_for_what_is_asked_alone(sit):
    rater = sit(items({"i1": (True, False), "i2": (False, True)}))
    turn_to(rater, "i1")
    rater.decide("label", answers=["unsure", None])
    rater.decide("skip")
    sit(items({"i0": (True, True)}), rater="ben").label()
    left_out = tk.read_journal(rater.labeler.folder).left_out
    counted = left_out.groupby(["construct", "reason"])["count"].sum().to_dict()
    assert counted == {
        ("tone", "unsure"): 1, ("topics.work", "skip"): 1, ("topics.family", "skip"): 1,
    }  # fmt: skip


def test_undo_and_opening_again_ask_the_same(sit):
    rater = sit(items({"i1": (True, False)}))
    answer(rater, 1, [])
    assert rater.screen["item_id"] is None
    again = sit(items({"i1": (True, False)}))
    assert again.screen["item_id"] is None
    again.decide("undo")
    assert (again.screen["asked"], again.screen["answers"]) == ([0], [[1], None])
    assert again.labeler.counts["open"] == 1


def test_an_item_of_which_more_is_asked_later_is_open_for_that(sit):
    rater = sit(items({"i1": (True, False)}))
    answer(rater, 1, [])
    later = sit(items({"i1": (True, True)}))
    assert later.screen["answers"] == [[1], None]
    assert later.labeler.counts["open"] == 1


def test_an_earlier_answer_to_what_is_no_longer_asked_stays_stored_and_is_not_shown(sit):
    sit(items({"i1": (True, True)})).decide("label", answers=[[1], "unsure"])
    later = sit(items({"i1": (True, False)}))
    assert later.labeler.counts["labelled"] == 1
    assert "unsure: 0, asked on 0 of 1 items" in repr(later.labeler)
    later.send(kind="back", item_id=None)
    assert later.screen["answers"] == [[1], None]
    left_out = tk.read_journal(later.labeler.folder).left_out
    assert set(left_out["construct"]) == {"topics.work", "topics.family"}


def test_the_summary_says_on_how_many_items_a_construct_is_asked(sit):
    rater = sit(items())
    while rater.screen["item_id"] is not None:
        answer(rater, 1, [])
    assert "3 of 3 items done (3 labelled" in repr(rater.labeler)
    told = repr(rater.labeler)
    assert "tone | calm: 0, harsh: 2, unsure: 0, asked on 2 of 3 items" in told
    assert "topics | work: 0, family: 0, none of these: 2, unsure: 0, asked on 2 of 3" in told


def test_agreement_is_told_when_what_is_asked_is_done_and_is_of_that(sit):
    ann, ben = sit(items()), sit(items(), rater="ben")
    for rater in (ann, ben):
        while rater.screen["item_id"] is not None:
            with pytest.raises(LabelError, match="when all raters of the study have finished"):
                ann.labeler.agreement()
            answer(rater, int(rater.screen["item_id"] == "i0"), [0])
    made = ann.labeler.agreement().set_index("construct")["n"]
    assert made.to_dict() == {"tone": 2, "topics.work": 2, "topics.family": 2}


def test_the_adjudicator_asks_for_what_was_labelled(sit):
    for name, tone in (("ann", 0), ("ben", 1)):
        rater = sit(items(), rater=name)
        while rater.screen["item_id"] is not None:
            answer(rater, tone, [0])
    folder = rater.labeler.folder
    eve = Adjudicator(items(), study="pilot", adjudicator="eve", folder=folder, interactive=False)
    assert sorted(eve.queue) == ["i0", "i1"]
    final = eve.to_frame()
    assert final.query("construct == 'tone'")["item_id"].tolist() == ["i0", "i1"]
    assert set(final["provenance"]) == {"unanimous", "unresolved"}
    assert eve.left_out.empty


def filled(labeler, folder, **cells):
    sheet = pd.read_csv(labeler.to_csv(folder / "sheet.csv"), dtype=object).set_index("item_id")
    for name, value in cells.items():
        item, construct = name.split("_")
        sheet.loc[item, construct] = value
    sheet.reset_index().to_csv(folder / "filled.csv", index=False)
    return folder / "filled.csv"


def test_a_sheet_says_what_is_to_be_read_and_leaves_the_rest_empty(make, tmp_path):
    labeler = make(items(), interactive=False)
    sheet = pd.read_csv(labeler.to_csv(tmp_path / "sheet.csv"), dtype=object).set_index("item_id")
    assert sheet["to_read"].to_dict() == {
        "i0": "tone, topics.work, topics.family",
        "i1": "tone",
        "i2": "topics.work, topics.family",
    }
    assert labeler.from_csv(filled(labeler, tmp_path, i0_tone="1", i1_tone="calm")) == 2
    assert make(items(), interactive=False).counts["labelled"] == 1  # of i0 more is asked


@pytest.mark.parametrize("value", ["1", "unsure"])
def test_a_sheet_with_a_value_that_is_not_to_be_read_is_refused_with_its_line(
    make, tmp_path, value
):
    labeler = make(items(), interactive=False)
    line = labeler.order.index("i2") + 2  # the first line is the header
    path = filled(labeler, tmp_path, i0_tone="1", i2_tone=value)
    with pytest.raises(LabelError, match=f"tone is not to be read on item i2.*line {line}, column"):
        labeler.from_csv(path)
    assert labeler.to_frame().empty
