"""What was read out of one reply, and what shows it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeAlias

from toolkit.plain import plain

NORMALIZER_VERSION = "1.0"

LEVELS = ("exact", "strict", "structured", "lenient")

# Why there is, or is not, a label. Only "answered" carries one.
OUTCOMES = (
    "answered",
    "no_answer",
    "refusal",
    "hedge",
    "conflict",
    "off_vocabulary",
    "truncated",
    "malformed",
    "transport_error",
    "judge_error",
)

Span: TypeAlias = tuple[int, int]


class Candidate(NamedTuple):
    """One place of the reply that could be the answer.

    Attributes
    ----------
    label : str, int or None
        The label it names; None for a word or a code that is not on offer.
    gold : int or None
        Index of the label.
    rule : str
        What read it, such as ``"leading_word"`` or ``"neutral_key"``.
    stage : str
        leading, json, tag, boxed, cue, key_value or prose.
    span : tuple of int
        Half-open code points of the raw reply.

    Examples
    --------
    >>> import toolkit as tk
    >>> reply = '{"label": 0} {"label": 1}'
    >>> answer = tk.normalize(reply, tk.convention("he300", "justice"), level="structured")
    >>> [(candidate.label, candidate.span) for candidate in answer.candidates]
    [('UNREASONABLE', (10, 11)), ('REASONABLE', (23, 24))]
    """

    label: Any
    gold: int | None
    rule: str
    stage: str
    span: Span


def classes(found: list[Candidate]) -> list[Candidate]:
    """Keep the candidates that name a class.

    Parameters
    ----------
    found : list of Candidate
        Of one rank.

    Returns
    -------
    list of Candidate
        Without what is not on offer.

    Examples
    --------
    >>> classes([Candidate(None, None, "off_vocabulary", "json", (0, 1))])
    []
    """
    return [one for one in found if one.gold is not None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one reply answers at one level. It never guesses and carries no confidence.

    Attributes
    ----------
    label : str, int or None
        Entry of the convention's ``labels``; None unless the outcome is ``answered``.
    gold : int or None
        Its index: the gold value that the label stands for.
    polarity : {"positive", "negative", None}
        Whether that is the positive label of the convention.
    outcome : str
        ``answered``, or why not: ``no_answer``, ``refusal``, ``hedge``, ``conflict`` (two places
        disagree), ``off_vocabulary`` (an answer that was not on offer), ``truncated``,
        ``malformed`` (structure that can't be read at this level), ``transport_error`` (no reply
        arrived), ``judge_error`` (the judge failed). None of these is a wrong answer.
    rule, stage : str or None
        What decided; None where nothing did.
    span : tuple of int or None
        Half-open code points of the raw reply that show the answer.
    level : str
        ``exact``, ``strict``, ``structured`` or ``lenient``.
    flags : tuple of str
        What a reader should know, such as ``repaired`` or ``mixed_script``.
    candidates : tuple of Candidate
        The places that had a say, in the order of the text.
    normalizer_version, registry_digest, raw_sha256 : str
        What read it, with which convention, out of which bytes: enough to repeat it.

    Examples
    --------
    >>> import toolkit as tk
    >>> answer = tk.normalize("Unreasonable, I think.", tk.convention("he300", "justice"))
    >>> answer.label, answer.gold, answer.polarity, answer.outcome, answer.span
    ('UNREASONABLE', 0, 'negative', 'answered', (0, 12))
    """

    label: Any
    gold: int | None
    polarity: str | None
    outcome: str
    rule: str | None
    stage: str | None
    span: Span | None
    level: str
    flags: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    normalizer_version: str = NORMALIZER_VERSION
    registry_digest: str = ""
    raw_sha256: str = ""

    @property
    def answered(self) -> bool:
        """Whether there is a label."""
        return self.outcome == "answered"

    def to_dict(self) -> dict[str, Any]:
        """Give every field as strict JSON.

        Returns
        -------
        dict
            By the names of the attributes; spans as lists of two.

        Examples
        --------
        >>> import toolkit as tk
        >>> answer = tk.normalize("", tk.convention("he300", "justice"))
        >>> answer.to_dict()["outcome"], answer.to_dict()["span"]
        ('no_answer', None)
        """
        content = {field.name: getattr(self, field.name) for field in fields(self)}
        content["candidates"] = [candidate._asdict() for candidate in self.candidates]
        return {name: plain(value) for name, value in content.items()}

    def __repr__(self) -> str:
        read = f"{self.label!r} (gold {self.gold})" if self.answered else self.outcome
        shown = f" by {self.rule} at {self.span}" if self.rule else ""
        flags = f", {', '.join(self.flags)}" if self.flags else ""
        return f"Answer({read}{shown}, {self.level}{flags})"
