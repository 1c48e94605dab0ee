"""The verdict that a reply begins with."""

from __future__ import annotations

import re
from typing import NamedTuple

from toolkit.answers.lexicon import Hit, Lexicon

# What may stand before a verdict without being one: blanks, Markdown, quotes, brackets, bullets,
# signs and pictures, a code fence with its language, and tags that only format.
_FORMAT = r"</?(?:b|strong|i|em|u|p|span|div|code|pre|mark|h[1-6]|br)\s{0,3}/?>"
_BEFORE = re.compile(
    rf"(?:`{{3}}[a-z]{{0,12}}\n|`++|{_FORMAT}"
    r"|[\s*_~#>\-+\u2022\u00b7|\"'(\[\u2013\u2014\u2190-\u2bff\U0001f300-\U0001faff]++)*+"
)
_AFTER = re.compile(rf"(?:{_FORMAT}|[\s*_~`\"')\]]++)*+")
_END = re.compile(rf"(?:{_FORMAT}|[\s*_~`\"')\].!|\u3002\u2190-\u2bff\U0001f300-\U0001faff]++)*+\Z")
_STOP = re.compile(r"[.,;!)\u2013\u2014(\n]|\Z| -|-{2}")
_OVER = re.compile(r"\s{0,2}(?:/|\(?(?:out\s)?of\b)\s{0,2}(\d{1,9})(?![\w.,]?\d)")
# "**Ethical judgment:** ...", "Correct (yes/no): no": a heading or a field, whatever its noun.
_HEADING = re.compile(
    r"(?:[ \t]+(?!(?:because|since|as|for|it|this|that|the|he|she|they|we|i|you|there|given|due"
    r"|based|with|but|though|although|in|on|by|if|to|when)\b)[a-z/-]{2,20}){0,3}"
    r"(?:[ \t]*\([^)\n]{0,40}\))?[ \t*_]{0,4}[:=]"
)
_DENIED = re.compile(r"[ \t*_]{1,4}(?:not|none|no)\b|[ \t]*\[ \]|[ \t*_]{0,4}~~")
_UNTICKED = "\u2610\u2260"  # an empty box, "is not"
_CROSSES = "\u274c\u2716\u2717\u2718\U0001f6ab"
_NEXT_POINT = re.compile(r"\n\s{0,4}[2b][.)]\s")
_MOST_DECORATION = 40
_JOIN = re.compile(r"\(?(?:and|or|nor|vs\.?|versus)\b|/|\||&|,\s{0,3}(?:and|or)\b")
_OR_NOT = re.compile(r"or\s{1,3}not\b")
_LISTED = re.compile(
    r"[\s,;*_~`\"')\](\[>\u2013\u2014\u2192-]{1,12}"
)  # "ETHICAL, UNETHICAL": the options, no choice
_ALONE = re.compile(r"[\s*_~`\"')\]]{0,12}(?:[.,;!?]|\Z)")
# After "yes", "no", "pass": the verdict goes on. After anything else ("no idea") it was none.
_GOES_ON = re.compile(
    r"(?:because|since|as|for|it|its|it's|this|that|the|he|she|they|we|i|you|there|given|due|based|with"
    r"|but|though|although|in|on|by|if)\b"
)
# "Ethical concerns arise": the adjective names a topic, not a verdict.
_TOPIC = re.compile(
    r"[ \t]{1,3}(?:questions?|issues?|concerns?|dilemmas?|considerations?|implications?|views?"
    r"|viewpoints?|standpoints?|guidelines?|misconduct|verdicts?|assessments?"
    r"|classifications?|status|ratings?|judge?ments?|anal(?:ysis|yses)|evaluations?"
    r"|scores?|perspectives?|principles?|frameworks?|standards?|theor(?:y|ies)|people"
    r"|persons?|minds?|doubts?|problems?|lapses?|violations?|breach(?:es)?|wrongdoing"
    r"|gr[ae]y|sides?|matters?|debates?|aspects?|values?|norms?|codes?|reasoning"
    r")\b"
)


class Leading(NamedTuple):
    """The word at the front of a reply, and why it does not count where it does not."""

    hit: Hit
    refused: str | None  # None: it is the verdict


def leading(lowered: str, lexicon: Lexicon) -> Leading | None:
    """Read the first word of a reply.

    Parameters
    ----------
    lowered : str
        The cleaned reply in lower case.
    lexicon : Lexicon
        The words on offer.

    Returns
    -------
    Leading or None
        None where no word of the lexicon is at the front. ``refused`` is ``"key"`` (followed by
        ``:`` or ``=``), ``"question"``, ``"joined"`` (to a word of another class), ``"structure"``
        (inside a JSON list), ``"scale"`` ("4/10" where five is the top), ``"topic"``, ``"denied"``
        (a cross, "not"), ``"prose"`` (an ordinary word that goes on), or the rule of a word that is
        not canonical.

    Examples
    --------
    >>> import toolkit as tk
    >>> lexicon = tk.convention("he300", "commonsense").lexicon
    >>> leading("**unethical**, since", lexicon).refused is None
    True
    >>> leading("ethical or unethical: unethical", lexicon).refused
    'joined'
    """
    start = _BEFORE.match(lowered).end()  # type: ignore[union-attr]
    hit = _odd(lowered, start, lexicon) if lexicon.odd else None
    if hit is None:
        hit = lexicon.at(lowered, start)
        if hit is None or _signed(lowered, start):
            return None
    return Leading(hit, _refused(lowered, hit.start, hit, lexicon))


