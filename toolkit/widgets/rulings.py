"""What one adjudicator has decided so far, as the events of the journal say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from toolkit.widgets.cases import Case
from toolkit.widgets.progress import OPEN, SKIPPED, Event, minutes

DECIDED = "decided"
ADJUDICATED, UNRESOLVED, UNANIMOUS, SINGLE = "adjudicated", "unresolved", "unanimous", "single"
REASONS = {
    "ambiguous_text": "ambiguous text",
    "guideline_gap": "guideline gap",
    "rater_error": "rater error",
    "edge_case": "edge case",
    "subjective": "subjective",
}


class Rulings:
    """Follows the events of one adjudicator.

    Parameters
    ----------
    cases : mapping
        Case by item.
    events : list of dict
        All events of the adjudicator, in order.
    labels_of : mapping
        The labels of each event of a rater, and the rater, by event id.

    Notes
    -----
    A decision holds as long as the raters still say what it resolved: where one of them has changed
    a label since, or another rater has come, or the text is another, the item is open again.
    """

    def __init__(
        self,
        cases: Mapping[str, Case],
        events: Iterable[Event],
        labels_of: Mapping[str, tuple[str, Mapping[str, Any]]],
    ) -> None:
        self.cases, self._labels_of = cases, labels_of
        self.changed: dict[str, None] = {}
        self.counts: Counter[str] = Counter({OPEN: len(cases)})
        self._events: dict[str, list[Event]] = defaultdict(list)
        self._decisions: list[Event] = []
        self._rulings: dict[str, dict[str, Event]] = {}
        self._status: dict[str, str] = {}
        for event in events:
            self.add(event)

    def add(self, event: Event) -> None:
        """Take an event that is on the disk into account."""
        item = str(event.get("item_id"))
        if item not in self.cases or event["kind"] not in ("adjudicate", "skip", "undo"):
            return
        if event["kind"] == "undo":
            for events in (self._events[item], self._decisions):
                events[:] = [e for e in events if e["event_id"] != event["of"]]
        elif not self._holds(event):
            self.changed[item] = None
            return
        else:
            self._events[item].append(event)
            self._decisions.append(event)
            self.changed.pop(item, None)
        self.counts[self.status(item)] -= 1
        self._fold(item)
        self.counts[self.status(item)] += 1

    def status(self, item: str) -> str:
        """Tell whether a case is open, decided or skipped."""
        return self._status.get(item, OPEN)

    def ruling(self, item: str) -> dict[str, Event]:
        """Give the decision that stands on each construct of an item."""
        return self._rulings.get(item, {})

    def latest(self, item: str) -> Event:
        """Give the last decision on an item, a skip too; empty where there is none."""
        events = self._events.get(item)
        return events[-1] if events else {}

    @property
    def last(self) -> Event | None:
        """The last decision that stands."""
        return self._decisions[-1] if self._decisions else None

    @property
    def minutes_left(self) -> int | None:
        """Open cases at the median pace of the last decisions; None before there are five."""
        return minutes(self._decisions, self.counts[OPEN])

    def _holds(self, event: Event) -> bool:
        case = self.cases[str(event["item_id"])]
        if event.get("item_sha256") != case.sha256:
            return False
        if event["kind"] == "skip":
            return True
        named = [self._labels_of.get(source, ("", {})) for source in event.get("sources", ())]
        return all(
            {rater: said[name] for rater, said in named if name in said} == case.said(name)
            for name in event["labels"]
            if name in case.asked
        )

    def _fold(self, item: str) -> None:
        rulings: dict[str, Event] = {}
        skipped = False
        for event in self._events[item]:
            skipped = event["kind"] == "skip"
            if not skipped:
                rulings |= dict.fromkeys(event["labels"], event)
        complete = all(name in rulings for name in self.cases[item].asked)
        self._rulings[item] = {} if skipped else rulings
        self._status[item] = SKIPPED if skipped else DECIDED if complete else OPEN
