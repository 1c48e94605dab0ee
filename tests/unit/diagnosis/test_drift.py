from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from toolkit.diagnosis import drift
from toolkit.diagnosis.drift import blocks, intervals, measure, sentence, stretches

N = 240


def drifting(case_of, start=120, stop=240, **more):
    """Half of the items are positive; the judge is right outside and blind within the stretch."""
    people = [0, 0, 1, 1] * (N // 4)
    blind = [0, 1] * (N // 2)
    judge = [blind[i] if start <= i < stop else people[i] for i in range(N)]
    labels = {
        "judge": {"a": judge, "b": people},
        "human1": {"a": people, "b": people},
        **{rater: {"a": people, "b": people} for rater in more.pop("witnesses", ())},
    }
    columns = {"order": list(range(N)), **more}
    return case_of(
        labels, reference="human1", **({"at": columns["order"]} | columns) | {"order": "at"}
    )


def test_the_stretch_and_its_kappas_by_hand(case_of):
    # Inside every class is answered half right: rows (30, 30; 30, 30), kappa 0. Outside every
    # label is right: (60, 0; 0, 60). The whole (90, 30; 30, 90) has kappa .5 and rows .75, .25.
    # Smoothed by half a call a cell, and one call of the whole a row: bad (30.5 + .75, 30.5 + .25)
    # up to the whole's own smoothing, so kappa = .5 / 62 = .0081; good (60.5 + .75, .5 + .25) / 62,
    # kappa = 60.5 / 62 = .976.
    found = measure(drifting(case_of))
    assert found.facts["stretches"] == [{"start": 120, "end": 239, "from": 0.5, "to": 1.0}]
    assert found.facts["kappa_bad"] == pytest.approx(0.0081, abs=1e-3)
    assert found.facts["kappa_good"] == pytest.approx(0.976, abs=1e-3)
    assert found.tests["gain"] == pytest.approx(0.968, abs=2e-3)
    assert found.tests["gain_cross"] > 0.9
    assert found.tests["p"] == 1 / 500  # no permutation reaches it
    assert found.good is not None
    assert found.good.tolist() == [True] * 120 + [False] * 120
    assert found.undone[0] == found.facts["kappa_good"]


def test_a_good_stretch_in_the_middle_leaves_two_bad_ends(case_of):
    people = [0, 0, 1, 1] * (N // 4)
    judge = [p if 80 <= i < 160 else (0, 1)[i % 2] for i, p in enumerate(people)]
    labels = {"judge": {"a": judge, "b": people}, "human": {"a": people, "b": people}}
    found = measure(case_of(labels, order="at", at=list(range(N))))
    assert [(s["start"], s["end"]) for s in found.facts["stretches"]] == [(0, 79), (160, 239)]


@pytest.mark.parametrize("moved", ["judge", "people"])
def test_a_second_judge_tells_who_moved(case_of, moved):
    people = [0, 0, 1, 1] * (N // 4)
    blind = [p if i < N // 2 else (0, 1)[i % 2] for i, p in enumerate(people)]
    sides = {"judge": (blind, people), "people": (people, blind)}[moved]
    labels = {"judge": sides[0], "human": sides[1], "judge2": people}
    raters = {rater: {"a": values, "b": people} for rater, values in labels.items()}
    found = measure(case_of(raters, order="at", at=list(range(N))))
    assert found.facts["moved"] == moved
    assert found.witness == "judge2"
    assert found.tests["side_z"] > 2.5


def test_a_second_person_leaves_the_judge_or_all_people(case_of):
    found = measure(drifting(case_of, witnesses=("human2",)))
    assert found.facts["moved"] == "judge, or all people together"
    assert found.witness == "human2"


def test_with_one_person_alone_nobody_knows_who_moved(case_of):
    found = measure(drifting(case_of))
    assert found.facts["moved"] == "unknown"
    assert np.isnan(found.tests["side_z"])


def test_the_ends_are_given_in_the_units_of_the_order(case_of):
    case = drifting(case_of)
    found = measure(replace(case, order=case.order * 10 + 5))
    assert found.facts["stretches"][0]["start"] == 1205
    assert "1205 to 2395 (50-100 % of the calls)" in sentence(found, case)
    gain = found.tests["gain_cross"]
    assert f"the stretch differs by {gain:.2f} on the other." in sentence(found, case)


def test_calls_without_a_place_are_left_out_and_counted(case_of):
    case = drifting(case_of)
    order = case.order.copy()
    order[:12] = np.nan
    found = measure(replace(case, order=order))
    assert found.facts["without_order"] == 12
    assert found.n == N - 12
    assert not found.good[:12].any()


def test_without_an_order_row_order_is_not_time(case_of):
    case = replace(drifting(case_of), order=None)
    found = measure(case)
    assert found.untestable == ("no column of the order is declared; row order is not time")
    assert found.untestable in sentence(found, case)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda c: replace(c, order=np.zeros(N)), "all calls have the same place"),
        (lambda c: replace(c, order=np.full(N, np.nan)), "only 0 calls have a place"),
        (lambda c: c.part(np.arange(N) < 30), "only 30 calls"),
        (lambda c: c.part(np.zeros(N, dtype=bool)), "only 0 calls"),
        (lambda c: c.with_judge(0, np.ones(N, dtype=int)), "the judge gives one"),
        (lambda c: replace(c, people=np.zeros_like(c.people)), "the reference gives one"),
        (lambda c: replace(c, unit=np.arange(N) // 60), "only 4 clusters"),
        (lambda c: replace(c, order=(c.order == 3) * 1.0), "nearly all calls"),
    ],
)
def test_degenerate_labels_are_not_testable(case_of, change, reason):
    case = change(drifting(case_of))
    found = measure(case)
    assert reason in found.untestable
    assert sentence(found, case).startswith("Drift could not be tested")


def test_agreement_without_error_finds_nothing(case_of):
    found = measure(drifting(case_of, 0, 0))
    assert found.tests["p"] == 1.0
    assert found.tests["gain"] < 0.06  # smoothing alone, which tells more in the smaller part


def test_rising_prevalence_is_no_drift(case_of):
    # One positive in ten, then one in two; the judge errs on every tenth item of either class.
    people = [int(i % 10 == 0) for i in range(300)] + [i % 2 for i in range(300)]
    seen, judge = [0, 0], []
    for label in people:
        seen[label] += 1
        judge.append(1 - label if seen[label] % 10 == 5 else label)
    labels = {"judge": {"a": judge, "b": people}, "human": {"a": people, "b": people}}
    found = measure(case_of(labels, order="at", at=list(range(600))))
    assert found.tests["p"] > 0.5


def test_the_same_seed_gives_the_same_answer(case_of):
    one, two = (measure(drifting(case_of)) for _ in range(2))
    assert one.tests == pytest.approx(two.tests, nan_ok=True)


def test_ties_stand_in_one_block_and_clusters_are_kept_whole():
    batches = np.repeat([1.0, 2, 3], 40)
    assert np.unique(blocks(batches, np.arange(120))).size == 3
    clusters = np.repeat(np.arange(10), 12)
    whole = blocks(np.arange(120.0), clusters)
    assert all(np.unique(whole[clusters == c]).size == 1 for c in range(10))
    spread = np.arange(120) % 10  # each cluster has calls all over the order
    assert np.bincount(blocks(np.arange(120.0), spread)).tolist() == [5] * 24


def test_intervals_hold_more_than_a_tenth_and_less_than_nine():
    share = intervals(np.full(24, 10)).mean(axis=1)
    assert share.min() > 0.1
    assert share.max() < 0.9


def test_a_stretch_is_cut_where_its_calls_end():
    bad = np.array([False, True, True, False])
    assert stretches(np.array([4.0, 1, 2, 3]), bad, ~bad) == [
        {"start": 1, "end": 2, "from": 0, "to": 0.5}
    ]


def test_next_says_what_to_do():
    assert drift.NEXT.endswith(".")
