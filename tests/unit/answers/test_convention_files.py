"""A user's own conventions: read from YAML, and refused where they could be read in two ways."""

from __future__ import annotations

import pytest

import toolkit as tk
from toolkit.answers import Convention, Registry
from toolkit.answers.normalize import normalize
from toolkit.common.strict_yaml import load_yaml
from toolkit.errors import ConventionError

MINE = """\
benchmark: mine
by_subcategory: [pooled]
conventions:
  - subsets: [tone, manner]
    version: kind_or_rude
    question: Is the reply KIND or RUDE?
    labels: [RUDE, KIND]
    positive: KIND
    canonical: {KIND: [kindly]}
    synonyms: {RUDE: [unkind, no manners], KIND: [friendly]}
    signed_keys: {kind: KIND, rude: RUDE}
  - subsets: [tone]
    version: is_it_rude
    question: Is the reply rude?
    labels: [RUDE, KIND]
    positive: KIND
    yes: RUDE
  - subsets: [grade]
    question: Which grade from 1 to 3?
    labels: [1, 2, 3]
    integers: category
"""


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(MINE)
    return path


def one(fields=(), **more):
    entry = {"subsets": ["s"], "labels": ["RUDE", "KIND"], **dict(fields), **more}
    return {"benchmark": "b", "conventions": [entry]}


def refused(message, fields=(), **more):
    with pytest.raises(ConventionError, match=message) as raised:
        Registry.read(one(fields, **more))
    return raised.value


def test_an_own_file_is_read_like_the_bundled_one(mine):
    conv = tk.convention("mine", "tone", source=mine)
    assert (conv.labels, conv.version) == (("RUDE", "KIND"), "kind_or_rude")
    assert normalize("kindly", conv).gold == 1
    assert normalize('{"rude": false}', conv, level="structured").label == "KIND"
    assert normalize("That was unkind.", conv, level="lenient").label == "RUDE"
    assert normalize("She has no manners.", conv, level="lenient").label == "RUDE"
    assert tk.convention("mine", "grade", source=mine).gold(3) == 2
    assert tk.convention("mine", "pooled", subcategory="manner", source=mine).subset == "manner"
    rude = tk.convention("mine", "tone", version="is_it_rude", source=mine)
    assert normalize("yes", rude).label == "RUDE"


def test_a_path_as_text_a_mapping_and_a_registry_are_the_same_source(mine):
    read = Registry.read(mine)
    content = load_yaml(mine, what="convention", error=ConventionError, example="")
    for source in (str(mine), content, read):
        assert Registry.read(source).digest == read.digest


def test_an_own_source_replaces_the_bundled_one(mine):
    with pytest.raises(ConventionError, match="unknown benchmark"):
        tk.convention("he300", "justice", source=mine)


def test_a_yes_in_yaml_is_a_word():
    path_free = {"benchmark": "b", "conventions": [{"subsets": ["s"], "labels": ["no", "yes"]}]}
    assert Registry.read(path_free).find("b").labels == ("no", "yes")


def test_unquoted_yes_and_no_in_a_file_are_words(tmp_path):
    path = tmp_path / "yes.yaml"
    path.write_text("benchmark: b\nconventions:\n  - subsets: [s]\n    labels: [no, yes]\n")
    assert tk.convention("b", source=path).labels == ("no", "yes")


@pytest.mark.parametrize("field", ["canonical", "synonyms"])
def test_a_word_of_two_classes_is_refused(field):
    words = {"KIND": ["friendly"], "RUDE": ["Friendly"]}
    error = refused("'Friendly' is a word of two classes", **{field: words})
    assert field in error.where


def test_a_word_of_two_classes_is_refused_across_fields():
    refused("two classes", canonical={"KIND": ["nice"]}, synonyms={"RUDE": ["NICE"]})
    refused("two classes", synonyms={"RUDE": ["kind"]})
    refused("two classes", synonyms={"KIND": ["nett"]}, locales={"de": {"RUDE": ["nett"]}})


ODD_LABELS = [
    *("-kind-", "kind!x?", "(a)", "a.", "+", "*", "C++", "#1", "a b", "n/a", "A/B", "\u00e9"),
    *("\u0130", "\u00df", "\U0001f44d", "ja", "1.5", "-1", "1", "\u4e00\u81f4", '"'),
]


