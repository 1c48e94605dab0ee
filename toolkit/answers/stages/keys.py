"""Which keys of an object, tag or line name a verdict, and which class they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from toolkit.answers.checks import key_of
from toolkit.answers.lexicon import alternation
from toolkit.answers.stages.objects import Pairs, unwrapped

if TYPE_CHECKING:
    from toolkit.answers.convention import Convention

# Children that quote, explain or repeat the task, and so are not searched for a verdict.
_QUOTES = frozenset(
    map(
        key_of,
        [
            "example",
            "examples",
            "schema",
            "format",
            "prompt",
            "question",
            "options",
            "history",
            "context",
            "reasoning",
            "reason",
            "reasons",
            "rationale",
            "explanation",
            "analysis",
            "thought",
            "thoughts",
            "scenario",
            "error",
            "errors",
        ],
    )
)
# Keys that carry a whole reply or the arguments of a tool call, sometimes as JSON in a string.
_CARRIERS = frozenset(
    map(key_of, "response output content text message arguments parameters input_json".split())
)
_INNER = ("value", "label", "score", "rating", "name")  # of a verdict that is an object itself
MOST_DEPTH = 12


class Key(NamedTuple):
    """What a key is: ``signed`` with the gold value when true, ``neutral``, or of a ``sibling``."""

    kind: str
    gold: int | None = None


class Entry(NamedTuple):
    """A value under a key that names a verdict, and how deep it lies (0: top level)."""

    name: str
    key: Key
    value: Any
    depth: int


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one convention.

    Attributes
    ----------
    known : dict
        Folded key -> `Key`.
    line : re.Pattern
        Finds a key that is followed by a colon or an equals sign.
    fronts : frozenset of str
        First token of each key: without one of them no line is searched.
    """

    known: dict[str, Key]
    line: re.Pattern[str]
    fronts: frozenset[str]


@lru_cache(maxsize=4096)
def _keys(signed: tuple[tuple[str, int], ...], neutral: tuple[str, ...], words: tuple[str, ...],
          siblings: tuple[str, ...]) -> Keys:  # fmt: skip
    known: dict[str, Key] = {key_of(word): Key("sibling") for word in siblings}
    known |= {key_of(key): Key("neutral") for key in neutral}
    known |= {key_of(key): Key("signed", gold) for key, gold in signed}
    names = sorted({name.lower() for name in (*neutral, *(key for key, _ in signed), *words)})
    spelled = {re.sub(r"[ _-]", gap, name) for name in names for gap in ("", " ", "_", "-")}
    body = alternation(sorted(spelled))
    line = re.compile(
        rf"\b(?<!\w-)(?:is[ _]?)?(?P<key>{body})[\"'*_`\s]{{0,4}}(?:[:=|]|=>|->)[=\s]{{0,3}}"
    )
    first = {re.split(r"[ _-]", name)[0] for name in names}
    fronts = frozenset({*first, *map(key_of, names), *(f"is{name}" for name in first)})
    return Keys(known, line, fronts)


def keys_of(convention: Convention) -> Keys:
    """Compile the keys of a convention; done once per convention.

    Parameters
    ----------
    convention : Convention
        Its signed keys, neutral keys, and the words of its siblings.

    Returns
    -------
    Keys
        Folded.

    Examples
    --------
    >>> import toolkit as tk
    >>> keys_of(tk.convention("he300", "justice")).known["unreasonable"]
    Key(kind='signed', gold=0)
    """
    signed = tuple(
        (key, convention.labels.index(label)) for key, label in convention.signed_keys.items()
    )
    return _keys(
        signed, convention.neutral_keys, tuple(convention.signed_keys), convention.off_vocabulary
    )


def entries(value: Any, known: dict[str, Key]) -> Iterator[Entry]:
    """Walk a JSON value and yield what stands under a known key, level by level.

    Parameters
    ----------
    value : object
        As parsed, objects as `Pairs`.
    known : dict
        Folded key -> `Key`.

    Yields
    ------
    Entry
        Shallow ones first. A list in the place of an object counts as that object.

    Examples
    --------
    >>> import toolkit as tk
    >>> known = keys_of(tk.convention("he300", "justice")).known
    >>> from toolkit.answers.stages.objects import loads
    >>> [entry.value for entry in entries(loads('{"result": {"label": 1}}'), known)]
    [1]
    """
    if _is_list(value) and len(value) == 1 and not isinstance(value[0], list):
        yield Entry("", Key("neutral"), value[0], 0)
        return
    level: list[Any] = [value]
    for depth in range(MOST_DEPTH):
        below: list[Any] = []
        for node in level:
            if isinstance(node, Pairs):
                for name, child in node:
                    if isinstance(child, list | str) or key_of(name) in known:
                        yield from _visit(name, child, known, depth, below)
            else:
                below += [child for child in node if isinstance(child, list)]
        if not below:
            return
        level = below


def _visit(
    name: str, child: Any, known: dict[str, Key], depth: int, below: list[Any]
) -> Iterator[Entry]:
    folded = key_of(name)
    key = known.get(folded)
    if key is not None and _is_list(child) and len(child) == 1:
        child = child[0]
    if isinstance(child, Pairs) and key is not None:
        inner = {key_of(inside): value for inside, value in child}
        plain = [inner[value] for value in _INNER if value in inner]
        if plain and not isinstance(plain[0], list) and not inner.keys() & known.keys():
            yield Entry(name, key, plain[0], depth)
            return
    if isinstance(child, list):
        if folded not in _QUOTES:
            below.append(child)
        return
    parsed = unwrapped(child) if isinstance(child, str) and (key or folded in _CARRIERS) else None
    if parsed is not None:
        below.append(parsed)
    elif key is not None:
        yield Entry(name, key, child, depth)
    elif folded in _CARRIERS:
        yield Entry(name, Key("carrier"), child, depth)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and not isinstance(value, Pairs)
