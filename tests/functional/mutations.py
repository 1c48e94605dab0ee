"""Damaged replies, seeded, and what must hold whatever a model wrote."""

from __future__ import annotations

import html
import json
import random
import re
from functools import cache
from pathlib import Path

import toolkit as tk
from toolkit.answers.answer import LEVELS, OUTCOMES
from toolkit.answers.lexicon import fold
from toolkit.answers.normalize import ladder, normalize
from toolkit.answers.stages.clean import clean

CASES = Path(__file__).resolve().parents[1] / "cases"
MOST_CHARACTERS = 3000
INVISIBLE = [
    *"\u200b\u200d\ufeff\u00ad\u202e\u2066\ufe0f\x00\x07\ud835\udc00",
    *("\x1b[31m", "\x1b[0m"),
]
BRACKETS = [
    *"{}[]()<>\"'`:,|/\\=*_#-.!?\n\t ",
    *("```", "}}", "{{", "</", "\\boxed{", "<|", "&lt;"),
]
GLUE = [
    *(" ", "\n", "\n\n", ". ", ", ", " or ", " and ", "/", ": ", " = ", " is ", " not ", ""),
]
WORDS = (
    "not no never yes true false if wait actually final answer verdict label 0 1 2 -1 0.5 10"
).split()
WRAPPERS = [
    '{{"label": {}}}',
    '{{"verdict": "{}"}}',
    '{{"a": {{"b": {}}}}}',
    "[{}]",
    '"{}"',
    "<answer>{}</answer>",
    "<think>{}</think>",
    "<think>{}",
    "{}</think>",
    "```json\n{}\n```",
    "\\boxed{{{}}}",
    "**{}**",
    "Answer: {}",
    "# {}\n",
    "- {}",
    "> {}",
    "({})",
    "It is not {}.",
    "Is it {}?",
    "{} if asked",
    "<label>{}</label>",
    "{{'verdict': '{}'}}",
    "{{{{{}}}}}",
    "| verdict | {} |",
    "Wait. {}",
    "I can't say {}.",
    '{{"name": "f", "arguments": {}}}',
    "<|channel|>final<|message|>{}",
    "<!-- {} -->",
    "{} (sure)",
]
# A span shows an answer when what it covers names a word on offer, a truth value or a number.
_SHOWN = re.compile(r"\d|\b(?:yes|no|true|false|y|n)\b")


@cache
def conventions():
    """Every bundled convention, one of three labels and one of numbers."""
    mine = {"benchmark": "mine", "subset": "s", "labels": ["low", "mid", "high"]}
    return (
        *tk.Registry.bundled().conventions,
        tk.Convention(**mine, synonyms={"low": ["small"]}, locales={"de": {"high": ["hoch"]}}),
        tk.Convention(**{**mine, "labels": [-1, 0, 1]}, integers="category"),
    )


@cache
def contract():
    return tk.Contract({"label": [1, 2, 3], "verdict": [0, 1], "answer": ["cold", "warm"]})


@cache
def seeds():
    """Replies to start from: every case, and every word of every convention."""
    lines = [
        line
        for name in ("normalizer.jsonl", "own.jsonl")
        for line in (CASES / name).read_text(encoding="utf-8").splitlines()
    ]
    inputs = [json.loads(line)["input"][:MOST_CHARACTERS] for line in lines]
    words = sorted({word for one in conventions() for word in one.lexicon.words})
    return inputs, [*words, *(word.upper() for word in words), *WORDS]


def _splice(rng, text, other):
    at, start = rng.randint(0, len(text)), rng.randint(0, len(other))
    return text[:at] + other[start : start + rng.randint(1, 60)] + text[at:]


def _delete(rng, text, _other):
    at = rng.randint(0, len(text))
    return text[:at] + text[at + rng.choice([1, 1, 2, 5, 30, 1000]) :]


def _duplicate(rng, text, _other):
    at = rng.randint(0, len(text))
    part = text[at : at + rng.randint(1, 40)]
    return text[:at] + part * rng.choice([2, 2, 3, 20]) + text[at + len(part) :]


def _nest(rng, text, _other):
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        text = rng.choice(WRAPPERS).format(text)
    return text


