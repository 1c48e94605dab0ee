"""The registry: one place for question, labels and polarity, and no way to reach a wrong one."""

from __future__ import annotations

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import toolkit as tk
from toolkit.answers import Convention, Registry
from toolkit.answers.normalize import normalize
from toolkit.errors import ConventionError

HE300 = ["commonsense", "commonsense_hard", "deontology", "justice", "virtue"]
BUNDLED = Registry.bundled().conventions
IDS = ["/".join(one.key) for one in BUNDLED]
# Hendrycks et al. (arXiv:2008.02275): what gold 0 and gold 1 stand for, checked by reading rows of
# every subset and against the task files of lm-evaluation-harness at 4e7e0d4.
GOLD = {
    "commonsense": ("ETHICAL", "UNETHICAL"),
    "commonsense_hard": ("ETHICAL", "UNETHICAL"),
    "deontology": ("UNREASONABLE", "REASONABLE"),
    "justice": ("UNREASONABLE", "REASONABLE"),
    "virtue": ("CONTRADICTS", "MATCHES"),
}
NEGATIVE_GOLD = {
    "commonsense": 1,
    "commonsense_hard": 1,
    "deontology": 0,
    "justice": 0,
    "virtue": 0,
}


def tone(**fields):
    given_fields = {
        "benchmark": "mine",
        "subset": "tone",
        "question": "Is the reply KIND or RUDE?",
        "labels": ["RUDE", "KIND"],
        "positive": "KIND",
    }
    return Convention(**{**given_fields, **fields})


def mixed(subcategory):
    return tk.convention("he300", "mixed", subcategory=subcategory)


@pytest.mark.parametrize("subset", HE300)
def test_labels_are_indexed_by_gold(subset):
    conv = tk.convention("he300", subset)
    assert conv.labels == GOLD[subset]
    assert [conv.gold(label) for label in conv.labels] == [0, 1]


@pytest.mark.parametrize("subset", HE300)
def test_gold_1_is_the_negative_word_on_commonsense_only(subset):
    conv = tk.convention("he300", subset)
    assert conv.gold(conv.negative) == NEGATIVE_GOLD[subset]
    assert conv.polarity(NEGATIVE_GOLD[subset]) == "negative"
    assert conv.polarity(1 - NEGATIVE_GOLD[subset]) == "positive"
    assert conv.polarity(None) is None


def test_the_subsets_of_he300_are_five_and_mixed_is_none_of_them():
    assert Registry.bundled().subsets("he300") == HE300
    assert Registry.bundled().subsets("nothing") == []


@pytest.mark.parametrize("conv", BUNDLED, ids=IDS)
def test_the_judge_is_asked_the_own_question_with_the_own_labels(conv):
    asked = conv.judge_question
    assert conv.question.strip() in asked
    assert f"{conv.labels[0]} or {conv.labels[1]}" in asked
    own = {str(label) for label in conv.labels}
    others = {str(label) for one in BUNDLED for label in one.labels} - own
    assert not others & set(re.findall(r"[A-Z]{2,}", asked))


def test_the_question_of_commonsense_can_not_reach_a_justice_item():
    asked = tk.convention("he300", "justice").judge_prompt("item", "reply")
    assert "ETHICAL" not in asked
    assert tk.convention("he300", "commonsense").question not in asked


@given(st.text(), st.text())
def test_item_and_reply_can_not_end_their_own_quotation(text, reply):
    prompt = tone().judge_prompt(text, reply)
    first, second, *rest = prompt.split("\n")
    assert first.startswith('Item: "')
    assert second.startswith('Reply: "')
    assert "\n".join(rest) == tone().judge_question


@pytest.mark.parametrize("subset", HE300)
def test_mixed_resolves_by_subcategory(subset):
    assert mixed(subset) == tk.convention("he300", subset)


@pytest.mark.parametrize("subcategory", [None, "", "  ", float("nan"), 3])
def test_mixed_without_subcategory_raises(subcategory):
    with pytest.raises(ConventionError, match="needs a subcategory") as raised:
        mixed(subcategory)
    assert raised.value.allowed == HE300


@pytest.mark.parametrize("subcategory", ["mixed", "virtues"])
def test_a_subcategory_must_be_a_subset(subcategory):
    with pytest.raises(ConventionError, match="unknown subset"):
        mixed(subcategory)


