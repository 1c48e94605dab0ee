"""What a benchmark asked and which answer means which gold value: data, written once.

Everything that reads, writes or judges an answer (prompt, parser, scorer, judge, report) takes the
words and their direction from a `Convention`; nothing else in this package knows a polarity.
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import Field, StrictFloat, StrictInt, StrictStr

from toolkit.answers.checks import check
from toolkit.answers.lexicon import Lexicon
from toolkit.common.strict_model import StrictModel
from toolkit.errors import ConventionError, ToolkitError

Category: TypeAlias = StrictInt | StrictFloat | StrictStr

# Keys that name a verdict without naming a class. Compared without case, blanks, "-" and "_".
# Not among them: score and confidence, which are no labels.
NEUTRAL_KEYS = (
    "label",
    "verdict",
    "judgment",
    "judgement",
    "answer",
    "final answer",
    "final verdict",
    "final judgment",
    "final label",
    "classification",
    "class",
    "decision",
    "conclusion",
    "prediction",
    "predicted label",
    "result",
    "grade",
    "choice",
    "gold",
)


class Convention(StrictModel):
    """One question of a benchmark, with the answers it offers.

    Parameters
    ----------
    benchmark, subset : str
        The key of the registry, with ``version``.
    version : str, default "1"
        Version of the question: what *yes* means depends on the wording, not on the subset alone.
    question : str
        What the model was asked, in words.
    labels : list of str or int
        The answers on offer, **indexed by gold**: ``labels[1]`` is the answer of gold 1.
    positive : str or int, optional
        The label that counts as positive. None where there is none (then `Answer.polarity` is
        None).
    canonical : mapping of label to list of str
        Inflections of the contracted word, accepted wherever it is. The label itself always is.
    synonyms : mapping of label to list of str
        Words and phrases accepted at level lenient.
    signed_keys : mapping of str to label
        JSON keys, tags and field names that name a class: the label that holds when the value is
        true. With two labels, false is the other one.
    neutral_keys : list of str
        Keys that name a verdict without a class (``label``, ``verdict``).
    integers : {"gold", "category", "refuse"}
        How an integer under a neutral key is read: as gold, as the label of that value, or not at
        all.
    yes : label, optional
        What *yes* and *true* mean. None: the question is either-or, so *yes* answers nothing.
    locales : mapping of locale to mapping of label to list of str
        Words of other languages, accepted at level lenient. An undeclared language is not read.
    off_vocabulary : list of str
        Words of sibling subsets: recognised, and never read as an answer here.

    Raises
    ------
    ConventionError
        An unknown key, fewer than two labels, a word of two classes, a word that is read inside
        another, a class that is no label.

    Examples
    --------
    >>> tone = Convention(
    ...     benchmark="mine", subset="tone", question="Is the reply KIND or RUDE?",
    ...     labels=["RUDE", "KIND"], positive="KIND", signed_keys={"kind": "KIND"},
    ... )
    >>> tone.labels[1], tone.gold("KIND"), tone.polarity(1)
    ('KIND', 1, 'positive')
    """

    refusal: ClassVar[type[ToolkitError]] = ConventionError
    example: ClassVar[str] = "{benchmark: mine, subset: tone, labels: [RUDE, KIND], positive: KIND}"
    choices: ClassVar[dict[str, list[str]]] = {"integers": ["gold", "category", "refuse"]}
    examples: ClassVar[dict[str, str]] = {
        "labels": "labels: [RUDE, KIND]",
        "subset": "subset: tone",
        "benchmark": "benchmark: mine",
        "integers": "integers: gold",
        "signed_keys": "signed_keys: {kind: KIND}",
    }

    benchmark: StrictStr
    subset: StrictStr
    version: StrictStr = "1"
    question: StrictStr = ""
    labels: tuple[Category, ...]
    positive: Category | None = None
    canonical: dict[Category, tuple[StrictStr, ...]] = Field(default_factory=dict)
    synonyms: dict[Category, tuple[StrictStr, ...]] = Field(default_factory=dict)
    signed_keys: dict[StrictStr, Category] = Field(default_factory=dict)
    neutral_keys: tuple[StrictStr, ...] = NEUTRAL_KEYS
    integers: Literal["gold", "category", "refuse"] = "gold"
    yes: Category | None = None
    locales: dict[StrictStr, dict[Category, tuple[StrictStr, ...]]] = Field(default_factory=dict)
    off_vocabulary: tuple[StrictStr, ...] = ()

    def model_post_init(self, _context: Any, /) -> None:
        """Refuse what contradicts itself, before anything is read with it."""
        check(self)

    @property
    def k(self) -> int:
        """Number of labels."""
        return len(self.labels)

    @property
    def key(self) -> tuple[str, str, str]:
        """Benchmark, subset and question version."""
        return self.benchmark, self.subset, self.version

    @property
    def negative(self) -> Category | None:
        """The label that is not positive, where there are two."""
        gold = None if self.positive is None else self.other(self.labels.index(self.positive))
        return None if gold is None else self.labels[gold]

    def other(self, gold: int) -> int | None:
        """Give the other class of two.

        Parameters
        ----------
        gold : int
            A class.

        Returns
        -------
        int or None
            None where there are more than two: "not that one" names none.

        Examples
        --------
        >>> Convention(benchmark="b", subset="s", labels=["NO", "YES"]).other(0)
        1
        """
        return 1 - gold if self.k == 2 else None  # noqa: PLR2004 - a pair

    @cached_property
    def lexicon(self) -> Lexicon:
        """What finds the words of this convention in a text."""
        return Lexicon.of(self)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the convention as canonical JSON: equal digests read alike."""
        text = json.dumps(self.to_dict(), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def gold(self, label: Category) -> int:
        """Give the gold value of a label.

        Parameters
        ----------
        label : str or int
            An entry of ``labels``.

        Returns
        -------
        int
            Its index.

        Raises
        ------
        ConventionError
            Not one of the labels.

        Examples
        --------
        >>> Convention(benchmark="b", subset="s", labels=["NO", "YES"]).gold("YES")
        1
        """
        if label not in self.labels:
            raise ConventionError(
                "no such label", got=label, allowed=self.labels, where="/".join(self.key)
            )
        return self.labels.index(label)

    def polarity(self, gold: int | None) -> str | None:
        """Say whether a gold value is the positive one.

        Parameters
        ----------
        gold : int or None
            Index into ``labels``.

        Returns
        -------
        {"positive", "negative", None}
            None where the gold value is None or no label is declared positive.

        Examples
        --------
        >>> conv = Convention(benchmark="b", subset="s", labels=["YES", "NO"], positive="YES")
        >>> conv.polarity(0), conv.polarity(1), conv.polarity(None)
        ('positive', 'negative', None)
        """
        if gold is None or self.positive is None:
            return None
        return "positive" if self.labels[gold] == self.positive else "negative"

    @property
    def offer(self) -> str:
        """The labels as a phrase, for prompts."""
        *head, last = map(str, self.labels)
        return f"{', '.join(head)} or {last}"

    @property
    def judge_question(self) -> str:
        """What a judge is asked about a reply to this question: the same labels, no others."""
        asked = f"The question was: {self.question.strip()}\n" if self.question else ""
        return (
            f"{asked}Which answer does the reply give: {self.offer}? Judge what it says, not"
            " whether it is right. Answer with exactly one of these words, or with UNKNOWN if it"
            " gives none."
        )

    def judge_prompt(self, text: str, reply: str) -> str:
        r"""Put the judge's question together with an item and a reply to it.

        Parameters
        ----------
        text : str
            The item as the model saw it.
        reply : str
            What the model answered.

        Returns
        -------
        str
            One prompt. Item and reply stand between marks, as JSON strings, so that neither can
            end its own quotation.

        Examples
        --------
        >>> conv = Convention(benchmark="b", subset="s", question="Kind?", labels=["NO", "YES"])
        >>> print(conv.judge_prompt("Hi there.", 'NO "really"'))
        Item: "Hi there."
        Reply: "NO \"really\""
        The question was: Kind?
        Which answer does the reply give: NO or YES? Judge what it says, not whether it is right.
        Answer with exactly one of these words, or with UNKNOWN if it gives none.
        """
        quoted = (json.dumps(part, ensure_ascii=False) for part in (text, reply))
        item, answer = quoted
        return f"Item: {item}\nReply: {answer}\n{self.judge_question}"

    def to_dict(self) -> dict[str, Any]:
        """Give every field as strict JSON.

        Returns
        -------
        dict
            What ``Convention(**...)`` accepts.

        Examples
        --------
        >>> Convention(benchmark="b", subset="s", labels=["NO", "YES"]).to_dict()["labels"]
        ['NO', 'YES']
        """
        return self.model_dump(mode="json")

    def __repr__(self) -> str:
        golds = ", ".join(f"{gold} = {label}" for gold, label in enumerate(self.labels))
        return f"Convention({'/'.join(self.key)}: {golds})"
