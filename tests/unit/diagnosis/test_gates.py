from __future__ import annotations

from toolkit.diagnosis.call_failure import measure
from toolkit.diagnosis.gates import gated_with

# Abusive in half of 80 calls; explicit in half of the abusive ones, and asked only there.
ABUSIVE = [0] * 40 + [1] * 40
EXPLICIT = [0] * 60 + [1] * 20


def _raters(judge_explicit, low="abusive", high="explicit"):
    # The judge gets every tenth item of either construct wrong, within the gate.
    abusive = [1 - x if i % 10 == 0 else x for i, x in enumerate(ABUSIVE)]
    return {
        "human1": {low: ABUSIVE, high: EXPLICIT},
        "judge": {low: abusive, high: judge_explicit(abusive)},
    }


def _behind_the_gate(abusive):
    return [x * a for x, a in zip(EXPLICIT, abusive, strict=True)]


def test_a_question_asked_after_a_yes_is_gated(case_of):
    # Chance would put 20 of 80 x 40 = 10 explicit calls behind "not abusive"; there are none.
    case = case_of(_raters(_behind_the_gate))
    assert gated_with(case) == "explicit"
    assert "by design" in measure(case).untestable


def test_the_gate_itself_is_found_from_the_other_side(case_of):
    case = case_of(_raters(_behind_the_gate, low="b_abusive", high="a_explicit"))
    assert gated_with(case, 1) == "b_abusive"


def test_people_alone_do_not_make_a_gate(case_of):
    # The judge says explicit in 10 calls behind "not abusive", as often as chance would.
    case = case_of(_raters(lambda _: [1, 0, 0, 0] * 20))
    assert gated_with(case) == ""


def test_a_rare_construct_is_no_gated_one(case_of):
    # Two explicit calls: chance would put one behind the gate, which tells nothing.
    rare = [0] * 78 + [1] * 2
    raters = {r: {"abusive": ABUSIVE, "explicit": rare} for r in ("human1", "judge")}
    assert gated_with(case_of(raters)) == ""
