from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from toolkit import planning
from toolkit.errors import PlanError
from toolkit.labels import read_labels
from toolkit.planning.pilot import drawn_shares, expected_shares, posterior, read_pilot

COLUMNS = ["item_id", "construct", "rater_id", "label"]


@pytest.fixture
def st():
    rows = [(f"i{i}", int(i < 50), int(i % 2)) for i in range(200)]
    return planning.strata(pd.DataFrame(rows, columns=["item_id", "a", "b"]), ["a"])


def labels_of(rows, **options):
    return read_labels(pd.DataFrame(rows, columns=COLUMNS), overlap=False, **options)


def counts_of(rows):
    return pd.DataFrame(rows, columns=["stratum", "construct", "label", "count"])


def test_labels_are_counted_where_the_judge_put_the_item(st):
    rows = [("i0", "a", "ann", 1), ("i1", "a", "ann", 0), ("i60", "a", "ann", 0)]
    counts = read_pilot(st, labels_of(rows)).counts[0]
    # Rows the person's label, columns the judge's.
    assert counts[0].tolist() == [[1, 0], [0, 0]]
    assert counts[1].tolist() == [[0, 1], [0, 1]]


def test_counts_say_the_same_as_labels(st):
    rows = [("i0", "a", "ann", 1), ("i1", "a", "ann", 0), ("i60", "a", "ann", 0)]
    table = counts_of([("a=1", "a", 1, 1), ("a=1", "a", 0, 1), ("a=0", "a", 0, 1)])
    first, second = (read_pilot(st, pilot).counts[0] for pilot in (labels_of(rows), table))
    np.testing.assert_array_equal(first, second)


def test_people_decide_by_majority_and_ties_are_counted(st):
    frame = pd.DataFrame(
        [
            ("i0", "a", "ann", 1, "human"),
            ("i0", "a", "bob", 0, "human"),
            ("i1", "a", "ann", 1, "human"),
            ("i1", "a", "gpt", 0, "judge"),
        ],
        columns=[*COLUMNS, "rater_kind"],
    )
    pilot = read_pilot(st, read_labels(frame))
    assert pilot.labels(0) == 1
    assert any("tied" in note for note in pilot.notes)
    assert read_pilot(st, read_labels(frame), reference="bob").labels(0) == 1


def test_a_prior_of_half_a_label_is_shared_among_strata_of_one_judge_label(st):
    pilot = read_pilot(st, counts_of([("a=1", "a", 1, 3), ("a=1", "a", 0, 1), ("a=0", "a", 0, 9)]))
    alpha, borrowed = posterior(st, pilot, 0)
    assert alpha[1, :, 1].tolist() == [1.5, 3.5]
    assert alpha[0, :, 0].tolist() == [9.5, 0.5]
    assert borrowed == ()
    assert expected_shares(st, alpha, 0)[1].tolist() == [[0, 0.3], [0, 0.7]]


def test_a_stratum_without_labels_takes_those_of_the_same_judge_label():
    frame = pd.DataFrame({"item_id": range(300), "a": [0] * 200 + [1] * 100, "p": range(300)})
    st = planning.strata(frame, ["a"], scores="p")
    pilot = read_pilot(st, counts_of([(st.names[0], "a", 0, 8), (st.names[0], "a", 1, 2)]))
    alpha, borrowed = posterior(st, pilot, 0)
    assert borrowed == st.names[1:]
    assert alpha[1, :, 0].tolist() == [8.5, 2.5]
    assert alpha[2, :, 1].tolist() == [0.5, 0.5]


def test_drawn_shares_are_around_their_mean_and_keep_the_judges(st):
    pilot = read_pilot(
        st, counts_of([("a=1", "a", 1, 30), ("a=1", "a", 0, 10), ("a=0", "a", 0, 9)])
    )
    alpha, _ = posterior(st, pilot, 0)
    drawn = drawn_shares(st, alpha, 0, 4_000, np.random.default_rng(0))
    np.testing.assert_allclose(drawn.mean(0), expected_shares(st, alpha, 0), atol=0.01)
    np.testing.assert_allclose(drawn.sum(2), np.broadcast_to(st.mix[0], (4_000, 2, 2)))


def test_counts_of_merged_strata_name_the_judges_label():
    rows = [(f"i{i}", int(i < 40), int(i < 5 or i > 150)) for i in range(200)]
    st = planning.strata(pd.DataFrame(rows, columns=["item_id", "a", "b"]), ["a", "b"])
    (merged,) = st.merged
    table = counts_of([(merged, "b", 1, 3), (merged, "b", 0, 4)])
    with pytest.raises(PlanError, match="merged stratum need the judge's label"):
        read_pilot(st, table)
    counts = read_pilot(st, table.assign(judge_label=[1, 0])).counts[1]
    assert counts[st.names.index(merged)].tolist() == [[4, 0], [0, 3]]


def test_a_pilot_from_another_pool_is_refused(st):
    with pytest.raises(PlanError, match="from another pool: none of its items"):
        read_pilot(st, labels_of([("x0", "a", "ann", 1), ("x1", "a", "ann", 0)]))
    with pytest.raises(PlanError, match="from another pool"):
        read_pilot(st, counts_of([("a=3", "a", 1, 3)]))


def test_items_outside_the_pool_are_left_out_and_said(st):
    pilot = read_pilot(st, labels_of([("i0", "a", "ann", 1), ("x1", "a", "ann", 0)]))
    assert pilot.labels(0) == 1
    assert pilot.notes == ("1 items of the pilot are not in the pool: left out",)


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([("a=1", "b", 1, 3)], "unknown construct"),
        ([("a=1", "a", 7, 3)], "unknown label of 'a'"),
        ([("a=1", "a", 1, -3)], "counts are numbers"),
        ([("a=1", "a", 1, 0)], "counts are numbers"),
        ([("a=1", "a", 1, "many")], "counts are numbers"),
    ],
)
def test_counts_that_do_not_fit_are_refused(st, rows, what):
    with pytest.raises(PlanError, match=what):
        read_pilot(st, counts_of(rows))


def test_other_pilots_are_refused(st):
    with pytest.raises(PlanError, match="no pilot"):
        read_pilot(st, [1, 2])
    with pytest.raises(PlanError, match="lacks columns"):
        read_pilot(st, pd.DataFrame({"stratum": ["a=1"]}))
    with pytest.raises(PlanError, match="none is known to be a person"):
        read_pilot(st, labels_of([("i0", "a", "ann", 1), ("i0", "a", "bob", 0)]))
    with pytest.raises(PlanError, match="unknown rater"):
        read_pilot(st, labels_of([("i0", "a", "ann", 1), ("i1", "a", "ann", 0)]), reference="eve")
    with pytest.raises(PlanError, match="no person's label on any construct"):
        read_pilot(st, labels_of([("i0", "b", "ann", 1), ("i1", "b", "ann", 0)]))
    with pytest.raises(PlanError, match="a category of 'a' that the pool's schema does not have"):
        read_pilot(st, labels_of([("i0", "a", "ann", 1), ("i1", "a", "ann", 2)]))
