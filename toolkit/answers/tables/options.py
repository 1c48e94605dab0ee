"""What a whole table is read with: arguments that fit together, and columns that are there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolkit.answers.contract import Contract
from toolkit.answers.convention import Convention
from toolkit.answers.normalize import chosen_level
from toolkit.common.hints import closest, did_you_mean
from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

EXAMPLE = 'normalize_frame(frame, benchmark="he300", subset="subset")'
# What belongs to one way of saying how to read, and is refused beside another.
OF_BENCHMARK = ("subset", "subcategory", "version", "conventions")
OF_CONTRACT = ("judge", "call_id")
OF_CONVENTION = ("ladder",)
_SHOWN = {
    "convention": 'normalize_frame(frame, tk.convention("he300", "justice"), ladder=True)',
    "benchmark": EXAMPLE,
    "contract": 'normalize_frame(frame, contract=contract, judge="gpt-4o")',
}
# What such a column is often called: a message proposes no other.
_USUAL = {
    "raw": ("raw_response", "raw", "response", "reply", "output", "completion", "answer"),
    "subset": ("subset", "category", "task"),
    "subcategory": ("subcategory",),
    "item": ("item_id", "item", "scenario_id", "id"),
    "call_id": ("call_id", "call"),
    "error": ("error",),
}


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
                got=given or None,
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
                allowed=f"{given[0]}= beside {owner}=, or {way}= without it",
                example=_SHOWN[owner],
                where=given[0],
            )


def plausible(argument: str, columns: Sequence[Hashable]) -> Hashable:
    """Find a column whose name says that it could be meant.

    Parameters
    ----------
    argument : str
        That names a column.
    columns : sequence
        Names of the table's columns.

    Returns
    -------
    hashable or None
        None where no column is called as such a column usually is.

    Examples
    --------
    >>> plausible("raw", ["id", "Response"]), plausible("subset", ["id", "raw_response"])
    ('Response', None)
    """
    named = {str(column).strip().casefold(): column for column in columns}
    return next((named[usual] for usual in _USUAL.get(argument, ()) if usual in named), None)


def _check_column(argument: str, name: Hashable, columns: Sequence[Hashable], where: str) -> None:
    try:
        known = name in columns
    except TypeError:  # a list
        known = False
    if known:
        return
    near = closest(name, columns)
    shown = plausible(argument, columns) if near is None else near
    fixed = argument in ("subset", "subcategory")
    raise AnswerError(
        f"no column {name!r}{did_you_mean(name, columns)}",
        got=list(columns),
        allowed=f"the name of a column{'; convention= reads all rows alike' if fixed else ''}",
        example=None if shown is None else f"{argument}={shown!r}",
        where=f"{where}, {argument}",
    )
