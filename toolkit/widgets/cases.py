"""The items on which raters differ, those with the least agreement first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Any

import numpy as np
import pandas as pd

from toolkit.labels.schema import Schema
from toolkit.widgets.batch import shuffled
from toolkit.widgets.raters import Raters

CELL = ["item_id", "construct"]


@dataclass
class Vote:
    """What one rater said about one item, under a letter in place of a name.

    `labels` and `events` by construct, `declined` skip or unsure by construct.
    """

    rater: str
    letter: str
    labels: dict[str, Any] = field(default_factory=dict)
    events: dict[str, str] = field(default_factory=dict)
    declined: dict[str, str] = field(default_factory=dict)
    note: str = ""
    flagged: bool = False


@dataclass(frozen=True)
class Case:
    """An item to adjudicate: the constructs on which raters differ, and what each of them said."""

    item: str
    sha256: str | None
    asked: tuple[str, ...]
    agreeing: int
    pairs: int
    votes: tuple[Vote, ...]

    def said(self, construct: str) -> dict[str, Any]:
        """Give the label of each rater."""
        return {v.rater: v.labels[construct] for v in self.votes if construct in v.labels}

    @property
    def sources(self) -> list[str]:
        """Events whose labels a decision on this item resolves."""
        found = (v.events[name] for v in self.votes for name in self.asked if name in v.events)
        return list(dict.fromkeys(found))


def tally(raters: Raters) -> pd.DataFrame:
    r"""Count how far raters agree on each item and construct.

    Parameters
    ----------
    raters : Raters
        Who said what.

    Returns
    -------
    DataFrame
        By item and construct: labels (their number), agreeing and pairs (of raters), spread (on an
        ordinal construct the largest distance of two labels, 1 from end to end), code (position of
        the label where all agree).

    Notes
    -----
    Of n labels, :math:`n_c` of category c, :math:`\sum_c n_c (n_c - 1) / 2` of
    :math:`n (n - 1) / 2` pairs agree.
    """
    frame = raters.labels.frame[CELL].assign(code=raters.labels.codes.astype(np.int64))
    equal = frame.value_counts([*CELL, "code"]).rename("count").reset_index()
    equal["agreeing"] = equal["count"] * (equal["count"] - 1) // 2
    table = equal.groupby(CELL, sort=False).agg(
        labels=("count", "sum"), agreeing=("agreeing", "sum"), low=("code", "min"),
        high=("code", "max"),
    )  # fmt: skip
    table["pairs"] = table["labels"] * (table["labels"] - 1) // 2
    top = table.index.get_level_values("construct").map(_top(raters.labels.schema))
    table["spread"] = ((table["high"] - table["low"]) / top.to_numpy()).fillna(0.0)
    return table.rename(columns={"low": "code"}).drop(columns="high")


def _top(schema: Schema) -> dict[str, float]:
    """Give the last position of each ordinal construct, nan for the others."""
    return {
        name: float(max(one.k - 1, 1)) if one.kind == "ordinal" else float("nan")
        for name, one in schema.constructs.items()
    }


def queue(table: pd.DataFrame, *salt: Any) -> list[str]:
    """Order the items on which raters differ.

    Parameters
    ----------
    table : DataFrame
        From `tally`.
    *salt
        Seed and study, for the order of equal ones.

    Returns
    -------
    list of str
        By the share of agreeing pairs over all constructs of an item, lowest first; then by the
        largest distance on an ordinal construct, widest first; then shuffled.
    """
    by_item = table.groupby("item_id", sort=False).agg(
        agreeing=("agreeing", "sum"), pairs=("pairs", "sum"), spread=("spread", "max")
    )
    differ = by_item[by_item["agreeing"] < by_item["pairs"]]
    chance = {item: n for n, item in enumerate(shuffled(differ.index, *salt, "adjudication"))}
    keys = pd.DataFrame(
        {
            "share": (differ["agreeing"] / differ["pairs"]).round(12),
            "near": -differ["spread"].round(12),
            "chance": differ.index.map(chance),
        }
    )
    return [str(item) for item in keys.sort_values(["share", "near", "chance"]).index]


def find_cases(raters: Raters, table: pd.DataFrame, seed: int, study: str) -> dict[str, Case]:
    """Lay out the items on which raters differ, in their order.

    Parameters
    ----------
    raters : Raters
        Who said what.
    table : DataFrame
        From `tally`.
    seed, study : int, str
        Of the order, and of the letters, which are others for every item.

    Returns
    -------
    dict
        Case by item.
    """
    order = queue(table, seed, study)
    votes = _votes(raters, order, seed, study)
    kept = table.loc[table.index.get_level_values("item_id").isin(order)]
    sums = kept.groupby("item_id")[["agreeing", "pairs"]].sum()
    pairs = {str(item): (int(a), int(n)) for item, a, n in sums.itertuples(name=None)}
    differing = kept[kept["agreeing"] < kept["pairs"]]
    asked: dict[str, set[str]] = defaultdict(set)
    for item, construct in differing.index:
        asked[item].add(construct)
    return {
        item: Case(
            item,
            raters.sha256[item],
            tuple(name for name in raters.labels.schema.constructs if name in asked[item]),
            *pairs[item],
            tuple(votes[item]),
        )
        for item in order
    }


def _votes(raters: Raters, order: list[str], seed: int, study: str) -> dict[str, list[Vote]]:
    frame = raters.labels.frame
    labels, declined = (each[each["item_id"].isin(order)] for each in (frame, raters.declined))
    found: dict[str, dict[str, Vote]] = {item: {} for item in order}
    people = pd.concat([labels, declined])[["item_id", "rater_id"]].drop_duplicates()
    for item, group in people.groupby("item_id")["rater_id"]:
        for place, rater in enumerate(shuffled(group, seed, study, item)):
            flagged = (item, rater) in raters.flagged
            found[str(item)][rater] = Vote(rater, letter(place), flagged=flagged)
    for item, rater, name, label, event, note in _rows(labels, "label", "event_id"):
        vote = found[item][rater]
        vote.labels[name], vote.events[name] = label, event
        vote.note = _note(note) or vote.note
    for item, rater, name, kind, note in _rows(declined, "kind"):
        vote = found[item][rater]
        vote.declined[name] = kind
        vote.note = _note(note) or vote.note
    return {item: list(each.values()) for item, each in found.items()}


def _rows(frame: pd.DataFrame, *names: str) -> Iterator[tuple[Any, ...]]:
    columns = (
        frame[name].tolist() for name in ("item_id", "rater_id", "construct", *names, "note")
    )
    return zip(*columns, strict=True)


def _note(value: Any) -> str:
    return value if isinstance(value, str) else ""


def letter(place: int) -> str:
    """Name a rater by place: A to Z, then A2 to Z2.

    Examples
    --------
    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', 'A2')
    """
    turn, at = divmod(place, len(ascii_uppercase))
    return ascii_uppercase[at] + (str(turn + 1) if turn else "")
