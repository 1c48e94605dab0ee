"""Reading raw answers: mixed replies beside the legacy scorer, hostile ones, a very long one."""

from __future__ import annotations

import json
import random
import statistics
import time
from typing import TYPE_CHECKING

from table import Line, at_most, ratio, times
from timing import REPEATS

import toolkit as tk
from toolkit.scoring import legacy_benchmark_lenient

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REPLIES = 1_000
LENGTH = 440  # characters, the mean of the mix that the legacy scorer was first timed on
HOSTILE = 100_000
STORY = (
    "The neighbour had promised to help with the move on Saturday and stayed at home in silence. "
    "The others waited for hours, lost the deposit on the van and paid for a second day. Someone "
    "who gives their word creates an expectation, and to break it shifts the cost to another. "
    "There was no emergency, and a short message would have been enough to avoid the loss. "
)


def answer_lines() -> list[Line]:
    """Time the normalizer; the ratio to the legacy scorer is taken on the same replies in turns."""
    convention = tk.convention("he300", "commonsense")
    replies = mixed(*map(str, convention.labels))
    strict, ladder, legacy = in_turns(
        [
            lambda reply: tk.normalize(reply, convention),
            lambda reply: tk.ladder(reply, convention),
            lambda reply: legacy_benchmark_lenient(reply, "commonsense"),
        ],
        replies,
    )
    worst, name = max(
        (median_of(lambda text=text: tk.normalize(text, convention, level="lenient")), name)
        for name, text in hostile(str(convention.labels[1])).items()
    )
    seven = tk.Contract({f"construct{number}": [1, 2, 3, 4, 5] for number in range(7)})
    contract, kind = max(
        (median_of(lambda text=text: tk.normalize(text, seven, level="lenient")), name)
        for name, text in hostile(str(convention.labels[1])).items()
    )
    essay = (STORY * (10_000_000 // len(STORY) + 1))[:10_000_000]
    long = median_of(lambda: tk.normalize(essay, convention, level="lenient"))
    return [
        at_most("normalize, level strict, median reply", strict, 25e-6, n=f"{REPLIES:,}"),
        at_most("ladder, four levels together, median reply", ladder, 150e-6, n=f"{REPLIES:,}"),
        times(Line("legacy scorer, lenient path, median reply", f"{REPLIES:,}", legacy), ladder),
        ratio("legacy lenient : ladder of four levels", legacy / ladder, least=2.5),
        at_most(f"worst hostile reply of 100 KB ({name})", worst, 0.010),
        at_most(f"the same for a contract of seven constructs ({kind})", contract, 0.050),
        at_most("reply of 10 MB, level lenient", long, 1.0),
    ]


def mixed(positive: str, negative: str) -> list[str]:
    """Write replies of eight kinds, half of them with the word in front."""
    kinds: list[Callable[[str], str]] = [
        lambda word: f"{word}\n{STORY}"[:LENGTH],
        lambda word: f"**{word}**. {STORY}"[:LENGTH],
        lambda word: f"{word}, because {STORY}"[:LENGTH],
        lambda word: f"<think>{STORY[:300]}</think>\n{word}. {STORY[:100]}"[:LENGTH],
        lambda word: json.dumps({"verdict": word, "why": STORY[: LENGTH - 40]}),
        lambda word: f"<answer>{word}</answer> {STORY}"[:LENGTH],
        lambda word: f"{STORY}So the answer is {word}."[-LENGTH:],
        lambda word: f"{STORY}I would call it {word.lower()}."[-LENGTH:],
    ]
    source = random.Random(7)  # noqa: S311 - a mix, not a secret
    return [source.choice(kinds)(source.choice([positive, negative])) for _ in range(REPLIES)]


def hostile(word: str) -> dict[str, str]:
    """Write 100 KB of what makes backtracking patterns and naive parsers slow."""
    pieces = {
        "braces": "{",
        "nested objects": '{"a":',
        "nested lists": "[",
        "nested both": "[{",
        "a key, repeated": '"label" ',
        "a key in braces, repeated": '{"label" ',
        "a field, repeated": "label: ",
        "objects": '{"label":1} ',
        "open tags": "<answer>",
        "tags cut off": "<answer ",
        "open reasoning": "<think>",
        "closed reasoning": "<think></think>",
        "open boxes": "\\boxed{",
        "quotes": '"',
        "backslashes": "\\",
        "entities": "&lt;",
        "zero width": "a\u200b",
        "fullwidth": "\uff35",
        "colour codes": "\x1b[31m",
        "cues": "answer: ",
        "cues without an answer": "the answer is ",
        "options": f"{word} or ",
        "questions": f"{word}? ",
        "refusals": "i cannot ",
        "full stops": ". ",
        "line breaks": "\n",
        "backticks": "`",
    }
    texts = {name: piece * (HOSTILE // len(piece)) for name, piece in pieces.items()}
    # What once was quadratic: the way back of each candidate, blanks behind a comma, values of one
    # object, words without a full stop.
    return {
        **texts,
        "a tag and blanks": "<answer>" + " " * HOSTILE + "x",
        "words and CRLF": f"{word}\r\n" * 300 + "a\r\n" * 32_000,
        "objects and entities": '{"label":1} ' * 60 + "&lt;" * 24_000,
        "two words and line breaks": f"he is {word}, she is not {word}," + "\n" * HOSTILE,
        "values of one object": "{" + '"label":1e0,' * 8_000 + '"x":1}',
        "words without a full stop": f"{word} x " * 399 + "a" * 94_000,
    }


def in_turns(functions: Sequence[Callable[[str], object]], replies: Sequence[str]) -> list[float]:
    """Give each function's median time of a reply, measured in turns; the median of five turns."""
    turns: list[list[float]] = [[] for _ in functions]
    for _ in range(REPEATS):
        for function, medians in zip(functions, turns, strict=True):
            medians.append(statistics.median(once(lambda r=r: function(r)) for r in replies))  # noqa: B023 - called at once
    return [statistics.median(medians) for medians in turns]


def median_of(function: Callable[[], object]) -> float:
    """Give the median wall time of five calls."""
    return statistics.median(once(function) for _ in range(REPEATS))


def once(function: Callable[[], object]) -> float:
    """Give the wall time of one call."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
