"""Kappa in other traffic: published values, the two assumptions, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.coefficients import cohen_kappa, kappa_at_prevalence, rogan_gladen
from toolkit.errors import PlanError
from toolkit.planning.what_if import what_if
from toolkit.planning.what_if_result import JUDGE, TRUE

ORACLES = {
    case["id"]: case
    for case in json.loads(
        (Path(__file__).parents[2] / "oracles" / "planning.json").read_text(encoding="utf-8")
    )
}
TABLE = [[210, 90], [291, 9409]]
rates = st.floats(0.05, 0.95)


def table_of(sensitivity, specificity, prevalence):
    positive = np.array([sensitivity, 1 - sensitivity]) * prevalence
    negative = np.array([1 - specificity, specificity]) * (1 - prevalence)
    return np.array([positive, negative])


def kappas(result, moved):
    return result.asked.loc[result.asked["moved"] == moved, "kappa"].to_numpy()


def test_kappa_falls_with_prevalence_at_fixed_accuracy():
    case = ORACLES["kappa_prevalence_collapse"]
    (se, ref_se), (sp, ref_sp) = case["inputs"]["se"], case["inputs"]["sp"]
    made = kappa_at_prevalence(
        se,
        sp,
        case["inputs"]["prevalences"],
        reference_sensitivity=ref_se,
        reference_specificity=ref_sp,
    )
    assert made == pytest.approx(case["expected"]["kappa"], abs=case["tolerance"])


@pytest.mark.parametrize("construct", ["escalation", "self_harm"])
def test_kappa_at_another_true_prevalence(construct):
    case = ORACLES["kappa_at_prevalence"]
    accuracy = case["inputs"][construct]
    # From whatever prevalence the accuracy was measured at, the curve is the same.
    for measured in (0.03, 0.4):
        table = table_of(accuracy["se"], accuracy["sp"], measured)
        made = what_if(table, moved=TRUE, prevalence=case["inputs"]["prevalences"])
        assert made.kappa == pytest.approx(case["expected"][construct], abs=case["tolerance"])


def test_prevalence_behind_a_share_of_positives():
    case = ORACLES["rogan_gladen"]
    inputs, expected = case["inputs"], case["expected"]["prevalence"]
    share = inputs["positive"] / inputs["tested"]
    made = rogan_gladen(share, inputs["se"], inputs["sp"])
    assert made.estimate == pytest.approx(expected, abs=case["tolerance"])
    table = table_of(inputs["se"], inputs["sp"], 0.3)
    row = what_if(table, moved=TRUE, judge_share=share).asked.iloc[0]
    assert row["prevalence"] == pytest.approx(expected, abs=case["tolerance"])


@given(se=rates, sp=rates, prevalence=rates)
@settings(deadline=None, max_examples=50)
def test_both_curves_go_through_the_measured_point(se, sp, prevalence):
    if abs(se + sp - 1) < 1e-3:  # nothing follows from a judge that guesses
        return
    table = table_of(se, sp, prevalence)
    made = what_if(table, moved=TRUE, prevalence=prevalence)
    assert made.now["kappa"] == pytest.approx(float(cohen_kappa(table)))
    assert made.asked["kappa"].to_numpy() == pytest.approx([made.now["kappa"]] * 2)
    assert made.asked["judge_share"].to_numpy() == pytest.approx([made.now["judge_share"]] * 2)


def test_moved_judge_shares_weigh_the_same_labels_anew():
    """By hand: the judge calls half positive; its labels mean what they meant."""
    precision, omission = 210 / 501, 90 / 9499
    table = 0.5 * np.array([[precision, omission], [1 - precision, 1 - omission]])
    made = what_if(TABLE, moved=JUDGE, judge_share=0.5)
    assert made.kappa == pytest.approx([float(cohen_kappa(table))])


def test_the_two_assumptions_contradict_each_other_and_the_result_says_why():
    made = what_if(TABLE, moved=TRUE, prevalence=0.1)
    assert kappas(made, TRUE)[0] - kappas(made, JUDGE)[0] > 0.1
    assert "contradict" in made.why
    # At prevalence .1: .07 of .097 flagged items are positive, against 210 of 501 as measured.
    assert "0.72 of them are positive if true prevalence moved, 0.42 if only" in made.why
    assert set(made.curves["moved"]) == {TRUE, JUDGE}


def test_a_share_that_an_assumption_cannot_give_is_named():
    """A judge with these error rates calls .03 to .7 of the items positive, never fewer."""
    made = what_if(TABLE, moved=TRUE, judge_share=[0.01, 0.5])
    assert np.isnan(kappas(made, TRUE)[0])
    assert not np.isnan(kappas(made, TRUE)[1])
    assert made.reasons == ("out_of_reach",)
    assert made.asked["judge_share"].tolist() == [0.01, 0.5, 0.01, 0.5]
    assert "out of reach" in str(made)


def test_a_judge_that_is_never_wrong_has_one_curve():
    made = what_if([[30, 0], [0, 70]], moved=JUDGE, prevalence=0.1)
    assert made.asked["kappa"].tolist() == pytest.approx([1, 1])
    assert "never wrong" in made.why


def test_the_present_categories_may_stand_anywhere():
    turned = np.array(TABLE)[::-1, ::-1]
    asked = {"moved": TRUE, "prevalence": 0.1}
    assert what_if(turned, present=[1], **asked).kappa == what_if(TABLE, **asked).kappa


def test_the_result_is_strict_json():
    made = what_if(TABLE, moved=TRUE, judge_share=0.01)
    written = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert written["asked"][0]["kappa"] is None
    assert written["moved"] == TRUE
    assert "<li>" in made._repr_html_()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"prevalence": 0.1}, "say what moves"),
        ({"moved": "prevalence", "prevalence": 0.1}, "say what moves"),
        ({"moved": TRUE}, "give the judge's share"),
        ({"moved": TRUE, "prevalence": 0.1, "judge_share": 0.1}, "give the judge's share"),
        ({"moved": TRUE, "prevalence": 1.0}, "prevalence is no share"),
        ({"moved": TRUE, "prevalence": "a"}, "prevalence is no share"),
        ({"moved": TRUE, "prevalence": []}, "prevalence is no share"),
        ({"moved": TRUE, "prevalence": 0.1, "table": [[0, 0], [3, 4]]}, "positives and negatives"),
    ],
)
def test_what_does_not_fit_is_refused_and_named(given, said):
    with pytest.raises(PlanError, match=said):
        what_if(**{"table": TABLE, **given})
