"""The nearest valid word to one that was not understood."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def closest(word: Any, known: Iterable[Any]) -> Any | None:
    """Find the entry of ``known`` that was probably meant.

    Parameters
    ----------
    word : object
        What was written.
    known : iterable of object
        What would have been understood; compared as text.

    Returns
    -------
    object or None
        The entry that differs only in letter case or in blanks around it, else the most similar
        one, else None.

    Examples
    --------
    >>> closest("Yes", ["no", "yes"])
    'yes'
    >>> closest("rater", ["item_id", "rater_id"])
    'rater_id'
    >>> closest("apple", ["no", "yes"]) is None
    True
    """
    entries = {str(entry): entry for entry in known}
    folded = {text.strip().casefold(): entry for text, entry in entries.items()}
    text = str(word)
    if text.strip().casefold() in folded:
        return folded[text.strip().casefold()]
    near = difflib.get_close_matches(text, entries, n=1, cutoff=0.6)
    return entries[near[0]] if near else None


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
        ``", did you mean 'yes'?"``, or the empty text where nothing is near.

    Examples
    --------
    >>> did_you_mean("Yes", ["no", "yes"])
    ", did you mean 'yes'?"
    >>> did_you_mean("apple", ["no", "yes"])
    ''
    """
    near = closest(word, known)
    return "" if near is None else f", did you mean {near!r}?"
