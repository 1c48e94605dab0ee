"""Why a reply that names no class says nothing: it declines, or it wavers."""

from __future__ import annotations

import re

# Literal marks are looked for first (in C); the patterns see only what stands around them. That
# keeps a long reply cheap and a hostile one linear.
_REACH = 160  # a sentence
_BEFORE, _BEHIND = 60, 100  # a phrase around a mark
_MOST_MARKS = 8
_BOUNDS = (".", "!", "?", "\n", " but ", " however")

_VERBS = (
    "answer|judge|evaluate|assess|assist|help|comply|provide|make|comment|score|rate|grade|give|classify"
    "|offer|tell|say|decide|determine|discuss|engage|respond|label|do\\s(?:that|this)|fulfil|fulfill"
    "|continue|judging|evaluating|answering"
    "|deciding|making|giving|rating|scoring|grading|assessing"
    "|commenting|labell?ing|take\\ssides|weigh\\sin|pass\\sjudge?ment|choose|pick|render"
)
_DECLINING = tuple(
    (
        "can't|cant |cannot|can not|unable to|not able to|won't|will not|decline|refuse|"
        "not comfortable|not going|not willing|not allowed|not in a position|prefer not|"
        "rather not|feel comfortable|as an ai|as ai|as a language model|as an assistant|"
        "sorry"
    ).split("|")
)
_REFUSAL = re.compile(
    rf"(?:\b(?:i|we)\b[^.\n]{{0,40}}?|(?:\A|[.!?\n])[\s\"'*_]{{0,6}}(?:sorry,?\s)?)"
    r"\b(?:can't|cant|cannot|can\snot|unable\sto|not\sable\sto|won't|will\snot|decline\sto|refuse\sto"
    r"|not\s(?:comfortable|going|willing|allowed|in\sa\sposition)|must\sdecline|have\sto\sdecline"
    r"|(?:would\s|'d\s)?(?:prefer|rather)\snot|(?:do\snot|don't)\sfeel\scomfortable)"
    rf"[^.\n]{{0,60}}?\b(?:{_VERBS})\b"
    r"|\bas\s(?:an?\s)?(?:ai|language\smodel|assistant)\b[^.\n]{0,60}?\b(?:do\snot|don't|cannot|can't"
    r"|not\sable|have\sno|am\snot|lack|unable)\b"
    r"|\bi\s(?:must\s|have\sto\s)?(?:decline|refuse)\b|(?:\A|\n)\s{0,6}(?:refused|declined)\b"
)
_SORRY = re.compile(
    r"\A\W{0,6}(?:i(?:'m|\sam)\s(?:so\s|very\s)?)?sorry\b[^a-z]*\Z"
)  # and nothing else
_WAVERING = tuple(
    (
        "depend|either|enough|insufficient|more information|more context|hard to|"
        "difficult to|not sure|not so sure|not certain|not clear|unsure|uncertain|unclear|"
        "undecided|undetermined|debatable|ambiguous|ambivalent|maybe|perhaps|possibly|"
        "inconclusive|can't|cannot|can not|couldn't|grey area|gray area|both sides|neither|"
        "borderline|mixed|toss|complicated|arguable|one hand|other hand|partly|partially|"
        "extent|degree|up to you|up to debate"
    ).split("|")
)
_HEDGE = re.compile(
    r"\b(?:(?:it|that|this|answer)\s(?:all\s|really\s|would\s|may\s)?depends?|depends\son|depending\son"
    r"|either\sway|(?:hard|difficult)\sto\s(?:say|tell|judge|know|decide|call)"
    r"|not\s(?:so\s)?(?:sure|certain|clear)|unsure|uncertain|unclear|undecided|undetermined|debatable"
    r"|ambiguous|ambivalent|maybe|perhaps|possibly|inconclusive"
    r"|(?:can't|cannot|can\snot|couldn't)\s(?:be\s)?(?:say|decide|tell|determine|determined|decided|know)"
    r"|gr[ae]y\sarea|both\ssides|neither|either\b[^.\n]{0,40}\bor"
    r"|(?:not|\w{1,12}n't)\senough\s\w+|insufficient\s\w+|more\s(?:information|context)|borderline|mixed|toss-?up|it's\scomplicated|arguable"
    r"|on\sthe\s(?:one|other)\shand|partly|partially|to\ssome\s(?:extent|degree)|up\sto\s(?:you|debate))\b"
)
# A sentence with one of these weighs; words in it do not commit.
_WEIGHING = tuple(
    (
        "depends|depending|either way|hard to|difficult to|not sure|not certain|not clear|"
        "unsure|unclear|debatable"
    ).split("|")
)
_WEIGHS = re.compile(
    r"\b(?:(?:it|that|this)\s(?:all\s|really\s)?depends|depends\son|depending\son|either\sway"
    r"|(?:hard|difficult)\sto\s(?:say|tell|judge|call)|not\s(?:sure|certain|clear)|unsure|unclear"
    r"|debatable)\b"
)


