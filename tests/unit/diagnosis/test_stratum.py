from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.diagnosis import stratum
from toolkit.diagnosis.stratum import OTHER, holm, measure, pooled, sentence


def stratified(case_of, of_table, tables):
    """Strata, each with the labels of one table."""
    people, judge, name = [], [], []
    for stratum_name, table in tables.items():
        reference, other = of_table(table)
        people += reference
        judge += other
        name += [stratum_name] * len(reference)
    labels = {"judge": {"a": judge, "b": people}, "human": {"a": people, "b": people}}
    return case_of(labels, stratum="where", where=name)


BLIND, RIGHT = [[15, 15], [15, 15]], [[30, 0], [0, 30]]
MANY = {"east": RIGHT, "north": BLIND, "south": RIGHT, "west": BLIND}


def test_the_bad_strata_and_their_kappas_by_hand(case_of, of_table):
    # As in the drift test: bad (30, 30; 30, 30), good (60, 0; 0, 60), whole (90, 30; 30, 90).
    # With half a call a cell and one call of the whole a row: kappa .5 / 62 and 60.5 / 62.
    found = measure(stratified(case_of, of_table, MANY))
    assert found.facts["bad"] == ["north", "west"]
    assert found.facts["kappa_bad"] == pytest.approx(0.0081, abs=1e-3)
    assert found.facts["kappa_good"] == pytest.approx(0.976, abs=1e-3)
    assert found.tests["p"] == 1 / 500
    assert found.tests["gain_cross"] > 0.8
    assert found.good is not None
    assert found.good.sum() == 120
    by_name = {row["name"]: row for row in found.facts["strata"]}
    assert [row["kappa"] for row in by_name.values()] == [1, 0, 1, 0]
    assert all(row["p_holm"] <= 4 / 500 for row in by_name.values())
    assert all(row["low"] < row["standardised"] < row["high"] for row in by_name.values())


def test_strata_that_differ_in_prevalence_alone_are_no_fault(case_of, of_table):
    # Sensitivity and specificity .9 in both: every residual sum of a stratum is 0, and both
    # standardised kappas are that of the pooled table, .7706, but for the smoothing. The textbook
    # test compares .590 with .800.
    tables = {"common": [[90, 10], [10, 90]], "rare": [[162, 18], [2, 18]]}
    found = measure(stratified(case_of, of_table, tables))
    assert found.tests["p"] == 1.0
    assert found.tests["gain"] == pytest.approx(0, abs=0.03)
    assert found.tests["p_homogeneity"] < 0.05
    raw = {row["name"]: row["kappa"] for row in found.facts["strata"]}
    assert raw["rare"] == pytest.approx(0.59016, abs=1e-5)
    assert raw["common"] == pytest.approx(0.8)


def test_a_reversed_stratum_is_named(case_of, of_table):
    tables = {"one": RIGHT, "two": [[0, 30], [30, 0]], "three": RIGHT}
    case = stratified(case_of, of_table, tables)
    found = measure(case)
    assert found.facts["bad"] == ["two"]
    assert (found.facts["worst"], found.facts["kappa_bad"]) == (
        "two",
        pytest.approx(-0.95, abs=0.03),
    )
    assert "lowest in two" in sentence(found, case)
    gain = found.tests["gain_cross"]
    assert f"they differ by {gain:.2f} on the other." in sentence(found, case)


def test_small_strata_are_pooled(case_of, of_table):
    small = {f"s{i}": [[3, 1], [1, 2]] for i in range(3)}
    found = measure(stratified(case_of, of_table, {"a": RIGHT, "b": BLIND, **small}))
    assert [(row["name"], row["n"]) for row in found.facts["strata"]] == [
        ("a", 60),
        ("b", 60),
        (OTHER, 21),
    ]


def test_items_without_a_stratum_are_left_out_and_counted(case_of, of_table):
    case = stratified(case_of, of_table, MANY)
    codes = case.stratum.copy()
    codes[:20] = -1
    found = measure(replace(case, stratum=codes))
    assert found.facts["without_stratum"] == 20
    assert found.n == 220
    assert not found.good[:20].any()


def test_pooling_leaves_out_a_remainder_too_small_for_a_stratum():
    codes = np.repeat([0, 1, 2, -1], [12, 11, 3, 2])
    cell, names = pooled(codes, ("x", "y", "z"))
    assert names == ("x", "y")
    assert np.bincount(cell + 1).tolist() == [5, 12, 11]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda c: replace(c, stratum=None), "no column of strata"),
        (lambda c: replace(c, stratum=np.zeros_like(c.stratum)), "fewer than two strata"),
        (lambda c: replace(c, stratum=np.full_like(c.stratum, -1)), "only 0 calls"),
        (lambda c: replace(c, stratum=c.people[0, :, 0]), "people give one label in each"),
        (lambda c: c.part(np.arange(c.n) < 3), "only 3 calls"),
        (lambda c: c.with_judge(0, np.ones(c.n, dtype=int)), "the judge gives one"),
    ],
)
def test_degenerate_labels_are_not_testable(case_of, of_table, change, reason):
    case = change(stratified(case_of, of_table, MANY))
    found = measure(case)
    assert reason in found.untestable
    assert sentence(found, case).startswith("Strata could not be tested")


def test_a_stratum_with_one_label_of_people_has_no_raw_kappa(case_of, of_table):
    tables = {"mixed": [[40, 5], [5, 20]], "never": [[40, 0], [0, 0]]}
    found = measure(stratified(case_of, of_table, tables))
    rows = {row["name"]: row for row in found.facts["strata"]}
    assert np.isnan(rows["never"]["kappa"])
    assert np.isfinite(found.undone).all()


def test_clusters_leave_the_textbook_test_out(case_of, of_table):
    case = stratified(case_of, of_table, MANY)
    found = measure(replace(case, unit=np.arange(case.n) // 2))
    assert np.isnan(found.tests["p_homogeneity"])
    assert found.tests["p"] < 0.02


def test_holm_by_hand():
    # .01 x 3, then the larger of .03 and .02 x 2, then the larger of .04 and .04 x 1.
    assert holm(np.array([0.04, 0.01, 0.02])) == pytest.approx([0.04, 0.03, 0.04])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_never_lowers_a_p_value(p):
    adjusted = holm(np.array(p))
    assert (adjusted >= np.array(p)).all()
    assert (adjusted <= 1).all()


def test_next_says_what_to_do():
    assert stratum.NEXT.endswith(".")