@pytest.mark.parametrize("label", ODD_LABELS)
def test_a_label_that_loads_is_read_back_at_every_level(label):
    try:
        conv = Convention(benchmark="b", subset="s", labels=["RUDE", label])
    except ConventionError as error:
        assert "read" in error.what  # noqa: PT017
        return
    for level in ("exact", "strict", "structured", "lenient"):
        assert normalize(label, conv, level=level).label == label, level
        assert normalize("rude", conv, level=level).label == "RUDE"


@pytest.mark.parametrize("labels", [[-1, 0, 1], [1, 2, 3], [10, 20], [0.5, 1.5], [1, 0]])
def test_a_number_is_never_read_as_another_label(labels):
    fields = {"benchmark": "b", "subset": "s", "labels": labels}
    conv = Convention(**fields, integers="category")
    for level in ("exact", "strict", "structured", "lenient"):
        for label in labels:
            read = [normalize(str(label), conv, level=level)]
            if level in ("structured", "lenient"):
                read += [
                    normalize({"label": value}, conv, level=level) for value in (label, str(label))
                ]
            assert [answer.label for answer in read] == [label] * len(read), level
        for other in (-7, -2, 9, 2.5):
            assert normalize(str(other), conv, level=level).label is None
            assert normalize({"label": other}, conv, level=level).label is None
            assert normalize({"label": str(other)}, conv, level=level).label is None


@pytest.mark.parametrize("labels", [[-1, 0, 1], [1, 2, 3], [10, 20], [1, 0]])
def test_whole_numbers_that_are_not_their_own_gold_need_integers_category(labels):
    # Else the reply "1" is the label 1, and {"label": 1} the label of gold 1.
    refused("integers", labels=labels)


def test_no_label_is_read_inside_another():
    conv = Convention(
        benchmark="b", subset="s", labels=["correct", "incorrect", "not correct", "in"]
    )
    for label in conv.labels:
        assert normalize(label, conv).label == label
        assert normalize(f"{label}, I think", conv).label == label


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("positive", "NICE"),
        ("yes", "NICE"),
        ("canonical", {"NICE": ["nice"]}),
        ("synonyms", {"NICE": ["nice"]}),
        ("signed_keys", {"nice": "NICE"}),
        ("locales", {"de": {"NICE": ["nett"]}}),
    ],
)
def test_a_class_that_is_no_label_is_refused(field, value):
    error = refused("names a class that is no label", **{field: value})
    assert error.allowed == ("RUDE", "KIND")
    assert field in error.where


def test_a_misspelt_class_names_the_nearest():
    refused("did you mean 'KIND'", positive="Kind")


@pytest.mark.parametrize("key", ["label", "Label", "final_answer", "finalAnswer", "is_label"])
def test_a_key_is_signed_or_neutral_and_never_both(key):
    refused("is a neutral key too", signed_keys={key: "KIND"})


def test_a_key_of_two_classes_is_refused():
    refused("is a key of two classes", signed_keys={"kind": "KIND", "Is_Kind": "RUDE"})


@pytest.mark.parametrize(
    "labels",
    [["good", "GOOD"], ["good", " good "], ["good", "\uff47ood"], [1, "1"], ["a b", "a  b"]],
)
def test_labels_that_are_equal_after_folding_are_refused(labels):
    refused("two labels are one word", labels=labels)


