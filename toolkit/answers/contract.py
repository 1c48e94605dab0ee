"""One reply, several constructs: what a judge writes that labels them all in one call."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from toolkit.answers.answer import Answer, Candidate, classes
from toolkit.answers.checks import FEWEST, MOST, key_of
from toolkit.answers.convention import Convention
from toolkit.answers.levels import Decision, settle
from toolkit.answers.lexicon import fold
from toolkit.answers.reading import Reading, Reply
from toolkit.answers.stages.keys import keys_of
from toolkit.answers.stages.values import OFF, Said, read_text
from toolkit.answers.tokens import mentions
from toolkit.errors import ConventionError

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLE = 'Contract({"escalation": [0, 1], "safety": [1, 2, 3, 4, 5]})'
_PAIRS = ({"0", "1"}, {"no", "yes"}, {"false", "true"})
_REST_OF_LINE = re.compile(r"[^\n|;]{0,160}")
# "4/5", "4 out of 5": the grade, where the second number is the top of the scale.
_NUMBER = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,6})?")
# "4 or 5", "4-5", "4%", "4e2": no one grade
_GOES_ON = re.compile(
    r"\s{0,3}(?:or|to|and|[-\u2013,./&])\s{0,3}\d|\s?[%?=]|\s{0,2}(?:->|\u2192)|[\w+]|\s{0,3}/|[^\n]{0,80}\b(?:or|maybe)\s\d"
)
MOST_LINES = 64  # one construct is graded once
_OF_TOP = re.compile(r"[\s*_]{0,4}(?:/|\(?(?:out\s)?of)\s{0,2}(\d{1,9})(?![\w.,]?\d)")


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Contract:
    """What one reply must hold: several constructs, each with its categories.

    Parameters
    ----------
    constructs : mapping of str to list, or label schema
        Construct -> categories in order (text, whole or decimal numbers, truth values), or to a
        mapping with a key ``categories``. A label schema (``labels.schema``, or its mapping
        ``{"constructs": {...}}``) names the same: what is read then fits the labels.

    Attributes
    ----------
    conventions : dict of str to Convention
        How each construct is read: by its own name as the key, a number as the category of that
        value.

    Raises
    ------
    ConventionError
        No construct, fewer than two categories, categories or names that are one word.

    Examples
    --------
    >>> import toolkit as tk
    >>> contract = tk.Contract({"escalation": [0, 1], "safety": [1, 2, 3, 4, 5]})
    >>> answers = tk.normalize('{"Escalation": false, "safety": "4"}', contract)
    >>> {construct: answer.label for construct, answer in answers.items()}
    {'escalation': 0, 'safety': 4}
    """

    conventions: Mapping[str, Convention] = field(default_factory=dict)

    def __init__(self, constructs: Any) -> None:
        constructs = _of_schema(constructs)
        if not isinstance(constructs, Mapping) or not constructs:
            raise ConventionError(
                "a contract names constructs with their categories",
                got=constructs,
                allowed="a mapping of construct to categories",
                example=EXAMPLE,
            )
        seen: dict[str, str] = {}
        for name in constructs:
            if not isinstance(name, str) or not key_of(name):
                raise ConventionError(
                    "a construct has no name",
                    got=name,
                    allowed="text with a letter or a digit",
                    example=EXAMPLE,
                )
            if key_of(name) in seen:
                raise ConventionError(
                    "two constructs are one key",
                    got=[seen[key_of(name)], name],
                    allowed='names that differ in more than letter case, blanks, "-" and "_"',
                    example=EXAMPLE,
                )
            seen[key_of(name)] = name
        made = {name: _convention(name, given) for name, given in constructs.items()}
        object.__setattr__(self, "conventions", made)

    @property
    def constructs(self) -> tuple[str, ...]:
        """Names, in order."""
        return tuple(self.conventions)

    @property
    def instructions(self) -> str:
        """What to ask a judge for: the same keys and categories that are read."""
        lines = [f"  {_json(name)}: <{_offer(one)}>" for name, one in self.conventions.items()]
        asked = "Reply with one JSON object and nothing else, one value for each <...>:"
        return "\n".join([asked, "{", ",\n".join(lines), "}"])

    def to_dict(self) -> dict[str, Any]:
        """Give construct -> categories.

        Returns
        -------
        dict
            What ``Contract(...)`` accepts.

        Examples
        --------
        >>> import toolkit as tk
        >>> tk.Contract({"harm": [0, 1]}).to_dict()
        {'harm': [0, 1]}
        """
        return {name: list(one.labels) for name, one in self.conventions.items()}

    def __repr__(self) -> str:
        return f"Contract({self.to_dict()})"


def read_contract(reply: Reply, contract: Contract, level: str) -> dict[str, Answer]:
    r"""Read every construct of a contract out of one reply.

    Parameters
    ----------
    reply : Reply
        Prepared.
    contract : Contract
        The constructs.
    level : str
        Levels exact and strict read no structure, so nothing. structured: valid JSON and whole
        tags. lenient: also damaged JSON (flagged), lines such as ``safety: 4/5`` and table rows.

    Returns
    -------
    dict of str to Answer
        In the order of the contract. A construct that is not named has outcome ``no_answer``.

    Examples
    --------
    >>> import toolkit as tk
    >>> contract = tk.Contract({"harm": [0, 1], "tone": ["cold", "warm"]})
    >>> read_contract(Reply("Harm: 0\nTone: warm"), contract, "lenient")["tone"].label
    'warm'
    """
    return {
        name: settle(reading, level, _decision(reading, level))
        for name, one in contract.conventions.items()
        for reading in (Reading(reply, one),)
    }


def _decision(reading: Reading, level: str) -> Decision:
    if level in ("exact", "strict") or reading.reply.unclosed:
        return Decision([])
    if reading.reply.objects.too_many:
        return Decision([], outcome="malformed", flags=("too_many_objects",))
    found = reading.structured
    if level == "structured" or classes(found):
        return Decision(found)
    mended, flag = reading.mended
    if classes(mended):
        return Decision(mended, flags=(flag,) if flag else ())
    if reading.reply.objects.damage == "truncated":  # the number at the cut may be half of one
        return Decision(found or mended)
    lines = list(_lines(reading))
    return Decision(classes(lines) or found or mended or lines)


def _lines(reading: Reading) -> Iterator[Candidate]:
    """Read lines that name the construct, outside of what is, or was meant to be, JSON."""
    reply, convention = reading.reply, reading.convention
    if not mentions(reply.lowered, reply.tokens, reading.fronts):
        return
    objects = reply.objects
    end = objects.damaged_at if objects.damage is not None else len(reply.lowered)
    for seen, match in enumerate(keys_of(convention).line.finditer(reply.lowered, 0, end)):
        if seen >= MOST_LINES:
            return
        if any(part.start <= match.start() < part.end for part in objects.found):
            continue
        if not _opens(reply.lowered, match.start()):
            continue
        line = _REST_OF_LINE.match(reply.lowered, match.end(), end)
        value = line.group().strip(" \t*_`\"'") if line else ""
        if not value:
            continue
        start = reply.lowered.index(value, match.end())
        said, size = _grade(value, convention)
        if "\n" in match.group() and size < len(value):
            continue  # the first point of a list below, not the grade
        if said.rule is not None:
            rule = "field" if said.gold is not None else "off_vocabulary"
            yield reading.candidate(said, start, start + size, rule, "key_value")


def _opens(lowered: str, start: int) -> bool:
    """Tell whether a name stands where a field begins, not behind a word ("max safety")."""
    before = lowered[lowered.rfind("\n", 0, start) + 1 : start].rstrip(" \t*_\"'`#>-")
    return (
        not before or before[-1] in ",;|({" or before[-1:].isdigit() or before.endswith(("1.", ")"))
    )


def _grade(value: str, convention: Convention) -> tuple[Said, int]:
    """Read the rest of a line, and say how much of it shows the category."""
    number = _NUMBER.match(value)
    if number is None:
        return read_text(value, convention), len(value)
    over = _OF_TOP.match(value, number.end())
    top = str(convention.labels[-1])
    if (over is not None and over.group(1) != top) or _GOES_ON.match(
        value, over.end() if over else number.end()
    ):
        return OFF, len(value)
    return read_text(number.group(), convention), number.end()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _offer(convention: Convention) -> str:
    *head, last = map(_json, convention.labels)
    return f"{', '.join(head)} or {last}"


def _of_schema(given: Any) -> Any:
    """Take the constructs out of a label schema, whose package this one does not know."""
    if isinstance(given, Mapping):
        only = {name for name, value in given.items() if value is not None} == {"constructs"}
        inner = given["constructs"] if only else None
    else:
        inner = getattr(given, "constructs", None)
    if not isinstance(inner, Mapping) or not inner:
        return given
    # Else it is a construct that is called "constructs".
    return inner if all(_has_categories(one) for one in inner.values()) else given


def _has_categories(one: Any) -> bool:
    return "categories" in one if isinstance(one, Mapping) else hasattr(one, "categories")


def _convention(name: str, given: Any) -> Convention:
    where = f"construct {name!r}"
    example = f'Contract({{"{name}": [0, 1]}})'
    categories = given.get("categories") if isinstance(given, Mapping) else given
    categories = getattr(categories, "categories", categories)
    if isinstance(categories, Mapping):  # value: label, as in a schema
        categories = list(categories)
    if not isinstance(categories, list | tuple | range):
        raise ConventionError(
            "a construct has a list of categories",
            got=given,
            allowed="a list, or a mapping with a key `categories`",
            example=example,
            where=where,
        )
    if len(categories) < FEWEST:
        raise ConventionError(
            "a construct has two categories or more",
            got=list(categories),
            allowed=f"{FEWEST} to {MOST} categories",
            example=example,
            where=where,
        )
    labels = [_plain(one) for one in categories]
    folded = {fold(str(label)) for label in labels}
    affirmed = next((label for label in labels if fold(str(label)) in ("1", "yes", "true")), None)
    try:
        return Convention(
            benchmark="contract",
            subset=name,
            labels=labels,
            neutral_keys=(name,),
            integers="category",
            yes=affirmed if folded in _PAIRS else None,
        )
    except ConventionError as error:
        raise ConventionError(
            _of_categories(error.what),
            got=error.got,
            allowed=_of_categories(error.allowed),
            example=example,
            where=where,
        ) from None


def _plain(category: Any) -> Any:
    if isinstance(category, np.generic):
        category = category.item()
    return int(category) if isinstance(category, bool) else category


def _of_categories(text: Any) -> Any:
    """Tell what a convention says of its labels in the words of a contract."""
    return text.replace("labels", "categories").replace("label", "category") if text else text
