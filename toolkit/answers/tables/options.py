"""What a whole table is read with: arguments that fit together, and columns that are there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolkit.answers.contract import Contract
from toolkit.answers.convention import Convention
from toolkit.answers.normalize import chosen_level
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

EXAMPLE = 'normalize_frame(frame, benchmark="he300", subset="subset")'
# What belongs to one way of saying how to read, and is refused beside another.
OF_BENCHMARK = ("subset", "subcategory", "version", "conventions")
OF_CONTRACT = ("judge", "call_id")
OF_CONVENTION = ("strict_first_word", "ladder")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Arguments of `normalize_frame` and `normalize_file`, checked against each other."""

    convention: Convention | None = None
    contract: Contract | None = None
    raw: Hashable = "raw_response"
    benchmark: str | None = None
    subset: Hashable = None
    subcategory: Hashable = None
    version: Hashable = None
    conventions: Any = None
    level: str | None = None
    strict_first_word: bool = False
    error: Hashable = None
    judge: Hashable = None
    item: Hashable = "item_id"
    call_id: Hashable = None
    ladder: bool = False

    def __post_init__(self) -> None:
        way = self._way()
        if self.convention is not None and not isinstance(self.convention, Convention):
            meant = "contract=" if isinstance(self.convention, Contract) else None
            raise AnswerError(
                f"no convention{f', did you mean {meant}?' if meant else ''}",
                got=self.convention,
                allowed="a Convention",
                example='convention=tk.convention("he300", "justice")',
                where="convention",
            )
        if self.contract is not None and not isinstance(self.contract, Contract):
            raise AnswerError(
                "no contract",
                got=self.contract,
                allowed="a Contract",
                example='contract=tk.Contract({"safety": [1, 2, 3, 4, 5]})',
                where="contract",
            )
        if self.benchmark is not None and not isinstance(self.benchmark, str):
            raise AnswerError(
                "benchmark is a name", got=self.benchmark, example=EXAMPLE, where="benchmark"
            )
        self._refuse(OF_BENCHMARK, "benchmark", way)
        self._refuse(OF_CONTRACT, "contract", way)
        if way == "contract":
            self._refuse(OF_CONVENTION, "convention", way)
            if self.judge is None:
                raise AnswerError(
                    "labels need a rater: say which judge wrote the replies",
                    allowed="a name, or the column of the judges' names",
                    example='judge="gpt-4o"',
                    where="judge",
                )
        _ = self.chosen_level

    @property
    def chosen_level(self) -> str:
        """The level, or the default of a table."""
        return chosen_level(
            self.level, strict_first_word=self.strict_first_word, default="structured"
        )

    def check_columns(self, columns: Sequence[Hashable], where: str) -> None:
        """Refuse a table without the columns that were named.

        Parameters
        ----------
        columns : sequence
            Names of the table's columns.
        where : str
            The table, for the message.

        Raises
        ------
        AnswerError
            A column is there twice, or not at all, with the one that was probably meant.

        Examples
        --------
        >>> import toolkit as tk
        >>> options = Options(benchmark="he300", subset="subset", raw="answer")
        >>> options.check_columns(["subset", "answers"], "DataFrame")
        Traceback (most recent call last):
        ...
        toolkit.errors.AnswerError: no column 'answer', did you mean 'answers'? (DataFrame, raw).
        Got: ['subset', 'answers']. Allowed: the name of a column. Example: raw='answers'.
        """
        twice = [name for name in dict.fromkeys(columns) if list(columns).count(name) > 1]
        if twice:
            raise AnswerError(
                "duplicate column names", got=twice, allowed="every name once", where=where
            )
        named = {"raw": self.raw, "error": self.error, "subset": self.subset}
        named["subcategory"] = self.subcategory
        if self.contract is not None:
            named |= {"item": self.item, "call_id": self.call_id}
        for argument, name in named.items():
            if argument in ("raw", "item") or name is not None:
                _check_column(argument, name, columns, where)

    def _way(self) -> str:
        given = [
            way for way in ("convention", "benchmark", "contract") if getattr(self, way) is not None
        ]
        if len(given) != 1:
            raise AnswerError(
                "one thing says how to read the answers",
                got=given or "nothing",
                allowed="convention= for all rows, benchmark= with a column subset=, or contract=",
                example=EXAMPLE,
            )
        return given[0]

    def _refuse(self, names: Sequence[str], owner: str, way: str) -> None:
        given = [name for name in names if getattr(self, name) not in (None, False)]
        if given and owner != way:
            raise AnswerError(
                f"{given[0]}= goes with {owner}=, and {way}= was given",
                got={given[0]: getattr(self, given[0])},
                where=given[0],
            )


def _check_column(argument: str, name: Hashable, columns: Sequence[Hashable], where: str) -> None:
    try:
        known = name in columns
    except TypeError:  # a list
        known = False
    if known:
        return
    hint = did_you_mean(name, columns)
    nearest = hint.removeprefix(", did you mean ").removesuffix("?") or (
        repr(columns[0]) if columns else "'raw_response'"
    )
    fixed = argument in ("subset", "subcategory")
    raise AnswerError(
        f"no column {name!r}{hint}",
        got=list(columns),
        allowed=f"the name of a column{'; convention= reads all rows alike' if fixed else ''}",
        example=f"{argument}={nearest}",
        where=f"{where}, {argument}",
    )
