from __future__ import annotations

import ast
import inspect
import math
from dataclasses import replace

import numpy as np
import pytest

from toolkit.diagnosis import rules
from toolkit.diagnosis.gap import Gap
from toolkit.diagnosis.measure import CAUSES, Measure
from toolkit.diagnosis.rules import Seen, Share, decide

GAP = Gap("low", "high", 0.4, 0.8, 0.4, 0.2, 0.6, 0.95, 400)
NONE = Gap("low", "high", 0.4, 0.45, 0.05, -0.02, 0.12, 0.95, 400)
FULL, SLIGHT = Share(0.8, 0.5, 1.1), Share(0.1, -0.1, 0.2)
UNDONE = np.array([0.7, 0.7])
SIGNS = {
    "call_failure": {
        "gain": 5.1,  # 1, and one for every construct
        "constructs": 4,
        "direction": 2.6,
        "difficulty": 2.1,
        "share_failed": 0.11,
        "witnessed": 0,
        "correlation": 0.09,
    },
    "unreadable": {"difference": 0.06, "z": 3.1, "p_class": 0.009, "stand_in": 0.0},
    "reversed_polarity": {"reversed": 1, "r": -0.6, "z": -8.0},
    "swapped_constructs": {"z_min": 2.6, "partners": 1},
    "threshold_shift": {"z": 3.1, "z_over_high": 2.1},
    "prevalence": {"spread_ratio": 0.79, "smaller": 0.01},
    "human_ceiling": {"z": 2.1, "paired_items": 20},
    "drift": {"p": 0.019, "gain": 0.1, "gain_cross": 0.051},
    "stratum": {"p": 0.019, "gain": 0.1, "gain_cross": 0.051},
    "halo": {"z": 3.1, "excess": 0.081, "z_over_high": 0.0, "rho_own": 0.9, "rho": 0.5, "copy": 0},
    "judge_noise": {"z": 2.1, "repeated": 20},
}
# Each number on the other side of its threshold.
FAILS = [
    ("call_failure", "gain", 4.9),
    ("call_failure", "direction", 2.4),
    ("call_failure", "difficulty", 1.9),
    ("call_failure", "share_failed", 0.09),
    ("call_failure", "correlation", 0.07),
    ("unreadable", "difference", 0.04),
    ("unreadable", "z", 2.9),
    ("reversed_polarity", "reversed", 0),
    ("swapped_constructs", "z_min", 2.5),
    ("threshold_shift", "z", 2.9),
    ("threshold_shift", "z_over_high", 1.9),
    ("prevalence", "spread_ratio", 0.81),
    ("human_ceiling", "z", 1.9),
    ("human_ceiling", "paired_items", 19),
    ("drift", "p", 0.021),
    ("drift", "gain_cross", 0.049),
    ("stratum", "p", 0.021),
    ("stratum", "gain_cross", 0.049),
    ("halo", "z", 2.9),
    ("halo", "excess", 0.079),
    ("halo", "z_over_high", -0.1),
    ("halo", "rho_own", 0.4),
    ("judge_noise", "z", 1.9),
    ("judge_noise", "repeated", 19),
]
WITHOUT_GAP = ("reversed_polarity", "swapped_constructs")


def _status(cause, gap=GAP, share=FULL, step=math.nan, adds=FULL, **changes):
    found = Measure(cause, undone=UNDONE, tests=SIGNS.get(cause, {}) | changes, n=400)
    return decide(Seen(found, gap, share, step), adds).status


def test_every_cause_has_a_rule():
    assert set(rules.RULES) == set(CAUSES)


@pytest.mark.parametrize("cause", SIGNS)
def test_signature_and_share_make_a_cause(cause):
    assert _status(cause) == rules.SUPPORTED


@pytest.mark.parametrize(("cause", "name", "value"), FAILS)
def test_a_number_short_of_its_threshold_is_no_signature(cause, name, value):
    assert _status(cause, **{name: value}) in (rules.UNDETERMINED, rules.REFUTED)


@pytest.mark.parametrize("cause", [c for c in SIGNS if c not in WITHOUT_GAP])
def test_without_a_gap_a_signature_is_minor(cause):
    assert _status(cause, gap=NONE, share=Share()) == rules.MINOR


@pytest.mark.parametrize("cause", WITHOUT_GAP)
def test_reversed_and_swapped_labels_are_named_without_a_gap(cause):
    assert _status(cause, gap=NONE, share=Share()) == rules.SUPPORTED


