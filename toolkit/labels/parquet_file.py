"""Parquet: typed columns, taken as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet

from toolkit.errors import LabelError
from toolkit.labels.columns import refuse_unusable_names
from toolkit.labels.origin import Origin

if TYPE_CHECKING:
    import pandas as pd


def read_parquet(data: bytes, name: str) -> tuple[pd.DataFrame, Origin]:
    """Read a Parquet file.

    Parameters
    ----------
    data : bytes
        The file.
    name : str
        Its plain name, for errors.

    Returns
    -------
    tuple of DataFrame and Origin
        The columns; rows are counted from 0.

    Raises
    ------
    LabelError
        Not a Parquet file, or a damaged one.

    Examples
    --------
    >>> read_parquet(b"item_id,label", "labels.parquet")
    Traceback (most recent call last):
    ...
    toolkit.errors.LabelError: the file can't be read as Parquet: ...
    """
    try:
        table = pyarrow.parquet.read_table(pa.BufferReader(data))
    except (pa.ArrowException, OSError) as error:
        raise LabelError(
            f"the file can't be read as Parquet: {str(error).rstrip('.')}",
            allowed="a complete Parquet file",
            example="frame.to_parquet('labels.parquet')",
            where=name,
        ) from None
    refuse_unusable_names(table.column_names, name)
    # Integers beside nulls stay integers: as floats, long identifiers would lose digits.
    frame: pd.DataFrame = table.to_pandas(integer_object_nulls=True)
    return frame, Origin(name, "row", list)
