"""A schema says what it means, and a wrong one is refused with its field, value and an example."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from pydantic import ValidationError

from toolkit.errors import SchemaError
from toolkit.labels import Construct, Schema

DESIGN = """
constructs:
  escalation:
    {kind: nominal, categories: [0, 1], present: [1], missing: ["", NA], abstain: [unsure]}
"""


@pytest.fixture
def written(tmp_path):
    def write(text, name="schema.yaml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_the_schema_of_the_conventions_is_read(written):
    construct = Schema.read(written(DESIGN))["escalation"]
    assert (construct.kind, construct.categories, construct.present) == ("nominal", (0, 1), (1,))
    assert (construct.missing, construct.abstain, construct.k) == (("", "NA"), ("unsure",), 2)


def test_yes_no_on_off_stay_words_in_yaml(written):
    text = "constructs: {a: {categories: [no, yes, on, off, n, y], present: yes}}"
    construct = Schema.read(written(text))["a"]
    assert construct.categories == ("no", "yes", "on", "off", "n", "y")
    assert construct.present == ("yes",)


def test_yaml_resolves_only_what_version_1_2_resolves(written):
    text = "constructs: {a: {categories: [true, 010, 1:30, 2024-01-01, 1_000, 1e3, -.5]}}"
    categories = Schema.read(written(text))["a"].categories
    # "true" is a truth value; the leading zero is decimal; the rest that 1.1 resolved stays text.
    assert categories == (True, 10, "1:30", "2024-01-01", "1_000", 1000.0, -0.5)


def test_a_mapping_of_categories_gives_display_labels(written):
    construct = Schema.read(written("constructs: {a: {categories: {0: no, 1: yes}}}"))["a"]
    assert (construct.categories, construct.labels) == ((0, 1), ("no", "yes"))


def test_present_takes_the_form_of_the_categories_and_may_be_several():
    construct = Construct(kind="ordinal", categories=[1, 2, 3], present=["3", 2.0])
    assert construct.present == (2, 3)
    assert Construct(categories=[0, 1]).present == ()


def test_numpy_values_are_taken_as_pythons():
    categories = Construct(categories=np.array([0, 1])).categories
    assert categories == (0, 1)
    assert {type(category) for category in categories} == {int}


def test_a_default_serves_constructs_that_are_not_named():
    schema = Schema.read({"default": {"categories": [0, 1]}})
    assert schema["anything"].categories == (0, 1)
    assert "anything" in schema


def test_a_schema_survives_json_and_pickle():
    schema = Schema.read(
        {
            "constructs": {"a": {"kind": "ordinal", "categories": {-1.0: "bad", 0.5: "good"}}},
            "default": {"categories": [False, True], "present": True, "abstain": "unsure"},
        }
    )
    assert Schema.read(json.loads(json.dumps(schema.to_dict(), allow_nan=False))) == schema
    assert pickle.loads(pickle.dumps(schema)) == schema  # noqa: S301 - our own bytes


def test_a_default_missing_word_gives_way_to_a_category():
    construct = Construct(categories=["NA", "EU"])
    assert construct.coder.code("NA") == 0


def test_none_means_inferred_and_a_schema_stays_itself():
    schema = Schema.read({"default": {"categories": [0, 1]}})
    assert Schema.read(None) is None
    assert Schema.read(schema) is schema


def test_a_schema_is_frozen():
    construct = Construct(categories=[0, 1])
    with pytest.raises(ValidationError, match="frozen"):
        construct.kind = "ordinal"


def construct(**options):
    return {"constructs": {"tone": {"categories": [0, 1], **options}}}


REFUSED = {
    "kind": (construct(kind="ordnal"), ["'kind'", "'ordnal'", "did you mean 'ordinal'", "nominal"]),
    "extra key": (construct(presnt=[1]), ["'presnt'", "did you mean 'present'", "tone.presnt"]),
    "top key": ({"construct": {}}, ["'construct'", "did you mean 'constructs'"]),
    "no categories": ({"constructs": {"tone": {}}}, ["'categories' is missing", "constructs.tone"]),
    "empty": (construct(categories=[]), ["0 categories", "1 to 1000", "categories: [0, 1]"]),
    "too many": (construct(categories=list(range(1001))), ["1001 categories"]),
    "same number": (construct(categories=[1, "1.0"]), ["two categories mean the same", "'1.0'"]),
    "same truth": (construct(categories=["True", 1]), ["two categories mean the same", "'True'"]),
    "blank": (construct(categories=["a", " "]), ["blank", "constructs.tone.categories"]),
    "padded": (construct(categories=["a", "b "]), ["blanks around it", "'b '"]),
    "null category": (construct(categories=[0, None]), ["not a value that a label can have"]),
    "nan category": (construct(categories=[0, float("nan")]), ["not a value"]),
    "list category": (construct(categories=[0, [1]]), ["not a value", "[1]"]),
    "text": (construct(categories="0, 1"), ["is a list", "'0, 1'"]),
    "present": (construct(present=[2]), ["`present` names no category", "2", "Allowed: 0, 1"]),
    "present word": (
        {"constructs": {"tone": {"categories": ["no", "yes"], "present": "Yes"}}},
        ["did you mean 'yes'", "constructs.tone.present"],
    ),
    "missing": (construct(missing=["1"]), ["`missing`", "another meaning", "'1'"]),
    "abstain": (construct(abstain=[1.0]), ["`abstain`", "another meaning"]),
    "twice": (construct(missing=["x"], abstain=["x"]), ["`abstain`", "'x'"]),
    "labels": (construct(labels=["a"]), ["display labels do not fit", "2 distinct labels"]),
    "equal labels": (construct(labels=["a", "a"]), ["display labels do not fit"]),
    "labels twice": (construct(categories={0: "a", 1: "b"}, labels=["a", "b"]), ["given twice"]),
    "nothing": ({"constructs": {}}, ["declares no construct", "Example"]),
    "list of constructs": ({"constructs": ["tone"]}, ["mapping of names", "['tone']"]),
    "construct is a list": (
        {"constructs": {"tone": [0, 1]}},
        ["a construct is a mapping", "[0, 1]"],
    ),
    "nameless": ({"constructs": {" ": {"categories": [0, 1]}}}, ["has no name"]),
    "default": ({"default": {"categories": [0, 0]}}, ["default.categories"]),
    "number": (5, ["no schema", "int", "YAML file"]),
}


@pytest.mark.parametrize(("source", "pieces"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_schema_is_refused_with_what_is_allowed(source, pieces):
    with pytest.raises(SchemaError) as refusal:
        Schema.read(source)
    for piece in pieces:
        assert piece in str(refusal.value)


def test_a_construct_refuses_in_the_same_words():
    with pytest.raises(SchemaError, match=r"'kind' is not valid.*Got: 'x'"):
        Construct(kind="x", categories=[0, 1])


FILES = {
    "no yaml": ("constructs: [", ["not valid YAML", "schema.yaml, line 1"]),
    "key twice": ("constructs:\n  a: {}\n  a: {}", ["'a' is there twice", "line 3"]),
    "not utf-8": (b"constructs:\n  caf\xe9: {}", ["not UTF-8", "0xe9", "line 2"]),
    "list": ("- a", ["a schema is a mapping", "schema.yaml"]),
    "empty": ("", ["a schema is a mapping", "schema.yaml"]),
    "field": ("constructs: {a: {categories: [0, 0]}}", ["schema.yaml, constructs.a.categories"]),
    "large": ("#" * 1_000_001, ["too large", "1000001 bytes"]),
    "python tag": ("constructs: !!python/object:os.system {}", ["not valid YAML", "line 1"]),
    "endless": ("a: &a [*a]", ["unfolds without end"]),
    "bomb": (
        "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
        + "".join(
            f"{name}: &{name} [{','.join([f'*{of}'] * 10)}]\n"
            for of, name in zip("abcd", "bcde", strict=True)
        ),
        ["unfolds without end"],
    ),
}


@pytest.mark.parametrize(("text", "pieces"), FILES.values(), ids=FILES)
def test_a_wrong_schema_file_is_refused_with_its_place(written, text, pieces):
    with pytest.raises(SchemaError) as refusal:
        Schema.read(written(text))
    for piece in pieces:
        assert piece in str(refusal.value)


def test_an_absent_schema_file_is_named(tmp_path):
    with pytest.raises(SchemaError, match=r"can't be read.*absent.yaml.*No such file"):
        Schema.read(str(tmp_path / "absent.yaml"))


def test_an_unknown_construct_is_refused_with_the_nearest():
    schema = Schema.read({"constructs": {"self_harm": {"categories": [0, 1]}}})
    with pytest.raises(SchemaError, match="did you mean 'self_harm'"):
        schema["selfharm"]


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("constructs: {a: {categories: [!!bool foo]}}", "'foo' is neither true nor false"),
        ("constructs: {a: {categories: [!!timestamp foo]}}", "constructor for the tag"),
        ("!!map [a, b]", "expected a mapping node"),
        ("constructs: {a: {categories: [1e999, 1]}}", "Got: inf"),
        ("constructs: {a: {categories: [!!float inf, 1]}}", "Got: inf"),
        (
            "constructs: {1: {categories: [0, 1]}, 1.0: {categories: [0, 2]}}",
            "'1.0' is there twice",
        ),
        ('constructs: {1: {categories: [0, 1]}, "1": {categories: [0, 2]}}', "'1' is there twice"),
        ("constructs: {a: {categories: {1: x, 1.0: y}}}", "'1.0' is there twice"),
        (r'constructs: {a: {categories: ["\ud83d", b]}}', r"Got: '\ud83d'"),
        (r'constructs: {"\ud83d": {categories: [a, b]}}', r"Got: '\ud83d'"),
    ],
)
def test_yaml_that_means_nothing_or_two_things_is_refused(written, text, piece):
    with pytest.raises(SchemaError) as refusal:
        Schema.read(written(text))
    assert piece in str(refusal.value)
    assert "schema.yaml" in str(refusal.value)


def test_explicit_tags_of_the_core_schema_are_read(written):
    text = "!!map {constructs: {a: {categories: [!!bool TRUE, !!str 2, !!int 3, !!float 4]}}}"
    assert Schema.read(written(text))["a"].categories == (True, "2", 3, 4.0)


def test_one_name_as_number_and_text_is_refused_in_a_mapping_too():
    one = {"categories": [0, 1]}
    with pytest.raises(SchemaError, match=r"each there once \(constructs\). Got: '1'"):
        Schema.read({"constructs": {1: one, "1": one}})
