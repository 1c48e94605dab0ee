"""The reader, on files that are written by hand and not by the writer."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import LabelError
from toolkit.labels import read_labels
from toolkit.labels.journal import journal_events, read_journal

SCHEMA = {"constructs": {"tone": {"categories": [0, 1]}, "gist": {"categories": ["bad", "good"]}}}


def event(seq, kind="label", *, rater="ann", sitting=1, at=None, item_id="i1", **fields):
    """One event by hand; its minute is its seq."""
    made = {
        "schema": 1,
        "event_id": f"{rater}{sitting}-{seq}",
        "kind": kind,
        "study": "pilot",
        "rater": rater,
        "sitting": sitting,
        "seq": seq,
        "item_id": item_id,
        "decided_at": f"2026-01-31T09:{seq if at is None else at:02d}:00+00:00",
    }
    return made | fields


def label(seq, value=1, **fields):
    return event(seq, labels={"tone": value}, **fields)


@pytest.fixture
def written(tmp_path):
    """Write journals by name: events, or text as it is."""

    def write(**files):
        for name, content in files.items():
            path = tmp_path / f"{name}.jsonl"
            if isinstance(content, list):
                path.write_text("".join(json.dumps(event) + "\n" for event in content))
            else:
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return write


def found(labels, column="label"):
    frame = labels.frame
    keys = zip(frame["rater_id"], frame["item_id"], frame["construct"], strict=True)
    return dict(zip(keys, frame[column], strict=True))


def left_out(labels):
    return [tuple(row) for row in labels.left_out.itertuples(index=False)]


def test_the_last_label_of_a_rater_counts_whatever_the_file_says_first(written):
    folder = written(
        b=[label(5, 1, sitting=1), label(2, 0)],
        a=[label(4, 0, sitting=2), label(1, 1, rater="ben")],
    )
    assert found(read_journal(folder)) == {("ann", "i1", "tone"): 1, ("ben", "i1", "tone"): 1}


def test_equal_times_are_ordered_by_sitting_then_seq(written):
    folder = written(
        a=[label(1, 1, sitting=2, at=0), label(9, 0, sitting=1, at=0)],
        b=[label(2, 1, rater="ben", at=0), label(10, 0, rater="ben", at=0)],
    )
    assert found(read_journal(folder)) == {("ann", "i1", "tone"): 1, ("ben", "i1", "tone"): 0}


def test_times_of_two_offsets_are_compared_as_moments(written):
    folder = written(
        a=[
            label(1, 1) | {"decided_at": "2026-01-31T10:30:00+02:00"},
            label(2, 0) | {"decided_at": "2026-01-31T09:00:00Z"},
            label(3, 1) | {"decided_at": "2026-01-31T10:45:00.5+02:00"},
        ]
    )
    assert found(read_journal(folder)) == {("ann", "i1", "tone"): 0}


def test_undo_brings_back_the_label_before_it(written):
    folder = written(a=[label(1, 0), label(2, 1), event(3, "undo", of="ann1-2")])
    assert found(read_journal(folder)) == {("ann", "i1", "tone"): 0}


def test_undo_of_an_undo_brings_the_label_back(written):
    undo = [event(2, "undo", of="ann1-1"), event(3, "undo", of="ann1-2")]
    assert found(read_journal(written(a=[label(1, 1), *undo]))) == {("ann", "i1", "tone"): 1}


def test_undo_takes_back_the_whole_event_and_may_come_from_a_later_sitting(written):
    both = event(1, labels={"tone": 1, "gist": "bad"})
    undo = event(1, "undo", sitting=2, at=5, of="ann1-1")
    folder = written(a=[both, label(2, 1, item_id="i2")], b=[undo])
    assert found(read_journal(folder)) == {("ann", "i2", "tone"): 1}


def test_an_undo_of_somebody_elses_event_does_nothing_and_is_flagged(written):
    undo = event(2, "undo", rater="ben", of="ann1-1")
    labels = read_journal(written(a=[label(1, 1)], b=[undo]))
    assert found(labels) == {("ann", "i1", "tone"): 1}
    assert "undo_without_event:1" in labels.flags


def test_skipped_and_unsure_cells_are_counted_and_hold_no_label(written):
    folder = written(
        a=[
            event(1, labels={"tone": 1, "gist": "good"}),
            event(2, "unsure", labels={"tone": None}),
            event(3, "skip", item_id="i2"),
            event(4, "skip", item_id="i3"),
            event(5, labels={"tone": 0, "gist": None}, item_id="i3"),
        ]
    )
    labels = read_journal(folder)
    assert found(labels) == {("ann", "i1", "gist"): "good", ("ann", "i3", "tone"): 0}
    assert sorted(left_out(labels)) == [
        ("gist", "ann", "missing", 1),
        ("gist", "ann", "skip", 1),
        ("tone", "ann", "skip", 1),
        ("tone", "ann", "unsure", 1),
    ]


def test_abstentions_of_the_schema_are_told_from_unsure_events(written):
    schema = {"constructs": {"tone": {"categories": [0, 1], "abstain": ["can't say"]}}}
    folder = written(
        a=[label(1, "can't say"), event(2, "unsure", item_id="i2"), label(3, 1, item_id="i3")]
    )
    labels = read_journal(folder, schema=schema)
    assert left_out(labels) == [("tone", "ann", "abstain", 1), ("tone", "ann", "unsure", 1)]


def test_flags_and_notes_change_no_label(written):
    events = [label(1, 1, note="sure"), event(2, "flag"), event(3, "note", note="hm")]
    labels = read_journal(written(a=events))
    assert found(labels) == {("ann", "i1", "tone"): 1}
    assert found(labels, "note") == {("ann", "i1", "tone"): "sure"}


def test_a_torn_last_line_is_reported_and_the_rest_is_read(written):
    whole = json.dumps(label(1, 1)) + "\n"
    for torn in (json.dumps(label(2, 0))[:-1], "\0\0\0", '"'):
        labels = read_journal(written(a=whole + torn))
        assert labels.flags[0] == "torn_last_line:a.jsonl"
        assert found(labels) == {("ann", "i1", "tone"): 1}


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_last_line_cut_within_a_character_is_torn(written, cut):
    data = (json.dumps(label(1, 1)) + "\n").encode()
    more = json.dumps(label(2, 0, item_id="ü" * 40), ensure_ascii=False).encode()
    labels = read_journal(written(a=data + more[:-cut]))
    assert labels.flags[0] == "torn_last_line:a.jsonl"


def test_a_complete_last_line_without_its_end_counts(written):
    labels = read_journal(written(a=json.dumps(label(1, 1))))
    assert found(labels) == {("ann", "i1", "tone"): 1}
    assert not any(flag.startswith("torn") for flag in labels.flags)


@pytest.mark.parametrize("torn", ['{"schema": 1, "event_i', "[]", "3", "\0\0", "[" * 100_000])
def test_a_torn_middle_line_is_an_error_with_file_and_line(written, torn):
    text = "\n".join([json.dumps(label(1, 1)), "", torn, json.dumps(label(2, 0)), ""])
    with pytest.raises(LabelError, match=r"torn or no event \(a.jsonl, line 3\)") as error:
        read_journal(written(a=text))
    assert error.value.got is None  # the line may hold what somebody else said


def test_blank_lines_and_line_ends_of_windows_are_read(written):
    text = "\r\n".join(["", json.dumps(label(1, 1)), "  ", json.dumps(label(2, 0)), ""])
    assert found(read_journal(written(a=text))) == {("ann", "i1", "tone"): 0}


def test_copies_of_an_event_count_once(written):
    again = label(1, 1) | {"sitting": 2, "seq": 7, "decided_at": "2026-01-31T09:40:00+00:00"}
    folder = written(a=[label(1, 1), label(2, 0)], copy=[label(1, 1), label(2, 0)], later=[again])
    labels = read_journal(folder)
    assert found(labels) == {("ann", "i1", "tone"): 0}
    assert labels.flags[0] == "duplicate_events:3"
    assert not any(flag.startswith("conflicting") for flag in labels.flags)
    assert len(journal_events(folder)) == 2


def test_copies_that_say_something_else_are_flagged_and_the_first_counts(written):
    labels = read_journal(written(a=[label(1, 1), label(2, 0) | {"event_id": "ann1-1"}]))
    assert found(labels) == {("ann", "i1", "tone"): 1}
    assert labels.flags[:2] == ("duplicate_events:1", "conflicting_events:1")


def test_an_item_labelled_on_two_texts_is_flagged(written):
    folder = written(
        a=[label(1, 1, item_sha256="aa"), label(2, 1, item_id="i2", item_sha256="bb")],
        b=[label(1, 1, rater="ben", item_sha256="ac"), label(2, 1, rater="ben", item_id="i2")],
    )
    assert read_journal(folder).flags[0] == "item_changed:i1"


def test_many_changed_items_are_shortened(written):
    events = [
        label(2 * n + side, 1, item_id=f"i{n}", item_sha256=str(side))
        for n in range(12)
        for side in (0, 1)
    ]
    events = [event | {"seq": event["seq"] + 1} for event in events]
    assert read_journal(written(a=events)).flags[0].endswith("i9 and 2 more")


def test_the_schema_of_the_last_opening_counts(written):
    opening = {"tone": {"categories": [2, 1, 0]}}
    folder = written(
        a=[
            event(1, "open", item_id=None, constructs={"tone": {"categories": [0, 1]}}),
            event(2, "open", item_id=None, constructs=opening),
            label(3, 1),
        ]
    )
    labels = read_journal(folder)
    assert labels.schema["tone"].categories == (2, 1, 0)
    assert labels.flags == ("schema_changed", "one_rater")
    assert read_journal(folder, schema=SCHEMA).schema["tone"].categories == (0, 1)


def test_a_decision_on_a_disagreement_is_no_vote_but_counted_and_named(written):
    ruled = event(1, "adjudicate", rater="eve", labels={"tone": 0}, reason="guideline gap")
    skipped = event(2, "skip", rater="eve", item_id="i2", labels={"tone": None})
    labels = read_journal(
        written(a=[label(1, 1)], b=[label(1, 0, rater="ben")], c=[ruled, skipped])
    )
    assert found(labels) == {("ann", "i1", "tone"): 1, ("ben", "i1", "tone"): 0}
    assert left_out(labels) == [("tone", "eve", "adjudication", 2)]
    assert labels.flags[0] == "adjudicated_by:eve"


def test_who_merely_opened_to_decide_has_adjudicated_nothing(written):
    opened = event(1, "open", rater="eve", item_id=None, role="adjudicator")
    labels = read_journal(written(a=[label(1, 1)], c=[opened]))
    assert not any(flag.startswith("adjudicated") for flag in labels.flags)


def test_a_label_of_who_decides_later_stays_a_vote(written):
    events = [label(1, 1), event(2, "adjudicate", labels={"tone": 0})]
    assert found(read_journal(written(a=events))) == {("ann", "i1", "tone"): 1}


def test_several_studies_are_not_mixed(written):
    folder = written(a=[label(1, 1)], b=[label(2, 0, item_id="i9") | {"study": "main"}])
    with pytest.raises(LabelError, match="several studies") as error:
        read_journal(folder)
    assert error.value.allowed == ["pilot", "main"]
    assert found(read_journal(folder, "main")) == {("ann", "i9", "tone"): 0}
    with pytest.raises(LabelError, match="no event of this study"):
        read_journal(folder, "other")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "a newer toolkit wrote this"),
        ({"schema": "1"}, "schema"),
        ({"kind": "lable"}, "did you mean 'label'"),
        ({"kind": ["label"]}, "kind"),
        ({"event_id": None}, "event_id of a journal event is missing"),
        ({"rater": " "}, "rater"),
        ({"item_id": 7}, "item_id"),
        ({"sitting": True}, "sitting"),
        ({"seq": 0}, "seq"),
        ({"labels": None}, "labels"),
        ({"labels": {"tone": {}}}, "labels"),
        ({"decided_at": "2026-01-31T09:00:00"}, "offset from UTC"),
        ({"decided_at": 12}, "offset from UTC"),
        ({"active_seconds": True, "note": 1}, "note"),
        ({"kind": "undo"}, "of of a journal event is missing"),
    ],
)
def test_a_field_that_makes_no_sense_is_named_with_file_and_line(written, change, message):
    with pytest.raises(LabelError, match=message) as error:
        read_journal(written(a=[label(1, 1), label(2, 1) | change]))
    assert error.value.where == "a.jsonl, line 2"


def test_a_label_that_the_schema_lacks_is_named_with_file_and_line(written):
    with pytest.raises(LabelError, match=r"unknown label.*a\.jsonl, line 2"):
        read_journal(written(a=[label(1, 1), label(2, 7)]), schema=SCHEMA)


def test_a_folder_without_labels_says_so(written, tmp_path):
    with pytest.raises(LabelError, match="no journal in it"):
        read_journal(tmp_path)
    with pytest.raises(LabelError, match="No such file"):
        read_journal(tmp_path / "none")
    with pytest.raises(LabelError, match="null"):
        read_journal("a\0b")
    with pytest.raises(LabelError, match="no event yet"):
        read_journal(written(a=""))
    with pytest.raises(LabelError, match="no label yet"):
        read_journal(written(a=[event(1, "flag")]))
    with pytest.raises(LabelError, match="no usable label"):
        read_journal(written(a=[event(1, "skip", labels={"tone": None})]))


def test_a_folder_in_the_place_of_a_journal_is_named(written, tmp_path):
    (tmp_path / "b.jsonl").mkdir()
    with pytest.raises(LabelError, match=r"can't be read.*b\.jsonl"):
        read_journal(written(a=[label(1, 1)]))


def test_half_an_emoji_in_a_note_does_not_stop_a_table(written):
    labels = read_journal(written(a=[label(1, 1, note="cut \ud83d"), label(2, 1, item_id="i2")]))
    assert found(labels, "note")["ann", "i1", "tone"] == "cut \ufffd"


def test_events_are_all_there_with_every_field(written):
    folder = written(a=[label(2, 1, shown_at="x"), event(1, "open", item_id=None)])
    frame = journal_events(folder)
    assert frame["kind"].tolist() == ["open", "label"]
    assert frame["shown_at"].tolist() == [None, "x"]
    assert {"event_id", "of", "item_sha256", "note", "active_seconds"} <= set(frame)


@pytest.fixture
def two_people(written):
    """Two people on 40 items and two constructs; ben differs on every fifth."""
    events = {"ann": [], "ben": []}
    for n in range(40):
        for rater, made in events.items():
            tone = int(n % 3 == 0) ^ int(rater == "ben" and n % 5 == 0)
            labels = {"tone": tone, "harm": int(n % 4 == 0)}
            made.append(event(n + 1, rater=rater, item_id=f"i{n}", labels=labels))
    return written(**events)


def test_labels_of_people_go_into_agreement(two_people):
    people = read_journal(two_people)
    agreed = tk.agreement(people, judge="ben", reference="ann").to_frame().set_index("construct")
    assert agreed.loc["tone", "agreement"] == pytest.approx(0.8)
    assert agreed.loc["harm", "kappa"] == 1


def test_labels_of_people_beside_those_of_a_judge_go_into_diagnosis(two_people):
    people = read_journal(two_people).to_frame()
    judge = people[people["rater_id"] == "ann"].assign(rater_id="gpt", rater_kind="judge")
    columns = ["item_id", "construct", "rater_id", "label", "rater_kind"]
    labels = read_labels(pd.concat([people[columns], judge[columns]], ignore_index=True))
    found = tk.diagnose(labels, low="tone", high="harm", reference="ben")
    assert found.contrast.n_calls == 40
    assert found.verdict.sentence
