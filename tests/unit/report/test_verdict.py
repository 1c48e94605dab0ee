"""What a report says around the verdict: its status, what limits it, what could not be checked."""

from __future__ import annotations

import pytest

import toolkit as tk
from toolkit.report import checks_not_run, headline, in_lines, left_out_table, people_to_compare
from toolkit.report.caveats import caveats_of
from toolkit.report.results import compared
from toolkit.report.words import in_words

RATES = {
    "escalation": {"prevalence": 0.3, "sensitivity": 0.55, "specificity": 0.8},
    "self_harm": {"prevalence": 0.3, "sensitivity": 0.95, "specificity": 0.98},
}


def diagnosed(labels, low=None, high=None, **options):
    return tk.diagnose(labels, low, high, draws=1000, **options)


def caveats(labels, low=None, high=None, **options):
    return caveats_of(labels, diagnosed(labels, low, high, **options))


def status(labels, low=None, high=None):
    return compared(diagnosed(labels, low, high).gap)


def in_calls_of_their_own(labels):
    frame = labels.frame
    return tk.read_labels(frame.assign(call_id=frame["construct"] + frame["call_id"]))


def always_0(labels, *constructs):
    frame = labels.frame
    return tk.read_labels(
        frame.assign(label=frame["label"].mask(frame["construct"].isin(constructs), 0))
    )


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [("escalation", "self_harm", "lower"), ("self_harm", "escalation", "higher")],
)
def test_naming_the_pair_the_wrong_way_round_still_tells_which_is_worse(low, high, said):
    found = status(tk.simulate(RATES, n_calls=400, seed=1), low, high)
    assert found == {"status": said, "low": low, "high": high, "focus": "escalation"}


def test_equal_rates_show_no_difference():
    assert status(tk.simulate(["a", "b"], n_calls=100, seed=2), "a", "b")["status"] == "not_shown"


def test_one_construct_has_no_pair():
    assert status(tk.simulate(["a"], n_calls=60)) == {
        "status": "single", "low": None, "high": None, "focus": "a",
    }  # fmt: skip


def test_constructs_that_no_item_carries_together_are_undefined():
    frame = tk.simulate(["a", "b"], n_calls=60).frame
    half = frame["item_id"].str[1:].astype(int) % 2 == (frame["construct"] == "a")
    assert status(tk.read_labels(frame[half]), "a", "b")["status"] == "undefined"


def test_the_headline_says_rule_next_steps_and_caveats():
    labels = tk.simulate(["a", "b", "c"], n_calls=400, humans=2, cause="threshold_shift")
    found = diagnosed(labels, "a", "c")
    page = headline(found, labels).data
    places = [
        page.index(said)
        for said in ('class="headline"', "the rule that fired", "Refuted:", "What to do next")
    ]
    assert places == sorted(places)
    assert found.verdict.rules["threshold_shift"].partition(";")[0] in page.replace("&#x27;", "'")
    assert page.startswith('<p class="headline">Kappa of a is')


def test_several_people_are_a_caveat_where_their_majority_has_other_kappas():
    labels = tk.simulate(RATES, n_calls=300, humans=3, human_error=0.1)
    assert any(one.startswith("the kappas of the verdict") for one in caveats(labels))
    alone = tk.simulate(RATES, n_calls=300, humans=1)
    assert not any(one.startswith("the kappas of the verdict") for one in caveats(alone))


def test_ties_beyond_a_few_are_a_caveat():
    labels = tk.simulate(["a"], n_calls=300, humans=2, human_error=0.15)
    assert any("people were tied on" in caveat for caveat in caveats(labels))


def test_people_to_compare_are_the_two_who_share_most_items():
    labels = tk.simulate(["a"], n_calls=60, humans=3)
    frame = labels.frame
    half = frame["item_id"].isin(sorted(set(frame["item_id"]))[::2])
    drop = (frame["rater_id"] == "human1") & half
    assert people_to_compare(tk.read_labels(frame[~drop]), "judge") == ("human2", "human3")
    assert people_to_compare(tk.simulate(["a"], n_calls=9, humans=1), "judge") is None


def test_checks_that_could_not_run_say_what_would_enable_them():
    checks = checks_not_run(diagnosed(tk.simulate(["a", "b"], n_calls=60, humans=1)))
    assert "dependence between items" in [one["check"] for one in checks]
    assert all(one["why"] and one["enable"] for one in checks)
    apart = in_calls_of_their_own(tk.simulate(["a", "b"], n_calls=60))
    assert checks_not_run(diagnosed(apart))[0]["check"] == "same-call contrast"


def test_checks_that_share_their_reason_share_a_line():
    checks = [
        {"check": "drift", "why": "no calls", "enable": "calls"},
        {"check": "halo", "why": "no calls", "enable": "calls"},
        {"check": "noise", "why": "one sitting", "enable": "another"},
    ]
    assert in_lines(checks) == [
        "drift, halo: no calls. To enable it: calls.",
        "noise: one sitting. To enable it: another.",
    ]


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
    assert any(
        one.startswith("the comparison rests on 60 of 100 items")
        for one in caveats(labels, "a", "b")
    )


def test_kappas_of_different_weights_are_a_caveat():
    labels = tk.simulate({"flag": RATES["escalation"], "scale": {"categories": 5}}, n_calls=400)
    assert any("weighted differently" in caveat for caveat in caveats(labels, "flag", "scale"))


def test_a_cluster_column_that_was_not_used_is_a_caveat():
    labels = tk.simulate(["a"], n_calls=100, conversations=10)
    assert any("column 'cluster' that was not used" in one for one in caveats(labels))
    assert not any("was not used" in one for one in caveats(labels, cluster="cluster"))


def test_one_label_that_stands_as_the_majority_is_a_caveat():
    frame = tk.simulate(["a"], n_calls=100, humans=2).frame
    number = frame["item_id"].str[1:].astype(int)
    labels = tk.read_labels(frame[~((frame["rater_id"] == "human2") & (number % 4 == 0))])
    assert tk.agreement(labels)["a"].single_labels == 25
    said = caveats(labels)
    assert any(one.startswith("only one of the people gave a usable label") for one in said)
    assert any(one.endswith("items: 25 of 100 (a)") for one in said)
    assert tk.agreement(labels, reference="human1")["a"].single_labels == 0


def test_a_construct_that_is_undefined_is_a_caveat_with_its_reason():
    constant = always_0(tk.simulate(["a", "b", "c"], n_calls=60, humans=1), "c")
    assert f"c: {in_words('both_constant')}" in caveats(constant, "a", "b")


def inferred(labels):
    (said,) = [one for one in caveats(labels) if one.startswith(in_words("schema_inferred"))]
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
