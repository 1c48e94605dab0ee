"""What was probably meant, looked for in a bounded time whatever a file holds.

Comparing texts costs the product of their lengths, for every entry.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from toolkit.common import hints

MOST_ENTRIES = 200
MOST_LETTERS = 80


def closest(word: Any, known: Iterable[Any]) -> Any | None:
    """Find the entry that was probably meant, among the first 200 of no more than 80 letters.

    Parameters
    ----------
    word : object
        What was written; if it is longer than that, nothing is near.
    known : iterable of object
        What would have been understood.

    Returns
    -------
    object or None
        As `toolkit.common.hints.closest`.

    Examples
    --------
    >>> closest("saftey", ["safety", "tone"]), closest("x" * 1000, ["x" * 999])
    ('safety', None)
    """
    if isinstance(word, list | tuple | dict | set) or len(str(word)) > MOST_LETTERS:
        return None
    few = [one for one in islice(known, MOST_ENTRIES) if len(str(one)) <= MOST_LETTERS]
    return hints.closest(word, few)


def did_you_mean(word: Any, known: Iterable[Any]) -> str:
    """Say which entry was probably meant, ready to append to a sentence.

    Parameters
    ----------
    word : object
        What was written.
    known : iterable of object
        What would have been understood.

    Returns
    -------
    str
        ``", did you mean 'safety'?"``, or the empty text where nothing is near.

    Examples
    --------
    >>> did_you_mean("saftey", ["safety", "tone"])
    ", did you mean 'safety'?"
    """
    near = closest(word, known)
    return "" if near is None else f", did you mean {near!r}?"
