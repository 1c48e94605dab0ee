from __future__ import annotations

import pytest
from planning_pool import TARGETS, counts, pool_strata, positive_shares

from toolkit import planning


@pytest.fixture(scope="module")
def st():
    return pool_strata()


@pytest.fixture(scope="module")
def plan(st):
    return planning.plan_for_targets(st, counts(st, 200), TARGETS)


def test_a_pilot_without_positives_is_planned_and_warned_of(st):
    nobody = [(0.0, 0.0), positive_shares()[1]]
    (text,) = planning.plan_for_targets(st, counts(st, 50, nobody), TARGETS).warnings
    assert text.startswith("The plan for escalation is a guess")
    assert "is positive, so its plan rests on the smoothing alone" in text
    assert "most of all of the 1,003 that the judge flagged" in text


def test_a_pilot_of_positives_alone_is_planned_and_warned_of(st):
    everybody = [(1.0, 1.0), positive_shares()[1]]
    (text,) = planning.plan_for_targets(st, counts(st, 50, everybody), TARGETS).warnings
    assert text.startswith("The plan for escalation is a guess")
    assert "all of the pilot's 200 labels are positive, so its plan rests on the smoothing" in text
    assert "most of all of the 18,997 that the judge did not flag" in text


def test_a_pilot_of_ten_labels_is_warned_of_with_what_to_do(st):
    made = planning.plan_for_targets(st, counts(st, 2.5), TARGETS)
    first, second = made.warnings
    assert "The plan for escalation is a guess: the pilot has 10 labels on it, fewer than" in first
    assert "The plan for self_harm is a guess" in second
    assert "Label a few dozen items of every stratum first, and plan again with them" in first
    assert f"Warning: {first}" in str(made)
    assert made.to_dict()["warnings"] == [first, second]


def test_a_band_wider_than_the_planned_width_is_warned_of(st):
    pilot = counts(st, 200)
    few = pilot["construct"].eq("escalation") & pilot["stratum"].eq(st.names[0])
    pilot = pilot.assign(count=pilot["count"].where(~few, pilot["count"] / 200))
    made = planning.plan_for_targets(st, pilot, TARGETS)
    row = made.half_width.set_index("construct").loc["escalation"]
    assert row["high"] - row["low"] > row["planned"]
    (text,) = made.warnings
    assert f"band of {row['low']:.3f} to {row['high']:.3f} is wider than the planned" in text


def test_a_pilot_of_hundreds_of_labels_is_not_warned_of(plan):
    assert plan.warnings == ()
    assert "Warning" not in str(plan)


def test_a_plan_that_is_a_census_says_so(st):
    paid = planning.plan_for_budget(st, counts(st), 20_000)
    rich = planning.plan_for_budget(st, counts(st), 1e9)
    strict = planning.plan_for_targets(st, counts(st), {"escalation": 1e-5})
    for made in (paid, rich, strict):
        (text,) = made.warnings
        assert text.startswith("This is a census: all 20,000 items of the pool are labelled")
        assert text in str(made)
    nearly = planning.plan_for_targets(st, counts(st), {"escalation": 0.001})
    assert 19_000 < nearly.total < 20_000
    assert nearly.warnings[0].startswith("This is nearly a census: 19,")
