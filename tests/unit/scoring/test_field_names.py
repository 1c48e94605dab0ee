"""One table of field names: the first name that holds something counts, wherever a row is read."""

from __future__ import annotations

import pytest

from toolkit.answers.tables.cells import whole
from toolkit.scoring import evaluate, read_runs
from toolkit.scoring.field_names import NAMES

ROW = {"category": "justice", "expected_label": 1, "agent_response": "REASONABLE"}


@pytest.mark.parametrize("name", NAMES["id"])
def test_an_item_is_found_by_each_of_its_names(name):
    item = {name: "j1", "benchmark": "he300", "subset": "", **ROW, "gold": None}
    assert (evaluate(item, "REASONABLE").id, evaluate(item, "REASONABLE").correct) == ("j1", True)


@pytest.mark.parametrize("name", NAMES["raw"])
@pytest.mark.parametrize("text", NAMES["text"])
def test_the_first_name_that_holds_something_counts(name, text):
    blank = dict.fromkeys((*NAMES["raw"], *NAMES["text"]), " ")
    row = {**ROW, **blank, "scenario_id": "j1", name: "MATCHES", text: "I deserve it."}
    found = read_runs([row]).frame.loc[0]
    assert (found["raw"], found["raw_field"], found["text"]) == ("MATCHES", name, "I deserve it.")


@pytest.mark.parametrize("cell", ["1_0", "x", 0.5, True, None, float("nan"), float("inf"), [1]])
def test_what_is_no_whole_number_is_none(cell):
    assert whole(cell) is None
