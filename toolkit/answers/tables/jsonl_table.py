"""JSON Lines: one object a line, given back as it came."""

from __future__ import annotations

import json
import math
from typing import IO, TYPE_CHECKING, Any

from toolkit.answers.tables.text_table import Row, TextTable
from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLE = '{"item_id": "i1", "subset": "justice", "raw_response": "..."}'
_MARK = "\ufeff"


class JsonlTable(TextTable):
    """A file of JSON objects, one a line; blank lines are skipped."""

    headed = False  # every line names its values

    def records(self, stream: IO[bytes]) -> Iterator[Row]:
        """Go through the objects, or refuse with the line."""
        for number, stored in enumerate(stream, start=1):
            if stored.strip():
                row = self._object(stored, number)
                self.at = number
                self.columns.update(dict.fromkeys(row))
                yield row

    def _object(self, stored: bytes, number: int) -> Row:
        where = f"{self.path.name}, line {number}"
        try:
            text = stored.decode()
            row = _DECODER.decode(text.removeprefix(_MARK) if number == 1 else text)
        except UnicodeDecodeError as error:
            raise AnswerError(
                "the line is not UTF-8",
                got=f"byte 0x{stored[error.start]:02x} at position {error.start}",
                allowed="text saved as UTF-8",
                where=where,
            ) from None
        except (ValueError, RecursionError) as error:
            torn = "" if stored.endswith(b"\n") else "; is the end of the file missing?"
            raise AnswerError(
                f"the line is not valid JSON: {_reason(error)}{torn}",
                got=text,
                allowed="one complete object a line",
                example=EXAMPLE,
                where=where,
            ) from None
        if not isinstance(row, dict):
            raise AnswerError("a line is no JSON object", got=text, example=EXAMPLE, where=where)
        return row

    def line(self, row: Row) -> bytes:
        r"""Give one object; half an emoji is written as it was read, as ``\ud83d``."""
        try:
            return f"{_ENCODER.encode(row)}\n".encode()
        except UnicodeEncodeError:
            return f"{_ASCII.encode(row)}\n".encode()


def _reason(error: Exception) -> str:
    """Count within the line: json's own "line 1" would stand beside the line of the file."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.removesuffix(' at')} at character {error.pos + 1}"
    return str(error)


def _pairs(pairs: list[tuple[str, Any]]) -> Row:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        message = f"key {twice!r} is there twice"
        raise ValueError(message)
    return row


def _constant(word: str) -> None:
    """NaN, which Python writes for a missing value, is null; JSON has no infinity."""
    if word != "NaN":
        message = f"{word} is no number"
        raise ValueError(message)


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        message = f"{digits} is too large a number"
        raise ValueError(message)
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_ASCII = json.JSONEncoder(allow_nan=False)
