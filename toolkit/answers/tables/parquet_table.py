"""Parquet: typed columns, read and written a batch at a time."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from toolkit.answers.tables.fields import DECIMAL, INTEGER, TEXT
from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from pathlib import Path

    from toolkit.answers.tables.plan import Plan

_TYPES = {INTEGER: pa.int64(), DECIMAL: pa.float64(), TEXT: pa.string()}
_BUFFER = 1 << 20  # bytes of a column that are read at once; without it, a whole row group


class Columns:
    """A batch of columns."""

    def __init__(self, batch: pa.RecordBatch) -> None:
        self.batch = batch

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def cells(self, name: Hashable) -> list[Any]:
        """Give a column as Python values; None where it was not read."""
        if name not in self.batch.schema.names:
            return [None] * len(self)
        cells: list[Any] = self.batch.column(str(name)).to_pylist()
        return cells


class ParquetTable:
    """A Parquet file.

    Parameters
    ----------
    path : Path
        The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._opened() as file:
            self._schema = file.schema_arrow

    @property
    def names(self) -> list[Hashable]:
        """Names of all columns."""
        return list(self._schema.names)

    def batches(self, size: int, columns: Sequence[Hashable] | None = None) -> Iterator[Columns]:
        """Go through the file, or through those of some columns that it has."""
        few = None if columns is None else [name for name in columns if name in self.names]
        with self._opened() as file:
            for batch in file.iter_batches(size, columns=few):
                yield Columns(batch)

    def place(self, number: int) -> str:
        """Name row ``number``, which is counted from 0; the first row is row 1."""
        return f"row {number + 1}"

    @contextmanager
    def writer(
        self, out: Path, plan: Plan
    ) -> Iterator[Callable[[Any, dict[str, list[Any]]], None]]:
        """Write batches of the result to ``out``."""
        types = [
            self._schema.field(column.source).with_name(column.name)
            if column.field is None
            else pa.field(column.name, _TYPES[column.type])
            for column in plan.columns
        ]
        schema = pa.schema(types, None if plan.label_rows else self._schema.metadata)
        with pyarrow.parquet.ParquetWriter(out, schema) as file:

            def write(batch: Columns, fields: dict[str, list[Any]]) -> None:
                rows = pa.array(np.repeat(np.arange(len(batch)), plan.copies))
                arrays = [
                    batch.batch.column(column.source).take(rows)
                    if column.field is None
                    else pa.array(fields[column.field], type=kind.type)
                    for column, kind in zip(plan.columns, schema, strict=True)
                ]
                file.write_batch(pa.record_batch(arrays, schema=schema))

            yield write

    @contextmanager
    def _opened(self) -> Iterator[pyarrow.parquet.ParquetFile]:
        try:
            with pyarrow.parquet.ParquetFile(
                self.path, buffer_size=_BUFFER, pre_buffer=False
            ) as file:
                yield file
        except (pa.ArrowException, OSError) as error:
            raise AnswerError(
                f"the file can't be read as Parquet: {str(error).rstrip('.')}",
                allowed="a complete Parquet file",
                example="frame.to_parquet('answers.parquet')",
                where=self.path.name,
            ) from None
