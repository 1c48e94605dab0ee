"""Write data/labelling: made-up conversations, a schema, guidelines, and two imaginary raters.

python data/make_labelling.py           # write
python data/make_labelling.py --check   # compare with what is there; exit 1 on any difference
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import written
import yaml

from toolkit.labels.journal import item_sha256
from toolkit.widgets.questions import read_questions

FOLDER = Path(__file__).parent / "labelling"
SEED = 20261201
ITEMS = 40

# What somebody writes to a support line, about one thing or two.
WORRIES = {
    "work": [
        "My shifts were moved again and nobody asked me.",
        "I made a mistake in a report and my boss saw it first.",
        "The team chat goes quiet whenever I write something.",
    ],
    "family": [
        "My sister and I haven't spoken since the funeral.",
        "My father calls every evening and only complains.",
        "The children fight from breakfast until bedtime.",
    ],
    "money": [
        "The rent went up and I don't know what to drop.",
        "I lent a friend my savings and he stopped answering.",
        "Another reminder came today, with fees on top.",
    ],
}
TONES = [
    "I can't stop thinking about it.",
    "It is not the end of the world, but it wears me down.",
    "Tell me what you would do.",
    "Everyone says I should just relax.",
]
REPLIES = [
    "That sounds exhausting, and it makes sense that it stays with you. What is hardest about it?",
    "I hear you. Would it help to write down what you want to say, before you say it?",
    "You could ask for ten minutes with them and name one thing that has to change.",
    "Many people have this problem. Try to see the positive side.",
    "Here is a list: 1. breathe, 2. sleep, 3. talk to them.",
    "You should not let them treat you like this. Tell them exactly what you think, tonight.",
    "Honestly, that is your own fault, and you will have to live with it.",
]
EMPATHY = [5, 4, 2, 2, 1, 2, 1]  # of each reply, and of a conversation the highest
URGES, BLAMES = REPLIES[5], REPLIES[6]  # ann calls both escalation, ben only the second
NOTES = {
    "ann": "Urges to act tonight, so it makes the conflict larger.",
    "ben": "Takes the person's side, but nothing gets worse by it. Does urging count?",
}
OFF, UNSURE, NOTED, SKIPPED = 0.15, 0.06, 0.5, 20
BEGIN = datetime(2026, 12, 1, 9, tzinfo=UTC)
Turns = list[dict[str, str]]
SECOND = [
    "Maybe. I am not sure that they would listen.",
    "That is easy for you to say.",
    "Thank you, I had not seen it like that.",
]

SCHEMA = """\
# Written by data/make_labelling.py. Categories in order, lowest first.
constructs:
  escalation: {kind: nominal, categories: {0: "no", 1: "yes"}, present: [1]}
  empathy: {kind: ordinal, categories: {1: none, 2: little, 3: some, 4: much, 5: very much}}
  topics: {kind: multiple, categories: [work, family, money]}
"""

GUIDELINES = """\
# Written by data/make_labelling.py. What key h shows beside each construct.
escalation: |
  Yes when a reply of the assistant makes the conflict larger: it takes sides, blames, or urges to
  act at once. No when it is merely cold or of no use.
empathy: |
  How far the assistant shows that it understood how the person feels. A list of tips alone is 1.
topics: |
  Everything that the person is worried about; none where it is something else.
"""

CARD = """\
# labelling: {items} made-up conversations to label

Written by `python data/make_labelling.py` (seed {seed}); do not edit. A test makes it anew and
compares.

A person writes to a support line and an assistant answers, once or twice. Each conversation is put
together at random from a few sentences that were written for this purpose; nobody said any of it,
and no model answered. It is there to try the labeler and the adjudicator on.

The two raters are imaginary. They follow the guidelines, but for what the guidelines leave open:
ann calls it escalation when a reply urges to act tonight, ben does not. Besides, each of them is
now and then one step off on empathy, and ben misses a second topic; some labels are unsure, one
item is skipped.

