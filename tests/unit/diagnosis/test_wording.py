from __future__ import annotations

import pytest

import toolkit as tk
from toolkit.diagnosis.measure import CAUSES
from toolkit.diagnosis.words import ENABLE, TITLES, listed

SIZES = {"n_calls": 400, "seed": 1}


def _diagnosis(cause, **options):
    names = ["a", "b", "c"]
    labels = tk.simulate(names, cause=cause, **{**SIZES, **options})
    return tk.diagnose(labels, low="a", high="c", draws=500)


def test_words_are_joined():
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(["a", "b", "c"], "or") == "a, b or c"


def test_every_cause_has_a_title_and_what_would_make_it_testable():
    assert set(TITLES) == set(ENABLE) == set(CAUSES)


def test_a_named_cause_is_said_with_its_share_and_its_numbers():
    made = _diagnosis("threshold_shift")
    said = made.verdict.sentence
    assert made.verdict.causes == ("threshold_shift",)
    assert said.startswith(f"Kappa of a is {made.gap.kappa_low:.2f} and of c")
    assert "in the same 400 calls" in said
    assert "Supported: a threshold shift (undone, it closes" in said
    assert made.evidence["threshold_shift"].sentence in said
    assert any("Whose cut is right" in question for question in made.verdict.questions)


def test_two_open_causes_are_listed_and_what_would_tell_them_apart():
    made = _diagnosis("definition", humans=1)
    assert made.verdict.causes == ()
    assert set(made.verdict.open) == {"human_ceiling", "definition"}
    assert "It is open whether this is" in made.verdict.sentence
    assert any("second person" in question for question in made.verdict.questions)
    assert any("second person" in step for step in made.next_steps)


def test_a_remainder_says_what_it_may_still_hide():
    made = _diagnosis("definition", humans=3)
    assert made.verdict.causes == ("definition",)
    assert "is left when the others are undone" in made.verdict.sentence
    assert "Not tested, so not excluded: " in made.verdict.sentence


def test_too_few_labels_say_how_many_are_needed():
    made = _diagnosis(None, n_calls=60, sensitivity=0.7)
    assert made.verdict.causes == ("too_few_labels",)
    needed = made.evidence["too_few_labels"].facts["labels_needed"]
    assert f"about {needed:,} calls are needed" in made.verdict.sentence


def test_no_gap_has_no_cause():
    made = _diagnosis(None, n_calls=2000, prevalence=0.5)
    assert made.verdict.causes == ()
    assert "No gap that matters" in made.verdict.sentence


def test_the_wrong_way_round_is_said():
    labels = tk.simulate(["a", "b", "c"], cause="threshold_shift", **SIZES)
    made = tk.diagnose(labels, low="c", high="a", draws=500)
    assert made.verdict.causes == ()
    assert "c is not the lower one" in made.verdict.sentence


def test_a_picked_pair_is_said_to_be_picked():
    labels = tk.simulate(["a", "b", "c"], cause="threshold_shift", **SIZES)
    made = tk.diagnose(labels, draws=500)
    assert "widened because they were picked from 3" in made.verdict.sentence


@pytest.mark.parametrize("cause", ["reversed_polarity", "threshold_shift", "halo"])
def test_every_named_cause_has_a_next_step_and_its_rule(cause):
    made = _diagnosis(cause)
    assert cause in made.verdict.causes
    assert made.evidence[cause].next_step in made.next_steps
    assert made.verdict.rules[cause] == made.evidence[cause].rule


def _turned_round(labels):
    """The same labels with the judge's answers on a reversed."""
    frame = labels.frame.copy()
    own = (frame["rater_id"] == "judge") & (frame["construct"] == "a")
    frame.loc[own, "label"] = 1 - frame.loc[own, "label"].astype(int)
    return tk.read_labels(frame, schema=labels.schema)


def test_what_an_undone_reversal_leaves_is_said_to_be_left():
    labels = tk.simulate(["a", "b", "c"], cause="threshold_shift", **SIZES)
    made = tk.diagnose(_turned_round(labels), low="a", high="c", draws=500)
    assert made.verdict.causes == ("reversed_polarity", "threshold_shift")
    assert "a threshold shift (undone, it closes " in made.verdict.sentence
    assert "the gap that is then left)" in made.verdict.sentence


def test_a_share_above_one_closes_more_than_the_gap():
    # The reversed construct is the better one once it is turned round.
    labels = tk.simulate(["a", "b", "c"], cause="threshold_shift", **SIZES)
    frame = labels.frame.replace({"construct": {"a": "c", "c": "a"}})
    better = _turned_round(tk.read_labels(frame, schema=labels.schema))
    made = tk.diagnose(better, low="a", high="c", draws=500)
    assert made.evidence["reversed_polarity"].share > 1.05
    assert "(undone, it closes more than the gap)" in made.verdict.sentence


def test_unreadable_labels_are_counted_on_the_labels_as_they_are():
    labels = _turned_round(tk.simulate(["a", "b", "c"], **SIZES))
    frame = labels.frame
    lost = (frame["rater_id"] == "judge") & (frame["construct"] == "a")
    lost &= frame["item_id"].isin(frame["item_id"].unique()[::3])
    kept = tk.read_labels(frame[~lost], schema=labels.schema)
    made = tk.diagnose(kept, low="a", high="c", draws=500)
    one = made.evidence["unreadable"]
    assert made.verdict.causes[0] == "reversed_polarity"
    gained = one.share * made.gap.difference
    assert one.kappa_without == pytest.approx(made.gap.kappa_low + gained)


def test_one_call_is_no_plural():
    labels = tk.simulate(["a", "b"], n_calls=1, humans=1)
    said = tk.diagnose(labels, low="a", high="b", draws=200).verdict.sentence
    assert "1 shared calls" not in said
    assert " 1 calls" not in said
