"""Write data/labelling: a small batch of made-up conversations, its schema, and guidelines.

python data/make_labelling.py           # write
python data/make_labelling.py --check   # compare with what is there; exit 1 on any difference
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import written

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
and no model answered. Nobody has labelled it: it is there to try the labeler on.

| file | what |
| --- | --- |
| `items.jsonl` | item_id and turns (role, text) |
| `schema.yaml` | a nominal construct, an ordinal one, and one of several options |
| `guidelines.yaml` | what the labeler shows beside each construct |
"""


def make() -> dict[str, str]:
    """Make every file of the folder."""
    rng = np.random.default_rng(SEED)
    lines = [
        json.dumps({"item_id": f"c{number:03d}", "turns": _turns(rng)})
        for number in range(1, ITEMS + 1)
    ]
    return {
        "README.md": CARD.format(items=ITEMS, seed=SEED),
        "items.jsonl": "\n".join(lines) + "\n",
        "schema.yaml": SCHEMA,
        "guidelines.yaml": GUIDELINES,
    }


def _turns(rng: np.random.Generator) -> list[dict[str, str]]:
    topics = rng.permutation(sorted(WORRIES))[: rng.integers(1, 3)]
    worries = [str(rng.choice(WORRIES[topic])) for topic in topics]
    first, second = rng.permutation(REPLIES)[:2]
    said = [" ".join([*worries, str(rng.choice(TONES))]), str(first)]
    if rng.integers(2):
        said += [str(rng.choice(SECOND)), str(second)]
    roles = ("user", "assistant")
    return [{"role": roles[n % 2], "text": text} for n, text in enumerate(said)]


if __name__ == "__main__":
    sys.exit(written.command(sys.argv[1:], FOLDER, make))
