from __future__ import annotations

import json
import math

import pandas as pd
import pytest

import toolkit as tk
from toolkit.coefficients import crosstab, kappa
from toolkit.errors import StatisticsError
from toolkit.scoring.judge.evaluate import evaluate
from toolkit.scoring.judge.report import judge_report

COUNTS = ["both", "parser_only", "judge_only", "neither"]


def one(subset, raw, reply, number=0):
    fields = {"id": str(number), "benchmark": "he300", "subset": subset, "gold": 1, "text": "."}

    def ask(_):
        if isinstance(reply, Exception):
            raise reply
        return reply

    return evaluate(fields, raw, ask, timeout=None)


JUSTICE = [
    *[("REASONABLE", "REASONABLE")] * 5,
    *[("UNREASONABLE", "UNREASONABLE")] * 4,
    ("REASONABLE", "**UNREASONABLE**"),
    ("UNREASONABLE", "REASONABLE"),
    ("REASONABLE", "UNKNOWN"),
    ("Hm.", "REASONABLE"),
    ("Hm.", "UNKNOWN"),
    ("Hm.", "UNKNOWN"),
    ("REASONABLE", ConnectionError("down")),
    ("", "REASONABLE"),
]


def justice():
    return [one("justice", *pair, number) for number, pair in enumerate(JUSTICE)]


def test_every_reply_is_in_one_cell_and_failures_are_apart():
    row = judge_report(justice()).to_frame().iloc[0]
    assert list(row[COUNTS]) == [11, 1, 1, 2]
    assert (row["replies"], row["not_asked"], row["asked"], row["judge_failed"]) == (17, 1, 16, 1)
    assert row["judge_failure_rate"] == 1 / 16


def test_kappa_rests_on_what_both_read():
    report = judge_report(justice())
    pairs = JUSTICE[:11]
    clean = [(parser, judge.strip("*")) for parser, judge in pairs]
    labels = ["UNREASONABLE", "REASONABLE"]
    expected = kappa(crosstab(*zip(*clean, strict=True), labels))
    row = report.to_frame().iloc[0]
    assert (row["kappa"], row["low"], row["high"]) == (
        expected.estimate,
        expected.low,
        expected.high,
    )
    assert row["agreement"] == 9 / 11
    assert list(report.tables["justice"].columns) == labels


def test_replies_to_one_item_count_as_one_cluster_in_both_intervals():
    twice = judge_report([*justice(), *justice()]).to_frame().iloc[0]
    single = judge_report(justice()).to_frame().iloc[0]
    assert (twice["clusters"], single["clusters"]) == (11, None)
    assert twice["kappa"] == single["kappa"]
    alone = [one("justice", *pair, n) for n, pair in enumerate([*JUSTICE, *JUSTICE])]
    naive = judge_report(alone).to_frame().iloc[0]
    for low, high in (("low", "high"), ("low_agreement", "high_agreement")):
        assert twice[high] - twice[low] > naive[high] - naive[low]
    assert (twice["method"], twice["method_agreement"]) == ("jeffreys", "jeffreys_effective")
    assert "few_clusters" in twice["flags"]


def test_items_of_one_stem_count_as_one_cluster_and_an_unknown_stem_is_its_item():
    stems = ["a", "a", "b", "b", *[None] * (len(JUSTICE) - 4)]
    row = judge_report(justice(), clusters=stems).to_frame().iloc[0]
    assert row["clusters"] == 9
    with pytest.raises(StatisticsError, match="not every evaluation has its cluster"):
        judge_report(justice(), clusters=["a"])


def test_kappa_over_clusters_is_that_of_agreement_over_the_same_clusters():
    pairs = JUSTICE[:11] * 4
    rows = [
        {"item_id": str(n), "rater_id": rater, "label": said.strip("*"), "cluster": str(n // 3)}
        for n, pair in enumerate(pairs)
        for rater, said in zip(("parser", "judge"), pair, strict=True)
    ]
    construct = {"kind": "nominal", "categories": ["UNREASONABLE", "REASONABLE"]}
    labels = tk.read_labels(
        pd.DataFrame(rows).assign(construct="c"), schema={"constructs": {"c": construct}}
    )
    expected = tk.agreement(labels, judge="judge", reference="parser", cluster="cluster")["c"].kappa
    made = [one("justice", *pair, n) for n, pair in enumerate(pairs)]
    row = judge_report(made, clusters=[n // 3 for n in range(44)]).to_frame().iloc[0]
    assert row[["kappa", "low", "high"]].tolist() == pytest.approx(
        [expected.estimate, expected.low, expected.high]
    )


def test_disagreements_are_listed_with_both_spans():
    listed = judge_report(justice()).disagreements
    assert list(listed["id"]) == ["9", "10"]
    first = listed.iloc[0]
    assert (first["answer_label"], first["answer_span"]) == ("REASONABLE", (0, 10))
    start, end = first["judge_span"]
    assert first["judge_reply"][start:end] == first["judge_label"] == "UNREASONABLE"


def test_an_outage_leaves_kappa_undefined_with_a_reason():
    report = judge_report([one("justice", "REASONABLE", ConnectionError()) for _ in range(5)])
    row = report.to_frame().iloc[0]
    assert math.isnan(row["kappa"])
    assert math.isnan(row["agreement"])
    assert row["reasons"] == ("none_read_by_both",)
    assert report.to_dict()["rows"][0]["kappa"] is None


def test_subsets_are_pooled_by_polarity():
    # Gold 1 is the negative label of the one and the positive label of the other.
    pairs = [
        one("commonsense", "ETHICAL", "ETHICAL"),
        one("commonsense", "UNETHICAL", "ETHICAL"),
        one("justice", "UNREASONABLE", "REASONABLE"),
        one("justice", "REASONABLE", "REASONABLE"),
        one("justice", "UNREASONABLE", "UNREASONABLE"),
    ]
    row = judge_report(pairs).to_frame().iloc[-1]
    expected = kappa([[2, 0], [2, 1]])
    assert (row["subset"], row["kappa"]) == ("all", expected.estimate)


def test_labels_that_differ_are_not_pooled():
    own = {
        "benchmark": "mine",
        "conventions": [{"subsets": ["size"], "labels": ["SMALL", "MEDIUM", "LARGE"]}],
    }
    fields = {"id": 1, "benchmark": "mine", "subset": "size", "gold": 1, "text": "."}
    size = evaluate(fields, "SMALL", lambda _: "SMALL", conventions=own)
    row = judge_report([size, one("justice", "REASONABLE", "REASONABLE")]).to_frame().iloc[-1]
    assert row["reasons"] == ("labels_differ",)
    assert math.isnan(row["kappa"])
    assert row["agreement"] == 1


def test_without_a_judge_nothing_is_compared():
    fields = {"id": 1, "benchmark": "he300", "subset": "justice", "gold": 1}
    report = judge_report([evaluate(fields, "REASONABLE")])
    frame = report.to_frame()
    assert list(frame["asked"]) == [0, 0]
    assert frame["judge_failure_rate"].isna().all()
    json.dumps(report.to_dict(), allow_nan=False)
    assert "0 asked" in repr(report)


def test_the_report_is_the_same_each_time_and_shows_as_html():
    first, second = (judge_report(justice(), seed=3) for _ in range(2))
    assert json.dumps(first.to_dict()) == json.dumps(second.to_dict())
    pd.testing.assert_frame_equal(first.to_frame(), second.to_frame())
    assert first._repr_html_().startswith("<p>JudgeReport(16 asked")


def test_a_level_out_of_range_is_refused():
    with pytest.raises(StatisticsError):
        judge_report(justice(), confidence=1.5)
