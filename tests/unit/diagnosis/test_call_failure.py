"""Call failure: errors that share calls, told from hard items and from a general impression."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtri

from toolkit.diagnosis.call_failure import measure, sentence, undo
from toolkit.diagnosis.case import Case, Names, Scale
from toolkit.diagnosis.failure_model import (
    NOTHING,
    Answers,
    Factor,
    answers,
    tied,
    two_state,
)
from toolkit.diagnosis.witnesses import witnesses

IDENTITY = np.eye(2)
NOMINAL = tuple(Scale(f"c{i}", 2, False, IDENTITY) for i in range(2))  # rows are not divided


def _case(judge: Any, people: Any, judges: Any = None, k: int = 2, **others: Any) -> Case:
    """Case of judge (c, n), people (c, n, p) and other judges (c, n, v)."""
    judge, people = np.asarray(judge), np.asarray(people)
    c, n = judge.shape
    judges = np.empty((c, n, 0), dtype=np.int64) if judges is None else np.asarray(judges)
    fields: dict[str, Any] = {
        "scales": tuple(Scale(f"c{i}", k, True, np.eye(k)) for i in range(c)),
        "judge": judge,
        "people": people,
        "reference": 1,
        "judges": judges,
        "again": np.full((c, n), -1),
        "unit": np.arange(n),
        "weight": np.ones(n),
        "stratum": None,
        "order": None,
        "item": np.arange(n),
        "names": Names("judge", tuple(f"human{i + 1}" for i in range(people.shape[2]))),
        "replicates": 60,
    }
    return Case(**(fields | others))


def _world(n: int, c: int, k: int = 2, seed: int = 0, failed: float = 0.0, **how: float) -> Case:
    """Two people and a judge with independent errors, and what `how` ties them by."""
    rng = np.random.default_rng(seed)
    cuts = ndtri(np.arange(1, k) / k)
    z, noise = rng.standard_normal((2, c, n))
    tied_by = rng.standard_normal(n) * how.get("impression", 0.0)
    spread = np.exp(how.get("difficulty", 0.0) * rng.standard_normal(n))
    judge = np.searchsorted(cuts, z + spread * (0.45 * noise + tied_by))
    people = np.stack(
        [np.searchsorted(cuts, z + 0.2 * spread * e) for e in rng.standard_normal((2, c, n))],
        axis=2,
    )
    lost = (rng.random(n) < failed) & (rng.random((c, n)) < 0.8)
    guess = rng.integers(0, k, (c, n)) if how.get("guessed") else np.zeros((c, n), dtype=np.int64)
    judge = np.where(lost, guess, judge)
    return _case(judge, people, k=k)


def _ok(case: Case) -> Answers:
    return answers(case, witnesses(case))


def test_correlation_of_errors_in_the_same_calls_by_hand() -> None:
    # 32 calls, 16 of class 0 and 16 of class 1 on both constructs. In each class 4 errors on low, 4
    # on high, 3 of them in the same call: p = 1/4, variance 3/16, covariance 3/16 - 1/16 = 1/8,
    # correlation 2/3.
    truth = np.repeat([0, 1], 16)
    low, high = np.zeros((2, 32), dtype=np.int64)
    for start in (0, 16):
        low[start : start + 4] = 1
        high[start + 1 : start + 5] = 1
    found = measure(_case([truth ^ low, truth ^ high], np.stack([truth, truth])[:, :, None]))
    assert found.tests["correlation"] == pytest.approx(2 / 3)


def _defaults() -> Case:
    """50 calls negative on three constructs, 50 positive, and 36 mixed so that none is a gate.

    20 of the positive calls are answered (0, 0, 0); all other answers are right.
    """
    mixed = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    truth = np.concatenate([np.repeat([[0] * 3, [1] * 3], 50, axis=0), np.repeat(mixed, 6, axis=0)])
    judge = truth.copy()
    judge[50:70] = 0
    return _case(judge.T, truth.T[:, :, None].repeat(2, axis=2))


def test_a_default_in_two_fifths_of_the_positive_calls_by_hand() -> None:
    # Negative calls fit a failed and a sound call alike, and of the 86 others 20 failed with every
    # construct hit: pi = 20 / 86; without the failed calls the judge is perfect.
    # Rows are divided by the other constructs: the median of their sum is 1, so the 50 positive
    # calls alone stand in the row of class 1 beside high others, 20 wrong; the other rows have no
    # error. Gain over independence:
    # 20 log(20 / 86) + 66 log(66 / 86) - 3 (20 log(20 / 50) + 30 log(30 / 50)) = 54.3.
    found = measure(_defaults())
    assert found.facts["mode"] == "default"
    assert found.tests["share_failed"] == pytest.approx(20 / 86, abs=0.04)
    assert found.tests["gain"] == pytest.approx(54.3, abs=2)
    assert found.undone is not None
    assert found.undone[0] > 0.93
    assert found.tests["correlation"] > 0.9


def test_independence_is_the_product_of_the_rows() -> None:
    # One construct of each call is always right; of the other, 10 calls of class 0 have 2 errors
    # and 10 of class 1 have 5. The row of class 0 has a prior of one answer, half as usual in the
    # table, (13 + .5, 7 + .5) / 21, half right: (8 + (.642857 + 1) / 2) / 11 = .80195.
    truth = np.repeat([0, 1], 10)
    judge = np.array([0] * 8 + [1] * 2 + [0] * 5 + [1] * 5)
    case = _case([judge, truth], np.stack([truth, truth])[:, :, None], scales=NOMINAL)
    seen = _ok(case)
    assert seen.rows[0][0, 0] == pytest.approx(0.80195, abs=1e-5)
    logs = [(t * np.log(row)).sum() for t, row in zip(seen.counts, seen.rows, strict=True)]
    assert tied(seen, NOTHING) == pytest.approx(float(np.sum(logs)))


@pytest.mark.parametrize("guessed", [0.0, 1.0])
@pytest.mark.parametrize("k", [2, 5])
def test_failed_calls_are_seen_with_their_mode(k: int, guessed: float) -> None:
    found = measure(_world(800, 5, k, failed=0.3, guessed=guessed))
    assert found.facts["mode"] == ("random" if guessed else "default")
    assert found.tests["gain"] > 10
    assert found.tests["direction"] > 2
    assert found.tests["difficulty"] > 2
    assert found.tests["share_failed"] == pytest.approx(0.3, abs=0.12)


@pytest.mark.parametrize("k", [2, 5])
def test_independent_errors_are_no_failed_calls(k: int) -> None:
    assert all(measure(_world(400, 4, k, seed=seed)).tests["gain"] < 6 for seed in range(6))


@pytest.mark.parametrize("k", [2, 5])
def test_a_general_impression_is_no_failed_call(k: int) -> None:
    found = measure(_world(1500, 5, k, impression=0.5))
    assert found.tests["direction"] < 2


@pytest.mark.parametrize("k", [2, 5])
def test_hard_items_are_no_reason_for_a_gap(k: int) -> None:
    case = _world(1500, 5, k, difficulty=0.35)
    found = measure(case)
    assert found.undone is not None
    assert found.undone[0] - case.kappa(0)[0] < 0.07


def test_hard_items_show_in_the_doubts_of_the_witnesses() -> None:
    case = _world(1500, 5, difficulty=0.8)
    tests = measure(case).tests
    alone = measure(replace(case, people=case.people[:, :, :1])).tests
    assert tests["difficulty"] < tests["direction"]
    assert tests["difficulty"] != alone["difficulty"]


def test_undone_gives_back_the_kappa_without_the_failed_calls() -> None:
    broken, whole = _world(1500, 5, 5, failed=0.3), _world(1500, 5, 5)
    found = measure(broken)
    assert found.undone is not None
    assert broken.kappa(0)[0] < whole.kappa(0)[0] - 0.09
    assert found.undone[0] == pytest.approx(whole.kappa(0)[0], abs=0.05)


def test_failed_calls_taken_out_leave_the_kappas_of_the_others() -> None:
    broken, whole = _world(1500, 5, 5, failed=0.3), _world(1500, 5, 5)
    left = undo(broken, measure(broken))
    assert left.weight.mean() == pytest.approx(1)
    assert (left.weight >= 0).all()
    for construct in range(5):
        expected = whole.kappa(construct)[0]
        assert left.kappa(construct)[0] == pytest.approx(expected, abs=0.06)


def test_nothing_is_undone_where_nothing_could_be_measured() -> None:
    case = replace(_world(50, 3), same_call=False)
    assert undo(case, measure(case)) is case


def test_a_default_in_two_fifths_of_the_positive_calls_weighs_next_to_nothing() -> None:
    # The 20 positive calls that are answered (0, 0, 0) come from failed calls alone, as the judge
    # is perfect without them; those with a 1 among their answers cannot have failed. A negative
    # call has failed with probability pi = 20 / 86 whatever its answers, so it weighs 66 / 86.
    found = measure(_defaults())
    assert found.weight is not None
    assert found.weight[:50] == pytest.approx(np.full(50, 66 / 86), abs=0.06)
    assert found.weight[50:70].max() < 0.02
    assert found.weight[70:].min() > 0.98


def test_constructs_that_are_one_another_by_design_are_not_testable() -> None:
    truth = np.repeat([0, 1], 50)
    judge = np.where(np.arange(100) < 70, 0, truth)
    found = measure(_case([judge] * 3, np.stack([truth] * 3)[:, :, None]))
    assert "by design" in found.untestable


def test_guesses_as_common_as_the_classes_are_random_answers() -> None:
    # Three quarters of the items are of class 0, and so are the guesses: as default answers or as
    # fair coins they would fit worse.
    rng = np.random.default_rng(3)
    truth, errs = (rng.random((4, 1500)) < 0.25).astype(int), rng.random((4, 1500)) < 0.1
    guess = (rng.random((4, 1500)) < 0.25).astype(int)
    judge = np.where(rng.random(1500) < 0.4, guess, truth ^ errs)
    people = truth[:, :, None].repeat(2, axis=2)
    found = measure(_case(judge, people))
    assert found.facts["mode"] == "random"
    assert found.tests["share_failed"] == pytest.approx(0.4, abs=0.08)
    assert found.undone is not None
    # Ok answers: sensitivity and specificity .9 at prevalence .25: p_o = .9, judge positive
    # .225 + .075 = .3, p_e = .25 * .3 + .75 * .7 = .6, kappa .75.
    assert found.undone[0] == pytest.approx(0.75, abs=0.06)


def test_a_second_judge_is_a_witness() -> None:
    base = _world(200, 3)
    one = replace(base, people=base.people[:, :, :1], judges=base.people[:, :, 1:])
    both = measure(replace(one, names=Names("judge", ("human1",), ("judge2",))))
    alone = measure(replace(one, judges=base.people[:, :, :0], names=Names("judge", ("human1",))))
    assert (both.witness, both.tests["witnessed"]) == ("judge2", 1)
    assert (alone.witness, alone.tests["witnessed"]) == ("", 0)


def test_witnesses_agree_disagree_or_are_missing() -> None:
    people = np.array([[[0, 0, -1], [0, 2, 1], [1, -1, -1], [-1, 1, 1]]] * 2)
    seen = witnesses(_case(np.zeros((2, 4), dtype=np.int64), people, k=3))
    assert seen.agreed[0].tolist() == [0, -1, 1, -1]
    assert seen.middle[0].tolist() == [0, 1, 1, -1]
    assert seen.doubt[0].tolist() == [0, 1, -1, -1]


@pytest.mark.parametrize("factor", [Factor(impression=0.5), Factor(difficulty=0.5)])
def test_a_factor_keeps_the_rows_on_average(factor: Factor) -> None:
    # With one construct seen a call, a factor shared by the constructs cannot matter.
    case = _world(300, 3)
    single = np.arange(3)[:, None] == np.arange(300) % 3
    case = replace(case, judge=np.where(single, case.judge, -1), people=case.people[:, :, :1])
    assert tied(_ok(case), factor) == pytest.approx(tied(_ok(case), NOTHING), rel=1e-2)


def test_calls_of_their_own_are_not_testable() -> None:
    found = measure(replace(_world(50, 3), same_call=False))
    assert "different calls" in found.untestable
    assert sentence(found, _world(50, 3)).startswith("Not testable: the constructs")


@pytest.mark.parametrize("kind", ["perfect", "constant judge", "nobody", "three items", "empty"])
def test_degenerate_labels_give_a_reason_or_finite_numbers(kind: str) -> None:
    case = _world(60, 3)
    if kind == "perfect":
        case = replace(case, judge=case.people[:, :, 0])
    elif kind == "constant judge":
        case = replace(case, judge=np.zeros_like(case.judge))
    elif kind == "nobody":
        case = replace(case, people=np.full_like(case.people, -1))
    elif kind == "three items":
        case = case.part(np.arange(60) < 3)
    else:
        case = case.part(np.arange(60) < 0)
    with np.errstate(all="raise"):
        found = measure(case)
    assert found.untestable or np.isfinite(found.tests["gain"])
    assert sentence(found, case)


def test_scales_of_different_length_and_nominal_ones() -> None:
    case = _world(300, 3, 5, failed=0.3)
    three = np.minimum(case.judge[0], 2)
    people = case.people.copy()
    people[0] = np.minimum(people[0], 2)
    scales = (Scale("low", 3, False, np.eye(3)), *case.scales[1:])
    found = measure(replace(case.with_judge(0, three), people=people, scales=scales))
    assert found.tests["gain"] > 5


def test_the_sentence_gives_the_numbers() -> None:
    case = _world(800, 5, failed=0.3)
    found = measure(case)
    text = sentence(found, case)
    assert "on labels confirmed by human2" in text
    assert f"{100 * found.tests['share_failed']:.0f} % of the calls" in text
    assert f"{found.facts['kappa_high_inside']:.2f}" in text


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**20), st.sampled_from([2, 3, 5]), st.integers(2, 4))
def test_the_order_of_calls_does_not_matter(seed: int, k: int, c: int) -> None:
    case = _world(80, c, k, seed=seed, failed=0.2)
    order = np.random.default_rng(seed).permutation(case.n)
    mixed = replace(case, judge=case.judge[:, order], people=case.people[:, order])
    one, two = measure(case), measure(mixed)
    assert one.untestable == two.untestable
    assert one.tests == pytest.approx(two.tests, abs=1e-6, nan_ok=True)
    if not one.untestable:
        assert one.tests["gain"] >= 0
        assert 0 < one.tests["share_failed"] < 1


def test_failed_answers_may_be_given_for_every_construct() -> None:
    seen = _ok(_world(400, 3, failed=0.3))
    fit = two_state(seen, [IDENTITY[0]] * 3)
    assert fit.likelihood > tied(seen, NOTHING)
    assert ((fit.low >= 0) & (fit.low <= 1)).all()
