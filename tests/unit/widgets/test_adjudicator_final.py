from __future__ import annotations

import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import LabelError, SchemaError

DECLARED = {"constructs": {
    "tone": {"categories": {0: "calm", 1: "harsh"}, "present": [1]},
    "empathy": {"kind": "ordinal", "categories": [1, 2, 3]},
}}  # fmt: skip


def test_every_final_label_says_where_it_comes_from(label, eve):
    label("olga", {"i0": 0, "i1": 0, "i2": 0, "i3": 0, "i4": 0, "i5": None})
    label("bengt", {"i0": 0, "i1": 1, "i2": 1, "i3": None, "i5": None, "i6": 1})
    at = eve()
    first = at.screen["item_id"]
    at.rule(1, reason="guideline_gap", update_guideline=True, note="why")
    second = at.screen["item_id"]
    at.rule("undecidable", reason="subjective")
    frame = at.labeler.to_frame()
    assert frame["item_id"].tolist() == ["i0", "i1", "i2", "i3", "i4", "i6"]  # nobody said i5
    rows = frame.set_index("item_id")
    assert rows["provenance"].to_dict() == {
        "i0": "unanimous", first: "adjudicated", second: "unresolved",
        "i3": "single", "i4": "single", "i6": "single",
    }  # fmt: skip
    assert rows.loc[first, ["label", "reason", "note"]].tolist() == [1, "guideline_gap", "why"]
    assert rows.loc[second, "label"] is None
    assert rows.loc[second, "reason"] == "subjective"
    assert rows["n_labels"].to_dict() == {first: 2, second: 2, "i0": 2, "i3": 1, "i4": 1, "i6": 1}
    assert tk.read_labels(frame, at.labeler.schema, overlap=False).items == 5
    told = at.labeler.left_out.set_index("reason")["count"].to_dict()
    assert told == {"unsure": 3, "single": 3}


def test_unsure_and_skipped_labels_stand_beside_the_others(label, eve, sit):
    label("olga", {"i0": 0})
    label("bengt", {"i0": 1})
    label("cid", {"i0": None})
    dan = sit([{"item_id": "i0", "text": "words 0"}], DECLARED, rater="dan")
    assert dan.decide("skip")["kind"] == "saved"
    said = [vote["said"][0] for vote in eve().screen["votes"]]
    assert sorted(map(str, said)) == ["0", "1", "skipped", "unsure"]


def test_labels_on_another_text_or_other_items_do_not_count(label, adjudicator):
    label("olga", {"i0": 0, "i1": 0, "i2": 0})
    label("bengt", {"i0": 1, "i1": 1, "i2": 1})
    items = [{"item_id": "i0", "text": "words 0"}, {"item_id": "i1", "text": "another"}]
    opened = adjudicator(items=items)
    assert opened.queue == ["i0"]
    told = opened.left_out.set_index("reason")["count"].to_dict()
    assert told == {"not_in_batch": 2, "text_changed": 2}


def test_without_items_there_is_no_text_but_everything_else(label, eve):
    label("olga", {"i0": 0})
    label("bengt", {"i0": 1})
    at = eve(items=None)
    assert "not at hand" in at.screen["turns"][0]["parts"][0]
    assert at.rule(1)["kind"] == "saved"


def test_only_the_chosen_raters_count(label, adjudicator):
    for rater, value in [("olga", 0), ("bengt", 1), ("cid", 0)]:
        label(rater, {"i0": value})
    assert adjudicator(raters=["olga", "cid"]).queue == []
    with pytest.raises(LabelError, match=r"unknown rater.*olga"):
        adjudicator(raters=["olg"])
    with pytest.raises(LabelError, match="no list"):
        adjudicator(raters="olga")


def test_one_name_is_a_rater_or_an_adjudicator(label, adjudicator, eve, make):
    label("olga", {"i0": 0})
    label("bengt", {"i0": 1})
    with pytest.raises(LabelError, match="both labels and adjudicates"):
        adjudicator(adjudicator="olga")
    eve().rule(1)
    with pytest.raises(LabelError, match="both labels and adjudicates"):
        make(rater="eve")
    make(rater="gus")
    with pytest.raises(LabelError, match="both labels and adjudicates"):
        adjudicator(adjudicator="gus")  # who has opened it to label
    assert adjudicator(adjudicator="fay").queue == ["i0"]  # eve's label is no further opinion


