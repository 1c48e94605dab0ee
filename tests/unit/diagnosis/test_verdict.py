from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from toolkit.diagnosis import rules
from toolkit.diagnosis.case import LOW
from toolkit.diagnosis.examine import Round
from toolkit.diagnosis.gap import Gap
from toolkit.diagnosis.measure import CAUSES, Measure
from toolkit.diagnosis.rules import Ruling
from toolkit.diagnosis.verdict import PLACES, Examiner, conclude
from toolkit.diagnosis.waterfall import Waterfall

GAP = Gap("low", "high", 0.4, 0.8, 0.4, 0.2, 0.6, 0.95, 40)
NONE = replace(GAP, difference=0.05, lower=-0.3, upper=0.4)


class Prepared(Examiner):
    """Gives the rounds written out in a test instead of measuring again."""

    def __init__(self, *rounds):
        object.__setattr__(self, "rounds", list(rounds))

    def again(self, _case):
        return self.rounds.pop(0)


@pytest.fixture
def round_of(case_of):
    """Write a round out: shares of the gap by cause, and status where it isn't refuted."""
    labels = [0, 1] * 20
    case = case_of({r: {"low": labels, "high": labels} for r in ("human1", "judge")})

    def make(shares=None, *, gap=GAP, steps=None, suspect=0.0, **statuses):
        shares = shares or {}
        keep = np.arange(40) < 20
        found = {
            cause: Measure(
                cause,
                undone=case.kappa(LOW) + shares[cause] * gap.difference
                if cause in shares
                else None,
                facts={"partner": "high"} if cause == "swapped_constructs" else {},
                tests={"gain": suspect, "direction": 9.0} if cause == "call_failure" else {},
                good=keep if cause in PLACES else None,
            )
            for cause in CAUSES
        }
        rulings = {
            cause: Ruling(statuses.get(cause, "supported" if cause in shares else "refuted"), "")
            for cause in CAUSES
        }
        fall = None
        if steps is not None:
            stacks = {name: np.array([step * gap.difference]) for name, step in steps.items()}
            fall = Waterfall(stacks, np.zeros(1), np.ones(1), 0.0)
        return Round(case, gap, found, fall, rulings)

    return make


def _conclude(first, *later):
    return conclude(first, Prepared(*later))


def test_a_reversal_is_undone_before_others_are_looked_at(round_of):
    first = round_of({"reversed_polarity": 1.0, "threshold_shift": 0.9, "stratum": 0.8})
    after = round_of({"halo": 0.7})
    made = _conclude(first, after)
    assert made.causes == ("reversed_polarity", "halo")
    assert made.base is after
    assert made.first is first


def test_a_reversal_and_a_swap_are_undone_one_after_the_other(round_of):
    both = round_of({"reversed_polarity": 0.5, "swapped_constructs": 0.5})
    made = _conclude(both, round_of({"swapped_constructs": 0.5}), round_of(gap=NONE))
    assert made.causes == ("reversed_polarity", "swapped_constructs")


def test_causes_are_ranked_by_their_share(round_of):
    made = _conclude(round_of({"threshold_shift": 0.35, "halo": 0.6}))
    assert made.causes == ("halo", "threshold_shift")


def test_faults_of_whole_calls_that_explain_half_lead(round_of):
    elsewhere = round_of({"threshold_shift": 0.8})
    made = _conclude(round_of({"threshold_shift": 0.8, "call_failure": 0.51}), elsewhere)
    assert made.causes == ("call_failure", "threshold_shift")
    made = _conclude(round_of({"threshold_shift": 0.8, "call_failure": 0.49}), elsewhere)
    assert made.causes == ("threshold_shift", "call_failure")


def test_unreadable_labels_come_first(round_of):
    made = _conclude(round_of({"unreadable": 0.6, "threshold_shift": 0.9}))
    assert made.causes == ("unreadable", "threshold_shift")


def test_prevalence_is_not_named_on_the_readable_part(round_of):
    made = _conclude(round_of({"unreadable": 0.6, "prevalence": 0.9}))
    assert made.causes == ("unreadable",)


def test_prevalence_comes_before_the_ceiling_that_it_lowers(round_of):
    made = _conclude(round_of({"prevalence": 0.5, "human_ceiling": 0.6}))
    assert made.causes == ("prevalence", "human_ceiling")
    made = _conclude(round_of({"prevalence": 0.6, "human_ceiling": rules.CEILING_AT_RARITY}))
    assert made.causes == ("prevalence",)


def test_failed_calls_leave_no_halo(round_of):
    elsewhere = round_of({"halo": 0.7})
    made = _conclude(round_of({"call_failure": 0.71, "halo": 0.7}), elsewhere)
    assert made.causes == ("call_failure",)


def test_a_halo_that_explains_more_leaves_no_failed_calls(round_of):
    # No round without the failed calls is prepared: they are no fault, so none is asked for.
    made = _conclude(round_of({"call_failure": 0.69, "halo": 0.7}))
    assert made.causes == ("halo",)


def test_a_label_carried_by_the_others_leaves_no_failed_calls_and_no_remainder(round_of):
    first = round_of(
        {"call_failure": 0.9, "definition": 0.9}, steps={"rest": 0.9}, halo="supported"
    )
    assert _conclude(first).causes == ("halo",)


