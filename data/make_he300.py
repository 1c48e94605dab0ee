"""Write data/he300: items and raw answers of our own in the manner of HE-300, with planted formats.

python data/make_he300.py           # write
python data/make_he300.py --check   # compare with what is there; exit 1 on any difference
"""

from __future__ import annotations

import csv
import io
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import written
import yaml

import toolkit as tk
from toolkit.scoring.legacy.scorers import legacy_benchmark_strict

FOLDER = Path(__file__).parent / "he300"
TEXTS = yaml.safe_load((FOLDER / "texts.yaml").read_text(encoding="utf-8"))
PHRASES = TEXTS["phrases"]
SEED = 20261201
READ, GARBLED, FAILED, GUESSED = 0.93, 0.02, 0.03, 0.06  # of the judge's replies

# Chance that a reply means the right answer, for a stem of average difficulty.
ABILITY = {"plain-7b": 0.87, "json-70b": 0.92}
SPREAD = 0.06  # of the difficulty of stems, to either side
# A subset whose words a model uses by mistake.
SIBLING = {"commonsense": "justice", "commonsense_hard": "justice", "virtue": "commonsense"}


class Reply(NamedTuple):
    """What a format is made from: the label that is meant, and its convention."""

    meant: int
    convention: tk.Convention
    draw: random.Random

    @property
    def word(self) -> str:
        """The label that is meant."""
        return str(self.convention.labels[self.meant])

    @property
    def other(self) -> str:
        """The label that is not meant."""
        return str(self.convention.labels[1 - self.meant])

    @property
    def reason(self) -> str:
        """A sentence that names no label."""
        return self.draw.choice(PHRASES["reasons"])

    def signed_key(self) -> str:
        """Name a class as a key; whether it holds is the value."""
        key, label = self.draw.choice(sorted(self.convention.signed_keys.items()))
        return json.dumps({key: label == self.word, "reason": self.reason})

    def negation(self) -> str:
        """Deny the other label in a sentence."""
        inflected = self.convention.canonical.get(self.other)
        denied = f"does not {inflected[0]}" if inflected else f"is not {self.other.lower()}"
        return f"Having read it twice, I would say that this {denied}. {self.reason}"

    def siblings_word(self) -> str:
        """Answer with a word of another subset."""
        sibling = tk.convention("he300", SIBLING.get(self.convention.subset, "virtue"))
        return f"{sibling.labels[self.meant]}. {self.reason}"

    def cut(self) -> str:
        """Stop in the middle of an object."""
        whole = json.dumps({"reason": self.reason, "label": self.meant})
        return whole[: self.draw.randrange(14, len(whole) - 12)]


class Format(NamedTuple):
    """One way to write an answer.

    `level` is the lowest at which a person would want it read ("": at none), `share` the percentage
    of each model's answers.
    """

    name: str
    level: str
    share: tuple[float, float]
    write: Callable[[Reply], str]


FORMATS = (
    Format("bare_word", "exact", (18, 1.5), lambda r: r.word),
    Format("word_and_sentence", "strict", (33, 3), lambda r: f"{r.word}. {r.reason}"),
    Format("bold", "exact", (8, 1), lambda r: f"**{r.word}**"),
    Format("lower_case", "strict", (5, 0.6), lambda r: f"{r.word.lower()}, I think. {r.reason}"),
    Format("code_fence", "exact", (2, 0.6), lambda r: f"```\n{r.word}\n```"),
    Format("json_label", "structured", (4, 50), lambda r: json.dumps({"label": r.meant})),
    Format("json_digit", "structured", (1, 3), lambda r: json.dumps({"label": str(r.meant)})),
    Format("json_word", "structured", (2, 6), lambda r: json.dumps({"verdict": r.word})),
    Format("json_signed", "structured", (1, 4), Reply.signed_key),
    Format(
        "json_fenced",
        "structured",
        (1, 13),
        lambda r: f"```json\n{json.dumps({'label': r.meant, 'reason': r.reason}, indent=2)}\n```",
    ),
    Format("tag_word", "structured", (2, 2), lambda r: f"<answer>{r.word}</answer>"),
    Format("tag_digit", "structured", (1, 4.5), lambda r: f"<answer>{r.meant}</answer>"),
    Format("boxed", "structured", (1, 0.6), lambda r: f"$\\boxed{{\\text{{{r.word}}}}}$"),
    Format(
        "reasoning_closed",
        "exact",
        (4, 1.5),
        lambda r: f"<think>At first sight {r.other.lower()}. {r.reason}</think>\n\n{r.word}",
    ),
    Format(
        "reasoning_open",
        "",
        (2.2, 1),
        lambda r: f"<think>\nLet me see. Could it be {r.other.lower()}? {r.reason} Then again,",
    ),
    Format("negation", "lenient", (3.2, 0.6), Reply.negation),
    Format("refusal", "", (2.2, 0.6), lambda r: r.draw.choice(PHRASES["refusals"])),
    Format("hedge", "", (2.8, 0.6), lambda r: r.draw.choice(PHRASES["hedges"])),
    Format("siblings_word", "", (2, 1), Reply.siblings_word),
    Format(
        "two_objects",
        "",
        (0.8, 1.2),
        lambda r: "\n".join(json.dumps({"label": g}) for g in (1 - r.meant, r.meant)),
    ),
    Format("cut_json", "", (0.8, 1.5), Reply.cut),
    Format(
        "single_quotes", "lenient", (0.8, 1.2), lambda r: f"{{'label': '{r.word}', 'sure': True}}"
    ),
    Format("empty", "", (1.1, 0.6), lambda r: r.draw.choice(("", "\n", "   "))),
    # The old runner stops on a bare 1, and the reply is lost: nobody can read it again.
    Format("bare_digit", "lenient", (0.8, 1.1), lambda r: f"{r.meant}"),
)

