"""Judge noise: the judge's agreement with itself, and kappa were it as steady as elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.coefficients.weights import agreement_weights
from toolkit.diagnosis.case import LOW, Case, Names, Scale
from toolkit.diagnosis.judge_noise import measure, sentence


def three_labels(agree: int, odd: int) -> list[list[int]]:
    """Binary labels of person, judge and judge again: all alike, or one of them alone."""
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
    return np.repeat(patterns, times, axis=0).T.tolist()


@pytest.fixture
def sittings(case_of):
    """Build a case from (person, judge, judge again) on low and on high."""

    def make(low, high):
        raters = {
            "human1": {"low": low[0], "high": high[0]},
            "judge": {"low": low[1], "high": high[1]},
        }
        return replace(case_of(raters), again=np.array([low[2], high[2]]))

    return make


@pytest.fixture
def planted(sittings):
    # Any two of the three labels agree on agree + odd of agree + 3 odd items: 400 of 600 on low,
    # 500 of 600 on high, margins of one half: kappa 1/3 and 2/3, of the judge with itself too.
    return sittings(three_labels(300, 100), three_labels(450, 50))


def test_kappa_is_raised_to_what_the_judges_steadiness_on_the_high_construct_allows(planted):
    # At the median rho = sin(pi kappa / 2): the judge with itself .5 on low, .8660 on high, with
    # the person .5 on low. Undone: rho = .5 sqrt(.8660 / .5) = .6580, kappa = 2/pi asin(.6580)
    # = .4572. The smoothing mass of 2 in 600 items moves these by less than .004.
    found = measure(planted)
    assert found.tests["rel_low"] == pytest.approx(0.5, abs=0.004)
    assert found.tests["rel_high"] == pytest.approx(0.8660, abs=0.004)
    assert found.undone[0] == pytest.approx(0.4572, abs=0.004)
    assert found.tests["z"] > 2
    assert found.tests["repeated"] == found.n == 600


def test_a_judge_that_repeats_itself_keeps_its_kappa(sittings):
    # Kappa 1/3 with the person; sittings equal on both constructs: nothing to undo.
    person, judge, _ = three_labels(300, 100)
    found = measure(sittings((person, judge, judge), (person, judge, judge)))
    assert found.effect[0] == 0
    assert found.tests["z"] == 0
    assert found.undone[0] == pytest.approx(1 / 3, abs=0.004)


def test_facts_are_kappas_of_the_judge_with_itself(planted):
    facts = measure(planted).facts
    assert facts["kappa_low"]["estimate"] == pytest.approx(1 / 3, abs=0.004)
    assert facts["kappa_high"]["low"] < 2 / 3 < facts["kappa_high"]["high"]


def test_one_sitting_is_not_testable(planted):
    once = replace(planted, again=np.full_like(planted.again, -1))
    found = measure(once)
    assert found.untestable == "the judge labelled each item once"
    assert found.untestable in sentence(found, once)


def test_a_repeat_of_one_construct_only_is_not_testable(planted):
    again = planted.again.copy()
    again[LOW] = -1
    assert measure(replace(planted, again=again)).untestable.endswith("once on low")


def test_few_repeats_are_measured_and_counted(planted):
    again = planted.again.copy()
    again[:, np.arange(600) % 7 > 0] = -1
    found = measure(replace(planted, again=again))
    assert found.untestable == ""
    assert found.tests["repeated"] == 86


@pytest.mark.parametrize("row", ["judge", "again"])
def test_a_constant_sitting_is_not_testable(planted, row):
    codes = getattr(planted, row).copy()
    codes[LOW] = 0
    assert "one category only on low" in measure(replace(planted, **{row: codes})).untestable


def test_a_constant_person_is_not_testable(planted):
    people = planted.people.copy()
    people[LOW] = 0
    found = measure(replace(planted, people=people))
    assert found.untestable == "the people gave one category only on low"


def test_three_items_and_none_raise_nothing(planted):
    measure(planted.part(np.arange(planted.n) % 200 == 0))
    assert measure(planted.part(np.zeros(planted.n, dtype=bool))).untestable


@settings(max_examples=10, deadline=None)
@given(shift=st.integers(0, 599))
def test_the_order_of_calls_does_not_matter(shift):
    low, high = (np.array(three_labels(*of)) for of in ((300, 100), (450, 50)))
    case = _case(np.stack([low, high]))
    moved = _case(np.roll(np.stack([low, high]), shift, axis=2))
    assert measure(moved).effect[0] == pytest.approx(measure(case).effect[0])


def _case(labels):
    """A case straight from codes, (construct, label, call)."""
    n = labels.shape[2]
    weights = np.asarray(agreement_weights(None, 2))
    return Case(
        scales=(Scale("low", 2, True, weights), Scale("high", 2, True, weights)),
        judge=labels[:, 1],
        people=labels[:, 0, :, None],
        reference=1,
        judges=np.empty((2, n, 0), dtype=np.int64),
        again=labels[:, 2],
        unit=np.arange(n),
        weight=np.ones(n),
        stratum=None,
        order=None,
        item=np.arange(n),
        names=Names("judge", ("human1",)),
        replicates=20,
    )


def test_the_sentence_holds_the_numbers(planted):
    said = sentence(measure(planted), planted)
    assert "agrees with itself at kappa 0.33 [" in said
    assert "600 calls of low repeated" in said
