"""What one rater has decided so far, as the events of the journal say."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

Event = dict[str, Any]

RECENT = 30  # decisions whose pace is expected to go on
OPEN, LABELLED, UNSURE, SKIPPED = "open", "labelled", "unsure", "skipped"
_DECISIONS = ("label", "unsure", "skip")
_BESIDE = ("flag", "note")  # what decides nothing


@dataclass
class State:
    """What stands about one item."""

    labels: dict[str, Any] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    skipped: bool = False
    flagged: bool = False
    note: str = ""

    def status(self, constructs: Iterable[str]) -> str:
        """Tell whether the item is open, labelled, decided but unsure, or skipped."""
        if self.skipped:
            return SKIPPED
        settled = [(name in self.labels, name in self.unsure) for name in constructs]
        if not all(labelled or unsure for labelled, unsure in settled):
            return OPEN
        return UNSURE if any(unsure for _, unsure in settled) else LABELLED


class Progress:
    """Follows the events of one rater.

    Parameters
    ----------
    constructs : mapping
        What a decision has to settle, by item.
    sha256 : mapping
        Fingerprint of each item; events about another text of it do not count.
    events : list of dict
        All events of the rater, in order.

    Examples
    --------
    >>> event = {"event_id": "e", "kind": "label", "item_id": "a", "item_sha256": "7"}
    >>> asked = {"a": ("tone",), "b": ("tone", "topic")}
    >>> progress = Progress(asked, {"a": "7", "b": "8"}, [event | {"labels": {"tone": 1}}])
    >>> progress.counts["labelled"], progress.counts["open"]
    (1, 1)
    """

    def __init__(
        self,
        constructs: Mapping[str, tuple[str, ...]],
        sha256: Mapping[str, str],
        events: Iterable[Event],
    ) -> None:
        self.constructs, self.sha256 = constructs, sha256
        self.changed: dict[str, None] = {}
        self.counts: Counter[str] = Counter({OPEN: len(sha256)})
        self._events: dict[str, list[Event]] = defaultdict(list)
        self._undone: set[str] = set()
        self._decisions: list[Event] = []
        self._states: dict[str, State] = {}
        for event in events:
            self.add(event)

    def add(self, event: Event) -> None:
        """Take an event that is on the disk into account."""
        item = str(event.get("item_id"))
        if item not in self.sha256 or event["kind"] not in (*_DECISIONS, *_BESIDE, "undo"):
            return
        if event.get("item_sha256") != self.sha256[item]:
            self.changed[item] = None
            return
        if event["kind"] == "undo":
            self._undone.add(event["of"])
            self._decisions = [e for e in self._decisions if e["event_id"] != event["of"]]
        else:
            self._events[item].append(event)
        if event["kind"] in _DECISIONS:
            self._decisions.append(event)
            self.changed.pop(item, None)  # decided again, on the text as it is now
        before, after = self.state(item), self._fold(item)
        self.counts[self.status(item)] -= 1
        self._states[item] = after
        self.counts[self.status(item)] += 1
        self.counts["flagged"] += after.flagged - before.flagged

    def state(self, item: str) -> State:
        """Give what stands about an item."""
        return self._states.get(item) or State()

    def status(self, item: str) -> str:
        """Tell whether an item is open, labelled, decided but unsure, or skipped."""
        return self.state(item).status(self.constructs[item])

    @property
    def last(self) -> list[Event]:
        """The events of the last decision that stands; an answer and an unsure one are two."""
        if not self._decisions:
            return []
        name = _decision(self._decisions[-1])
        return [event for event in self._decisions if _decision(event) == name]

    @property
    def minutes_left(self) -> int | None:
        """Open items at the median pace of the last decisions; None before there are five."""
        return minutes(self._decisions, self.counts[OPEN])

    def _fold(self, item: str) -> State:
        state = State()
        for event in self._events[item]:
            if event["event_id"] in self._undone:
                continue
            if event["kind"] == "flag":
                state.flagged = bool(event.get("on", True))
                continue
            if event["kind"] == "note":
                state.note = event.get("note") or ""
                continue
            names = event.get("labels") or dict.fromkeys((*self.constructs[item], *state.labels))
            state.skipped = event["kind"] == "skip"
            for name, label in names.items():
                state.labels.pop(name, None)
                state.unsure.discard(name)
                if event["kind"] == "unsure":
                    state.unsure.add(name)
                elif event["kind"] == "label" and label is not None:
                    state.labels[name] = label
            state.note = event.get("note") or ""
        return state


def minutes(decisions: Sequence[Event], still: int) -> int | None:
    """Give the time that so many items take at the median pace of the last decisions."""
    recent = decisions[-2 * RECENT :]
    seconds = [e["active_seconds"] for e in recent if e.get("active_seconds")][-RECENT:]
    if len(seconds) < 5:  # noqa: PLR2004 - fewer say nothing about the pace
        return None
    return math.ceil(float(median(seconds)) * still / 60)


def _decision(event: Event) -> str:
    return str(event.get("decision") or event["event_id"])
