"""Human ceiling: people's agreement with each other, and kappa had they agreed as elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from toolkit.coefficients.weights import agreement_weights
from toolkit.diagnosis.case import HIGH, LOW, Scale
from toolkit.diagnosis.human_ceiling import measure, pairs_of, reliability, sentence


def three_raters(agree: int, odd: int) -> dict[str, list[int]]:
    """Binary labels of three raters: `agree` items all alike, `odd` for each that stands alone."""
    patterns = [
        (0, 0, 0),
        (1, 1, 1),
        (1, 0, 0),
        (0, 1, 1),
        (0, 1, 0),
        (1, 0, 1),
        (0, 0, 1),
        (1, 1, 0),
    ]
    times = np.repeat([agree // 2, odd // 2], [2, 6])
    labels = np.repeat(patterns, times, axis=0)
    return dict(zip(("human1", "human2", "judge"), labels.T.tolist(), strict=True))


def joined(low: dict[str, list], high: dict[str, list]) -> dict[str, dict[str, list]]:
    return {rater: {"low": low[rater], "high": high[rater]} for rater in low}


@pytest.fixture
def planted(case_of):
    # Any two of three raters agree on (agree + odd) of agree + 3 odd items: 400 of 600 on low,
    # 500 of 600 on high. Both margins are one half, so kappa = 2 agreement - 1: 1/3 and 2/3.
    return case_of(joined(three_raters(300, 100), three_raters(450, 50)))


def test_kappa_is_raised_to_what_the_reliability_of_the_high_construct_allows(planted):
    # At the median rho = sin(pi kappa / 2): people sin(pi/6) = .5 on low, sin(pi/3) = .8660 on
    # high, judge .5 on low. Undone: rho = .5 sqrt(.8660 / .5) = .6580, kappa = 2/pi asin(.6580)
    # = .4572. The smoothing mass of 2 in 600 items moves these by less than .004.
    found = measure(planted)
    assert found.tests["rel_low"] == pytest.approx(0.5, abs=0.004)
    assert found.tests["rel_high"] == pytest.approx(0.8660, abs=0.004)
    assert found.effect[0] == pytest.approx(0.3660, abs=0.004)
    assert found.undone[0] == pytest.approx(0.4572, abs=0.004)
    assert found.tests["z"] > 2
    assert (found.n, found.witness, found.tests["raters"]) == (600, "human1, human2", 2)


def test_the_facts_are_kappas_of_people_and_of_the_judge_with_them(planted):
    # Judge and person agree as often as person and person: difference 0 (see `planted`).
    facts = measure(planted).facts
    assert facts["kappa_low"]["estimate"] == pytest.approx(1 / 3, abs=0.004)
    assert facts["kappa_high"]["estimate"] == pytest.approx(2 / 3, abs=0.004)
    assert facts["judge_minus_people"]["estimate"] == pytest.approx(0, abs=0.004)
    assert facts["judge_minus_people"]["low"] < 0 < facts["judge_minus_people"]["high"]
    assert "fewer than four people" in facts["majority"]["why_not"]
    assert facts["annotator_test"]["reasons"] == ["few_people"]


def test_pairs_are_pooled_in_both_orders_and_every_item_weighs_one():
    # Labels 0, 0, 1: of six ordered pairs two are (0, 0), two (0, 1), two (1, 0). Labels 1, 1: all
    # pairs (1, 1). One label: no pair.
    codes = np.array([[0, 0, 1], [1, -1, 1], [-1, 0, -1], [-1, -1, -1]])
    third = 1 / 3
    expected = [[third, third, third, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]]
    np.testing.assert_allclose(pairs_of(codes, 2), expected)


@given(arrays(np.int64, (6, 4), elements=st.integers(-1, 2)))
def test_pairs_are_symmetric_and_count_items_with_two_labels(codes):
    cells = pairs_of(codes, 3).reshape(-1, 3, 3)
    np.testing.assert_allclose(cells, cells.transpose(0, 2, 1))
    np.testing.assert_allclose(cells.sum(axis=(1, 2)), (codes >= 0).sum(axis=1) > 1)


def test_the_order_of_persons_does_not_matter(planted):
    turned = replace(planted, people=planted.people[:, :, ::-1])
    np.testing.assert_allclose(measure(turned).effect, measure(planted).effect)


def test_equal_reliability_leaves_kappa_as_it_is(case_of):
    low = three_raters(300, 100)
    found = measure(case_of(joined(low, low)))
    assert found.effect[0] == 0
    assert found.undone[0] == pytest.approx(1 / 3, abs=0.004)


def test_people_that_do_not_agree_at_all_leave_the_judges_validity_to_the_high_construct(case_of):
    # Persons independent on low: kappa and rho 0, so a ratio of reliabilities says nothing. On high
    # all are alike, rho 1 (capped at .995). With that rho the judge's quarter of 1s lies within the
    # people's half: 3/4 agree, 1/2 by chance, kappa 1/2.
    low = {
        "human1": [0, 0, 1, 1] * 60,
        "human2": [0, 1, 0, 1] * 60,
        "judge": [0, 0, 0, 1] * 60,
    }
    high = {rater: [0, 1] * 120 for rater in low}
    case = case_of(joined(low, high))
    found = measure(case)
    assert found.tests["z"] > 2
    assert found.undone[0] == pytest.approx(0.5, abs=0.01)
    assert found.facts["validity_assumed"]
    assert "as well as high" in sentence(found, case)
    assert np.isnan(reliability(case, LOW)).all()
    assert np.isfinite(reliability(case, HIGH)).all()


def test_people_that_do_not_agree_on_the_high_construct_give_no_counterfactual(case_of):
    random = {"human1": [0, 0, 1, 1] * 60, "human2": [0, 1, 0, 1] * 60, "judge": [0, 1] * 120}
    alike = {rater: [0, 1] * 120 for rater in random}
    found = measure(case_of(joined(alike, random)))
    assert found.undone is None
    assert found.tests["z"] < -2


def test_reliability_is_the_latent_correlation_of_people(planted):
    stack = reliability(planted, HIGH)
    assert stack.shape == (1 + planted.replicates,)
    assert stack[0] == pytest.approx(0.8660, abs=0.004)
    assert ((stack >= 0.1) & (stack < 1)).all()


def test_one_person_and_no_other_judge_is_not_testable(case_of):
    raters = joined(three_raters(300, 100), three_raters(450, 50))
    del raters["human2"]
    case = case_of(raters)
    found = measure(case)
    assert found.untestable == "one reference rater only"
    assert "not testable: one reference rater only" in sentence(found, case)
    assert np.isnan(reliability(case, LOW)).all()


def other_judge(low: dict[str, list], high: dict[str, list]) -> dict[str, dict[str, list]]:
    names = {"human1": "human1", "human2": "judge2", "judge": "judge"}
    return {names[rater]: own for rater, own in joined(low, high).items()}


def test_another_judge_that_meets_the_only_person_refutes_the_ceiling(case_of):
    # judge2 is the person's labels with 1 in 20 turned on both constructs; the judge turns 1 in 3
    # on low.
    person = [0, 1] * 200
    turned = [label ^ (i % 20 == 0) for i, label in enumerate(person)]
    noisy = [label ^ (i % 3 == 0) for i, label in enumerate(person)]
    low = {"human1": person, "human2": turned, "judge": noisy}
    high = {"human1": person, "human2": turned, "judge": turned}
    case = case_of(other_judge(low, high))
    found = measure(case)
    assert found.untestable == ""
    assert found.tests["judge_refutes"] == 1
    assert found.tests["raters"] == 1
    assert np.isnan(found.tests["z"])
    assert found.undone is None
    assert found.witness == "judge2"
    assert "judge2, agrees with the same person on low" in sentence(found, case)


def test_another_judge_no_better_than_the_judge_refutes_nothing(case_of):
    case = case_of(other_judge(three_raters(300, 100), three_raters(450, 50)))
    assert measure(case).untestable == "one reference rater only"


def test_of_four_people_each_meets_the_majority_of_the_others(case_of):
    # human4 is alone on every fourth item; the others and the judge agree throughout. Against the
    # majority of the others the judge is always right, so its kappa is 1 without smoothing; of the
    # four persons one is wrong on a quarter: 15/16 agree, margins of one half, kappa 7/8.
    label = [0, 1] * 100
    alone = [value ^ (i % 4 < 2 and i % 8 < 2) for i, value in enumerate(label)]
    raters = dict.fromkeys(("human1", "human2", "human3", "judge"), label) | {"human4": alone}
    majority = measure(case_of(joined(raters, raters))).facts["majority"]
    assert majority["items"] == 200
    assert majority["judge"]["estimate"] == pytest.approx(1, abs=0.011)
    assert majority["people"]["estimate"] == pytest.approx(7 / 8, abs=0.011)
    assert majority["difference"]["low"] > 0


def test_persons_with_uneven_labels_count_where_they_labelled(case_of):
    low, high = three_raters(300, 100), three_raters(450, 50)
    half = [label if i % 2 else None for i, label in enumerate(low["human2"])]
    found = measure(case_of(joined({**low, "human2": half}, high)))
    assert found.tests["paired_items"] == found.n == 300
    assert found.tests["rel_low"] == pytest.approx(0.5, abs=0.01)


def test_constructs_without_order_are_compared_by_kappa(case_of):
    # Three categories, persons agree on two of three items at even margins of 1/3: kappa
    # (2/3 - 1/3) / (2/3) = 1/2 on low, 1 on high; judge equal to human1: mean kappa with the two
    # of (1 + 1/2) / 2 = 3/4, so .75 sqrt(1 / .5) = 1.06 is capped at 1.
    first = [0, 1, 2] * 60
    second = [(label + (i // 3 % 3 == 0)) % 3 for i, label in enumerate(first)]
    low = {"human1": first, "human2": second, "judge": first}
    case = case_of(joined(low, dict.fromkeys(low, first)), categories=(0, 1, 2))
    found = measure(case)
    assert found.tests["rel_low"] == pytest.approx(0.5, abs=0.02)
    assert found.tests["rel_high"] == pytest.approx(1, abs=0.02)
    assert found.undone[0] == pytest.approx(1, abs=0.02)
    assert (found.undone <= 1).all()


def test_constructs_with_unlike_numbers_of_categories_are_compared(planted):
    wide = Scale("high", 3, True, np.asarray(agreement_weights("quadratic", 3)))
    found = measure(replace(planted, scales=(planted.scales[LOW], wide)))
    assert found.effect[0] > 0.2


NOTHING = [None] * 40
VARYING = [0, 1] * 20


@pytest.mark.parametrize(
    ("human1", "human2", "judge", "why"),
    [
        (VARYING, VARYING, [0] * 40, "the judge gave one category only on low"),
        ([0] * 40, [0] * 40, VARYING, "the people gave one category only on low"),
        (VARYING[:20] + NOTHING[20:], NOTHING[20:] + VARYING[20:], VARYING, "two people on low"),
        (VARYING, [0, *NOTHING[1:]], VARYING, "one category only"),
    ],
)
def test_what_cannot_be_measured_has_a_reason(case_of, human1, human2, judge, why):
    low = {"human1": human1, "human2": human2, "judge": judge}
    high = dict.fromkeys(low, VARYING)
    case = case_of(joined(low, high), reference=["human1", "human2"])
    found = measure(case)
    assert why in found.untestable
    assert found.untestable in sentence(found, case)


def test_three_items_raise_nothing(case_of):
    low = {"human1": [0, 1, 1], "human2": [0, 1, 0], "judge": [0, 1, 1]}
    case = case_of(joined(low, low))
    assert np.isfinite(measure(case).effect[0])


def test_a_case_without_calls_is_not_testable(planted):
    assert measure(planted.part(np.zeros(planted.n, dtype=bool))).untestable


def test_the_sentence_holds_the_numbers(planted):
    said = sentence(measure(planted), planted)
    assert "kappa 0.33 [" in said
    assert "0.66 [" in said
    assert "600 items of low" in said
