"""Text as it can be shown: what would run, hide or turn other text round is named instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

PIECE = 30_000  # characters in one message; more would meet the server's limit on data per second
TURN = 20  # what a turn costs beside its text, so that many empty ones do not fill a page

# Controls other than tab and line ends, soft hyphen, bidi controls, invisible spaces and joiners
# that no script needs, fillers, line separators, format controls of notation, tags, further
# variation selectors, and halves of surrogate pairs. U+200C and U+200D stay: Persian and emoji are
# written with them.
_HIDING = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff"
    "\U00013430-\U00013438\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
_MARK = re.compile(rf"([{_HIDING}]|\r(?!\n))\1*")

Part = str | list[int]


class Turn(NamedTuple):
    """What one side said; the role is empty where the item is one text."""

    role: str
    text: str


def parts(text: str) -> list[Part]:
    r"""Split a text into what can be shown as it is and runs of one character that can't.

    Parameters
    ----------
    text : str
        Any; half an emoji too.

    Returns
    -------
    list
        Text, or the code point of a character and how often it is repeated.

    Examples
    --------
    >>> parts("a\x1b[31mb\u202e")
    ['a', [27, 1], '[31mb', [8238, 1]]
    """
    found: list[Part] = []
    at = 0
    for run in _MARK.finditer(text):
        if run.start() > at:
            found.append(text[at : run.start()])
        found.append([ord(run[1]), len(run[0])])
        at = run.end()
    return [*found, text[at:]] if at < len(text) else found


def visible(text: str) -> str:
    r"""Write hiding characters out by their code points.

    Parameters
    ----------
    text : str
        Any.

    Returns
    -------
    str
        Whole Unicode text.

    Examples
    --------
    >>> visible("a\u202eb\ud800\x00\x00")
    'a[U+202E]b[U+D800][U+0000 x2]'
    """
    return _MARK.sub(lambda run: _named(ord(run[1]), len(run[0])), text)


def _named(point: int, count: int) -> str:
    return f"[U+{point:04X}]" if count == 1 else f"[U+{point:04X} x{count}]"


def piece(turns: Sequence[Turn], start: int = 0) -> dict[str, Any]:
    """Cut the next piece out of an item, for one message.

    Parameters
    ----------
    turns : sequence of Turn
        The item.
    start : int
        Where the piece before ended.

    Returns
    -------
    dict
        `turns` (role and text as parts, and whether the turn began before), `end`, and `rest`, the
        number of characters after it.

    Examples
    --------
    >>> piece([Turn("", "hello")])
    {'turns': [{'role': [], 'parts': ['hello'], 'continued': False}], 'end': 30000, 'rest': 0}
    """
    end, at, shown = start + PIECE, 0, []
    for role, text in turns:
        stop = at + len(text)
        if at < end and (stop > start or at >= start):
            cut = text[max(start - at, 0) : end - at]
            shown.append({"role": parts(role), "parts": parts(cut), "continued": at < start})
        at = stop + TURN
    return {"turns": shown, "end": end, "rest": max(at - TURN - end, 0)}
