"""One rater at work: what the browser asks, and what goes to the journal before it is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from toolkit.errors import LabelError
from toolkit.labels.journal import Journal
from toolkit.widgets.batch import Batch
from toolkit.widgets.marks import piece, visible
from toolkit.widgets.progress import SKIPPED, Event, Progress, State
from toolkit.widgets.questions import UNSURE, Questions

Message = Mapping[str, Any]
Reply = dict[str, Any]

MOVES = ("back", "forward")  # what the screen after the last item has too
STALE = "that item is no longer on the screen, so nothing was saved"


class Sitting:
    """Answers the browser's messages; the item on screen is decided here.

    Parameters
    ----------
    batch : Batch
        The items.
    questions : Questions
        What is asked.
    order : list of str
        Identifiers in the order of this rater.
    journal : Journal
        Open for this rater.
    fields : dict
        What every decision records beside the journal's own fields.

    Notes
    -----
    Only the item on screen is ever sent, and of a long one only a piece.
    """

    def __init__(
        self,
        batch: Batch,
        questions: Questions,
        order: list[str],
        journal: Journal,
        fields: dict[str, Any],
    ) -> None:
        self.batch, self.questions, self.order, self.journal = batch, questions, order, journal
        self.progress = Progress(questions.constructs, batch.sha256, journal.events)
        self._fields = fields
        self._written = {event["event_id"] for event in journal.events}
        self._again: set[str] = set()  # skipped items that the rater goes through once more
        self._serial = 0
        self._at: int | None = None
        self._turn_to(self._next(-1))

    def receive(self, message: Message) -> Reply:
        """Do what a message asks; nothing is called saved before it is on the disk.

        Parameters
        ----------
        message : mapping
            `kind`, and what that kind needs; `item_id` is that of the item on screen.

        Returns
        -------
        dict
            `kind` is saved, screen, more, pong, refused (nothing was written, here is the screen)
            or failed (nothing could be written).
        """
        kind = str(message.get("kind"))
        if kind == "ping":
            return {"kind": "pong"}
        if kind == "hello":
            return self._shown("screen")
        if message.get("event_id") in self._written:  # asked again because no answer came
            return self._shown("saved")
        stale = message.get("item_id") != self.item or (self.item is None and kind not in MOVES)
        if kind not in ("undo", "again") and stale:
            return self._shown("refused", reason=STALE)
        try:
            return self._actions[kind](self, message)
        except LabelError as error:
            return {"kind": "failed", "reason": visible(str(error))}

    @property
    def item(self) -> str | None:
        """The item on screen; None when all are done."""
        return None if self._at is None else self.order[self._at]

    def _label(self, message: Message) -> Reply:
        answers = message.get("answers")
        asked = self.questions.asked
        if not isinstance(answers, list) or len(answers) != len(asked):
            return self._shown("refused", reason="an answer is missing")
        if not all(q.allows(answer) for q, answer in zip(asked, answers, strict=True)):
            return self._shown("refused", reason="an answer is missing")
        labels: dict[str, Any] = {}
        unsure: dict[str, Any] = {}
        for question, answer in zip(asked, answers, strict=True):
            if answer == UNSURE:
                unsure |= dict.fromkeys(question.constructs)
            else:
                labels |= question.labels(answer)
        events = (("label", labels), ("unsure", unsure))
        return self._decide(message, [(kind, each) for kind, each in events if each])

    def _skip(self, message: Message) -> Reply:
        return self._decide(message, [("skip", None)])

    def _decide(
        self, message: Message, events: Sequence[tuple[str, dict[str, Any] | None]]
    ) -> Reply:
        """Write a decision: one event, or two where some answers are unsure."""
        at, name = self._at, str(message["event_id"])
        written = []
        for number, (kind, labels) in enumerate(events):
            first = number == 0
            written.append(
                self.journal.append(
                    kind,
                    item_id=self.item,
                    item_sha256=self.batch.sha256[str(self.item)],
                    labels=labels,
                    note=message.get("note") or None,
                    active_seconds=message.get("active_seconds") if first else None,
                    event_id=name if first else f"{name}.{number}",
                    decision=name,
                    shown_at=self._since,
                    order_index=at,
                    **self._fields,
                )
            )
        self._count(written, name)
        self._again.discard(str(self.item))
        self._turn_to(self._next(-1 if at is None else at))
        return self._shown("saved")

    def _flag(self, message: Message) -> Reply:
        event = self.journal.append(
            "flag",
            item_id=self.item,
            item_sha256=self.batch.sha256[str(self.item)],
            event_id=str(message["event_id"]),
            on=bool(message.get("on")),
        )
        self._count([event], event["event_id"])
        return {"kind": "saved", "flagged": event["on"], **self._counted()}

    def _undo(self, message: Message) -> Reply:
        last, name = self.progress.last, str(message["event_id"])
        if not last:
            return self._shown("refused", reason="there is nothing to undo")
        events = [
            self.journal.append(
                "undo", of=event["event_id"], event_id=f"{name}.{number}" if number else name
            )
            for number, event in enumerate(last)
        ]
        self._count(events, name)
        self._turn_to(self.order.index(last[0]["item_id"]))
        return self._shown("saved", taken_back=True, draft=_taken_back(last))

    def _back(self, message: Message) -> Reply:
        step = -1 if message["kind"] == "back" else 1
        target = (len(self.order) if self._at is None else self._at) + step
        if 0 <= target < len(self.order):
            self._turn_to(target)
            return self._shown("screen")
        return self._shown("refused", reason="there is no further item that way")

    def _more(self, message: Message) -> Reply:
        return {"kind": "more", **piece(self.batch.turns[str(self.item)], int(message["start"]))}

    def _once_more(self, _: Message) -> Reply:
        state, constructs = self.progress.state, self.questions.constructs
        self._again = {item for item in self.order if state(item).status(constructs) == SKIPPED}
        self._turn_to(self._next(-1))
        return self._shown("screen")

    _actions: Mapping[str, Callable[[Sitting, Message], Reply]] = {
        "label": _label,
        "skip": _skip,
        "flag": _flag,
        "undo": _undo,
        "back": _back,
        "forward": _back,
        "more": _more,
        "again": _once_more,
    }

    def _count(self, events: list[Event], name: str) -> None:
        self._written |= {name, *(event["event_id"] for event in events)}
        for event in events:
            self.progress.add(event)

    def _next(self, at: int) -> int | None:
        """Find the next open item after a position, from the start where there is none."""
        places = (*range(at + 1, len(self.order)), *range(at + 1))
        return next((place for place in places if self._is_due(self.order[place])), None)

    def _is_due(self, item: str) -> bool:
        return item in self._again or self.progress.is_open(item)

    def _turn_to(self, at: int | None) -> None:
        self._at, self._since = at, datetime.now(UTC).isoformat(timespec="milliseconds")
        self._serial += 1

    def _shown(self, kind: str, *, draft: State | None = None, **extra: Any) -> Reply:
        """Give the screen: the item, what this rater answered, and the counts."""
        screen: dict[str, Any] = {"serial": self._serial, "index": self._at, "item_id": self.item}
        if self.item is not None:
            stored = self.progress.state(self.item)
            state = draft or stored
            answers = [q.answer(state.labels, state.unsure) for q in self.questions.asked]
            screen |= piece(self.batch.turns[self.item])
            screen |= {"answers": answers, "note": visible(state.note), "flagged": stored.flagged}
            screen["status"] = stored.status(self.questions.constructs)
        return {"kind": kind, "screen": screen, **self._counted(), **extra}

    def _counted(self) -> Reply:
        progress = self.progress
        return {
            "counts": dict(progress.counts),
            "minutes_left": progress.minutes_left,
            "changed": len(progress.changed),
        }


def _taken_back(events: list[Event]) -> State:
    """Give what an undone decision said, so that it can be corrected."""
    state = State(note=events[0].get("note") or "")
    for event in events:
        if event["kind"] == "label":
            state.labels |= event["labels"]
        elif event["kind"] == "unsure":
            state.unsure |= set(event["labels"] or ())
    return state
