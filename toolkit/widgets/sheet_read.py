"""A sheet that was filled in, and what it says beyond the journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from toolkit.common.hints import did_you_mean
from toolkit.errors import LabelError
from toolkit.labels.csv_file import read_csv
from toolkit.labels.files import read_source
from toolkit.labels.origin import Origin, csv_records
from toolkit.labels.schema import Schema
from toolkit.labels.values import ABSTAIN, MISSING, UNKNOWN, is_null
from toolkit.widgets.batch import Batch
from toolkit.widgets.progress import Progress
from toolkit.widgets.questions import UNSURE, Questions
from toolkit.widgets.sheet_cells import (
    KEPT,
    OTHERS,
    as_it_was,
    category_code,
    harmless,
    item_cells,
    item_of,
    refuse_unwritable,
)


class Filled(NamedTuple):
    """What a row of a sheet says beyond what is stored."""

    item: str
    labels: dict[str, Any]
    unsure: tuple[str, ...]
    note: str

    @property
    def events(self) -> list[tuple[str, dict[str, Any]]]:
        """Kind and labels of the events that store it; a note alone is an event too."""
        pairs = [("label", self.labels), ("unsure", dict.fromkeys(self.unsure))]
        return [(kind, labels) for kind, labels in pairs if labels] or [("note", {})]


def read_sheet(
    path: str | Path, batch: Batch, questions: Questions, progress: Progress
) -> list[Filled]:
    """Read a sheet back; nothing is taken unless all of it can be."""
    schema = questions.schema
    refuse_unwritable(schema)
    frame, origin = _read(Path(path))
    _refuse_columns(frame, questions, origin.name)
    names = {harmless(name): name for name in schema.constructs}
    frame = frame.rename(columns=names)
    constructs = [name for name in schema.constructs if name in frame]
    cells = item_cells(batch.turns)
    lines: dict[str, int] = {}
    filled: list[Filled | None] = []
    for number, row in enumerate(frame.to_dict("records")):
        if all(_is_empty(value) for value in row.values()):
            continue
        item = _known(row, cells, batch, origin.at(number, column="item_id"))
        if item in lines:
            raise LabelError(
                f"an item is there twice, first in {origin.at(lines[item])}",
                got=item,
                allowed="the rows that to_csv wrote, each once",
                where=origin.at(number, column="item_id"),
            )
        lines[item] = number
        codes = {}
        for name in constructs:
            where = origin.at(number, column=harmless(name))
            codes[name] = _code(row[name], name, schema, where)
            if codes[name] != MISSING and name not in progress.constructs[item]:
                raise LabelError(
                    f"{name} is not to be read on item {item}",
                    got=row[name],
                    allowed=f"an empty cell; to be read: {', '.join(progress.constructs[item])}",
                    where=where,
                )
        filled.append(_beyond(item, row, codes, schema, progress))
    return [each for each in filled if each is not None]


def _read(path: Path) -> tuple[pd.DataFrame, Origin]:
    """Read a CSV file; a spreadsheet separates by semicolons where commas are in numbers."""
    try:
        stored = path.read_bytes() if path.suffix.lower() == ".csv" else b""
    except (OSError, ValueError):
        stored = b""  # read_source says why
    text = stored.decode("utf-8-sig", "replace")
    delimiter = next((mark for mark in ",;\t" if _is_header(text, mark)), ",")
    if delimiter != ",":
        return read_csv(stored, path.name, delimiter)
    raw = read_source(path)
    return raw.frame, raw.origin


def _is_header(text: str, delimiter: str) -> bool:
    _, names = next(csv_records(text, delimiter), (0, []))
    return bool(set(KEPT) & set(names))


def _refuse_columns(frame: pd.DataFrame, questions: Questions, where: str) -> None:
    """Refuse columns that are missing or that nobody asked for; a question comes as a whole."""
    asked = [[harmless(name) for name in question.constructs] for question in questions.asked]
    constructs = [name for columns in asked for name in columns]
    known = [*KEPT, *constructs, *OTHERS]
    unknown = [
        name for name in frame.columns if name not in known and not frame[name].map(_is_empty).all()
    ]
    if unknown:
        raise LabelError(
            f"the sheet has a column that to_csv did not write{did_you_mean(unknown[0], known)}",
            got=unknown,
            allowed=known,
            where=where,
        )
    parted = [columns for columns in asked if any(name in frame for name in columns)] or asked
    missing = [name for columns in ([*KEPT], *parted) for name in columns if name not in frame]
    if missing:
        raise LabelError(
            f"the sheet lacks {', '.join(missing)}",
            got=list(frame.columns),
            allowed="item_id, item_sha256 and the columns of a question, all of its options",
            where=where,
        )


def _known(row: Mapping[Any, Any], cells: dict[str, str], batch: Batch, where: str) -> str:
    item = item_of(row["item_id"], cells)
    if item is None or row["item_sha256"] != batch.sha256[item]:
        raise LabelError(
            "an item is not in this batch, or has another text there",
            got=row["item_id"],
            allowed="the rows that to_csv wrote, each once",
            where=where,
        )
    return item


def _code(value: Any, name: str, schema: Schema, where: str) -> int:
    code = category_code(value, schema[name])
    if code == UNKNOWN:
        raise LabelError(
            "not a category of the construct",
            got=value,
            allowed=[*schema[name].categories, UNSURE],
            where=where,
        )
    return code


def _beyond(
    item: str, row: Mapping[Any, Any], codes: Mapping[str, int], schema: Schema, progress: Progress
) -> Filled | None:
    """Compare a row with what is stored; None where it says nothing new."""
    state = progress.state(item)
    said = {name: schema[name].categories[code] for name, code in codes.items() if code >= 0}
    labels = {n: v for n, v in said.items() if n not in state.labels or state.labels[n] != v}
    unsure = [n for n, code in codes.items() if code == ABSTAIN and n not in state.unsure]
    cell = "" if _is_empty(row.get("note")) else str(row["note"])
    # An empty cell takes nothing back, and what to_csv wrote out of a note is that note.
    kept = not cell or _lines(cell) == _lines(harmless(state.note))
    note = state.note if kept else as_it_was(cell)
    if not (labels or unsure or note != state.note):
        return None
    if note != state.note:  # a note belongs to a decision, which is stored anew with it
        labels = {n: v for n, v in state.labels.items() if n not in unsure} | labels
        unsure += [n for n in state.unsure if n not in (*labels, *unsure)]
    asked = progress.constructs[item]
    labels = {n: v for n, v in labels.items() if n in asked}
    return Filled(item, labels, tuple(n for n in unsure if n in asked), note)


def _is_empty(value: Any) -> bool:
    return is_null(value) or not str(value).strip()


def _lines(text: str) -> Sequence[str]:
    return text.strip().splitlines()
