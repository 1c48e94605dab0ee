"""Coverage of the design-weighted interval: 5,000 samples of one pool for every design."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from planning_scenario import (
    JUDGE,
    SIZES,
    as_random_sample,
    estimates,
    intervals,
    linearised,
    pool_kappa,
    samples,
    shares,
)

from toolkit import planning
from toolkit.coefficients import cohen_kappa
from toolkit.planning.assurance import half_widths, scaled, spread_out
from toolkit.planning.posterior import label_prior, pool_draws

TESTS = Path(__file__).resolve().parents[1]
ORACLES = {
    case["id"]: case
    for case in json.loads((TESTS / "oracles" / "planning.json").read_text(encoding="utf-8"))
}
DATASETS = 5_000
FEWER = 1_000  # in every run; the standard error of a coverage is then .007
DESIGNS = {
    "random": 600,
    "equal": [150, 150, 150, 150],
    "neyman_escalation": [59, 188, 85, 268],
    "optimal": [33, 102, 108, 251],
}


def _coverage_and_bias(name, design, number):
    rng = np.random.default_rng(1)
    counts, sizes = samples(name, DESIGNS[design], number, rng), SIZES
    if design == "random":
        counts, sizes = as_random_sample(counts)
    truth = pool_kappa(name)
    low, high = intervals(counts, rng, sizes=sizes).T
    bias = np.nanmean(estimates(counts, sizes)) - truth
    return ((low <= truth) & (truth <= high)).mean(), bias


@pytest.mark.slow
@pytest.mark.parametrize("name", list(JUDGE))
@pytest.mark.parametrize("design", list(DESIGNS))
def test_default_interval_covers_and_the_estimate_is_not_biased(name, design):
    covered, bias = _coverage_and_bias(name, design, DATASETS)
    assert 0.93 <= covered <= 0.975
    assert abs(bias) < 0.01


@pytest.mark.parametrize("design", list(DESIGNS))
def test_default_interval_covers_in_fewer_samples(design):
    covered, bias = _coverage_and_bias("escalation", design, FEWER)
    assert 0.92 <= covered <= 0.98
    assert abs(bias) < 0.01


def test_census_has_width_0():
    counts = samples("escalation", SIZES, 1, np.random.default_rng(0))
    low, high = intervals(counts, np.random.default_rng(0))[0]
    assert low == high == pytest.approx(pool_kappa("escalation"))


@pytest.mark.slow
@pytest.mark.parametrize("design", ["srs", "equal", "neyman_escalation", "compromise"])
def test_designs_behave_as_in_the_research(design):
    case = ORACLES["scenario_monte_carlo"]
    n = case["inputs"]["designs"][design]
    expected = case["expected"]
    rng = np.random.default_rng(2)
    for name in JUDGE:
        counts, sizes = samples(name, n, 20_000, rng), SIZES
        if design == "srs":
            counts, sizes = as_random_sample(counts)
        spread = 1.96 * np.std(estimates(counts, sizes))
        assert spread == pytest.approx(expected[f"{name}_1.96_sd"][design], rel=0.03)
        assert pool_kappa(name) == pytest.approx(case["inputs"]["pool_kappa"][name], abs=2e-3)
    counts = samples("escalation", n, 20_000, rng)
    truth = pool_kappa("escalation")
    if design == "srs":
        return
    plain = cohen_kappa(counts.sum(1).reshape(-1, 2, 2))
    wrong = expected["escalation_unweighted_kappa_bias"]
    if design in wrong:
        assert plain.mean() - truth == pytest.approx(wrong[design], abs=0.005)
    # As there: draws without the correction, which is the interval for the traffic.
    limits = intervals(counts[:DATASETS], rng, estimand="deployment")
    covered = ((limits[:, 0] <= truth) & (truth <= limits[:, 1])).mean()
    if design in expected["escalation_jeffreys_draws_coverage"]:
        assert covered == pytest.approx(0.959, abs=0.01)
    error = np.abs(estimates(counts) - truth)
    for smooth, key in ((False, "wald"), (True, "smoothed_wald")):
        wanted = expected[f"escalation_{key}_coverage"][design]
        inside = (error <= linearised(counts, smooth=smooth)).mean()
        assert inside == pytest.approx(wanted, abs=0.01), key


@pytest.mark.parametrize("place", range(5))
def test_chance_of_both_targets_is_that_of_the_research(place):
    case = ORACLES["scenario_assurance"]
    total = case["inputs"]["labels"][place]
    n = spread_out(np.array([32.5, 102.1, 108.3, 250.8]), SIZES, total)
    rng = np.random.default_rng(3)
    met = np.ones(20_000, dtype=bool)
    for name, target in (("escalation", 0.10), ("self_harm", 0.05)):
        met &= linearised(samples(name, n, len(met), rng), smooth=True) <= target
    expected = case["expected"]["both_targets_met"][place]
    assert met.mean() == pytest.approx(expected, abs=case["tolerance"])


def test_an_assured_plan_keeps_its_promise_with_at_most_650_labels():
    judge = np.column_stack(list(JUDGE.values()))
    people = [np.column_stack([1 - shares(name), shares(name)]) for name in JUDGE]
    start = np.array([33, 102, 108, 251])
    made = scaled(SIZES, judge, people, [None, None], start, [0.10, 0.05], assurance=0.9)
    assert made.n.sum() <= 650
    rng = np.random.default_rng(4)
    met = np.ones(2_000, dtype=bool)
    for name, target in (("escalation", 0.10), ("self_harm", 0.05)):
        limits = intervals(samples(name, made.n, len(met), rng), rng, draws=2_000)
        met &= (limits[:, 1] - limits[:, 0]) / 2 <= target
    assert met.mean() >= 0.9


@pytest.mark.slow
def test_assured_readings_keep_their_promise_in_a_sample_of_their_own_per_construct():
    """Constructs at different cost: each is read on its own part of the drawn items."""
    pool = pd.DataFrame({"item_id": np.arange(SIZES.sum())})
    pool = pool.assign(**{name: np.repeat(judge, SIZES) for name, judge in JUDGE.items()})
    st = planning.strata(pool, list(JUDGE))
    rows = [
        (f"escalation={JUDGE['escalation'][h]}, self_harm={JUDGE['self_harm'][h]}", name, 1, share)
        for name in JUDGE
        for h, share in enumerate(1e9 * shares(name))
    ]
    flagged = pd.DataFrame(rows, columns=["stratum", "construct", "label", "count"])
    pilot = pd.concat([flagged, flagged.assign(label=0, count=1e9 - flagged["count"])])
    targets, prices = {"escalation": 0.10, "self_harm": 0.05}, {"escalation": 4, "self_harm": 1}
    plan = planning.plan_for_targets(st, pilot, targets, assurance=0.9, reading_cost=prices)
    # The strata of the scenario stand from 11 to 00, those of the plan the other way round.
    reads = plan.allocation.iloc[::-1]
    rng = np.random.default_rng(7)
    met = np.ones(2_000, dtype=bool)
    for name, target in targets.items():
        n = reads[f"read_{name}"].to_numpy()
        limits = intervals(samples(name, n, len(met), rng), rng, draws=4_000)
        met &= (limits[:, 1] - limits[:, 0]) / 2 <= target
    assert met.mean() >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("strata", [4, 16, 32])
def test_many_strata_of_one_judge_label_do_not_drown_rare_positives(strata):
    rng = np.random.default_rng(5)
    judge = np.repeat([1, 0], strata)
    sizes = np.repeat([1_000 // strata, 19_000 // strata], strata)
    n = np.minimum(np.repeat([400 // strata, 960 // strata], strata), sizes)
    found = rng.binomial(sizes, shares("escalation")[[0, 2]][1 - judge])

    def cells(flagged, total):
        counts = np.zeros((*flagged.shape, 2, 2), dtype=np.int64)
        counts[..., np.arange(2 * strata), 1, judge] = flagged
        counts[..., np.arange(2 * strata), 0, judge] = total - flagged
        return counts.reshape(*flagged.shape, 4)

    truth = float(cohen_kappa(cells(found, sizes).sum(0).reshape(2, 2)))
    prior = label_prior(np.eye(2)[judge], sizes)
    covered = []
    for _ in range(10):
        flagged = rng.hypergeometric(found, sizes - found, np.tile(n, (100, 1)))
        counts = cells(flagged, n)
        drawn = cohen_kappa(pool_draws(counts, prior, sizes, 500, rng).reshape(100, 500, 2, 2))
        low, high = np.quantile(drawn, [0.025, 0.975], axis=1)
        covered.append(((low <= truth) & (truth <= high)).mean())
    # 1,000 samples: the standard error of a coverage of .95 is .007.
    assert np.mean(covered) > 0.92


@pytest.mark.slow
def test_looking_until_the_interval_is_narrow_costs_little_coverage():
    """Nine looks at 10 % more labels each; the interval at the stop is read."""
    rng = np.random.default_rng(6)
    number, start = 2_000, np.array([30, 93, 98, 228])
    for name, target in (("escalation", 0.10), ("self_harm", 0.05)):
        looks = [spread_out(start, SIZES, math.ceil(start.sum() * 1.1**i)) for i in range(9)]
        prior = label_prior(np.eye(2)[JUDGE[name]], SIZES)
        seen, stopped = samples(name, looks[0], number, rng), np.zeros(number, dtype=bool)
        at_stop = seen.copy()
        for i, n in enumerate(looks):
            if i:
                seen = seen + _more(name, seen, looks[i - 1], n, rng)
            width = half_widths(seen, prior, SIZES, None, level=0.95, estimand="pool")
            now = ~stopped & ((width <= target) | (i == len(looks) - 1))
            at_stop[now], stopped = seen[now], stopped | now
        low, high = intervals(at_stop, rng).T
        truth = pool_kappa(name)
        covered = ((low <= truth) & (truth <= high)).mean()
        assert 0.925 <= covered <= 0.965, name


def _more(name, seen, before, after, rng):
    """Labels of the next wave, drawn from the items that are left."""
    judge = JUDGE[name]
    flagged = np.stack([seen[:, h].reshape(-1, 2, 2)[:, 1, judge[h]] for h in range(4)], axis=1)
    total = np.round(SIZES * shares(name)).astype(int)
    left, clear = total - flagged, SIZES - total - (before - flagged)
    new = rng.hypergeometric(left, clear, np.tile(after - before, (len(seen), 1)))
    counts = np.zeros((*new.shape, 2, 2), dtype=np.int64)
    for h, label in enumerate(judge):
        counts[:, h, 1, label], counts[:, h, 0, label] = new[:, h], (after - before)[h] - new[:, h]
    return counts.reshape(*new.shape, 4)