def _odd(lowered: str, start: int, lexicon: Lexicon) -> Hit | None:
    """Find a word that begins with what is decoration elsewhere: "-1", "(a)", a thumb."""
    for position in range(min(start, _MOST_DECORATION)):
        if lowered[position] in lexicon.odd:
            hit = lexicon.at(lowered, position)
            if hit is not None:
                return hit
    return None


def _signed(lowered: str, start: int) -> bool:
    """Tell whether a number carries a sign: -4, >4 and ~4 are not 4."""
    return lowered[start].isdigit() and lowered[start - 1 : start] in tuple("-+~><=") and start > 0


def alone(lowered: str, found: Leading) -> bool:
    """Tell whether nothing but decoration follows the word.

    Parameters
    ----------
    lowered : str
        The cleaned reply in lower case.
    found : Leading
        Its first word.

    Returns
    -------
    bool
        True for level exact.

    Examples
    --------
    >>> import toolkit as tk
    >>> text = "unethical."
    >>> alone(text, leading(text, tk.convention("he300", "commonsense").lexicon))
    True
    """
    return found.refused is None and _END.match(lowered, found.hit.end) is not None


def names_a_topic(lowered: str, hit: Hit) -> bool:
    """Tell whether an adjective only says what something is about.

    Parameters
    ----------
    lowered : str
        A text in lower case.
    hit : Hit
        A word of it.

    Returns
    -------
    bool
        True for "ethical concerns"; a verb ("contradicts principles") has an object.

    Examples
    --------
    >>> import toolkit as tk
    >>> lexicon = tk.convention("he300", "commonsense").lexicon
    >>> text = "ethical concerns arise"
    >>> names_a_topic(text, lexicon.at(text, 0))
    True
    """
    adjective = lowered.endswith(("al", "able", "ible"), hit.start, hit.end)
    return adjective and _TOPIC.match(lowered, hit.end) is not None


def _refused(lowered: str, start: int, hit: Hit, lexicon: Lexicon) -> str | None:  # noqa: PLR0911
    if hit.word.rule != "canonical":
        return hit.word.rule
    before = lowered[max(0, start - _MOST_DECORATION) : start]
    if '["' in before or "['" in before or "[ ]" in before:  # a list, or a box without a tick
        return "structure"
    rest = _AFTER.match(lowered, hit.end).end()  # type: ignore[union-attr]
    following = lowered[rest : rest + 1]
    if following in (":", "="):
        return "key"
    if _denied(before, lowered, hit, lexicon):
        return "denied"
    if following == "?":
        return "question"
    over = _OVER.match(lowered, hit.end) if lowered[hit.end - 1].isdigit() else None
    if over is not None:  # "4/5" is 4 on a scale that ends at 5, and nothing on another scale
        pair = lexicon.k == 2 and lexicon.is_top(over.group(1))  # noqa: PLR2004 - "0/1": the options
        return None if lexicon.is_top(over.group(1)) and not pair else "scale"
    if _joined(lowered, rest, hit, lexicon):
        return "joined"
    if _HEADING.match(lowered, hit.end):
        return "key"
    if names_a_topic(lowered, hit):
        return "topic"
    if hit.word.loose and not _stands(lowered, hit, rest, lexicon):
        return "prose"
    return None


def _denied(before: str, lowered: str, hit: Hit, lexicon: Lexicon) -> bool:
    """Tell whether signs or the next word take the word back: a cross, a stroke, an empty box."""
    if (
        any(sign in before for sign in _UNTICKED)
        or "~~" in before
        or _DENIED.match(lowered, hit.end)
    ):
        return True
    crossed = any(sign in before for sign in _CROSSES)
    if crossed and hit.word.gold == lexicon.positive:
        return True
    first = lowered[hit.start : hit.end] in ("1", "a") and lowered[hit.end : hit.end + 1] in (
        ".",
        ")",
    )
    return first and _NEXT_POINT.search(lowered, hit.end) is not None


def _joined(lowered: str, rest: int, hit: Hit, lexicon: Lexicon) -> bool:
    """Tell whether a word of another class follows on equal terms."""
    joined = _JOIN.match(lowered, rest)
    if joined is not None:
        if _OR_NOT.match(lowered, rest):
            return True
        start = _BEFORE.match(lowered, joined.end())
        return _differs(lexicon.at(lowered, start.end() if start else rest), hit)
    listed = _LISTED.match(lowered, hit.end)
    other = lexicon.at(lowered, listed.end()) if listed and "\n" not in listed.group() else None
    return _differs(other, hit) and _ALONE.match(lowered, other.end if other else 0) is not None


def _differs(other: Hit | None, hit: Hit) -> bool:
    return other is not None and other.word.gold not in (None, hit.word.gold)


def _stands(lowered: str, hit: Hit, rest: int, lexicon: Lexicon) -> bool:
    end = hit.end
    stop = _STOP.match(lowered, end) or _STOP.match(lowered, rest) or "\n" in lowered[end:rest]
    if stop or _GOES_ON.match(lowered, rest) is not None:
        return True
    again = lexicon.at(lowered, rest)  # "FAIL FAIL FAIL"
    return again is not None and lowered[again.start : again.end] == lowered[hit.start : hit.end]
