"""One reply, several constructs: what a same-call judge writes."""

from __future__ import annotations

import json
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolkit as tk
from toolkit.answers.normalize import ladder, normalize
from toolkit.errors import ConventionError

FIVE = tk.Contract({"safety": [1, 2, 3, 4, 5], "empathy": [1, 2, 3, 4, 5]})
FLAGS = tk.Contract({"escalation": [0, 1], "self_harm": [False, True], "tone": ["cold", "warm"]})


def read(raw, contract=FIVE, level="structured"):
    return {
        name: answer.label if answer.answered else answer.outcome
        for name, answer in normalize(raw, contract, level=level).items()
    }


def one(raw, categories, level="structured"):
    return read(raw, tk.Contract({"x": categories}), level)["x"]


def test_every_construct_has_an_answer_in_the_order_of_the_contract():
    answers = normalize('{"empathy": 2, "safety": 4}', FIVE)
    assert list(answers) == ["safety", "empathy"]
    assert [answer.label for answer in answers.values()] == [4, 2]
    assert [answer.gold for answer in answers.values()] == [3, 1]
    assert {answer.level for answer in answers.values()} == {"structured"}
    assert {answer.polarity for answer in answers.values()} == {None}


def test_the_spans_show_each_answer():
    raw = '{"safety": 4, "empathy": "2"}'
    spans = [raw[slice(*answer.span)] for answer in normalize(raw, FIVE).values()]
    assert spans == ["4", "2"]


def test_what_is_not_named_is_no_answer_and_not_a_category():
    assert read('{"safety": 4}') == {"safety": 4, "empathy": "no_answer"}
    assert read('{"safety": 4, "empathy": null}')["empathy"] == "no_answer"
    assert read('{"safety": 4, "empathy": ""}')["empathy"] == "no_answer"
    assert read('{"safety": 4, "empathy": null}', level="lenient")["empathy"] == "no_answer"


@pytest.mark.parametrize("value", [0, 6, 4.5, -4, "-4", "six", "4.5", "4%", 1e300, 10**30, "10"])
def test_what_is_not_on_offer_is_no_category(value):
    raw = json.dumps({"safety": value, "empathy": 1})
    for level in ("structured", "lenient"):
        assert read(raw, level=level) == {"safety": "off_vocabulary", "empathy": 1}


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e400", "1" * 5000])
def test_no_number_that_is_none_is_a_category(value):
    assert read(f'{{"safety": {value}, "empathy": 1}}')["safety"] == "off_vocabulary"


@pytest.mark.parametrize("value", [4, "4", 4.0, " 4 ", "4.0", "**4**", "4.", "4 - well done"])
def test_a_number_is_the_category_of_its_value(value):
    assert read({"safety": value})["safety"] == 4


def test_a_number_is_never_an_index():
    assert one({"x": 1}, [10, 20]) == "off_vocabulary"
    assert one({"x": 0}, ["low", "high"]) == "off_vocabulary"
    assert one({"x": 20}, [10, 20]) == 20
    assert one({"x": 2}, ["1", "2"]) == "2"


@pytest.mark.parametrize("label", [-1, 0, 1])
def test_the_sign_belongs_to_the_number(label):
    for raw in ({"x": label}, {"x": str(label)}, f"<x>{label}</x>"):
        assert one(raw, [-1, 0, 1]) == label
    assert one(f"x: {label}", [-1, 0, 1], "lenient") == label


@pytest.mark.parametrize("label", [0.5, 1, 1.5])
def test_categories_may_be_decimal_numbers(label):
    for raw in ({"x": label}, {"x": str(label)}, {"x": f"{label:.2f}"}):
        assert one(raw, [0.5, 1, 1.5]) == label
    assert one(f"X: {label}", [0.5, 1, 1.5], "lenient") == label
    assert one({"x": 0.75}, [0.5, 1, 1.5]) == "off_vocabulary"


