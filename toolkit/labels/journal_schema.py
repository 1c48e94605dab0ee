"""The schema under which a study was labelled, which may change only so far."""

from __future__ import annotations

from typing import Any

from toolkit.errors import LabelError
from toolkit.labels.construct import Construct
from toolkit.labels.journal_event import DECISIONS, Event
from toolkit.labels.schema import Schema


def declared_schema(events: list[Event]) -> tuple[Schema | None, bool]:
    """Take the schema of the last sitting with a decision, and tell whether there was another."""
    opened = [e for e in events if e["kind"] == "open" and e.get("constructs") is not None]
    if not opened:
        return None, False
    used = _used(events)
    # Who merely looks changes nothing; where nobody has decided anything, the last one counts.
    last = ([e for e in opened if (e["rater"], e["sitting"]) in used] or opened)[-1]
    changed = any(event["constructs"] != last["constructs"] for event in opened)
    schema = Schema.read({"constructs": last["constructs"]})
    refuse_other_meaning(events, schema, last["rater"])
    return schema, changed


def refuse_other_meaning(events: list[Event], schema: Schema, rater: str) -> None:
    """Refuse labels that were given when a category meant something else than it does here.

    Parameters
    ----------
    events : list of dict
        Of one study.
    schema : Schema
        What holds.
    rater : str
        Who works with it, for the error.

    Raises
    ------
    LabelError
        Another kind, a category with another name, ordered categories in another order; with the
        two people.
    """
    # A sitting in which nothing was decided leaves nothing behind that could mean something else.
    used = _used(events)
    seen: list[Any] = []
    for event in events:
        declared = event.get("constructs") if event["kind"] == "open" else None
        idle = (event["rater"], event["sitting"]) not in used
        if declared is None or idle or declared in seen:
            continue
        seen.append(declared)
        for name, other in Schema.read({"constructs": declared}).constructs.items():
            if name in schema.constructs and not _mean_the_same(schema[name], other):
                raise LabelError(
                    f"the categories of {name} mean something else to {rater} than to "
                    f"{event['rater']}",
                    got=[_meanings(schema[name]), _meanings(other)],
                    allowed="one meaning of a category in a study; another one needs another study",
                    example='study="pilot2"',
                    where=f"study {event['study']}",
                )


def _mean_the_same(one: Construct, other: Construct) -> bool:
    codes = [(n, other.coder.code(category)) for n, category in enumerate(one.categories)]
    common = [(n, code) for n, code in codes if code >= 0]
    in_order = [code for _, code in common] == sorted(code for _, code in common)
    named = all(one.labels[n] == other.labels[code] for n, code in common)
    return one.kind == other.kind and named and (in_order or one.kind != "ordinal")


def _meanings(construct: Construct) -> tuple[str, dict[Any, str]]:
    return construct.kind, dict(zip(construct.categories, construct.labels, strict=True))


def _used(events: list[Event]) -> set[tuple[str, int]]:
    """Name the sittings in which something was decided."""
    return {(event["rater"], event["sitting"]) for event in events if event["kind"] in DECISIONS}
