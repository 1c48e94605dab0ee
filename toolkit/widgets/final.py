"""The labels in which a study ends: what raters agree on, and what was decided elsewhere."""

from __future__ import annotations

from typing import Any

import pandas as pd

from toolkit.labels.schema import Schema
from toolkit.labels.table import Labels
from toolkit.widgets.cases import CELL
from toolkit.widgets.marks import visible
from toolkit.widgets.rulings import ADJUDICATED, SINGLE, UNANIMOUS, UNRESOLVED, Rulings

RATER = "final"
DECIDED = ["reason", "update_guideline", "note"]


def final_labels(labels: Labels, table: pd.DataFrame, rulings: Rulings) -> pd.DataFrame:
    """Give one row per item and construct.

    Parameters
    ----------
    labels : Labels
        Of the raters.
    table : DataFrame
        From `tally`.
    rulings : Rulings
        What was decided.

    Returns
    -------
    DataFrame
        In the order of the items in `labels` and the constructs of the schema.
    """
    frame = table.reset_index()
    agree = frame["agreeing"] == frame["pairs"]
    frame["provenance"] = UNRESOLVED
    frame.loc[agree, "provenance"] = UNANIMOUS
    frame.loc[frame["labels"] == 1, "provenance"] = SINGLE
    frame["label"] = _named(frame, labels.schema).where(agree, None)
    decided = pd.DataFrame(_rows(rulings), columns=[*CELL, "decision", *DECIDED], dtype=object)
    frame = frame.merge(decided, on=CELL, how="left")
    ruled = frame["decision"].notna()
    frame.loc[ruled, "label"] = frame.loc[ruled, "decision"]
    frame.loc[ruled, "provenance"] = ADJUDICATED
    first = dict.fromkeys(labels.frame["item_id"])
    places = (
        frame["item_id"].map({item: n for n, item in enumerate(first)}),
        frame["construct"].map({name: n for n, name in enumerate(labels.schema.constructs)}),
    )
    order = pd.DataFrame({"item": places[0], "construct": places[1]}).sort_values(
        ["item", "construct"]
    )
    frame = frame.loc[order.index].assign(rater_id=RATER, rater_kind="human")
    frame = frame.rename(columns={"labels": "n_labels"})
    kept = [*CELL, "rater_id", "label", "rater_kind", "provenance", "n_labels", *DECIDED]
    return frame[kept].reset_index(drop=True)


def rows_of(frame: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    """Say for each construct how many items agree, differ and are decided."""
    rows = []
    for name, mine in frame.groupby("construct", sort=False):
        n = mine["provenance"].value_counts()
        decided = int(n.get(ADJUDICATED, 0))
        undecidable = int((mine["provenance"].eq(UNRESOLVED) & mine["reason"].notna()).sum())
        differ = decided + int(n.get(UNRESOLVED, 0))
        told = (
            f"{differ} differ ({decided} decided, {undecidable} undecidable), "
            f"{n.get(UNANIMOUS, 0)} unanimous, {n.get(SINGLE, 0)} of one rater"
        )
        rows.append((visible(str(name)), told))
    return tuple(rows)


def _named(frame: pd.DataFrame, schema: Schema) -> pd.Series:
    """Turn positions into the categories that they stand for."""
    named = pd.Series(index=frame.index, dtype=object)
    for name, mine in frame.groupby("construct")["code"]:
        categories = pd.Series(schema[str(name)].categories, dtype=object)
        named[mine.index] = categories.take(mine.to_numpy()).to_numpy()
    return named


def _rows(rulings: Rulings) -> list[tuple[Any, ...]]:
    return [
        (item, name, event["labels"][name], *(event.get(field) for field in DECIDED))
        for item, case in rulings.cases.items()
        for name, event in rulings.ruling(item).items()
        if name in case.asked
    ]
