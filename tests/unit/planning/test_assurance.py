"""Assurance: the chance that the realised intervals are within their targets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.errors import PlanError
from toolkit.planning import assurance as simulation
from toolkit.planning.assurance import assured, half_widths, scaled, spread_out
from toolkit.planning.posterior import label_prior

SIZES = np.array([300, 700, 9_000])
JUDGE = np.array([[1, 1], [1, 0], [0, 0]])
SHARES = [
    np.array([[0.4, 0.6], [0.4, 0.6], [0.98, 0.02]]),
    np.array([[0.2, 0.8], [0.95, 0.05], [0.95, 0.05]]),
]
WEIGHTS = [None, None]
N = np.array([40, 80, 160])


def chance(n, targets, **options):
    return assured(SIZES, JUDGE, SHARES, WEIGHTS, n, targets, draws=1_000, **options)


def test_chance_rises_with_labels_and_with_the_target():
    by_labels = [chance(N * factor, [0.12, 0.2]) for factor in (1, 2, 3)]
    assert by_labels == sorted(by_labels)
    by_target = [chance(N, [target, 0.3]) for target in (0.08, 0.14, 0.3)]
    assert by_target == sorted(by_target)


def test_census_is_certain_for_the_pool():
    assert chance(SIZES, [0.001, 0.001]) == 1


def test_a_construct_without_target_does_not_count():
    assert chance(N, [0.14, np.nan]) >= chance(N, [0.14, 0.001]) == 0


def test_joint_shares_are_those_of_one_judge_label():
    joint = [
        share[:, :, None] * np.eye(2)[JUDGE[:, c]][:, None, :] for c, share in enumerate(SHARES)
    ]
    made = assured(SIZES, JUDGE, joint, WEIGHTS, N, [0.14, 0.2], draws=1_000)
    assert made == chance(N, [0.14, 0.2])


def test_scaled_plan_reaches_the_chance_and_keeps_proportions():
    made = scaled(SIZES, JUDGE, SHARES, WEIGHTS, N, [0.12, 0.2], assurance=0.9)
    assert made.chance >= 0.9
    assert made.n / made.n.sum() == pytest.approx(N / N.sum(), abs=0.01)
    less = assured(SIZES, JUDGE, SHARES, WEIGHTS, spread_out(N, SIZES, int(made.n.sum() * 0.9)),
                   [0.12, 0.2])  # fmt: skip
    assert less < 0.9


def test_more_assurance_costs_more():
    totals = [
        scaled(SIZES, JUDGE, SHARES, WEIGHTS, N, [0.1, 0.15], assurance=a, draws=1_000).n.sum()
        for a in (0.5, 0.95)
    ]
    assert totals == sorted(totals)
    assert totals[0] < totals[-1]


def test_what_a_census_does_not_reach_is_refused():
    with pytest.raises(PlanError, match="not even people's labels on the whole pool"):
        scaled(SIZES, JUDGE, SHARES, WEIGHTS, N, [0.01, 0.01], assurance=0.9, estimand="deployment")


# Escalation of the planning notes: strata of the judge's label, people's positives within them.
NEAR = (np.array([18_997, 1_003]), np.array([[0], [1]]))
NEAR_SHARES = [np.array([[1 - 0.009473, 0.009473], [1 - 0.419162, 0.419162]])]


@pytest.mark.parametrize("assurance", [0.8, 0.9, 0.95])
def test_near_a_census_the_promised_chance_is_that_of_the_labels_returned(assurance):
    start = np.array([9_000, 1_003])
    made = scaled(*NEAR, NEAR_SHARES, [None], start, [0.031], assurance=assurance, draws=2_000,
                  estimand="deployment")  # fmt: skip
    assert made.n.sum() < NEAR[0].sum()
    assert made.chance >= assurance
    again = assured(*NEAR, NEAR_SHARES, [None], made.n, [0.031], seed=11, estimand="deployment")
    assert again >= assurance - 0.01  # the simulations' own errors


@pytest.mark.parametrize("rounds", [1, 2, 3, 12])
def test_a_search_whose_rounds_run_out_is_on_the_sure_side(monkeypatch, rounds):
    monkeypatch.setattr(simulation, "MOST_ROUNDS", rounds)
    made = scaled(SIZES, JUDGE, SHARES, WEIGHTS, N, [0.12, 0.2], assurance=0.9, draws=1_000)
    assert made.chance >= 0.9


def test_a_census_that_is_short_is_refused_with_the_chance_that_it_has():
    with pytest.raises(PlanError, match=r"an assurance below 0\.[5-8]\d\d, their chance"):
        scaled(*NEAR, NEAR_SHARES, [None], np.array([9_000, 1_003]), [0.0304], assurance=0.95,
               draws=1_000, estimand="deployment")  # fmt: skip


def test_half_width_of_one_beta_posterior_by_hand():
    # One stratum each of judge 1 and 0, agreement alone known: y of n positive in the first, none
    # uncertain in the second (a census). Kappa's slope by q1 at W1 = W2 = 1/2 and q2 = 0:
    # po = (q1 + 1) / 2, pe = (q1 / 4 + (2 - q1) / 4) = 1 / 2, so kappa = q1. Half-width is then
    # z times the standard deviation of the pool's q1: (1 - n / N) of a Beta-binomial share.
    counts = np.array([[0, 20, 0, 30], [1_000, 0, 0, 0]])
    sizes = np.array([1_000, 1_000])
    prior = label_prior(np.array([[0, 1], [1, 0]]), sizes)
    width = half_widths(counts, prior, sizes, None, level=0.95, estimand="pool")
    mean, mass, rest = 30.5 / 51, 51, 950
    variance = rest * mean * (1 - mean) * (mass + rest) / (mass + 1) / 1_000**2
    assert width == pytest.approx(1.959964 * np.sqrt(variance), rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 300)), min_size=1, max_size=6),
       st.floats(0, 1))  # fmt: skip
def test_labels_are_spread_within_the_sizes_and_sum_up(strata, share):
    start = np.array([n for n, _ in strata])
    sizes = start + np.array([more for _, more in strata])
    total = int(start.sum() + share * (sizes - start).sum())
    n = spread_out(start, sizes, total)
    assert n.sum() == total
    assert (n <= sizes).all()
