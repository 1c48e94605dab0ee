"""The label journal: an append-only file per rater and sitting, in which no label is ever lost."""

from __future__ import annotations

import re
import threading
import uuid
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from toolkit.errors import LabelError
from toolkit.labels.journal_event import (
    FIELDS,
    FORMAT,
    Event,
    item_sha256,
    moment,
    plain_labels,
    refuse_malformed,
    to_line,
)
from toolkit.labels.journal_export import export
from toolkit.labels.journal_file import LineFile, make_folder, saving
from toolkit.labels.journal_labels import read_journal
from toolkit.labels.journal_read import journal_events, read_files, same_event

__all__ = ["Journal", "export", "item_sha256", "journal_events", "read_journal"]


class Journal:
    """The one writer of one file of label events; made by `Journal.open`.

    Parameters
    ----------
    file : LineFile
        Newly created.
    study, rater, sitting : str, str, int
        Whose events these are.
    events : list of dict
        All events of this rater in this study, those of earlier sittings too, in order.

    See Also
    --------
    read_journal : From a folder of such files to labels.

    Notes
    -----
    A file has exactly one writer, ever: another sitting of the same rater is another file, created
    with O_EXCL. So no lock is needed, and files of several raters merge by being copied into one
    folder. An event is one line: one write, then fsync, then the acknowledgement. A write that
    fails is cut off again, so that the next line is whole.

    Examples
    --------
    >>> import tempfile
    >>> with Journal.open(tempfile.mkdtemp(), study="pilot", rater="ann") as journal:
    ...     event = journal.append("label", item_id="i1", labels={"tone": 1})
    >>> event["seq"], event["labels"], journal.path.name
    (1, {'tone': 1}, 'pilot.ann.1.jsonl')
    """

    def __init__(
        self, file: LineFile, *, study: str, rater: str, sitting: int, events: list[Event]
    ) -> None:
        self.path, self.study, self.rater, self.sitting = file.path, study, rater, sitting
        self.events = events
        self._by_id = {event["event_id"]: event for event in events}
        self._file = file
        self._lock = threading.Lock()
        self._seq = 0

    @classmethod
    def open(cls, folder: str | Path, *, study: str, rater: str) -> Self:
        """Begin a sitting: read this rater's earlier ones, and create a file of its own.

        Parameters
        ----------
        folder : path
            Made where it is missing.
        study, rater : str
            Any text; in the file's name, what is no letter, digit, ``_`` or ``-`` is written %XX.

        Returns
        -------
        Journal
            Ready to append.

        Raises
        ------
        LabelError
            A blank name, an earlier sitting with a damaged line, a folder that can't be written.

        Examples
        --------
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> Journal.open(folder, study="pilot", rater="ann").close()
        >>> Journal.open(folder, study="pilot", rater="ann").sitting
        2
        """
        stem = f"{_file_name(study, 'study')}.{_file_name(rater, 'rater')}"
        place = Path(folder)
        with saving(place):
            make_folder(place)
            earlier = _sittings(place, stem)
            found = read_files(earlier[number] for number in sorted(earlier))
            events = [e for e in found.events if (e["study"], e["rater"]) == (study, rater)]
            file = LineFile.create(place, stem, max(earlier, default=0) + 1)
        sitting = _sitting(file.path)
        return cls(file, study=study, rater=rater, sitting=sitting, events=events)

    def append(
        self,
        kind: str,
        *,
        item_id: str | None = None,
        item_sha256: str | None = None,
        labels: dict[str, Any] | None = None,
        note: str | None = None,
        active_seconds: float | None = None,
        event_id: str | None = None,
        of: str | None = None,
        **extra: Any,
    ) -> Event:
        """Write one event; when this returns, it is on the disk.

        Parameters
        ----------
        kind : {"label", "adjudicate", "skip", "unsure", "undo", "flag", "note", "open"}
            What the rater did.
        item_id, item_sha256 : str, optional
            The item and the fingerprint of its text. An "open" has none; an "undo" takes those of
            the event that it undoes.
        labels : dict, optional
            Construct to label. For "skip" and "unsure" the constructs that they are about, with
            None; left out: all of the study.
        note : str, optional
            What the rater wrote.
        active_seconds : float, optional
            Time that the rater spent on it.
        event_id : str, optional
            Given by the caller to make asking twice harmless: the event that was written under this
            id is given back, and nothing is written. Default: a new one.
        of : str, optional
            What an "undo" undoes: the id of an event of this rater.
        **extra
            Further fields, as JSON can hold them; `constructs` of an "open" is the schema.

        Returns
        -------
        dict
            The event as it was written.

        Raises
        ------
        LabelError
            The event makes no sense, or could not be written: then it is not in the file.

        Notes
        -----
        The time of an event is never before that of the one before it, also where the clock was
        set back.

        Examples
        --------
        >>> import tempfile
        >>> journal = Journal.open(tempfile.mkdtemp(), study="pilot", rater="ann")
        >>> event = journal.append("label", item_id="i1", labels={"tone": 1}, event_id="e1")
        >>> journal.append("label", item_id="i1", labels={"tone": 1}, event_id="e1") == event
        True
        >>> len(journal.events)
        1
        """
        with self._lock:
            where = self.path.name
            self._refuse_writing(where)
            event: Event = {
                "schema": FORMAT,
                "event_id": event_id or uuid.uuid4().hex,
                "kind": kind,
                "study": self.study,
                "rater": self.rater,
                "sitting": self.sitting,
                "seq": self._seq + 1,
                "item_id": item_id,
                "item_sha256": item_sha256,
                "labels": plain_labels(labels),
                "note": note,
                "active_seconds": active_seconds,
                "of": of,
                "decided_at": self._now(),
                "app_version": _version(),
            }
            _refuse_reserved(extra, where)
            event |= extra
            if kind == "undo":
                self._fill_undo(event)
            refuse_malformed(event, where)
            written = self._by_id.get(event["event_id"])
            if written is not None:
                return _repeated(written, event, where)
            line = to_line(event, where)
            with saving(self.path):
                self._file.append(line)
            self._seq += 1
            self.events.append(event)
            self._by_id[event["event_id"]] = event
            return event

    def close(self) -> None:
        """End the sitting; every event has been on the disk since it was appended."""
        with self._lock:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _refuse_writing(self, where: str) -> None:
        what = self._file.closed_because
        if what is not None:
            raise LabelError(what, allowed="Journal.open, which begins a sitting", where=where)

    def _now(self) -> str:
        now = datetime.now(UTC)
        if self.events:
            now = max(now, moment(self.events[-1], self.path.name).astimezone(UTC))
        return now.isoformat(timespec="microseconds")

    def _fill_undo(self, event: Event) -> None:
        undone = self._by_id.get(str(event["of"]))
        if undone is None:
            raise LabelError(
                "undo of an event that this rater does not have",
                got=event["of"],
                allowed="the event_id of one of `events`",
                where=self.path.name,
            )
        for name in ("item_id", "item_sha256"):
            event[name] = event[name] or undone.get(name)


