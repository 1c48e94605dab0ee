"""What stands in the cells of a sheet, and that each can be read back in one way only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolkit.errors import LabelError, SchemaError
from toolkit.labels.construct import Construct
from toolkit.labels.schema import Schema
from toolkit.labels.values import ABSTAIN, UNKNOWN
from toolkit.widgets.marks import visible
from toolkit.widgets.questions import UNSURE

FORMULA = ("=", "+", "-", "@", "'")  # what a spreadsheet would run; the last, so that it comes back
KEPT = ("item_id", "item_sha256")  # columns by which a row is known again
OTHERS = ("text", "to_read", "note")


def harmless(text: str) -> str:
    """Name hiding characters, and put an apostrophe before what a spreadsheet would run."""
    shown = visible(text)
    return f"'{shown}" if shown.startswith(FORMULA) else shown


def as_it_was(text: str) -> str:
    """Take off the apostrophe of `harmless`."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA) else text


def category_cell(category: Any) -> Any:
    """Write a category; a number is none that a spreadsheet would run."""
    return harmless(category) if isinstance(category, str) else category


def category_code(value: Any, construct: Construct) -> int:
    """Read a cell: a category, what the rater would be shown for it, or unsure; else UNKNOWN."""
    code = construct.coder.code(value)
    if code >= ABSTAIN:
        return code
    word = _one_line_end(str(value)).strip()
    for words in (construct.categories, construct.labels):
        shown = [_one_line_end(str(category_cell(each))) for each in words]
        if word in shown:
            return shown.index(word)
    if word in construct.labels:  # a spreadsheet may drop the apostrophe
        return construct.labels.index(word)
    return ABSTAIN if word == UNSURE else UNKNOWN


def item_cells(items: Iterable[str]) -> dict[str, str]:
    """Give the item that each cell stands for."""
    cells: dict[str, str] = {}
    for item in items:
        cell = _one_line_end(harmless(item))
        if cell in cells:
            raise LabelError(
                "two items can't be told apart in a sheet",
                got=[cells[cell], item],
                allowed="item_ids that differ in visible characters",
                where="item_id",
            )
        cells[cell] = item
    return cells


def item_of(cell: Any, cells: dict[str, str]) -> str | None:
    """Find the item of a cell, also where a spreadsheet dropped its apostrophe."""
    text = _one_line_end(str(cell))
    return cells.get(text, cells.get(harmless(text)))


def refuse_unwritable(schema: Schema) -> None:
    """Refuse a schema whose sheet could be read in another way than it was written."""
    headings = [harmless(name) for name in schema.constructs]
    taken = [
        name
        for name, heading in zip(schema.constructs, headings, strict=True)
        if heading in (*KEPT, *OTHERS) or headings.count(heading) > 1
    ]
    if taken:
        raise SchemaError(
            "a construct has the name of another column of the sheet",
            got=taken,
            allowed=f"names that differ, and other ones than {', '.join((*KEPT, *OTHERS))}",
            where="schema",
        )
    for name, construct in schema.constructs.items():
        places = range(construct.k)
        meant = [
            *zip(map(category_cell, construct.categories), places, strict=True),
            *zip(map(category_cell, construct.labels), places, strict=True),
            (UNSURE, ABSTAIN),
        ]
        for cell, code in meant:
            if category_code(str(cell), construct) != code:
                raise SchemaError(
                    f"what a cell of {name} says would have two meanings",
                    got=cell,
                    allowed="names of categories that are not the value of another one, "
                    f"a word for no label, or {UNSURE}",
                    where=f"constructs.{name}.categories",
                )


def _one_line_end(text: str) -> str:
    return text.replace("\r\n", "\n")
