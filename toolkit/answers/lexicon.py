"""The words of a convention, and where they stand in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from toolkit.answers.stages.clean import clean
from toolkit.answers.tokens import GAPS

if TYPE_CHECKING:
    from toolkit.answers.convention import Convention

# Words that open ordinary prose too ("no idea", "just because", "true story", "moral of the
# story"): they count where they stand alone or are said of something, not wherever they occur.
LOOSE = frozenset(
    (
        "yes no true false right wrong just fair moral good bad fine ok okay valid correct pass "
        "fail incorrect passed failed matching align positive negative failure success"
    ).split()
)
# Adjectives that take a prefix: "un-ethical" and "un ethical" are one word.
_PREFIX = re.compile(r"(un|in|im|ir|il|non|mis|dis)(?=[a-z]{3})")


class Word(NamedTuple):
    """What one entry of the lexicon means: a gold value, or None for a word of a sibling subset."""

    gold: int | None
    rule: str  # canonical | synonym | locale | sibling
    loose: bool


class Hit(NamedTuple):
    """A word of the lexicon found in a text: half-open positions."""

    start: int
    end: int
    word: Word


def fold(text: str) -> str:
    r"""Bring a word into the form in which words are compared.

    Parameters
    ----------
    text : str
        Any.

    Returns
    -------
    str
        NFKC, lower case, single blanks.

    Examples
    --------
    >>> fold("  Not\n OKAY ")
    'not okay'
    """
    return " ".join(lower(unicodedata.normalize("NFKC", clean(text).text)).split())


def lower(text: str) -> str:
    r"""Lower-case a text without changing its length, so that positions stay.

    Parameters
    ----------
    text : str
        Any.

    Returns
    -------
    str
        As long as ``text``.

    Examples
    --------
    >>> lower("UNETHICAL"), len(lower("\u0130"))
    ('unethical', 1)
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Compiled words of one convention; built once, see `Convention.lexicon`."""

    words: dict[str, Word]
    anywhere: re.Pattern[str]
    here: re.Pattern[str]
    marks: frozenset[str]  # a token of each word; empty where tokens do not tell
    odd: frozenset[str]  # first characters that are no letters and no digits
    k: int
    positive: int | None

    @classmethod
    def of(cls, convention: Convention) -> Lexicon:
        """Compile the words of a convention.

        Parameters
        ----------
        convention : Convention
            Its labels, inflections, synonyms, locales and the words of its siblings.

        Returns
        -------
        Lexicon
            With the longest word first, so that none is read inside another.

        Examples
        --------
        >>> import toolkit as tk
        >>> lexicon = tk.convention("he300", "justice").lexicon
        >>> lexicon.words["reasonable"].gold, lexicon.words["unreasonable"].gold
        (1, 0)
        """
        words: dict[str, Word] = {
            fold(word): _word(None, "sibling", word) for word in convention.off_vocabulary
        }
        golds = range(convention.k)
        for names in convention.locales.values():
            for label, entries in names.items():
                words |= {fold(w): _word(convention.gold(label), "locale", w) for w in entries}
        for gold in golds:
            entries = convention.synonyms.get(convention.labels[gold], ())
            words |= {fold(word): _word(gold, "synonym", word) for word in entries}
        for gold in golds:
            label = convention.labels[gold]
            for word in (str(label), *convention.canonical.get(label, ())):
                words[fold(word)] = _word(gold, "canonical", word)
        if convention.yes is not None:
            yes = convention.gold(convention.yes)
            words |= {word: _word(yes, "canonical", word) for word in ("yes", "true")}
            if convention.k == 2:  # noqa: PLR2004 - a pair
                words |= {word: _word(1 - yes, "canonical", word) for word in ("no", "false")}
        for word, entry in list(words.items()):  # replies may be decomposed: "e" and an accent
            words.setdefault(unicodedata.normalize("NFD", word), entry)
        for word, entry in [*_hyphenated(words), *_denied(words, convention.k)]:
            words.setdefault(word, entry)
        return cls(
            words,
            _pattern(words, anywhere=True),
            _pattern(words, anywhere=False),
            _marks(words),
            _odd(words),
            convention.k,
            None if convention.positive is None else convention.gold(convention.positive),
        )

    def scan(self, lowered: str, start: int = 0, end: int | None = None) -> Iterator[Hit]:
        """Find every word, from left to right, without overlap.

        Parameters
        ----------
        lowered : str
            A text in lower case (see `lower`).
        start, end : int, optional
            The part to look at.

        Yields
        ------
        Hit
            With positions in ``lowered``.

        Examples
        --------
        >>> import toolkit as tk
        >>> lexicon = tk.convention("he300", "justice").lexicon
        >>> [(hit.start, hit.end, hit.word.gold) for hit in lexicon.scan("it is unreasonable")]
        [(6, 18, 0)]
        """
        # Some characters beyond: what follows a word is its boundary ("2" is not in "2.5").
        stop = len(lowered) if end is None else end
        for match in self.anywhere.finditer(lowered, start, stop + 4):
            if match.end() > stop:
                return
            yield self._hit(match)

    def at(self, lowered: str, position: int) -> Hit | None:
        """Give the longest word that starts at a position.

        Parameters
        ----------
        lowered : str
            A text in lower case.
        position : int
            Where the word would start.

        Returns
        -------
        Hit or None
            None where no word of the lexicon starts.

        Examples
        --------
        >>> import toolkit as tk
        >>> lexicon = tk.convention("he300", "justice").lexicon
        >>> lexicon.at("reasonable, since", 0).end
        10
        """
        match = self.here.match(lowered, position)
        return self._hit(match) if match else None

    def is_top(self, word: str) -> bool:
        """Tell whether a word is the last label, as the second number of "4/5" must be.

        Parameters
        ----------
        word : str
            In lower case.

        Returns
        -------
        bool
            False for a word that is no label.

        Examples
        --------
        >>> import toolkit as tk
        >>> scale = tk.Contract({"tone": [1, 2, 3]}).conventions["tone"].lexicon
        >>> scale.is_top("3"), scale.is_top("10")
        (True, False)
        """
        entry = self.words.get(word)
        top = max(one.gold for one in self.words.values() if one.gold is not None)
        return entry is not None and entry.gold == top

    def _hit(self, match: re.Match[str]) -> Hit:
        found = match.group()
        word = self.words.get(found) or self.words[" ".join(found.split())]
        return Hit(match.start(), match.end(), word)


def _marks(words: dict[str, Word]) -> frozenset[str]:
    tokens = [word.translate(GAPS).split() for word in words]
    plain = all(tokens) and all(word.isascii() for word in words)
    return frozenset(max(parts, key=len) for parts in tokens) if plain else frozenset()


def _odd(words: dict[str, Word]) -> frozenset[str]:
    return frozenset(word[0] for word in words if not re.match(r"\w", word))


def _word(gold: int | None, rule: str, word: str) -> Word:
    # A letter or a number opens prose and lists as well: "A man walked in", "2 people".
    folded = fold(word)
    return Word(gold, rule, folded in LOOSE or len(folded) == 1 or folded.isdigit())


def _hyphenated(words: dict[str, Word]) -> Iterator[tuple[str, Word]]:
    """Spell prefixed words apart: they mean what they mean together, at level lenient."""
    for word, entry in list(words.items()):
        prefix = _PREFIX.match(word)
        if prefix and entry.gold is not None and word[prefix.end() :] in words:
            for gap in "- ":
                yield (
                    word[: prefix.end()] + gap + word[prefix.end() :],
                    Word(entry.gold, "synonym", loose=False),
                )


def _denied(words: dict[str, Word], k: int) -> Iterator[tuple[str, Word]]:
    """Add "non-ethical": of two classes it names the other one."""
    for word, entry in list(words.items()):
        single = word.isalpha() and entry.rule == "canonical" and not _PREFIX.match(word)
        if k == 2 and single and entry.gold is not None and not entry.loose:  # noqa: PLR2004 - a pair
            yield f"non-{word}", Word(1 - entry.gold, "synonym", loose=False)
            yield f"non {word}", Word(1 - entry.gold, "synonym", loose=False)


def alternation(words: Iterable[str]) -> str:
    """Write a pattern for some words that branches by character, the longest first.

    Parameters
    ----------
    words : iterable of str
        In lower case; a blank stands for one to three.

    Returns
    -------
    str
        One group, without boundaries.

    Examples
    --------
    >>> alternation(["no", "not"])
    'no(?:t|)'
    """
    return _trie({_spelled(word): "" for word in words})


def _pattern(words: dict[str, Word], *, anywhere: bool) -> re.Pattern[str]:
    """Compile the words. A hyphen glues: "bio-ethical" holds no "ethical"."""
    body = _trie({_spelled(word): _end(word) for word in words}) if words else r"(?!)"
    if not anywhere:
        return re.compile(body)
    # An underscore is Markdown, not a letter: "_UNETHICAL_". 5 is not in 4.5, 1/5 or -5.
    numeric = any(re.match(r"[\d+-]", word) for word in words)
    starts = r"(?<![^\W_])(?<![.,/+-])" if numeric else r"(?<![^\W_])(?<![^\W_]-)"
    firsts = "".join(sorted(re.escape(char) for char in {word[0] for word in words}))
    ahead = f"(?=[{firsts}])" if words else ""  # cheap, and most positions end here
    return re.compile(ahead + starts + body)


def _spelled(word: str) -> tuple[str, ...]:
    return tuple(r"\s{1,3}" if char == " " else re.escape(char) for char in word)


def _end(word: str) -> str:
    if re.search(r"\d$", word):
        return r"(?![^\W_]|-[^\W_]|[.,]\d|[%+])"
    return r"(?![^\W_]|-[^\W_])" if re.search(r"\w$", word) else ""


def _trie(entries: dict[tuple[str, ...], str]) -> str:
    """Write an alternation that branches by character: several times faster than a flat one.

    The longest word comes first, so that none is read inside another.
    """
    if len(entries) == 1:
        ((rest, end),) = entries.items()
        return "".join(rest) + end
    prefix = next(iter(entries))[:1]
    if prefix and all(rest[:1] == prefix for rest in entries):
        return prefix[0] + _trie({rest[1:]: end for rest, end in entries.items()})
    heads: dict[str, dict[tuple[str, ...], str]] = {}
    for rest, end in entries.items():
        if rest:
            heads.setdefault(rest[0], {})[rest[1:]] = end
    branches = [head + _trie(tails) for head, tails in heads.items()]
    if () in entries:
        branches.append(entries[()])
    return f"(?:{'|'.join(branches)})"
