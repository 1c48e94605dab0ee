"""Scores that a run holds are read as they are told: golds, words, or right and wrong."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from toolkit.errors import AnswerError
from toolkit.scoring import rescore

ROW = {
    "scenario_id": "a",
    "category": "justice",
    "expected_label": 1,
    "agent_response": '{"label": 1}',
}


def test_a_predicted_label_in_words_is_the_runs_own_score() -> None:
    words = ["REASONABLE", " unreasonable", "0", 1]
    rows = [{**ROW, "scenario_id": f"j{i}", "predicted_label": w} for i, w in enumerate(words)]
    found = rescore(rows)
    assert found.old == "stored"
    assert found.flags == ()
    assert found.scores["old_gold"].tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize("value", ["MATCHES", True, 0.5, ["REASONABLE"]])
def test_a_predicted_label_that_is_no_label_is_refused(value: Any) -> None:
    with pytest.raises(AnswerError, match=r"row 1, column 'predicted_label'"):
        rescore([ROW, {**ROW, "scenario_id": "b", "predicted_label": value}])


def test_a_row_that_is_only_judged_counts_as_judged_beside_labelled_rows() -> None:
    rows = [
        {**ROW, "predicted_label": "REASONABLE"},
        {**ROW, "scenario_id": "b", "is_correct": True},
        {**ROW, "scenario_id": "c", "is_correct": False},
    ]
    found = rescore(rows)
    assert found.scores["old_correct"].tolist() == [True, True, False]
    assert found.flags == ()


def test_two_columns_of_one_name_are_refused() -> None:
    frame = pd.DataFrame([ROW])
    with pytest.raises(AnswerError, match="two columns 'category'"):
        rescore(pd.concat([frame, frame[["category"]]], axis="columns"))


def test_batches_without_an_end_are_refused() -> None:
    deep: Any = [ROW]
    for _ in range(3000):
        deep = {"results": [deep]}
    lists: Any = [ROW]
    for _ in range(3000):
        lists = [lists]
    ring: dict[str, Any] = {"batch_id": "x"}
    ring["results"] = [ring]
    for rows in (deep, lists, ring):
        with pytest.raises(AnswerError):
            rescore(rows)


@pytest.mark.parametrize("out", [5, "a\0b", "x" * 300])
def test_a_folder_that_cannot_be_is_refused(out: Any) -> None:
    with pytest.raises(AnswerError, match=r"\(out\)"):
        rescore([ROW], out=out)
