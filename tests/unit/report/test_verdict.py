"""The first sentence of the report, what limits it, and the pair it is about."""

from __future__ import annotations

import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import LabelError
from toolkit.report import (
    checks_not_run,
    choose_pair,
    first_verdict,
    left_out_table,
    people_to_compare,
    selection,
)
from toolkit.report.caveats import caveats_of
from toolkit.report.words import in_words

RATES = {
    "escalation": {"prevalence": 0.3, "sensitivity": 0.55, "specificity": 0.8},
    "self_harm": {"prevalence": 0.3, "sensitivity": 0.95, "specificity": 0.98},
}


def verdict_of(labels, low=None, high=None, **options):
    agreement = tk.agreement(labels, **options)
    pair = choose_pair(agreement, low, high)
    contrast = tk.contrast(labels, *pair, **options) if pair else None
    selected = selection(labels, pair, low, high, **options)
    return first_verdict(labels, agreement, contrast, selected)


def test_a_clear_gap_is_said_with_both_kappas_the_difference_and_the_calls():
    labels = tk.simulate(RATES, n_calls=400, seed=1)
    verdict = verdict_of(labels, "escalation", "self_harm")
    assert verdict.status == "lower"
    assert verdict.sentence.startswith("The judge agrees with the majority of human1, human2")
    assert "less on escalation" in verdict.sentence
    assert "in the same 400 calls" in verdict.sentence
    assert "95 % interval" in verdict.sentence
    assert verdict.p_selected is None
    assert verdict.focus == "escalation"


def test_naming_the_pair_the_wrong_way_round_still_tells_which_is_worse():
    labels = tk.simulate(RATES, n_calls=400, seed=1)
    verdict = verdict_of(labels, "self_harm", "escalation")
    assert verdict.status == "higher"
    assert "less on escalation" in verdict.sentence
    assert "interval -" not in verdict.sentence
    assert verdict.focus == "escalation"


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
    assert verdict.p_selected is not None
    assert verdict.caveats[0].startswith("nobody named both constructs: they are the lowest and")
    assert verdict.status == "not_shown"  # equal rates: the extremes differ by chance


def test_without_shared_calls_nothing_is_claimed():
    apart = in_calls_of_their_own(tk.simulate(["a", "b"], n_calls=60))
    verdict = verdict_of(apart, "a", "b")
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


def test_a_pair_with_one_name_says_what_was_picked_and_adjusts_for_that_alone():
    labels = tk.simulate(["a", "b", "c", "d"], n_calls=150, seed=4)
    picked = selection(labels, ("b", "c"), "b", None)
    assert picked.number == 3
    assert picked.picked == "c was picked as the highest of 3 others"
    assert selection(labels, ("b", "c"), "b", "c") is None
    two = tk.simulate(["a", "b"], n_calls=50)
    assert selection(two, ("a", "b"), None, None) is None


def in_calls_of_their_own(labels):
    frame = labels.frame
    return tk.read_labels(frame.assign(call_id=frame["construct"] + frame["call_id"]))


def always_0(labels, *constructs):
    frame = labels.frame
    return tk.read_labels(
        frame.assign(label=frame["label"].mask(frame["construct"].isin(constructs), 0))
    )


def test_a_pair_that_could_not_be_compared_has_no_p_value_to_adjust():
    apart = in_calls_of_their_own(tk.simulate(["a", "b", "c"], n_calls=60))
    assert selection(apart, ("a", "b"), None, None) is None
    assert selection(apart, ("a", "b"), "a", None) is None
    verdict = verdict_of(apart)
    assert verdict.p_selected is None
    assert not any("Holm" in one or "nan" in one for one in verdict.caveats)


def test_a_pair_of_which_one_is_undefined_is_not_adjusted_for_the_contrasts_of_others():
    frame = tk.simulate(["a", "b", "c"], n_calls=60).frame
    constant = tk.read_labels(
        frame.assign(label=frame["label"].where(frame["construct"] != "a", 0))
    )
    assert selection(constant, ("a", "b"), None, None) is None
    assert selection(constant, ("b", "c"), None, None).number == 1


def test_what_the_headline_says_is_not_said_again():
    apart = verdict_of(in_calls_of_their_own(tk.simulate(["a", "b"], n_calls=60)), "a", "b")
    frame = tk.simulate(["a", "b", "c"], n_calls=60, humans=1).frame
    constant = tk.read_labels(
        frame.assign(label=frame["label"].where(frame["construct"] == "a", 0))
    )
    one_side = verdict_of(constant, "a", "b")
    alone = verdict_of(tk.read_labels(constant.frame[constant.frame["construct"] == "b"]))
    for verdict, code in [
        (apart, "no_shared_calls"),
        (one_side, "both_constant"),
        (alone, "both_constant"),
    ]:
        assert in_words(code) in verdict.sentence
        assert not any(in_words(code) in one and "c:" not in one for one in verdict.caveats)
    # Of c the headline says nothing.
    assert f"c: {in_words('both_constant')}" in one_side.caveats


