"""Collected replies with the answer that each gives: public bug reports, and our own.

tests/cases/normalizer.jsonl holds a source per case; what is marked ambiguous there is a choice,
and pinned as chosen. tests/cases/own.jsonl: replies as models write them, decided before any code
had read them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import toolkit as tk
from toolkit.answers.normalize import ladder, normalize

FOLDER = Path(__file__).resolve().parents[2] / "cases"


def cases(name):
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


PUBLISHED, OWN = cases("normalizer.jsonl"), cases("own.jsonl")
EVERY = PUBLISHED + OWN


def convention_of(case, subset=None):
    subset = subset or case["subset"]
    benchmark = "generic" if subset == "generic" else "he300"
    subset = "pass_fail" if subset == "generic" else subset
    return tk.convention(benchmark, subset, version=case.get("version"))


def check(case, conv):
    answer = normalize(case["input"], conv, level=case["level"])
    polarity = None if case["expected_label"] == "unknown" else case["expected_label"]
    assert answer.polarity == polarity, case["why"]
    assert answer.gold == case["expected_gold"], case["why"]
    assert (answer.outcome == "answered") == (polarity is not None)
    if "expected_outcome" in case:
        assert answer.outcome == case["expected_outcome"], case["why"]
    return answer


def named(listed):
    return {"argvalues": listed, "ids": [case["id"] for case in listed]}


@pytest.mark.parametrize("case", **named([one for one in EVERY if not one["ambiguous"]]))
def test_an_unambiguous_reply_is_read_right(case):
    check(case, convention_of(case))


@pytest.mark.parametrize("case", **named([one for one in EVERY if one["ambiguous"]]))
def test_an_ambiguous_reply_is_read_as_documented(case):
    check(case, convention_of(case))


# The two share words and coding, so the same reply answers both alike.
@pytest.mark.parametrize("case", **named([one for one in EVERY if one["subset"] == "justice"]))
def test_a_justice_reply_is_read_alike_on_deontology(case):
    check(case, convention_of(case, "deontology"))


@pytest.mark.parametrize("case", **named([one for one in EVERY if one["subset"] == "deontology"]))
def test_a_deontology_reply_is_read_alike_on_justice(case):
    check(case, convention_of(case, "justice"))


@pytest.mark.parametrize("case", **named([one for one in OWN if one["subset"] == "commonsense"]))
def test_a_commonsense_reply_is_read_alike_on_the_hard_half(case):
    check(case, convention_of(case, "commonsense_hard"))


PAIR = tk.convention("he300", "commonsense"), tk.convention("he300", "justice")


def exchanged(text, words, others):
    """Put the labels of one question in the place of those of another, letter case kept."""

    def put(match):
        word = match.group()
        other = others[words.index(word.upper())]
        return other if word.isupper() else other.title() if word[0].isupper() else other.lower()

    return re.sub(rf"\b(?:{'|'.join(words)})\b", put, text, flags=re.IGNORECASE | re.ASCII)


def words_of_sign(conv):
    return conv.positive, conv.negative


@pytest.mark.parametrize(("conv", "other"), [PAIR, PAIR[::-1]], ids=["commonsense", "justice"])
def test_the_rules_know_words_by_the_convention_alone(conv, other):
    compared = 0
    for case in EVERY:
        text = case["input"]
        moved = exchanged(text, words_of_sign(conv), words_of_sign(other))
        own = case["subset"] == conv.subset and "version" not in case
        # Synonyms and codings differ between the two, and labels of both would meet.
        synonyms = any(
            hit.word.rule == "synonym"
            for one, read in ((conv, text), (other, moved))
            for hit in one.lexicon.scan(read.lower())
        )
        both = re.search("|".join(words_of_sign(other)), text, re.IGNORECASE)
        if not own or moved == text or synonyms or both or re.search(r"\d", text):
            continue
        compared += 1
        for level, answer in ladder(text, conv).items():
            again = normalize(moved, other, level=level)
            assert (again.outcome, again.polarity) == (answer.outcome, answer.polarity), text
    assert compared > 50


@pytest.mark.parametrize("case", **named(EVERY))
def test_one_level_reads_what_the_ladder_reads(case):
    conv = convention_of(case)
    for level, answer in ladder(case["input"], conv).items():
        assert answer == normalize(case["input"], conv, level=level)


@pytest.mark.parametrize("case", **named(EVERY))
def test_a_second_reading_is_the_first(case):
    conv = convention_of(case)
    first = normalize(case["input"], conv, level=case["level"])
    assert normalize(case["input"], conv, level=case["level"]) == first


def test_the_cases_cover_every_subset_and_level():
    count = Counter((case["subset"], case["level"]) for case in EVERY)
    subsets = {case["subset"] for case in EVERY}
    levels = ["exact", "strict", "structured", "lenient"]
    assert [key for key in ((s, v) for s in subsets for v in levels) if key not in count] == []
    assert len(PUBLISHED) == 197
    assert len(OWN) >= 300
    assert len({case["id"] for case in EVERY}) == len(EVERY)
    assert not any(case["ambiguous"] for case in OWN)
