from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies

from toolkit import planning
from toolkit.errors import PlanError
from toolkit.planning.influence import joint, moments
from toolkit.planning.merge import merged_groups


def pool_of(counts, names=("a", "b")):
    """Items with the judge's labels that the keys spell, such as {"10": 40}."""
    rows = [[int(digit) for digit in key] for key, n in counts.items() for _ in range(n)]
    frame = pd.DataFrame(rows, columns=list(names))
    return frame.assign(item_id=[f"item{i}" for i in range(len(frame))])


def test_the_judges_label_vector_makes_the_strata():
    st = planning.strata(pool_of({"11": 40, "00": 100, "10": 60}), ["a", "b"])
    assert st.names == ("a=0, b=0", "a=1, b=0", "a=1, b=1")
    assert st.sizes.tolist() == [100, 60, 40]
    assert st.judge.tolist() == [[0, 0], [1, 0], [1, 1]]
    assert st.negative.tolist() == [True, False, False]
    assert st.merged == {}
    assert (np.bincount(st.member) == st.sizes).all()


def test_the_order_of_rows_changes_nothing():
    pool = pool_of({"11": 40, "00": 100, "10": 60})
    first, second = (planning.strata(p, ["a", "b"]) for p in (pool, pool.sample(frac=1)))
    assert first.items.tolist() == second.items.tolist()
    assert first.member.tolist() == second.member.tolist()
    assert first.sha256 == second.sha256
    pd.testing.assert_frame_equal(first.to_frame(), second.to_frame())


def test_another_pool_has_another_fingerprint():
    pool = pool_of({"11": 40, "00": 100})
    other = pool.assign(item_id=[f"other{i}" for i in range(len(pool))])
    assert planning.strata(pool, ["a"]).sha256 != planning.strata(other, ["a"]).sha256


def test_a_thin_stratum_joins_one_that_keeps_the_rare_label():
    # 11 is thin; 10 and 01 are one label away; a is the rarer construct, so a = 1 stays together.
    st = planning.strata(pool_of({"11": 5, "10": 45, "01": 300, "00": 650}), ["a", "b"])
    assert st.names == ("a=0, b=0", "a=0, b=1", "a=1, b=0|1 (merged)")
    assert st.merged == {"a=1, b=0|1 (merged)": ("a=1, b=0", "a=1, b=1")}
    assert st.sizes.tolist() == [650, 300, 50]
    assert st.judge[2].tolist() == [1, -1]
    assert st.mix[1][2].tolist() == [0.9, 0.1]
    assert st.to_frame()["b"].tolist() == ["0", "1", "several"]


