"""The label journal: an append-only file per rater and sitting, in which no label is ever lost."""

from __future__ import annotations

import re
import threading
import uuid
from collections.abc import Mapping, Sequence
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
from toolkit.labels.journal_read import journal_events, journals, read_files, same_event

OWN = ("schema", "study", "rater", "sitting", "seq", "decided_at", "app_version")

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

        Events of this rater are taken from all files of the folder, also from those that were
        renamed; but only files with the rater's name must be sound.

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
        stem = file_stem(study, rater)
        place = Path(folder)
        with saving(place):
            make_folder(place)
            earlier = _sittings(place, stem)
            found = read_files(journals(place), stem=f"{stem}.")
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
        event = {
            "kind": kind,
            "item_id": item_id,
            "item_sha256": item_sha256,
            "labels": labels,
            "note": note,
            "active_seconds": active_seconds,
            "event_id": event_id,
            "of": of,
            **extra,
        }
        return self.append_all([event])[0]

    def append_all(self, events: Sequence[Mapping[str, Any]]) -> list[Event]:
        """Write several events with one write: on the disk are all of them or none.

        Parameters
        ----------
        events : sequence of mappings
            Each with `kind` and what else `append` takes.

        Returns
        -------
        list of dict
            The events as they were written; those that were there already are not written again.

        Raises
        ------
        LabelError
            One of them makes no sense, or they could not be written: then none is in the file.

        Notes
        -----
        This holds where writing fails. A machine that loses its power within the write may keep the
        first lines, which were never acknowledged.

        Examples
        --------
        >>> import tempfile
        >>> journal = Journal.open(tempfile.mkdtemp(), study="pilot", rater="ann")
        >>> label = {"kind": "label", "item_id": "i1", "labels": {"tone": 1}}
        >>> unsure = {"kind": "unsure", "item_id": "i1", "labels": {"harm": None}}
        >>> [event["seq"] for event in journal.append_all([label, unsure])]
        [1, 2]
        """
        with self._lock:
            where = self.path.name
            self._refuse_writing(where)
            new: dict[str, Event] = {}
            made = []
            now = self._now()
            for given in events:
                event = self._event(given, self._seq + len(new) + 1, now)
                written = self._by_id.get(event["event_id"]) or new.get(event["event_id"])
                if written is None:
                    new[event["event_id"]] = event
                made.append(event if written is None else _repeated(written, event, where))
            lines = [to_line(event, where) for event in new.values()]
            if lines:
                with saving(self.path):
                    self._file.append(b"".join(lines))
            self._seq += len(new)
            self.events += new.values()
            self._by_id |= new
            return made

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

    def _event(self, given: Mapping[str, Any], seq: int, now: str) -> Event:
        where = self.path.name
        taken = [name for name in given if name in OWN]
        if taken:
            raise LabelError(
                "a field that the journal fills itself",
                got=taken,
                allowed="other names",
                where=where,
            )
        event: Event = {
            **dict.fromkeys(FIELDS),
            **given,
            "schema": FORMAT,
            "event_id": given.get("event_id") or uuid.uuid4().hex,
            "study": self.study,
            "rater": self.rater,
            "sitting": self.sitting,
            "seq": seq,
            "labels": plain_labels(given.get("labels")),
            "decided_at": now,
            "app_version": _version(),
        }
        if event["kind"] == "undo":
            self._fill_undo(event)
        refuse_malformed(event, where)
        return event

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


def file_stem(study: Any, rater: Any) -> str:
    """Give what the names of a rater's files begin with."""
    return f"{file_name(study, 'study')}.{file_name(rater, 'rater')}"


def file_name(name: Any, field: str) -> str:
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


def _repeated(written: Event, event: Event, where: str) -> Event:
    if same_event(written, event):
        return written
    raise LabelError(
        "an event_id is used for two events",
        got=[{name: e[name] for name in ("event_id", "kind", "item_id")} for e in (written, event)],
        allowed="a new event_id for each event",
        where=where,
    )
