"""Every kappa in the README of the real data, to its three digits.

Sources of the labels: MentalBench-Align (MIT), ConvAbuse (CC BY 4.0; Cercas Curry, Abercrombie and
Rieser 2021), HumaneBench (Apache-2.0). The figures were computed with scikit-learn.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import toolkit as tk
from toolkit.coefficients import cohen_kappa

pytestmark = pytest.mark.real

# construct, judge, n, share of people, share of judge, agreement, kappa, kappa of marked, quadratic
MENTALALIGN = """
empathy claude-3-7-sonnet 4993 0.322 0.054 0.351 0.053 0.125 0.293 0.27 0.32
empathy gpt-4o 4995 0.322 0.026 0.346 0.043 0.074 0.256 0.23 0.28
guidance claude-3-7-sonnet 4994 0.390 0.223 0.464 0.247 0.432 0.582 0.56 0.61
guidance gpt-4o 4996 0.390 0.133 0.334 0.101 0.308 0.452 0.43 0.48
helpfulness claude-3-7-sonnet 4993 0.305 0.137 0.431 0.168 0.335 0.492 0.47 0.51
helpfulness gpt-4o 4995 0.305 0.052 0.413 0.124 0.184 0.419 0.39 0.44
informativeness claude-3-7-sonnet 4993 0.283 0.259 0.473 0.244 0.546 0.605 0.58 0.63
informativeness gpt-4o 4995 0.282 0.113 0.446 0.172 0.378 0.524 0.50 0.55
relevance claude-3-7-sonnet 4994 0.028 0.103 0.741 0.172 0.243 0.391 0.33 0.45
relevance gpt-4o 4996 0.028 0.025 0.886 0.276 0.581 0.653 0.58 0.71
safety claude-3-7-sonnet 4992 0.028 0.034 0.895 0.196 0.429 0.519 0.44 0.59
safety gpt-4o 4994 0.028 0.018 0.935 0.280 0.582 0.668 0.59 0.73
understanding claude-3-7-sonnet 4992 0.030 0.113 0.735 0.169 0.252 0.380 0.32 0.44
understanding gpt-4o 4994 0.030 0.024 0.864 0.290 0.521 0.643 0.58 0.69
"""
# construct, pairs, agreement, kappa (mean over pairs), and of the same rater twice (all raters
# pooled): agreement, kappa
CONVABUSE = """
abusive 28 0.910 0.664 0.968 0.891
severity 28 0.797 0.465 0.922 0.803
explicit 28 0.936 0.704 0.959 0.846
target_system 28 0.910 0.650 0.954 0.836
sex_harassment 28 0.972 0.654 0.997 0.971
intellectual 28 0.968 0.316 0.997 0.887
sexist 28 0.985 0.651 0.991 0.899
homophobic 28 0.995 0.592 1.000 1.000
racist 23 0.999 0.544 1.000 nan
ableism 12 0.997 0.140 0.997 0.000
transphobic 8 0.998 -0.000 1.000 nan
"""
SCHEMA = {"default": {"kind": "ordinal", "categories": [1, 2, 3, 4, 5], "present": [1, 2, 3]}}
THREE_DIGITS = 0.00051


def rows(text):
    return [line.split() for line in text.split("\n") if line]


@pytest.fixture(scope="module")
def mentalalign(shared_data):
    return tk.read_labels(shared_data / "mentalalign_dev.csv.gz", schema=SCHEMA)


@pytest.mark.parametrize("row", rows(MENTALALIGN), ids=lambda row: f"{row[0]}-{row[1]}")
def test_mentalalign(mentalalign, row):
    construct, judge = row[:2]
    n, people, flagged, agreement, kappa, marked, quadratic, low, high = map(float, row[2:])
    options = {"judge": judge, "constructs": [construct], "cluster": "item_id:|", "draws": 2000}
    weighted = tk.agreement(mentalalign, weights="quadratic", **options)[construct]
    counts = weighted.table.to_numpy()
    got = {
        "n": weighted.measures["n"],
        "share human": weighted.measures["prevalence_reference"],
        "share judge": weighted.measures["prevalence_judge"],
        "agree": weighted.measures["agreement"],
        "kappa": cohen_kappa(counts),
        "kappa marked": cohen_kappa(tk.coefficients.collapse(counts, [0, 1, 2])),
        "quadratic": weighted.kappa.estimate,
    }
    want = [n, people, flagged, agreement, kappa, marked, quadratic]
    assert list(got.values()) == pytest.approx(want, abs=THREE_DIGITS)
    # theirs is a percentile bootstrap over conversations, with 1,000 draws and two digits
    assert [weighted.kappa.low, weighted.kappa.high] == pytest.approx([low, high], abs=0.025)


PEOPLE = [f"Annotator{i}" for i in range(1, 9)]


@pytest.fixture(scope="module")
def convabuse(shared_data):
    """Agreement of all pairs of people, and of each with their later sitting."""
    labels = tk.read_labels(shared_data / "convabuse.csv.gz")
    pairs = [*itertools.combinations(PEOPLE, 2), *((one, f"{one}_rep2") for one in PEOPLE)]
    return {
        (one, other): tk.agreement(labels, judge=other, reference=one, draws=100)
        for one, other in pairs
    }


@pytest.mark.parametrize("row", rows(CONVABUSE), ids=lambda row: row[0])
def test_convabuse(convabuse, row):
    construct = row[0]
    pairs, agree, kappa, same_agree, same_kappa = map(float, row[1:])
    between = [convabuse[pair][construct] for pair in itertools.combinations(PEOPLE, 2)]
    kept = [
        (one.measures["n"], one.measures["agreement"], one.kappa.estimate)
        for one in between
        if one.measures["n"] >= 20 and not math.isnan(one.kappa.estimate)
    ]
    assert len(kept) == pairs
    n, agreements, kappas = np.array(kept).T
    got = [np.average(agreements, weights=n), np.average(kappas, weights=n)]
    assert got == pytest.approx([agree, kappa], abs=THREE_DIGITS)
    twice = sum(convabuse[one, f"{one}_rep2"][construct].table.to_numpy() for one in PEOPLE)
    assert twice.sum() == 345
    result = tk.kappa(twice)
    assert np.trace(twice) / 345 == pytest.approx(same_agree, abs=THREE_DIGITS)
    assert result.estimate == pytest.approx(same_kappa, abs=THREE_DIGITS, nan_ok=True)
    assert ("both_constant" in result.reasons) == math.isnan(same_kappa)


@pytest.fixture(scope="module")
def humanebench(shared_data):
    """One table of all eight principles: each item is rated for its own principle only."""
    frame = tk.read_labels(shared_data / "humanebench.csv.gz").frame
    pooled = frame.assign(construct="principle")
    schema = {"constructs": {"principle": {"kind": "ordinal", "categories": [-1, -0.5, 0.5, 1]}}}
    return tk.read_labels(pooled, schema=schema)


HUMANEBENCH = {
    # side: range of n, of agreement, of kappa, of quadratic kappa
    "rater": [(30, 48), (0.433, 0.625), (0.254, 0.455), (0.579, 0.835)],
    "claude-4.5-sonnet": [(30, 48), (0.458, 0.667), (0.234, 0.529), (0.645, 0.751)],
    "gpt-5.1": [(30, 48), (0.433, 0.667), (0.219, 0.529), (0.664, 0.732)],
    "gemini-2.5-pro": [(30, 48), (0.500, 0.625), (0.292, 0.425), (0.658, 0.763)],
}


@pytest.mark.parametrize("side", HUMANEBENCH)
def test_humanebench(humanebench, side):
    people = [f"rater-{i}" for i in range(1, 5)]
    if side == "rater":
        pairs = list(itertools.combinations(people, 2))
    else:
        pairs = [(person, side) for person in people]
    found = []
    for one, other in pairs:
        plain, weighted = (
            tk.agreement(humanebench, judge=other, reference=one, weights=weights)["principle"]
            for weights in (None, "quadratic")
        )
        measures = plain.measures
        found.append(
            (measures["n"], measures["agreement"], plain.kappa.estimate, weighted.kappa.estimate)
        )
    ranges = [(min(column), max(column)) for column in zip(*found, strict=True)]
    for got, want in zip(ranges, HUMANEBENCH[side], strict=True):
        assert got == pytest.approx(want, abs=THREE_DIGITS)


def test_humanebench_pairs_named_in_its_readme(humanebench):
    for reference, judge, agree, kappa, quadratic in [
        ("rater-1", "rater-2", 0.625, 0.455, 0.835),
        ("rater-2", "gpt-5.1", 0.667, 0.529, 0.732),
    ]:
        options = {"judge": judge, "reference": reference}
        plain = tk.agreement(humanebench, **options)["principle"]
        weighted = tk.agreement(humanebench, weights="quadratic", **options)["principle"]
        got = [plain.measures["agreement"], plain.kappa.estimate, weighted.kappa.estimate]
        assert got == pytest.approx([agree, kappa, quadratic], abs=THREE_DIGITS)


def test_humanebench_alpha_of_all_people(humanebench):
    wide = humanebench.frame[humanebench.frame["rater_kind"] == "human"].pivot_table(
        index="item_id", columns="rater_id", values="label", aggfunc="first"
    )
    scale, signs = [-1, -0.5, 0.5, 1], [-1, 1]
    alpha = tk.coefficients.krippendorff_alpha
    ordinal = alpha(wide.to_numpy(), metric="ordinal", categories=scale)
    sign = alpha(np.sign(wide.to_numpy()), metric="nominal", categories=signs)
    assert ordinal.estimate == pytest.approx(0.712, abs=THREE_DIGITS)
    assert sign.estimate == pytest.approx(0.574, abs=THREE_DIGITS)


def test_humanebench_constructs_share_no_call(shared_data):
    labels = tk.read_labels(shared_data / "humanebench.csv.gz")
    low, high = labels.constructs[:2]
    result = tk.contrast(labels, low, high, judge="gpt-5.1")
    assert "no_shared_calls" in result.reasons
