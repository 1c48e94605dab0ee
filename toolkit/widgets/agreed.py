"""How far the raters of a study agree, construct by construct."""

from __future__ import annotations

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
from toolkit.widgets.progress import OPEN, Progress
from toolkit.widgets.raters import Raters, raters_of, study_events

PAIR = 2
LEVEL = 0.95
COLUMNS = [
    "construct",
    "raters",
    "n",
    "coefficient",
    "weights",
    "estimate",
    "low",
    "high",
    "reasons",
]


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
        One row per construct: construct, raters, n (items with two labels or more), coefficient
        (cohen_kappa of two raters, krippendorff_alpha of more), weights (quadratic on an ordinal
        construct), estimate, low, high (95 % interval: Jeffreys-smoothed bootstrap for kappa,
        normal with the linearised error for alpha), reasons (why a number is undefined).
    """
    names = sorted(raters.labels.frame["rater_id"].unique())
    rows = [
        _of_two(raters, name, names, seed) if len(names) == PAIR else _of_many(raters, name)
        for name in raters.labels.constructs
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def refuse_unfinished(folder: str | Path, study: str, batch: Batch) -> None:
    """Refuse to tell raters how far they agree before all of them have finished the batch."""
    events = study_events(folder, study)
    names = raters_of(events)
    mine = {name: [e for e in events if e["rater"] == name] for name in names}
    asked = batch.constructs
    left = [Progress(asked, batch.sha256, each).counts[OPEN] for each in mine.values()]
    still = sum(number > 0 for number in left)
    if still or len(names) < PAIR:
        raise LabelError(
            "agreement is shown when all raters of the study have finished",
            got=f"{len(names)} raters, {still} of them with open items",
            allowed="two raters or more without open items",
            where=f"study {study}",
        )


def _of_two(raters: Raters, name: str, names: list[str], seed: int) -> list[Any]:
    one, other = names
    made = agreement(
        raters.labels, judge=one, reference=other, constructs=[name], weights="schema", seed=seed
    )
    kappa = next(iter(made)).kappa
    limits = [kappa.estimate, kappa.low, kappa.high]
    reasons = ", ".join(kappa.reasons) if np.isnan(limits).any() else ""
    weights = _weights(raters.labels.schema[name])
    return [name, PAIR, int(kappa.n), "cohen_kappa", weights, *limits, reasons]


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
    head = [name, made.n_raters, made.n_items, "krippendorff_alpha", weights]
    return [*head, made.estimate, low, high, ", ".join(reasons)]


def _weights(construct: Construct) -> str:
    return "quadratic" if construct.kind == "ordinal" else ""
