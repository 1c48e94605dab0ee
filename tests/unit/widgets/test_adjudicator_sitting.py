from __future__ import annotations

import pytest

import toolkit as tk
from toolkit.labels.journal import Journal, journal_events
from toolkit.widgets.adjudication import UNDECIDABLE, _answer


@pytest.fixture(autouse=True)
def raters(label):
    """Two raters who agree on i0, differ on i1, i2 and i3; on i3 by both constructs."""
    label("olga", {"i0": 0, "i1": 0, "i2": 0, "i3": {"tone": 0, "empathy": 1}})
    label("bengt", {"i0": 0, "i1": 1, "i2": 1, "i3": {"tone": 1, "empathy": 3}}, note="hm")


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if ".eve." not in path.name}


def decisions(folder):
    events = journal_events(folder)
    return events[events["rater"] == "eve"]


def test_a_decision_is_in_the_journal_with_what_it_resolves(eve):
    at = eve()
    assert at.screen["item_id"] == "i3"  # two constructs, no pair agrees, widest distance
    reply = at.rule(1, "undecidable", reason="guideline_gap", update_guideline=True, note="why")
    event = decisions(at.labeler.folder).iloc[-1]
    assert reply["kind"] == "saved"
    assert event["kind"] == "adjudicate"
    assert event["labels"] == {"tone": 1, "empathy": None}
    assert event["provenance"] == {"tone": "adjudicated", "empathy": "unresolved"}
    assert (event["reason"], event["update_guideline"]) == ("guideline_gap", True)
    assert (event["note"], event["order_index"], event["pairs"]) == ("why", 0, 2)
    sources = journal_events(at.labeler.folder).set_index("event_id").loc[event["sources"]]
    assert sorted(sources["rater"]) == ["bengt", "olga"]
    assert set(sources["item_id"]) == {"i3"}


def test_the_raters_files_stay_as_they_are(eve, adjudicator):
    at = eve()
    before = files(at.labeler.folder)
    at.rule(1, 0)
    at.decide("skip")
    at.decide("undo")
    adjudicator(interactive=False).to_frame()
    assert files(at.labeler.folder) == before
    assert sorted(before) == ["pilot.bengt.1.jsonl", "pilot.olga.1.jsonl"]


def test_only_constructs_on_which_raters_differ_are_asked(eve):
    at = eve()
    assert at.screen["asked"] == [0, 1]
    at.rule(1, 0)
    assert at.screen["asked"] == [0]


@pytest.mark.parametrize(
    ("answers", "reason"),
    [([1], "edge_case"), ([1, None], "edge_case"), ([2, 0], "edge_case"), ([True, 9], "edge_case"),
     ([1, "unsure"], "edge_case"), ([1, 0], None), ([1, 0], "because")],
)  # fmt: skip
def test_what_is_no_decision_or_has_no_reason_is_refused(eve, answers, reason):
    at = eve()
    assert at.rule(*answers, reason=reason)["kind"] == "refused"
    assert at.screen["item_id"] == "i3"
    assert decisions(at.labeler.folder)["kind"].tolist() == ["open"]


def test_a_message_about_another_item_is_refused(eve):
    at = eve()
    assert at.rule(1, item_id="i1")["kind"] == "refused"
    assert at.screen["item_id"] == "i3"


def test_the_same_message_twice_is_saved_once(eve):
    at = eve()
    assert at.rule(1, 0, event_id="once", item_id="i3")["kind"] == "saved"
    assert at.rule(1, 0, event_id="once", item_id="i3")["kind"] == "saved"
    assert decisions(at.labeler.folder)["kind"].tolist() == ["open", "adjudicate"]


def test_undo_shows_what_was_decided_also_in_a_later_sitting(eve):
    eve().rule(1, "undecidable", reason="subjective", update_guideline=True, note="hm")
    again = eve()
    assert again.screen["item_id"] != "i3"
    again.decide("undo")
    assert again.screen["item_id"] == "i3"
    assert again.screen["answers"] == [1, "undecidable"]
    assert (again.screen["reason"], again.screen["note"]) == ("subjective", "hm")
    assert again.screen["update_guideline"] is True
    assert again.labeler.counts["open"] == 3
    assert again.decide("undo")["reason"] == "there is nothing to undo"


def test_back_shows_a_decision_and_a_new_one_replaces_it(eve):
    at = eve()
    at.rule(1, 0)
    at.send(kind="back", item_id=at.screen["item_id"])
    assert (at.screen["item_id"], at.screen["answers"]) == ("i3", [1, 0])
    at.rule(0, 2)
    frame = at.labeler.to_frame().set_index(["item_id", "construct"])
    assert frame.loc["i3", "label"].to_dict() == {"tone": 0, "empathy": 3}


def test_skipped_cases_come_again_and_opening_again_goes_on(eve):
    at = eve()
    at.decide("skip")
    at.rule(1)
    again = eve()
    assert again.labeler.counts == {"open": 1, "decided": 1, "skipped": 1}
    again.rule(0)
    assert again.screen["item_id"] is None
    again.send(kind="again", item_id=None)
    assert again.screen["item_id"] == "i3"
    again.rule(1, 1)
    assert again.labeler.counts == {"open": 0, "decided": 3, "skipped": 0}


