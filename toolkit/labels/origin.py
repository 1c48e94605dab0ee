"""Where a row of the table came from, for error messages."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


@dataclass(frozen=True, eq=False)
class Origin:
    """Knows the file, and the line there, of every row of the long table.

    Parameters
    ----------
    name : str
        Plain file name, or "DataFrame".
    unit : str
        What rows are counted in: "line", "row" or "index".
    numbers : callable
        From positions of source rows, in rising order, to what names them. Called only for errors.
    label_columns : tuple of str
        Columns of a wide source that were laid out below each other, row by row; empty for long.

    Examples
    --------
    >>> origin = Origin("labels.csv", "line", lambda rows: [row + 2 for row in rows])
    >>> origin.at(3, 1, column="label")
    "labels.csv, lines 3 and 5, column 'label'"
    """

    name: str
    unit: str
    numbers: Callable[[Sequence[int]], Sequence[object]]
    label_columns: tuple[str, ...] = ()

    def at(self, *rows: int, column: str | None = None) -> str:
        """Name the places of some rows.

        Parameters
        ----------
        *rows : int
            Positions in the long table.
        column : str, optional
            Its column; for the labels of a wide source the source's own column is named.

        Returns
        -------
        str
            File, line and column.
        """
        width = len(self.label_columns) or 1
        if self.label_columns and column == "label":
            column = self.label_columns[rows[0] % width]
        numbers = self.numbers(sorted({row // width for row in rows}))
        listed = " and ".join(str(number) for number in numbers)
        plural = "s" if len(numbers) > 1 and self.unit != "index" else ""
        place = f"{self.name}, {self.unit}{plural} {listed}"
        return f"{place}, column {column!r}" if column else place


def csv_records(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    r"""Go through the records of a CSV text with the line on which each begins.

    Parameters
    ----------
    text : str
        The whole file.
    delimiter : str
        One character.

    Yields
    ------
    tuple of int and list of str
        Line, counted from 1, and fields; empty lines are skipped.

    Examples
    --------
    >>> list(csv_records('a,b\n"two\nlines",1\n\nc,2\n', ","))
    [(1, ['a', 'b']), (2, ['two\nlines', '1']), (5, ['c', '2'])]
    """
    limit = csv.field_size_limit(max(len(text), csv.field_size_limit()))
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        begins = 1
        for record in reader:
            if record:
                yield begins, record
            begins = reader.line_num + 1
    finally:
        csv.field_size_limit(limit)


def csv_lines(data: bytes, delimiter: str, rows: Sequence[int]) -> list[object]:
    r"""Find the lines on which data rows of a CSV file begin.

    Parameters
    ----------
    data : bytes
        The whole file, UTF-8.
    delimiter : str
        One character.
    rows : sequence of int
        Positions of data rows, counted from 0 after the header.

    Returns
    -------
    list of int
        Lines, counted from 1.

    Examples
    --------
    >>> csv_lines(b'item_id,label\na,"1\n2"\nb,3\n', ",", [0, 1])
    [2, 4]
    """
    wanted = set(rows)
    records = enumerate(csv_records(data.decode("utf-8-sig"), delimiter), start=-1)
    return [line for row, (line, _) in records if row in wanted]
