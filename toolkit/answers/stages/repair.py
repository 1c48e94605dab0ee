"""One damaged JSON object, mended: at level lenient only, within bounds, and flagged."""

from __future__ import annotations

import re
from typing import Any

from toolkit.answers.stages.objects import Pairs, loads

# json-repair needs seconds for 100 KB of braces; a verdict fits into this.
MOST_CHARACTERS = 8_000
MOST_BRACKETS = 200

_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]')


def repaired(text: str, start: int) -> tuple[Any, int] | None:
    """Mend the object that starts at a position.

    Parameters
    ----------
    text : str
        The cleaned reply.
    start : int
        Where the damaged object begins.

    Returns
    -------
    tuple of (object, int) or None
        The object and its end; None where it is too large, not closed, or mended into something
        that is no object: a cut verdict is not completed.

    Examples
    --------
    >>> repaired("so {'verdict': 'MATCHES'}", 3)
    ([('verdict', 'MATCHES')], 25)
    """
    end = text.rfind("}", start) + 1
    span = text[start:end]
    if (
        end <= start
        or len(span) > MOST_CHARACTERS
        or len(re.findall(r"[{\[]", span)) > MOST_BRACKETS
    ):
        return None
    # Imported here: nothing but a damaged reply needs it.
    import json_repair  # noqa: PLC0415

    try:
        value = json_repair.loads(span)
    except Exception:  # noqa: BLE001 - its assertions and index errors say no more than its refusals
        return None
    return (_pairs(value), end) if isinstance(value, dict) else None


def completed(text: str, start: int) -> tuple[Any, int] | None:
    """Close an object that was cut off, behind the last pair that is whole.

    Parameters
    ----------
    text : str
        The cleaned reply, which ends inside the object.
    start : int
        Where it begins.

    Returns
    -------
    tuple of (object, int) or None
        What a comma already closed, and its end. The pair at the cut is dropped: a number there
        may be the half of one, a word the beginning of another.

    Examples
    --------
    >>> completed('{"label": 1, "conf": 0.', 0)
    ([('label', 1)], 11)
    >>> completed('{"label": 1', 0) is None
    True
    """
    if len(text) - start > MOST_CHARACTERS:
        return None
    open_brackets: list[str] = []
    comma: tuple[int, str] | None = None
    for piece in _PIECE.finditer(text, start):
        mark = piece.group()
        if mark in ("{", "["):
            open_brackets.append("}" if mark == "{" else "]")
        elif mark in ("}", "]") and open_brackets:
            open_brackets.pop()
        elif mark == "," and open_brackets:
            comma = piece.start(), "".join(reversed(open_brackets))
    if comma is None:
        return None
    try:
        value = loads(text[start : comma[0]] + comma[1])
    except ValueError:
        return None
    return (value, comma[0]) if isinstance(value, Pairs) else None


def _pairs(value: Any) -> Any:
    if isinstance(value, dict):
        return Pairs((str(name), _pairs(inner)) for name, inner in value.items())
    if isinstance(value, list):
        return [_pairs(inner) for inner in value]
    return value
