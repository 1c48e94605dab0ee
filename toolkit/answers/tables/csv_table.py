"""CSV and TSV: every cell is text, an empty one is missing."""

from __future__ import annotations

import csv
import io
import sys
from typing import IO, TYPE_CHECKING

from toolkit.answers.tables.text_table import Row, TextTable
from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from pathlib import Path


class CsvTable(TextTable):
    """A file with a header and as many fields in every row."""

    headed = True

    def __init__(self, path: Path, delimiter: str) -> None:
        super().__init__(path)
        self.delimiter = delimiter
        self.header: list[Hashable] = []

    def records(self, stream: IO[bytes]) -> Iterator[Row]:
        """Go through the rows, or refuse with the line."""
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        reader = csv.reader(text, delimiter=self.delimiter, strict=True)
        header: list[str] = []
        line = 1
        try:
            for fields in _long_fields(reader):
                if not header:
                    header = fields
                    self.header = list(header)
                elif fields and len(fields) != len(header):
                    raise AnswerError(
                        "a row has another number of fields than the header",
                        got=f"{len(fields)} fields",
                        allowed=f"{len(header)} fields; text with a separator or quote is quoted",
                        example='"yes, but late"',
                        where=f"{self.path.name}, line {line}",
                    )
                elif fields:
                    self.at = line
                    yield {name: field or None for name, field in zip(header, fields, strict=True)}
                line = reader.line_num + 1
        except UnicodeDecodeError as error:
            raise AnswerError(
                "the file is not UTF-8",
                got=f"byte 0x{error.object[error.start]:02x}",
                allowed="text saved as UTF-8",
                where=f"{self.path.name}, at or below line {line}",
            ) from None
        except csv.Error as error:
            raise AnswerError(
                f"the file can't be read as CSV: {error}",
                allowed="a quote at both ends of a field, and two for one inside it",
                example='"she said ""yes"""',
                where=f"{self.path.name}, line {line}",
            ) from None
        finally:
            if not stream.closed:  # else somebody left the file half read
                text.detach()

    @property
    def names(self) -> list[Hashable]:
        """Names of the header, repeated ones too."""
        return self.header

    def line(self, row: Row) -> bytes:
        """Give one row."""
        line = io.StringIO()
        csv.writer(line, delimiter=self.delimiter, lineterminator="\n").writerow(row.values())
        return line.getvalue().encode()


def _long_fields(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    """Read without the limit of 128 KB a field, which the module has for all of its readers."""
    while True:
        limit = csv.field_size_limit(sys.maxsize)
        try:
            fields = next(reader, None)
        finally:
            csv.field_size_limit(limit)
        if fields is None:
            return
        yield fields