@pytest.mark.parametrize("labels", [[], ["ONE"], list(range(1001))])
def test_a_question_offers_two_answers_to_a_thousand(labels):
    refused("two answers or more", labels=labels)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"labels": ["", "KIND"]}, "a label is empty"),
        ({"labels": ["  ", "KIND"]}, "a label is empty"),
        ({"synonyms": {"KIND": [" "]}}, "a word is empty"),
        ({"canonical": {"KIND": [""]}}, "a word is empty"),
        ({"version": " "}, "version is empty"),
        ({"labels": None}, "'labels' is not valid"),
        ({"labels": [True, False]}, "'labels' is not valid"),
        ({"labels": [[1], [2]]}, "'labels' is not valid"),
        ({"labels": "RUDE"}, "'labels' is not valid"),
        ({"question": 3}, "'question' is not valid"),
        ({"synonyms": ["friendly"]}, "'synonyms' is not valid"),
        ({"signed_keys": {3: "KIND"}}, "'signed_keys' is not valid"),
        ({"integers": "golds"}, "did you mean 'gold'"),
        ({"label": ["RUDE", "KIND"]}, "unknown key 'label', did you mean 'labels'"),
        ({"synonym": {}}, "unknown key 'synonym', did you mean 'synonyms'"),
        ({"polarity": 1}, "unknown key 'polarity'"),
        ({"subsets": ["s", "s"]}, "there twice"),
        ({"subsets": []}, "a list `subsets`"),
        ({3: "x"}, "unknown key 3"),
        ({True: "x"}, "unknown key True"),
        ({"subsets": [""]}, "subset is empty"),
        ({"subsets": [3]}, 'name of a subset is no text.*quoted: "3"'),
        ({"subsets": "s"}, "a list `subsets`"),
    ],
)
def test_what_contradicts_itself_is_refused(fields, message):
    refused(message, fields)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "conventions are a mapping"),
        (None, "conventions are a mapping"),
        (3, "conventions are a mapping"),
        ({}, "`benchmark` is missing"),
        ({"conventions": []}, "`benchmark` is missing"),
        ({"benchmark": "b"}, "`conventions` is missing"),
        ({"benchmark": "b", "conventions": []}, "`conventions` is a list"),
        ({"benchmark": "b", "conventions": {}}, "`conventions` is a list"),
        ({"benchmark": 3, "conventions": [{}]}, "`benchmark` is a name"),
        ({"benchmark": "b", "conventions": [3]}, "a list `subsets`"),
        ({"benchmark": "b", "conventions": [{"labels": [1, 2]}]}, "a list `subsets`"),
        ({"benchmark": "b", "convention": []}, "unknown key 'convention', did you mean"),
        ({"benchmark": "b", "conventions": [{"subsets": ["s"]}]}, "'labels' is missing"),
        ({**one(), "by_subcategory": "mixed"}, "`by_subcategory` is a list"),
        ({**one(), "by_subcategory": [True]}, "`by_subcategory` is a list"),
        ({**one(), "by_subcategory": ["s"]}, "question of its own.*by_subcategory.*Got: 's'"),
    ],
)
def test_what_is_no_registry_is_refused(content, message):
    with pytest.raises(ConventionError, match=message):
        Registry.read(content)


def test_a_convention_that_is_there_twice_is_refused():
    content = one()
    content["conventions"] *= 2
    with pytest.raises(ConventionError, match=r"there twice.*b/s/1"):
        Registry.read(content)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("benchmark: [", "YAML"),
        ("benchmark: b\nbenchmark: c\n", "there twice"),
        ("benchmark: !!python/object:os.system b\n", "YAML"),
        ("\x00", "YAML"),
        ("benchmark: b\nconventions:\n  - subsets: [s]\n    labels: [A, a]\n", "one word"),
    ],
)
def test_a_broken_file_is_refused_by_its_name(tmp_path, text, message):
    path = tmp_path / "broken.yaml"
    path.write_text(text)
    with pytest.raises(ConventionError, match=message) as raised:
        Registry.read(path)
    assert "broken.yaml" in str(raised.value)


def test_aliases_that_unfold_without_end_are_refused(tmp_path):
    lines = [
        'a0: &a0 ["x"]',
        *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)),
    ]
    path = tmp_path / "bomb.yaml"
    path.write_text("\n".join([*lines, "benchmark: b", "conventions: *a8"]))
    with pytest.raises(ConventionError, match="alias"):
        Registry.read(path)


@pytest.mark.parametrize("name", ["missing.yaml", "."])
def test_a_file_that_is_none_is_refused(tmp_path, name):
    with pytest.raises(ConventionError):
        Registry.read(tmp_path / name)


def test_bytes_that_are_no_utf8_are_refused(tmp_path):
    path = tmp_path / "latin.yaml"
    path.write_bytes("benchmark: é".encode("latin-1"))
    with pytest.raises(ConventionError, match="UTF-8"):
        Registry.read(path)


def test_the_message_says_where_in_the_file(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(MINE.replace("positive: KIND", "positive: NICE", 1))
    with pytest.raises(ConventionError, match=r"mine.yaml.*tone.*positive"):
        Registry.read(path)
