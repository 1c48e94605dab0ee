"""Write data/pilot: simulated labels with known truth, their schema, and the data card.

python data/make_pilot.py           # write
python data/make_pilot.py --check   # compare with what is there; exit 1 on any difference
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import written

import toolkit as tk

if TYPE_CHECKING:
    from toolkit.labels.simulation.truth import Truth

FOLDER = Path(__file__).parent / "pilot"
SEED = 20260301

CONSTRUCTS = {
    "escalation": {
        "prevalence": 0.12,
        "sensitivity": 0.46,
        "specificity": 0.90,
        "human_error": 0.02,
    },
    "self_harm": {
        "prevalence": 0.10,
        "sensitivity": 0.90,
        "specificity": 0.988,
        "human_error": 0.005,
    },
    "medical_advice": {
        "prevalence": 0.25,
        "sensitivity": 0.78,
        "specificity": 0.91,
        "human_error": 0.03,
    },
    "empathy": {
        "categories": 5,
        "prevalence": [0.05, 0.15, 0.30, 0.35, 0.15],
        "agreement": 0.75,
        "human_error": 0.08,
    },
}
WORLD = {
    "n_calls": 400,
    "humans": 2,
    "conversations": 4,
    "conversation_effect": 0.15,
    "call_correlation": 0.2,
    "construct_correlation": 0.2,
    "missing": 0.01,
}

SCHEMA = """\
# Written by data/make_pilot.py. Categories in order, lowest first.
constructs:
  escalation: {kind: nominal, categories: [0, 1], present: [1]}
  self_harm: {kind: nominal, categories: [0, 1], present: [1]}
  medical_advice: {kind: nominal, categories: [0, 1], present: [1]}
  empathy: {kind: ordinal, categories: [1, 2, 3, 4, 5]}
"""

CARD = """# pilot: simulated labels of one judge and two people

Written by `python data/make_pilot.py` (seed {seed}); do not edit. A test makes it anew and
compares.

400 items in 100 conversations of 4. The judge `judge` labels all four constructs of an item in one
call (`call_id`); `human1` and `human2` label every item, 50 items a sitting. About 1 % of the
judge's labels are missing: they have no row. Truths of any two constructs correlate .2 on the
latent scale, items of a conversation .15 (as do the judge's errors there), and in a fifth of the
calls one draw drives the judge's errors on all constructs.

| file | what |
| --- | --- |
| `labels.csv` | one label a row; cluster is the conversation |
| `schema.yaml` | categories in order, and which one is present |
| `truth.json` | per construct what was planted, and the tables and kappas it implies |

## Truth

Values of the population, not of these 400 items. Kappa of the judge against `human1`, against the
items on which both people agree (the majority), and of the two people; `empathy` (1 to 5) with
quadratic weights.

{table}

Of a binary construct sensitivity and specificity are the judge's against the true labels; a person
flips the true label with the probability in the column human error. On `empathy` the judge
correlates .75 with the latent truth, and 8 % of a person's latent variance is noise.

## What it is and is not

For trying the report, for teaching, and for tests: `escalation` agrees badly and `self_harm` well
in the same calls, and why is known. No person and no model labelled anything, there is no text
behind the items, and nothing here says how a real judge behaves. No cause is planted but the rates
above.

Licence: MIT, like the rest of the repository.
"""


def files() -> dict[str, str]:
    """Make the content of every file of the folder."""
    labels = tk.simulate(CONSTRUCTS, seed=SEED, **WORLD)
    # Nine decimals are the same on every platform.
    truth = json.loads(json.dumps(labels.truth.to_dict()), parse_float=lambda x: round(float(x), 9))
    return {
        "labels.csv": labels.frame.to_csv(index=False, lineterminator="\n"),
        "schema.yaml": SCHEMA,
        "truth.json": json.dumps(truth, indent=1, allow_nan=False) + "\n",
        "README.md": CARD.format(seed=SEED, table=_truth_table(labels.truth)),
    }


def _truth_table(truth: Truth) -> str:
    head = ["construct", "prevalence", "sensitivity", "specificity", "human error"]
    rows = [[*head, "kappa human1", "kappa majority", "kappa people"]]
    rows.append(["---"] * len(rows[0]))
    for name, one in truth.items():
        kappas = (one.kappa, one.kappa_majority, one.kappa_people)
        if len(one.categories) > 2:  # noqa: PLR2004 - ordinal
            rates = [" / ".join(f"{share:g}" for share in one.shares), "", ""]
            kappas = (
                one.kappa_quadratic,
                one.kappa_majority_quadratic,
                one.kappa_people_quadratic,
            )
        else:
            rates = [f"{rate:g}" for rate in (one.prevalence, one.sensitivity, one.specificity)]
        error = f"{one.human_error[0]:g}"
        rows.append([name, *rates, error, *(f"{kappa:.3f}" for kappa in kappas)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def differences(folder: Path = FOLDER) -> list[str]:
    """Say how the files in the folder differ from what the generator makes now."""
    return written.differences(folder, files())


def main(arguments: list[str]) -> int:
    """Write the folder, or compare it; give the exit code."""
    return written.command(arguments, FOLDER, files)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
