"""The items to label: identifier, text or turns, and what is asked; in the rater's own order."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.common.utf8 import is_unicode
from toolkit.errors import LabelError
from toolkit.labels.files import read_source
from toolkit.labels.journal import item_sha256
from toolkit.labels.values import TRUTH_WORDS, is_null, is_scalar, key
from toolkit.planning.design import READ
from toolkit.widgets.marks import Turn
from toolkit.widgets.questions import Question, constructs_of

EXAMPLE = '[{"item_id": "i1", "text": "Are you there?"}]'
TURNS = '[{"role": "user", "text": "Are you there?"}]'


@dataclass(frozen=True, eq=False)
class Batch:
    """Items in the order of the source.

    `turns` by identifier (one turn without a role where the item is a text), the fingerprint of
    each item's text, and the questions that are asked of it. `unread` is the number of items that
    were left out because nothing is to be read on them.
    """

    turns: Mapping[str, tuple[Turn, ...]]
    sha256: Mapping[str, str]
    asked: Mapping[str, tuple[Question, ...]] = field(default_factory=dict)
    unread: int = 0

    @property
    def constructs(self) -> dict[str, tuple[str, ...]]:
        """What a decision on each item has to settle."""
        return {item: constructs_of(asked) for item, asked in self.asked.items()}

    def order(self, seed: int, study: str, rater: str) -> list[str]:
        """Shuffle for one rater: an order that neither new items nor another version changes."""
        return shuffled(self.turns, seed, study, rater)

    @property
    def fingerprint(self) -> str:
        """Of all items and their texts, whatever their order."""
        listed = json.dumps(sorted(self.sha256.items()))
        return hashlib.sha256(listed.encode()).hexdigest()


def shuffled(names: Iterable[str], *salt: Any) -> list[str]:
    """Shuffle names by a keyed hash of each: the same on every machine, whatever their order."""
    told = json.dumps(salt).encode("utf-8", "surrogatepass")
    key = hashlib.blake2b(told, digest_size=32).digest()
    return sorted(names, key=lambda name: hashlib.blake2b(name.encode(), key=key).digest())


def read_batch(items: Any, questions: Sequence[Question] = ()) -> Batch:
    """Take the items of a batch; whatever else the source holds is left behind here.

    Parameters
    ----------
    items : DataFrame, list of dicts, or path
        With item_id and text, or turns (a list of role and text or content, or the same as JSON).
        Where there are turns, they are the item. ``read_<construct>``, or ``read_<name>`` of
        several options, is true where it is to be read; one without such a column is read on every
        item.
    questions : sequence of Question
        What can be asked.

    Returns
    -------
    Batch
        Checked, without the items on which none of the questions is to be read.

    Raises
    ------
    LabelError
        A column is missing, an identifier is blank or repeated, an item has no text; what is to be
        read is neither true nor false, or is nothing on all items.

    Examples
    --------
    >>> read_batch([{"item_id": 7, "text": "hi", "judge": 1}]).turns
    {'7': (Turn(role='', text='hi'),)}
    """
    columns = _reading_columns(questions)
    names, rows, where = _rows(items, {name for several in columns for name in several})
    content = next((name for name in ("turns", "text") if name in names), None)
    missing = "item_id" if "item_id" not in names else "text" if content is None else None
    if missing or content is None:
        raise LabelError(
            f"the items have no {missing}",
            got=list(names),
            allowed="item_id, and text or turns",
            example=_how_to_get(missing, names),
            where=where,
        )
    here = [[name for name in several if name in names] for several in columns]
    turns: dict[str, tuple[Turn, ...]] = {}
    prints: dict[str, str] = {}
    asked: dict[str, tuple[Question, ...]] = {}
    for number, row in enumerate(rows, start=1):
        place = f"{where}, item {number}"
        item = _identifier(row.get("item_id"), place)
        if item in turns:
            raise LabelError(
                "an item is there twice", got=item, allowed="each item_id once", where=place
            )
        turns[item], prints[item] = _content(row.get(content), content, place)
        asked[item] = _asked(row, questions, here, f"{where}, item {item!r}")
    unread = [item for item, each in asked.items() if questions and not each]
    if len(unread) == len(turns):
        raise LabelError(
            "nothing is to be read on any item",
            got=[name for several in here for name in several],
            allowed="true for one construct or more, on one item or more",
            where=where,
        )
    for item in unread:
        del turns[item], prints[item], asked[item]
    return Batch(turns, prints, asked, len(unread))


def _how_to_get(missing: str | None, names: Sequence[str]) -> str:
    if len(names) == 1 and any(separator in names[0] for separator in ";\t|"):
        return "a comma between the columns: this file has another separator"
    if missing == "text" and "design_weight" in names:
        return 'tk.draw(plan, pool, seed=7, keep=["text"]), which keeps that column of the pool'
    return EXAMPLE


def _reading_columns(questions: Sequence[Question]) -> list[list[str]]:
    """Name the columns that can tell where each question is asked."""
    return [
        [READ + name for name in dict.fromkeys((question.name, *question.constructs))]
        for question in questions
    ]


def _asked(
    row: Mapping[str, Any], questions: Sequence[Question], columns: list[list[str]], place: str
) -> tuple[Question, ...]:
    """Choose the questions without a column, and those of which a column says that it is read.

    Several options are one reading, so one of them is enough.
    """
    # All columns are looked at, so that none holds what can't be read.
    told = [[_truth(row.get(name), name, place) for name in several] for several in columns]
    return tuple(q for q, each in zip(questions, told, strict=True) if not each or any(each))


def _truth(value: Any, name: str, place: str) -> bool:
    found = key(value) if is_scalar(value) else None
    found = TRUTH_WORDS.get(found, found) if isinstance(found, str) else found
    if found not in (0, 1):
        raise LabelError(
            "it does not say whether a construct is to be read",
            got=value,
            allowed="true or false, 1 or 0",
            where=f"{place}, column {name!r}",
        )
    return bool(found)


def _rows(
    items: Any, reading: Collection[str]
) -> tuple[Sequence[str], Sequence[Mapping[str, Any]], str]:
    if isinstance(items, str | Path | pd.DataFrame):
        raw = read_source(items)
        wanted = ("item_id", "text", "turns", *reading)
        names = [name for name in raw.frame.columns if name in wanted]
        kept = {name: raw.frame[name].tolist() for name in names}
        columns = [kept[name] for name in names]
        rows = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
        return list(raw.frame.columns), rows, raw.origin.name
    if not isinstance(items, Sequence) or any(not isinstance(row, Mapping) for row in items):
        raise LabelError(
            "no items can be read from this",
            got=type(items).__name__,
            allowed="a DataFrame, a list of dicts, or the path of a .csv, .jsonl or .parquet file",
            example=EXAMPLE,
            where="items",
        )
    if not items:
        raise LabelError("there are no items", allowed="one or more", example=EXAMPLE)
    return list(dict.fromkeys(str(name) for row in items for name in row)), items, "items"


def _identifier(value: Any, place: str) -> str:
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)  # as in label tables: 1 and 1.0 are "1"
    name = "" if is_null(value) else str(value)
    if not name.strip() or not is_unicode(name):
        raise LabelError(
            "an item_id is missing or no whole text", got=value, example=EXAMPLE, where=place
        )
    return name


def _content(value: Any, field: str, place: str) -> tuple[tuple[Turn, ...], str]:
    if field == "text":
        if not isinstance(value, str):
            raise LabelError(
                "an item has no text", got=value, allowed="text", example=EXAMPLE, where=place
            )
        return (Turn("", value),), item_sha256(value)
    turns = tuple(_turn(turn, place) for turn in _listed(value, place))
    if not turns:
        raise LabelError("a conversation has no turns", example=TURNS, where=place)
    return turns, item_sha256([turn._asdict() for turn in turns])


def _listed(value: Any, place: str) -> list[Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    if isinstance(value, Mapping) or not hasattr(value, "__iter__"):
        raise LabelError(
            "turns are no list", got=value, allowed="a list of role and text", example=TURNS,
            where=place,
        )  # fmt: skip
    return list(value)


def _turn(turn: Any, place: str) -> Turn:
    # Chat interfaces write the text as `content`.
    named = turn if isinstance(turn, Mapping) else {}
    role, text = named.get("role"), named.get("text", named.get("content"))
    if not isinstance(role, str) or not isinstance(text, str):
        raise LabelError(
            "a turn has no role or no text", got=list(named) or type(turn).__name__,
            allowed="role and text", example=TURNS, where=place,
        )  # fmt: skip
    return Turn(role, text)