@pytest.mark.parametrize("categories", [[0, 1], [False, True], ["no", "yes"], ["False", "True"]])
def test_a_truth_value_is_read_by_a_pair_that_means_one(categories):
    zero, first = tk.Contract({"x": categories}).conventions["x"].labels
    for true, false in ((True, False), ("yes", "no"), ("True", "FALSE"), ("yes", "No.")):
        assert one({"x": true}, categories) == first
        assert one({"x": false}, categories) == zero


@pytest.mark.parametrize(
    "categories", [[1, 2], ["low", "high"], [0, 1, 2], ["yes", "no", "unsure"]]
)
def test_a_truth_value_says_nothing_elsewhere(categories):
    assert one({"x": True}, categories) == "off_vocabulary"


def test_truth_values_become_the_numbers_0_and_1():
    assert FLAGS.to_dict()["self_harm"] == [0, 1]
    assert [type(label) for label in FLAGS.conventions["self_harm"].labels] == [int, int]


def test_words_are_read_by_their_own_name_alone():
    raw = '{"Escalation": "yes", "self-harm": 0, "Tone": "Warm."}'
    assert read(raw, FLAGS) == {"escalation": 1, "self_harm": 0, "tone": "warm"}
    assert one({"x": "lukewarm"}, ["cold", "warm"]) == "off_vocabulary"
    assert one({"x": "warm or cold"}, ["cold", "warm"]) == "no_answer"


def test_a_neutral_key_answers_no_construct():
    assert read('{"label": 4, "verdict": 4, "score": 4}') == dict.fromkeys(
        ["safety", "empathy"], "no_answer"
    )


@pytest.mark.parametrize(
    "raw",
    [
        '```json\n{"safety": 4, "empathy": 2}\n```',
        'Here you go: {"safety": 4, "empathy": 2} Anything else?',
        '[{"safety": 4, "empathy": 2}]',
        '{"result": {"safety": 4, "empathy": 2}}',
        '{"scores": {"Safety": "4", "EMPATHY": "2"}}',
        '{"safety": {"score": 4, "why": "1"}, "empathy": {"rating": 2, "reason": "5"}}',
        '{"safety": {"value": 4}, "empathy": {"label": "2"}}',
        '{"safety": [4], "empathy": [2]}',
        '{"safety": 4} {"empathy": 2}',
        '{"name": "rate", "arguments": "{\\"safety\\": 4, \\"empathy\\": 2}"}',
        "<safety>4</safety><empathy>2</empathy>",
        '<think>{"safety": 1}</think>{"safety": 4, "empathy": 2}',
        '{"reasoning": {"safety": 1, "empathy": 1}, "safety": 4, "empathy": 2}',
        '{"safety": 4, "empathy": 2, "overall": 5, "note": "safety: 1"}',
        '{"safety": 4, "safety": 4, "empathy": 2}',
        {"safety": 4, "empathy": 2},
    ],
)
def test_wrappers_and_company_do_not_matter(raw):
    for level in ("structured", "lenient"):
        assert read(raw, level=level) == {"safety": 4, "empathy": 2}


@pytest.mark.parametrize(
    "raw",
    [
        '{"safety": 4, "safety": 5, "empathy": 2}',
        '{"safety": 4, "empathy": 2} {"safety": 5}',
        '[{"safety": 4, "empathy": 2}, {"safety": 5, "empathy": 2}]',
        '{"safety": 4, "Safety": 5, "empathy": 2}',
        "<safety>4</safety><safety>5</safety><empathy>2</empathy>",
    ],
)
def test_two_grades_of_one_construct_are_a_conflict_of_that_construct_alone(raw):
    assert read(raw) == {"safety": "conflict", "empathy": 2}


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("Safety: 4", 4),
        ("**Safety**: 4/5", 4),
        ("- safety = 4 out of 5", 4),
        ("safety: 4 (mostly)", 4),
        ("| Safety | 4 | fine |", 4),
        ("Safety: 4/5 - mostly", 4),
        ("safety: **4**", 4),
        ("safety -> 4", 4),
        ("Safety: 4/10", None),
        ("Safety: 4%", None),
        ("Safety: 4.5", None),
        ("Safety: 40", None),
        ("Safety: -4", None),
        ("Safety: 4e2", None),
        ("Safety: 4 or 5", None),
        ("Safety: 4 to 5", None),
        ("Safety: 4-5", None),
        ("Safety: high", None),
        ("Safety first: 4 people", None),
        ("Unsafety: 4", None),
        ("Safety: 4\nSafety: 5", None),
    ],
)
def test_lines_are_read_at_lenient_and_a_number_ends_where_it_ends(line, label):
    assert read(line)["safety"] == "no_answer"
    got = read(f"{line}\nEmpathy: 2", level="lenient")
    assert got["empathy"] == 2
    assert got["safety"] == label if label else not isinstance(got["safety"], int)


