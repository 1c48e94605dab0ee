"""How far the raters of a study agree, construct by construct."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients.agreement import agreement
from toolkit.coefficients.krippendorff import multirater_alpha
from toolkit.errors import LabelError
from toolkit.labels.construct import Construct
from toolkit.widgets.batch import Batch
from toolkit.widgets.marks import visible
from toolkit.widgets.progress import OPEN, Progress
from toolkit.widgets.raters import Raters, raters_of, study_events

PAIR = 2
LEVEL = 0.95
COLUMNS = [
    "construct",
    "raters",
    "n",
    "population",
    "coefficient",
    "weights",
    "estimate",
    "low",
    "high",
    "reasons",
    "flags",
]
POPULATION = "these items"
NO_KAPPA = ("no_overlap", "both_constant")  # reasons of an undefined estimate
NO_INTERVAL = ("interval_undefined", "zero_width")


def agreement_of(raters: Raters, seed: int = 0) -> pd.DataFrame:
    """Measure the agreement of the raters, without naming them.

    Parameters
    ----------
    raters : Raters
        Who said what; their labels only, not what was decided later.
    seed : int
        Of the interval of kappa.

    Returns
    -------
    DataFrame
        One row per construct: construct, raters, n (items with two labels or more), population
        (these items), coefficient (cohen_kappa of two raters, krippendorff_alpha of more), weights
        (quadratic on an ordinal construct), estimate, low, high (95 % interval: Jeffreys-smoothed
        bootstrap for kappa, normal with the linearised error for alpha), reasons (why a number is
        undefined) and flags (what to know about one that is defined).

    Notes
    -----
    Each item counts once. Of a batch that was drawn with unequal weights the numbers describe these
    items and not the pool, the kappa of which `weighted_kappa` estimates.
    """
    names = sorted(raters.labels.frame["rater_id"].unique())
    rows = [
        _of_two(raters, name, names, seed) if len(names) == PAIR else _of_many(raters, name)
        for name in raters.labels.constructs
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def refuse_unfinished(folder: str | Path, study: str, batch: Batch) -> None:
    """Refuse to tell raters how far they agree before all of them have finished the batch.

    Who has opened the study and decided nothing yet is no rater of it.
    """
    events = study_events(Path(folder), study)
    asked = batch.constructs
    total = len(batch.sha256)
    left = {
        name: Progress(asked, batch.sha256, [e for e in events if e["rater"] == name]).counts[OPEN]
        for name in raters_of(events)
    }
    begun = {name: still for name, still in left.items() if still < total}
    waited = [
        f"{visible(name)} ({still} of {total} open)" for name, still in begun.items() if still
    ]
    if waited or len(begun) < PAIR:
        told = f"waiting for {', '.join(waited)}" if waited else "waiting for a second rater"
        raise LabelError(
            "agreement is shown when all raters of the study have finished",
            got=f"{len(begun)} who began, {told}",
            allowed="two raters or more without open items",
            where=f"study {study}",
        )


def _of_two(raters: Raters, name: str, names: list[str], seed: int) -> list[Any]:
    one, other = names
    made = agreement(
        raters.labels, judge=one, reference=other, constructs=[name], weights="schema", seed=seed
    )
    row = next(iter(made))
    kappa = row.kappa
    # Other reasons are about columns that are not shown here, or about a number that is defined.
    undefined = math.isnan(kappa.estimate), math.isnan(kappa.low)
    why = NO_KAPPA if undefined[0] else NO_INTERVAL if undefined[1] else ()
    reasons = ", ".join(reason for reason in kappa.reasons if reason in why)
    weights = _weights(raters.labels.schema[name])
    head = [name, PAIR, int(kappa.n), POPULATION, "cohen_kappa", weights]
    return [*head, kappa.estimate, kappa.low, kappa.high, reasons, ", ".join(kappa.flags)]


def _of_many(raters: Raters, name: str) -> list[Any]:
    labels, construct = raters.labels, raters.labels.schema[name]
    mine = labels.frame["construct"] == name
    cells = labels.frame.loc[mine, ["item_id", "rater_id"]].assign(code=labels.codes[mine])
    ratings = cells.set_index(["item_id", "rater_id"])["code"].unstack()  # noqa: PD010 - nothing to aggregate
    weights = _weights(construct)
    made = multirater_alpha(
        ratings.to_numpy(dtype=float), categories=range(construct.k), weights=weights or None
    )
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * made.se
    # At full agreement the linearised error is 0, which is no interval.
    low, high = (made.estimate - reach, min(made.estimate + reach, 1.0)) if reach else (np.nan,) * 2
    reasons = [*made.reasons, *(["no_spread"] if reach == 0 else [])]
    head = [name, made.n_raters, made.n_items, POPULATION, "krippendorff_alpha", weights]
    return [*head, made.estimate, low, high, ", ".join(reasons), ""]


def _weights(construct: Construct) -> str:
    return "quadratic" if construct.kind == "ordinal" else ""
