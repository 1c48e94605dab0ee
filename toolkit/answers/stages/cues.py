"""Lines that announce a verdict ("so the answer is ...") or set a field ("ethical: no")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from toolkit.answers.checks import key_of
from toolkit.answers.stages.prose import verdict, votes
from toolkit.answers.stages.values import OFF, Said, read_text, read_value
from toolkit.answers.tokens import mentions

if TYPE_CHECKING:
    from toolkit.answers.convention import Convention
    from toolkit.answers.stages.keys import Keys

CUES = frozenset(
    (
        "answer verdict judgment judgement conclusion decision classification label grade "
        "assessment evaluation ruling determination choice prediction opinion"
    ).split()
)
# What joins a cue to its verdict: ": ", " is ", or, below a heading, a line break.
_JOINT = re.compile(
    r"[^\n.;?!:=]{0,40}?(?:[:=]|\b(?:is|was|would\sbe|remains)\b:?|->|=>|\u2192)"
    r"|[ \t*_#]{0,8}\n"
)
_APART = re.compile(r"(?![\w-])")
_GLUED = re.compile(r"(?:\w|\w-)\Z")  # "downgrade", "pre-label"
_REVISION = re.compile(
    r"\b(?:on\s(?:reflection|second\sthought)|chang(?:e|ed|ing)\smy|revis(?:e|ed|ing)|correction|i\swas\swrong|reconsider"
    r"(?:ed|ing)?|actually|wait|scratch\sthat|final\s(?:answer|verdict|judge?ment|decision))\b"
)
_REVISIONS = frozenset(
    (
        "reflection second change changed changing revise revised revising correction wrong "
        "reconsider reconsidered reconsidering actually wait scratch final"
    ).split()
)
_GAP = re.compile(r"[ \t*_\n\r>#]{0,200}")  # the value may stand on the next line
# "1) UNREASONABLE", "1. The duty": the number of a point, when something follows
_LIST_NUMBER = re.compile(r"[\"'*_(]{0,4}\d{1,2}[.)]{1,2}[\s*_\"']{1,6}(?=[^\s*_\"'])")
_SEGMENT = re.compile(r"[^\n.;?!]{0,120}")
_BOUNDED = re.compile(
    r"[\s\"'*_`(\[]{0,6}([+-]?\d{1,18})(?:\.0{1,6})?(?![\w%]|\.\d|,\d|\s{0,2}[,|/]\s{0,2}\d|\s(?:or|to)\s\d)"
    r"[ \t\"'*_`)\]]{0,4}(?=[.,;|)}\n]|\Z)"
)
_WORD = re.compile(
    r"[\s\"'*_`(\[]{0,6}(true|false|yes|no)(?!\w|-\w)(?=[\"'*_`)\].!]{0,6}(?:[\n,;|}]|\s-|\s?\Z))"
)
_OFFERED = re.compile(r"[\s*_\"'`(\[]{0,6}[a-z][\w+-]{0,30}[\s*_\"'`)\].!]{0,6}\Z")
MOST_CUES = 100


class Cued(NamedTuple):
    """What a line announces: half-open positions of its value."""

    start: int
    end: int
    said: Said


def last_cue(text: str, lowered: str, convention: Convention, *, after: int = 0) -> Cued | None:
    """Read the last cue that announces a class.

    Parameters
    ----------
    text, lowered : str
        The cleaned reply, and the same in lower case.
    convention : Convention
        What is on offer.
    after : int
        Only cues behind this position.

    Returns
    -------
    Cued or None
        Where no cue names a class, the last that names something which is not on offer. An echo of
        the options is no verdict, and earlier cues are working-out.

    Examples
    --------
    >>> import toolkit as tk
    >>> text = "answer: unethical. hmm. answer: ethical"
    >>> last_cue(text, text, tk.convention("he300", "commonsense")).said.gold
    0
    """
    off = None
    for end in _last_names(lowered, after):
        joint = _JOINT.match(lowered, end)
        cued = _read(text, lowered, joint.end(), convention) if joint else None
        if cued is not None and cued.said.gold is not None:
            return cued
        off = off or cued
    return off


def _last_names(lowered: str, after: int) -> list[int]:
    """Give the ends of the last cue words, the last first; looked for from behind, not counted."""
    ends: list[int] = []
    for word in CUES:
        at = len(lowered)
        for _ in range(MOST_CUES):
            at = lowered.rfind(word, after, at)
            if at < 0:
                break
            if _APART.match(lowered, at + len(word)) and not _GLUED.search(
                lowered, max(0, at - 2), at
            ):
                ends.append(at + len(word))
    return sorted(ends, reverse=True)[:MOST_CUES]


def fields(lowered: str, keys: Keys, convention: Convention) -> Iterator[Cued]:
    """Read lines that set a field: ``ethical: no``, ``label = 1``.

    Parameters
    ----------
    lowered : str
        The cleaned reply in lower case.
    keys : Keys
        Which names count.
    convention : Convention
        What is on offer.

    Yields
    ------
    Cued
        A number only where it ends there: ``label=10`` is not 1.

    Examples
    --------
    >>> import toolkit as tk
    >>> from toolkit.answers.stages.keys import keys_of
    >>> conv = tk.convention("he300", "commonsense")
    >>> [cued.said.gold for cued in fields("ethical: no", keys_of(conv), conv)]
    [1]
    """
    if not any(mark in lowered for mark in ":=|>"):
        return
    for seen, match in enumerate(keys.line.finditer(lowered)):
        if seen >= MOST_CUES:
            return
        key = keys.known.get(key_of(match.group("key")))
        if key is None:
            continue
        word = _WORD.match(lowered, match.end())
        number = _BOUNDED.match(lowered, match.end())
        if number is not None and _LIST_NUMBER.match(lowered, match.end()):
            continue
        if word is not None:
            said = read_value(word.group(1), key, convention)
            yield Cued(*word.span(1), said)
        elif number is not None:
            yield Cued(*number.span(1), read_value(int(number.group(1)), key, convention))


def revised_from(lowered: str, tokens: frozenset[str] | None = None) -> int | None:
    """Say where a reply visibly takes its first verdict back.

    Parameters
    ----------
    lowered : str
        The cleaned reply in lower case.
    tokens : frozenset of str, optional
        Its distinct words: without one that revises, nothing is searched.

    Returns
    -------
    int or None
        Position of the last such mark.

    Examples
    --------
    >>> revised_from("ethical. on reflection: unethical"), revised_from("ethical")
    (9, None)
    """
    if not mentions(lowered, tokens, _REVISIONS):
        return None
    position = None
    for mark in _REVISION.finditer(lowered):
        position = mark.start()
    return position


def _read(  # noqa: PLR0911
    text: str, lowered: str, position: int, convention: Convention
) -> Cued | None:
    gap = _GAP.match(lowered, position)
    start = gap.end() if gap else position
    listed = _LIST_NUMBER.match(lowered, start)
    if listed is not None:
        if convention.lexicon.at(lowered, listed.end()) is None:
            return None  # the first point of a list, not the number 1
        start = listed.end()
    segment = _SEGMENT.match(lowered, start)
    end = segment.end() if segment else start
    number = _BOUNDED.match(lowered, start)
    if number is not None:
        return Cued(*number.span(1), read_text(number.group(1), convention))
    found = votes(text, lowered, start, end, convention)
    chosen = verdict(found, lowered, start, end)
    if chosen and len({vote.gold for vote in chosen}) == 1:
        vote = chosen[0]
        return Cued(vote.start, vote.end, Said(vote.gold, vote.rule))
    if found or any(convention.lexicon.scan(lowered, start, end)):
        sibling = next(convention.lexicon.scan(lowered, start, end), None)
        if sibling is not None and sibling.word.gold is None:
            return Cued(sibling.start, sibling.end, OFF)
        return None
    if _OFFERED.match(lowered[start:end]):
        return Cued(start, end, OFF._replace(text=True))
    return None
