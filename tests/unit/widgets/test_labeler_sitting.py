from __future__ import annotations

import json

import pytest

import toolkit as tk
from toolkit.labels.journal import journal_events


def kinds(labeler):
    return journal_events(labeler.folder)["kind"].tolist()


def test_a_decision_is_in_the_journal_before_it_is_called_saved(rater):
    item = rater.screen["item_id"]
    reply = rater.label(tone=1, topics=[0], note="why")
    event = journal_events(rater.labeler.folder).iloc[-1]
    assert reply["kind"] == "saved"
    assert event["item_id"] == item
    assert event["labels"] == {"tone": 1, "topics.work": 1, "topics.family": 0}
    assert (event["note"], event["active_seconds"], event["order_index"]) == ("why", 3.0, 0)


def test_the_opening_records_schema_order_and_guidelines(make):
    labeler = make(order_seed=9, guidelines="Read it all.")
    opened = journal_events(labeler.folder).iloc[0]
    assert opened["kind"] == "open"
    assert (opened["order_seed"], opened["items"]) == (9, 4)
    assert set(opened["constructs"]) == {"tone", "topics.work", "topics.family"}
    assert len(opened["guideline_version"]) == 64


def test_a_message_about_another_item_is_refused_and_writes_nothing(rater):
    old = rater.screen["item_id"]
    rater.label()
    now = rater.screen["item_id"]
    reply = rater.decide("label", item_id=old, answers=[[0], []])
    assert reply["kind"] == "refused"
    assert reply["screen"]["item_id"] == now
    assert kinds(rater.labeler) == ["open", "label"]


def test_the_same_message_twice_is_saved_once(rater):
    message = {"kind": "label", "item_id": rater.screen["item_id"], "event_id": "once"}
    message |= {"answers": [[1], []], "note": "", "active_seconds": 1.0}
    first, second = rater.send(**message), rater.send(**message)
    assert first["kind"] == second["kind"] == "saved"
    assert first["screen"] == second["screen"]
    assert kinds(rater.labeler) == ["open", "label"]


@pytest.mark.parametrize(
    "answers", [None, [], [[1]], [[1], None], [[2], []], [[], []], [[0, 1], []], [[0], [0, 0]]]
)
def test_what_is_no_answer_is_refused(rater, answers):
    item = rater.screen["item_id"]
    assert rater.decide("label", answers=answers)["kind"] == "refused"
    assert rater.screen["item_id"] == item
    assert kinds(rater.labeler) == ["open"]


def test_unsure_of_one_construct_keeps_the_label_of_the_other(rater):
    rater.label(tone="unsure", topics=[1])
    labels = tk.read_journal(rater.labeler.folder)
    assert labels.frame["construct"].tolist() == ["topics.work", "topics.family"]
    assert labels.left_out[["construct", "reason", "count"]].values.tolist() == [
        ["tone", "unsure", 1]
    ]
    assert rater.labeler.counts["unsure"] == 1


def test_a_skip_is_counted_and_is_no_label(rater):
    rater.decide("skip")
    assert rater.labeler.counts == {
        "open": 3, "labelled": 0, "unsure": 0, "skipped": 1, "flagged": 0,
    }  # fmt: skip
    assert rater.labeler.to_frame().empty


def test_undo_takes_a_whole_decision_back_and_shows_what_it_was(rater):
    item = rater.screen["item_id"]
    rater.label(tone="unsure", topics=[1], note="hm")
    rater.decide("undo")
    assert rater.screen["item_id"] == item
    assert rater.screen["answers"] == ["unsure", [1]]
    assert rater.screen["note"] == "hm"
    assert rater.labeler.counts["open"] == 4
    assert kinds(rater.labeler) == ["open", "label", "unsure", "undo", "undo"]


def test_undo_reaches_decisions_of_an_earlier_sitting(sit):
    sit().label(tone=1)
    again = sit()
    again.decide("undo")
    assert again.screen["answers"] == [[1], []]
    assert again.labeler.counts["labelled"] == 0
    assert again.decide("undo")["reason"] == "there is nothing to undo"


