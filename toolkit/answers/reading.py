"""One reply, prepared once: every level reads the same pieces, each made when first needed."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from toolkit.answers.answer import Candidate, classes
from toolkit.answers.lazy import lazy
from toolkit.answers.lexicon import lower
from toolkit.answers.stages.clean import Cleaned, clean
from toolkit.answers.stages.keys import Entry, entries, keys_of
from toolkit.answers.stages.leading import Leading, alone, leading
from toolkit.answers.stages.objects import Found, Objects, find_objects
from toolkit.answers.stages.reasoning import without_reasoning
from toolkit.answers.stages.repair import completed, repaired
from toolkit.answers.stages.silence import hedge, may_decline_or_waver, refusal
from toolkit.answers.stages.tags import Enclosed, Tag, boxed, tagged, tags_of
from toolkit.answers.stages.values import Said, read_text, read_value
from toolkit.answers.tokens import tokens_of

if TYPE_CHECKING:
    from toolkit.answers.convention import Convention


MOST_ENTRIES = 500  # an object with more is data, no verdict
_COLON = re.compile(r"\s{0,20}:\s{0,20}")
MOST_KEYS = 8  # keys of one name that are tried for a value
MOST_PLACES = 64  # values of one object that are looked for; behind them the object is the span


class Reply:
    """A reply without invisible characters and reasoning; independent of any convention.

    Attributes
    ----------
    text, lowered : str
        What is read, and the same in lower case.
    unclosed : bool
        Whether reasoning never ended.
    flags : tuple of str
        What was found on the way.
    sha256 : str
        Of the raw reply as UTF-8; halves of surrogate pairs are kept.
    """

    def __init__(self, raw: str, flags: tuple[str, ...] = ()) -> None:
        self.sha256 = hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()
        cleaned, self.unclosed = without_reasoning(clean(raw))
        self._cleaned: Cleaned = cleaned
        self.text = cleaned.text
        self.lowered = lower(cleaned.text)
        self.flags = (*flags, *cleaned.flags)

    @lazy
    def tokens(self) -> frozenset[str] | None:
        """Distinct words; None where they are not worth splitting."""
        return tokens_of(self.lowered)

    @lazy
    def silence(self) -> str:
        """Why a reply that names no class says nothing: refusal, hedge or no_answer."""
        if not may_decline_or_waver(self.tokens):
            return "no_answer"
        if refusal(self.lowered):
            return "refusal"
        return "hedge" if hedge(self.lowered) else "no_answer"

    @lazy
    def objects(self) -> Objects:
        """What the reply holds in JSON."""
        return find_objects(self.text)

    @lazy
    def tags(self) -> list[Tag]:
        """Its tags."""
        return tags_of(self.text)

    @lazy
    def boxes(self) -> list[Enclosed]:
        """The contents of its LaTeX boxes."""
        return list(boxed(self.text))

    @lazy
    def mended(self) -> tuple[Found | None, str | None]:
        """The first damaged object, mended or completed, and the flag that says so."""
        damage = self.objects
        if damage.damage == "malformed":
            found, flag = repaired(self.text, damage.damaged_at), "repaired"
        elif damage.damage == "truncated":
            found, flag = completed(self.text, damage.damaged_at), "truncated_json"
        else:
            return None, None
        if found is None:
            return None, None
        return Found(damage.damaged_at, found[1], found[0]), flag

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Give half-open code points of the raw reply.

        Parameters
        ----------
        start, end : int
            Positions in ``text``.

        Returns
        -------
        tuple of int
            Positions in the raw reply.

        Examples
        --------
        >>> Reply("<think>a</think>MATCHES").span(1, 8)
        (16, 23)
        """
        return self._cleaned.span(start, end)


