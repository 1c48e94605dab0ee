"""Cells that no column should hold are refused with their place, or kept where none needs them."""

from __future__ import annotations

import json
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from toolkit.errors import LabelError
from toolkit.labels import read_labels

CUT = "cut \ud83d"  # an emoji of which a limit on characters left one half
NAMES = ("item_id", "construct", "rater_id", "call_id", "cluster", "stratum")


def frame(**odd):
    """Two raters of one item; a column given here holds the value in its second row."""
    table = {"item_id": "a", "construct": "harm", "rater_id": ["ann", "gpt"], "label": 1}
    made = pd.DataFrame(table)
    for name, value in odd.items():
        cells = np.empty(2, dtype=object)
        cells[0] = "human" if name == "rater_kind" else made.get(name, ["fine"])[0]
        cells[1] = value
        made[name] = pd.Series(cells, dtype=object)
    return made


def refusal(table):
    with pytest.raises(LabelError) as refused:
        read_labels(table)
    return str(refused.value)


def written(folder, *objects):
    path = folder / "labels.jsonl"
    path.write_text("\n".join(map(json.dumps, objects)), encoding="utf-8")
    return path


def test_half_an_emoji_in_another_column_is_kept(tmp_path):
    rows = frame(text=CUT).to_dict("records")
    assert read_labels(written(tmp_path, *rows)).frame["text"].tolist() == ["fine", CUT]
    assert read_labels(frame(text=CUT)).frame["text"].tolist() == ["fine", CUT]


@pytest.mark.parametrize("column", [*NAMES, "label", "sitting", "order", "weight", "rater_kind"])
def test_half_an_emoji_in_a_column_of_the_table_is_refused_with_its_place(column, tmp_path):
    odd = frame(**{column: CUT})
    message = refusal(odd)
    assert f"half a character (a lone surrogate) (DataFrame, index 1, column '{column}')" in message
    assert r"Got: 'cut \ud83d'" in message
    message = refusal(written(tmp_path, *odd.to_dict("records")))
    assert f"(labels.jsonl, line 2, column '{column}')" in message


def test_half_an_emoji_in_a_name_of_a_column_or_an_argument_is_refused(tmp_path):
    row = {"item_id": "a", "construct": "harm", "rater_id": "ann", "label": 1, CUT: 1}
    assert "the name of column 5 has half a character" in refusal(written(tmp_path, row))
    named = frame().set_axis(pd.Index([*row][1:], dtype=object), axis="columns")
    assert "the name of column 4 has half a character" in refusal(named)
    with pytest.raises(LabelError, match="construct= does not fit"):
        read_labels(frame().drop(columns="construct"), construct=CUT)


@pytest.mark.parametrize("column", [*NAMES, "label", "sitting", "weight", "rater_kind"])
@pytest.mark.parametrize(
    "cell",
    [np.array([1, 2]), [1], {"a": 1}, Decimal("sNaN")],
    ids=["array", "list", "dict", "sNaN"],
)
def test_a_cell_that_is_no_single_value_is_refused_with_its_place(column, cell):
    message = refusal(frame(**{column: cell}))
    what = "what can't be compared" if isinstance(cell, Decimal) else "several values"
    assert f"a cell holds {what} (DataFrame, index 1, column '{column}')" in message


def test_a_column_of_lists_is_refused_in_parquet_and_as_arrow(tmp_path):
    table = frame().assign(label=[[1], [1]])
    table.to_parquet(tmp_path / "labels.parquet")
    message = refusal(tmp_path / "labels.parquet")
    assert "a cell holds several values (labels.parquet, row 0, column 'label')" in message
    table["label"] = table["label"].astype(pd.ArrowDtype(pa.list_(pa.int64())))
    assert "a cell holds several values (DataFrame, index 0, column 'label')" in refusal(table)


def test_bytes_are_refused_as_a_name(tmp_path):
    table = pa.table(frame().to_dict("list") | {"item_id": [b"a", b"a"]})
    pyarrow.parquet.write_table(table, tmp_path / "labels.parquet")
    message = refusal(tmp_path / "labels.parquet")
    assert (
        "bytes are no text: decode them first (labels.parquet, row 0, column 'item_id')" in message
    )


def test_a_kind_in_a_column_of_arrow_numbers_is_refused():
    numbers = pd.Series([1, 1], dtype=pd.ArrowDtype(pa.int64()))
    assert "neither human nor judge" in refusal(frame().assign(rater_kind=numbers))


def test_a_whole_number_that_no_decimal_one_can_hold_is_refused_beside_decimal_ones(tmp_path):
    rows = frame(label=0.5).assign(label=pd.Series([10**400, 0.5], dtype=object)).to_dict("records")
    message = refusal(written(tmp_path, *rows))
    assert "too large beside decimal numbers (labels.jsonl, line 1, column 'label')" in message
    rows[0]["label"] = 2**53
    labels = read_labels(written(tmp_path, *rows))
    assert labels.schema["harm"].categories == (0.5, 2**53)


@pytest.mark.parametrize(
    "weights",
    [
        pd.Series([10**400] * 2, dtype=object),
        pd.Series(pd.to_datetime(["2026-01-31"] * 2)),
        pd.Series(pd.to_timedelta([1, 1], unit="D")),
        pd.Series([1 + 2j] * 2),
        pd.Series([1 + 0j] * 2, dtype=object),
    ],
    ids=["huge", "time", "duration", "complex", "complex object"],
)
def test_a_weight_that_only_looks_like_a_number_is_refused(weights):
    message = refusal(frame().assign(weight=weights))
    assert "not a weight (DataFrame, index 0, column 'weight')" in message


def test_weights_of_every_type_of_number_are_read():
    for weights in (["1.5"] * 2, [Decimal("1.5")] * 2, pd.Categorical([1.5, 1.5]), [1.5, "1.5"]):
        assert read_labels(frame().assign(weight=weights)).frame["weight"].tolist() == [1.5, 1.5]


def test_without_a_schema_a_label_with_blanks_around_it_is_placed(tmp_path):
    path = tmp_path / "labels.csv"
    frame(label="yes ").assign(label=["yes", "yes "]).to_csv(path, index=False)
    message = refusal(path)
    assert (
        "has blanks around it, did you mean 'yes'? (labels.csv, line 3, column 'label')" in message
    )
    assert "Got: 'yes '" in message
