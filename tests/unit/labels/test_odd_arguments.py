"""Paths that can't be read, arguments of another type, and columns that nobody named."""

from __future__ import annotations

import os

import pandas as pd
import pytest

from toolkit.errors import LabelError, SchemaError
from toolkit.labels import read_labels

WIDE = pd.DataFrame({"item_id": ["a", "b"], "turn": [0, 1], "ann": [1, 0], "gpt": [1, 1]})


@pytest.mark.parametrize("name", ["a\0", "a" * 5000], ids=["null", "long"])
def test_a_path_that_no_system_has_is_refused(name):
    with pytest.raises(LabelError, match="the file can't be read: "):
        read_labels(f"{name}.csv")
    with pytest.raises(SchemaError, match="the schema file can't be read"):
        read_labels(WIDE, f"{name}.yaml")


@pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 0)() == 0, reason="needs a user to whom a folder can be closed"
)
def test_a_missing_file_in_a_folder_that_may_not_be_listed_is_refused(tmp_path):
    tmp_path.chmod(0o111)
    try:
        with pytest.raises(LabelError, match="No such file"):
            read_labels(tmp_path / "labels.csv")
    finally:
        tmp_path.chmod(0o700)


def test_a_missing_file_where_there_is_no_folder_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(LabelError, match="Not a directory"):
        read_labels(tmp_path / "file" / "labels.csv")


@pytest.mark.parametrize("given", [5, True, 2.5, object()], ids=["int", "bool", "float", "object"])
def test_an_argument_that_is_no_name_of_a_column_is_refused(given):
    with pytest.raises(LabelError, match=r"rater= does not name .*'ann', 'gpt'. Example: rater="):
        read_labels(WIDE, wide="rater", construct="tone", rater=given)
    frame = WIDE.assign(rater_id="ann")
    with pytest.raises(LabelError, match=r"construct= does not name .* Example: construct="):
        read_labels(frame, wide="construct", construct=given)


@pytest.mark.parametrize(
    "given", [{"tone"}, ["tone"], (n for n in ["tone"])], ids=["set", "list", "iterator"]
)
def test_several_names_for_one_column_are_refused(given):
    with pytest.raises(
        LabelError, match=r"construct= does not fit.*one name.*construct='escalation'"
    ):
        read_labels(WIDE, wide="rater", construct=given)


def test_columns_that_nobody_named_are_flagged_by_name():
    labels = read_labels(WIDE, wide="rater", construct="tone")
    assert labels.flags == ("columns_taken:turn, ann, gpt", "schema_inferred")
    frame = pd.DataFrame({"item_id": ["a"] * 2, "rater_id": ["ann", "gpt"], "n_tokens": [7, 7]})
    labels = read_labels(frame.assign(tone=[0, 1]), wide="construct")
    assert labels.flags[0] == "columns_taken:n_tokens, tone"
    schema = {"default": {"categories": [0, 1, 7]}}
    assert read_labels(frame, schema, wide="construct").flags == ("columns_taken:n_tokens",)


def test_columns_that_the_caller_or_the_schema_named_are_not_flagged():
    options = {"wide": "rater", "construct": "tone"}
    for raters in (["ann", "gpt"], {"ann": "human", "gpt": "judge"}):
        assert read_labels(WIDE, rater=raters, **options).flags == ("schema_inferred",)
    frame = pd.DataFrame({"item_id": ["a"] * 2, "rater_id": ["ann", "gpt"], "tone": [0, 1]})
    assert read_labels(frame, wide="construct", construct="tone").flags == ("schema_inferred",)
    schema = {"constructs": {"tone": {"categories": [0, 1]}}}
    assert read_labels(frame.assign(note=1), schema, wide="construct").flags == ()
