"""Tables that are lines of text, gone through a batch at a time."""

from __future__ import annotations

import gzip
import zlib
from abc import ABC, abstractmethod
from contextlib import contextmanager
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, ClassVar, cast

from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from pathlib import Path

    from toolkit.answers.tables.plan import Plan

Row = dict[str, Any]


class Rows:
    """A batch: one mapping a row."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def cells(self, name: Hashable) -> list[Any]:
        """Give a column; None where a row lacks it."""
        return [row.get(cast("str", name)) for row in self.rows]


class TextTable(ABC):
    """A text file with one record after the other, packed or not.

    Parameters
    ----------
    path : Path
        The file; packed where its name ends in ".gz".
    """

    headed: ClassVar[bool]  # the names of the columns stand above the first row

    def __init__(self, path: Path) -> None:
        self.path = path
        self.columns: dict[Hashable, None] = {}  # that were seen so far, in order
        self.at = 0  # line of the record that was read last

    @property
    def names(self) -> list[Hashable]:
        """Names of all columns, once the file was gone through."""
        return list(self.columns)

    @abstractmethod
    def records(self, stream: IO[bytes]) -> Iterator[Row]:
        """Go through the rows, or refuse with the line."""

    @abstractmethod
    def line(self, row: Row) -> bytes:
        """Give one row as it is written."""

    def place(self, number: int) -> str:
        """Name the line at which row ``number`` starts; rows are counted from 0."""
        with _opened(self.path) as stream:
            next(islice(self.records(stream), number, None), None)
        return f"line {self.at}"

    def batches(self, size: int) -> Iterator[Rows]:
        """Go through the file."""
        with _opened(self.path) as stream:
            records = self.records(stream)
            while rows := self._next(records, size):
                yield Rows(rows)

    def _next(self, records: Iterator[Row], size: int) -> list[Row]:
        try:
            return list(islice(records, size))
        except (OSError, EOFError, zlib.error) as error:
            raise AnswerError(
                f"the file can't be read: {error}",
                allowed="a complete file, and a complete .gz file",
                where=self.path.name,
            ) from None

    @contextmanager
    def writer(
        self, out: Path, plan: Plan
    ) -> Iterator[Callable[[Any, dict[str, list[Any]]], None]]:
        """Write batches of the result to ``out``, packed where its name says so."""
        with out.open("wb") as plain, _packed(plain, out.name) as stream:
            if self.headed:
                names = [cast("str", column.name) for column in plan.columns]
                stream.write(self.line(dict(zip(names, names, strict=True))))

            def write(batch: Rows, fields: dict[str, list[Any]]) -> None:
                for row in _laid_out(batch, fields, plan):
                    stream.write(self.line(row))

            yield write


def _laid_out(batch: Rows, fields: dict[str, list[Any]], plan: Plan) -> Iterator[Row]:
    columns = [
        (cast("str", one.name), one.source, fields[one.field] if one.field else None)
        for one in plan.columns
    ]
    place = 0
    for row in batch.rows:
        for _ in range(plan.copies):
            yield {
                name: row[cast("str", source)] if values is None else values[place]
                for name, source, values in columns
                if values is not None or source in row
            }
            place += 1


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    if path.name.lower().endswith(".gz"):
        with gzip.open(path, "rb") as packed:
            yield cast("IO[bytes]", packed)
    else:
        with path.open("rb") as plain:
            yield plain


@contextmanager
def _packed(plain: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    if name.lower().endswith(".gz"):
        # No name and no time in the packed file: equal results are equal bytes.
        with gzip.GzipFile("", "wb", 6, plain, mtime=0) as packed:
            yield cast("IO[bytes]", packed)
    else:
        yield plain