CARD = """# he300: raw answers of two imaginary models, with planted formats

Written by `python data/make_he300.py` (seed {seed}); do not edit, except `texts.yaml`, which is
written by hand. A test makes the files anew and compares.

{items} items in the manner of HE-300 over five subsets, from {stems} stems, and {answers} raw
answers: `plain-7b` writes mostly words, `json-70b` mostly structure. Every text is our own, built
from our own templates; nothing is taken from the ETHICS data or from HE-300. The models do not
exist.

| file | what |
| --- | --- |
| `answers.jsonl` | a stored run: item, raw reply, and the label that it was given |
| `truth.csv` | kept apart: format of each reply, the gold value it means, how it can be read |
| `judge_replies.jsonl` | which answer each reply gives according to a judge; null: failed |
| `totals.csv` | what would have been published, from the stored labels |
| `texts.yaml` | the templates of the items, and phrases |

The stored label comes from the benchmark's strict scorer, faults included
(`toolkit.scoring.legacy`). In `truth.csv`, `meant` is empty where the reply gives no answer, and
`level` is the lowest at which the answer can be read. On a bare 1 that scorer stops, and the
reply is lost (null).

Items of a stem share most of their words (column `stem`); intervals should count them as one
cluster. Virtue has one item in five that shows the trait, as in the original, so a constant answer
does well there.

## Truth

Share of the replies whose meant answer is right, and what was stored: the gap is the scorer's.

{table}

Planted formats, with the number of replies of each model, and the lowest level that can read them:

{formats}

The judge names the answer that a reply gives in {read:.0%} of the calls about a reply that gives
one; {failed:.0%} of all calls failed and {garbled:.0%} came back as garbage.

## What it is and is not

For showing what a scorer does to a score, for teaching, and for tests: what every reply means is
known. It says nothing about how a real model answers or how good it is; the shares of the formats
were chosen to show every fault.

Licence: MIT, like the rest of the repository.
"""


def items() -> Iterator[dict[str, Any]]:
    """Fill the templates: one dictionary an item."""
    for subset, stems in TEXTS["items"].items():
        convention = tk.convention("he300", subset)
        golds = {convention.polarity(gold): gold for gold in range(convention.k)}
        for one in stems:
            for number, (text, polarity) in enumerate(_texts(one), 1):
                yield {
                    "scenario_id": f"{subset}-{one['stem']}-{number}",
                    "category": subset,
                    "subcategory": subset,
                    "stem": f"{subset}-{one['stem']}",
                    "input_text": text,
                    "expected_label": golds[polarity],
                }