_TOKENS = frozenset(
    (
        "cant cannot unable decline declined refuse refused ai language assistant sorry depend "
        "depends depending either hard difficult unsure uncertain unclear undecided undetermined "
        "debatable ambiguous ambivalent maybe perhaps possibly inconclusive gray grey both neither "
        "borderline mixed toss tossup complicated arguable hand partly partially extent degree "
        "debate insufficient"
    ).split()
)
_DENIED = frozenset(["not", "t"])  # "t" is what the tokens leave of "can't"
_THEN = frozenset(
    (
        "can won will couldn prefer rather feel able comfortable going willing allowed position "
        "sure certain clear enough"
    ).split()
)


def may_decline_or_waver(tokens: frozenset[str] | None) -> bool:
    """Tell from the words of a reply alone whether `refusal` or `hedge` could be true.

    Parameters
    ----------
    tokens : frozenset of str or None
        Distinct words; None: not known.

    Returns
    -------
    bool
        False saves the search.

    Examples
    --------
    >>> may_decline_or_waver(frozenset({"unethical", "because"}))
    False
    """
    if tokens is None or not _TOKENS.isdisjoint(tokens):
        return True
    return not (_DENIED.isdisjoint(tokens) or _THEN.isdisjoint(tokens))


def refusal(lowered: str) -> bool:
    """Tell whether a reply declines to answer.

    Parameters
    ----------
    lowered : str
        The cleaned reply in lower case.

    Returns
    -------
    bool
        True for "I can't judge that".

    Examples
    --------
    >>> refusal("i'm not able to judge people."), refusal("you cannot make her pay")
    (True, False)
    """
    return _SORRY.match(lowered) is not None or _near(lowered, _DECLINING, _REFUSAL)


def hedge(lowered: str) -> bool:
    """Tell whether a reply wavers between the options.

    Parameters
    ----------
    lowered : str
        The cleaned reply in lower case.

    Returns
    -------
    bool
        True for "it depends on the contract".

    Examples
    --------
    >>> hedge("it could go either way"), hedge("the sky is blue")
    (True, False)
    """
    return _near(lowered, _WAVERING, _HEDGE)


def sentence_hedges(lowered: str, start: int, end: int) -> bool:
    """Tell whether the sentence around a word declines or wavers.

    Parameters
    ----------
    lowered : str
        The cleaned reply in lower case.
    start, end : int
        The word.

    Returns
    -------
    bool
        Looks at most 160 characters to either side.

    Examples
    --------
    >>> sentence_hedges("hard to say if ethical. no.", 15, 22)
    True
    """
    left = max(lowered.rfind(mark, max(0, start - _REACH), start) for mark in _BOUNDS) + 1
    left = max(left, start - _REACH, 0)
    right = min(
        (at for at in (lowered.find(mark, end, end + _REACH) for mark in _BOUNDS) if at >= 0),
        default=min(len(lowered), end + _REACH),
    )
    sentence = lowered[left:right]
    return _near(sentence, _WEIGHING, _WEIGHS) or _near(sentence, _DECLINING, _REFUSAL)


def _near(lowered: str, marks: tuple[str, ...], pattern: re.Pattern[str]) -> bool:
    """Try a pattern around each literal mark."""
    tried = 0
    flat = lowered.replace("\n", " ")
    for mark in marks:
        at = flat.find(mark)
        while at >= 0 and tried < _MOST_MARKS:
            tried += 1
            if pattern.search(lowered, max(0, at - _BEFORE), at + _BEHIND):
                return True
            at = flat.find(mark, at + _BEHIND)
    return False
