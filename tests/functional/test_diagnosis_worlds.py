"""The worlds of the diagnosis study do what they say: sizes of gaps, and the mark of each cause."""

from __future__ import annotations

import numpy as np
import pytest
from diagnosis_kappa import kappas, labels_of
from diagnosis_outcomes import Outcome, is_left_open, rate, summary
from diagnosis_population import expected_kappa, quadratic_kappa
from diagnosis_report import page
from diagnosis_study import causes_of
from diagnosis_worlds import CAUSES, VARIANTS, world

import toolkit as tk

LARGE = 20_000
SHOWN = {"strata": True, "ordered": True, "constructs": 3, "judges": 1}
WITHOUT_A_SIZE = ("reversed_polarity", "swapped_constructs", "too_few_labels")


def correlation(made, one, rater, other, other_rater):
    """Correlation of two columns of labels."""
    first, second = labels_of(made, one)[rater], labels_of(made, other)[other_rater]
    return first.corr(second)


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("cause", [one for one in CAUSES if one not in WITHOUT_A_SIZE])
def test_a_cause_costs_about_three_tenths_of_kappa(cause, k):
    for seed in (1, 2):
        low, high = kappas(world(cause, LARGE, seed, k=k, **SHOWN))
        assert 0.15 < high - low < 0.45


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("unequal", [False, True])
def test_without_a_cause_kappas_are_equal(k, unequal):
    gaps = []
    for seed in (1, 2, 3, 4):
        low, high = kappas(world(None, LARGE, seed, k=k, unequal=unequal, humans=3, constructs=3))
        gaps.append(high - low)
    assert abs(np.mean(gaps)) < 0.02


def test_unequal_prevalences_stay_unequal():
    made = world(None, LARGE, 1, k=2, unequal=True)
    low, high = (labels_of(made, one)["person1"].mean() for one in (made.low, made.high))
    assert low < 0.27 < high


def test_expected_kappa_of_error_free_raters_is_one():
    assert expected_kappa((0.5, 0.3, 0.2), 0.0, 0.0, 0.2) == pytest.approx(1)


def test_quadratic_kappa_by_hand():
    # Cells .55 .05 / .10 .30: observed .85, chance .6 x .65 + .4 x .35 = .53, (.85 - .53) / .47.
    table = np.array([[55, 5], [10, 30]])
    assert quadratic_kappa(table) == pytest.approx(0.680851, abs=1e-6)


@pytest.mark.parametrize("cause", [None, *CAUSES])
def test_worlds_are_the_same_for_the_same_seed_and_can_be_read(cause):
    one, two = world(cause, 150, 3), world(cause, 150, 3)
    assert one.frame.equals(two.frame)
    labels = tk.read_labels(one.frame, one.schema)
    assert {one.low, one.high} <= set(labels.constructs)


@pytest.mark.parametrize("variant", VARIANTS)
def test_variants_keep_the_gap(variant):
    low, high = kappas(world("definition", LARGE, 5, variant=variant))
    assert 0.15 < high - low < 0.45


def test_a_reversed_construct_correlates_negatively():
    made = world("reversed_polarity", LARGE, 1, strata=False)
    assert correlation(made, made.low, "judge", made.low, "person1") < -0.5


def test_swapped_answers_fit_the_other_construct():
    made = world("swapped_constructs", LARGE, 1)
    names = list(made.schema["constructs"])
    fits = [correlation(made, made.low, "judge", name, "person1") for name in names]
    assert names[int(np.argmax(fits))] not in (made.low, made.high)


def test_unreadable_answers_are_missing_by_class():
    made = world("unreadable", LARGE, 1, k=2)
    wide = labels_of(made, made.low)
    lost = wide["judge"].isna().groupby(wide["person1"]).mean()
    assert lost[1] - lost[0] > 0.3


def test_failed_calls_tie_errors_of_constructs():
    made, plain = (world(cause, LARGE, 1, k=2, constructs=4) for cause in ("call_failure", None))
    assert shared_errors(made) > shared_errors(plain) + 0.1


def shared_errors(made):
    """Correlation of the judge's errors in the low construct and in a third one."""
    third = next(x for x in made.schema["constructs"] if x not in (made.low, made.high))
    wrong = [
        (labels["judge"] != labels["person1"]).astype(float)
        for labels in (labels_of(made, made.low), labels_of(made, third))
    ]
    return wrong[0].corr(wrong[1])


def test_a_threshold_shift_moves_the_judges_margin_one_way():
    made = world("threshold_shift", LARGE, 1, k=2)
    means = labels_of(made, made.low).mean()
    assert abs(means["judge"] - means["person1"]) > 0.15


def test_prevalence_narrows_the_low_construct():
    made = world("prevalence", LARGE, 1)
    low, high = (labels_of(made, one)["person1"].var() for one in (made.low, made.high))
    assert low < 0.5 * high


