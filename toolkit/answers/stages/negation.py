"""What stands before a word in its clause, and whether it denies the word."""

from __future__ import annotations

import re

_CLAUSE = re.compile(
    r"[.;:!?\n]|(?<!not)(?<!never)(?<!n't),|(?:^|,\s|\band\s)so\b|\s-\s|--|\u2014|\u2013"
    r"|\b(?:(?<!anything\s)(?<!nothing\s)but|yet|however|because|since|although|though"
    r"|therefore|thus|hence|while|whereas)\b"
    r"|\b(?:and|or)\s(?=not\b)|\band\s(?=(?:it|its|it's|he|she|they|this|that|the|is|i|we)\b)"
)
_NEGATION = re.compile(
    r"\b(?:not(?!\s(?:only|just|merely|simply|to\smention))|never|cannot|hardly"
    r"|scarcely|neither|opposite\sof|disagree|nor"
    r"|nothing(?!\s(?:but|if\snot))|nobody|none|no\sone|no\slonger|far\sfrom|anything\sbut"
    r"|fail(?:s|ed)?\sto|lacks?|without(?!\s(?:a\s|any\s)?(?:doubt|question|hesitation))"
    r"|(?:is|was|are|were|do|does|did|would|could|should|ca|wo)nt)\b|n't\b"
    r"|\bno\s(?:reason|basis|grounds?|evidence)\s(?:to|for|that|on|why)\b"
    r"|\bno\b(?=(?:\s(?:way|sense|means|longer|more|less))|[\s*_\"'(\[]*\Z)"
)
_DENYING = tuple(
    (
        "not|n't|never|no |nor|cannot|hardly|scarcely|neither|nothing|nobody|none|anything|far|"
        "opposite|disagree|fail|lack|without|nt "
    ).split("|")
)
_GERUND = re.compile(
    r"\b(?:not|never)\s\w{2,20}ing\b[^,;]*\b(?:is|was|are|were|be|seems?|looks?|feels?)\b"
)
# "can't deny that it is"
_ASSERTS = re.compile(
    r"(?:n't|\bcannot|\bnot|\b(?:no\sone|nobody)\s(?:can|could|would))\s(?:deny|dispute|doubt|help\sbut)\b"
    r"|\bnever\s\w{1,12}\sanything\smore\b|\bhard\snot\sto\b"
)


def clause_of(before: str) -> str:
    """Give what stands before a word in its clause.

    Parameters
    ----------
    before : str
        The text up to the word, in lower case.

    Returns
    -------
    str
        Behind the last boundary: punctuation, a conjunction, a dash.

    Examples
    --------
    >>> clause_of("it is not wise, but it is ")
    ' it is '
    """
    last = 0
    for boundary in _CLAUSE.finditer(before):
        last = boundary.end()
    return before[last:]


def negations(clause: str) -> int:
    """Count what denies a word: an even number asserts it.

    Parameters
    ----------
    clause : str
        What stands before the word, see `clause_of`.

    Returns
    -------
    int
        Negations of the word itself, not of a gerund before it, nor those that "deny" takes back.

    Examples
    --------
    >>> negations("it is not "), negations("not telling her is "), negations("i can't deny it is ")
    (1, 0, 0)
    """
    if not any(mark in clause for mark in _DENYING):
        return 0
    found = [match.group() for match in _NEGATION.finditer(clause)]
    gerunds = len(_GERUND.findall(clause))  # "not telling her is wrong": of the telling, not of it
    gerunds += len(_ASSERTS.findall(clause))
    return len(found) - gerunds - (found.count("nor") if "neither" in found else 0)