def test_two_common_labels_count_less_than_a_rare_one():
    # The last cell, 1 1 1, differs from 0 1 1 in the rare label and from 1 0 0 in two common ones.
    cells = np.array([[0, 0, 0, 0], [0, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    groups = merged_groups(cells, np.array([500, 440, 50, 10]), (2, 2, 2), 30)
    assert groups.tolist() == [0, 1, 2, 2]


def test_the_last_stratum_in_which_a_label_stands_alone_is_kept():
    # All items that the judge flagged on c, 14 of 1,014, stay together and apart from the others.
    st = planning.strata(pool_of({"00": 700, "10": 300, "01": 9, "11": 5}, names="bc"), ["b", "c"])
    assert st.names == ("b=0, c=0", "b=0|1, c=1 (merged)", "b=1, c=0")
    assert st.sizes.tolist() == [700, 14, 300]
    assert st.thin == ("b=0|1, c=1 (merged)",)
    assert (st.judge[:, 1] >= 0).all()


@given(strategies.integers(0, 10_000), strategies.integers(1, 4))
def test_merging_keeps_every_judge_label_alone_somewhere(seed, constructs):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (200, constructs)) * (rng.random((200, constructs)) < 0.3)
    cells, sizes = np.unique(codes, axis=0, return_counts=True)
    cells = np.column_stack([cells, np.zeros(len(cells), dtype=int)])
    groups = merged_groups(cells, sizes, (3,) * constructs, 30)
    labels = [[set(cells[groups == g, c]) for g in set(groups)] for c in range(constructs)]
    for c in range(constructs):
        alone = {next(iter(held)) for held in labels[c] if len(held) == 1}
        assert alone == set(cells[:, c])
    assert groups[0] == 0
    assert set(np.diff(np.unique(groups))) <= {1}


def test_parts_of_a_score_merge_before_labels_do():
    cells = np.array([[0, 0], [0, 1], [0, 2], [1, 0]])
    groups = merged_groups(cells, np.array([500, 500, 8, 100]), (2,), 30)
    assert groups.tolist() == [0, 1, 1, 2]


def test_in_a_tiny_pool_every_label_keeps_a_stratum():
    st = planning.strata(pool_of({"11": 5, "10": 4, "00": 9}), ["a", "b"])
    assert st.names == ("a=0, b=0", "a=1, b=0", "a=1, b=1")
    assert st.thin == st.names


def test_merged_strata_estimate_the_same_kappa():
    sizes = np.array([60, 40, 100])
    judge, share = np.array([0, 1, 1]), np.array([[0.9, 0.1], [0.3, 0.7], [0.4, 0.6]])
    tables = joint(judge, share)
    merged = np.stack([(0.6 * tables[0] + 0.4 * tables[1]), tables[2]])
    one, two = moments(sizes, tables, None), moments(np.array([100, 100]), merged, None)
    assert one.kappa == pytest.approx(two.kappa)
    assert one.total == pytest.approx(two.total)
    assert two.spread[0] > one.spread[:2].max()


def test_scores_split_within_a_label_vector():
    pool = pool_of({"1": 100, "0": 300}, names="a").assign(p=np.arange(400) / 400)
    st = planning.strata(pool, ["a"], scores="p", quantiles=[0.5, 0.9])
    assert st.names == ("a=0, p 1/3", "a=0, p 2/3", "a=0, p 3/3", "a=1, p 1/3", "a=1 (merged)")
    assert list(st.merged.values()) == [("a=1, p 2/3", "a=1, p 3/3")]
    assert st.sizes.tolist() == [150, 120, 30, 50, 50]
    assert (st.judge[:, 0] >= 0).all()


def test_two_scores_make_products_of_their_parts():
    rng = np.random.default_rng(0)
    pool = pool_of({"0": 400}, names="a").assign(p=rng.random(400), q=rng.random(400))
    st = planning.strata(pool, ["a"], scores=["p", "q"])
    assert st.names == (
        "a=0, p 1/2, q 1/2",
        "a=0, p 1/2, q 2/2",
        "a=0, p 2/2, q 1/2",
        "a=0, p 2/2, q 2/2",
    )


def test_a_cost_comes_from_a_column_or_by_stratum():
    pool = pool_of({"1": 50, "0": 50}, names="a").assign(
        minutes=[2.0] * 50 + [1.0] * 25 + [3.0] * 25
    )
    assert planning.strata(pool, ["a"], cost="minutes").cost.tolist() == [2.0, 2.0]
    assert planning.strata(pool, ["a"], cost={"a=1": 3}).cost.tolist() == [1.0, 3.0]


def test_items_without_a_judge_label_are_left_out_and_counted():
    pool = pool_of({"1": 50, "0": 50}, names="a").astype({"a": object})
    pool.loc[0, "a"] = None
    st = planning.strata(pool, ["a"])
    assert st.total == 99
    assert st.left_out == {"no_judge_label": 1}


def test_a_schema_declares_categories_that_the_judge_never_used():
    schema = {"constructs": {"a": {"categories": [0, 1, 2], "present": [1, 2]}}}
    st = planning.strata(pool_of({"1": 50, "0": 50}, names="a"), ["a"], schema=schema)
    assert st.mix[0].shape == (2, 3)
    assert st.absent("a").tolist() == [True, False, False]


def test_without_a_declaration_the_most_common_label_is_no_flag():
    pool = pool_of({"1": 50, "0": 90}, names="a").replace({"a": {0: "calm", 1: "harsh"}})
    st = planning.strata(pool, ["a"])
    assert st.negative.tolist() == [name == "a=calm" for name in st.names]


def test_strata_are_shown_and_summed_up():
    st = planning.strata(pool_of({"11": 5, "10": 45, "01": 50, "00": 600}), ["a", "b"])
    assert repr(st) == ("Strata(700 items in 3 strata, 1 merged, by the judge's labels on a, b)")
    summed = json.loads(json.dumps(st.to_dict(), allow_nan=False))
    assert summed["items"] == 700
    assert "&lt;" not in st._repr_html_()
    assert "a=1, b=0|1 (merged)" in st._repr_html_()


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"constructs": []}, "constructs are the judge's columns"),
        ({"constructs": ["a", "a"]}, "constructs are the judge's columns"),
        ({"floor": 0}, "no floor"),
        ({"floor": 2.5}, "no floor"),
        ({"quantiles": 3}, "quantiles of no score"),
        ({"scores": "p", "quantiles": [0.5, 1.5]}, "no quantiles"),
        ({"scores": "p", "quantiles": 1}, "no quantiles"),
        ({"scores": "word"}, "a score is missing or no number"),
        ({"cost": {"a=2": 3}}, "unknown stratum"),
        ({"cost": {"a=1": 0}}, "costs are numbers above 0"),
        ({"cost": "word"}, "costs are numbers above 0"),
    ],
)
def test_what_does_not_fit_is_refused(options, what):
    pool = pool_of({"1": 50, "0": 50}, names="a").assign(p=0.5, word="x")
    with pytest.raises(PlanError, match=what):
        planning.strata(pool, **{"constructs": ["a"], **options})


def test_the_summary_says_how_many_items_are_left_out_and_why():
    pool = pool_of({"1": 50, "0": 50}, names="a").astype({"a": object})
    pool.loc[[0, 1, 60], "a"] = None
    st = planning.strata(pool, ["a"])
    said = "; 3 items left out: no judge's label on every construct"
    assert said in repr(st)
    assert said in st._repr_html_().replace("&#x27;", "'")
    assert "left out" not in repr(planning.strata(pool_of({"1": 50, "0": 50}, names="a"), ["a"]))
