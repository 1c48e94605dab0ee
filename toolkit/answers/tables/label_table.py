"""From one reply with several constructs to rows of a label table: item, rater and call."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from toolkit.answers.tables.cells import word
from toolkit.answers.tables.fields import FLAG_SEPARATOR
from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

Cells: TypeAlias = "Callable[[Hashable], list[Any]]"

# In order; labels are read by the first six.
TABLE = (
    *("item_id", "construct", "rater_id", "rater_kind", "label", "call_id"),
    *("outcome", "rule", "stage", "level", "flags", "span_start", "span_end"),
    *("normalizer_version", "registry_digest", "raw_sha256"),
)
GENERATED = "call_id_generated"


@dataclass(frozen=True, slots=True)
class LabelRows:
    """Where a label table takes its identifiers from.

    Attributes
    ----------
    constructs : tuple of str
        One row each for every reply.
    item : hashable
        Column of the items.
    judge : str
        The judge of all rows, where no column names them.
    judge_column, call_column : hashable or None
        Columns of judges and calls.
    """

    constructs: tuple[str, ...]
    item: Hashable
    judge: str
    judge_column: Hashable = None
    call_column: Hashable = None

    def identify(self, cells: Cells, index: Sequence[Any]) -> list[tuple[str, str, str | None]]:
        """Give item, judge and call of every reply.

        Parameters
        ----------
        cells : callable
            From the name of a column to its cells.
        index : sequence
            What the rows are called, for the message.

        Returns
        -------
        list of tuple
            Call is None where none is known.

        Raises
        ------
        AnswerError
            A row without item or judge.
        """
        items = _filled(cells(self.item), index, self.item)
        judges = [self.judge] * len(index)
        if self.judge_column is not None:
            judges = _filled(cells(self.judge_column), index, self.judge_column)
        calls: list[str | None] = [None] * len(index)
        if self.call_column is not None:
            calls = [word(cell) for cell in cells(self.call_column)]
        return list(zip(items, judges, calls, strict=True))

    def add(
        self,
        fields: dict[str, list[Any]],
        identified: Sequence[tuple[str, str, str | None]],
        index: Sequence[Any],
    ) -> None:
        """Add the columns that name construct, rater and call.

        A call without a name gets one that only depends on the row: its place in the index, item,
        judge and text. The labels of one reply share it, and their flags say so.
        """
        copies = len(self.constructs)
        flags, shas = fields["flags"], fields["raw_sha256"]
        named: list[str] = []
        for row, (item, judge, call) in enumerate(identified):
            rows = slice(row * copies, (row + 1) * copies)
            if call is None:
                flags[rows] = [
                    FLAG_SEPARATOR.join(filter(None, (f, GENERATED))) for f in flags[rows]
                ]
                named.append(_name_of((index[row], item, judge, shas[rows.start])))
            else:
                named.append(call)
        fields["construct"] = list(self.constructs) * len(identified)
        fields["rater_id"] = [judge for _, judge, _ in identified for _ in self.constructs]
        fields["rater_kind"] = ["judge"] * len(fields["construct"])
        fields["call_id"] = [call for call in named for _ in self.constructs]


def _filled(values: list[Any], index: Sequence[Any], column: Hashable) -> list[str]:
    words = [word(value) for value in values]
    filled = [one for one in words if one is not None]
    if len(filled) == len(words):
        return filled
    label = index[words.index(None)]
    plain = getattr(label, "item", lambda: label)()  # numpy's 0 is 0
    place = f"row {plain + 1}" if isinstance(index, range) else f"index {plain!r}"  # of a file
    count = len(words) - len(filled)
    rows = f"{count:,} row{'' if count == 1 else 's'}"
    raise AnswerError(
        "rows without an identifier",
        allowed="text in every row",
        where=f"column {column!r}, {rows}, the first at {place}",
    )


def _name_of(parts: tuple[Any, ...]) -> str:
    text = "\x1f".join(map(str, parts))
    return f"call_{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()[:16]}"
