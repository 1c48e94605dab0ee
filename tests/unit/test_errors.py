"""Errors say what, where, got, allowed, example; results become strict JSON."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from toolkit.errors import LabelError, ToolkitError
from toolkit.plain import plain


def test_message_names_every_part_that_was_given():
    error = LabelError(
        "unknown label", got="Yes", allowed=["yes", "no"], example="yes", where="a.csv, line 3"
    )
    expected = "unknown label (a.csv, line 3). Got: 'Yes'. Allowed: 'yes', 'no'. Example: yes."
    assert str(error) == expected
    assert str(ToolkitError("no labels")) == "no labels."


def test_long_values_and_long_lists_are_shortened():
    error = ToolkitError("too long", got="x" * 1000, allowed=range(100))
    assert len(str(error)) < 500
    assert "and 80 more" in str(error)


def test_errors_survive_pickling():
    error = LabelError("unknown label", got="Yes", where="a.csv")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  our own bytes
    assert (type(again), str(again), again.where) == (LabelError, str(error), "a.csv")


def test_plain_values_are_strict_json():
    made = plain({1: np.float64("nan"), "a": (np.int8(1), np.array([True, False])), "b": np.inf})
    assert made == {"1": None, "a": [1, [True, False]], "b": None}
    assert type(made["a"][0]) is int
    with pytest.raises(TypeError, match="no plain form for set"):
        plain({1, 2})