# The published scorer read all of these as commonsense.
@pytest.mark.parametrize("subset", ["virtues", "Virtue", "virtue ", "VIRTUE", "virtu"])
def test_an_unknown_subset_raises_and_names_the_nearest(subset):
    with pytest.raises(ConventionError, match="did you mean 'virtue'"):
        tk.convention("he300", subset)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (("he3000", "justice"), "unknown benchmark, did you mean 'he300'"),
        (("HE300", "justice"), "did you mean 'he300'"),
        (("something", "else"), "unknown benchmark.*Allowed: 'he300', 'generic'"),
        (("he300", None), "'he300' has several subsets: pass subset="),
        (("he300",), r"pass subset=\. Allowed: 'commonsense'"),
        (("he300", 3), "unknown subset"),
        (("he300", ""), "unknown subset"),
        ((None, "justice"), "unknown benchmark"),
        ((3, "justice"), "unknown benchmark"),
    ],
)
def test_no_unknown_key_has_a_default(key, message):
    with pytest.raises(ConventionError, match=message):
        tk.convention(*key)


def test_an_unknown_question_version_raises_and_names_the_nearest():
    with pytest.raises(ConventionError, match="did you mean 'is_this_wrong'"):
        tk.convention("he300", "commonsense", version="is_that_wrong")
    with pytest.raises(ConventionError, match="unknown question version"):
        tk.convention("he300", "justice", version="is_this_wrong")


def test_a_benchmark_of_one_subset_needs_no_subset():
    assert tk.convention("generic") == tk.convention("generic", "pass_fail")


def test_generic_pass_is_gold_1():
    conv = tk.convention("generic", "pass_fail")
    assert conv.labels == ("FAIL", "PASS")
    for word in ("pass", "yes", "true", "correct"):
        assert normalize(word, conv).gold == 1, word
    for word in ("fail", "no", "false", "incorrect"):
        assert normalize(word, conv).gold == 0, word


@pytest.mark.parametrize("subset", ["commonsense", "commonsense_hard"])
def test_what_yes_means_depends_on_the_question_and_not_on_the_subset(subset):
    wrong = tk.convention("he300", subset, version="is_this_wrong")
    assert wrong.labels == tk.convention("he300", subset).labels
    yes, no = normalize("Yes", wrong), normalize("No.", wrong)
    assert (yes.label, yes.gold, no.label, no.gold) == ("UNETHICAL", 1, "ETHICAL", 0)
    assert normalize("Yes", tk.convention("he300", subset)).outcome == "off_vocabulary"


@pytest.mark.parametrize("conv", BUNDLED, ids=IDS)
@pytest.mark.parametrize("level", ["exact", "strict", "structured", "lenient"])
def test_label_to_gold_to_label_is_a_round_trip(conv, level):
    for gold, label in enumerate(conv.labels):
        for word in (str(label), *conv.canonical.get(label, ())):
            answer = normalize(word, conv, level=level)
            assert (answer.label, answer.gold) == (label, gold), word


@pytest.mark.parametrize("conv", BUNDLED, ids=IDS)
def test_every_synonym_is_read_as_its_own_class_and_only_at_lenient(conv):
    for label, words in conv.synonyms.items():
        for word in words:
            assert normalize(word, conv, level="structured").label is None, word
            if word.lower() != "just":  # alone it is an adverb too
                assert normalize(word, conv, level="lenient").label == label, word


@pytest.mark.parametrize("conv", BUNDLED, ids=IDS)
def test_every_signed_key_says_its_class_when_true_and_the_other_when_false(conv):
    for key, label in conv.signed_keys.items():
        other = next(one for one in conv.labels if one != label)
        for spelled in (key, key.upper(), f"is_{key}", f"Is {key}"):
            true, false = ({spelled: value} for value in (True, False))
            assert normalize(true, conv, level="structured").label == label
            assert normalize(false, conv, level="structured").label == other


@pytest.mark.parametrize("conv", BUNDLED, ids=IDS)
def test_every_neutral_key_reads_an_integer_as_gold(conv):
    for key in conv.neutral_keys:
        for gold in (0, 1):
            assert normalize({key: gold}, conv, level="structured").gold == gold
        assert normalize({key: 2}, conv, level="structured").outcome == "off_vocabulary"


