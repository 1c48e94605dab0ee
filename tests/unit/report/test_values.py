from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.errors import ParameterError
from toolkit.report.parameters import parse_cell
from toolkit.report.values import check_values, looks_secret, values_from_text

CELL = """
labels: str | None = None
reference: str | list[str] | None = None
level: float = 0.95
draws: int = 20_000
plot: bool = False
cuts: list[int] = [1, 2]
seed: int | None = None
"""
PARAMETERS = parse_cell(CELL)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("draws", np.int64(3), 3),
        ("plot", np.bool_(True), True),
        ("level", np.float32(0.5), 0.5),
        ("level", 1, 1.0),
        ("labels", Path("a") / "b.csv", "a/b.csv"),
        ("labels", np.str_("a"), "a"),
        ("labels", None, None),
        ("reference", ("ann", "ben"), ["ann", "ben"]),
        ("cuts", [np.int64(1), 2], [1, 2]),
        ("seed", np.int8(0), 0),
    ],
)
def test_values_become_plain_python_of_the_declared_type(name, value, expected):
    # papermill 2.7 turns NumPy scalars, tuples and paths into strings without a word.
    checked = check_values(PARAMETERS, {name: value})[name]
    assert checked == expected
    assert type(checked) is type(expected)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("level", float("nan")),
        ("level", np.float64("inf")),
        ("level", "0.9"),
        ("level", True),
        ("level", pd.NA),
        ("level", np.array([0.5])),
        ("draws", 2.0),
        ("draws", True),
        ("draws", "3"),
        ("draws", None),
        ("draws", pd.NA),
        ("plot", 1),
        ("plot", "yes"),
        ("labels", 7),
        ("labels", float("nan")),
        ("labels", b"a.csv"),
        ("labels", pd.DataFrame()),
        ("labels", dt.date(2026, 1, 1)),
        ("labels", "\udcff"),
        ("reference", {"ann", "ben"}),
        ("reference", ["ann", 7]),
        ("reference", ["ann", "\udcff"]),
        ("reference", np.array(["ann"])),
        ("seed", "null"),
    ],
)
def test_another_type_nan_and_infinity_are_refused_with_an_example(name, value):
    with pytest.raises(ParameterError, match=rf"(?s)\({name}\).*Allowed: .*Example: {name}="):
        check_values(PARAMETERS, {name: value})


def test_an_unknown_name_is_refused_and_the_nearest_named():
    with pytest.raises(ParameterError, match=r"did you mean 'labels'\?"):
        check_values(PARAMETERS, {"lables": "a.csv"})
    with pytest.raises(ParameterError, match="Allowed: 'labels', 'reference'"):
        values_from_text(PARAMETERS, ["zzz=1"])


@pytest.mark.parametrize("name", ["api_key", "token", "hf_tokens", "DB_PASSWORD", "client-secret"])
def test_a_secret_is_refused_and_never_repeated(name):
    with pytest.raises(ParameterError, match="environment") as refused:
        values_from_text(PARAMETERS, [f"{name}=hunter2"])
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("name", ["monkey", "keyword", "keep", "tokenizer", "low"])
def test_a_word_that_only_contains_such_a_word_is_no_secret(name):
    assert not looks_secret(name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("labels=007", "007"),
        ("labels=no", "no"),
        ("labels=1e3", "1e3"),
        ("labels=a=b.csv", "a=b.csv"),
        ("labels=[a.csv", "[a.csv"),
        ("labels=null", None),
        ("reference=ann", "ann"),
        ("reference=[ann, 007, no, null]", ["ann", "007", "no", "null"]),
        ("level=1e-3", 0.001),
        ("draws=010", 10),  # YAML 1.1 would read octal 8
        ("plot=true", True),
        ("plot=no", False),
        ("cuts=[3, 4]", [3, 4]),
        ("seed=null", None),
        ("seed=3", 3),
    ],
)
def test_the_declared_type_decides_how_text_is_read(text, expected):
    (value,) = values_from_text(PARAMETERS, [text]).values()
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    "text",
    [
        "labels",
        "labels=",
        "=3",
        "level=nan",
        "level=-inf",
        "level=abc",
        "level=null",
        "draws=2.5",
        "draws=1:30",  # YAML 1.1 would read 90
        "plot=maybe",
        "reference=[ann",
        "reference=[[ann]]",
        "reference=[{a: b}]",
        "cuts=[1, x]",
        "cuts=1",
        "seed=None",
        "labels=\udcff",
    ],
)
def test_text_that_does_not_fit_is_refused(text):
    with pytest.raises(ParameterError):
        values_from_text(PARAMETERS, [text])


def test_a_name_given_twice_is_refused():
    with pytest.raises(ParameterError, match="given twice"):
        values_from_text(PARAMETERS, ["draws=1", "draws=2"])


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1))
def test_text_for_a_text_parameter_stays_as_it_is(text):
    assert values_from_text(PARAMETERS, [f"labels={text}"])["labels"] == (
        None if text == "null" else text
    )


def test_a_number_where_a_list_belongs_is_shown_in_brackets():
    parameters = parse_cell("quantiles: list[float] | None = None")
    with pytest.raises(ParameterError, match=r"Example: quantiles=\[0\.9\]"):
        values_from_text(parameters, ["quantiles=0.9"])
    with pytest.raises(ParameterError, match="Example: quantiles=None"):
        values_from_text(parameters, ["quantiles=abc"])
