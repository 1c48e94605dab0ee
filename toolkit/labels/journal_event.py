"""One event of a label journal: its fields, and the line of JSON that it is stored as."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from toolkit.common.hints import did_you_mean
from toolkit.common.utf8 import is_unicode
from toolkit.errors import LabelError
from toolkit.labels.values import is_null

Event = dict[str, Any]

FORMAT = 1  # field `schema`; a reader refuses a higher one, whose meaning it can't know
DECISIONS = ("label", "skip", "unsure", "adjudicate")  # the last of them rules a label
KINDS = (*DECISIONS, "undo", "flag", "note", "open")
WITHOUT_ITEM = ("open", "undo")
FIELDS = (
    *("schema", "event_id", "kind", "study", "rater", "sitting", "seq", "item_id", "item_sha256"),
    *("labels", "note", "active_seconds", "of", "decided_at", "app_version"),
)
EXAMPLE = (
    '{"schema": 1, "event_id": "e1", "kind": "label", "study": "pilot", "rater": "ann", '
    '"sitting": 1, "seq": 1, "item_id": "i1", "labels": {"tone": 1}, '
    '"decided_at": "2026-01-31T09:00:00+00:00"}'
)


def item_sha256(content: str | Sequence[Mapping[str, str]]) -> str:
    """Give the fingerprint of an item's text, so that a text changed under its label is noticed.

    Parameters
    ----------
    content : str or list of mappings
        The text, or the turns of a conversation with `role` and `text`.

    Returns
    -------
    str
        64 hexadecimal digits; of a text, those that ``sha256sum`` gives.

    Examples
    --------
    >>> item_sha256("Are you there?")[:12]
    '9d83ff719dde'
    >>> item_sha256([{"role": "user", "text": "Are you there?"}])[:12]
    '2209c92788a9'
    """
    if not isinstance(content, str):
        # Escaped and without blanks: the same turns are the same bytes.
        turns = [[turn["role"], turn["text"]] for turn in content]
        content = json.dumps(turns, separators=(",", ":"))
    # Half an emoji has a fingerprint too.
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def to_line(event: Event, where: str) -> bytes:
    """Give the one line that stores an event, with its end.

    Parameters
    ----------
    event : dict
        Checked by `refuse_malformed`.
    where : str
        The journal, for errors.

    Returns
    -------
    bytes
        Plain ASCII, so that half an emoji in a note is kept as it is.
    """
    try:
        return json.dumps(event, ensure_ascii=True, allow_nan=False).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise LabelError(
            f"an event holds what JSON can't: {error}",
            got=event,
            allowed="text, finite numbers, true, false, null, lists and mappings of them",
            where=where,
        ) from None


def plain_labels(labels: Any) -> Any:
    """Make Python's values of numpy's and None of nulls; what else is wrong is for the check."""
    if not isinstance(labels, Mapping):
        return labels
    return {
        construct: None
        if is_null(label)
        else label.item()
        if isinstance(label, np.generic)
        else label
        for construct, label in labels.items()
    }


def _refuse_labels(labels: Any, where: str) -> None:
    if labels is None:
        return
    if not isinstance(labels, dict):
        raise _refused("labels", labels, "a mapping of construct to label, or null", where)
    for construct, label in labels.items():
        if not (isinstance(construct, str) and construct.strip() and is_unicode(construct)):
            raise _refused("labels", construct, "constructs named by text", where)
        if not (label is None or _can_be_stored(label)):
            raise _refused("labels", label, "text, a finite number, true, false or null", where)


def _can_be_stored(label: Any) -> bool:
    if isinstance(label, str):
        return is_unicode(label)
    if isinstance(label, float):
        return math.isfinite(label)
    return isinstance(label, int)


def refuse_malformed(event: Event, where: str) -> None:
    """Refuse an event with a field that is missing or makes no sense.

    Parameters
    ----------
    event : dict
        One object of a journal file, or one that is about to be written.
    where : str
        File and line, or the journal.

    Raises
    ------
    LabelError
        With the field, what it holds and what it may hold.
    """
    version = event.get("schema", FORMAT)
    if not _is_whole(version) or version > FORMAT:
        raise _refused("schema", version, f"{FORMAT}; a newer toolkit wrote this", where)
    kind = event.get("kind")
    if kind not in KINDS:
        raise _refused("kind", kind, f"{', '.join(KINDS)}{did_you_mean(kind, KINDS)}", where)
    texts = ["event_id", "study", "rater", *([] if kind in WITHOUT_ITEM else ["item_id"])]
    for name in [*texts, *(["of"] if kind == "undo" else [])]:
        value = event.get(name)
        if not (isinstance(value, str) and value.strip() and is_unicode(value)):
            raise _refused(name, value, "text that is not blank", where)
    for name in ("sitting", "seq"):
        if not _is_whole(event.get(name)):
            raise _refused(name, event.get(name), "a whole number from 1", where)
    for name in ("item_sha256", "note"):
        if not isinstance(event.get(name), str | None):
            raise _refused(name, event[name], "text or null", where)
    seconds = event.get("active_seconds")
    if seconds is not None and not (_can_be_stored(seconds) and not isinstance(seconds, str)):
        raise _refused("active_seconds", seconds, "a finite number or null", where)
    moment(event, where)
    labels = event.get("labels")
    _refuse_labels(labels, where)
    if kind in ("label", "adjudicate") and not labels:
        raise _refused("labels", labels, "a label for one construct or more", where)


def moment(event: Event, where: str) -> datetime:
    """Read when an event was decided."""
    try:
        when = datetime.fromisoformat(event["decided_at"])
    except (KeyError, TypeError, ValueError):
        when = None
    if when is None or when.tzinfo is None:
        allowed = "date and time with its offset from UTC, as in 2026-01-31T09:00:00+00:00"
        raise _refused("decided_at", event.get("decided_at"), allowed, where)
    return when


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _refused(field: str, got: Any, allowed: str, where: str) -> LabelError:
    what = f"{field} of a journal event " + ("is missing" if got is None else "makes no sense")
    return LabelError(what, got=got, allowed=allowed, example=EXAMPLE, where=where)
