"""A contract is made of what a user has, a label schema too, and refuses in its own words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import ConventionError


def test_a_contract_with_one_category_is_shown_a_contract():
    with pytest.raises(ConventionError) as raised:
        tk.Contract({"a": [1]})
    assert str(raised.value) == (
        "a construct has two categories or more (construct 'a'). Got: [1]. Allowed: 2 to 1000"
        ' categories. Example: Contract({"a": [0, 1]}).'
    )
    for categories in ([0, None], [1, "1"], ["", "b"]):
        with pytest.raises(ConventionError, match=r"construct 'a'.*Example: Contract\(") as raised:
            tk.Contract({"a": categories})
        assert "label" not in str(raised.value)


def test_the_instructions_are_json_with_places_to_fill():
    contract = tk.Contract(
        {"escalation": [0, 1], "self_harm": [False, True], "tone": ["cold", "warm"]}
    )
    assert contract.instructions.split("\n")[1:] == [
        "{",
        '  "escalation": <0 or 1>,',
        '  "self_harm": <0 or 1>,',
        '  "tone": <"cold" or "warm">',
        "}",
    ]


SCHEMA = {
    "constructs": {
        "tone": {"kind": "ordinal", "categories": {1: "cold", 2: "warm"}},
        "harm": {"categories": [False, True], "present": [True]},
    }
}


def test_the_schema_of_a_label_table_is_a_contract():
    frame = pd.DataFrame(
        {"item_id": ["a"], "construct": ["tone"], "rater_id": ["ann"], "label": [1]}
    )
    labels = tk.read_labels(frame, schema=SCHEMA, overlap=False)
    expected = {"tone": [1, 2], "harm": [0, 1]}
    for schema in (SCHEMA, labels.schema, labels.schema.to_dict(), SCHEMA["constructs"]):
        assert tk.Contract(schema).to_dict() == expected
    assert tk.Contract(labels.schema.constructs).to_dict() == expected


@pytest.mark.parametrize(
    "given", [{"constructs": [0, 1]}, {"constructs": {"categories": [0, 1], "kind": "nominal"}}]
)
def test_a_construct_may_be_called_constructs(given):
    assert tk.Contract(given).to_dict() == {"constructs": [0, 1]}


def test_categories_of_numpy_are_the_plain_numbers():
    given = {
        "a": list(np.array([1, 2])),
        "b": list(np.array([False, True])),
        "c": [np.str_("x"), "y"],
    }
    made = tk.Contract(given).to_dict()
    assert made == {"a": [1, 2], "b": [0, 1], "c": ["x", "y"]}
    assert {type(one) for values in made.values() for one in values} == {int, str}
    with pytest.raises(ConventionError) as raised:
        tk.Contract({"a": [np.int64(1), np.int64(1)]})
    assert "Got: 1. Allowed: categories that differ" in str(raised.value)
