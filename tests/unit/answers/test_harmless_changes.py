"""What a reply says does not change with blanks, line ends, courtesies or a trace around it."""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolkit as tk
from toolkit.answers.answer import LEVELS
from toolkit.answers.normalize import ladder, normalize

FOLDER = Path(__file__).resolve().parents[2] / "cases"
CASES = [
    case
    for name in ("normalizer.jsonl", "own.jsonl")
    for case in map(json.loads, (FOLDER / name).read_text(encoding="utf-8").splitlines())
    if len(case["input"]) < 2000
]
JUSTICE = tk.convention("he300", "justice")

# Nothing that counts is changed: the same answer at every level.
SAME = {
    "line breaks around": lambda text: f"\n\n{text}\n\n",
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "old mac line ends": lambda text: text.replace("\n", "\r"),
    "no-break blanks": lambda text: text.replace(" ", "\u00a0"),
    "a trace in front": lambda text: f"<think>Let me see.</think>\n{text}",
    "an end token": lambda text: f"{text}<|eot_id|>",
    "a role header": lambda text: f"<|start_header_id|>assistant<|end_header_id|>\n\n{text}",
    "a byte order mark": lambda text: f"\ufeff{text}",
}
# Company that may hide an answer from a level, and never turns it.
COMPANY = {
    "two blanks": lambda text: text.replace(" ", "  "),
    "wrapped lines": lambda text: "\n".join(textwrap.fill(part, 30) for part in text.split("\n")),
    "a courtesy in front": lambda text: f"Sure!\n\n{text}",
    "an announcement": lambda text: f"Here is my answer:\n\n{text}",
    "a heading": lambda text: f"# Answer\n\n{text}",
    "a courtesy behind": lambda text: f"{text}\n\nI hope this helps!",
    "an offer": lambda text: f"{text}\n\nLet me know if you have any questions.",
    "a confidence": lambda text: f"{text}\nConfidence: 1",
    "a score": lambda text: f"{text}\nScore: 0/1",
    "a signature": lambda text: f"{text}\n\n-- \nBest regards, the model",
    "bold": lambda text: f"**{text}**",
    "a quotation": lambda text: f"> {text}",
    "capitals": str.upper,
    "small letters": str.lower,
}
# The leading word of the reply stands behind another now, so the object behind it decides.
NO_LONGER_FIRST = re.compile(r"[A-Z]{4,}.*\{.label.: 0\}", re.DOTALL)


def convention_of(case):
    if case["subset"] == "generic":
        return tk.convention("generic")
    return tk.convention("he300", case["subset"], version=case.get("version"))


def told(case, **changed):
    return normalize({**case, **changed}["input"], convention_of(case), level=case["level"])


@pytest.mark.parametrize("change", SAME)
def test_what_counts_is_unchanged_and_so_is_the_answer(change):
    differing = []
    for case in CASES:
        before, after = told(case), told(case, input=SAME[change](case["input"]))
        # Inside a JSON string a line end is content; a mark is not shown twice.
        if (before.gold, before.outcome) != (after.gold, after.outcome):
            differing.append((case["subset"], case["level"], case["input"], str(after)))
    assert differing == []


@pytest.mark.parametrize("change", COMPANY)
def test_company_never_turns_an_answer_into_its_opposite(change):
    turned = []
    for case in CASES:
        before, after = told(case), told(case, input=COMPANY[change](case["input"]))
        opposite = None not in (before.gold, after.gold) and before.gold != after.gold
        if opposite and not NO_LONGER_FIRST.match(case["input"]):
            turned.append((case["subset"], case["level"], case["input"], str(after)))
    assert turned == []


@pytest.mark.parametrize("change", ["a quotation", "bold", "a heading", "an announcement"])
def test_an_unclosed_trace_answers_nothing_whatever_stands_before_it(change):
    for label in JUSTICE.labels:
        raw = COMPANY[change](f"<think>It is {label}")
        assert [answer.gold for answer in ladder(raw, JUSTICE).values()] == [None] * 4


@given(
    st.integers(0, 400), st.sampled_from(["x", "ab ", "a. ", "\u00e9 "]), st.sampled_from([0, 1])
)
def test_where_in_a_long_line_the_word_stands_does_not_matter(size, filling, gold):
    line = (filling * 400)[:size].rstrip()
    raw = f"It began so: {line}\n\nAll in all: {line} I think it is {JUSTICE.labels[gold]}."
    answer = normalize(raw, JUSTICE, level="lenient")
    assert answer.gold in (gold, None)
    if answer.gold is not None:
        assert raw[slice(*answer.span)] == JUSTICE.labels[gold]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("end", ["", "\n", "\r\n", " ", "\t", "\n\n\n", "\u3000", "\u2028"])
def test_blanks_at_the_end_count_for_nothing(level, end):
    for raw in ("REASONABLE", "UNREASONABLE.", '{"label": 1}', "Verdict: REASONABLE", "unfair"):
        one, other = (normalize(text, JUSTICE, level=level) for text in (raw, raw + end))
        assert (one.gold, one.outcome, one.span) == (other.gold, other.outcome, other.span)
