"""What the numbers of the stability rest on is said, and too little gives none."""

from __future__ import annotations

import math

import pytest

from toolkit.errors import GateError
from toolkit.gate.stability import gate_stability


def repeated(rows, models, prompts):
    """One model a name; the first `prompts` of the first model are judged twice."""
    given = [{"repeat": 1, **row} for name in models for row in rows(name)]
    again = [
        {**row, "repeat": 2}
        for row in given
        if row["model"] in models[: -(-prompts // 4)] and "prompt_id" in row
    ]
    return [*given, *again[:prompts]]


@pytest.mark.parametrize(("cells", "asked"), [(1, False), (9, False), (10, True), (29, True)])
def test_another_run_needs_repeats_and_says_how_many_there_are(pack, rows, cells, asked):
    found = gate_stability(repeated(rows, [f"m{i}" for i in range(8)], cells), pack, draws=200)
    assert found.n["another_run"] == cells
    assert math.isnan(found["m0"].another_run.flips) != asked
    where = found.flags if asked else found.reasons
    assert (f"few_repeats:{cells}" if asked else f"another_run:few_repeats:{cells}") in where


def test_thirty_repeated_replies_are_not_few(pack, rows):
    found = gate_stability(repeated(rows, [f"m{i}" for i in range(8)], 32), pack, draws=200)
    assert not [flag for flag in found.flags if flag.startswith("few_repeats")]


def test_every_result_carries_method_and_n(pack, rows):
    found = gate_stability(rows("m"), pack, confusion=[[8, 2], [1, 89]], draws=200)
    told = found.to_dict()
    assert told["n"] == {"another_run": 0, "perfect_judge": 100}
    assert set(told["method"]) == {"another_run", "perfect_judge"}
    assert found.reliability[0].to_dict()["method"] == told["reliability"][0]["method"]
    assert found.reliability[1].to_dict()["kappa"] is None
    assert found.reliability[1].reasons[0] == "people_pooled"


def test_an_unknown_model_is_refused_with_those_there_are(pack, rows):
    found = gate_stability(rows("calm"), pack, draws=200)
    with pytest.raises(GateError, match="did you mean 'calm'") as caught:
        found["clam"]
    assert caught.value.allowed == ["calm"]
    assert caught.value.example == "stability['calm']"
