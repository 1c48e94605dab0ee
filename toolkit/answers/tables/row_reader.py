"""How the rows of one table are read: small enough to send to every worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from toolkit.answers.normalize import ladder, normalize
from toolkit.answers.tables.fields import Record, record, rungs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.answers.answer import Answer
    from toolkit.answers.contract import Contract
    from toolkit.answers.convention import Convention


@dataclass(frozen=True, slots=True)
class RowReader:
    """What answers are read with.

    Attributes
    ----------
    conventions : tuple of Convention or Contract
        Each row names one by its position.
    level : str
        One of the levels.
    ladder : bool
        Whether the other levels are read as well.
    """

    conventions: tuple[Convention | Contract, ...]
    level: str
    ladder: bool = False

    def records(
        self, raws: Sequence[Any], codes: Sequence[int], errors: Sequence[str | None] | None
    ) -> list[Record]:
        """Read rows: one record a row, or one a row and construct.

        Equal texts are read once: short replies are often the same few words, and to look a long
        one up costs next to nothing beside reading it.
        """
        known: dict[tuple[str, int, str | None], list[Record]] = {}
        rows: list[Record] = []
        for row, (raw, code) in enumerate(zip(raws, codes, strict=True)):
            error = errors[row] if errors else None
            if type(raw) is not str:
                rows += self._read(raw, code, error)
                continue
            key = (raw, code, error)
            found = known.get(key)
            if found is None:
                found = known[key] = self._read(raw, code, error)
            rows += found
        return rows

    def _read(self, raw: Any, code: int, error: str | None) -> list[Record]:
        convention = self.conventions[code]
        if self.ladder:  # of a convention: Options refuses that of a contract
            answers = cast("dict[str, Answer]", ladder(raw, convention, error=error))
            return [record(answers[self.level]) + rungs(answers)]
        read = normalize(raw, convention, self.level, error=error)
        return [record(one) for one in read.values()] if isinstance(read, dict) else [record(read)]