def test_calls_that_the_comparison_lost_are_shown_and_said():
    labels = tk.simulate(["a", "b"], n_calls=100, humans=1)
    number = labels.frame["item_id"].str[1:].astype(int)
    judge = labels.frame["rater_kind"] == "judge"
    call = labels.frame["call_id"].where(~(judge & (number % 5 == 0)))
    call = call.mask(judge & (number % 5 == 1), labels.frame["construct"] + "-" + call)
    labels = tk.read_labels(labels.frame.assign(call_id=call))
    contrast = tk.contrast(labels, "a", "b")
    assert contrast.left_out == {"no_call_id": 20, "different_calls": 20}
    page = left_out_table(labels, tk.agreement(labels), contrast).data
    assert "a against b" in page
    assert "labelled in different judge calls" in page
    caveats = verdict_of(labels, "a", "b").caveats
    assert any(one.startswith("the comparison rests on 60 of 100 items") for one in caveats)


def test_an_undefined_side_is_named_with_its_own_reason():
    constant = always_0(tk.simulate(["a", "b"], n_calls=50, humans=1), "b")
    verdict = verdict_of(constant, "a", "b")
    assert verdict.status == "undefined"
    assert "on b both sides gave one and the same label throughout" in verdict.sentence


def test_kappas_of_different_weights_are_named_as_such():
    labels = tk.simulate({"flag": RATES["escalation"], "scale": {"categories": 5}}, n_calls=400)
    verdict = verdict_of(labels, "flag", "scale", weights="schema")
    assert "quadratic kappa" in verdict.sentence
    assert any("weighted differently" in caveat for caveat in verdict.caveats)


def test_a_cluster_column_that_was_not_used_is_a_caveat():
    labels = tk.simulate(["a"], n_calls=100, conversations=10)
    assert any("column 'cluster' that was not used" in one for one in verdict_of(labels).caveats)
    used = verdict_of(labels, cluster="cluster")
    assert not any("was not used" in one for one in used.caveats)


def test_a_gap_that_prevalence_may_explain_is_a_caveat():
    rates = {
        "rare": {"prevalence": 0.04, "sensitivity": 0.9, "specificity": 0.93},
        "common": {"prevalence": 0.4, "sensitivity": 0.9, "specificity": 0.93},
    }
    verdict = verdict_of(tk.simulate(rates, n_calls=1000, seed=8), "rare", "common")
    assert verdict.status == "lower"
    assert any("unequal prevalence may be much of it" in one for one in verdict.caveats)


def test_one_label_that_stands_as_the_majority_is_a_caveat():
    frame = tk.simulate(["a"], n_calls=100, humans=2).frame
    number = frame["item_id"].str[1:].astype(int)
    labels = tk.read_labels(frame[~((frame["rater_id"] == "human2") & (number % 4 == 0))])
    assert tk.agreement(labels)["a"].single_labels == 25
    caveats = verdict_of(labels).caveats
    assert any(one.startswith("only one of the people gave a usable label") for one in caveats)
    assert any(one.endswith("items: 25 of 100 (a)") for one in caveats)
    assert tk.agreement(labels, reference="human1")["a"].single_labels == 0


def inferred(labels):
    caveats = caveats_of(labels, tk.agreement(labels), None, None)
    (said,) = [one for one in caveats if one.startswith(in_words("schema_inferred"))]
    return said.removeprefix(in_words("schema_inferred"))


def test_inferred_categories_are_spelled_out_once_for_constructs_that_share_them():
    bare = tk.simulate({"a": {}, "b": {}, "scale": {"categories": 3}}, n_calls=30, humans=1).frame
    two = bare[bare["construct"] != "scale"]
    assert inferred(tk.read_labels(two)) == " (every construct: 0, 1)"
    assert inferred(tk.read_labels(bare)) == " (a, b: 0, 1; scale: 1, 2, 3)"


def test_many_inferred_categories_and_constructs_are_counted_where_they_are_not_spelled_out():
    frame = tk.simulate(["scale", *(f"c{i}" for i in range(8))], n_calls=60).frame
    ninths = frame["item_id"].str[1:].astype(int) % 9
    frame["label"] = frame["label"].mask(frame["construct"] == "scale", ninths)
    said = inferred(tk.read_labels(frame))
    assert "scale: 0, 1, 2, 3, 4, 5, and 3 more" in said
    assert "c0, c1, c2, c3, c4, c5, and 2 more: 0, 1" in said


def test_people_of_undeclared_kind_are_compared_too():
    bare = tk.simulate(["a"], n_calls=30, humans=2).frame.drop(columns="rater_kind")
    assert people_to_compare(tk.read_labels(bare), "judge") == ("human1", "human2")
