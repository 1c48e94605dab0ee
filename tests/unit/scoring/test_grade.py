from __future__ import annotations

import json

import pandas as pd
import pytest

from toolkit.answers.answer import OUTCOMES
from toolkit.errors import AnswerError, ConventionError
from toolkit.scoring import grade

FRAME = pd.DataFrame(
    {
        "subset": ["justice"] * 5 + ["commonsense"] * 3,
        "expected": [0, 1, 1, 0, 1, 0, 1, None],
        "gold": [0, 0, None, 0, 1, 0, None, 1],
        "outcome": ["answered"] * 2 + ["hedge"] + ["answered"] * 3 + ["refusal", "answered"],
    }
)


def test_there_is_one_row_over_all_and_one_per_subset():
    grades = grade(FRAME)
    table = grades.to_frame().set_index("subset")
    assert list(table.index) == ["all", "justice", "commonsense"]
    assert table["n"].tolist() == [7, 5, 2]
    assert table["correct"].tolist() == [4, 3, 1]
    assert table["level"].isna().all()


def test_unknown_is_never_a_class():
    found = grade(FRAME)["commonsense"].accuracy
    assert (found.n, found.answered, found.correct) == (2, 1, 1)
    assert found.best == 1
    assert found.worst == 0.5


def test_outcomes_are_counted_and_rows_without_expected_gold_are_left_out():
    row = grade(FRAME)["all"]
    assert tuple(row.outcomes) == OUTCOMES
    assert (row.outcomes["answered"], row.outcomes["hedge"], row.outcomes["refusal"]) == (5, 1, 1)
    assert row.left_out == {"no_expected_gold": 1}
    assert sum(row.outcomes.values()) == row.accuracy.n
    assert row.accuracy.n + row.left_out["no_expected_gold"] == len(FRAME)


def test_levels_come_in_their_order():
    levels = ["lenient", "strict", "exact", "structured"]
    frame = pd.concat([FRAME.assign(level=level) for level in levels])
    rows = grade(frame).rows
    assert [row.level for row in rows[::3]] == ["exact", "strict", "structured", "lenient"]
    assert grade(frame)["justice", "lenient"].level == "lenient"


def test_stems_are_clusters_of_their_own_subset():
    # The same stem name in two subsets is two stems; a missing one stands for itself.
    frame = FRAME.assign(stem=["a", "a", "b", "b", None, "a", "a", "a"])
    grades = grade(frame)
    assert grades["justice"].accuracy.clusters == 3
    assert grades["all"].accuracy.clusters == 4


def test_the_row_over_all_adds_the_constant_answers_of_the_subsets():
    frame = pd.DataFrame(
        {
            "subset": ["virtue"] * 10 + ["commonsense"] * 10,
            "expected": [0] * 9 + [1] + [1] * 9 + [0],
            "gold": [0] * 9 + [1] + [1] * 9 + [0],
            "outcome": "answered",
        }
    )
    assert grade(frame)["all"].accuracy.constant == 0.9


def test_outcome_and_gold_that_contradict_each_other_are_an_alarm_and_count_as_unanswered():
    frame = FRAME.assign(outcome="answered")
    row = grade(frame)["justice"]
    assert "counts" in row.flags
    assert row.accuracy.answered == 4


def test_outcomes_of_another_scorer_are_counted_too():
    frame = FRAME.assign(outcome=[*FRAME["outcome"][:6], "error", "answered"])
    assert grade(frame)["all"].outcomes["error"] == 1


MINE = pd.DataFrame({"subset": "mine", "expected": [0, 1], "gold": [0, 1], "outcome": "answered"})


def test_an_unknown_subset_or_benchmark_is_refused():
    with pytest.raises(ConventionError, match=r"unknown subset.*2 rows.*k={'mine': 2}"):
        grade(MINE)
    with pytest.raises(ConventionError, match="unknown benchmark"):
        grade(FRAME, benchmark="he301")
    with pytest.raises(ConventionError, match="unknown benchmark"):
        grade(FRAME.head(0), benchmark="he301")


@pytest.mark.parametrize("k", [3, {"mine": 3}])
def test_where_no_convention_is_known_the_caller_says_how_many_answers_are_on_offer(k):
    assert grade(MINE, benchmark="my own", k=k)["mine"].accuracy.chance == pytest.approx(1 / 3)


@pytest.mark.parametrize("k", [1, True, "3", 2.0])
def test_a_number_of_answers_that_is_none_is_refused(k):
    with pytest.raises(AnswerError, match="no number of answers"):
        grade(MINE, k=k)


def test_a_group_of_several_levels_needs_its_level():
    frame = pd.concat([FRAME.assign(level=level) for level in ("strict", "structured")])
    with pytest.raises(AnswerError, match=r"several levels.*'justice', 'strict'"):
        grade(frame)["justice"]


@pytest.mark.parametrize("value", ["x", 0.5, -1])
@pytest.mark.parametrize("column", ["expected", "gold"])
def test_a_gold_value_that_is_none_is_refused_with_its_row(column, value):
    frame = FRAME.astype({column: object}).copy()
    frame.loc[3, column] = value
    with pytest.raises(AnswerError, match=f"column '{column}', row 3"):
        grade(frame)


def test_a_gold_value_outside_the_labels_is_refused():
    with pytest.raises(AnswerError, match="no class of 'justice'"):
        grade(FRAME.assign(expected=[2, *FRAME["expected"][1:]]))


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(AnswerError, match="did you mean 'expectd'"):
        grade(FRAME.rename(columns={"expected": "expectd"}))


def test_an_unknown_group_is_named():
    with pytest.raises(AnswerError, match="no such group"):
        grade(FRAME)["virtue"]


def test_the_result_is_strict_json_and_says_what_it_holds():
    grades = grade(FRAME)
    json.dumps(grades.to_dict(), allow_nan=False)
    assert "justice" in repr(grades)
    assert "<table" in grades._repr_html_()


def test_an_empty_frame_has_no_items():
    row = grade(FRAME.head(0))["all"]
    assert row.accuracy.n == 0
    assert "no_items" in row.accuracy.reasons


def test_the_expected_gold_is_never_compared_with_itself():
    frame = pd.DataFrame(
        {
            "subset": "justice",
            "gold": [1, 0],
            "answer_gold": [1, 1],
            "outcome": ["answered", "answered"],
        }
    )
    assert grade(frame, expected="gold")["justice"].accuracy.correct == 1
    with pytest.raises(AnswerError, match="one column"):
        grade(frame.drop(columns="answer_gold"), expected="gold")
