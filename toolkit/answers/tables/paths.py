"""Where a file is read from and written to: known kinds, never onto itself, never half."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from toolkit.answers.tables.csv_table import CsvTable
from toolkit.answers.tables.jsonl_table import JsonlTable
from toolkit.answers.tables.parquet_table import ParquetTable
from toolkit.common.hints import closest
from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
ENDING = len(".parquet.gz")  # the longest: the end of a name that says its kind

Table: TypeAlias = JsonlTable | CsvTable | ParquetTable


def as_path(path: str | Path, argument: str) -> Path:
    """Refuse what is no path.

    Parameters
    ----------
    path : str or Path
        As given.
    argument : str
        Its name, for the message.

    Returns
    -------
    Path
        The same.

    Raises
    ------
    AnswerError
        Anything else, such as a DataFrame.

    Examples
    --------
    >>> as_path("run.jsonl", "source").name
    'run.jsonl'
    """
    if not isinstance(path, str | Path):
        raise AnswerError(
            "no path",
            got=type(path).__name__,
            allowed="a path; normalize_frame takes DataFrames",
            where=argument,
        )
    return Path(path)


def _kind(path: Path) -> str:
    name = path.name.lower()
    plain = name.removesuffix(".gz")
    kind = next((kind for kind in KINDS if plain.endswith(kind)), None)
    if kind is None or (kind == ".parquet" and plain != name):
        raise AnswerError(
            "unknown kind of file",
            got=path.name,
            allowed=[*KINDS, *(f"{kind}.gz" for kind in KINDS[:-1])],
        )
    return {".ndjson": ".jsonl"}.get(kind, kind)


def open_table(source: Path, out: Path) -> Table:
    """Choose how a file is gone through.

    Parameters
    ----------
    source, out : Path
        To read, and to write.

    Returns
    -------
    Table
        Of the kind that the names say.

    Raises
    ------
    AnswerError
        An unknown kind, two kinds, no such file, or one file twice.

    Examples
    --------
    >>> open_table(Path("run.jsonl"), Path("read.csv"))
    Traceback (most recent call last):
    ...
    toolkit.errors.AnswerError: source and output are of different kinds (out). Got:
    ['run.jsonl', 'read.csv']. Allowed: an output that ends in .jsonl.
    """
    kind = _kind(source)
    if _kind(out) != kind:
        raise AnswerError(
            "source and output are of different kinds",
            got=[source.name, out.name],
            allowed=f"an output that ends in {kind}",
            where="out",
        )
    try:
        taken = out.exists()
        if "\0" in str(out):
            raise _unwritable(out, ValueError("a null character in the path"))
    except (OSError, ValueError) as error:
        raise _unwritable(out, error) from None
    try:
        if taken and out.samefile(source):
            raise AnswerError(
                "the output would overwrite the source",
                got=out.name,
                allowed="another file",
                where="out",
            )
        with source.open("rb"):
            pass
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise AnswerError(
            f"the file can't be read: {getattr(error, 'strerror', error)}",
            got=str(source),
            allowed="a file; a relative path starts at the current folder",
            example=_nearest(source),
            where="source",
        ) from None
    if kind == ".parquet":
        return ParquetTable(source)
    return (
        JsonlTable(source)
        if kind == ".jsonl"
        else CsvTable(source, "\t" if kind == ".tsv" else ",")
    )


def _nearest(path: Path) -> str | None:
    try:
        return closest(path.name, [sibling.name for sibling in path.parent.iterdir()])
    except (OSError, ValueError):
        return None


@contextmanager
def replaced(out: Path) -> Iterator[Path]:
    """Give a path to write to, and let it take the place of ``out`` when all went well."""
    # A folder of its own beside ``out``: two writers never share it, however long the name, and
    # the file in it has the rights of any other. It ends as ``out`` does: packed or not.
    try:
        folder = Path(tempfile.mkdtemp(prefix=".part-", dir=out.parent))
    except (OSError, ValueError) as error:
        raise _unwritable(out, error) from None
    part = folder / f"part{out.name[-ENDING:]}"
    try:
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(out)
    except OSError as error:
        raise _unwritable(out, error) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unwritable(out: Path, error: Exception) -> AnswerError:
    return AnswerError(
        f"the file can't be written: {getattr(error, 'strerror', None) or error}",
        got=str(out),
        allowed="a file in a folder that is there",
        where="out",
    )
