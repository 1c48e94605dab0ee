"""Tables that are lines of text, gone through a batch at a time."""

from __future__ import annotations

import gzip
import zlib
from abc import ABC, abstractmethod
from contextlib import contextmanager
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, cast

from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
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

    def __init__(self, path: Path) -> None:
        self.path = path
        self.columns: dict[Hashable, None] = {}  # that were seen so far, in order

    @property
    def names(self) -> list[Hashable]:
        """Names of all columns, once the file was gone through."""
        return list(self.columns)

    @abstractmethod
    def records(self, stream: IO[bytes]) -> Iterator[Row]:
        """Go through the rows, or refuse with the line."""

    @abstractmethod
    def head(self, names: list[Hashable]) -> bytes:
        """Give what stands above the first row."""

    @abstractmethod
    def line(self, row: Row, names: list[Hashable]) -> bytes:
        """Give one row as it is written."""

    def batches(self, size: int, columns: Sequence[Hashable] | None = None) -> Iterator[Rows]:
        """Go through the file; text has all columns in one place, so none can be skipped."""
        del columns
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
        self, out: Path, name: str, plan: Plan
    ) -> Iterator[Callable[[Any, dict[str, list[Any]]], None]]:
        """Write batches of the result to ``out``, packed where ``name`` says so."""
        names = [column.name for column in plan.columns]
        with out.open("wb") as plain, _packed(plain, name) as stream:
            stream.write(self.head(names))

            def write(batch: Rows, fields: dict[str, list[Any]]) -> None:
                for row in _laid_out(batch, fields, plan):
                    stream.write(self.line(row, names))

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