@pytest.mark.parametrize("cause", [c for c in SIGNS if c not in WITHOUT_GAP])
def test_a_signature_that_explains_little_is_minor(cause):
    assert _status(cause, share=SLIGHT) == rules.MINOR


@pytest.mark.parametrize("cause", ["threshold_shift", "human_ceiling", "halo", "judge_noise"])
@pytest.mark.parametrize(
    ("share", "step", "status"),
    [
        (Share(0.31, 0.06, 0.6), math.nan, rules.SUPPORTED),
        (Share(0.29, 0.06, 0.6), math.nan, rules.MINOR),
        (Share(0.31, 0.04, 0.6), math.nan, rules.MINOR),
        (Share(0.29, 0.06, 0.6), 0.21, rules.SUPPORTED),
        (Share(0.29, 0.06, 0.6), 0.19, rules.MINOR),
    ],
)
def test_a_mechanism_matters_by_its_share_or_by_its_step(cause, share, step, status):
    assert _status(cause, share=share, step=step) == status


@pytest.mark.parametrize("cause", ["drift", "stratum"])
@pytest.mark.parametrize(
    ("p", "gain", "share", "status"),
    [
        (0.019, 0.0, Share(0.31, 0.06, 0.6), rules.SUPPORTED),
        (0.019, 0.9, Share(0.29, 0.06, 0.6), rules.MINOR),
        (0.005, 0.21, Share(0.11, 0.01, 0.6), rules.SUPPORTED),
        (0.007, 0.21, Share(0.11, 0.01, 0.6), rules.MINOR),
        (0.005, 0.19, Share(0.11, 0.01, 0.6), rules.MINOR),
        (0.005, 0.21, Share(0.09, 0.01, 0.6), rules.MINOR),
        (0.005, 0.21, Share(0.11, -0.01, 0.6), rules.MINOR),
    ],
)
def test_a_place_matters_by_its_share_or_as_a_strong_one(cause, p, gain, share, status):
    assert _status(cause, share=share, p=p, gain=gain) == status


def test_prevalence_is_named_only_when_both_what_ifs_agree():
    assert _status("prevalence", smaller=-0.01) == rules.MINOR


def test_rarity_asks_for_a_gap_in_one_direction():
    likely = replace(GAP, difference=0.15, lower=-0.01, upper=0.31, p_value=0.07)
    assert _status("prevalence", likely) == rules.SUPPORTED
    assert _status("prevalence", replace(likely, p_value=0.11), share=Share()) == rules.MINOR
    assert _status("threshold_shift", likely) == rules.MINOR
    coarse = replace(likely, lower=-0.15, upper=0.45)
    assert _status("prevalence", coarse) == rules.MINOR


def test_missing_labels_without_a_gap_are_named_only_beyond_twenty_points():
    assert _status("unreadable", gap=NONE, share=Share(), difference=0.21) == rules.SUPPORTED
    assert _status("unreadable", gap=NONE, share=Share(), difference=0.19) == rules.MINOR


def test_missing_labels_are_tied_to_the_class_or_to_what_stands_in():
    assert _status("unreadable", p_class=0.011) == rules.MINOR
    # .2 of a gap of .4 is .08.
    assert _status("unreadable", p_class=0.011, stand_in=0.081) == rules.SUPPORTED
    assert _status("unreadable", p_class=0.011, stand_in=0.079) == rules.MINOR


def test_a_witness_makes_up_for_a_small_correlation():
    assert _status("call_failure", correlation=0.01, witnessed=1) == rules.SUPPORTED


def test_a_copied_column_is_halo_without_a_share():
    assert _status("halo", share=Share(), z=0.0, excess=0.0, copy=1) == rules.SUPPORTED


def test_a_label_carried_by_the_others_is_halo_without_a_share():
    nothing = {"share": Share(), "rho_own": 0.4, "carried": 1}
    assert _status("halo", **nothing) == rules.SUPPORTED
    assert _status("halo", **nothing, z=2.9) != rules.SUPPORTED
    assert _status("halo", **nothing, z_over_high=-0.1) != rules.SUPPORTED


def test_more_partners_ask_for_a_larger_z():
    # One-sided .005 and .005 / 4: 2.576 and 3.023.
    assert _status("swapped_constructs", z_min=2.58, partners=1) == rules.SUPPORTED
    assert _status("swapped_constructs", z_min=3.0, partners=4) != rules.SUPPORTED
    assert _status("swapped_constructs", z_min=3.03, partners=4) == rules.SUPPORTED


