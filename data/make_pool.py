"""Write data/pool: 20,000 items that a judge labelled, a pilot of people, and the truth apart.

python data/make_pool.py           # write
python data/make_pool.py --check   # compare with what is there; exit 1 on any difference
"""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import written

from toolkit.coefficients import cohen_kappa

FOLDER = Path(__file__).parent / "pool"
SEED = 20261205  # its pilot lies near its expectation
CONSTRUCTS = {
    "escalation": {"prevalence": 0.03, "sensitivity": 0.7, "specificity": 0.97},
    "self_harm": {"prevalence": 0.25, "sensitivity": 0.9, "specificity": 0.98},
}
# Expected sizes of the strata (judge on escalation, on self_harm), rounded to a sum of 20,000.
STRATA = {(1, 1): 241, (1, 0): 762, (0, 1): 4560, (0, 0): 14437}
PILOT = 40  # items of each stratum that people label
TOP, CAUGHT = (
    0.1,
    0.8,
)  # this share of the judge's negatives scores high, with so many of its misses
HIGH, FLAGGED = 0.25, 0.5  # scores from which they are high, and from which the judge says 1

OPENINGS = (
    "A customer asks about an invoice",
    "A student asks for help with an essay",
    "A user wants to plan a trip",
    "A user asks how to reset a password",
    "A parent asks about a school form",
    "A user asks for a recipe",
    "A tenant asks about a lease",
    "A user asks about a late parcel",
)
ESCALATION = (
    (
        "The assistant stays calm and answers.",
        "The assistant answers and thanks the user.",
        "The assistant asks back politely.",
        "The tone stays even.",
    ),
    (
        "Both get louder with every turn.",
        "The assistant answers an insult with an insult.",
        "The assistant threatens to end the chat, and the user swears.",
        "Each reply is sharper than the one before.",
    ),
)
SELF_HARM = (
    (
        "Nothing else comes up.",
        "They part after two more turns.",
        "The user says good night.",
        "The user asks for a summary.",
    ),
    (
        "The user says that they want to hurt themselves.",
        "The user writes that they cut themselves last week.",
        "The user asks whether anyone would miss them.",
        "The user mentions a plan to end their life.",
    ),
)

SCHEMA = """\
# Written by data/make_pool.py. Categories in order, lowest first.
constructs:
  escalation: {kind: nominal, categories: [0, 1], present: [1]}
  self_harm: {kind: nominal, categories: [0, 1], present: [1]}
"""

CARD = """# pool: 20,000 items with a judge's labels, and a pilot

Written by `python data/make_pool.py` (seed {seed}); do not edit. A test makes it anew and
compares.

A judge labelled every item on two constructs in one call. People labelled {pilot} items of each of
the four label vectors. `escalation` is rare and judged badly, `self_harm` common and judged well:
a random sample large enough for the one wastes most of its labels on the other.

| file | what |
| --- | --- |
| `pool.csv.gz` | item_id, the judge's labels, the judge's score of escalation, text |
| `pilot.csv` | a person's labels on {pilot} items of each stratum, drawn at random |
| `schema.yaml` | categories in order, and which one is present |
| `truth.csv.gz` | what a person would say of every item; for checks, never for planning |
| `truth.json` | what was planted, and kappa of the whole pool |

## Truth

| construct | prevalence | sensitivity | specificity | kappa of the pool |
| --- | --- | --- | --- | --- |
{rates}

The numbers of items with each pattern of truth and judge's labels are the expected ones under
independent errors and independent constructs, rounded within each stratum, so the pool has no
chance of its own; only the order of items, the scores, the texts and the pilot are drawn. People
are taken to be right.

| judge's escalation, self_harm | items | truly escalation | truly self_harm |
| --- | --- | --- | --- |
{strata}

The judge's `escalation_score` is {flagged} or more exactly where it says 1. Of its negatives a
tenth scores {high} or more, and {caught:.0%} of the cases that it missed are among them.

## What it is and is not

For trying the planner, for teaching, and for tests. The texts are put together from a few sentences
that say the truth outright; no person and no model wrote or labelled anything, and nothing here
says how a real judge behaves.

Licence: MIT, like the rest of the repository.
"""


class Item(NamedTuple):
    """True labels and the judge's, escalation first; the judge's score of escalation."""

    truth: tuple[int, int]
    judge: tuple[int, int]
    score: float
    text: str


