"""The first sentence of the report, what limits it, and the pair it is about."""

from __future__ import annotations

import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import LabelError
from toolkit.report import checks_not_run, choose_pair, first_verdict, people_to_compare

RATES = {
    "escalation": {"prevalence": 0.3, "sensitivity": 0.55, "specificity": 0.8},
    "self_harm": {"prevalence": 0.3, "sensitivity": 0.95, "specificity": 0.98},
}


def verdict_of(labels, low=None, high=None, **options):
    agreement = tk.agreement(labels, **options)
    pair = choose_pair(agreement, low, high)
    contrast = tk.contrast(labels, *pair, **options) if pair else None
    selected = None if (low and high) or not pair else tk.contrasts(labels, **options).p_of(*pair)
    return first_verdict(labels, agreement, contrast, p_selected=selected)


def test_a_clear_gap_is_said_with_both_kappas_the_difference_and_the_calls():
    labels = tk.simulate(RATES, n_calls=400, seed=1)
    verdict = verdict_of(labels, "escalation", "self_harm")
    assert verdict.status == "lower"
    assert verdict.sentence.startswith("The judge agrees with the majority of human1, human2")
    assert "less on escalation" in verdict.sentence
    assert "in the same 400 calls" in verdict.sentence
    assert "95 % interval" in verdict.sentence
    assert not verdict.selected


def test_naming_the_pair_the_wrong_way_round_still_tells_which_is_worse():
    labels = tk.simulate(RATES, n_calls=400, seed=1)
    verdict = verdict_of(labels, "self_harm", "escalation")
    assert verdict.status == "higher"
    assert "less on escalation" in verdict.sentence
    assert "interval -" not in verdict.sentence


def test_no_gap_is_not_shown_and_the_sentence_says_how_large_one_may_be():
    labels = tk.simulate(["a", "b"], n_calls=100, seed=2)
    verdict = verdict_of(labels, "a", "b")
    assert verdict.status == "not_shown"
    assert verdict.sentence.startswith("It is not shown")
    assert "stays possible" in verdict.sentence


def test_a_pair_picked_from_the_data_needs_the_adjusted_p_value_and_says_so():
    names = [f"c{i}" for i in range(8)]
    labels = tk.simulate(names, n_calls=120, seed=3)
    verdict = verdict_of(labels)
    assert verdict.selected
    assert verdict.caveats[0].startswith("nobody named the pair beforehand")
    assert verdict.status == "not_shown"  # equal rates: the extremes differ by chance


def test_without_shared_calls_nothing_is_claimed():
    labels = tk.simulate(["a", "b"], n_calls=60)
    frame = labels.frame.assign(call_id=labels.frame["construct"] + labels.frame["call_id"])
    verdict = verdict_of(tk.read_labels(frame), "a", "b")
    assert verdict.status == "undefined"
    assert "no judge call labelled both" in verdict.sentence


def test_one_construct_has_nothing_to_compare():
    verdict = verdict_of(tk.simulate(["a"], n_calls=60))
    assert verdict.status == "single"
    assert "nothing to compare it to" in verdict.sentence


def test_an_all_pass_set_is_called_undefined_not_perfect():
    frame = pd.DataFrame({"item_id": range(50), "ann": 0, "gpt": 0})
    labels = tk.read_labels(
        frame, wide="rater", construct="harm", rater={"ann": "human", "gpt": "judge"}
    )
    verdict = verdict_of(labels)
    assert "undefined" in verdict.sentence
    assert "nothing here shows that the judge can find a case" in verdict.sentence


def test_ties_beyond_a_few_are_a_caveat():
    labels = tk.simulate(["a"], n_calls=300, humans=2, human_error=0.15)
    assert any("people were tied on" in caveat for caveat in verdict_of(labels).caveats)


def test_choose_pair_takes_names_first_and_extremes_for_the_rest():
    labels = tk.simulate({**RATES, "third": {}}, n_calls=400, seed=1)
    agreement = tk.agreement(labels)
    assert choose_pair(agreement) == ("escalation", "self_harm")
    assert choose_pair(agreement, low="third") == ("third", "self_harm")
    assert choose_pair(agreement, high="third") == ("escalation", "third")
    with pytest.raises(LabelError, match=r"unknown construct \(low\). Got: 'z'"):
        choose_pair(agreement, low="z")


def test_people_to_compare_are_the_two_who_share_most_items():
    labels = tk.simulate(["a"], n_calls=60, humans=3)
    frame = labels.frame
    half = frame["item_id"].isin(sorted(set(frame["item_id"]))[::2])
    drop = (frame["rater_id"] == "human1") & half
    assert people_to_compare(tk.read_labels(frame[~drop]), "judge") == ("human2", "human3")
    assert people_to_compare(tk.simulate(["a"], n_calls=9, humans=1), "judge") is None


def test_checks_that_could_not_run_say_what_would_enable_them():
    labels = tk.simulate(["a"], n_calls=60, humans=1)
    checks = checks_not_run(labels, tk.agreement(labels), None, None)
    assert [one["check"] for one in checks] == [
        "same-call contrast",
        "people against people",
        "dependence between items",
        "change over time",
    ]
    assert all(one["why"] and one["enable"] for one in checks)
