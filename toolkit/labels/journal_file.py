"""A file that grows by whole lines, each of them on the disk before it counts as written."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from toolkit.errors import LabelError


class LineFile:
    r"""A new file to which one process appends lines.

    Parameters
    ----------
    path : Path
        The file.
    descriptor : int
        Of the file, open to append.

    Examples
    --------
    >>> import tempfile
    >>> file = LineFile.create(Path(tempfile.mkdtemp()), "pilot.ann", 1)
    >>> file.append(b"one line\n")
    >>> file.close()
    >>> file.path.name, file.path.read_text()
    ('pilot.ann.1.jsonl', 'one line\n')
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor: int | None = descriptor
        self._process = os.getpid()
        # The whole lines, and how much of one that failed may stand behind them.
        self._size, self._half = 0, 0
        self._absolute = path.absolute()  # the working folder may change

    @classmethod
    def create(cls, folder: Path, stem: str, number: int) -> Self:
        """Create the next free file: of several processes that ask at once, each gets its own.

        Parameters
        ----------
        folder : Path
            Where.
        stem : str
            Start of the name.
        number : int
            The lowest that may be free.

        Returns
        -------
        LineFile
            Empty; its name in the folder is on the disk.

        Raises
        ------
        OSError
            The folder can't be written.
        """
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        while True:
            path = folder / f"{stem}.{number}.jsonl"
            try:
                descriptor = os.open(path, flags, 0o666)  # what the umask leaves of it
            except FileExistsError:
                number += 1
                continue
            os.fsync(descriptor)
            sync(folder)
            return cls(path, descriptor)

    @property
    def closed_because(self) -> str | None:
        """Why nothing can be written any more; None where it can."""
        if self._descriptor is None:
            return "the journal is closed"
        # A fork shares the descriptor, but a file has one writer.
        return None if os.getpid() == self._process else "the journal belongs to another process"

    def append(self, line: bytes) -> None:
        """Bring a whole line to the disk, or leave the file as it was.

        Parameters
        ----------
        line : bytes
            With its end.

        Raises
        ------
        OSError
            Disk full or broken; nothing of the line counts.
        LabelError
            The file is no longer in its place, or has not the size that this writer left; nothing
            of the line counts.

        Notes
        -----
        A file that another program cut or made longer is left as it is: whether its last line is
        whole, and whose it is, can't be known. A new sitting is another file, safe from both.
        """
        if self._descriptor is None:
            raise OSError(errno.EBADF, "the journal is closed")
        self._cut(self._descriptor)
        self._half = len(line)
        try:
            self._write(self._descriptor, line)
        except BaseException:  # an interrupted cell leaves no half line either
            # Where this fails too, the next line begins with it.
            self._cut(self._descriptor)
            raise
        self._size, self._half = self._size + len(line), 0

    def _cut(self, descriptor: int) -> None:
        """Take off what a line that failed left, and nothing that another program wrote."""
        size = os.fstat(descriptor).st_size
        if not self._size <= size <= self._size + self._half:
            raise self._changed(size, self._size)
        if size > self._size:
            os.ftruncate(descriptor, self._size)
        self._half = 0

    def _write(self, descriptor: int, line: bytes) -> None:
        rest = line
        while rest:  # a full disk takes a part, and gives the reason when it is given more
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
        # Last: what happened to the file while it was written to is seen too.
        written = os.fstat(descriptor)
        if written.st_size != self._size + len(line):
            raise self._changed(written.st_size, self._size + len(line))
        self._refuse_elsewhere(written)

    def _refuse_elsewhere(self, written: os.stat_result) -> None:
        """Refuse a file that its path does not lead to: no reader would find the line."""
        try:
            if os.path.samestat(written, self._absolute.stat()):
                return
        except (FileNotFoundError, NotADirectoryError):
            pass
        raise LabelError(
            "NOT SAVED: the journal file was moved or deleted",
            got=str(self._absolute),
            allowed="the file back in its place, or a new sitting: run the cell again",
            where=self.path.name,
        )

    def _changed(self, size: int, left: int) -> LabelError:
        return LabelError(
            "NOT SAVED: another program changed the journal file",
            got=f"{size} bytes where {left} were written",
            allowed="a new sitting: run the cell again",
            where=self.path.name,
        )

    def close(self) -> None:
        """Let go of the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor = None


def write_whole(target: Path, content: bytes) -> None:
    """Put a file in its place when all of it is on the disk; a reader finds the old or the new.

    Parameters
    ----------
    target : Path
        The file; one that is there is replaced.
    content : bytes
        All of it.

    Raises
    ------
    OSError
        It can't be written; what was there is as it was.
    """
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
        sync(target.parent)
    finally:
        beside.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, and bring their names to the disk."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync(folder.parent)


def sync(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def saving(path: Path) -> Iterator[None]:
    """Say what could not be saved, and why.

    Parameters
    ----------
    path : Path
        What is written.

    Raises
    ------
    LabelError
        For every OSError inside.
    """
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise LabelError(
            f"NOT SAVED: {getattr(error, 'strerror', None) or error}",
            got=str(path),
            allowed="a folder that may be written, on a disk with space left",
            where=path.name,
        ) from None
