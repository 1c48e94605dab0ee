"""What the raters of a study said about each item, read from their journals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.common.hints import did_you_mean
from toolkit.errors import LabelError
from toolkit.labels.journal import file_stem
from toolkit.labels.journal_labels import (
    DECLINED,
    NOT_LABELS,
    adjudicators,
    decided_cells,
    standing_events,
)
from toolkit.labels.journal_read import journals, read_folder
from toolkit.labels.journal_schema import declared_schema, refuse_other_meaning
from toolkit.labels.read import read_labels
from toolkit.labels.schema import Schema
from toolkit.labels.table import Labels
from toolkit.labels.values import UNKNOWN
from toolkit.widgets.progress import Event

COUNTED = ["construct", "reason", "count"]


@dataclass(frozen=True, eq=False)
class Raters:
    """The labels of the raters, without those of adjudicators.

    `declined` has the cells that a rater skipped or was unsure of, `flagged` the pairs of item and
    rater, `sha256` the fingerprint of each item's text, `left_out` what does not count: construct,
    reason and count. `events` are those of the study.
    """

    names: tuple[str, ...]
    labels: Labels
    declined: pd.DataFrame
    flagged: frozenset[tuple[str, str]]
    sha256: Mapping[str, str | None]
    left_out: pd.DataFrame
    events: list[Event]


def read_raters(
    folder: str | Path,
    study: str,
    *,
    sha256: Mapping[str, str] | None = None,
    names: Sequence[str] | None = None,
    schema: Schema | None = None,
) -> Raters:
    """Read what the raters of a study said.

    Parameters
    ----------
    folder : path
        Of the journals.
    study : str
        Which.
    sha256 : mapping, optional
        Fingerprint of each item of the batch; labels on other items, or on another text of them, do
        not count. None: all items, each with the text that was labelled last.
    names : sequence of str, optional
        Whose labels count. None: those of all raters.
    schema : Schema, optional
        Of the constructs that count. None: what the last sitting was opened with.

    Returns
    -------
    Raters
        With one label of each rater on each item and construct.

    Raises
    ------
    LabelError
        No journals, no labels of these raters on these items, an unknown rater, a person who is
        rater and adjudicator under one name, two raters to whom a category meant two things.
    """
    found = read_folder(folder)
    events = [event for event in found.events if event["study"] == study]
    if not events:
        studies = list(dict.fromkeys(event["study"] for event in found.events))
        raise LabelError("no event of this study", got=study, allowed=studies, where="study")
    chosen = _chosen(events, names)
    declared = schema or declared_schema(events)[0]
    standing = [e for e in standing_events(events)[0] if e["rater"] in chosen]
    cells = decided_cells(standing, found.places, declared)
    if schema is not None:
        cells = cells[cells["construct"].isin(list(schema.constructs))]
    prints = sha256 if sha256 is not None else _last_prints(cells)
    inside = cells["item_id"].isin(list(prints))
    same = cells["item_sha256"].fillna("") == cells["item_id"].map(prints).fillna("")
    declines = cells["kind"].isin(DECLINED)
    if not (inside & same & ~declines).any():
        raise LabelError(
            "no rater has labelled these items",
            got=f"{len(cells)} cells of {len(chosen)} raters",
            allowed="the items that were labelled, with the same text",
            where="items",
        )
    labels = read_labels(
        cells[inside & same & ~declines].drop(columns=NOT_LABELS), declared, overlap=False
    )
    reasons = {
        "not_in_batch": cells[~inside],
        "text_changed": cells[inside & ~same],
        **{kind: cells[inside & same & (cells["kind"] == kind)] for kind in DECLINED},
    }
    return Raters(
        names=tuple(name for name in chosen if name in set(cells["rater_id"])),
        labels=labels,
        declined=cells[inside & same & declines].reset_index(drop=True),
        flagged=_flagged(standing),
        sha256=prints,
        left_out=_counted(reasons),
        events=events,
    )


def folder_of(folder: Any) -> Path:
    """Take a folder's path."""
    if not isinstance(folder, str | Path):
        raise LabelError(
            "folder is no path", got=folder, allowed="a path", example='"labels"', where="folder"
        )
    return Path(folder)