def test_a_ceiling_lowers_the_agreement_of_people():
    made = world("human_ceiling", LARGE, 1, humans=2)
    people = [correlation(made, x, "person1", x, "person2") for x in (made.low, made.high)]
    assert people[0] < people[1] - 0.3


def test_drift_is_a_stretch_of_the_order():
    made = world("drift", LARGE, 1, ordered=True)
    right = agreement_by(made, "order", 20)
    assert right.min() < right.max() - 0.15


def test_bad_strata_agree_less():
    made = world("stratum", LARGE, 1, strata=True)
    right = agreement_by(made, "stratum", None)
    assert right.min() < right.max() - 0.2


def agreement_by(made, column, pieces):
    """Share of equal labels of judge and person in the low construct, by a column's values."""
    place = made.frame.drop_duplicates("item_id").set_index("item_id")[column]
    wide = labels_of(made, made.low)
    by = place.reindex(wide.index)
    by = by if pieces is None else by * pieces // LARGE
    return (wide["judge"] == wide["person1"]).groupby(by).mean()


def test_halo_ties_the_judges_answers_more_than_peoples():
    made = world("halo", LARGE, 1)
    others = [name for name in made.schema["constructs"] if name != made.low]
    judge = max(correlation(made, made.low, "judge", name, "judge") for name in others)
    people = max(correlation(made, made.low, "person1", name, "person1") for name in others)
    assert judge > people + 0.1


def test_few_items_have_labels_of_people():
    made = world("too_few_labels", 400, 1)
    assert labels_of(made, made.low)["person1"].notna().sum() == 50


def test_another_definition_leaves_people_agreeing():
    made = world("definition", LARGE, 1, humans=2)
    people = [correlation(made, x, "person1", x, "person2") for x in (made.low, made.high)]
    assert abs(people[0] - people[1]) < 0.05


def test_noise_is_a_judge_that_does_not_repeat_itself():
    made = world("judge_noise", LARGE, 1, sittings=2)
    judge = made.frame[made.frame["rater_id"] == "judge"]
    again = judge.pivot(index=["construct", "item_id"], columns="sitting", values="label")
    same = (again[1] == again[2]).groupby("construct").mean()
    assert same[made.low] < same[made.high] - 0.15


def test_what_labels_cannot_show_is_not_identifiable():
    assert not world("human_ceiling", 50, 1, humans=1).identifiable
    assert not world("definition", 50, 1, humans=1, judges=1).identifiable
    assert world("definition", 50, 1, humans=1, judges=2).identifiable
    assert not world("drift", 50, 1, ordered=False).identifiable
    assert not world("judge_noise", 50, 1, sittings=1).identifiable
    assert not world("call_failure", 50, 1, humans=1, judges=1).identifiable


def outcome(cause, named, left_open=(), undetermined=()):
    return Outcome("foreign", None, cause, 400, 1, True, named, left_open, undetermined, 0.1)


def test_outcomes_are_named_left_open_or_missed():
    assert outcome(("halo",), ("halo", "drift")).first == "halo"
    assert outcome(("halo",), ("halo", "drift", "too_few_labels")).others == ("drift",)
    assert outcome(("halo",), (), ("definition",)).first == "open"
    assert is_left_open(outcome(("halo",), (), ("halo",)), "halo")
    assert is_left_open(outcome(("halo",), ("drift",), (), ("halo",)), "halo")
    assert is_left_open(outcome(("halo",), ("too_few_labels",)), "halo")
    assert not is_left_open(outcome(("halo",), ("definition",)), "halo")


def test_limits_are_exact():
    # Clopper-Pearson for 0 of 60: the upper limit solves (1 - p)^60 = .025.
    limits = rate([False] * 60)
    assert limits["low"] == 0
    assert limits["high"] == pytest.approx(1 - 0.025 ** (1 / 60))
    assert rate([])["share"] is None


def test_shares_of_a_cell_sum_to_one():
    found = [
        outcome(("halo",), ("halo",)),
        outcome(("halo",), (), ("halo",)),
        outcome(("halo",), ("drift",)),
    ]
    (cell,) = summary(found)
    kinds = ("among_named", "undetermined", "missed")
    assert [cell["all"][kind]["count"] for kind in kinds] == [1, 1, 1]


def test_the_report_shows_every_kind_of_cell():
    found = [
        outcome((), ()),
        outcome(("halo",), ("halo",)),
        outcome(("halo", "drift"), ("drift", "halo")),
    ]
    text = page(found)
    assert "| halo | 100.0 | 100.0 | 0.0 | 0.0 | 0.0 | 100.0 (2.5 to 100.0; 1) |" in text
    assert "| halo + drift | 400 | 100.0 (2.5 to 100.0; 1) |" in text
    assert "| 400 | 0.0 (0.0 to 97.5; 1) |" in text


def test_unknown_causes_are_refused():
    assert causes_of(["halo+drift", "none"]) == [("halo", "drift"), ()]
    with pytest.raises(SystemExit, match="hallo"):
        causes_of(["hallo"])
