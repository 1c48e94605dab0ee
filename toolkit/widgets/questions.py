"""What the rater is asked about each item: the constructs of a schema, several-of-many too."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolkit.common.hints import did_you_mean
from toolkit.common.strict_yaml import load_yaml
from toolkit.errors import SchemaError
from toolkit.labels.schema import Schema
from toolkit.widgets.marks import visible

MULTIPLE = "multiple"
UNSURE = "unsure"
DIGITS = "0123456789"
EXAMPLE = "constructs: {topics: {kind: multiple, categories: [work, family]}}"

Answer = list[int] | str | None  # positions of the chosen options, UNSURE, or not answered


@dataclass(frozen=True)
class Question:
    """One question: a construct, or several of 0 and 1 whose options are ticked.

    `values` are the categories, `options` what the rater reads, `constructs` where it is stored.
    """

    name: str
    kind: str
    options: tuple[str, ...]
    values: tuple[Any, ...]
    constructs: tuple[str, ...]
    guideline: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The key of each option: where all options are digits its own, else by its place."""
        digits = all(len(option) == 1 and option in DIGITS for option in self.options)
        if digits and self.kind != MULTIPLE:
            return self.options
        return tuple(DIGITS[n] if n < len(DIGITS) else "" for n in range(1, len(self.options) + 1))

    def labels(self, answer: Sequence[int]) -> dict[str, Any]:
        """Give the label of each construct for an answer that is not unsure."""
        if self.kind == MULTIPLE:
            return {name: int(n in answer) for n, name in enumerate(self.constructs)}
        return {self.name: self.values[answer[0]]}

    def answer(self, labels: Mapping[str, Any], unsure: set[str]) -> Answer:
        """Give the answer that stored labels stand for."""
        if unsure & set(self.constructs):
            return UNSURE
        if any(name not in labels for name in self.constructs):
            return None
        if self.kind == MULTIPLE:
            return [n for n, name in enumerate(self.constructs) if labels[name] == 1]
        return [self.values.index(labels[self.name])] if labels[self.name] in self.values else None

    def allows(self, answer: Any) -> bool:
        """Tell whether an answer can be stored."""
        if answer == UNSURE:
            return True
        if not isinstance(answer, list) or len(set(answer)) != len(answer):
            return False
        known = all(isinstance(n, int) and 0 <= n < len(self.options) for n in answer)
        return known and (self.kind == MULTIPLE or len(answer) == 1)


@dataclass(frozen=True)
class Questions:
    """All questions, and the schema of the labels that come out of them."""

    asked: tuple[Question, ...]
    schema: Schema

    @property
    def version(self) -> str:
        """Fingerprint of the guidelines."""
        told = json.dumps([(q.name, q.guideline) for q in self.asked])
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def shown(self) -> list[dict[str, Any]]:
        """What the browser is told of each question."""
        return [
            {
                "name": visible(q.name),
                "kind": q.kind,
                "options": [visible(option) for option in q.options],
                "keys": list(q.keys),
                "guideline": visible(q.guideline),
            }
            for q in self.asked
        ]


def constructs_of(questions: Iterable[Question]) -> tuple[str, ...]:
    """Name every construct that the answers to these questions settle."""
    return tuple(name for question in questions for name in question.constructs)


