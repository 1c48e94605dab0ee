"""What the fields of an item and of a stored reply are called, wherever they are read.

The names of an item stand first, then those of stored runs. In a row, the first name that holds
something counts. A frame with two of them is ambiguous unless an argument names one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolkit.answers.tables.cells import present

NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "scenario_id", "item_id"),
    "benchmark": ("benchmark",),
    "subset": ("subset", "category"),
    "subcategory": ("subcategory",),
    "version": ("version",),
    "gold": ("gold", "expected_label"),
    "text": ("text", "input_text"),
    "stem": ("stem",),
    "raw": ("agent_response", "model_response", "raw_response"),
}


def first_held(row: Any, field: str) -> tuple[str | None, Any]:
    """Take the first name of a field that holds something, else the first that holds a blank.

    Parameters
    ----------
    row : mapping or object
        With keys or attributes.
    field : str
        A key of `NAMES`.

    Returns
    -------
    tuple of (str or None, object)
        Name and content; None where there is none.

    Examples
    --------
    >>> first_held({"agent_response": "", "model_response": "MATCHES"}, "raw")
    ('model_response', 'MATCHES')
    >>> first_held({"text": None}, "text")
    (None, None)
    """
    cells = {name: present(_get(row, name)) for name in NAMES[field]}
    there = [name for name, cell in cells.items() if cell is not None]
    written = [n for n in there if not isinstance(cells[n], str) or cells[n].strip()]
    name = next(iter(written or there), None)
    return name, None if name is None else cells[name]


def _get(row: Any, name: str) -> Any:
    return row.get(name) if isinstance(row, Mapping) else getattr(row, name, None)
