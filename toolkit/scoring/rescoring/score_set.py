"""Write a score set to a folder of its own; what is there is never touched."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from toolkit.scoring.rescoring.result import Rescore


def digest_of(scores: pd.DataFrame, refused: pd.DataFrame, **settings: str) -> str:
    """Give the name of a score set: equal digests hold equal scores.

    Parameters
    ----------
    scores, refused : DataFrame
        Of a re-score.
    **settings : str
        What they depend on besides.

    Returns
    -------
    str
        SHA-256.

    Examples
    --------
    >>> empty = pd.DataFrame()
    >>> len(digest_of(empty, empty)), digest_of(empty, empty) == digest_of(empty, empty, level="x")
    (64, False)
    """
    parts = [json.dumps(settings, sort_keys=True), _csv(scores), _csv(refused)]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()


def write_score_set(result: Rescore, out: Path, name: str) -> Path:
    """Write scores, flips, refused rows, the levels and a summary, all or nothing.

    Parameters
    ----------
    result : Rescore
        What to write.
    out : Path
        Folder; made where it is missing.
    name : str
        Of the new folder in it.

    Returns
    -------
    Path
        The new folder.

    Raises
    ------
    AnswerError
        The score set is there already, or the folder can't be written.
    """
    target = out / name
    try:
        taken = target.exists()
    except (OSError, ValueError) as error:
        raise _unwritable(target, error) from None
    if taken:
        raise AnswerError(
            "this score set is there already and is not overwritten",
            got=str(target),
            allowed="another folder, or other rows, level, scorers or conventions",
            where="out",
        )
    tables = {
        "scores.csv": result.scores,
        "flips.csv": result.flips,
        "refused.csv": result.refused,
        "by_level.csv": result.by_level,
    }
    files = {file: _csv(table) for file, table in tables.items()}
    summary = json.dumps(result.to_dict(), indent=2, ensure_ascii=True, allow_nan=False)
    files["summary.json"] = f"{summary}\n"
    draft = None
    try:
        out.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".score-set-", dir=out))
        for file, text in files.items():
            (draft / file).write_bytes(text.encode("utf-8", "backslashreplace"))
        draft.chmod(0o755)
        draft.rename(target)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)
        raise _unwritable(target, error) from None
    return target


def _unwritable(target: Path, error: Exception) -> AnswerError:
    return AnswerError(
        f"the score set can't be written: {getattr(error, 'strerror', None) or error}",
        got=str(target),
        allowed="a folder that may be written to",
        where="out",
    )


def _csv(frame: pd.DataFrame) -> str:
    text = frame.copy()
    for name in text.columns:  # tuples as words, as `flags` of one answer are
        cells = text[name]
        if cells.map(lambda cell: isinstance(cell, tuple)).any():
            text[name] = cells.map(";".join)
    return str(text.to_csv(index=False, lineterminator="\n"))
