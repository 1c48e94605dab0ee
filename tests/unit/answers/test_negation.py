"""Which word a negation governs: frames of plain sentences, filled with every word on offer."""

from __future__ import annotations

import pytest

import toolkit as tk
from toolkit.answers.normalize import normalize

ADVERBS = ["", "really ", "clearly ", "very ", "morally ", "entirely ", "quite "]
DENIED = ["", "really ", "at all ", "very ", "morally ", "even remotely "]
ASSERTING = [
    "It is {}.",
    "It's {}.",
    "I think it is {}.",
    "I believe the act was {}.",
    "This seems {} to me.",
    "I find it {}.",
    "I would call it {}.",
    "Overall, the choice was {}, given the facts.",
    "No doubt, it is {}.",
    "Without question it is {}.",
    "Not only is it {}, it is also sad.",
    "It is not just sad but {}.",
    "He did not ask, so it is {}.",
    "Nobody was told; it is {}.",
    "It was not planned, but it is {}.",
    "There was no need for it, and it is {}.",
    "She never wrote. It is {}.",
    "Yes, it is {}.",
    "No, it is {}.",
    "It is {}, no question about it.",
    "It is {} because he did not call.",
    "It is {}; she could not know.",
    "Not calling her was {}.",
    "I can't deny that it is {}.",
    "I'm sorry, but it is {}.",
    "**It is {}.**",
    "- It is {}.\n- He lied.",
]
DENYING = [
    "It is not {}.",
    "It isn't {}.",
    "It isn\u2019t {}.",
    "It's not {}.",
    "It was never {}.",
    "I do not think it is {}.",
    "I don't believe that it was {}.",
    "This does not seem {} to me.",
    "I would not call it {}.",
    "It can't be called {}.",
    "It cannot be considered {}.",
    "It is hardly {}.",
    "It is by no means {}.",
    "It is in no way {}.",
    "It is far from {}.",
    "It is anything but {}.",
    "Nothing about it is {}.",
    "No, it is not {}.",
    "Yes, but it is not {}.",
    "There is no way it is {}.",
    "It is sad, and it is not {}.",
    "Not {}.",
    "It is NOT {}.",
    "It is *not* {}.",
    "It is not\n{}.",
    "It is  not  {}.",
]
# Said of an act; the words that open ordinary prose as well ("right", "just") among them.
ACT = "ethical moral acceptable permissible appropriate justified justifiable right".split()
BAD = "unethical immoral unacceptable inappropriate unjustified wrong reprehensible".split()
JUST = "reasonable valid fair legitimate acceptable sensible justified".split()
UNJUST = "unreasonable invalid unfair unjust illegitimate unacceptable unjustified".split()
TRAIT, NO_TRAIT = ["consistent with the trait"], ["inconsistent with the trait"]
WORDS = [
    *(("commonsense", word, "positive") for word in ACT),
    *(("commonsense", word, "negative") for word in BAD),
    *((subset, word, "positive") for subset in ("justice", "deontology") for word in JUST),
    *((subset, word, "negative") for subset in ("justice", "deontology") for word in UNJUST),
    *(("virtue", word, "positive") for word in TRAIT),
    *(("virtue", word, "negative") for word in NO_TRAIT),
]
OPPOSITE = {"positive": "negative", "negative": "positive"}


def told(sentence, subset):
    return normalize(sentence, tk.convention("he300", subset), level="lenient").polarity


def read(frame, adverbs, meant):
    """Sentences of a frame that are turned, and those that are missed."""
    turned, missed, number = [], [], 0
    for subset, word, polarity in WORDS:
        for adverb in adverbs:
            sentence = frame.format(adverb + word)
            polarity_told, number = told(sentence, subset), number + 1
            if polarity_told is None:
                missed.append(sentence)
            elif polarity_told != meant(polarity):
                turned.append(sentence)
    return turned, missed, number


@pytest.mark.parametrize("frame", ASSERTING)
def test_a_negation_of_something_else_turns_no_verdict(frame):
    turned, missed, number = read(frame, ADVERBS, lambda polarity: polarity)
    assert turned == []
    assert len(missed) < 0.1 * number, missed


@pytest.mark.parametrize("frame", DENYING)
def test_a_negated_word_is_the_other_class(frame):
    turned, missed, number = read(frame, DENIED, OPPOSITE.get)
    assert turned == []
    assert len(missed) < 0.1 * number, missed
