from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.planning.influence import joint, moments, pool_tables, spread

CASES = json.loads(
    (Path(__file__).parents[2] / "oracles" / "planning.json").read_text(encoding="utf-8")
)
ORACLES = {case["id"]: case for case in CASES}


def test_a_simple_random_sample_has_the_textbook_error():
    case = ORACLES["fce_ase"]
    # The oracle has the judge in rows; here the reference is.
    table = np.array(case["inputs"]["table_rows_judge_1_0_cols_human_1_0"]).T
    n = table.sum()
    found = moments(np.array([n]), (table / n)[None], None)
    assert found.kappa == pytest.approx(case["expected"]["kappa"], abs=case["tolerance"])
    ase = np.sqrt(found.total / n)
    assert ase == pytest.approx(case["expected"]["ase"], abs=case["tolerance"])


def test_spread_within_judge_label_strata():
    case = ORACLES["small_allocation_inputs"]
    names = ("escalation", "self_harm")
    strata = case["inputs"]["strata"]
    sizes = np.array([row["N"] for row in strata])
    judge = np.array([[row["judge"][name] for name in names] for row in strata])
    positive = np.array([[row["p_human_positive"][name] for name in names] for row in strata])
    shares = [np.stack([1 - share, share], axis=1) for share in positive.T]
    found = spread(sizes, judge, shares, [None, None])
    assert found == pytest.approx(
        np.array(case["expected"]["S_h_by_construct"]), abs=case["tolerance"]
    )
    kappa = [cohen_kappa(table) for table in pool_tables(sizes, judge, shares)]
    assert kappa == pytest.approx(case["expected"]["kappa"], abs=case["tolerance"])


shares_of = st.lists(st.floats(0.05, 1), min_size=3, max_size=3).map(
    lambda given: np.array(given) / sum(given)
)


@given(st.lists(shares_of, min_size=3, max_size=6), st.sampled_from([None, "quadratic"]))
def test_within_and_between_strata_make_the_total(rows, weights):
    sizes = np.arange(1, len(rows) + 1) * 10
    judge = np.arange(len(rows)) % 3
    found = moments(sizes, joint(judge, np.array(rows)), weights)
    within = sizes @ found.spread**2 / sizes.sum()
    assert within + found.between == pytest.approx(float(found.total), abs=1e-9)


def test_a_binary_spread_is_a_jump_times_a_coin():
    # z_1J - z_0J times sqrt(q (1 - q)), from the definition in Cohen's terms.
    sizes, q, judge = np.array([300, 700]), np.array([0.6, 0.1]), np.array([1, 0])
    found = moments(sizes, joint(judge, np.stack([1 - q, q], axis=1)), None)
    reference, flagged = 0.3 * 0.6 + 0.7 * 0.1, 0.3
    p_o = 0.3 * 0.6 + 0.7 * 0.9
    p_e = reference * flagged + (1 - reference) * (1 - flagged)
    tilt = (1 - p_o) * (1 - flagged - flagged)
    jump = np.array([(1 - p_e) + tilt, -(1 - p_e) + tilt]) / (1 - p_e) ** 2
    assert found.spread == pytest.approx(np.abs(jump) * np.sqrt(q * (1 - q)))


def test_a_merged_stratum_varies_in_both_labels():
    # Half of the items flagged, people always agree: only the judge's label varies within.
    agreeing = np.diag([0.5, 0.5])[None]
    apart = np.diag([1.0, 0.0]), np.diag([0.0, 1.0])
    together = moments(np.array([100]), agreeing, None)
    split = moments(np.array([50, 50]), np.stack(apart), None)
    assert split.kappa == together.kappa == 1
    assert split.spread == pytest.approx([0, 0])
    assert together.total == pytest.approx(float(split.between), abs=1e-12)


def test_shares_drawn_from_a_posterior_keep_the_spread_of_their_mean():
    # E q (1 - q) of Beta(a, b) is m (1 - m) (a + b) / (a + b + 1), with mean m.
    a, b = 1.5, 4.5
    sizes, mass = np.array([600, 400]), np.full((2, 2), a + b)
    q = np.random.default_rng(0).beta(a, b, 40_000)
    share = np.full((2, 2), 0.5)
    # The influence value is that of a pool in which the two strata hardly count.
    fixed = joint(np.array([0, 1]), np.array([[0.9, 0.1], [0.2, 0.8]]))
    small = np.array([1e9, 1e9, *sizes])
    drawn = np.zeros((len(q), 4, 2, 2))
    drawn[:, :2], drawn[:, 2:, :, 0] = fixed, share
    drawn[:, 2, :, 0] = np.stack([1 - q, q], axis=1)
    at_mean = drawn[:1].copy()
    at_mean[0, 2, :, 0] = b / (a + b), a / (a + b)
    found = moments(small, drawn, None, np.vstack([np.full((2, 2), 1e12), mass])).spread[:, 2]
    expected = moments(small, at_mean, None).spread[0, 2]
    assert np.mean(found**2) == pytest.approx(expected**2, rel=0.02)
