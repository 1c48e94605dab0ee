"""Files of a report: whole or not there, and never those of an earlier run."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from toolkit.errors import NotebookError, ParameterError


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a text file so that a reader sees the old one or the new one, never a part.

    Parameters
    ----------
    path : str or path-like
        File to write; its folder must exist.
    text : str
        Content, written as UTF-8.

    Returns
    -------
    pathlib.Path
        The path written.

    Examples
    --------
    >>> import tempfile
    >>> from toolkit.report.outputs import write_text
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(f"{folder}/a.txt", "whole").read_text()
    'whole'
    """
    target = Path(path)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        # mkstemp makes files that only the owner may read; a report is for sharing.
        Path(temporary).chmod(0o644)
        Path(temporary).replace(target)
    finally:
        Path(temporary).unlink(missing_ok=True)
    return target


def write_json(path: str | os.PathLike[str], content: Any) -> Path:
    """Write strict JSON, in one step.

    Parameters
    ----------
    path : str or path-like
        File to write; its folder must exist.
    content : object
        Anything that JSON can hold. NaN and infinities are no JSON.

    Returns
    -------
    pathlib.Path
        The path written.

    Raises
    ------
    ValueError
        If `content` holds NaN or an infinity.

    Examples
    --------
    >>> import tempfile
    >>> from toolkit.report.outputs import read_json, write_json
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     read_json(write_json(f"{folder}/a.json", {"kappa": None}))
    {'kappa': None}
    """
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    return write_text(path, text + "\n")


def read_json(path: str | os.PathLike[str]) -> Any:
    """Read strict JSON.

    Parameters
    ----------
    path : str or path-like
        File to read.

    Returns
    -------
    object
        Its content.

    Raises
    ------
    NotebookError
        If the file is missing, is no JSON, or holds NaN or an infinity.

    Examples
    --------
    >>> from toolkit.report.outputs import read_json
    >>> read_json("no_such_folder/results.json")
    Traceback (most recent call last):
    ...
    toolkit.errors.NotebookError: the notebook left no results.json ...
    """
    path = Path(path)
    if not path.is_file():
        raise NotebookError(f"the notebook left no {path.name}", where=str(path.parent))
    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
    except ValueError as error:
        raise NotebookError(f"{path.name} is no strict JSON: {error}", where=str(path)) from error


def clear(out: Path, names: list[str]) -> None:
    """Make the folder of a report and take away what an earlier run left there.

    Parameters
    ----------
    out : pathlib.Path
        Folder of the report.
    names : list of str
        Files to remove from it.

    Raises
    ------
    ParameterError
        If the folder can't be made or written to.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from toolkit.report.outputs import clear
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     clear(Path(folder) / "run1", ["results.json"])
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name in names:
            (out / name).unlink(missing_ok=True)
        write_text(out / ".probe", "").unlink()
    except OSError as error:
        raise ParameterError(
            f"the report can't be written there: {error.strerror}",
            got=str(out),
            allowed="a folder that you may write to",
            where="out",
        ) from error


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")