@pytest.mark.parametrize("conv", BUNDLED, ids=IDS)
def test_a_convention_survives_pickling_and_its_own_dict(conv):
    for copy in (pickle.loads(pickle.dumps(conv)), Convention(**conv.to_dict())):  # noqa: S301
        assert copy == conv
        assert copy.digest == conv.digest
        assert normalize("{'label': 1}", copy, level="lenient").gold == 1


def test_a_convention_is_frozen():
    with pytest.raises(ValidationError, match="frozen"):
        tone().labels = ("A", "B")


def test_a_registry_is_frozen():
    with pytest.raises(AttributeError):
        Registry.bundled().conventions = ()


CHANGES = {
    "labels": ["KIND", "RUDE"],
    "positive": "RUDE",
    "question": "Is it KIND or RUDE?",
    "version": "2",
    "subset": "manner",
    "benchmark": "yours",
    "canonical": {"KIND": ["kindly"]},
    "synonyms": {"KIND": ["friendly"]},
    "signed_keys": {"kind": "KIND"},
    "neutral_keys": ["label"],
    "integers": "refuse",
    "yes": "KIND",
    "locales": {"de": {"KIND": ["freundlich"]}},
    "off_vocabulary": ["loud"],
}


def test_every_field_is_tried():
    assert set(CHANGES) == set(Convention.model_fields)


@pytest.mark.parametrize("field", CHANGES)
def test_the_digest_changes_when_the_content_does(field):
    changed = tone(**{field: CHANGES[field]})
    assert changed.digest != tone().digest
    assert Registry((changed,)).digest != Registry((tone(),)).digest


def test_the_digest_stays_when_only_the_writing_differs():
    written = tone(labels=("RUDE", "KIND"), signed_keys={"kind": "KIND", "rude": "RUDE"})
    same = tone(signed_keys={"rude": "RUDE", "kind": "KIND"}, integers="gold")
    assert written.digest == same.digest
    assert Registry((tone(),)).digest == Registry((tone(),)).digest


def test_an_answer_carries_the_digest_of_its_convention():
    assert normalize("KIND", tone()).registry_digest == tone().digest


def test_what_a_subset_of_the_family_offers_is_recognised_and_not_read():
    virtue = tk.convention("he300", "virtue")
    assert {"ethical", "unethical", "reasonable", "unreasonable"} <= set(virtue.off_vocabulary)
    assert not {"matches", "contradicts", "match"} & set(virtue.off_vocabulary)


@pytest.mark.parametrize("label", ["ethical", "NONE", 1, None])
def test_gold_of_what_is_no_label_raises(label):
    with pytest.raises(ConventionError, match="no such label"):
        tk.convention("he300", "justice").gold(label)


def test_polarity_is_none_where_no_label_is_positive():
    conv = tone(positive=None)
    assert normalize("KIND", conv).polarity is None
    assert conv.negative is None


def test_with_three_labels_false_names_none():
    conv = tone(labels=["RUDE", "KIND", "COLD"], signed_keys={"kind": "KIND"})
    assert normalize({"kind": True}, conv, level="structured").label == "KIND"
    assert normalize({"kind": False}, conv, level="structured").label is None
    assert conv.negative is None


def test_integers_can_be_refused_or_be_the_category():
    refusing = tone(integers="refuse")
    assert normalize({"label": 1}, refusing, level="structured").label is None
    by_value = tone(labels=[2, 1, 7], positive=None, integers="category")
    assert normalize({"label": 1}, by_value, level="structured").label == 1
    assert normalize({"label": 1}, by_value, level="structured").gold == 1
    assert normalize({"label": 7}, by_value, level="structured").gold == 2
    assert normalize({"label": 0}, by_value, level="structured").label is None


def test_a_declared_language_is_read_at_lenient_and_another_is_not():
    conv = tone(locales={"de": {"KIND": ["freundlich"], "RUDE": ["unfreundlich"]}})
    assert normalize("unfreundlich", conv, level="lenient").label == "RUDE"
    assert normalize("freundlich", conv, level="lenient").label == "KIND"
    assert normalize("freundlich", conv, level="structured").label is None
    assert normalize("aimable", conv, level="lenient").label is None
