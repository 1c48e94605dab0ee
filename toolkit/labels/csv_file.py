"""CSV and TSV as text: no type is guessed, so that the schema decides."""

from __future__ import annotations

import csv
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import pyarrow as pa
import pyarrow.csv

from toolkit.common.utf8 import decode
from toolkit.errors import LabelError
from toolkit.labels.columns import refuse_unusable_names
from toolkit.labels.origin import Origin, csv_lines, csv_records

if TYPE_CHECKING:
    import pandas as pd

_BLOCK = 1 << 23  # the longest row that can be read, and the unit of parallel work
_BOM = b"\xef\xbb\xbf"


def read_csv(stored: bytes, name: str, delimiter: str) -> tuple[pd.DataFrame, Origin]:
    r"""Read the text of every cell.

    Parameters
    ----------
    stored : bytes
        The file, unpacked.
    name : str
        Its plain name, for errors.
    delimiter : str
        One character.

    Returns
    -------
    tuple of DataFrame and Origin
        Text columns, NaN for empty cells; where each row is from.

    Raises
    ------
    LabelError
        Empty file, not UTF-8, rows of unequal length, an open quote, unusable column names.

    Examples
    --------
    >>> frame, origin = read_csv(b"item_id,label\na,1\n", "labels.csv", ",")
    >>> frame["label"].tolist(), origin.at(0)
    (['1'], 'labels.csv, line 2')
    """
    data = stored.removeprefix(_BOM)
    if not data or data.isspace():
        raise LabelError("the file is empty", allowed="a header and rows of labels", where=name)
    if data.count(b'"') % 2:
        _refuse_open_quote(decode(stored, name, LabelError), name, delimiter)
    try:
        names = next(csv_records(_beginning(data), delimiter))[1]
    except (UnicodeDecodeError, csv.Error, StopIteration) as error:
        _explain(stored, name, delimiter, error)
    refuse_unusable_names(names, name)
    try:
        table = pyarrow.csv.read_csv(
            pa.BufferReader(data),
            read_options=pyarrow.csv.ReadOptions(block_size=_BLOCK),
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.large_string()),  # as pandas holds text
                null_values=[""],
                strings_can_be_null=True,
            ),
        )
    except pa.ArrowException as error:
        _explain(stored, name, delimiter, error)
    origin = Origin(name, "line", partial(csv_lines, data, delimiter))
    frame: pd.DataFrame = table.to_pandas(split_blocks=True, self_destruct=True)
    return frame, origin


def _refuse_open_quote(text: str, name: str, delimiter: str) -> None:
    """Refuse a quote that is never closed: it would swallow all rows below it."""
    end = "end of file"
    line, record = 0, [""]
    for line, record in csv_records(f"{text}\n{end}", delimiter):  # noqa: B007 - the last counts
        pass
    if record != [end]:
        raise LabelError(
            "a quote is opened and never closed",
            got=record[-1].removesuffix(f"\n{end}"),
            allowed="a quote at both ends of a field, and two for one inside it",
            example='"she said ""yes"""',
            where=f"{name}, line {line}",
        )


def _beginning(data: bytes) -> str:
    """Give the first lines; the header alone is needed, and it may hold line breaks."""
    most = 1 << 16
    end = data.rfind(b"\n", 0, most) if len(data) > most else len(data)
    return data[: end if end > 0 else len(data)].decode()


def _explain(data: bytes, name: str, delimiter: str, error: Exception) -> NoReturn:
    text = decode(data, name, LabelError)
    try:
        width = 0
        for line, record in csv_records(text, delimiter):
            width = width or len(record)
            if len(record) != width:
                raise LabelError(
                    "a row has another number of fields than the header",
                    got=f"{len(record)} fields",
                    allowed=f"{width} fields; text that holds a separator or a quote is quoted",
                    example='"yes, but late"',
                    where=f"{name}, line {line}",
                )
    except csv.Error as bad:
        error = bad
    raise LabelError(f"the file can't be read as CSV: {error}", where=name) from None
