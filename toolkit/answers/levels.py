"""The conflict rule: which candidate decides at which level, and why none does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolkit.answers.answer import Answer, Candidate, classes
from toolkit.answers.stages.cues import CUES, fields, last_cue, revised_from
from toolkit.answers.stages.keys import keys_of
from toolkit.answers.stages.leading import alone
from toolkit.answers.stages.prose import on_condition, verdict, votes
from toolkit.answers.stages.values import Said, read_text
from toolkit.answers.tokens import mentions

if TYPE_CHECKING:
    from toolkit.answers.reading import Reading

_LONE_BOOLEAN = re.compile(r"[\s*_\"'`(]{0,6}(?:yes|no|true|false|y|n)[\s*_\"'`).!]{0,6}\Z")
_LONE_WORDS = re.compile(r"^[^\n]{1,60}$", re.MULTILINE)
_TICKED = re.compile(
    r"^[ \t*+-]{0,4}\[(?:x|\u2713|\u2714)\][ \t*_]{0,4}([^\n]{1,80})$", re.MULTILINE
)


class Decision:
    """What decides at one level: candidates, or the outcome where there are none."""

    def __init__(
        self, found: list[Candidate], *, outcome: str | None = None, flags: tuple[str, ...] = ()
    ) -> None:
        self.found = found
        self.outcome = outcome
        self.flags = flags


def decide(reading: Reading, level: str) -> Answer:
    """Read a reply at one level.

    Parameters
    ----------
    reading : Reading
        The reply and the convention.
    level : str
        One of ``LEVELS``.

    Returns
    -------
    Answer
        Candidates of one rank that disagree are a conflict; the class is decided first, and its
        gold value is that of the convention.

    Examples
    --------
    >>> import toolkit as tk
    >>> from toolkit.answers.reading import Reading, Reply
    >>> reading = Reading(Reply('{"label": 1}'), tk.convention("he300", "justice"))
    >>> decide(reading, "strict").outcome, decide(reading, "structured").gold
    ('no_answer', 1)
    """
    return settle(reading, level, _RULES[level](reading))


def settle(reading: Reading, level: str, made: Decision) -> Answer:
    """Turn what was found into an answer, or into the reason why there is none.

    Parameters
    ----------
    reading : Reading
        The reply and the convention.
    level : str
        One of ``LEVELS``.
    made : Decision
        Candidates of one rank.

    Returns
    -------
    Answer
        Answered only where all candidates that name a class name the same one.

    Examples
    --------
    >>> import toolkit as tk
    >>> from toolkit.answers.reading import Reading, Reply
    >>> reading = Reading(Reply("I refuse."), tk.convention("he300", "justice"))
    >>> settle(reading, "lenient", Decision([])).outcome
    'refusal'
    """
    golds = {one.gold for one in made.found if one.gold is not None}
    if len(golds) == 1 and made.outcome is None:
        return _answer(
            reading, level, made, next(one for one in made.found if one.gold is not None)
        )
    outcome = made.outcome or ("conflict" if len(golds) > 1 else None)
    return _answer(reading, level, made, None, outcome or _silence(reading, level, made))


def _answer(
    reading: Reading,
    level: str,
    made: Decision,
    chosen: Candidate | None,
    outcome: str = "answered",
) -> Answer:
    convention, reply = reading.convention, reading.reply
    gold = None if chosen is None else chosen.gold
    return Answer(
        label=None if chosen is None else chosen.label,
        gold=gold,
        polarity=convention.polarity(gold),
        outcome=outcome,
        rule=None if chosen is None else chosen.rule,
        stage=None if chosen is None else chosen.stage,
        span=None if chosen is None else chosen.span,
        level=level,
        flags=(*reply.flags, *made.flags),
        candidates=tuple(made.found),
        registry_digest=convention.digest,
        raw_sha256=reply.sha256,
    )


def _exact(reading: Reading) -> Decision:
    found = reading.leading
    if found is None or not alone(reading.reply.lowered, found) or reading.reply.unclosed:
        return Decision([])
    return _strict(reading)


def _strict(reading: Reading) -> Decision:
    found = reading.leading
    if reading.reply.unclosed or found is None:
        return Decision([])
    hit, refused = found
    if refused is None:
        said = Said(hit.word.gold, "word")
        return Decision([reading.candidate(said, hit.start, hit.end, "leading_word", "leading")])
    if refused == "joined":
        return Decision([], outcome="conflict")
    return Decision([])


def _structured(reading: Reading) -> Decision:
    first = _strict(reading)
    if first.found or reading.reply.unclosed:
        return first
    if reading.reply.objects.too_many:
        return Decision([], outcome="malformed", flags=("too_many_objects",))
    found = reading.structured
    return Decision(found) if found else first


def _lenient(reading: Reading) -> Decision:  # noqa: PLR0911 - one a rank
    if reading.reply.unclosed:
        return Decision([])
    first = _strict(reading)
    if first.found and _in_some_cases(reading):
        return Decision([], outcome="hedge")
    if first.found:
        return _revised(reading, first)
    structured = _structured(reading)
    if structured.flags or classes(structured.found):
        return structured
    mended, flag = reading.mended
    if classes(mended):
        return Decision(mended, flags=(flag,) if flag else ())
    if reading.reply.objects.damage == "truncated":
        return Decision(structured.found)
    seen = structured.found or mended
    lone = _lone_lines(reading)
    if len({one.gold for one in lone}) > 1:
        cued = _cued(reading)
        behind = bool(classes(cued)) and cued[0].span[0] > lone[-1].span[0]
        return Decision(cued if behind else lone)
    for stage in (_ticked, _cued, _fielded, _bare, _prose):
        found = stage(reading)
        if classes(found):
            return Decision(found)
        seen = seen or found
    return Decision(seen)


def _in_some_cases(reading: Reading) -> bool:
    """Tell whether the first word holds on a condition and another class is named for the rest."""
    hit = reading.leading.hit if reading.leading else None
    if hit is None or not on_condition(reading.reply.lowered, hit.end):
        return False
    others = reading.convention.lexicon.scan(reading.reply.lowered, hit.end)
    return any(other.word.gold not in (None, hit.word.gold) for other in others)


def _revised(reading: Reading, first: Decision) -> Decision:
    """Let a later verdict win where the reply visibly takes the first one back."""
    lowered, text = reading.reply.lowered, reading.reply.text
    end = reading.leading.hit.end if reading.leading else 0
    if len(lowered) - end < 2:  # noqa: PLR2004 - shorter than any word
        return first
    lone = _lone_lines(reading)
    if len({one.gold for one in lone}) > 1:
        return Decision(lone)
    mark = revised_from(lowered, reading.reply.tokens)
    if mark is None or mark < end:
        return first
    last = last_cue(text, lowered, reading.convention, after=mark)
    if last is not None and last.said.gold is not None:
        return Decision([reading.candidate(last.said, last.start, last.end, "revision", "cue")])
    found = verdict(
        votes(text, lowered, mark, len(lowered), reading.convention), lowered, mark, len(lowered)
    )
    strong = [vote for vote in found if vote.strong]
    if strong and len({vote.gold for vote in strong}) == 1:
        vote = strong[-1]
        said = Said(vote.gold, vote.rule)
        return Decision([reading.candidate(said, vote.start, vote.end, "revision", "prose")])
    return first


def _lone_lines(reading: Reading) -> list[Candidate]:
    """Find lines that hold one canonical word and nothing else."""
    lowered = reading.reply.lowered
    if "\n" not in lowered:
        return []
    found = []
    for seen, line in enumerate(_LONE_WORDS.finditer(lowered)):
        if seen >= 400:  # noqa: PLR2004 - an essay
            break
        word = line.group().strip(" \t*_\"'`.!#>-()[]") if "[ ]" not in line.group() else ""
        entry = reading.convention.lexicon.words.get(word)
        if entry is not None and entry.rule == "canonical" and entry.gold is not None:
            start = lowered.index(word, line.start())
            if _goes_on(lowered, line.start(), reading):
                continue
            said = Said(entry.gold, "word")
            found.append(reading.candidate(said, start, start + len(word), "lone_line", "prose"))
    return found


def _goes_on(lowered: str, start: int, reading: Reading) -> bool:
    """Tell whether the line before runs on into this one, so that it is none of its own."""
    if start < 2 or not (lowered[start - 2].isalpha() or lowered[start - 2] == ","):  # noqa: PLR2004
        return False
    before = lowered[lowered.rfind("\n", 0, start - 1) + 1 : start - 1]
    return before.strip(" *_-#>") not in reading.convention.lexicon.words


def _ticked(reading: Reading) -> list[Candidate]:
    """Read the lines of a list whose box is ticked."""
    lowered, lexicon = reading.reply.lowered, reading.convention.lexicon
    found = []
    for line in _TICKED.finditer(lowered) if "]" in lowered else ():
        hit = lexicon.at(lowered, line.start(1))
        if hit is not None and hit.word.gold is not None:
            said = Said(hit.word.gold, "word")
            found.append(reading.candidate(said, hit.start, hit.end, "ticked_box", "prose"))
    return found


def _cued(reading: Reading) -> list[Candidate]:
    reply = reading.reply
    if not mentions(reply.lowered, reply.tokens, CUES):
        return []
    last = last_cue(reply.text, reply.lowered, reading.convention)
    if last is None:
        return []
    rule = "cue" if last.said.gold is not None else "off_vocabulary"
    return [reading.candidate(last.said, last.start, last.end, rule, "cue")]


def _fielded(reading: Reading) -> list[Candidate]:
    if not mentions(reading.reply.lowered, reading.reply.tokens, reading.fronts):
        return []
    found = fields(reading.reply.lowered, keys_of(reading.convention), reading.convention)
    return [
        reading.candidate(
            cued.said,
            cued.start,
            cued.end,
            "field" if cued.said.gold is not None else "off_vocabulary",
            "key_value",
        )
        for cued in found
        if cued.said.rule is not None
    ]


def _bare(reading: Reading) -> list[Candidate]:
    """Read a reply that is one integer and nothing else, by the declared coding."""
    text = reading.reply.text
    if len(text) > 40 or not any(map(str.isdigit, text)):  # noqa: PLR2004 - blanks and decoration
        return []
    said = read_text(text, reading.convention)
    if said.rule is None or said.text:
        return []
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    rule = "bare_integer" if said.gold is not None else "off_vocabulary"
    return [reading.candidate(said, start, end, rule, "prose")]


def _prose(reading: Reading) -> list[Candidate]:
    reply = reading.reply
    if not mentions(reply.lowered, reply.tokens, reading.convention.lexicon.marks):
        return []
    lone = _lone_lines(reading)
    if lone:
        return lone
    size = len(reply.lowered)
    found = verdict(
        votes(reply.text, reply.lowered, 0, size, reading.convention), reply.lowered, 0, size
    )
    return [
        reading.candidate(Said(vote.gold, vote.rule), vote.start, vote.end, vote.rule, "prose")
        for vote in found
    ]


def _silence(reading: Reading, level: str, made: Decision) -> str:  # noqa: PLR0911 - one a reason
    """Name why there is no answer, the most telling reason first."""
    reply = reading.reply
    if reply.unclosed:
        return "truncated"
    structure = level in ("structured", "lenient")
    off = [one for one in made.found if one.rule == "off_vocabulary"]
    if structure and not off and reply.objects.damage is not None:
        return reply.objects.damage
    if structure and not off and reading.cut_tag:
        return "truncated"
    if off:
        return "off_vocabulary"
    first = reading.leading
    if first is not None and first.refused in ("sibling", "synonym", "locale"):
        return "off_vocabulary"
    if reply.silence != "no_answer":
        return reply.silence
    lone = _LONE_BOOLEAN.match(reply.lowered) is not None
    return "off_vocabulary" if lone or made.found else "no_answer"


_RULES = {"exact": _exact, "strict": _strict, "structured": _structured, "lenient": _lenient}