def study_events(folder: Path, study: str, rater: str | None = None) -> list[Event]:
    """Give all events of a study; none where there is no folder yet.

    With a rater, only the files of this rater must be sound.
    """
    here = folder.is_dir() and bool(journals(folder))
    stem = "" if rater is None else f"{file_stem(study, rater)}."
    events = read_folder(folder, stem=stem).events if here else []
    return [event for event in events if event["study"] == study]


def as_categories(schema: Schema, labels: Mapping[str, Any]) -> dict[str, Any]:
    """Give labels as the schema's categories, as label tables do: "1" is 1."""
    codes = {name: schema[name].coder.code(label) for name, label in labels.items()}
    return {name: schema[name].categories[code] for name, code in codes.items() if code >= 0}


def refuse_misfit(events: list[Event], rater: str, schema: Schema) -> None:
    """Refuse to label where the rater decides, or where a label of the study means something else.

    Parameters
    ----------
    events : list of dict
        Of the study, of all people.
    rater : str
        Who is about to label.
    schema : Schema
        With what.

    Raises
    ------
    LabelError
        The rater is an adjudicator, a category meant something else before, or a label of this
        rater is none of the categories.
    """
    raters_of([*events, {"kind": "label", "rater": rater}])
    refuse_other_meaning(events, schema, rater)
    mine = [e for e in standing_events(events)[0] if (e["kind"], e["rater"]) == ("label", rater)]
    said = {(name, label) for e in mine for name, label in e["labels"].items()}
    coders = {name: construct.coder for name, construct in schema.constructs.items()}
    for name, label in said:
        if name in coders and coders[name].code(label) == UNKNOWN:
            raise LabelError(
                f"{rater} has labels of {name} that are no category of this schema",
                got=label,
                allowed=f"{list(schema[name].categories)}; with other ones, another study",
                example='study="pilot2"',
                where="schema",
            )


def raters_of(events: Sequence[Event]) -> tuple[str, ...]:
    """Name those who label, adjudicators apart; a person under one name is one or the other."""
    deciders = set(adjudicators(list(events)))
    labelling = dict.fromkeys(e["rater"] for e in events if e["kind"] in ("label", "unsure"))
    both = [name for name in labelling if name in deciders]
    if both:
        raise LabelError(
            "one name both labels and adjudicates",
            got=both,
            allowed="one name for labelling and another one for deciding",
            example='adjudicator="eve (adjudicator)"',
        )
    opened = dict.fromkeys(e["rater"] for e in events if e["rater"] not in deciders)
    return tuple(sorted(opened))


def _chosen(events: list[Event], names: Sequence[str] | None) -> tuple[str, ...]:
    known = raters_of(events)
    if names is None:
        return known
    if not isinstance(names, list | tuple) or not names:
        raise LabelError("raters is no list", got=names, allowed=list(known), where="raters")
    for name in names:
        if name not in known:
            near = did_you_mean(name, known)
            raise LabelError(f"unknown rater{near}", got=name, allowed=list(known), where="raters")
    return tuple(sorted(set(names)))


def _last_prints(cells: pd.DataFrame) -> dict[str, str | None]:
    last = cells.drop_duplicates("item_id", keep="last")
    return dict(zip(last["item_id"], last["item_sha256"], strict=True))


def _flagged(standing: list[Event]) -> frozenset[tuple[str, str]]:
    last: dict[tuple[Any, str], bool] = {
        (e["item_id"], e["rater"]): bool(e.get("on", True)) for e in standing if e["kind"] == "flag"
    }
    return frozenset(pair for pair, on in last.items() if on)


def _counted(reasons: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    rows = [
        (construct, reason, count)
        for reason, cells in reasons.items()
        for construct, count in cells["construct"].value_counts(sort=False).items()
    ]
    return pd.DataFrame(rows, columns=COUNTED)
