"""The agreement of raters, against published numbers, statsmodels and the definition."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

import toolkit as tk
from toolkit.errors import LabelError
from toolkit.labels.journal import Journal, journal_events
from toolkit.widgets import Adjudicator

# Krippendorff 2011, Computing alpha-reliability, sections C and D: alpha of these is .743 nominal
# and .849 interval, which quadratic weights on the positions of 1 to 5 are.
CODERS = {
    "a": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    "b": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, None],
    "c": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
    "d": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
}
# Sim and Wright 2005, Physical Therapy 85:257: kappa .55, quadratic .67 of this table.
TABLE = [[15, 3, 1, 1], [4, 18, 3, 2], [4, 5, 16, 4], [1, 2, 4, 17]]
RNG = np.random.default_rng(11)
TRUTH = {"tone": RNG.integers(0, 2, 60), "empathy": RNG.integers(1, 5, 60)}
NOISY = RNG.random((3, 2, 60)) < 0.25


def store(folder, said, ordinal=("empathy",)):
    """Store what each rater said: rater to construct to labels by item."""
    constructs = next(iter(said.values()))
    used = {
        name: sorted({v for each in said.values() for v in each[name] if v is not None})
        for name in constructs
    }
    declared = {
        name: {"kind": "ordinal" if name in ordinal else "nominal", "categories": values}
        for name, values in used.items()
    }
    for rater, labels in said.items():
        with Journal.open(folder, study="p", rater=rater) as journal:
            journal.append("open", constructs=declared)
            for n, values in enumerate(zip(*labels.values(), strict=True)):
                given = {k: v for k, v in zip(labels, values, strict=True) if v is not None}
                if given:
                    journal.append("label", item_id=f"i{n:02}", labels=given)


def agreement(folder):
    opened = Adjudicator(folder=folder, study="p", adjudicator="eve", interactive=False)
    return opened.agreement().set_index("construct")


def alpha_by_definition(rows, distance):
    """One minus observed over expected disagreement, over all ordered pairs of labels."""
    units = [[v for v in row if v is not None] for row in rows]
    units = [unit for unit in units if len(unit) > 1]
    everything = [value for unit in units for value in unit]
    n = len(everything)
    observed = (
        sum(
            Fraction(sum(distance(a, b) for a, b in itertools.permutations(unit, 2)), len(unit) - 1)
            for unit in units
        )
        / n
    )
    pairs = itertools.permutations(everything, 2)
    expected = Fraction(sum(distance(a, b) for a, b in pairs), n * (n - 1))
    return float(1 - observed / expected)


def differs(a, b):
    return int(a != b)


def squared(a, b):
    return int(a - b) ** 2


def test_alpha_of_several_raters_is_krippendorffs(tmp_path):
    store(tmp_path, {rater: {"tone": v, "empathy": v} for rater, v in CODERS.items()})
    made = agreement(tmp_path)
    assert made["coefficient"].tolist() == ["krippendorff_alpha"] * 2
    assert made["estimate"].to_dict() == pytest.approx(
        {"tone": 0.74342105, "empathy": 0.84910714}, abs=1e-6
    )
    assert made["weights"].to_dict() == {"tone": "", "empathy": "quadratic"}
    assert made["n"].tolist() == [11, 11]  # the last unit has one label
    assert set(made["population"]) == {"these items"}


def test_kappa_of_two_raters_is_that_of_the_table(tmp_path):
    cells = [(i, j) for i in range(4) for j in range(4) for _ in range(TABLE[i][j])]
    one, other = ([cell[side] for cell in cells] for side in (0, 1))
    said = {"ann": {"tone": one, "empathy": one}, "ben": {"tone": other, "empathy": other}}
    store(tmp_path, said)
    made = agreement(tmp_path)
    for name, weights, told in (("tone", None, 0.55), ("empathy", "quadratic", 0.67)):
        expected = cohens_kappa(np.array(TABLE), wt=weights).kappa
        assert expected == pytest.approx(told, abs=0.005)
        assert made.loc[name, "estimate"] == pytest.approx(expected)
        # Sim and Wright's table has 100 items, so the normal interval is near the bootstrap's.
        normal = cohens_kappa(np.array(TABLE), wt=weights)
        assert made.loc[name, "low"] == pytest.approx(normal.kappa_low, abs=0.04)
        assert made.loc[name, "high"] == pytest.approx(normal.kappa_upp, abs=0.04)


def three_by_two(folder):
    said = {
        rater: {
            name: [int(v) for v in np.where(NOISY[r, c], values[::-1], values)]
            for c, (name, values) in enumerate(TRUTH.items())
        }
        for r, rater in enumerate(("ann", "ben", "cid"))
    }
    store(folder, said)
    frame = tk.read_journal(folder).to_frame()
    return frame.pivot_table(
        index="item_id", columns=["construct", "rater_id"], values="label", aggfunc="first"
    )


def test_a_wide_frame_of_three_raters_and_two_constructs_gives_the_numbers_of_others(tmp_path):
    wide = three_by_two(tmp_path)
    assert wide.shape == (60, 6)
    made = agreement(tmp_path)
    # With all labels there, alpha is Fleiss' kappa with a term of one over their number.
    fleiss = fleiss_kappa(aggregate_raters(wide["tone"].to_numpy(dtype=int))[0])
    assert made.loc["tone", "estimate"] == pytest.approx(1 - (1 - 1 / 180) * (1 - fleiss))
    for name, distance in (("tone", differs), ("empathy", squared)):
        expected = alpha_by_definition(wide[name].to_numpy(dtype=int).tolist(), distance)
        assert made.loc[name, "estimate"] == pytest.approx(expected)
    labels = tk.read_journal(tmp_path)
    for one, other in (("ann", "ben"), ("ann", "cid"), ("ben", "cid")):
        pairs = tk.agreement(labels, judge=one, reference=other, weights="schema").to_frame()
        pairs = pairs.set_index("construct")["kappa"]
        for name, weights in (("tone", None), ("empathy", "quadratic")):
            k = wide[name].max().max() + 1
            table = np.zeros((k, k))
            np.add.at(table, tuple(wide[name][[one, other]].to_numpy(dtype=int).T), 1)
            expected = cohens_kappa(table, wt=weights).kappa
            assert pairs[name] == pytest.approx(expected)


def test_the_interval_of_alpha_is_about_that_of_leaving_each_item_out(tmp_path):
    wide = three_by_two(tmp_path)
    made = agreement(tmp_path)
    for name, distance in (("tone", differs), ("empathy", squared)):
        rows = wide[name].to_numpy(dtype=int).tolist()
        left = [alpha_by_definition(rows[:n] + rows[n + 1 :], distance) for n in range(len(rows))]
        jackknife = np.std(left) * (len(rows) - 1) ** 0.5
        reach = made.loc[name, "estimate"] - made.loc[name, "low"]
        assert reach == pytest.approx(1.959964 * jackknife, rel=0.06)
        assert made.loc[name, "high"] == pytest.approx(made.loc[name, "estimate"] + reach)


def test_full_agreement_of_three_has_no_interval_and_says_why(tmp_path):
    store(tmp_path, {rater: {"tone": [0, 1, 0, 1]} for rater in ("a", "b", "c")})
    row = agreement(tmp_path).loc["tone"]
    assert row["estimate"] == 1
    assert np.isnan([row["low"], row["high"]]).all()
    assert (row["reasons"], row["flags"]) == ("no_spread", "")


def test_full_agreement_of_two_lies_outside_its_interval_and_says_so(tmp_path):
    store(tmp_path, {rater: {"tone": [0, 1, 0, 1, 0, 1]} for rater in ("a", "b")})
    row = agreement(tmp_path).loc["tone"]
    assert row["estimate"] == 1
    assert row["high"] < 1
    assert "estimate_outside_interval" in row["flags"].split(", ")
    assert row["reasons"] == ""


def test_an_undefined_number_has_no_reasons_but_its_own(tmp_path):
    both = {
        "a": {"tone": [1, 1, 1], "harm": [0, 1, 2]},
        "b": {"tone": [1, 1, 1], "harm": [0, 1, 1]},
    }
    store(tmp_path, both)
    made = agreement(tmp_path)
    assert np.isnan(made.loc["tone", "estimate"])
    assert made.loc["tone", "reasons"] == "both_constant"
    assert made.loc["harm", "reasons"] == ""  # more categories than two concern other columns


def finish(rater):
    while rater.screen["item_id"] is not None:
        rater.label()


def test_who_merely_opened_the_study_is_not_waited_for(sit, make):
    for name in ("olga", "bengt"):
        finish(sit(rater=name))
    make(rater="cid")  # looks, and decides nothing
    assert make(rater="olga").agreement()["raters"].unique().tolist() == [2]
    sit(rater="cid").label()
    with pytest.raises(LabelError, match=r"3 who began, waiting for cid \(3 of 4 open\)"):
        make(rater="olga").agreement()


def test_the_time_of_a_decision_of_two_events_counts_once(rater):
    rater.label(tone="unsure", topics=[0])
    seconds = journal_events(rater.labeler.folder)["active_seconds"].tolist()
    assert seconds == [None, 3.0, None]
