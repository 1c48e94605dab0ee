"""What is answered when something goes wrong on the way."""

from __future__ import annotations

import pytest
from disks import no_file_above

from toolkit.labels.journal import journal_events


def kinds(labeler):
    return journal_events(labeler.folder)["kind"].tolist()


def test_a_label_and_an_unsure_answer_are_stored_together_or_not_at_all(rater):
    item, journal = rater.screen["item_id"], rater.labeler.folder / "pilot.ann.1.jsonl"
    before = journal.stat().st_size
    rater.label(tone="unsure", topics=[0])
    both = journal.stat().st_size - before
    rater.decide("undo")
    with no_file_above(journal.stat().st_size + both - 50):  # room for the first line
        reply = rater.label(tone="unsure", topics=[0])
    assert reply["kind"] == "failed"
    assert kinds(rater.labeler) == ["open", "label", "unsure", "undo", "undo"]
    assert rater.labeler.to_frame().empty
    assert rater.send(kind="hello")["screen"]["item_id"] == item


def test_a_decision_of_two_events_is_undone_as_a_whole_or_not_at_all(rater):
    journal = rater.labeler.folder / "pilot.ann.1.jsonl"
    rater.label(tone="unsure", topics=[0])
    before = journal.stat().st_size
    rater.decide("undo")
    both = journal.stat().st_size - before
    rater.label(tone="unsure", topics=[0])
    with no_file_above(journal.stat().st_size + both - 50):
        assert rater.decide("undo")["kind"] == "failed"
    assert rater.labeler.counts["unsure"] == 1


def test_any_error_is_answered_with_its_kind_and_text(rater, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("no \u202emore")

    monkeypatch.setattr(rater.labeler._begin().journal, "append_all", broken)  # noqa: SLF001
    reply = rater.label()
    assert reply == {"kind": "failed", "reason": "RuntimeError: no [U+202E]more"}


@pytest.mark.parametrize(
    "message", [{"kind": "dance"}, {"kind": "label", "answers": [[1], []]}, {"kind": "more"}]
)
def test_a_message_that_makes_no_sense_is_answered(rater, message):
    reply = rater.send(item_id=rater.screen["item_id"], **message)
    assert reply["kind"] == "failed"
    assert reply["reason"].startswith("KeyError")


def test_a_flag_of_which_the_answer_was_lost_is_answered_as_before(rater):
    first = rater.decide("flag", on=True, event_id="f", item_id=rater.screen["item_id"])
    again = rater.receive({"kind": "flag", "event_id": "f", "on": True})
    assert again == first
    assert again["flagged"] is True
    assert kinds(rater.labeler) == ["open", "flag"]


def test_an_undo_of_which_the_answer_was_lost_shows_its_draft_again(rater):
    rater.label(tone=1, topics=[0])
    first = rater.decide("undo", event_id="u")
    again = rater.receive({"kind": "undo", "event_id": "u"})
    assert again == first
    assert again["screen"]["answers"] == [[1], [0]]
    assert kinds(rater.labeler) == ["open", "label", "undo"]


def test_an_event_of_an_earlier_sitting_is_answered_and_not_stored_twice(sit):
    first = sit()
    item = first.screen["item_id"]
    first.label(event_id="e")
    later = sit()
    reply = later.send(kind="label", item_id=item, event_id="e", answers=[[1], []])
    assert reply["kind"] == "saved"
    assert kinds(later.labeler) == ["open", "label", "open"]
