"""From events to labels: what each rater thinks of each item in the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.errors import LabelError
from toolkit.labels.journal_event import DECISIONS, Event
from toolkit.labels.journal_read import Events, read_folder
from toolkit.labels.journal_schema import declared_schema
from toolkit.labels.read import read_labels
from toolkit.labels.schema import Schema
from toolkit.labels.table import Labels

DECLINED = ("skip", "unsure")
NOT_LABELS = ["kind", "item_sha256"]  # columns of `decided_cells` that label tables have not
MOST_NAMED = 10
ADJUDICATOR = "adjudicator"  # `role` of the "open" event of one
ADJUDICATION = "adjudication"
CELL = ["rater_id", "item_id", "construct"]


def read_journal(
    folder: str | Path,
    study: str | None = None,
    *,
    schema: str | Path | Mapping[str, Any] | Schema | None = None,
) -> Labels:
    """Read the labels of a folder of journals.

    Parameters
    ----------
    folder : path
        With the journals of all raters, ``*.jsonl``.
    study : str, optional
        Needed where the folder holds several.
    schema : path, mapping, Schema, optional
        As in `read_labels`. Default: what the last "open" event of the study has under
        `constructs`; else inferred and flagged.

    Returns
    -------
    Labels
        The raters' own labels: one row per item, construct and rater, of kind human, with the
        columns decided_at, note, active_seconds and event_id. `left_out` counts the cells that a
        rater skipped or was unsure of, reasons "skip" and "unsure", and those that an adjudicator
        decided or skipped, reason "adjudication": a decision is no further vote. Flags beside those
        of `read_labels`:
        "torn_last_line:<files>" (cut off while it was written, so never acknowledged),
        "duplicate_events:<n>" (copies, each counted once), "conflicting_events:<n>" (of these,
        copies that say something else; the first counts), "undo_without_event:<n>",
        "item_changed:<items>" (their text was not always the same), "schema_changed" (between
        sittings), "adjudicated_by:<names>" (see `Adjudicator.to_frame` for the final labels).

    Raises
    ------
    LabelError
        No journal, a torn line that is not the last, an event that makes no sense, several
        studies, no label at all; two openings in which one category means two things, unless
        `schema` says which holds.

    See Also
    --------
    toolkit.Adjudicator : Its `to_frame` has the final labels, for `read_labels`.

    Notes
    -----
    Events are ordered by decided_at, then sitting, then seq. An undo takes back the event that it
    names, whole, and an undo of an undo brings it back. Of what is left, the last decision (label,
    skip, unsure) on an item and construct by a rater counts.

    Examples
    --------
    >>> import tempfile
    >>> from toolkit.labels.journal import Journal
    >>> folder = tempfile.mkdtemp()
    >>> for rater, label in [("ann", 1), ("ben", 0)]:
    ...     with Journal.open(folder, study="pilot", rater=rater) as journal:
    ...         _ = journal.append("label", item_id="i1", labels={"tone": label})
    >>> read_journal(folder)
    Labels(2 labels of 1 item by 2 raters on 1 construct, from journals of pilot)
    """
    found = read_folder(folder)
    study = _chosen(found, study)
    events = [event for event in found.events if event["study"] == study]
    declared, changed = declared_schema(events) if schema is None else (Schema.read(schema), False)
    standing, aimless = standing_events(events)
    ruled = _ruled(standing)
    votes = [event for event in standing if event["event_id"] not in ruled]
    cells = decided_cells(votes, found.places, declared)
    flags = [
        *([f"torn_last_line:{', '.join(found.torn)}"] if found.torn else []),
        *([f"duplicate_events:{found.folded}"] if found.folded else []),
        *([f"conflicting_events:{found.conflicts}"] if found.conflicts else []),
        *([f"undo_without_event:{aimless}"] if aimless else []),
        *_changed_items(events),
        *(["schema_changed"] if changed else []),
        *_deciders(ruled),
    ]
    labels = read_labels(cells.drop(columns=NOT_LABELS), declared, overlap=False)
    return replace(
        labels,
        source=f"journals of {study}",
        left_out=_reasons(labels.left_out, cells, _adjudicated(list(ruled.values()), found.places)),
        flags=(*flags, *labels.flags),
    )


def _chosen(found: Events, study: str | None) -> str:
    studies: list[str] = list(dict.fromkeys(event["study"] for event in found.events))
    if not studies:
        raise LabelError("the journals hold no event yet", allowed="labels of one rater or more")
    if study is None and len(studies) > 1:
        raise LabelError("several studies in one folder", allowed=studies, where="study")
    if study is not None and study not in studies:
        raise LabelError("no event of this study", got=study, allowed=studies, where="study")
    return study or studies[0]


def standing_events(events: list[Event]) -> tuple[list[Event], int]:
    """Leave out what was undone; count the undoings that undo nothing of their rater."""
    raters = {event["event_id"]: event["rater"] for event in events}
    undone: set[str] = set()
    aimless = 0
    # From the last to the first, so that an undo that was itself undone is left out in time.
    for event in reversed(events):
        if event["kind"] == "undo" and event["event_id"] not in undone:
            if raters.get(event["of"]) == event["rater"]:
                undone.add(event["of"])
            else:
                aimless += 1
    return [event for event in events if event["event_id"] not in undone], aimless


def decided_cells(
    standing: list[Event], places: dict[str, str], declared: Schema | None
) -> pd.DataFrame:
    """Lay out the last decision of each rater on each item and construct, one row each."""
    decisions = [event for event in standing if event["kind"] in DECISIONS]
    labelled = (name for event in decisions for name in event.get("labels") or ())
    known = dict.fromkeys([*(declared.constructs if declared else ()), *labelled])
    rows = [
        {
            "item_id": event["item_id"],
            "construct": construct,
            "rater_id": event["rater"],
            "label": None if event["kind"] in DECLINED else label,
            "rater_kind": "human",
            "decided_at": event["decided_at"],
            "note": _whole(event.get("note")),
            "active_seconds": event.get("active_seconds"),
            "event_id": event["event_id"],
            "kind": event["kind"],
            "item_sha256": event.get("item_sha256"),
            "place": places[event["event_id"]],
        }
        for event in decisions
        for construct, label in (event.get("labels") or dict.fromkeys(known)).items()
    ]
    if not rows:
        raise LabelError("the journals hold no label yet", allowed="labels of one rater or more")
    cells = pd.DataFrame(rows, dtype=object).set_index("place")
    cells = cells[~cells.duplicated(CELL, keep="last")]
    return cells.assign(active_seconds=pd.to_numeric(cells["active_seconds"]))


def _whole(note: str | None) -> str | None:
    """Replace half an emoji, which tables have no text for."""
    return (
        None if note is None else note.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def _changed_items(events: list[Event]) -> list[str]:
    seen: dict[str, set[str]] = {}
    for event in events:
        if event.get("item_id") and event.get("item_sha256"):
            seen.setdefault(event["item_id"], set()).add(event["item_sha256"])
    changed = [item for item, prints in seen.items() if len(prints) > 1]
    more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
    return [f"item_changed:{', '.join(changed[:MOST_NAMED])}{more}"] if changed else []


def adjudicators(events: list[Event]) -> list[str]:
    """Name those who decided, or opened a journal to decide."""
    return list(
        dict.fromkeys(
            e["rater"]
            for e in events
            if e["kind"] == "adjudicate" or (e["kind"] == "open" and e.get("role") == ADJUDICATOR)
        )
    )


def _ruled(standing: list[Event]) -> dict[str, Event]:
    """Find what adjudicators decided or skipped, by event id."""
    names = set(adjudicators(standing))
    return {
        e["event_id"]: e
        for e in standing
        if e["kind"] == "adjudicate" or (e["kind"] == "skip" and e["rater"] in names)
    }


def _deciders(ruled: dict[str, Event]) -> list[str]:
    names = dict.fromkeys(e["rater"] for e in ruled.values() if e["kind"] == "adjudicate")
    return [f"adjudicated_by:{', '.join(names)}"] if names else []


def _adjudicated(ruled: list[Event], places: dict[str, str]) -> pd.DataFrame:
    if not ruled:
        return pd.DataFrame(columns=["construct", "rater_id", "reason", "count"])
    counts = decided_cells(ruled, places, None).value_counts(["construct", "rater_id"])
    return counts.reset_index().assign(reason=ADJUDICATION)


def _reasons(
    left_out: pd.DataFrame, cells: pd.DataFrame, adjudicated: pd.DataFrame
) -> pd.DataFrame:
    """Tell skipped, unsure and adjudicated cells from those that are merely empty."""
    declined = cells[cells["kind"].isin(DECLINED)]
    keys = ["construct", "rater_id"]
    named = declined.value_counts([*keys, "kind"]).reset_index().rename(columns={"kind": "reason"})
    # Without a label, they were all counted as missing.
    minus = named.assign(reason="missing", count=-named["count"])
    counted = pd.concat([left_out, named, minus, adjudicated])
    total = counted.groupby([*keys, "reason"], sort=False)["count"].sum().reset_index()
    return total[total["count"] > 0].reset_index(drop=True).astype(left_out.dtypes.to_dict())
