"""Read the events of label journals, whoever wrote them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from toolkit.errors import LabelError
from toolkit.labels.journal_event import EXAMPLE, FIELDS, Event, moment, refuse_malformed

# What may differ between an event and its copy: a browser that got no answer asks once more.
_WRITING = ("sitting", "seq", "decided_at", "app_version")


class Events(NamedTuple):
    """The events of some journal files.

    `events` in the order in which they were decided, each event once; `places` file and line by
    event_id; `folded` counts further copies, `conflicts` those that say something else; `torn`
    names the files whose last line was cut off.
    """

    events: list[Event]
    places: dict[str, str]
    folded: int
    conflicts: int
    torn: tuple[str, ...]


def read_files(paths: Iterable[Path], *, stem: str = "") -> Events:
    """Read journal files.

    Parameters
    ----------
    paths : iterable of Path
        Files of one JSON object a line.
    stem : str
        How the names begin of those that must be sound; others that are not are passed over.

    Returns
    -------
    Events
        In the order decided_at, sitting, seq.

    Raises
    ------
    LabelError
        A file that can't be read, or a line that is no event, unless it is the last and was cut
        off: a line is complete with its end, and only complete lines were acknowledged.
    """
    found: list[tuple[Event, str]] = []
    torn: list[str] = []
    for path in paths:
        try:
            events, cut = _read(path)
        except LabelError:
            if path.name.startswith(stem):
                raise
            continue
        found += events
        torn += [path.name] if cut else []
    found.sort(key=lambda pair: (moment(*pair), pair[0]["sitting"], pair[0]["seq"]))
    return _each_once(found, tuple(torn))


def _read(path: Path) -> tuple[list[tuple[Event, str]], bool]:
    """Read one file: its events with their places, and whether its last line was cut off."""
    found: list[tuple[Event, str]] = []
    lines = _bytes(path).split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{path.name}, line {number}"
        event = _object(line)
        if event is None and number == len(lines):
            return found, True
        if event is None:
            # What the line holds may be what another person said, so it is not shown.
            raise LabelError(
                "a line of a journal is torn or no event",
                allowed="one JSON object a line; only the last line of a file may be cut off. "
                "Take the file from a backup, or remove the line if its label may go",
                example=EXAMPLE,
                where=where,
            )
        refuse_malformed(event, where)
        found.append((event, where))
    return found, False


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise LabelError(
            f"a journal can't be read: {error.strerror}",
            allowed="a file that may be read",
            where=path.name,
        ) from None


def _object(line: bytes) -> Event | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None


def _each_once(found: list[tuple[Event, str]], torn: tuple[str, ...]) -> Events:
    kept: dict[str, Event] = {}
    places: dict[str, str] = {}
    conflicts = 0
    for event, where in found:
        first = kept.setdefault(event["event_id"], event)
        places.setdefault(event["event_id"], where)
        conflicts += first is not event and not same_event(first, event)
    return Events(list(kept.values()), places, len(found) - len(kept), conflicts, torn)


def same_event(one: Event, other: Event) -> bool:
    """Tell whether two events say the same, whenever and wherever they were written."""
    names = [name for name in FIELDS if name not in _WRITING]
    return all(one.get(name) == other.get(name) for name in names)


def journals(folder: Path) -> list[Path]:
    """Find the journals of a folder: one selection for all who read it."""
    # Some systems lay a hidden file beside every file.
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix == ".jsonl" and not path.name.startswith(".")
    )


def read_folder(folder: str | Path, *, stem: str = "") -> Events:
    """Read all journals of a folder; see `read_files`.

    Parameters
    ----------
    folder : path
        Its files *.jsonl, not hidden ones and not those of folders in it.
    stem : str
        How the names begin of those that must be sound.

    Returns
    -------
    Events
        Of every study and rater.

    Raises
    ------
    LabelError
        No such folder, or no journal in it.
    """
    try:
        paths = journals(Path(folder))
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        paths, reason = [], str(getattr(error, "strerror", error))
    else:
        reason = "no journal in it"
    if not paths:
        raise LabelError(
            f"the folder of journals can't be read: {reason}",
            got=str(folder),
            allowed="a folder of journals *.jsonl",
            example='tk.read_journal("labels/")',
            where="folder",
        )
    return read_files(paths, stem=stem)


def journal_events(folder: str | Path) -> pd.DataFrame:
    """Give every event of every journal in a folder: undone, skipped and noted ones too.

    Parameters
    ----------
    folder : path
        As in `read_journal`.

    Returns
    -------
    DataFrame
        One row per event in the order decided_at, sitting, seq; a column for every field that an
        event has.

    Raises
    ------
    LabelError
        As `read_journal`.

    Examples
    --------
    >>> import tempfile
    >>> from toolkit.labels.journal import Journal
    >>> folder = tempfile.mkdtemp()
    >>> with Journal.open(folder, study="pilot", rater="ann") as journal:
    ...     event = journal.append("label", item_id="i1", labels={"tone": 1})
    ...     _ = journal.append("undo", of=event["event_id"])
    >>> journal_events(folder)[["kind", "rater", "seq", "item_id"]]
        kind rater  seq item_id
    0  label   ann    1      i1
    1   undo   ann    2      i1
    """
    events = read_folder(folder).events
    names = dict.fromkeys([*FIELDS, *(name for event in events for name in event)])
    columns = {
        name: pd.Series([event.get(name) for event in events], dtype=object) for name in names
    }
    return pd.DataFrame(columns)
