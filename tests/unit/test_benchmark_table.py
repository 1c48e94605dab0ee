"""The benchmark table says of every target whether it was met; nothing is timed here."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def table():
    sys.path.insert(0, str(BENCHMARKS))
    yield importlib.import_module("table")
    sys.path.remove(str(BENCHMARKS))
    del sys.modules["table"]


def test_a_time_below_its_limit_is_ok_and_above_it_is_missed(table):
    assert table.at_most("import", 0.5, 0.6).cells()[-1] == "ok"
    assert table.at_most("import", 0.7, 0.6).cells()[-1] == "MISSED"


def test_a_ratio_must_reach_its_least_and_not_exceed_its_most(table):
    assert table.ratio("loop : ours", 10_000, least=10_000).met
    assert not table.ratio("loop : ours", 9_999, least=10_000).met
    assert table.ratio("ours : numpy", 3, most=3).met
    assert not table.ratio("ours : numpy", 3.01, most=3).met


def test_an_extrapolated_time_is_marked(table):
    line = table.Line("loop", "1,000", 20.5, extrapolated=True)
    assert line.cells()[2] == "20.5 s (e)"


def test_a_line_that_could_not_be_measured_stays_without_a_ratio(table):
    line = table.Line("rival (not installed)", "1,000")
    assert table.times(line, 0.1) is line


def test_ratios_are_to_our_time(table):
    line = table.times(table.Line("loop", "1,000", 20.0, extrapolated=True), 0.01)
    assert line.cells()[2:4] == ["20 s (e)", "2,000 times ours"]


def test_the_table_is_markdown(table):
    text = table.markdown([table.Line("loop", "1,000", 20.0)])
    head, rule, row = text.splitlines()
    assert head.startswith("| line")
    assert set(rule) == {"|", "-", " "}
    assert row.startswith("| loop")
    assert len(head) == len(rule) == len(row)
