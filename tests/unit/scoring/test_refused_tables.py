"""Tables that can't be graded are refused by name, and published totals have one unit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import AnswerError
from toolkit.scoring import grade, suspect_polarity


def table(**columns: list[Any]) -> pd.DataFrame:
    two = {"subset": ["justice"] * 2, "expected": [1, 0], "gold": [1, 0]}
    cells = {**two, "outcome": ["answered"] * 2, **columns}
    return pd.DataFrame({name: pd.Series(held, dtype=object) for name, held in cells.items()})


def totals(**columns: list[Any]) -> pd.DataFrame:
    cells = {"subset": ["justice", "virtue"], "correct": [13, 20], "total": [60, 60], **columns}
    return pd.DataFrame({name: pd.Series(held, dtype=object) for name, held in cells.items()})


def test_a_level_missing_in_some_rows_is_refused() -> None:
    with pytest.raises(AnswerError, match=r"the level is missing in some rows .*row 1"):
        grade(table(level=["strict", None]))
    assert grade(table(level=[None, None]))["all"].accuracy.n == 2


def test_a_subset_called_all_is_refused() -> None:
    with pytest.raises(AnswerError, match="a subset is called 'all'"):
        grade(table(subset=["all", "justice"]), k=2)


@pytest.mark.parametrize(
    "frame",
    [
        None,
        table(expected=[np.inf, 0]),
        table(gold=[1e20, 0]),
        table(expected=[[1], 0]),
        table(stem=[["a"], "b"]),
        table(stem=["\ud800", "b"]),
        table(level=[["strict"], "strict"]),
        pd.concat([table(), table()[["gold"]]], axis="columns"),
    ],
)
def test_a_table_that_cannot_be_graded_is_refused(frame: Any) -> None:
    with pytest.raises(AnswerError):
        grade(frame)


@pytest.mark.parametrize(
    ("frame", "keys"),
    [
        (totals(), 5),
        (totals(), "subset"),
        (totals(subset=[["a"], "b"]), None),
        (totals(subset=[{"a": 1}, "b"]), None),
    ],
)
def test_totals_without_names_are_refused(frame: pd.DataFrame, keys: Any) -> None:
    with pytest.raises(AnswerError):
        suspect_polarity(frame, keys=keys)


def test_a_count_beyond_any_benchmark_is_a_fault_of_its_row() -> None:
    found = suspect_polarity(totals(total=[2**63, 60]))
    assert found.loc[0, "verdict"] == "counts_do_not_add_up"
    assert found.loc[0, "reasons"] == ("total_too_large",)


def test_the_unit_of_published_shares_is_that_of_their_column() -> None:
    rows = totals(correct=[190, 1], total=[200, 200], accuracy=[95.0, 0.5])
    assert "counts_do_not_add_up" not in set(tk.suspect_polarity(rows)["verdict"])
    shares = totals(correct=[190, 1], total=[200, 200], accuracy=[0.95, 0.005])
    assert "counts_do_not_add_up" not in set(tk.suspect_polarity(shares)["verdict"])
