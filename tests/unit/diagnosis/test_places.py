from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.coefficients.weights import agreement_weights
from toolkit.diagnosis.places import PERMUTATIONS, Places, on_people, p_of, shuffles, standardised

TWO = agreement_weights(None, 2)


def places_of(case, cell):
    number = int(cell.max()) + 1
    return Places(case, cell, number, lambda _: np.eye(number, dtype=bool))


def test_strata_with_the_same_rows_have_the_same_standardised_kappa():
    # Both have sensitivity and specificity .9; nothing differs but prevalence (.1 and .5). Pooled
    # (126, 14; 6, 54): p_o = .9, p_e = .7 x .66 + .3 x .34 = .564, kappa = .336 / .436 = .77064.
    part = np.array([[[81.0, 9], [1, 9]], [[45, 5], [5, 45]]])
    whole = part.sum(axis=0)
    by_people = on_people(part, part[::-1], whole)
    assert by_people.all()
    assert standardised(part, whole, TWO, by_people) == pytest.approx([0.336 / 0.436] * 2)
    assert cohen_kappa(part) == pytest.approx([0.59016, 0.8], abs=1e-5)


def test_a_part_is_read_at_the_margin_of_the_whole():
    # Whole (80, 0; 0, 20). The part's rows, one call of the whole added to each: (40 + 1, 10) / 51
    # and (10, 40 + 1) / 51. So T* = (80 x 41, 80 x 10; 20 x 10, 20 x 41) / 51, p_o = 41/51,
    # judge's margin (80 x 41 + 200, 800 + 20 x 41) / 5100 = (3480, 1620) / 5100,
    # p_e = (.8 x 3480 + .2 x 1620) / 5100 = 3108 / 5100; kappa = (4100 - 3108) / (5100 - 3108).
    part, whole = np.array([[40.0, 10], [10, 40]]), np.array([[80.0, 0], [0, 20]])
    assert standardised(part, whole, TWO, np.array(True)) == pytest.approx(992 / 1992)


def test_where_people_move_and_the_judge_stands_still_kappa_rests_on_the_judge():
    # People 50 : 50 here and 90 : 10 there, the judge 80 : 20 in both.
    part = np.array([[50.0, 0], [30, 20]])
    rest = np.array([[76.0, 14], [4, 6]])
    assert not on_people(part, rest, part + rest)
    assert on_people(part.T, rest.T, (part + rest).T)  # the judge moves, people stand still


def test_residuals_by_hand(case_of, of_table):
    # (6, 2; 1, 3): class 0 errs in 2 of 8, so e = d = 3/4 or -1/4; class 1 errs in 1 of 4, where
    # e = 3/4 and d = -3/4, else -1/4 and 1/4. Expected by chance (14, 10; 7, 5) / 36, so
    # r = log of (14/36) / (.9 x 6/12 + .1 x 14/36) = .7955, 1.5625; 2.0588, .5814, minus the class
    # means (6 x -.2288 + 2 x .4463) / 8 = -.0600 and (.7221 - 3 x .5423) / 4 = -.2262.
    people, judge = of_table([[6, 2], [1, 3]])
    case = case_of({"judge": {"a": judge, "b": judge}, "human": {"a": people, "b": people}})
    found = places_of(case, np.arange(12) % 2).residuals
    assert found[:, 0] == pytest.approx([-0.25] * 6 + [0.75] * 3 + [-0.25] * 3)
    assert found[:, 1] == pytest.approx(
        [-0.1688] * 6 + [0.5063] * 2 + [0.9483] + [-0.3161] * 3, abs=2e-4
    )
    assert found[:, 2] == pytest.approx([-0.25] * 6 + [0.75] * 2 + [-0.75] + [0.25] * 3)


def test_nominal_categories_have_no_signed_difference(case_of):
    rng = np.random.default_rng(0)
    people, judge = rng.integers(0, 3, (2, 60)).tolist()
    words = {
        "judge": {c: ["xyz"[v] for v in judge] for c in "ab"},
        "human": {c: ["xyz"[v] for v in people] for c in "ab"},
    }
    case = case_of(words, categories=("x", "y", "z"))
    assert places_of(case, np.arange(60) % 2).residuals.shape == (60, 2)


def test_several_persons_of_the_reference_are_averaged(case_of):
    rng = np.random.default_rng(1)
    one, two, judge = rng.integers(0, 2, (3, 80)).tolist()
    labels = {"judge": judge, "human1": one, "human2": two}
    case = case_of(
        {rater: {"a": values, "b": values} for rater, values in labels.items()},
        reference=["human1", "human2"],
    )
    found = places_of(case, np.arange(80) % 2).residuals
    people = (np.array([one, two])[:, :, None] == [0, 1]).mean(axis=0)
    by_class = (np.array(judge)[:, None] != [0, 1]).astype(float)
    by_class -= (people * by_class).sum(axis=0) / people.sum(axis=0)
    assert found[:, 0] == pytest.approx((people * by_class).sum(axis=1))


def test_shuffles_stay_within_their_groups():
    group = np.array([0, 0, 0, 1, 1, 2])
    order = shuffles(group, 0)
    assert order.shape == (1 + PERMUTATIONS, 6)
    assert (order[0] == np.arange(6)).all()
    assert (group[order] == group).all()
    assert (np.sort(order, axis=1) == np.arange(6)).all()


def test_a_p_value_counts_the_observed_among_its_permutations():
    assert p_of(np.array([3.0, 1, 2, 3])) == 0.5
    assert p_of(np.array([4.0, 1, 2, 3])) == 0.25


tables = arrays(float, (3, 3), elements=st.floats(0, 50))


@settings(max_examples=50, deadline=None)
@given(part=tables, rest=tables)
def test_the_whole_standardised_to_itself_is_its_own_kappa(part, rest):
    whole = part + rest + 0.1
    weights = agreement_weights("quadratic", 3)
    for by_people in (True, False):
        found = standardised(whole, whole, weights, np.array(by_people))
        assert found == pytest.approx(cohen_kappa(whole, weights))
    assert np.isfinite(standardised(part, whole, weights, on_people(part, rest, whole)))
