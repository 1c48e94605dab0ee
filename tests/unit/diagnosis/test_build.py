from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from toolkit.diagnosis.build import Columns, build, build_whole
from toolkit.diagnosis.case import HIGH, LOW
from toolkit.errors import LabelError
from toolkit.labels.pairs import Alignment
from toolkit.labels.read import read_labels
from toolkit.labels.roles import resolve_roles

TEN = [0, 1] * 5


def _raters(**changes):
    raters = {r: {"low": TEN, "high": TEN} for r in ("human1", "judge")}
    return {**raters, **changes}


def test_only_calls_with_both_constructs_by_judge_and_reference_count(case_of):
    gap = [None, *TEN[1:]]
    raters = _raters(
        judge={"low": gap, "high": TEN}, human1={"low": TEN, "high": [*TEN[:-1], None]}
    )
    case = case_of(raters)
    assert case.item.tolist() == list(range(1, 9))


def test_constructs_from_different_calls_are_compared_and_said_to_be():
    frame = pd.DataFrame(
        [
            (f"i{i}", c, r, "judge" if r == "judge" else "human", label, f"{r}-{c}-{i}")
            for i, label in enumerate(TEN)
            for c in ("low", "high")
            for r in ("judge", "human1")
        ],
        columns=["item_id", "construct", "rater_id", "rater_kind", "label", "call_id"],
    )
    labels = read_labels(frame)
    alignment, roles = Alignment(labels), resolve_roles(labels)
    case, _ = build(alignment, ("low", "high"), roles, "schema", Columns(), 0)
    assert not case.same_call
    assert case.n == 10


def test_labels_of_other_constructs_count_only_from_the_same_call():
    frame = pd.DataFrame(
        [
            (f"i{i}", c, r, "judge" if r == "judge" else "human", label, f"{r}-{i}-{c == 'other'}")
            for i, label in enumerate(TEN)
            for c in ("low", "high", "other")
            for r in ("judge", "human1")
        ],
        columns=["item_id", "construct", "rater_id", "rater_kind", "label", "call_id"],
    )
    labels = read_labels(frame)
    names = ("low", "high", "other")
    case, _ = build(Alignment(labels), names, resolve_roles(labels), "schema", Columns(), 0)
    assert case.same_call
    assert (case.judge[2] == -1).all()
    assert (case.judge[:2] >= 0).all()


def test_readable_items_hold_those_with_one_missing_label():
    raters = {"judge": {"low": [None, *TEN[1:]], "high": TEN}, "human1": {"low": TEN, "high": TEN}}
    rows = [
        (f"i{i}", c, r, "judge" if r == "judge" else "human", label)
        for r, own in raters.items()
        for c, values in own.items()
        for i, label in enumerate(values)
        if label is not None
    ]
    columns = ["item_id", "construct", "rater_id", "rater_kind", "label"]
    labels = read_labels(pd.DataFrame(rows, columns=columns))
    case, readable = build(
        Alignment(labels), ("low", "high"), resolve_roles(labels), "schema", Columns(), 0
    )
    assert case.n == 9
    assert readable.judge.shape == (2, 10)
    assert (readable.judge < 0).sum(axis=1).tolist() == [1, 0]


def test_persons_of_the_reference_come_first_and_judges_apart(case_of):
    raters = _raters(
        human2={"low": TEN, "high": TEN},
        judge2={"low": TEN, "high": TEN},
    )
    case = case_of(raters, reference="human2")
    assert case.names.people == ("human2", "human1")
    assert case.reference == 1
    assert case.names.judges == ("judge2",)
    assert case.judges.shape == (2, 10, 1)


def test_a_named_witness_leaves_out_others_of_its_kind(case_of):
    raters = _raters(
        human2={"low": TEN, "high": TEN},
        human3={"low": TEN, "high": TEN},
        judge2={"low": TEN, "high": TEN},
    )
    case = case_of(raters, reference="human1", witness="human3")
    assert case.names.people == ("human1", "human3")
    assert case.names.judges == ("judge2",)


def test_an_unknown_witness_is_refused(case_of):
    with pytest.raises(LabelError, match="witness") as caught:
        case_of(_raters(), witness="nobody")
    assert caught.value.got == "nobody"