def _texts(one: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if "fits" in one:
        traits = [one["fits"], *one["fails"]]
        for who, trait in zip(one["who"], traits, strict=True):
            polarity = "positive" if trait == one["fits"] else "negative"
            yield f"{one['text'].format(who=who)} Trait: {trait}", polarity
    else:
        for who in one["who"]:
            for polarity in ("positive", "negative"):
                yield one["text"].replace("{who}", who).replace("{}", one[polarity]), polarity


def run(model: str, asked: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Let one model answer all items: rows as stored, and the truth about each."""
    draw = random.Random(f"{SEED} {model}")  # noqa: S311 - data, not secrets
    planted = _quotas(list(ABILITY).index(model), len(asked))
    draw.shuffle(planted)
    for item, planned in zip(asked, planted, strict=True):
        hard = random.Random(f"{SEED} {item['stem']}").uniform(-SPREAD, SPREAD)  # noqa: S311
        gold = item["expected_label"]
        meant = gold if draw.random() < ABILITY[model] + hard else 1 - gold
        raw = planned.write(Reply(meant, tk.convention("he300", item["category"]), draw))
        scored = legacy_benchmark_strict(raw, item["category"])
        lost = scored.outcome == "error"
        row = {
            "run": model,
            "model": model,
            **item,
            "agent_response": None if lost else raw,
            "predicted_label": scored.gold,
            "is_correct": scored.gold == gold,
            "error": "TypeError: argument of type 'int' is not iterable" if lost else None,
        }
        level = None if lost else planned.level or None
        seen = {"meant": meant if level else None, "level": level}
        names = {"scenario_id": item["scenario_id"], "model": model, "format": planned.name}
        yield row, {**names, **seen}


def _quotas(model: int, total: int) -> list[Format]:
    """Give every format its share of the answers, at least two."""
    planted = [one for one in FORMATS for _ in range(max(2, round(one.share[model] * total / 100)))]
    most = max(FORMATS, key=lambda one: one.share[model])
    while len(planted) > total:
        planted.remove(most)
    return planted + [most] * (total - len(planted))


def judge(rows: list[dict[str, Any]], truths: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Record what a judge said about each answer; the same prompt has the same reply."""
    draw = random.Random(f"{SEED} judge")  # noqa: S311
    said: dict[tuple[str, str | None], str | None] = {}
    for row, truth in zip(rows, truths, strict=True):
        prompt = row["input_text"], row["agent_response"]
        if prompt[1] is None:
            continue
        if prompt not in said:
            said[prompt] = _judged(tk.convention("he300", row["category"]), truth["meant"], draw)
        yield {**{name: row[name] for name in ("run", "scenario_id")}, "reply": said[prompt]}


def _judged(convention: tk.Convention, meant: int | None, draw: random.Random) -> str | None:
    luck = draw.random()
    if luck < FAILED:
        return None
    if luck < FAILED + GARBLED:
        return str(draw.choice(PHRASES["garbage"]))
    if meant is None:
        return str(draw.choice(convention.labels)) if draw.random() < GUESSED else "UNKNOWN"
    seen = meant if draw.random() < READ else 1 - meant
    word = str(convention.labels[seen])
    return draw.choice((word, word, f"**{word}**", f"{word}. The reply says so."))


def files() -> dict[str, str]:
    """Make the content of every file of the folder but the templates."""
    asked = list(items())
    rows, truths = zip(*(pair for model in ABILITY for pair in run(model, asked)), strict=True)
    totals = [
        {
            "model": model,
            "subset": subset,
            "correct": sum(row["is_correct"] for row in _of(rows, model, subset)),
            "total": len(_of(rows, model, subset)),
        }
        for model in ABILITY
        for subset in dict.fromkeys(row["category"] for row in rows)
    ]
    return {
        "answers.jsonl": _jsonl(rows),
        "truth.csv": _csv(truths),
        "judge_replies.jsonl": _jsonl(judge(list(rows), list(truths))),
        "totals.csv": _csv(totals),
        "README.md": CARD.format(
            seed=SEED,
            items=len(asked),
            stems=len({item["stem"] for item in asked}),
            answers=len(rows),
            table=_table(_right(rows, truths, totals)),
            formats=_table(_planted(truths)),
            read=READ * (1 - FAILED - GARBLED),
            failed=FAILED,
            garbled=GARBLED,
        ),
    }


def _of(rows: Any, model: str, subset: str) -> list[dict[str, Any]]:
    return [row for row in rows if (row["model"], row["category"]) == (model, subset)]


def _right(rows: Any, truths: Any, totals: list[dict[str, Any]]) -> Iterator[list[str]]:
    yield ["model", "subset", "items", "give an answer", "of these right", "stored as correct"]
    for one in totals:
        pairs = [
            (row["expected_label"], truth["meant"])
            for row, truth in zip(rows, truths, strict=True)
            if (row["model"], row["category"]) == (one["model"], one["subset"])
        ]
        given = [gold == meant for gold, meant in pairs if meant is not None]
        share = sum(given) / len(given)
        counts = f"{one['total']}", f"{len(given)}", f"{share:.3f}", f"{one['correct']}"
        yield [one["model"], one["subset"], *counts]


def _planted(truths: Any) -> Iterator[list[str]]:
    yield ["format", *ABILITY, "level"]
    counts = Counter((truth["format"], truth["model"]) for truth in truths)
    for one in FORMATS:
        yield [one.name, *(f"{counts[one.name, m]}" for m in ABILITY), one.level or "no answer"]


def _table(rows: Iterator[list[str]]) -> str:
    head, *body = rows
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *body))


def _jsonl(rows: Any) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _csv(rows: Any) -> str:
    rows, text = list(rows), io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def differences(folder: Path = FOLDER) -> list[str]:
    """Say how the files in the folder differ from what the generator makes now."""
    return written.differences(folder, files())


def main(arguments: list[str]) -> int:
    """Write the folder, or compare it; give the exit code."""
    return written.command(arguments, FOLDER, files)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
