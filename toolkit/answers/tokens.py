"""The distinct words of a reply: a cheap way to see what need not be searched for."""

from __future__ import annotations

GAPS = str.maketrans(dict.fromkeys("\"'.,;:!?()[]{}<>*_~`#|/\\=+-\n\t\r&%$@^", " "))
_PIECE = 1_000_000  # characters


def tokens_of(lowered: str) -> frozenset[str] | None:
    """Split a text into its distinct words: a cheap way to see what need not be searched for.

    Parameters
    ----------
    lowered : str
        A text in lower case.

    Returns
    -------
    frozenset of str or None
        None where the text is not ASCII, so that words may be joined in other ways.

    Examples
    --------
    >>> sorted(tokens_of("it's not-ok!"))
    ['it', 'not', 'ok', 's']
    """
    if not lowered.isascii():
        return None
    spaced = lowered.translate(GAPS)
    if len(spaced) <= _PIECE:
        return frozenset(spaced.split())
    tokens: set[str] = set()
    start = 0
    while start < len(spaced):  # piece by piece: a list of all words would take much memory
        end = spaced.find(" ", start + _PIECE)
        end = len(spaced) if end < 0 else end
        tokens.update(spaced[start:end].split())
        start = end
    return frozenset(tokens)


def mentions(lowered: str, tokens: frozenset[str] | None, words: frozenset[str]) -> bool:
    """Tell cheaply whether a text could hold one of some words.

    Parameters
    ----------
    lowered : str
        The text.
    tokens : frozenset of str or None
        Its distinct words, see `tokens_of`.
    words : frozenset of str
        Single words; the empty set could be anywhere.

    Returns
    -------
    bool
        False saves a search.

    Examples
    --------
    >>> mentions("nothing here", tokens_of("nothing here"), frozenset({"answer"}))
    False
    """
    if not words:
        return True
    if tokens is not None:
        return not words.isdisjoint(tokens)
    return any(word in lowered for word in words)
