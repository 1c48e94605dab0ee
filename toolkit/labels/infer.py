"""A construct's categories from its labels, where nobody declared them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolkit.common.hints import did_you_mean
from toolkit.errors import LabelError
from toolkit.labels.construct import Construct
from toolkit.labels.values import (
    EXACT,
    MISSING_WORDS,
    TRUTH_WORDS,
    Key,
    is_binary,
    is_scalar,
    key,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TWO = 2
# What such words mean beside 0 and 1; true and false are read without being told.
_ANSWERS = {"no": 0, "yes": 1, "n": 0, "y": 1, "absent": 0, "present": 1}
MOST_INFERRED = 101  # a scale from 0 to 100; more is a measurement or free text
_WIDE = "in a wide table rater= or construct= name the columns that hold labels"


def infer_construct(
    name: str, values: Sequence[Any], where: Callable[[int], str]
) -> Construct | None:
    """Infer a construct from the distinct values of its labels.

    Parameters
    ----------
    name : str
        The construct.
    values : sequence
        Distinct raw values in order of first appearance, nulls left out.
    where : callable
        From a position in `values` to the place where it first appears.

    Returns
    -------
    Construct or None
        None where nothing but missing values is there. Numbers: categories in ascending order,
        ordinal when there are more than two; 0 and 1, or one of them alone: ``[0, 1]`` with 1
        present; truth values alike. Words: in order of first appearance, ``order_declared=False``
        and nothing present, because neither can be guessed.

    Raises
    ------
    LabelError
        Numbers or truth values among words; values that are no labels; words with blanks around
        them, or two that differ only in letter case; whole numbers too large for the decimal ones
        beside them; too many to be categories.

    Examples
    --------
    >>> infer_construct("tone", ["3", 1, 2.0], str).categories
    (1, 2, 3)
    >>> infer_construct("tone", ["mid", "low"], str).order_declared
    False
    """
    found: dict[Key, int] = {}
    for position, value in enumerate(values):
        if not is_scalar(value):
            raise LabelError(
                f"construct {name!r} has a label that is neither text nor a number",
                got=value,
                allowed="text, a number, true or false",
                where=where(position),
            )
        reduced = key(value)
        if isinstance(reduced, str) and reduced != reduced.strip():
            raise LabelError(
                f"a label of construct {name!r} has blanks around it"
                + did_you_mean(reduced.strip(), found),
                got=value,
                allowed="words without blanks around them, or a schema that lists this one in "
                "`missing` or `abstain`",
                where=where(position),
            )
        if reduced is not None and reduced not in MISSING_WORDS:
            found.setdefault(reduced, position)
    if not found:
        return None
    if len(found) > MOST_INFERRED:
        raise LabelError(
            f"construct {name!r} has {len(found)} different labels",
            got=[values[position] for position in list(found.values())[:5]],
            allowed=f"at most {MOST_INFERRED} without a schema; {_WIDE}",
            where=where(list(found.values())[MOST_INFERRED]),
        )
    numbers = [_truth(reduced) for reduced in found]
    if is_binary(numbers):
        return Construct(categories=[0, 1], present=[1])
    words = [reduced for reduced in found if isinstance(reduced, str)]
    if not words:
        kind = "ordinal" if len(found) > TWO else "nominal"
        return Construct(kind=kind, categories=_ascending(name, found, values, where))
    if len(words) < len(found) or any(word in TRUTH_WORDS for word in words):
        _refuse_mixed(name, found, values, where)
    _refuse_two_spellings(name, words, found, where)
    return Construct(categories=words, order_declared=False)


def _ascending(
    name: str, found: dict[Any, int], values: Sequence[Any], where: Callable[[int], str]
) -> list[Any]:
    """Sort numbers, as decimal ones where one of them is."""
    if all(isinstance(number, int) for number in found):
        return sorted(found)
    for number, position in found.items():
        if isinstance(number, int) and abs(number) > EXACT:
            raise LabelError(
                f"construct {name!r} has a label that is too large beside decimal numbers",
                got=values[position],
                allowed=f"whole numbers up to {EXACT}, which decimal numbers can hold exactly",
                where=where(position),
            )
    return sorted(map(float, found))


def _refuse_two_spellings(
    name: str, words: list[str], found: dict[Key, int], where: Callable[[int], str]
) -> None:
    """Refuse "Yes" beside "yes": one answer in two categories would count as disagreement."""
    spelled: dict[str, str] = {}
    for word in words:
        first = spelled.setdefault(word.casefold(), word)
        if first != word:
            raise LabelError(
                f"two labels of construct {name!r} differ only in letter case",
                got=[first, word],
                allowed="one spelling, or a schema that names both as categories",
                example=f"frame['label'] = frame['label'].replace({word!r}, {first!r})",
                where=where(found[word]),
            )


def _truth(reduced: Key) -> Key:
    return TRUTH_WORDS.get(reduced, reduced) if isinstance(reduced, str) else reduced


def recoding(words: Sequence[Any]) -> str | None:
    """Say how words that answer a yes-or-no question become 0 and 1; None for other words.

    To declare them as abstentions would lose every such label.
    """
    said = {word: _ANSWERS.get(str(word).strip().casefold()) for word in words}
    known = {word: number for word, number in said.items() if number is not None}
    return f"tk.read_labels(frame.replace({known}), ...)" if known else None


def _refuse_mixed(
    name: str, found: dict[Key, int], values: Sequence[Any], where: Callable[[int], str]
) -> None:
    truths = {reduced for reduced in found if _truth(reduced) != reduced}
    words = [r for r in found if isinstance(r, str) and r not in truths]
    if not words:  # truth values among numbers other than 0 and 1
        words, truths = [str(truth) for truth in truths], set()
    numbers = sorted({_truth(r) for r in found if r not in words})
    categories = [0, 1] if is_binary(numbers) else numbers
    present = ", present: [1]" if is_binary(numbers) else ""
    position = found[words[0]]
    raise LabelError(
        f"mixed types: construct {name!r} has numbers or truth values and words",
        got=[values[found[r]] for r in found][:10],
        allowed=f"labels of one type, or a schema that says what each of them means; {_WIDE}",
        example=(is_binary(numbers) and recoding(words))
        or (
            f"constructs: {{{name}: {{categories: [{', '.join(map(str, categories))}]{present}, "
            f"abstain: [{', '.join(map(str, words[:3]))}]}}}}"
        ),
        where=where(position),
    )