@pytest.mark.parametrize("value", ["4 or 5", "4-5", "4,5", "4 to 5", "4/10", ">4", "4+", "~4"])
def test_a_value_of_two_grades_or_a_bound_is_no_grade(value):
    for level in ("structured", "lenient"):
        got = read({"safety": value, "empathy": 2}, level=level)
        assert not isinstance(got["safety"], int)
        assert got["empathy"] == 2


@pytest.mark.parametrize(
    "raw",
    [
        "{'safety': 4, 'empathy': 2}",
        '{"safety": 4, "empathy": 2,}',
        "{safety: 4, empathy: 2}",
        '{"safety": 4 "empathy": 2}',
        '{"why": "he said "no"", "safety": 4, "empathy": 2}',
    ],
)
def test_a_damaged_reply_is_malformed_and_at_lenient_repaired_and_flagged(raw):
    assert read(raw) == dict.fromkeys(["safety", "empathy"], "malformed")
    answers = normalize(raw, FIVE, level="lenient")
    assert [answer.label for answer in answers.values()] == [4, 2]
    assert all("repaired" in answer.flags for answer in answers.values())


@pytest.mark.parametrize(
    "raw", ['{"safety": 4, "empathy": 2', '{"safety": 4, "empathy"', '{"safety": 4, "em']
)
def test_a_truncated_reply_keeps_what_is_whole_at_lenient_only(raw):
    assert read(raw) == dict.fromkeys(["safety", "empathy"], "truncated")
    answers = normalize(raw, FIVE, level="lenient")
    assert answers["safety"].label == 4
    assert answers["safety"].flags
    assert answers["empathy"].outcome == "truncated"


@pytest.mark.parametrize(
    ("raw", "outcome"),
    [
        ("", "no_answer"),
        (None, "no_answer"),
        ("I can't rate this conversation.", "refusal"),
        ("It is hard to say.", "hedge"),
        ("<think>safety: 4, empathy: 2", "truncated"),
        (object(), "malformed"),
    ],
)
def test_a_reply_without_grades_has_one_outcome_for_all(raw, outcome):
    for level in ("structured", "lenient"):
        assert read(raw, level=level) == dict.fromkeys(["safety", "empathy"], outcome)


def test_a_missing_reply_with_an_error_is_a_transport_error():
    answers = normalize(None, FIVE, error="timeout")
    assert {answer.outcome for answer in answers.values()} == {"transport_error"}


def test_exact_and_strict_read_no_structure():
    for level in ("exact", "strict"):
        assert read('{"safety": 4, "empathy": 2}', level=level) == dict.fromkeys(
            ["safety", "empathy"], "no_answer"
        )


def test_the_ladder_reads_what_the_levels_read():
    for raw in ('{"safety": 4}', "safety: 4", "{'safety': 4}", "", None):
        for level, answers in ladder(raw, FIVE).items():
            assert answers == normalize(raw, FIVE, level=level)


names = st.text("abcdefgh_ ", min_size=1, max_size=8).filter(str.strip)
numbers = st.lists(st.integers(-20, 20), min_size=2, max_size=6, unique=True)
words = st.lists(st.text("abcdefghij", min_size=1, max_size=6), min_size=2, max_size=5, unique=True)


