"""RowReader on several cores: the same records in the same order, whatever their number."""

from __future__ import annotations

import os
import pickle
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, Self

from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from toolkit.answers.tables.fields import Record
    from toolkit.answers.tables.row_reader import RowReader

CHUNK = 1_000  # rows: a tenth of a second of work, so that sending them does not count

_reader: RowReader | None = None  # in a worker


class Workers:
    """Processes that read rows; none are started while one chunk holds all rows.

    Parameters
    ----------
    reader : RowReader
        What every row is read with.
    workers : int or None
        Number of processes; 1 reads in this one, None uses every core that may be used.
    """

    def __init__(self, reader: RowReader, workers: int | None) -> None:
        self.reader = reader
        self.workers = _number(workers)
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def records(
        self,
        raws: Sequence[Any],
        codes: Sequence[int],
        errors: Sequence[str | None] | None,
        done: Callable[[int], object],
    ) -> list[Record]:
        """Read rows in their order, and tell ``done`` of every chunk."""
        starts = range(0, len(raws), CHUNK)
        pieces = [_piece(start, raws, codes, errors) for start in starts]
        if self.workers == 1 or len(pieces) == 1:
            return self._here(pieces, done)
        try:
            return self._there(pieces, done)
        except BrokenProcessPool:
            raise AnswerError(
                "a worker process ended before its work was done",
                got=f"workers={self.workers}",
                allowed="enough memory for every worker, and a script whose own work stands under"
                ' `if __name__ == "__main__":`, because each worker loads it; or workers=1',
                example="workers=1",
                where="workers",
            ) from None
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            if "pickle" not in str(error):
                raise
            raise AnswerError(
                f"a cell can't be sent to another process: {error}",
                allowed="text, numbers, None, bytes, lists and mappings of them; or workers=1",
                example="workers=1",
                where="workers",
            ) from None

    def _here(self, pieces: list[_Piece], done: Callable[[int], object]) -> list[Record]:
        rows: list[Record] = []
        for piece in pieces:
            rows += self.reader.records(*piece)
            done(len(piece[0]))
        return rows

    def _there(self, pieces: list[_Piece], done: Callable[[int], object]) -> list[Record]:
        if self._pool is None:
            # Not fork: other libraries run threads, whose locks a forked child would wait for.
            self._pool = ProcessPoolExecutor(
                self.workers,
                mp_context=get_context("spawn"),
                initializer=_receive,
                initargs=(self.reader,),
            )
        waiting: list[Future[list[Record]]] = [
            self._pool.submit(_read_piece, piece) for piece in pieces
        ]
        rows: list[Record] = []
        for piece, future in zip(pieces, waiting, strict=True):
            rows += future.result()
            done(len(piece[0]))
        return rows


_Piece = tuple["Sequence[Any]", "Sequence[int]", "Sequence[str | None] | None"]


def _piece(
    start: int, raws: Sequence[Any], codes: Sequence[int], errors: Sequence[str | None] | None
) -> _Piece:
    rows = slice(start, start + CHUNK)
    return raws[rows], codes[rows], None if errors is None else errors[rows]


def _number(workers: int | None) -> int:
    if workers is None:
        affinity = getattr(os, "sched_getaffinity", None)  # cores of this process, where known
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise AnswerError(
            "no number of workers",
            got=workers,
            allowed="1 or more, or None for all cores",
            example="workers=4",
            where="workers",
        )
    return workers


def _receive(reader: RowReader) -> None:
    global _reader  # noqa: PLW0603 - once per process, so that it is not sent with every chunk
    _reader = reader


def _read_piece(piece: _Piece) -> list[Record]:
    if _reader is None:  # pragma: no cover - the pool always receives it first
        raise RuntimeError
    return _reader.records(*piece)
