"""What is refused in a file of conventions is told in the words of somebody who writes YAML."""

from __future__ import annotations

import pytest

import toolkit as tk
from toolkit.answers import Registry
from toolkit.errors import ConventionError


def message(tmp_path, lines, head="benchmark: mine"):
    path = tmp_path / "mine.yaml"
    entry = "".join(f"    {line}\n" for line in lines)
    path.write_text(f"{head}\nconventions:\n  -\n{entry}", encoding="utf-8")
    with pytest.raises(ConventionError) as raised:
        Registry.read(path)
    return str(raised.value)


def tone(*more):
    return ["subsets: [tone]", "labels: [RUDE, KIND]", *more]


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        (["subsets: [tone]", "labels: [false, true]"], "false"),
        (tone("yes: true"), "true"),
        (tone("positive: True"), "true"),
        (tone("synonyms: {KIND: [true]}"), "true"),
        (tone("question: false"), "false"),
    ],
)
def test_a_truth_value_that_is_meant_as_a_word_is_to_be_quoted(tmp_path, lines, word):
    said = message(tmp_path, lines)
    assert f'a truth value that is a word here is quoted: "{word}"' in said
    assert "Input should" not in said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("synonyms: {RUDE: foo}", "a list of words. Example: synonyms: {KIND: [friendly, polite]}"),
        ("canonical: {RUDE: foo}", "a list of words. Example: canonical: {KIND: [kindly]}"),
        ("locales: {de: {RUDE: foo}}", "a list of words. Example: locales: {de:"),
        ("neutral_keys: label", "a list of words. Example: neutral_keys: [label, verdict]"),
        ("off_vocabulary: x", "a list of words. Example: off_vocabulary: [neutral]"),
        ("synonyms: [foo]", "a mapping. Example: synonyms: {"),
        ("question: 3", "text. Example: question: Is the"),
        ("version: 1.0", "text. Example: version: "),
        ("positive: [KIND]", "text, a whole number or a decimal number. Example: positive: KIND"),
    ],
)
def test_what_a_field_takes_is_said_without_the_names_of_a_library(tmp_path, line, words):
    said = message(tmp_path, tone(line))
    assert f"Allowed: {words}" in said
    assert "mine.yaml, mine/tone, " in said


@pytest.mark.parametrize(
    ("lines", "meant", "example"),
    [
        (["subsets: [tone]", "label: [RUDE, KIND]"], "labels", "labels: [RUDE, KIND]"),
        (["subset: tone", "labels: [RUDE, KIND]"], "subsets", "subsets: [tone]"),
        (tone("synonym: {}"), "synonyms", "synonyms: {KIND: [friendly, polite]}"),
        (tone("positiv: KIND"), "positive", "positive: KIND"),
    ],
)
def test_a_misspelt_key_is_named_before_the_one_that_is_then_missing(
    tmp_path, lines, meant, example
):
    said = message(tmp_path, lines)
    assert f"did you mean {meant!r}? (mine.yaml, entry 1 of `conventions`)" in said
    assert said.endswith(f"Example: {example}.")
    assert "'subsets', 'version'" in said  # the keys of an entry, not the fields of the class


def test_the_example_of_a_file_is_a_file(tmp_path):
    for lines in (["subsets: [tone]"], tone("polarity: 1")):
        said = message(tmp_path, lines)
        assert "subset: tone" not in said
        assert "'benchmark'" not in said
    with pytest.raises(ConventionError) as raised:
        Registry.read({})
    path = tmp_path / "example.yaml"
    path.write_text(raised.value.example)
    assert Registry.read(path).subsets("mine") == ["tone"]


@pytest.mark.parametrize(
    ("head", "key"), [("by_subcategory: []", "benchmark"), ("benchmark:", "benchmark")]
)
def test_a_file_without_a_name_says_that_it_is_the_name(tmp_path, head, key):
    assert f"`{key}` is " in message(tmp_path, tone(), head=head)


def test_a_subset_with_a_question_of_its_own_is_not_read_by_subcategory(tmp_path):
    said = message(tmp_path, tone(), head="benchmark: mine\nby_subcategory: [tone]")
    assert "a subset has a question of its own and is read by its subcategory too" in said


def test_a_class_that_is_no_label_is_told_with_the_field_that_names_it(tmp_path):
    said = message(tmp_path, tone("positive: NICE"))
    assert "positive names a class that is no label (mine.yaml, mine/tone/1, positive)" in said


def test_a_subset_that_pools_others_is_shown_with_a_subset_of_its_own_benchmark():
    entry = {"subsets": ["tone"], "labels": ["RUDE", "KIND"]}
    mine = {"benchmark": "clinic", "by_subcategory": ["mix"], "conventions": [entry]}
    with pytest.raises(ConventionError) as raised:
        tk.convention("clinic", "mix", source=mine)
    assert raised.value.example == 'convention("clinic", "mix", subcategory="tone")'


def test_an_unknown_benchmark_asks_for_ones_own_conventions_where_none_were_given():
    with pytest.raises(ConventionError, match=r"'generic'; your own.*conventions=.*source="):
        tk.convention("clinic", "tone")
    entry = {"subsets": ["tone"], "labels": ["RUDE", "KIND"]}
    with pytest.raises(ConventionError) as raised:
        tk.convention("clinic", source={"benchmark": "mine", "conventions": [entry]})
    assert "your own" not in str(raised.value)
