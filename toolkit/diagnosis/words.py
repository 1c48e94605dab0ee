"""Causes in words: what each is called, and what data would make it testable."""

from __future__ import annotations

TITLES = {
    "call_failure": "failed judge calls",
    "unreadable": "unreadable judge labels",
    "reversed_polarity": "a reversed convention",
    "swapped_constructs": "swapped constructs",
    "threshold_shift": "a threshold shift",
    "prevalence": "the rarity of the construct",
    "human_ceiling": "people who agree too little with each other",
    "drift": "a change along the order",
    "stratum": "a part of the corpus",
    "halo": "halo from the judge's other constructs",
    "too_few_labels": "too few labels to tell",
    "definition": "the definition of the construct",
    "judge_noise": "a judge that does not repeat its own labels",
}

ENABLE = {
    "call_failure": "three or more constructs from one call (call_id), and a second person or "
    "judge on the same items",
    "unreadable": "the items whose judge label is missing, kept in the table",
    "reversed_polarity": "items of both ends of the scale, for judge and people",
    "swapped_constructs": "two constructs with the same categories from one call",
    "threshold_shift": "items of more than one category, for judge and people",
    "prevalence": "two constructs with the same categories",
    "human_ceiling": "a second person on about 60 of the same items",
    "drift": "a declared column of the order (order=...): time, batch or sitting",
    "stratum": "a declared column of the strata (stratum=...)",
    "halo": "the judge's other constructs from the same calls",
    "too_few_labels": "calls with labels of both constructs by judge and people",
    "definition": "two constructs with the same ordered categories and a kappa above 0",
    "judge_noise": "a second sitting of the judge on about 60 of the same items (sitting)",
}

APART = {
    "human_ceiling": "Human ceiling and definition can't be told apart with one person: a second "
    "person on about 60 of the same items would tell.",
    "call_failure": "Failed calls and a shared difficulty of the items can't be told apart: a "
    "second person or judge on the same items, or the call log, would tell.",
}


def counted(number: int, noun: str) -> str:
    """Count a noun: "1 call", "2 calls"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(names: list[str], word: str = "and") -> str:
    """Join words: "a", "a and b", "a, b and c"."""
    if len(names) < 2:  # noqa: PLR2004
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"
