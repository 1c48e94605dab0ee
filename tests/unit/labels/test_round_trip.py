"""Any table of valid labels comes back the same from every layout and file format."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.labels import Schema, read_labels
from toolkit.labels.values import MISSING_WORDS, TRUTH_WORDS, key

KEYS = ["item_id", "construct", "rater_id"]

# Names that are no number in two spellings ("1", "1.0") and no column of the table.
NAME = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6
)
NAMES = NAME.filter(lambda s: s.strip() and not s.endswith(".0")).map("n{}".format)
WORDS = NAME.filter(
    lambda s: s == s.strip() and s not in {*MISSING_WORDS, *TRUTH_WORDS} and isinstance(key(s), str)
)
NUMBERS = st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6, allow_nan=False)
CATEGORIES = (
    st.just([0, 1])
    | st.just([False, True])
    | st.lists(st.integers(-99, 99), min_size=1, max_size=7, unique=True)
    | st.lists(NUMBERS, min_size=1, max_size=7, unique_by=key)
    | st.lists(WORDS, min_size=1, max_size=7, unique=True)
)


@st.composite
def tables(draw):
    """Draw a schema, and labels of which at least one cell has two raters."""
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    schema = Schema.read({"constructs": {name: {"categories": draw(CATEGORIES)} for name in names}})
    items = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    raters = draw(st.lists(NAMES, min_size=2, max_size=4, unique=True))
    cells = [(i, c, r) for i in items for c in names for r in raters]
    kept = draw(st.sets(st.sampled_from(cells[2:]))) if cells[2:] else set()
    rows = [
        (*cell, draw(st.sampled_from(schema[cell[1]].categories)))
        for cell in cells
        if cell in kept or cell in cells[:2]
    ]
    frame = pd.DataFrame(rows, columns=[*KEYS, "label"])
    weights = draw(st.fixed_dictionaries({item: st.floats(0.01, 100) for item in items}))
    frame["weight"] = frame["item_id"].map(weights)
    frame["stratum"] = draw(st.lists(st.none() | NAMES, min_size=len(rows), max_size=len(rows)))
    return schema, frame.sample(frac=1, random_state=draw(st.integers(0, 9)))


def read(source, schema, **options):
    frame = read_labels(source, schema, **options).frame
    return frame.sort_values(KEYS, ignore_index=True)


@given(tables())
@settings(max_examples=25, deadline=None)
def test_files_give_back_the_table(drawn):
    schema, frame = drawn
    expected = read_labels(frame, schema).frame
    # Parquet holds one type a column; the schema makes of the text what it was.
    text = expected.assign(label=expected["label"].astype(str))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("labels.csv", "labels.csv.gz", "labels.tsv"):
            separator = "\t" if name.endswith(".tsv") else ","
            expected.to_csv(Path(folder) / name, index=False, sep=separator)
        text.to_parquet(Path(folder) / "labels.parquet")
        text.to_json(
            Path(folder) / "labels.jsonl", orient="records", lines=True, double_precision=15
        )
        for path in sorted(Path(folder).iterdir()):
            pd.testing.assert_frame_equal(read_labels(path, schema).frame, expected)


@given(tables())
@settings(max_examples=25, deadline=None)
def test_wide_layouts_give_back_the_table(drawn):
    schema, frame = drawn
    expected = read(frame, schema).drop(columns=["weight", "stratum"])
    for layout, inner in (("rater", "rater_id"), ("construct", "construct")):
        outer = [name for name in KEYS if name != inner]
        wide = frame.pivot_table(
            "label", outer, inner, aggfunc="first", sort=False, observed=True
        ).reset_index()
        pd.testing.assert_frame_equal(read(wide, schema, wide=layout), expected)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "wide.csv"
            wide.to_csv(path, index=False)
            pd.testing.assert_frame_equal(read(path, schema, wide=layout), expected)


@given(tables())
@settings(max_examples=25, deadline=None)
def test_every_cell_is_read_or_counted(drawn):
    schema, frame = drawn
    wide = frame.pivot_table("label", KEYS[:2], KEYS[2], aggfunc="first").reset_index()
    labels = read_labels(wide, schema, wide="rater")
    cells = len(wide) * frame["rater_id"].nunique()
    assert len(labels.frame) + labels.left_out["count"].sum() == cells
    assert len(labels.codes) == len(labels.frame) == len(frame)