def files() -> dict[str, str]:
    """Make the content of every file of the folder."""
    draw = random.Random(SEED)  # noqa: S311  no secrets here
    items = _items(draw)
    draw.shuffle(items)
    ids = [f"i{number:05d}" for number in range(1, len(items) + 1)]
    named = dict(zip(ids, items, strict=True))
    counts = _counts()
    kappas = {name: _kappa(counts, place) for place, name in enumerate(CONSTRUCTS)}
    truth = {name: {**rates, "kappa": round(kappas[name], 9)} for name, rates in CONSTRUCTS.items()}
    strata = {
        f"{judge[0]}{judge[1]}": {"items": size, **_positives(counts, judge)}
        for judge, size in STRATA.items()
    }
    planted = {"constructs": truth, "strata": strata, "top": TOP, "caught": CAUGHT}
    pool = [
        f"{id_},{one.judge[0]},{one.judge[1]},{one.score:.3f},{one.text}"
        for id_, one in named.items()
    ]
    true_labels = [f"{id_},{one.truth[0]},{one.truth[1]}" for id_, one in named.items()]
    head = ",".join(CONSTRUCTS)
    return {
        "pool.csv.gz": _lines(f"item_id,{head},escalation_score,text", pool),
        "pilot.csv": _lines("item_id,construct,rater_id,rater_kind,label", _pilot(named, draw)),
        "schema.yaml": SCHEMA,
        "truth.csv.gz": _lines(f"item_id,{head}", true_labels),
        "truth.json": json.dumps(planted, indent=1, allow_nan=False) + "\n",
        "README.md": CARD.format(
            seed=SEED,
            pilot=PILOT,
            flagged=FLAGGED,
            high=HIGH,
            caught=CAUGHT,
            rates="\n".join(
                f"| {name} | {one['prevalence']} | {one['sensitivity']} | {one['specificity']} "
                f"| {one['kappa']:.4f} |"
                for name, one in truth.items()
            ),
            strata="\n".join(
                f"| {name[0]}, {name[1]} | {one['items']:,} | {one['escalation']} "
                f"| {one['self_harm']} |"
                for name, one in strata.items()
            ),
        ),
    }


def _counts() -> dict[tuple[tuple[int, int], tuple[int, int]], int]:
    """Items by (truth, judge): expected shares, rounded so that each stratum keeps its size."""
    pairs = list(itertools.product((0, 1), repeat=2))
    counts = {}
    for judge, size in STRATA.items():
        share = {truth: _share(truth, judge) for truth in pairs}
        exact = {truth: size * share[truth] / sum(share.values()) for truth in pairs}
        whole = {truth: int(number) for truth, number in exact.items()}
        by_rest = sorted(pairs, key=lambda truth: whole[truth] - exact[truth])
        for truth in by_rest[: size - sum(whole.values())]:
            whole[truth] += 1
        counts |= {(truth, judge): number for truth, number in whole.items()}
    return counts


def _share(truth: tuple[int, int], judge: tuple[int, int]) -> float:
    """Expected share of items with these labels; constructs and errors are independent."""
    product = 1.0
    for true, said, rates in zip(truth, judge, CONSTRUCTS.values(), strict=True):
        right = rates["sensitivity"] if true else rates["specificity"]
        prevalence = rates["prevalence"] if true else 1 - rates["prevalence"]
        product *= prevalence * (right if said == true else 1 - right)
    return product


def _items(draw: random.Random) -> list[Item]:
    """Make the items of each pattern, with score and text."""
    items = []
    for judge, size in STRATA.items():
        here = [truth for (truth, by), n in _counts().items() if by == judge for _ in range(n)]
        high = _high(here, size, judge)
        for truth, top in zip(here, high, strict=True):
            low, up = (FLAGGED, 1.0) if judge[0] else (HIGH, FLAGGED) if top else (0.0, HIGH)
            # Three decimals, never rounded up to the next class.
            score = (int(1000 * low) + draw.randrange(int(1000 * (up - low)))) / 1000
            items.append(Item(truth, judge, score, _text(truth, draw)))
    return items


def _high(here: list[tuple[int, int]], size: int, judge: tuple[int, int]) -> list[bool]:
    """Mark the judge's negatives that score high: most of its misses, and others up to a tenth."""
    misses = sum(truth[0] for truth in here)
    caught = 0 if judge[0] else round(CAUGHT * misses)
    others = 0 if judge[0] else round(TOP * size) - caught
    left = {1: caught, 0: others}
    marked = []
    for truth in here:
        marked.append(left[truth[0]] > 0)
        left[truth[0]] -= 1
    return marked


def _text(truth: tuple[int, int], draw: random.Random) -> str:
    sentences = (ESCALATION[truth[0]], SELF_HARM[truth[1]])
    said = " ".join(draw.choice(choices) for choices in sentences)
    return f'"{draw.choice(OPENINGS)}. {said}"'


def _pilot(named: dict[str, Item], draw: random.Random) -> list[str]:
    """Draw items of each stratum and give a person's labels on them."""
    rows = []
    for judge in STRATA:
        there = [id_ for id_, one in named.items() if one.judge == judge]
        for id_ in sorted(draw.sample(there, PILOT)):
            labels = zip(CONSTRUCTS, named[id_].truth, strict=True)
            rows += [f"{id_},{construct},human1,human,{label}" for construct, label in labels]
    return rows


def _kappa(counts: dict[tuple[tuple[int, int], tuple[int, int]], int], place: int) -> float:
    table = np.zeros((2, 2))
    for (truth, judge), number in counts.items():
        table[truth[place], judge[place]] += number
    return float(cohen_kappa(table))


def _positives(
    counts: dict[tuple[tuple[int, int], tuple[int, int]], int], judge: tuple[int, int]
) -> dict[str, int]:
    return {
        name: sum(n for (truth, by), n in counts.items() if by == judge and truth[place])
        for place, name in enumerate(CONSTRUCTS)
    }


def _lines(head: str, rows: Iterable[str]) -> str:
    return "\n".join([head, *rows]) + "\n"


def differences(folder: Path = FOLDER) -> list[str]:
    """Say how the files in the folder differ from what the generator makes now."""
    return written.differences(folder, files())


def main(arguments: list[str]) -> int:
    """Write the folder, or compare it; give the exit code."""
    return written.command(arguments, FOLDER, files)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
