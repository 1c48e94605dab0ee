"""Every call of a judge on disk before anything else happens: a run can be killed and continued."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self, TypeAlias

from toolkit.errors import AnswerError
from toolkit.scoring.judge.attempts import ATTEMPT_OUTCOMES, Attempt

try:
    import fcntl
except ImportError:  # Windows has no flock: there two runs on one journal are not told apart
    fcntl = None  # type: ignore[assignment]

Key: TypeAlias = tuple[str, str]  # item id, SHA-256 of the prompt

START = '{"judge_journal": 1, '
FIELDS = ("item_id", "prompt_sha256", "number", "outcome", "error", "message", "reply", "seconds")


class JudgeJournal:
    """Append-only JSONL file, one line an attempt, one writer.

    Parameters
    ----------
    path : str or Path
        The file; made where there is none.

    Attributes
    ----------
    attempts : dict
        (item id, SHA-256 of the prompt) -> attempts in their order.
    torn : int
        1 where the last line was cut off (a killed run) and is done again, else 0.

    Raises
    ------
    AnswerError
        A line before the last is damaged, the file is no journal, or another run is writing.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "judge.jsonl"
    >>> with JudgeJournal(path) as journal:
    ...     journal.append(("i1", "ab"), Attempt(1, "replied", reply="PASS"))
    >>> with JudgeJournal(path) as journal:
    ...     journal.attempts
    {('i1', 'ab'): [Attempt(1, replied, 'PASS')]}
    """

    def __init__(self, path: str | Path) -> None:
        if not isinstance(path, str | Path):
            raise AnswerError(
                "the journal is no path",
                got=path,
                allowed="the path of a JSONL file",
                example='journal="judge.jsonl"',
                where="journal",
            )
        self.path = Path(path)
        self._lock = threading.Lock()
        self._failed: str | None = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._file: int | None = os.open(self.path, flags, 0o644)
        except (OSError, ValueError) as error:  # ValueError: a null character in the path
            raise AnswerError(
                "the journal can't be opened", got=str(error), where=self.path.name
            ) from None
        try:
            self._only_writer()
            self.attempts: dict[Key, list[Attempt]] = {}
            self.torn = self._read()
        except BaseException:
            self.close()
            raise

    def append(self, key: Key, attempt: Attempt) -> None:
        """Write one attempt and wait until it is on disk.

        Parameters
        ----------
        key : tuple of str
            Item id and SHA-256 of the prompt.
        attempt : Attempt
            What happened.

        Raises
        ------
        AnswerError
            The disk did not take the line, or an earlier one: what stood before stays as it was,
            and nothing is written behind it.

        Examples
        --------
        See the class.
        """
        content = {
            "item_id": key[0],
            "prompt_sha256": key[1],
            **attempt.to_dict(),
            "seconds": round(attempt.seconds, 3),
        }
        line = (START + json.dumps(content)[1:] + "\n").encode("ascii")
        with self._lock:
            if self._file is None:
                return  # a call that outlived its run
            if self._failed is None:
                self._failed = _written(self._file, line)
            if self._failed is not None:
                raise AnswerError(
                    "the journal can't be written to",
                    got=self._failed,
                    allowed="a disk with room; then start again with the same journal",
                    where=self.path.name,
                )
            self.attempts.setdefault(key, []).append(attempt)

    def close(self) -> None:
        """Let go of the file.

        Examples
        --------
        See the class; leaving the ``with`` block closes.
        """
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _only_writer(self) -> None:
        if fcntl is None or self._file is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise AnswerError(
                "another run is writing this journal",
                allowed="one writer at a time",
                where=self.path.name,
            ) from None

    def _read(self) -> int:
        content = self.path.read_bytes()
        *whole, tail = content.split(b"\n")
        for key, attempt in self._parsed(whole):
            self.attempts.setdefault(key, []).append(attempt)
        if not tail:
            return 0
        start = START.encode()
        if not (tail.startswith(start) or start.startswith(tail)):
            raise self._damaged(len(whole) + 1, tail)
        # The newline is what says that a line is whole; the call of a cut one is made again.
        if self._file is not None:
            os.ftruncate(self._file, len(content) - len(tail))
        return 1

    def _parsed(self, lines: list[bytes]) -> Iterator[tuple[Key, Attempt]]:
        for number, line in enumerate(lines, 1):
            entry = _entry(line)
            if entry is None:
                raise self._damaged(number, line)
            yield entry

    def _damaged(self, number: int, line: bytes) -> AnswerError:
        return AnswerError(
            "a line is no entry of a judge's journal; only the last one may be cut off",
            got=line[:80].decode("utf-8", "replace"),
            allowed="the lines that evaluate_frame wrote, unchanged",
            where=f"{self.path.name}, line {number}",
        )


def _written(file: int, line: bytes) -> str | None:
    """Append a line whole or not at all; say why not."""
    try:
        before = os.fstat(file).st_size
    except OSError as error:
        return str(error)
    try:
        if os.write(file, line) == len(line):
            os.fsync(file)
            return None
        failed = "the disk took only a part of a line"
    except OSError as error:
        failed = str(error)
    # Where even this fails, the stump is the last line, which a later run takes off.
    with contextlib.suppress(OSError):
        os.ftruncate(file, before)
    return failed


def _entry(line: bytes) -> tuple[Key, Attempt] | None:
    """Read one line; None where it is no entry."""
    try:
        content = json.loads(line) if line.startswith(START.encode()) else {}
        values: dict[str, Any] = {name: content[name] for name in FIELDS}
        key = (str(values.pop("item_id")), str(values.pop("prompt_sha256")))
        attempt = Attempt(**values)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if type(attempt.number) is not int or type(attempt.seconds) not in (int, float):
        return None
    texts = (attempt.error, attempt.message, attempt.reply)
    if not all(text is None or isinstance(text, str) for text in texts):
        return None
    replied = attempt.outcome == "replied"
    fits = attempt.outcome in ATTEMPT_OUTCOMES and replied == isinstance(attempt.reply, str)
    return (key, attempt) if fits else None