def _version() -> str:
    # Named in an import line, the package would tie labels to all that it offers.
    return str(import_module("toolkit").__version__)


def _file_name(name: Any, field: str) -> str:
    """Make any text a part of a file's name without dots and slashes."""
    if not (isinstance(name, str) and name.strip()):
        raise LabelError(
            f"{field} is missing", got=name, allowed="text", example=f'{field}="ann"', where=field
        )
    try:
        return quote(name, safe="").replace(".", "%2E").replace("~", "%7E")
    except UnicodeEncodeError:
        raise LabelError(
            f"{field} has half a character (a lone surrogate)", got=name, where=field
        ) from None


def _sittings(place: Path, stem: str) -> dict[int, Path]:
    """Find this rater's files, by number."""
    names = re.compile(re.escape(stem) + r"\.[0-9]+\.jsonl")
    return {_sitting(path): path for path in place.iterdir() if names.fullmatch(path.name)}


def _sitting(path: Path) -> int:
    return int(path.name.split(".")[-2])


def _refuse_reserved(extra: dict[str, Any], where: str) -> None:
    taken = [name for name in extra if name in FIELDS]
    if taken:
        raise LabelError(
            "a field that the journal fills itself", got=taken, allowed="other names", where=where
        )


def _repeated(written: Event, event: Event, where: str) -> Event:
    if same_event(written, event):
        return written
    raise LabelError(
        "an event_id is used for two events",
        got=[{name: e[name] for name in ("event_id", "kind", "item_id")} for e in (written, event)],
        allowed="a new event_id for each event",
        where=where,
    )
