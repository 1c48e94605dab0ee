"""JSON values in a reply: found by the standard library, one by one, from left to right."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

# A reply with more objects, or more failures, than these is not a verdict but a data dump or an
# attack; the bounds keep the work linear.
MOST_OBJECTS = 64
MOST_FAILURES = 32

_QUOTED = re.compile(r"\s*(\")\s{0,10}[{\[]")
_CUT = re.compile(r"[\w.+-]{0,20}\s*\Z")  # nothing, or half a number or a word, is left
_START = re.compile(r"\{(?=\s{0,40}[\"}])")
_LIST = re.compile(r"\s*(?:```[a-zA-Z]{0,12}\s{1,4})?(\[)(?=\s{0,40}[\"{\[\d\-])")
# Something that was meant to be an object: a brace and a key, quoted or not.
_DAMAGED = re.compile(
    r"\{\s{0,40}(?:\"[^\"\n]{1,60}\"\s{0,10}[:\d]|(?:'[^'\n]{1,60}'|[A-Za-z_]\w{0,59})\s{0,10}:)"
)
_DIGITS = 18  # more is no class; int() refuses beyond 4,300


class Pairs(list[tuple[str, Any]]):
    """A JSON object with every pair, so that a repeated key is seen."""


@dataclass(frozen=True, slots=True)
class Found:
    """One JSON value of a reply: half-open positions, and what it holds."""

    start: int
    end: int
    value: Any


@dataclass(frozen=True, slots=True)
class Objects:
    """What a reply holds in JSON.

    Attributes
    ----------
    found : tuple of Found
        Valid values that are not inside one another.
    damage : {"truncated", "malformed", None}
        What the first object that can't be read suffers from.
    damaged_at : int
        Where that object starts; -1 without.
    too_many : bool
        Whether the bounds were reached: then nothing here decides.
    """

    found: tuple[Found, ...]
    damage: str | None = None
    damaged_at: int = -1
    too_many: bool = False


def _int(digits: str) -> int | float:
    return int(digits) if len(digits) <= _DIGITS else math.inf


def _constant(_name: str) -> float:
    return math.nan  # NaN and Infinity are no JSON, and no class


# strict=False: a raw line break inside a string is common and harmless.
_DECODER = json.JSONDecoder(
    object_pairs_hook=Pairs, parse_int=_int, parse_constant=_constant, strict=False
)


def loads(text: str) -> Any:
    """Parse one JSON text, with repeated keys kept.

    Parameters
    ----------
    text : str
        The whole text is one value.

    Returns
    -------
    object
        Objects as `Pairs`.

    Raises
    ------
    ValueError
        No JSON, or nested too deeply.

    Examples
    --------
    >>> loads('{"label": 1, "label": 0}')
    [('label', 1), ('label', 0)]
    """
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def unwrapped(text: str) -> Any:
    """Parse a string that holds JSON itself, as the arguments of a tool call do.

    Parameters
    ----------
    text : str
        A string value.

    Returns
    -------
    object
        The value, or None where it is no object and no list.

    Examples
    --------
    >>> unwrapped('{"label": 1}'), unwrapped("no")
    ([('label', 1)], None)
    """
    stripped = text.strip()
    if stripped[:1] not in ("{", "["):
        return None
    try:
        return loads(stripped)
    except ValueError:
        return None


def find_objects(text: str) -> Objects:
    """Find the JSON objects of a reply, and a list where the reply begins with one.

    Parameters
    ----------
    text : str
        The cleaned reply.

    Returns
    -------
    Objects
        An object that can't be read ends the search where it is cut off; behind the place where
        it is damaged the search goes on, so that nothing inside it is taken for a verdict.

    Examples
    --------
    >>> find_objects('so: {"label": 1} {b}').found
    (Found(start=4, end=16, value=[('label', 1)]),)
    >>> find_objects('{"verdict": "un').damage
    'truncated'
    """
    if "{" not in text and "[" not in text:
        return Objects(())
    found, quoted = _at_front(text)
    if quoted:
        return Objects(tuple(found))
    damage, damaged_at, failures = None, -1, 0
    position = found[-1].end if found else 0
    for match in _START.finditer(text, position):
        start = match.start()
        if start < position:
            continue
        value, end = _decode(text, start)
        if value is None:
            failures += 1
            kind = "truncated" if _CUT.match(text, end) else "malformed"
            if damage is None and (kind == "truncated" or _DAMAGED.match(text, start)):
                damage, damaged_at = kind, start
            if kind == "truncated" or failures >= MOST_FAILURES:
                break
            position = max(end, start + 1)
            continue
        found.append(Found(start, end, value))
        position = end
        if len(found) > MOST_OBJECTS:
            return Objects(tuple(found), too_many=True)
    if damage is None and not found:
        loose = _DAMAGED.search(text)
        if loose is not None:
            cut = "}" not in text[loose.end() :]
            damage, damaged_at = ("truncated" if cut else "malformed"), loose.start()
    return Objects(tuple(found), damage, damaged_at)


def _at_front(text: str) -> tuple[list[Found], bool]:
    """Read a list, or a string that holds the object, where the reply begins with one."""
    listed, quoted = _LIST.match(text), _QUOTED.match(text)
    front = listed or quoted
    if front is None:
        return [], False
    start = front.start(1)
    value, end = _decode(text, start)
    inner = unwrapped(value) if isinstance(value, str) else value
    return (
        ([Found(start, end, inner)], quoted is not None) if isinstance(inner, list) else ([], False)
    )


def _decode(text: str, start: int) -> tuple[Any, int]:
    """Give a value and its end, or None and how far the parser came."""
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return None, _cut(text, error)
    except (RecursionError, ValueError):
        return None, len(text) - 1


def _cut(text: str, error: json.JSONDecodeError) -> int:
    """Say where parsing failed; an unterminated string runs to the end."""
    return len(text) if error.msg.startswith("Unterminated string") else error.pos
