"""A batch as a CSV file, for people who label without a notebook, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from toolkit.errors import LabelError
from toolkit.labels.files import read_source
from toolkit.labels.journal_file import saving
from toolkit.labels.schema import Schema
from toolkit.labels.values import is_null
from toolkit.widgets.batch import Batch
from toolkit.widgets.marks import Turn, visible
from toolkit.widgets.progress import Progress
from toolkit.widgets.questions import UNSURE

FORMULA = ("=", "+", "-", "@", "'")  # what a spreadsheet would run; the last, so that it comes back
MISSING, ABSTAIN = -1, -2


class Filled(NamedTuple):
    """What a row of a sheet says beyond what is stored."""

    item: str
    labels: dict[str, Any]
    unsure: tuple[str, ...]
    note: str | None


def write_sheet(
    path: str | Path, batch: Batch, order: Sequence[str], schema: Schema, progress: Progress
) -> Path:
    """Write one row per item: its text, what is to be read, a column per construct, a note."""
    rows = []
    for item in order:
        state, asked = progress.state(item), progress.constructs[item]
        said = state.labels | dict.fromkeys(state.unsure, UNSURE)
        answers = {name: said.get(name, "") if name in asked else "" for name in schema.constructs}
        note = _harmless(state.note)
        fixed = {"item_id": _harmless(item), "text": _harmless(_flat(batch.turns[item]))}
        fixed["to_read"] = _harmless(", ".join(asked))
        rows.append({**fixed, **answers, "note": note, "item_sha256": batch.sha256[item]})
    target = Path(path)
    with saving(target):
        target.write_text(pd.DataFrame(rows, dtype=object).to_csv(index=False), encoding="utf-8")
    return target


def read_sheet(path: str | Path, batch: Batch, schema: Schema, progress: Progress) -> list[Filled]:
    """Read a sheet back; nothing is taken unless all of it can be."""
    raw = read_source(Path(path))
    rows = raw.frame.to_dict("records")
    needed = ("item_id", "item_sha256")
    missing = [name for name in needed if name not in raw.frame]
    if missing or not set(schema.constructs) & set(raw.frame):
        raise LabelError(
            "the sheet lacks columns",
            got=list(raw.frame.columns),
            allowed=[*needed, *schema.constructs],
            where=raw.origin.name,
        )
    filled = []
    for number, row in enumerate(rows):
        item = _as_it_was(row["item_id"])
        if item not in batch.turns or row["item_sha256"] != batch.sha256[item]:
            raise LabelError(
                "an item is not in this batch, or has another text there",
                got=item,
                allowed="the rows that to_csv wrote",
                where=raw.origin.at(number, column="item_id"),
            )
        codes = {
            name: _code(row[name], name, schema, raw.origin.at(number, column=name))
            for name in schema.constructs
            if name in row
        }
        for name, code in codes.items():
            if code != MISSING and name not in progress.constructs[item]:
                raise LabelError(
                    f"{name} is not to be read on item {item}",
                    got=row[name],
                    allowed=f"an empty cell; to be read: {', '.join(progress.constructs[item])}",
                    where=raw.origin.at(number, column=name),
                )
        filled.append(_beyond(item, row, codes, schema, progress))
    return [each for each in filled if each.labels or each.unsure]


def _code(value: Any, name: str, schema: Schema, where: str) -> int:
    construct = schema[name]
    code = construct.coder.code(value)
    if code >= ABSTAIN:
        return code
    word = str(value).strip()
    if word in construct.labels:
        return construct.labels.index(word)
    if word == UNSURE:
        return ABSTAIN
    raise LabelError(
        "not a category of the construct",
        got=value,
        allowed=[*construct.categories, UNSURE],
        where=where,
    )


def _beyond(
    item: str, row: Mapping[Any, Any], codes: Mapping[str, int], schema: Schema, progress: Progress
) -> Filled:
    state = progress.state(item)
    said = {name: schema[name].categories[code] for name, code in codes.items() if code >= 0}
    labels = {n: v for n, v in said.items() if n not in state.labels or state.labels[n] != v}
    unsure = [n for n, code in codes.items() if code == ABSTAIN and n not in state.unsure]
    note = None if is_null(row.get("note")) else _as_it_was(row["note"])
    return Filled(item, labels, tuple(unsure), note)


def _flat(turns: Sequence[Turn]) -> str:
    return visible("\n\n".join(f"{t.role}: {t.text}" if t.role else t.text for t in turns))


def _harmless(text: str) -> str:
    shown = visible(text)
    return f"'{shown}" if shown.startswith(FORMULA) else shown


def _as_it_was(value: Any) -> str:
    text = str(value)
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA) else text