@pytest.mark.parametrize("fault", ["drift", "stratum", "call_failure"])
def test_what_is_not_outside_of_a_fault_of_calls_was_its_consequence(round_of, fault):
    first = round_of({fault: 0.9, "threshold_shift": 0.4, "judge_noise": 0.5})
    elsewhere = round_of({"judge_noise": 0.6})
    made = _conclude(first, elsewhere)
    assert made.causes == (fault, "judge_noise")
    assert made.rounds == (first, elsewhere)


def test_the_rest_of_a_place_may_show_what_the_place_hid(round_of):
    first = round_of({"drift": 0.9, "halo": 0.1}, halo="minor")
    made = _conclude(first, round_of({"halo": 0.6}))
    assert made.causes == ("drift", "halo")
    assert made.round_of["halo"] == 1


@pytest.mark.parametrize(("share", "named"), [(0.31, True), (0.29, False)])
def test_a_trace_that_a_place_wiped_out_is_named_if_it_explains_much_of_the_whole(
    round_of, share, named
):
    first = round_of({"stratum": 0.6, "halo": -0.2}, halo="refuted")
    made = _conclude(first, round_of({"halo": share}))
    assert made.causes == ("stratum", "halo")[: 1 + named]


def test_the_share_of_a_hidden_cause_is_that_of_the_whole_gap(round_of):
    # .9 of a gap of .12 is .27 of one of .4.
    first = round_of({"drift": 0.7, "prevalence": 0.0}, prevalence="refuted")
    small = replace(GAP, difference=0.12, lower=0.02, upper=0.22)
    assert _conclude(first, round_of({"prevalence": 0.9}, gap=small)).causes == ("drift",)


def test_what_failed_calls_outranked_does_not_come_back(round_of):
    first = round_of({"call_failure": 0.8, "halo": 0.7})
    assert _conclude(first, round_of({"halo": 0.9})).causes == ("call_failure",)


def test_a_remainder_is_named_when_nothing_else_is(round_of):
    made = _conclude(round_of({"definition": 0.9}, steps={"rest": 0.9}))
    assert made.causes == ("definition",)


def test_labels_are_too_few_for_a_remainder_of_a_coarse_gap(round_of):
    coarse = replace(GAP, lower=0.05, upper=0.75)
    options = {"gap": coarse, "steps": {"rest": 0.9}, "too_few_labels": "supported"}
    assert _conclude(round_of({"definition": 0.9}, **options)).causes == ("too_few_labels",)
    made = _conclude(round_of({"definition": 0.9}, human_ceiling="undetermined", **options))
    assert (made.causes, made.open) == (("too_few_labels",), ())
    made = _conclude(round_of({"threshold_shift": 0.9}, **options))
    assert made.causes == ("threshold_shift",)


def test_a_remainder_is_second_beside_a_named_cause(round_of):
    steps = {"threshold_shift": 0.55, "rest": 0.45}
    shares = {"threshold_shift": 0.55, "definition": 0.45}
    assert _conclude(round_of(shares, steps=steps)).causes == ("threshold_shift", "definition")
    steps = {"threshold_shift": 0.65, "rest": 0.35}
    shares = {"threshold_shift": 0.65, "definition": 0.35}
    assert _conclude(round_of(shares, steps=steps)).causes == ("threshold_shift",)


@pytest.mark.parametrize("cause", ["unreadable", "drift", "stratum", "call_failure"])
def test_no_remainder_is_named_beside_a_fault_of_the_calls(round_of, cause):
    first = round_of({cause: 0.4, "definition": 0.9}, steps={"rest": 0.9})
    assert _conclude(first, round_of(gap=NONE)).causes == (cause,)


def test_ceiling_and_definition_are_open_with_one_person(round_of):
    made = _conclude(
        round_of({"definition": 0.9}, steps={"rest": 0.9}, human_ceiling="undetermined")
    )
    assert made.causes == ()
    assert made.open == ("human_ceiling", "definition")


def test_failed_calls_and_definition_are_open_where_errors_share_calls(round_of):
    options = {"steps": {"rest": 0.9}, "call_failure": "undetermined"}
    made = _conclude(round_of({"definition": 0.9}, suspect=rules.GAIN_SUSPECTED + 1, **options))
    assert made.open == ("call_failure", "definition")
    made = _conclude(round_of({"definition": 0.9}, suspect=rules.GAIN_SUSPECTED - 1, **options))
    assert made.causes == ("definition",)


def test_nothing_is_open_without_a_gap(round_of):
    made = _conclude(round_of(gap=NONE, human_ceiling="undetermined"))
    assert (made.causes, made.open) == ((), ())


@pytest.mark.parametrize("unfit", ["", "the judge gave one category to all calls on low"])
def test_too_few_labels_are_not_blamed_for_a_constant_side(round_of, unfit):
    first = replace(round_of(gap=NONE, too_few_labels="supported"), unfit=unfit)
    assert _conclude(first).causes == (() if unfit else ("too_few_labels",))


def test_too_few_labels_are_named_only_alone(round_of):
    made = _conclude(round_of(gap=NONE, too_few_labels="supported"))
    assert made.causes == ("too_few_labels",)
    after = round_of(gap=NONE, too_few_labels="supported")
    made = _conclude(round_of({"reversed_polarity": 1.0}), after)
    assert made.causes == ("reversed_polarity",)
    made = _conclude(round_of({"unreadable": 0.9}, gap=NONE, too_few_labels="supported"))
    assert made.causes == ("unreadable",)