def test_a_numeric_stratum_with_many_values_is_cut_into_quarters(case_of):
    case = case_of(
        {r: {"low": [0, 1] * 20, "high": [0, 1] * 20} for r in ("human1", "judge")},
        stratum="length",
        length=list(range(40)),
    )
    assert np.bincount(case.stratum).tolist() == [10, 10, 10, 10]
    assert len(case.names.strata) == 4


def test_a_missing_value_leaves_a_numeric_stratum_numeric(case_of):
    # 39 values: the quarters hold 10, 9, 10 and 10.
    case = case_of(
        {r: {"low": [0, 1] * 20, "high": [0, 1] * 20} for r in ("human1", "judge")},
        stratum="length",
        length=[None, *range(39)],
    )
    assert len(case.names.strata) == 4
    assert case.stratum[0] == -1
    assert sorted(np.bincount(case.stratum[1:]).tolist()) == [9, 10, 10, 10]


def test_words_and_few_numbers_are_strata_as_they_are(case_of):
    case = case_of(_raters(), stratum="batch", batch=["b", "a"] * 5)
    assert case.names.strata == ("a", "b")
    assert case.stratum.tolist() == [1, 0] * 5
    case = case_of(_raters(), stratum="batch", batch=[3, 1] * 5)
    assert case.names.strata == ("1", "3")


def test_dates_become_seconds(case_of):
    days = [f"2026-03-{day:02d}" for day in range(1, 11)]
    case = case_of(_raters(), order="day", day=days)
    assert case.names.order_is_date
    assert np.diff(case.order).tolist() == [86400.0] * 9
    # 2026-03-01 is 20,513 days after 1970-01-01: 56 years, 14 leap days, and 31 + 28 days.
    assert case.order[0] == (56 * 365 + 14 + 59) * 86400


def test_words_are_no_order(case_of):
    with pytest.raises(LabelError, match="no order"):
        case_of(_raters(), order="batch", batch=["morning", "noon"] * 5)


def test_an_order_that_differs_within_an_item_is_refused():
    rows = [
        (f"i{i}", c, r, "judge" if r == "judge" else "human", label, k)
        for i, label in enumerate(TEN)
        for k, (c, r) in enumerate(
            [("low", "judge"), ("high", "judge"), ("low", "human1"), ("high", "human1")]
        )
    ]
    columns = ["item_id", "construct", "rater_id", "rater_kind", "label", "order"]
    labels = read_labels(pd.DataFrame(rows, columns=columns))
    with pytest.raises(LabelError, match="not one value for every item"):
        build(
            Alignment(labels),
            ("low", "high"),
            resolve_roles(labels),
            "schema",
            Columns(order="order"),
            0,
        )


def test_item_weights_have_mean_one():
    rows = [
        (f"i{i}", c, r, "judge" if r == "judge" else "human", label, 1 + i % 2)
        for i, label in enumerate(TEN)
        for c in ("low", "high")
        for r in ("judge", "human1")
    ]
    columns = ["item_id", "construct", "rater_id", "rater_kind", "label", "weight"]
    labels = read_labels(pd.DataFrame(rows, columns=columns))
    case, readable = build(
        Alignment(labels), ("low", "high"), resolve_roles(labels), "schema", Columns(), 0
    )
    # Weights 1 and 2 have mean 1.5.
    assert case.weight.tolist() == pytest.approx([2 / 3, 4 / 3] * 5)
    assert (readable.weight / readable.weight.mean()).tolist() == pytest.approx([2 / 3, 4 / 3] * 5)


def test_the_whole_keeps_items_of_one_construct_alone():
    raters = {"judge": {"low": [None, *TEN[1:]], "high": TEN}, "human1": {"low": TEN, "high": TEN}}
    rows = [
        (f"i{i}", c, r, "judge" if r == "judge" else "human", label)
        for r, own in raters.items()
        for c, values in own.items()
        for i, label in enumerate(values)
        if label is not None
    ]
    columns = ["item_id", "construct", "rater_id", "rater_kind", "label"]
    labels = read_labels(pd.DataFrame(rows, columns=columns))
    whole = build_whole(
        Alignment(labels), ("low", "high"), resolve_roles(labels), "schema", None, 0, 50
    )
    assert whole.n == 10
    counted = [
        whole.tables(whole.referred(c), whole.judged(c), smooth=False)[0].sum() for c in (LOW, HIGH)
    ]
    assert counted == [9, 10]