@pytest.mark.parametrize(
    ("lower", "upper", "status"),
    [
        (-0.11, 0.11, rules.SUPPORTED),
        (-0.09, 0.09, rules.REFUTED),
        (-0.001, 0.21, rules.SUPPORTED),
        (0.01, 0.41, rules.REFUTED),
        (0.01, 0.43, rules.SUPPORTED),  # so wide that even .10 and .40 can't be told apart
        (0.11, 0.53, rules.REFUTED),
        (-0.43, -0.01, rules.REFUTED),
        (-0.41, -0.01, rules.REFUTED),
    ],
)
def test_labels_are_too_few_when_no_gap_and_a_large_one_are_possible(lower, upper, status):
    gap = Gap("low", "high", 0.4, 0.45, 0.05, lower, upper, 0.95, 400)
    found = Measure("too_few_labels", tests={"half_width": gap.half_width}, n=400)
    assert decide(Seen(found, gap, Share(), math.nan), Share()).status == status


@pytest.mark.parametrize(("share", "signed"), [(0.40, True), (0.39, False)])
def test_a_remainder_counts_from_two_fifths(share, signed):
    assert (_status("definition", share=Share(share, 0.1, 0.9)) == rules.SUPPORTED) is signed


def test_no_remainder_of_a_gap_that_may_be_nearly_none():
    for lower, status in [(0.09, rules.UNDETERMINED), (0.11, rules.SUPPORTED)]:
        gap = Gap("low", "high", 0.4, 0.8, 0.4, lower, lower + 0.5, 0.95, 40)
        assert _status("definition", gap, share=Share(0.9, 0.1, 1.7), adds=FULL) == status


def test_what_could_add_only_half_of_the_gap_is_refuted():
    # Half of .4 is .2; without a gap the material .1 takes its place.
    none = {"z": 0.0}
    assert _status("threshold_shift", adds=Share(0.1, 0.0, 0.19), **none) == rules.REFUTED
    assert _status("threshold_shift", adds=Share(0.1, 0.0, 0.21), **none) == rules.UNDETERMINED
    assert _status("threshold_shift", NONE, adds=Share(0, 0, 0.09), **none) == rules.REFUTED
    assert _status("threshold_shift", NONE, adds=Share(0, 0, 0.11), **none) == rules.UNDETERMINED


def test_without_a_counterfactual_nothing_is_refuted():
    found = Measure("halo", tests=SIGNS["halo"] | {"z": 0.0}, n=400)
    assert decide(Seen(found, GAP, Share(), math.nan), Share()).status == rules.UNDETERMINED


def test_what_could_not_be_tested_is_undetermined_and_says_why():
    ruling = decide(Seen(Measure("drift", untestable="no order"), GAP, Share(), math.nan), Share())
    assert (ruling.status, ruling.rule) == (rules.UNDETERMINED, "not testable: no order")


def test_a_second_judge_that_agrees_with_the_person_refutes_the_ceiling():
    assert _status("human_ceiling", judge_refutes=1) == rules.REFUTED


def test_labels_that_would_settle_a_test_by_hand():
    # z 1.92 of 3: 400 ((3 + .84) / 1.92)^2 = 400 x 4 = 1,600. z 0 counts as .5, which asks for
    # (3.84 / .5)^2 = 59 times as many and is capped at 20 times.
    wide = Share(0.5, -0.5, 1.0)
    for z, needed in [(1.92, 1600), (0.0, 8000)]:
        found = Measure("threshold_shift", undone=UNDONE, tests={"z": z, "z_over_high": 9}, n=400)
        ruling = decide(Seen(found, GAP, wide, math.nan), wide)
        assert ruling.status == rules.UNDETERMINED
        assert ruling.labels_needed == needed


def test_undefined_numbers_name_nothing():
    nan = math.nan
    for cause, tests in SIGNS.items():
        empty = dict.fromkeys(tests, nan)
        assert _status(cause, share=Share(), adds=Share(), **empty) != rules.SUPPORTED


def test_failed_calls_are_suspected_from_a_smaller_gain():
    assert rules.failure_suspected({"gain": 3.1})
    assert not rules.failure_suspected({"gain": 2.9})


def test_thresholds_of_comparisons_are_named_constants():
    # Any number other than 0 or 1 in a comparison would be a threshold without a name.
    tree = ast.parse(inspect.getsource(rules))
    numbers = [
        part.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for part in node.comparators
        if isinstance(part, ast.Constant) and isinstance(part.value, int | float)
    ]
    assert set(numbers) <= {0, 1}
