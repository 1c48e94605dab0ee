"""From a path or a DataFrame to columns as the source has them."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from toolkit.common.hints import closest
from toolkit.errors import LabelError
from toolkit.labels.columns import COLUMNS, refuse_unusable_names
from toolkit.labels.csv_file import read_csv
from toolkit.labels.jsonl_file import read_jsonl
from toolkit.labels.origin import Origin
from toolkit.labels.parquet_file import read_parquet

EXTENSIONS = (
    *(".csv", ".csv.gz", ".tsv", ".tsv.gz", ".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz"),
    ".parquet",
)


class Raw(NamedTuple):
    """What a source holds, before anything is understood.

    Examples
    --------
    >>> read_source(pd.DataFrame({"item_id": ["a"]})).origin.name
    'DataFrame'
    """

    frame: pd.DataFrame
    origin: Origin
    sha256: str | None


def read_source(source: str | Path | pd.DataFrame) -> Raw:
    """Read a file or take a DataFrame.

    Parameters
    ----------
    source : path or DataFrame
        A file with one of the known extensions.

    Returns
    -------
    Raw
        Columns as they are, where each row is from, and the SHA-256 of the file's bytes.

    Raises
    ------
    LabelError
        No such file, unknown extension, unreadable content, no rows, repeated column names.

    Examples
    --------
    >>> read_source(pd.DataFrame({"item_id": ["a"], "label": [1]})).frame.shape
    (1, 2)
    """
    if isinstance(source, pd.DataFrame):
        origin = Origin("DataFrame", "index", _index_of(source))
        raw = Raw(_flat(source, origin.name), origin, None)
    elif isinstance(source, str | Path):
        raw = _read_file(Path(source))
    else:
        raise LabelError(
            "labels can't be read from this",
            got=type(source).__name__,
            allowed="a path or a pandas DataFrame",
            example="tk.read_labels('labels.csv'), tk.read_labels(pd.DataFrame(rows))",
            where="source",
        )
    if raw.frame.empty:
        raise LabelError(
            "the table has no rows",
            got=list(raw.frame.columns),
            allowed="a header and at least one row",
            where=raw.origin.name,
        )
    return raw


def _index_of(frame: pd.DataFrame) -> Any:
    return lambda rows: [repr(frame.index[row]) for row in rows]


def _flat(frame: pd.DataFrame, where: str) -> pd.DataFrame:
    if frame.columns.nlevels > 1:
        raise LabelError(
            "the DataFrame has several levels of columns",
            got=list(frame.columns[:3]),
            allowed="one level",
            example="frame.columns = ['_'.join(names) for names in frame.columns]",
            where=where,
        )
    known = [name for name in frame.index.names if name in COLUMNS and name not in frame.columns]
    frame = frame.reset_index(level=known) if known else frame
    names = [str(name) for name in frame.columns]
    refuse_unusable_names(names, where)
    return frame.set_axis(names, axis="columns")


def _read_file(path: Path) -> Raw:
    extension = next((e for e in reversed(EXTENSIONS) if path.name.lower().endswith(e)), None)
    if extension is None:
        raise LabelError(
            "unknown kind of file",
            got=path.name,
            allowed=EXTENSIONS,
            example="labels.csv, or tk.read_labels(pd.read_excel(path)) for other kinds",
        )
    try:
        stored = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise LabelError(
            f"the file can't be read: {getattr(error, 'strerror', error)}",
            got=str(path),
            allowed="a file; a relative path starts at the current folder",
            example=_nearest(path),
        ) from None
    data = _unpacked(stored, path.name) if extension.endswith(".gz") else stored
    kind = extension.removesuffix(".gz")
    if kind == ".parquet":
        frame, origin = read_parquet(data, path.name)
    elif kind in (".csv", ".tsv"):
        frame, origin = read_csv(data, path.name, "\t" if kind == ".tsv" else ",")
    else:
        frame, origin = read_jsonl(data, path.name)
    return Raw(_flat(frame, origin.name), origin, hashlib.sha256(stored).hexdigest())


def _nearest(path: Path) -> str | None:
    """Name the file that was probably meant, where there is none of this name."""
    try:
        siblings = [sibling.name for sibling in path.parent.iterdir()]
    except (OSError, ValueError):  # no folder, or one that may not be listed
        return None
    return None if path.name in siblings else closest(path.name, siblings)


def _unpacked(stored: bytes, name: str) -> bytes:
    try:
        return gzip.decompress(stored)
    except (OSError, EOFError, zlib.error) as error:
        raise LabelError(
            f"the file is not valid gzip ({error})", allowed="a complete .gz file", where=name
        ) from None