def test_back_shows_the_earlier_answer_and_a_new_one_replaces_it(rater):
    item = rater.screen["item_id"]
    rater.label(tone=1, topics=[0])
    rater.send(kind="back", item_id=rater.screen["item_id"])
    assert (rater.screen["item_id"], rater.screen["answers"]) == (item, [[1], [0]])
    rater.label(tone=0)
    frame = rater.labeler.to_frame().set_index("construct")
    assert frame["label"].to_dict() == {"tone": 0, "topics.work": 0, "topics.family": 0}
    rater.decide("undo")  # brings the first answer back
    rater.decide("skip")
    assert rater.labeler.counts["skipped"] == 1


def test_opening_again_goes_on_at_the_first_open_item(sit):
    first = sit()
    first.label()
    first.label()
    expected = first.screen["item_id"]
    again = sit()
    assert again.screen["item_id"] == expected
    assert again.screen["index"] == 2
    assert again.labeler.counts["labelled"] == 2


def test_the_end_is_a_screen_of_its_own_with_a_way_back_to_skipped_items(rater):
    skipped = rater.screen["item_id"]
    rater.decide("skip")
    for _ in range(3):
        rater.label()
    assert rater.screen["item_id"] is None
    assert rater.decide("label", answers=[[0], []])["kind"] == "refused"
    rater.send(kind="again", item_id=None)
    assert rater.screen["item_id"] == skipped
    rater.label()
    assert rater.screen["item_id"] is None
    assert rater.labeler.counts["labelled"] == 4


def test_a_flag_can_be_taken_off_and_does_not_turn_the_page(rater):
    item = rater.screen["item_id"]
    assert rater.decide("flag", on=True)["flagged"] is True
    rater.reply = rater.send(kind="hello")
    assert (rater.screen["item_id"], rater.screen["flagged"]) == (item, True)
    rater.decide("flag", on=False)
    assert rater.labeler.counts["flagged"] == 0


def test_an_item_whose_text_changed_is_open_again_and_said_so(sit, make):
    first = sit()
    item = first.screen["item_id"]
    first.label()
    changed = [
        {"item_id": f"i{n}", "text": "new" if f"i{n}" == item else f"words {n}"} for n in range(4)
    ]
    labeler = make(changed, interactive=False)
    assert labeler.counts["open"] == 4
    assert "1 open again, their text has changed" in repr(labeler)


def test_a_disk_that_refuses_is_reported_and_the_item_stays(rater):
    item = rater.screen["item_id"]
    journal = rater.labeler.folder / "pilot.ann.1.jsonl"
    journal.unlink()  # the journal notices that its file is gone
    reply = rater.label()
    assert reply["kind"] == "failed"
    assert "NOT SAVED" in reply["reason"]
    assert rater.send(kind="hello")["screen"]["item_id"] == item
    assert rater.labeler.counts["open"] == 4


def test_time_left_is_the_pace_of_the_last_decisions(sit):
    items = [{"item_id": n, "text": "x"} for n in range(45)]
    rater = sit(items)
    for _ in range(5):
        assert rater.reply["minutes_left"] is None
        rater.label()
    assert rater.reply["minutes_left"] == 2  # 40 items at 3 s


def test_two_raters_see_two_orders_and_not_each_other(sit):
    ann, ben = sit(order_seed=5), sit(order_seed=5, rater="ben")
    assert ann.labeler.order != ben.labeler.order
    ann.label(note="mine alone")
    while ben.screen["item_id"] is not None:
        assert "mine alone" not in json.dumps(ben.reply)
        assert ben.screen["answers"] == [None, None]
        ben.label()
    assert set(ben.labeler.to_frame()["rater_id"]) == {"ben"}
    assert set(tk.read_journal(ann.labeler.folder).frame["rater_id"]) == {"ann", "ben"}