class Reading:
    """A reply seen through one convention.

    Parameters
    ----------
    reply : Reply
        Prepared.
    convention : Convention
        What is on offer.

    Examples
    --------
    >>> import toolkit as tk
    >>> reading = Reading(Reply('{"label": 1}'), tk.convention("he300", "justice"))
    >>> reading.structured[0].label, reading.structured[0].span
    ('REASONABLE', (10, 11))
    """

    def __init__(self, reply: Reply, convention: Convention) -> None:
        self.reply = reply
        self.convention = convention

    @lazy
    def leading(self) -> Leading | None:
        """The first word."""
        return leading(self.reply.lowered, self.convention.lexicon)

    @lazy
    def fronts(self) -> frozenset[str]:
        """First tokens of the keys that could set a field."""
        return keys_of(self.convention).fronts

    @lazy
    def structured(self) -> list[Candidate]:
        """Candidates of valid JSON, whole tags and boxes."""
        found = [one for part in self.reply.objects.found for one in self.of_object(part)]
        return found + self._enclosed(whole=True)

    @lazy
    def mended(self) -> tuple[list[Candidate], str | None]:
        """Candidates of the damaged object and of tags that do not close, with the flag."""
        part, flag = self.reply.mended
        found = self.of_object(part) if part is not None else []
        if found:
            return found, flag
        loose = self._enclosed(whole=False)
        return loose, "unclosed_tag" if loose else None

    def candidate(self, said: Said, start: int, end: int, rule: str, stage: str) -> Candidate:
        """Put what was read together with where it stands.

        Parameters
        ----------
        said : Said
            What it says.
        start, end : int
            Positions in the cleaned reply.
        rule, stage : str
            What read it.

        Returns
        -------
        Candidate
            With positions in the raw reply.

        Examples
        --------
        >>> import toolkit as tk
        >>> reading = Reading(Reply("so MATCHES"), tk.convention("he300", "virtue"))
        >>> reading.candidate(Said(1, "word"), 3, 10, "word", "prose").label
        'MATCHES'
        """
        label = None if said.gold is None else self.convention.labels[said.gold]
        return Candidate(label, said.gold, rule, stage, self.reply.span(start, end))

    def of_object(self, part: Found) -> list[Candidate]:
        """Read one JSON value: the shallowest keys that name a class.

        Parameters
        ----------
        part : Found
            The value and its place.

        Returns
        -------
        list of Candidate
            Those of the shallowest level with a class; else what is not on offer.

        Examples
        --------
        >>> import toolkit as tk
        >>> reading = Reading(Reply('{"label": 2}'), tk.convention("he300", "justice"))
        >>> reading.structured[0].rule
        'off_vocabulary'
        """
        found: list[Candidate] = []
        carried: list[Candidate] = []
        depth = seen = 0
        counted = False
        for entry in entries(part.value, keys_of(self.convention).known):
            if entry.depth > depth and classes(found):
                break
            depth = entry.depth
            said = read_value(entry.value, entry.key, self.convention)
            if said.rule is None:
                continue
            seen += 1
            if seen > MOST_ENTRIES:
                return []
            whole = part.start, part.end
            start, end = _place(self.reply.text, part, entry) if seen <= MOST_PLACES else whole
            if entry.key.kind == "carrier":
                if said.gold is not None and _is_word(entry.value, self.convention):
                    carried.append(self.candidate(said, start, end, "carrier", "json"))
                continue
            counted = counted or _is_count(entry)
            rule = f"{entry.key.kind}_key" if said.gold is not None else _off(said)
            found.append(self.candidate(said, start, end, rule, "json"))
        if counted:  # {"passed": 1, "failed": 9} counts, and says neither
            return [one for one in found if one.gold is None]
        return classes(found) or carried or found

    @lazy
    def _parts(self) -> list[tuple[str, Enclosed]]:
        text, known = self.reply.text, keys_of(self.convention).known
        parts = [("tag", part) for part in tagged(text, self.reply.tags, known)]
        return parts + [("boxed", part) for part in self.reply.boxes]

    @property
    def cut_tag(self) -> bool:
        """Whether the reply ends inside a tag that names a verdict."""
        end = len(self.reply.text.rstrip())
        return any(not part.whole and part.end >= end for _, part in self._parts)

    def _enclosed(self, *, whole: bool) -> list[Candidate]:
        found = []
        for stage, part in self._parts:
            if part.whole is not whole or part.text[:1] in ("", "{", "["):
                continue
            if part.key.kind in ("signed", "sibling"):
                said = read_value(part.text, part.key, self.convention)
            else:
                said = read_text(part.text, self.convention)
            if said.rule is not None:
                rule = f"{part.key.kind}_{stage}" if said.gold is not None else _off(said)
                found.append(self.candidate(said, part.start, part.end, rule, stage))
        return classes(found) or found


def _is_word(value: Any, convention: Convention) -> bool:
    """Tell whether a whole reply under a key is one word, and no error message or essay."""
    lowered = lower(str(value))
    found = leading(lowered, convention.lexicon)
    return found is not None and alone(lowered, found)


def _is_count(entry: Entry) -> bool:
    number = isinstance(entry.value, int | float) and not isinstance(entry.value, bool)
    return entry.key.kind == "signed" and number and entry.value not in (0, 1)


def _off(said: Said) -> str:
    return "free_text" if said.text else "off_vocabulary"


def _place(text: str, part: Found, entry: Entry) -> tuple[int, int]:
    """Find a value behind its key; the whole object where it is spelled in another way."""
    if not entry.name:
        return _behind(text, part.start + 1, entry.value) or (part.start, part.end)
    name = f'"{entry.name}"'
    at = part.start
    for _ in range(MOST_KEYS):
        at = text.find(name, at, part.end)
        if at < 0:
            break
        at += len(name)
        colon = _COLON.match(text, at)
        found = _behind(text, colon.end(), entry.value) if colon else None
        if found is not None:
            return found
    return part.start, part.end


def _behind(text: str, start: int, value: Any) -> tuple[int, int] | None:
    """Give the place of a value that begins here and ends as a JSON value does."""
    for spelled in _spellings(value):
        for quote in ("", '"'):
            whole = quote + spelled + quote
            if (
                text.startswith(whole, start)
                and not text[start + len(whole) : start + len(whole) + 1].isalnum()
            ):
                return start + len(quote), start + len(quote) + len(spelled)
    return None


def _spellings(value: Any) -> list[str]:
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, str):
        return [value] if value else []
    return [str(value)]
