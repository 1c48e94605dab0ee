"""A reply without what the eye does not see, and the way back to its code points."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from numbers import Number
from typing import Any, TypeAlias

import numpy as np

Edit: TypeAlias = tuple[int, int, str]  # start, end, what stands there instead

# Default_Ignorable_Code_Point (Unicode 15.1, DerivedCoreProperties.txt), controls but for blanks,
# and halves of surrogate pairs.
_IGNORABLE = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff"
)
_INVISIBLE = re.compile(f"[{_IGNORABLE}]+")
_VISIBLE = bytes([*range(9, 14), *range(32, 127)])
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Letters and signs that are written for an ASCII one: fullwidth, mathematical, enclosed, quotes.
_STYLES = (
    "\u2010\u2011\u2018-\u201f\u2032\u2033\u2039\u203a\u00ab\u00bb\u00a0\u0085\u2000-\u200a\u2028"
    "\u2029\u202f\u205f\u3000\uff01-\uff5e\u24b6-\u24e9\U0001d400-\U0001d7ff"
)
_STYLED = re.compile(f"[{_STYLES}]")
_PLAIN = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2039\u203a", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011", "-"),
    **dict.fromkeys("\u0085\u2028\u2029", "\n"),
}
# A phrase is one phrase however wide its gaps are.
_WIDE = ("  ", "\t", " \n", "\n ")
_BLANKS = re.compile("[ \t]+(?=[ \t\n])|(?<=\n)[ \t]+")
_ANSI = re.compile("\x1b\\[[0-9;]{0,20}[A-Za-z]")
_ENTITIES = {
    "&quot;": '"', "&#34;": '"', "&apos;": "'", "&#39;": "'", "&lt;": "<", "&gt;": ">",
    "&nbsp;": " ", "&amp;": "&",
}  # fmt: skip
# A Latin letter beside a Cyrillic or Greek one, or a dotless i: a look-alike, which is not folded.
_MIXED = re.compile(
    "[A-Za-z][\u0370-\u03ff\u0400-\u04ff]|[\u0370-\u03ff\u0400-\u04ff][A-Za-z]"
    "|[A-Za-z]\u0131|\u0131[A-Za-z]"
)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text, and how its positions lead back to the raw reply.

    Attributes
    ----------
    text : str
        What is read.
    flags : tuple of str
        What was found on the way.
    origins : tuple of callable
        Each gives, for every position of a text, the position in the text before it; the last
        step first. Built only when a span is asked for.
    """

    text: str
    flags: tuple[str, ...] = ()
    origins: tuple[Callable[[], np.ndarray], ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Give the code points of the raw reply that a part of the text came from.

        Parameters
        ----------
        start, end : int
            Half-open positions in ``text``.

        Returns
        -------
        tuple of int
            Half-open positions in the raw reply.

        Examples
        --------
        >>> clean("\u200bUNETHICAL").span(0, 9)
        (1, 10)
        """
        first, last = start, max(start, end - 1)
        for origin in self.origins:
            positions = origin()
            first, last = int(positions[first]), int(positions[last])
        return first, last + (end > start)

    def edited(self, edits: list[Edit], *flags: str) -> Cleaned:
        """Replace parts of the text.

        Parameters
        ----------
        edits : list of (start, end, replacement)
            In order, without overlap; a replacement is at most as long as what it replaces.
        *flags : str
            Added where there is an edit.

        Returns
        -------
        Cleaned
            With one more way back; itself without edits.

        Examples
        --------
        >>> clean("a<think>b</think>c").edited([(1, 17, " ")]).text
        'a c'
        """
        if not edits:
            return self
        pieces, before = [], 0
        for start, end, replacement in edits:
            pieces += [self.text[before:start], replacement]
            before = end
        pieces.append(self.text[before:])
        size = len(self.text)
        return Cleaned(
            "".join(pieces),
            (*self.flags, *flags),
            (cache(lambda: _kept(size, edits)), *self.origins),
        )

    def without(self, pattern: re.Pattern[str]) -> Cleaned:
        """Delete every match of a pattern.

        Parameters
        ----------
        pattern : re.Pattern
            What goes.

        Returns
        -------
        Cleaned
            The way back is built only when it is asked for.

        Examples
        --------
        >>> import re
        >>> clean("a--b").without(re.compile("-")).span(1, 2)
        (3, 4)
        """
        before = self.text
        text = pattern.sub("", before)
        if len(text) == len(before):
            return self
        return Cleaned(text, self.flags, (cache(lambda: _kept_of(before, pattern)), *self.origins))


def as_text(raw: Any) -> tuple[str | None, tuple[str, ...]]:  # noqa: PLR0911 - one a kind
    """Take any value as the text of a reply.

    Parameters
    ----------
    raw : object
        Text; numbers and truth values, which a table may have made of it; parsed JSON; bytes.

    Returns
    -------
    text : str or None
        None where there is no reply, or one that is no text.
    flags : tuple of str
        ``missing``, ``not_text`` (it was turned into one) or ``unreadable`` (it could not be).

    Examples
    --------
    >>> as_text(1), as_text({"label": 1}), as_text(float("nan"))
    (('1', ('not_text',)), ('{"label": 1}', ('not_text',)), (None, ('missing',)))
    """
    try:
        if isinstance(raw, str):
            return str.__str__(raw), ()  # a subclass may say something else of itself
        if raw is None or type(raw).__name__ in ("NAType", "NaTType"):
            return None, ("missing",)
        if isinstance(raw, np.generic):
            raw = raw.item()
        if isinstance(raw, float) and math.isnan(raw):
            return None, ("missing",)
        if isinstance(raw, bytes | bytearray):
            return bytes(raw).decode("utf-8", "replace"), ("not_text",)
        if isinstance(raw, bool | dict | list | tuple):
            return json.dumps(raw, ensure_ascii=False), ("not_text",)
        if isinstance(raw, Number):
            return str(raw), ("not_text",)
    except Exception:  # noqa: BLE001 - a value's own methods may raise anything, and no value raises here
        return None, ("unreadable",)
    return None, ("unreadable",)


def clean(raw: str) -> Cleaned:
    r"""Drop what is invisible and fold what is only a style of an ASCII character.

    Parameters
    ----------
    raw : str
        Any text, lone surrogates included.

    Returns
    -------
    Cleaned
        Case, blanks and everything else visible as they were. Flags: ``bidi_controls``,
        ``mixed_script`` (a look-alike letter, which is not folded).

    Examples
    --------
    >>> clean("\ufeff\u201cUNETHICAL\u201d").text
    '"UNETHICAL"'
    >>> clean("UNETHI\u0421AL").flags
    ('mixed_script',)
    """
    cleaned = Cleaned(raw)
    if "\x1b" in raw:
        cleaned = cleaned.without(_ANSI)
    if cleaned.text.isascii():
        invisible = bool(cleaned.text.encode().translate(None, _VISIBLE))
        flags: tuple[str, ...] = ()
    else:
        invisible = _INVISIBLE.search(cleaned.text) is not None
        flags = ("bidi_controls",) if invisible and _BIDI.search(cleaned.text) else ()
    if invisible:
        before = cleaned.text
        visible = _INVISIBLE.sub("", before)
        cleaned = Cleaned(visible, flags, (cache(lambda: _visible(before)), *cleaned.origins))
    if not cleaned.text.isascii():
        styled = _STYLED.search(cleaned.text) is not None
        text = cleaned.text.translate(_folds()) if styled else cleaned.text
        mixed = ("mixed_script",) if not text.isascii() and _MIXED.search(text) else ()
        cleaned = Cleaned(text, (*flags, *mixed), cleaned.origins)
    if "\r" in cleaned.text:
        broken = cleaned.text
        text = broken.replace("\r\n", "\n").replace("\r", "\n")
        cleaned = Cleaned(text, cleaned.flags, (cache(lambda: _joined(broken)), *cleaned.origins))
    if any(gap in cleaned.text for gap in _WIDE):
        cleaned = cleaned.without(_BLANKS)
    if "&" in cleaned.text and any(entity in cleaned.text for entity in _ENTITIES):
        escaped = text = cleaned.text
        for entity, char in _ENTITIES.items():  # "&amp;" is the last: nothing is unescaped twice
            text = text.replace(entity, char)
        flags = (*cleaned.flags, "html_entities")
        cleaned = Cleaned(text, flags, (cache(lambda: _unescaped(escaped)), *cleaned.origins))
    return cleaned


@cache
def _folds() -> dict[int, str]:
    """Give what each styled character is folded to: one for one, so that positions stay."""
    table = {}
    for low, high in re.findall(r"(.)(?:-(.))?", _STYLES):
        for point in range(ord(low), ord(high or low) + 1):
            folded = _PLAIN.get(chr(point)) or unicodedata.normalize("NFKC", chr(point))
            if len(folded) == 1:
                table[point] = folded
    return table


def _visible(before: str) -> np.ndarray:
    return np.flatnonzero(~_ignorable()[_points(before)])


def _joined(before: str) -> np.ndarray:
    """Say which characters stay when a carriage return before a line feed goes."""
    points = np.append(_points(before), 0)
    return np.flatnonzero(~((points[:-1] == ord("\r")) & (points[1:] == ord("\n"))))


def _unescaped(before: str) -> np.ndarray:
    """Say which characters stay: of each entity the first."""
    points = _points(before)
    kept = np.ones(len(points), dtype=bool)
    for entity in _ENTITIES:
        starts = np.ones(max(0, len(points) - len(entity) + 1), dtype=bool)
        for offset, char in enumerate(entity):
            starts &= points[offset : offset + len(starts)] == ord(char)
        for offset in range(1, len(entity)):
            kept[np.flatnonzero(starts) + offset] = False
    return np.flatnonzero(kept)


def _points(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


@cache
def _ignorable() -> np.ndarray:
    """Tell for each code point whether it is dropped; built when a span is first asked for."""
    table = np.zeros(0x110000, dtype=bool)
    for low, high in re.findall(r"(.)(?:-(.))?", _IGNORABLE, re.DOTALL):
        table[ord(low) : ord(high or low) + 1] = True
    return table


def _kept_of(before: str, pattern: re.Pattern[str]) -> np.ndarray:
    """Say which characters stay: all but the matches."""
    return _kept(len(before), [(*match.span(), "") for match in pattern.finditer(before)])


def _kept(size: int, edits: list[Edit]) -> np.ndarray:
    kept = np.ones(size, dtype=bool)
    for start, end, replacement in edits:
        kept[start + len(replacement) : end] = False
    return np.flatnonzero(kept)