def test_a_note_on_a_skipped_case_is_there_when_it_comes_again(eve):
    eve().decide("skip", note="ask the author")
    again = eve()
    again.send(kind="again", item_id=again.screen["item_id"])
    assert (again.screen["item_id"], again.screen["note"]) == ("i3", "ask the author")
    assert again.screen["answers"] == [None, None]


def test_flags_and_notes_of_raters_are_shown(eve, adjudicator):
    with Journal.open(adjudicator().folder, study="pilot", rater="olga") as journal:
        journal.append("flag", item_id="i3", on=True)
        journal.append("flag", item_id="i1", on=True)
        journal.append("flag", item_id="i1", on=False)
    votes = eve().screen["votes"]
    assert sorted((vote["flagged"], vote["note"]) for vote in votes) == [
        (False, ["hm"]),
        (True, []),
    ]


def test_a_label_that_changed_since_opens_the_item_again(eve, label):
    at = eve()
    at.rule(1, 0)
    at.rule(1)
    item = decisions(at.labeler.folder)["item_id"].iloc[-1]
    label("cid", {item: 1})
    label("olga", {"i3": {"tone": 0, "empathy": 2}})
    again = eve()
    assert again.labeler.counts["decided"] == 0
    assert "2 open again, their labels have changed" in repr(again.labeler)
    assert again.reply["changed"] == 2


def test_labelling_the_same_again_opens_nothing(eve, label):
    eve().rule(1, 0)
    label("olga", {"i3": {"tone": 0, "empathy": 1}})
    assert eve().labeler.counts["decided"] == 1


def test_a_disk_that_refuses_is_reported_and_the_case_stays(eve):
    at = eve()
    (at.labeler.folder / "pilot.eve.1.jsonl").unlink()
    reply = at.rule(1, 0)
    assert reply["kind"] == "failed"
    assert "NOT SAVED" in reply["reason"]
    assert at.send(kind="hello")["screen"]["item_id"] == "i3"
    assert at.labeler.counts["decided"] == 0


def test_read_journal_gives_the_raters_alone_and_counts_what_was_decided(eve):
    at = eve()
    before = tk.read_journal(at.labeler.folder)
    at.rule(1, 0)
    at.decide("skip")
    labels = tk.read_journal(at.labeler.folder)
    assert set(labels.frame["rater_id"]) == {"bengt", "olga"}
    assert labels.frame.equals(before.frame)
    assert labels.left_out.values.tolist() == [
        ["tone", "eve", "adjudication", 2],
        ["empathy", "eve", "adjudication", 1],
    ]
    assert (before.flags, labels.flags) == ((), ("adjudicated_by:eve",))


def test_the_final_labels_and_not_a_further_vote_settle_an_item(eve, label):
    # Of 0, 0, 1 the majority is 0; eve decides on 1, and 0, 0, 1, 1 would have none.
    label("olga", {"i9": 0})
    label("bengt", {"i9": 0})
    label("cid", {"i9": 1})
    at = eve(items=[{"item_id": "i9", "text": "words 9"}])
    at.rule(1)
    final = tk.read_labels(at.labeler.to_frame(), at.labeler.schema, overlap=False)
    assert final.frame["label"].tolist() == [1]
    votes = tk.read_journal(at.labeler.folder).frame.query("item_id == 'i9'")
    assert sorted(votes["label"]) == [0, 0, 1]


def test_a_decision_on_labels_that_have_changed_meanwhile_is_refused(eve, label):
    at = eve()
    label("cid", {"i9": 1})  # another item, so nothing of this one
    assert at.rule(1, 0)["kind"] == "saved"
    item = at.screen["item_id"]
    label("bengt", {item: 0})
    reply = at.rule(1)
    assert (reply["kind"], at.screen["item_id"]) == ("refused", item)
    assert "has changed a label" in reply["reason"]
    assert decisions(at.labeler.folder)["kind"].tolist() == ["open", "adjudicate"]


def test_journals_are_read_again_only_where_a_rater_has_written(eve, label):
    at = eve()
    laid_out = at.labeler._now  # noqa: SLF001
    at.rule(1, 0)
    assert at.labeler._now is laid_out  # noqa: SLF001
    label("cid", {"i9": 1})
    at.rule(1)
    assert at.labeler._now is not laid_out  # noqa: SLF001


def test_a_decided_category_that_is_none_any_more_is_shown_as_open(eve):
    at = eve()
    event = {"kind": "adjudicate", "labels": {"tone": 7}}
    question = at.labeler._questions.asked[0]  # noqa: SLF001
    assert _answer(question, event) is None
    assert _answer(question, event | {"labels": {"tone": 1}}) == 1
    assert _answer(question, event | {"labels": {"tone": None}}) == UNDECIDABLE
