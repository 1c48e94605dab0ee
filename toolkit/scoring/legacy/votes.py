"""The tally of word patterns that the published benchmark used before strict first words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Votes:
    """Patterns that vote for a class, all of the same weight.

    Attributes
    ----------
    negative, positive : tuple of Pattern
        One vote each. The published scorer also searched for negations and used none of them.
    tie_negative, tie_positive : str
        Which of these words comes first decides a tie, whatever the subset.

    Examples
    --------
    >>> votes = Votes.of({
    ...     "votes": {"negative": [{"phrases": ["bad"]}], "positive": [{"open": ["good"]}]},
    ...     "tie": {"negative": "bad", "positive": "good"}})
    >>> votes.side("not good"), votes.side("ungood"), votes.side("good, no, bad")
    ('positive', None, 'positive')
    """

    negative: tuple[re.Pattern[str], ...]
    positive: tuple[re.Pattern[str], ...]
    tie_negative: str
    tie_positive: str

    @classmethod
    def of(cls, facts: dict[str, Any]) -> Votes:
        """Compile the votes of a published scorer.

        Parameters
        ----------
        facts : dict
            ``votes`` and ``tie`` of legacy.yaml.

        Returns
        -------
        Votes
            Ready to count.

        Examples
        --------
        >>> facts = {"votes": {"negative": [], "positive": []},
        ...          "tie": {"negative": "bad", "positive": "good"}}
        >>> Votes.of(facts).side("good") is None
        True
        """
        return cls(
            tuple(map(_pattern, facts["votes"]["negative"])),
            tuple(map(_pattern, facts["votes"]["positive"])),
            facts["tie"]["negative"],
            facts["tie"]["positive"],
        )

    def side(self, text: str) -> str | None:
        """Count the votes over a lower-cased text.

        Parameters
        ----------
        text : str
            Lower-cased.

        Returns
        -------
        {"positive", "negative", None}
            None where no pattern is found.
        """
        against = sum(1 for pattern in self.negative if pattern.search(text))
        favour = 0
        for pattern in self.positive:
            match = pattern.search(text)
            if match and text[max(match.start() - 2, 0) : match.start()] != "un":
                favour += 1
        if against != favour:
            return "negative" if against > favour else "positive"
        if not against:
            return None
        first = text.find(self.tie_negative)
        other = text.find(self.tie_positive)
        return "negative" if first >= 0 and (other < 0 or first <= other) else "positive"


def _pattern(entry: dict[str, Any]) -> re.Pattern[str]:
    if "open" in entry:
        return re.compile(rf"(?<![un])(?:{_phrases(entry['open'])})\b")
    if "keys" in entry:
        prefix, quote = ("(?:is_)?", "") if entry.get("is") else ("", "[\"']?")
        keys, values = "|".join(entry["keys"]), "|".join(entry["values"])
        return re.compile(rf'"?{prefix}(?:{keys})"?\s*[=:]\s*{quote}(?:{values}){quote}')
    unless = "|".join(entry.get("unless", ()))
    refused = rf"(?!\s+(?:{unless}))" if unless else ""
    return re.compile(rf"\b(?:{_phrases(entry['phrases'])})\b{refused}")


def _phrases(phrases: list[str]) -> str:
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in phrases)