@st.composite
def contracts(draw):
    constructs = draw(st.dictionaries(names, st.one_of(numbers, words), min_size=1, max_size=4))
    keys = ["".join(name.split()).replace("_", "") for name in constructs]
    if len(set(keys)) < len(keys) or not all(keys):
        return None
    return tk.Contract(constructs)


@given(contracts().filter(bool), st.randoms(use_true_random=False))
def test_a_reply_written_as_the_instructions_say_is_read_back(contract, random):
    shape = contract.instructions.partition("\n")[2]
    offered = [
        [json.loads(value) for value in re.split(", | or ", choices)]
        for choices in re.findall("<(.*)>", shape)
    ]
    labels = contract.to_dict()
    assert list(labels.values()) == offered
    for place in (0, -1):  # any value in each place makes it JSON that is read
        values = iter(json.dumps(categories[place]) for categories in labels.values())
        filled = re.sub("<.*>", lambda _, values=values: next(values), shape)
        wanted = {name: categories[place] for name, categories in labels.items()}
        assert json.loads(filled) == wanted
        assert read(filled, contract) == wanted
    chosen = {name: random.choice(labels[name]) for name in labels}
    for level in ("structured", "lenient"):
        assert read(json.dumps(chosen), contract, level) == chosen
        assert read(json.dumps({n: str(c) for n, c in chosen.items()}), contract, level) == chosen


@given(st.text(max_size=80))
def test_no_reply_raises_and_none_answers_off_the_contract(raw):
    for answers in ladder(raw, FLAGS).values():
        for name, answer in answers.items():
            labels = FLAGS.conventions[name].labels
            assert answer.label is None or answer.label == labels[answer.gold]


@pytest.mark.parametrize(
    ("constructs", "message"),
    [
        ({}, "names constructs"),
        ([], "names constructs"),
        (None, "names constructs"),
        ("safety", "names constructs"),
        ({"": [0, 1]}, "has no name"),
        ({" _ ": [0, 1]}, "has no name"),
        ({3: [0, 1]}, "has no name"),
        ({"self_harm": [0, 1], "Self Harm": [0, 1]}, "two constructs are one key"),
        ({"x": [0]}, "two categories or more"),
        ({"x": []}, "two categories or more"),
        ({"x": [1, "1"]}, "two categories are one word"),
        ({"x": [True, 1]}, "two categories are one word"),
        ({"x": ["a", "A"]}, "two categories are one word"),
        ({"x": "01"}, "a list of categories"),
        ({"x": 5}, "a list of categories"),
        ({"x": None}, "a list of categories"),
        ({"x": {"kind": "nominal"}}, "a list of categories"),
        ({"x": [0, None]}, "not valid"),
        ({"x": [[0], [1]]}, "not valid"),
        ({"x": [0, ""]}, "a category is empty"),
    ],
)
def test_a_contract_that_can_not_be_read_is_refused(constructs, message):
    with pytest.raises(ConventionError, match=message):
        tk.Contract(constructs)


def test_a_contract_takes_the_categories_of_a_label_schema():
    schema = {
        "escalation": {"kind": "nominal", "categories": [0, 1], "present": [1]},
        "tone": {"kind": "ordinal", "categories": {1: "cold", 2: "warm"}},
        "safety": range(1, 6),
    }
    assert tk.Contract(schema).to_dict() == {
        "escalation": [0, 1],
        "tone": [1, 2],
        "safety": [1, 2, 3, 4, 5],
    }


def test_a_contract_is_frozen_and_survives_pickling_and_its_own_dict():
    with pytest.raises(AttributeError):
        FIVE.conventions = {}
    for copy in (pickle.loads(pickle.dumps(FLAGS)), tk.Contract(FLAGS.to_dict())):  # noqa: S301
        assert copy.to_dict() == FLAGS.to_dict()
        assert copy.constructs == ("escalation", "self_harm", "tone")
        assert read({"tone": "warm"}, copy)["tone"] == "warm"
