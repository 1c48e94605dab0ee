"""Snapshots of the labels of a folder of journals: a whole file, or the one before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.errors import LabelError
from toolkit.labels.journal_file import saving, write_whole
from toolkit.labels.journal_labels import read_journal
from toolkit.labels.schema import Schema


def export(
    folder: str | Path,
    path: str | Path,
    study: str | None = None,
    *,
    schema: str | Path | Mapping[str, Any] | Schema | None = None,
) -> Path:
    """Write the labels of a folder of journals to one file.

    Parameters
    ----------
    folder : path
        As in `read_journal`.
    path : path
        .csv or .parquet; a file that is there is replaced.
    study, schema
        As in `read_journal`.

    Returns
    -------
    Path
        The file, a long table as `read_labels` reads it.

    Raises
    ------
    LabelError
        As `read_journal`; another extension, a file that can't be written.

    Notes
    -----
    The table is written beside `path` and takes its place when it is on the disk, so a reader finds
    the old snapshot or the new one, never a part.

    Examples
    --------
    >>> import tempfile
    >>> from toolkit.labels.journal import Journal
    >>> folder = tempfile.mkdtemp()
    >>> with Journal.open(folder, study="pilot", rater="ann") as journal:
    ...     _ = journal.append("label", item_id="i1", labels={"tone": 1})
    >>> export(folder, f"{folder}/labels.csv").name
    'labels.csv'
    """
    target = Path(path)
    if target.suffix.lower() not in (".csv", ".parquet"):
        raise LabelError(
            "unknown kind of file",
            got=target.name,
            allowed=".csv, .parquet",
            example='"labels.parquet"',
            where="path",
        )
    frame = read_journal(folder, study, schema=schema).to_frame()
    with saving(target):
        write_whole(target, _content(frame, target.suffix.lower()))
    return target


def _content(frame: pd.DataFrame, extension: str) -> bytes:
    if extension == ".csv":
        return frame.to_csv(index=False).encode()
    return _one_type(frame).to_parquet(index=False)


def _one_type(frame: pd.DataFrame) -> pd.DataFrame:
    """Write labels as text where numbers stand beside words; `read_labels` reads "1" as 1."""
    return frame.astype({"label": "str"}) if frame["label"].dtype == object else frame
