"""One rater at work: what the browser asks, and what goes to the journal before it is answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolkit.labels.journal import Journal
from toolkit.widgets.batch import Batch
from toolkit.widgets.exchange import NOTHING_TO_UNDO, Exchange, Message, Reply
from toolkit.widgets.marks import Turn, piece, visible
from toolkit.widgets.progress import Event, Progress, State
from toolkit.widgets.questions import UNSURE, Questions, constructs_of


class Sitting(Exchange):
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
    """

    def __init__(
        self,
        batch: Batch,
        questions: Questions,
        order: list[str],
        journal: Journal,
        fields: dict[str, Any],
    ) -> None:
        self.batch, self.questions = batch, questions
        self.progress = Progress(batch.constructs, batch.sha256, journal.events)
        super().__init__(order, journal, fields)
        self._actions |= {
            "label": self._label,
            "skip": self._skip,
            "flag": self._flag,
            "undo": self._undo,
        }

    def _status(self, item: str) -> str:
        return self.progress.status(item)

    def _turns(self, item: str) -> Sequence[Turn]:
        return self.batch.turns[item]

    def _label(self, message: Message) -> Reply:
        answers = message.get("answers")
        questions, asked = self.questions.asked, self.batch.asked[str(self.item)]
        if not isinstance(answers, list) or len(answers) != len(questions):
            return self._shown("refused", reason="an answer is missing")
        given = dict(zip(questions, answers, strict=True))
        if not all(question.allows(given[question]) for question in asked):
            return self._shown("refused", reason="an answer is missing")
        if any(given[question] is not None for question in questions if question not in asked):
            return self._shown("refused", reason="an answer to what is not asked of this item")
        labels: dict[str, Any] = {}
        unsure: dict[str, Any] = {}
        for question in asked:
            answer = given[question]
            if answer == UNSURE:
                unsure |= dict.fromkeys(question.constructs)
            else:
                labels |= question.labels(answer)
        events = (("label", labels), ("unsure", unsure))
        return self._decide(message, [(kind, each) for kind, each in events if each])

    def _skip(self, message: Message) -> Reply:
        skipped = dict.fromkeys(constructs_of(self.batch.asked[str(self.item)]))
        return self._decide(message, [("skip", skipped)])

    def _decide(self, message: Message, events: Sequence[tuple[str, dict[str, Any]]]) -> Reply:
        """Write a decision: one event, or two where some answers are unsure."""
        name = str(message["event_id"])
        written = self.journal.append_all(
            [
                {
                    "kind": kind,
                    "item_id": self.item,
                    "item_sha256": self.batch.sha256[str(self.item)],
                    "labels": labels,
                    "note": message.get("note") or None,
                    "active_seconds": None if number else message.get("active_seconds"),
                    "event_id": _numbered(name, number),
                    "decision": name,
                    "shown_at": self._place.since,
                    "order_index": self._place.at,
                    **self._fields,
                }
                for number, (kind, labels) in enumerate(events)
            ]
        )
        self._count(written)
        return self._to_the_next()

    def _flag(self, message: Message) -> Reply:
        event = self.journal.append(
            "flag",
            item_id=self.item,
            item_sha256=self.batch.sha256[str(self.item)],
            event_id=str(message["event_id"]),
            on=bool(message.get("on")),
        )
        self._count([event])
        return {"kind": "saved", "flagged": event["on"], **self._counted()}

    def _undo(self, message: Message) -> Reply:
        last, name = self.progress.last, str(message["event_id"])
        if not last:
            return self._shown("refused", reason=NOTHING_TO_UNDO)
        undone = [
            {"kind": "undo", "of": event["event_id"], "event_id": _numbered(name, number)}
            for number, event in enumerate(last)
        ]
        self._count(self.journal.append_all(undone))
        self._place.turn_to(self._place.order.index(last[0]["item_id"]))
        return self._shown("saved", taken_back=True, draft=_taken_back(last))

    def _count(self, events: list[Event]) -> None:
        self._written |= {event["event_id"] for event in events}
        for event in events:
            self.progress.add(event)

    def _shown(self, kind: str, *, draft: State | None = None, **extra: Any) -> Reply:
        """Give the screen: the item, what this rater answered, and the counts."""
        screen: dict[str, Any] = self._place.head
        if self.item is not None:
            stored = self.progress.state(self.item)
            state = draft or stored
            asked = [q in self.batch.asked[self.item] for q in self.questions.asked]
            answers = [
                question.answer(state.labels, state.unsure) if is_asked else None
                for question, is_asked in zip(self.questions.asked, asked, strict=True)
            ]
            screen |= piece(self.batch.turns[self.item])
            screen |= {"asked": [n for n, is_asked in enumerate(asked) if is_asked]}
            screen |= {"answers": answers, "note": visible(state.note), "flagged": stored.flagged}
            screen["status"] = self.progress.status(self.item)
        return {"kind": kind, "screen": screen, **self._counted(), **extra}

    def _counted(self) -> Reply:
        progress = self.progress
        return {
            "counts": dict(progress.counts),
            "minutes_left": progress.minutes_left,
            "changed": len(progress.changed),
        }


def _numbered(name: str, number: int) -> str:
    """Name the events of one decision: the first as the browser does."""
    return f"{name}.{number}" if number else name


def _taken_back(events: list[Event]) -> State:
    """Give what an undone decision said, so that it can be corrected."""
    state = State(note=events[0].get("note") or "")
    for event in events:
        if event["kind"] == "label":
            state.labels |= event["labels"]
        elif event["kind"] == "unsure":
            state.unsure |= set(event["labels"] or ())
    return state