def _hide(rng, text, _other):
    for _ in range(rng.choice([1, 1, 2, 6])):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(INVISIBLE) + text[at:]
    return text


def _bracket(rng, text, _other):
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(BRACKETS) * rng.choice([1, 1, 1, 2, 50]) + text[at:]


def _join(rng, text, other):
    return rng.choice(GLUE).join(rng.sample([text, other], 2))


def _word(rng, text, _other):
    at = rng.randint(0, len(text))
    return f"{text[:at]}{rng.choice(GLUE)}{rng.choice(seeds()[1])}{rng.choice(GLUE)}{text[at:]}"


def _cut(rng, text, _other):
    return text[: rng.randint(0, len(text))]


def _style(rng, text, _other):
    kind = rng.randrange(5)
    if kind == 0:
        return html.escape(text)
    if kind == 1:
        return json.dumps(text)
    if kind == 2:
        return text.swapcase()
    if kind == 3:
        return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    at = rng.randint(0, len(text))
    return text[:at] + chr(rng.choice([rng.randrange(0x250), rng.randrange(0x110000)])) + text[at:]


OPERATIONS = (
    *(_splice, _delete, _duplicate, _hide, _join, _cut, _style),
    *(_nest, _bracket, _word) * 2,
)


def mutated(rng):
    """Draw one damaged reply."""
    inputs, words = seeds()
    text = rng.choice(words) if rng.random() < 0.25 else rng.choice(inputs)
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4, 6])):
        text = rng.choice(OPERATIONS)(rng, text, rng.choice(inputs))[:MOST_CHARACTERS]
    return text


def violation(raw, conv, answer):
    """Say which rule an answer breaks, or None."""
    if answer.outcome not in OUTCOMES or (answer.gold is None) != (answer.outcome != "answered"):
        return "gold without an answer, or an answer without gold, or an unknown outcome"
    if not all(0 <= one.span[0] < one.span[1] <= len(raw) for one in answer.candidates):
        return "a candidate is empty or not inside the reply"
    if answer.gold is None:
        left = (answer.label, answer.polarity, answer.rule, answer.stage, answer.span)
        return None if left == (None,) * 5 else "no answer, and yet a label, a rule or a span"
    read = conv.labels[answer.gold], conv.polarity(answer.gold)
    if (answer.label, answer.polarity) != read:
        return "label or polarity is not that of the gold value"
    if answer.rule in ("leading_word", "lone_line"):
        start, end = answer.span
        word = conv.lexicon.words.get(fold(clean(raw[start:end]).text))
        if word is None or word.gold != answer.gold:
            return "the span is not a word of the class"
    return shown(raw, conv, answer.span)


def shown(raw, conv, span):
    """Say why a span does not show an answer, or None."""
    if span is None:
        return "no span"
    start, end = span
    if not 0 <= start < end <= len(raw):
        return "the span is empty or not inside the reply"
    part = fold(clean(raw[start:end]).text)
    if _SHOWN.search(part) or any(word in part for word in conv.lexicon.words):
        return None
    return "the span shows no word, no truth value and no number"


def broken(raw, conv):
    """List what is broken in how one reply is read at all levels: (level, rule)."""
    try:
        rungs = ladder(raw, conv)
        found = [(level, violation(raw, conv, rungs[level])) for level in LEVELS]
        found += [
            (level, "the ladder differs from the level")
            for level in LEVELS
            if rungs[level] != normalize(raw, conv, level=level)
        ]
        for level in ("structured", "lenient"):
            for name, answer in normalize(raw, contract(), level=level).items():
                found.append((level, violation(raw, contract().conventions[name], answer)))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
        return [("any", repr(error))]
    return [(level, rule) for level, rule in found if rule]


def run(seed, number):
    """Read a number of mutated replies; give the first few that break a rule, and the outcomes."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    failures, outcomes = [], {}
    for _ in range(number):
        raw, conv = mutated(rng), rng.choice(conventions())
        found = broken(raw, conv)
        if found:
            failures += [("/".join(conv.key), raw, found)] * (len(failures) < 20)
            continue
        outcome = normalize(raw, conv, level="lenient").outcome
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    return failures, outcomes
