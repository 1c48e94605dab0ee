"""A convention that could be read in two ways is refused when it is loaded."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from toolkit.answers.lexicon import fold
from toolkit.common.hints import did_you_mean
from toolkit.errors import ConventionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.answers.convention import Convention

FEWEST, MOST = 2, 1000

# One valid line of a file for every field, for messages.
EXAMPLES = {
    "subsets": "subsets: [tone]",
    "version": "version: kind_or_rude",
    "question": "question: Is the reply KIND or RUDE?",
    "labels": "labels: [RUDE, KIND]",
    "positive": "positive: KIND",
    "canonical": "canonical: {KIND: [kindly]}",
    "synonyms": "synonyms: {KIND: [friendly, polite]}",
    "signed_keys": "signed_keys: {kind: KIND}",
    "neutral_keys": "neutral_keys: [label, verdict]",
    "integers": "integers: gold",
    "yes": "yes: KIND",
    "locales": "locales: {de: {KIND: [nett]}}",
    "off_vocabulary": "off_vocabulary: [neutral]",
}


def check(convention: Convention) -> None:
    """Refuse a convention that contradicts itself.

    Parameters
    ----------
    convention : Convention
        As loaded.

    Raises
    ------
    ConventionError
        Naming the field, what was got and what is allowed.

    Examples
    --------
    >>> from toolkit.answers import Convention
    >>> Convention(benchmark="b", subset="s", labels=["GOOD", "good"])
    Traceback (most recent call last):
    ...
    toolkit.errors.ConventionError: two labels are one word (b/s/1, labels). Got: 'good'. Allowed:
    labels that differ in more than letter case and blanks. Example: labels: [RUDE, KIND].
    """
    _labels(convention)
    _numbers(convention)
    _classes(convention)
    _words(convention)
    _keys(convention)
    _round_trip(convention)


def _refuse(convention: Convention, field: str, what: str, **parts: Any) -> ConventionError:
    return ConventionError(what, where=f"{'/'.join(convention.key)}, {field}", **parts)


def _labels(convention: Convention) -> None:
    for field in ("benchmark", "subset", "version"):
        if not getattr(convention, field).strip():
            raise _refuse(convention, field, f"{field} is empty", example=f"{field}: mine")
    if not FEWEST <= convention.k <= MOST:
        raise _refuse(
            convention,
            "labels",
            "a question offers two answers or more",
            got=list(convention.labels),
            allowed=f"{FEWEST} to {MOST} labels",
            example="labels: [RUDE, KIND]",
        )
    seen: set[str] = set()
    for label in convention.labels:
        word = fold(str(label))
        if not word:
            raise _refuse(convention, "labels", "a label is empty", got=label)
        if word in seen:
            raise _refuse(
                convention,
                "labels",
                "two labels are one word",
                got=label,
                allowed="labels that differ in more than letter case and blanks",
                example="labels: [RUDE, KIND]",
            )
        seen.add(word)


def _numbers(convention: Convention) -> None:
    """A number could be a label or a gold value: they must be the same, or one of them must go."""
    if convention.integers != "gold":
        return
    for gold, label in enumerate(convention.labels):
        try:
            same = float(label) == gold
        except (ValueError, OverflowError):
            continue
        if not same:
            raise _refuse(
                convention,
                "integers",
                "a number could be read as a label or as gold",
                got=f"label {label!r} with gold {gold}",
                allowed="integers: category (a number is the label), or integers: refuse",
                example="integers: category",
            )


def _classes(convention: Convention) -> None:
    """Every class that a field names is one of the labels."""
    named: list[tuple[str, Iterable[Any]]] = [
        ("positive", [convention.positive]),
        ("yes", [convention.yes]),
        ("canonical", convention.canonical),
        ("synonyms", convention.synonyms),
        ("signed_keys", convention.signed_keys.values()),
    ]
    named += [(f"locales.{locale}", names) for locale, names in convention.locales.items()]
    for field, classes in named:
        for label in classes:
            if label is not None and label not in convention.labels:
                raise _refuse(
                    convention,
                    field,
                    f"{field} names a class that is no label"
                    f"{did_you_mean(label, convention.labels)}",
                    got=label,
                    allowed=convention.labels,
                )


def _words(convention: Convention) -> None:
    owner: dict[str, Any] = {fold(str(label)): label for label in convention.labels}
    groups = [("canonical", convention.canonical), ("synonyms", convention.synonyms)]
    groups += [(f"locales.{locale}", names) for locale, names in convention.locales.items()]
    for field, names in groups:
        for label, words in names.items():
            for word in words:
                folded = fold(word)
                if not folded:
                    raise _refuse(convention, f"{field}.{label}", "a word is empty", got=word)
                if owner.setdefault(folded, label) != label:
                    raise _refuse(
                        convention,
                        f"{field}.{label}",
                        f"{word!r} is a word of two classes",
                        got=[owner[folded], label],
                        allowed="each word under one label",
                    )


def _keys(convention: Convention) -> None:
    neutral = {key_of(key) for key in convention.neutral_keys}
    owner: dict[str, Any] = {}
    for key, label in convention.signed_keys.items():
        if key_of(key) in neutral:
            raise _refuse(
                convention,
                "signed_keys",
                f"{key!r} is a neutral key too",
                allowed="a key that names a class, or a neutral one, not both",
                example="signed_keys: {kind: KIND}",
            )
        if owner.setdefault(key_of(key), label) != label:
            raise _refuse(convention, "signed_keys", f"{key!r} is a key of two classes")


def _round_trip(convention: Convention) -> None:
    """Label -> words -> gold -> label; the longest word wins, so none is read inside another."""
    for word, entry in convention.lexicon.words.items():
        hits = list(convention.lexicon.scan(word))
        if [(hit.start, hit.end, hit.word) for hit in hits] != [(0, len(word), entry)]:
            raise _refuse(
                convention,
                "labels",
                f"{word!r} is not read back as itself",
                got=[word[hit.start : hit.end] for hit in hits],
                allowed="words that start and end with a letter, a digit or a sign",
            )
    numbers = [float(label) for label in convention.labels if not isinstance(label, str)]
    if len(set(numbers)) < len(numbers):
        raise _refuse(
            convention, "labels", "two labels are one number", got=list(convention.labels)
        )
    for gold, label in enumerate(convention.labels):
        if convention.lexicon.words[fold(str(label))].gold != gold:
            raise _refuse(convention, "labels", "the label is not read as itself", got=label)


@lru_cache(maxsize=4096)
def key_of(key: str) -> str:
    """Fold a key: without case, blanks, "-", "_", and a leading "is".

    Parameters
    ----------
    key : str
        As a JSON object, a tag or a line has it.

    Returns
    -------
    str
        The form in which keys are compared.

    Examples
    --------
    >>> key_of("Final_Answer"), key_of("isEthical"), key_of("is_ethical"), key_of("issue")
    ('finalanswer', 'ethical', 'ethical', 'issue')
    """
    text = key.strip()
    if text[:3].lower() in ("is_", "is-", "is ") or (text[:2] == "is" and text[2:3].isupper()):
        text = text[2:]
    return "".join(char for char in text.lower() if char.isalnum())
