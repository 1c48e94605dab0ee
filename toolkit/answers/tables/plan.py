"""A table and the arguments become a plan: how each row is read, and what the result looks like."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from toolkit.answers.tables.cells import present, word
from toolkit.answers.tables.fields import FIELDS, LADDER, TEXT, label_type, type_of
from toolkit.answers.tables.label_table import TABLE, Cells, LabelRows
from toolkit.answers.tables.lookup import Key, find_conventions, key_columns, zip_keys
from toolkit.answers.tables.row_reader import RowReader
from toolkit.common.hints import closest
from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from toolkit.answers.contract import Contract
    from toolkit.answers.tables.options import Options
    from toolkit.answers.tables.workers import Workers


class Scanned(NamedTuple):
    """A table as far as it must be known before it is read."""

    name: str  # for messages
    count_keys: Callable[[Sequence[Hashable]], Counter[Key]]  # key columns -> rows of each key
    first: Callable[[Sequence[Hashable], Key], str]  # key columns, key -> its first row


class Column(NamedTuple):
    """One column of the result: an input column as it is, or a field with its type."""

    name: Hashable
    source: Hashable = None
    field: str | None = None
    type: str = TEXT


@dataclass(frozen=True, slots=True)
class Plan:
    """How a table is read.

    Attributes
    ----------
    options : Options
        As asked.
    keys : tuple
        Columns of subset, subcategory and version; None where there is none.
    codes : mapping of Key to int
        Convention of each key.
    reader : RowReader
        Conventions and level.
    columns : tuple of Column
        The result.
    label_rows : LabelRows or None
        With a contract: each reply becomes one row for every construct.
    """

    options: Options
    keys: tuple[Hashable, ...]
    codes: Mapping[Key, int]
    reader: RowReader
    columns: tuple[Column, ...]
    label_rows: LabelRows | None = None

    @property
    def copies(self) -> int:
        """Rows of the result for one of the input."""
        return len(self.label_rows.constructs) if self.label_rows else 1

    def fields(
        self, cells: Cells, index: Sequence[Any], workers: Workers, done: Callable[[int], object]
    ) -> dict[str, list[Any]]:
        """Read one batch and give the new columns of the result.

        Parameters
        ----------
        cells : callable
            From the name of an input column to its cells.
        index : sequence
            What the rows are called in the whole table.
        workers : Workers
            Who reads.
        done : callable
            Told of the rows that were read.

        Returns
        -------
        dict of str to list
            By field; each as long as the batch times `copies`.
        """
        identified = self.label_rows.identify(cells, index) if self.label_rows else []
        raws = [present(cell) for cell in cells(self.options.raw)]
        try:
            codes = [self.codes[key] for key in row_keys(self.keys, cells, len(index))]
        except KeyError as error:
            raise AnswerError("the file changed while it was read", got=error.args[0]) from None
        column = self.options.error
        errors = None if column is None else [_error(cell) for cell in cells(column)]
        records = workers.records(raws, codes, errors, done)
        names = FIELDS + LADDER if self.reader.ladder else FIELDS
        parts: Iterable[Sequence[Any]] = (
            zip(*records, strict=True) if records else [()] * len(names)
        )
        fields = {name: list(part) for name, part in zip(names, parts, strict=True)}
        if self.label_rows:
            self.label_rows.add(fields, identified, index)
        for field, _, kind in ((c.field, c.name, c.type) for c in self.columns):
            if field is not None and field.startswith("label") and kind == TEXT:
                fields[field] = [None if one is None else str(one) for one in fields[field]]
        return fields


def row_keys(columns: Sequence[Hashable], cells: Cells, rows: int) -> list[Key]:
    """Give subset, subcategory and version of every row.

    Parameters
    ----------
    columns : sequence
        The three columns, or None.
    cells : callable
        From the name of a column to its cells.
    rows : int
        Number of rows.

    Returns
    -------
    list of Key
        One a row.

    Examples
    --------
    >>> row_keys(["subset", None, None], {"subset": ["virtue"]}.get, 1)
    [('virtue', None, None)]
    """
    if all(column is None for column in columns):
        return [(None, None, None)] * rows
    return zip_keys([None if column is None else cells(column) for column in columns], rows)


def make_plan(options: Options, columns: Sequence[Hashable], table: Scanned) -> Plan:
    """Check a table against the arguments and settle how it is read.

    Parameters
    ----------
    options : Options
        As asked.
    columns : sequence
        Names of the table's columns.
    table : Scanned
        Its name, the number of rows of each key, and where a key is first.

    Returns
    -------
    Plan
        Nothing has been read yet.

    Raises
    ------
    AnswerError, ConventionError
        Columns that are not there, keys that no convention answers to.

    Examples
    --------
    >>> from toolkit.answers.tables.options import Options
    >>> options = Options(benchmark="generic")
    >>> counts = Counter({(None, None, None): 5})
    >>> table = Scanned("DataFrame", lambda _: counts, lambda _, key: "index 0")
    >>> plan = make_plan(options, ["raw_response", "label"], table)
    >>> [column.name for column in plan.columns][:4]
    ['raw_response', 'label', 'answer_label', 'gold']
    """
    options.check_columns(columns, table.name)
    if options.contract is not None:
        return _contract_plan(options, options.contract, columns)
    keys = tuple(key_columns(options, columns))
    found = find_conventions(
        options, columns, table.count_keys(keys), lambda key: table.first(keys, key)
    )
    reader = RowReader(found.conventions, options.chosen_level, options.ladder)
    label = label_type(found.offered)
    added = FIELDS + LADDER if options.ladder else FIELDS
    taken = set(columns)
    new = [
        Column(_free(name, "answer_", taken), None, name, type_of(name, label)) for name in added
    ]
    kept = [Column(name, name) for name in columns]
    return Plan(options, keys, found.codes, reader, (*kept, *new))


def _contract_plan(options: Options, contract: Contract, columns: Sequence[Hashable]) -> Plan:
    judge = _judge_column(options.judge, columns)
    call = options.call_id
    if call is None and "call_id" in columns:
        call = "call_id"
    rows = LabelRows(contract.constructs, options.item, str(options.judge), judge, call)
    label = label_type([one for how in contract.conventions.values() for one in how.labels])
    table = [Column(name, None, name, type_of(name, label)) for name in TABLE]
    table[0] = Column("item_id", options.item)
    used = {options.item, judge, call}
    taken = {*TABLE, *columns}
    kept = [
        Column(_free(name, "input_", taken) if name in TABLE else name, name)
        for name in columns
        if name not in used
    ]
    reader = RowReader((contract,), options.chosen_level)
    codes: dict[Key, int] = {(None, None, None): 0}
    return Plan(options, (None, None, None), codes, reader, (*table, *kept), rows)


def _judge_column(judge: Hashable, columns: Sequence[Hashable]) -> Hashable:
    """Tell whether the judge is a column, and refuse what looks like a mistyped one."""
    if judge in columns:
        return judge
    near = closest(judge, columns)
    if near is not None and str(near).strip().casefold() == str(judge).strip().casefold():
        raise AnswerError(
            f"judge= is neither a column nor a new name, did you mean {near!r}?",
            got=judge,
            allowed="a column, or a name that differs from all of them",
            where="judge",
        )
    return None


def _free(name: Hashable, prefix: str, taken: set[Hashable]) -> Hashable:
    if name not in taken:
        return name
    free = f"{prefix}{name}"
    while free in taken:
        free = f"{prefix}{free}"
    taken.add(free)
    return free


def _error(cell: Any) -> str | None:
    return None if cell is False else word(cell)
