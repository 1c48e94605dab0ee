from __future__ import annotations

import pytest

from toolkit.errors import ParameterError
from toolkit.report.parameters import parse_cell, read_parameters


def test_name_type_default_and_help_are_read(write_notebook):
    by_name = {p.name: p for p in read_parameters(write_notebook())}
    assert list(by_name)[:3] == ["labels", "low", "reference"]
    assert by_name["low"].annotation == "str | None"
    assert by_name["low"].default == "escalation"
    assert by_name["low"].help == "construct that came out low"
    assert by_name["draws"].default == 20_000
    assert by_name["draws"].help == ""
    assert by_name["reference"].kind == str | list[str] | None


@pytest.mark.parametrize(
    "line",
    [
        "seed = 0",
        "seed: int",
        "import os",
        "seed: int = 0 if True else 1",
        "seed: int = len('a')",
        "seed: int = open('x')",
        "seed: int = 'zero'",
        "seed: __import__('os').system('true') = 0",
        "seed: dict = {}",
        "weights: Literal['a'] = 'a'",
        "weights: None | None = None",
        "seed: int = (",
        "a.b: int = 1",
        "level: float = 1e999",
    ],
)
def test_anything_but_name_type_literal_is_refused_with_an_example(line):
    with pytest.raises(ParameterError, match="Example: low"):
        parse_cell(line)


def test_an_annotation_is_never_run(tmp_path):
    trace = tmp_path / "ran"
    with pytest.raises(ParameterError):
        parse_cell(f"seed: open({str(trace)!r}, 'w') = 0")
    assert not trace.exists()


def test_a_notebook_without_the_tag_is_refused(write_notebook):
    with pytest.raises(ParameterError, match="this one has 0"):
        read_parameters(write_notebook(tag="other"))


@pytest.mark.parametrize("content", [None, "", "no json", "[]", '{"cells": 1}'])
def test_what_is_no_notebook_is_refused_by_its_path(tmp_path, content):
    path = tmp_path / "broken.ipynb"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ParameterError, match=r"broken\.ipynb"):
        read_parameters(path)