def test_what_is_not_there_is_refused(label, adjudicator):
    with pytest.raises(LabelError, match="can't be read"):
        adjudicator()
    label("olga", {"i0": None})
    with pytest.raises(LabelError, match=r"no rater has labelled"):
        adjudicator()
    with pytest.raises(LabelError, match="no event of this study"):
        adjudicator(study="other")
    label("bengt", {"i0": 1})
    with pytest.raises(SchemaError, match="guideline"):
        adjudicator(guidelines={"strange": "x"})


def test_a_guideline_of_several_options_holds_for_each(sit, adjudicator):
    for rater, topics in [("olga", [0]), ("bengt", [1])]:
        sit(rater=rater).label(topics=topics)
    setup = adjudicator(guidelines={"topics": "All of them."}).widget.setup
    assert [q["guideline"] for q in setup["questions"]] == ["", "All of them.", "All of them."]


def test_nobody_there_nothing_written_and_the_summary_counts(label, adjudicator):
    label("olga", {"i0": 0, "i1": 0})
    label("bengt", {"i0": 1, "i1": 0})
    opened = adjudicator(interactive=False, study="pilot", adjudicator="<b>eve</b>")
    before = sorted(path.name for path in opened.folder.iterdir())
    bundle = opened._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert "0 of 1 items done (0 decided, 0 skipped)" in bundle["text/plain"]
    assert "tone | 1 differ (0 decided, 0 undecidable), 1 unanimous" in bundle["text/plain"]
    assert "<b>eve</b>" not in bundle["text/html"]
    assert sorted(path.name for path in opened.folder.iterdir()) == before


def test_two_raters_agree_as_kappa_says_and_more_as_alpha_says(label, adjudicator):
    ann, ben = [0, 0, 0, 1, 1, 1, 0, 1], [0, 0, 1, 1, 1, 0, 0, 1]
    label("ann", {f"i{n}": value for n, value in enumerate(ann)})
    label("ben", {f"i{n}": value for n, value in enumerate(ben)})
    row = adjudicator(interactive=False).agreement().iloc[0]
    assert (row["coefficient"], row["raters"], row["n"]) == ("cohen_kappa", 2, 8)
    # Of 8 items 6 agree, by chance half of them: (0.75 - 0.5) / (1 - 0.5).
    assert row["estimate"] == pytest.approx(0.5)
    assert row["low"] < 0.5 < row["high"]
    cid = [0, 0, 0, 1, 1, 1, 1]
    label("cid", {f"i{n}": value for n, value in enumerate(cid)})
    row = adjudicator(interactive=False).agreement().iloc[0]
    assert (row["coefficient"], row["raters"], row["n"]) == ("krippendorff_alpha", 3, 8)
    # Of the 23 labels 11 are 0 and 12 are 1. Items 0 to 6 have three labels, of which i2 (0 1 0),
    # i5 (1 0 1) and i6 (0 0 1) have 4 of 6 ordered pairs that differ; item 7 agrees. Observed
    # disagreement (3 * 4 / 2) / 23, expected 2 * 11 * 12 / (23 * 22).
    assert row["estimate"] == pytest.approx(1 - (6 / 23) / (264 / 506))
    assert row["low"] < row["estimate"] < row["high"] < 1


def test_decisions_do_not_move_the_agreement_of_the_raters(label, eve):
    label("olga", {"i0": 0, "i1": 0, "i2": 1})
    label("bengt", {"i0": 1, "i1": 0, "i2": 1})
    at = eve()
    before = at.labeler.agreement()
    at.rule(1)
    pd.testing.assert_frame_equal(eve().labeler.agreement(), before)


def test_raters_are_told_their_agreement_when_all_have_finished(sit, make):
    olga = sit(rater="olga")
    for _ in range(4):
        olga.label(tone=1)
    with pytest.raises(LabelError, match="when all raters of the study have finished"):
        olga.labeler.agreement()  # there is nobody else
    bengt = sit(rater="bengt")
    for tone in (1, 0, "unsure"):
        bengt.label(tone=tone)
    for rater in (olga, bengt):
        with pytest.raises(LabelError, match=r"2 who began, waiting for bengt \(1 of 4 open\)"):
            rater.labeler.agreement()
    bengt.decide("skip")
    frame = make(rater="olga", interactive=False).agreement()
    assert frame.set_index("construct")["n"].to_dict() == {
        "tone": 2, "topics.work": 3, "topics.family": 3,
    }  # fmt: skip
