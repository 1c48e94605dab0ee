"""Layouts, sources and schemas that do not fit are refused by name."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from toolkit.errors import LabelError, SchemaError
from toolkit.labels import read_labels

ANSWER = {"constructs": {"answer": {"categories": ["no", "yes"]}}}
HEADER = "item_id,construct,rater_id,label"
LAYOUTS = {
    "unknown layout": (HEADER, {"wide": "item"}, "unknown layout (wide). Got: 'item'"),
    "no construct": ("item_id,a,b,c", {"wide": "rater"}, "names the construct"),
    "long as rater": (HEADER, {"wide": "rater"}, "'rater_id' has no place"),
    "kinds by rater": (
        "item_id,construct,ann,rater_kind",
        {"wide": "rater"},
        "kinds as rater={'ann': 'human'}",
    ),
    "long as construct": (HEADER, {"wide": "construct"}, "'construct' has no place"),
    "no rater": ("item_id,harm,answer,x", {"wide": "construct"}, "missing column 'rater_id'"),
    "construct twice": (HEADER, {"construct": "harm"}, "construct= does not fit this table"),
    "rater twice": (HEADER, {"rater": "ann"}, "rater= does not fit this table"),
    "two constructs": ("item_id,rater_id,label,x", {"construct": ["a", "b"]}, "one name"),
    "unknown rater": (
        "item_id,ann,gpt,x",
        {"wide": "rater", "construct": "harm", "rater": ["an", "gpt"]},
        "rater= does not name columns of labels, did you mean 'ann'?",
    ),
    "no columns": (
        "item_id,rater_id,order,weight",
        {"wide": "construct", "schema": None},
        "construct= does not name columns of labels",
    ),
    "slip in a construct": (
        "item_id,rater_id,harms,answer",
        {"wide": "construct"},
        "no column for construct 'harm', did you mean 'harms'?",
    ),
    "no declared construct": (
        "item_id,rater_id,x,y",
        {"wide": "construct"},
        "no column is a construct of the schema",
    ),
}


@pytest.mark.parametrize(("header", "options", "piece"), LAYOUTS.values(), ids=LAYOUTS)
def test_layouts_that_contradict_the_columns_are_refused(refused, header, options, piece):
    assert piece in refused(f"{header}\na,b,1,1\n", **options)


def test_a_kind_in_the_mapping_of_raters_is_checked(refused):
    options = {"wide": "rater", "construct": "harm", "rater": {"ann": "human", "gpt": "model"}}
    assert "neither human nor judge" in refused("item_id,ann,gpt\na,1,1\n", **options)


def test_what_is_no_source_is_refused():
    with pytest.raises(LabelError, match=r"Got: 'list'.*pd\.DataFrame\(rows\)"):
        read_labels([{"item_id": "a"}])
    levels = pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")]))
    with pytest.raises(LabelError, match="several levels of columns"):
        read_labels(levels)


def test_a_wrong_schema_is_refused_before_the_file_is_read():
    with pytest.raises(SchemaError):
        read_labels("absent.csv", {"constructs": {}})


@pytest.mark.parametrize("label", ["Yes", " yes", True, 1, np.float64("inf"), "None"], ids=repr)
def test_no_label_is_ever_silently_another(label):
    frame = pd.DataFrame({"item_id": ["a"], "ann": ["yes"], "gpt": [label]})
    with pytest.raises(LabelError, match="unknown label"):
        read_labels(frame, ANSWER, wide="rater", construct="answer")