def read_questions(schema: Any, guidelines: Any = None) -> Questions:
    """Read a schema in which a construct may be of the kind multiple.

    Parameters
    ----------
    schema : path, mapping or Schema
        As `Schema.read` takes it. ``kind: multiple`` asks for any number of the categories, and
        stores a construct ``<name>.<category>`` of 0 and 1 for each.
    guidelines : str, mapping of construct to str, or path of a YAML file of that, optional
        What the rater can read beside a question.

    Returns
    -------
    Questions
        In the order of the schema.

    Raises
    ------
    SchemaError
        As `Schema.read`; no schema, no construct is named, a guideline for an unknown construct.

    Examples
    --------
    >>> topics = {"kind": "multiple", "categories": ["work", "family"]}
    >>> constructs_of(read_questions({"constructs": {"topics": topics}}).asked)
    ('topics.work', 'topics.family')
    """
    if schema is None:
        raise SchemaError(
            "no schema is given",
            allowed="the constructs to ask for",
            example='schema="schema.yaml"; for a report -p schema=schema.yaml',
            where="schema",
        )
    several: dict[str, tuple[str, ...]] = {}
    declared = Schema.read(_each_option(schema, several))
    if declared is None or not declared.constructs:
        raise SchemaError(
            "the schema names no construct to ask for", example=EXAMPLE, where="schema"
        )
    group = {name: question for question, names in several.items() for name in names}
    order = dict.fromkeys(group.get(name, name) for name in declared.constructs)
    told = _told(guidelines, order)
    asked = [
        _multiple(name, several[name], told) if name in several else _single(name, declared, told)
        for name in order
    ]
    return Questions(tuple(asked), declared)


def each_construct(schema: Schema, guidelines: Any = None) -> Questions:
    """Ask for every construct by itself, also where it is one option of several.

    A guideline for the several holds for each.
    """
    names = {name: name.partition(".")[0] for name in schema.constructs}
    told = _told(guidelines, dict.fromkeys([*names, *names.values()]))
    each = {name: told.get(name, told.get(several, "")) for name, several in names.items()}
    return Questions(tuple(_single(name, schema, each) for name in names), schema)


def _single(name: str, schema: Schema, told: Mapping[str, str]) -> Question:
    construct = schema[name]
    return Question(
        name, construct.kind, construct.labels, construct.categories, (name,), told.get(name, "")
    )


def _multiple(name: str, constructs: tuple[str, ...], told: Mapping[str, str]) -> Question:
    options = tuple(construct.removeprefix(f"{name}.") for construct in constructs)
    return Question(name, MULTIPLE, options, (0, 1), constructs, told.get(name, ""))


def _each_option(schema: Any, several: dict[str, tuple[str, ...]]) -> Any:
    """Replace a construct of several options by one of 0 and 1 for each, and note which."""
    content = load_yaml(Path(schema)) if isinstance(schema, str | Path) else schema
    if not isinstance(content, Mapping) or not isinstance(content.get("constructs"), Mapping):
        return schema
    constructs: dict[str, Any] = {}
    for name, declared in content["constructs"].items():
        if not isinstance(declared, Mapping) or declared.get("kind") != MULTIPLE:
            constructs[str(name)] = declared
            continue
        options = declared.get("categories")
        if set(declared) != {"kind", "categories"} or not isinstance(options, list) or not options:
            raise SchemaError(
                "a construct of the kind multiple has a kind and a list of categories",
                got=dict(declared),
                example=EXAMPLE,
                where=f"constructs.{name}",
            )
        several[str(name)] = tuple(f"{name}.{option}" for option in options)
        yes_no = {"kind": "nominal", "categories": {0: "no", 1: "yes"}, "present": [1]}
        repeated = [each for each in several[str(name)] if each in constructs]
        if repeated or len(set(several[str(name)])) < len(options):
            raise SchemaError("two constructs have one name", got=repeated or options)
        constructs |= dict.fromkeys(several[str(name)], yes_no)
    return {**content, "constructs": constructs}


def _told(guidelines: Any, names: Mapping[str, Any]) -> dict[str, str]:
    if guidelines is None:
        return {}
    if isinstance(guidelines, Path) or str(guidelines).endswith((".yaml", ".yml")):
        guidelines = load_yaml(Path(guidelines))
    if isinstance(guidelines, str):
        return dict.fromkeys(names, guidelines)
    pairs = guidelines if isinstance(guidelines, Mapping) else {"": guidelines}
    for name, text in pairs.items():
        if name not in names or not isinstance(text, str):
            raise SchemaError(
                f"a guideline has no construct or no text{did_you_mean(name, names)}",
                got={name: text},
                allowed=list(names),
                example='guidelines={"escalation": "1 when the reply makes things worse."}',
                where="guidelines",
            )
    return dict(pairs)
