"""Verdicts in tags and boxes: scanned once, without a parser (what models write is not XML)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolkit.answers.checks import key_of
from toolkit.answers.stages.keys import Key

_TAG = re.compile(r"<(/?)([A-Za-z][\w-]{0,30})(?:\s[\w:-]{1,40}=[^<>]{0,200})?\s{0,3}/?>")
_BOX = re.compile(r"\\(?:boxed|fbox)\s{0,3}\{")
_WRAPPER = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|operatorname)\s{0,2}\{|[{}$\\]")
_FORMATTING = frozenset("b strong i em u p span div code pre mark br".split())
_BRACE = re.compile(r"[{}]")
MOST_TAGS = 400
MOST_BOXES = 64
MOST_CHARACTERS = 400  # a longer content is an essay, not a verdict


class Enclosed(NamedTuple):
    """The content of a tag or box: half-open positions, its key, and whether it is whole."""

    start: int
    end: int
    text: str
    key: Key
    whole: bool


class Tag(NamedTuple):
    """One tag: its folded name, half-open positions, and whether it closes."""

    name: str
    start: int
    end: int
    closes: bool


def tags_of(text: str) -> list[Tag]:
    """Find the tags of a reply, but for those that only format.

    Parameters
    ----------
    text : str
        The cleaned reply.

    Returns
    -------
    list of Tag
        The first four hundred; more are no verdict.

    Examples
    --------
    >>> tags_of("<b>so</b> <Answer>MATCHES</Answer>")[0]
    Tag(name='answer', start=10, end=18, closes=False)
    """
    if "<" not in text or ">" not in text:
        return []
    found = []
    for tag in _TAG.finditer(text):
        name = key_of(tag.group(2))
        if name not in _FORMATTING:
            found.append(Tag(name, *tag.span(), closes=tag.group(1) == "/"))
            if len(found) >= MOST_TAGS:
                break
    return found


def tagged(text: str, tags: list[Tag], known: dict[str, Key]) -> Iterator[Enclosed]:
    """Find the contents of tags that name a verdict.

    Parameters
    ----------
    text : str
        The cleaned reply.
    tags : list of Tag
        All its tags.
    known : dict
        Folded key -> `Key`.

    Yields
    ------
    Enclosed
        Innermost content, in the order in which tags close. An opening tag without a closing one
        of the same name gives the text up to the next tag or the end, and is not whole.

    Examples
    --------
    >>> text = "<answer> MATCHES</answer>"
    >>> [part.text for part in tagged(text, tags_of(text), {"answer": Key("neutral")})]
    ['MATCHES']
    """
    opened: Tag | None = None
    for tag in tags:
        if opened is not None and (tag.closes or tag.name in known):
            whole = tag.closes and tag.name == opened.name
            yield _part(text, opened.end, tag.start, known[opened.name], whole=whole)
            opened = None
        if not tag.closes and tag.name in known:
            opened = tag
    if opened is not None:
        yield _part(text, opened.end, len(text), known[opened.name], whole=False)


def boxed(text: str) -> Iterator[Enclosed]:
    r"""Find the contents of LaTeX boxes.

    Parameters
    ----------
    text : str
        The cleaned reply.

    Yields
    ------
    Enclosed
        Without ``\text{}`` and its like.

    Examples
    --------
    >>> [part.text for part in boxed(r"so \boxed{\text{MATCHES}}")]
    ['MATCHES']
    """
    if "\\" not in text:
        return
    for seen, box in enumerate(_BOX.finditer(text)):
        if seen >= MOST_BOXES:
            return
        depth, end = 1, -1
        for brace in _BRACE.finditer(text, box.end(), box.end() + MOST_CHARACTERS):
            depth += 1 if brace.group() == "{" else -1
            if depth == 0:
                end = brace.start()
                break
        whole = end >= 0
        stop = end if whole else min(len(text), box.end() + MOST_CHARACTERS)
        inside = _part(text, box.end(), stop, Key("neutral"), whole=whole)
        yield inside._replace(text=_WRAPPER.sub(" ", inside.text).strip())


def _part(text: str, start: int, end: int, key: Key, *, whole: bool) -> Enclosed:
    content = text[start : min(end, start + MOST_CHARACTERS)]
    lead = len(content) - len(content.lstrip())
    stripped = content.strip()
    return Enclosed(start + lead, start + lead + len(stripped), stripped, key, whole)