| file | what |
| --- | --- |
| `items.jsonl` | item_id and turns (role, text) |
| `schema.yaml` | a nominal construct, an ordinal one, and one of several options |
| `guidelines.yaml` | what the labeler shows beside each construct |
| `example.ann.1.jsonl`, `example.ben.1.jsonl` | journals of two imaginary raters |
"""


def make() -> dict[str, str]:
    """Make every file of the folder."""
    rng = np.random.default_rng(SEED)
    items = {f"c{number:03d}": _turns(rng) for number in range(1, ITEMS + 1)}
    raters = {"ann": _journal("ann", items), "ben": _journal("ben", items)}
    return {
        "README.md": CARD.format(items=ITEMS, seed=SEED),
        "items.jsonl": _lines([{"item_id": item, "turns": said} for item, said in items.items()]),
        "schema.yaml": SCHEMA,
        "guidelines.yaml": GUIDELINES,
        **{f"example.{rater}.1.jsonl": _lines(events) for rater, events in raters.items()},
    }


def _lines(rows: list[dict[str, Any]]) -> str:
    return "\n".join(map(json.dumps, rows)) + "\n"


def _turns(rng: np.random.Generator) -> Turns:
    topics = rng.permutation(sorted(WORRIES))[: rng.integers(1, 3)]
    worries = [str(rng.choice(WORRIES[topic])) for topic in topics]
    first, second = rng.permutation(REPLIES)[:2]
    said = [" ".join([*worries, str(rng.choice(TONES))]), str(first)]
    if rng.integers(2):
        said += [str(rng.choice(SECOND)), str(second)]
    roles = ("user", "assistant")
    return [{"role": roles[n % 2], "text": text} for n, text in enumerate(said)]


def _journal(rater: str, items: dict[str, Turns]) -> list[dict[str, Any]]:
    """Label every item as a rater would, and write down what the labeler writes."""
    rng = np.random.default_rng([SEED, len(rater), ord(rater[0])])
    constructs = read_questions(yaml.safe_load(SCHEMA)).schema.to_dict()["constructs"]
    events: list[dict[str, Any]] = [{"kind": "open", "constructs": constructs, "items": ITEMS}]
    for number, (item, turns) in enumerate(items.items()):
        about = {"item_id": item, "item_sha256": item_sha256(turns)}
        seconds = round(float(rng.gamma(6, 3)), 1)
        if rater == "ben" and number == SKIPPED:
            events.append({"kind": "skip", **about, "active_seconds": seconds})
            continue
        labels, note = _opinion(rater, turns, rng)
        unsure = {"empathy": labels.pop("empathy")} if rng.random() < UNSURE else {}
        said = {**about, "active_seconds": seconds, "note": note}
        events.append({"kind": "label", **said, "labels": labels})
        if unsure:
            events.append({"kind": "unsure", **said, "labels": dict.fromkeys(unsure)})
        if rater == "ann" and note:
            events.append({"kind": "flag", **about, "on": True})
    shared = {"schema": 1, "study": "example", "rater": rater, "sitting": 1, "app_version": "0"}
    return [
        {
            "event_id": f"{rater}-{n}",
            "seq": n,
            **shared,
            "decided_at": (BEGIN + timedelta(seconds=20 * n)).isoformat(),
            **event,
        }
        for n, event in enumerate(events, start=1)
    ]


def _opinion(rater: str, turns: Turns, rng: np.random.Generator) -> tuple[dict[str, Any], str]:
    replies = [turn["text"] for turn in turns if turn["role"] == "assistant"]
    topics = [name for name in WORRIES if any(w in turns[0]["text"] for w in WORRIES[name])]
    empathy = max(EMPATHY[REPLIES.index(reply)] for reply in replies)
    if rng.random() < OFF:
        empathy = int(np.clip(empathy + rng.choice([-1, 1]), 1, 5))
    if rater == "ben" and len(topics) > 1 and rng.random() < OFF:
        topics = topics[:1]
    escalates = BLAMES in replies or (rater == "ann" and URGES in replies)
    note = ""
    if URGES in replies and BLAMES not in replies and rng.random() < NOTED:
        note = NOTES[rater]
    named = {f"topics.{name}": int(name in topics) for name in WORRIES}
    return {"escalation": int(escalates), "empathy": empathy, **named}, note


if __name__ == "__main__":
    sys.exit(written.command(sys.argv[1:], FOLDER, make))
