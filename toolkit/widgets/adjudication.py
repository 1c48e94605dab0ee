"""One adjudicator at work: what the browser asks, and what is stored before it is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolkit.labels.journal import Journal
from toolkit.widgets.cases import Case, Vote
from toolkit.widgets.exchange import NOTHING_TO_UNDO, Exchange, Message, Reply
from toolkit.widgets.marks import Part, Turn, parts, piece, visible
from toolkit.widgets.progress import Event
from toolkit.widgets.questions import Question, Questions
from toolkit.widgets.rulings import ADJUDICATED, REASONS, UNRESOLVED, Rulings

UNDECIDABLE = "undecidable"
NOTE = 2_000  # characters of a rater's note that are shown
NO_TEXT = "The text is not at hand: give the items to tk.Adjudicator to see it here."
CHANGED = "a rater has changed a label of this item; run the cell again to see it"
DECLINED = {"skip": "skipped", "unsure": "unsure"}


class Adjudication(Exchange):
    """Answers the browser's messages; the case on screen is decided here.

    Parameters
    ----------
    questions : Questions
        One for each construct.
    turns : mapping
        The text of each item; empty where it is not at hand.
    rulings : Rulings
        What is decided already.
    journal : Journal
        Open for this adjudicator.
    fields : dict
        What every decision records beside the journal's own fields.
    holds : callable
        Whether the raters still say about a case what they said when it was laid out.

    Notes
    -----
    Raters are shown under letters, which are others on every item.
    """

    def __init__(
        self,
        questions: Questions,
        turns: Mapping[str, tuple[Turn, ...]],
        rulings: Rulings,
        journal: Journal,
        fields: dict[str, Any],
        holds: Callable[[Case], bool],
    ) -> None:
        self.rulings, self._texts, self._holds = rulings, turns, holds
        self._asked = {question.name: n for n, question in enumerate(questions.asked)}
        self._questions = questions.asked
        super().__init__(list(rulings.cases), journal, fields)
        self._actions |= {"adjudicate": self._adjudicate, "skip": self._skip, "undo": self._undo}

    def _status(self, item: str) -> str:
        return self.rulings.status(item)

    def _turns(self, item: str) -> Sequence[Turn]:
        return self._texts.get(item) or (Turn("", NO_TEXT),)

    def _adjudicate(self, message: Message) -> Reply:
        case, answers = self.rulings.cases[str(self.item)], message.get("answers")
        if not isinstance(answers, list) or len(answers) != len(case.asked):
            return self._shown("refused", reason="a decision is missing")
        asked = [self._question(name) for name in case.asked]
        if not all(_allows(q, answer) for q, answer in zip(asked, answers, strict=True)):
            return self._shown("refused", reason="a decision is missing")
        if message.get("reason") not in REASONS:
            return self._shown("refused", reason="the reason is missing")
        if not self._holds(case):
            return self._shown("refused", reason=CHANGED)
        labels = {q.name: _label(q, answer) for q, answer in zip(asked, answers, strict=True)}
        return self._decide(
            "adjudicate",
            message,
            labels,
            reason=message["reason"],
            update_guideline=bool(message.get("update_guideline")),
            provenance={
                name: UNRESOLVED if label is None else ADJUDICATED for name, label in labels.items()
            },
            sources=case.sources,
        )

    def _skip(self, message: Message) -> Reply:
        asked = self.rulings.cases[str(self.item)].asked
        return self._decide("skip", message, dict.fromkeys(asked))

    def _decide(self, kind: str, message: Message, labels: dict[str, Any], **more: Any) -> Reply:
        case = self.rulings.cases[str(self.item)]
        event = self.journal.append(
            kind,
            item_id=case.item,
            item_sha256=case.sha256,
            labels=labels,
            note=message.get("note") or None,
            active_seconds=message.get("active_seconds"),
            event_id=str(message["event_id"]),
            **more,
            agreeing_pairs=case.agreeing,
            pairs=case.pairs,
            shown_at=self._place.since,
            order_index=self._place.at,
            **self._fields,
        )
        self._count(event)
        return self._to_the_next()

    def _undo(self, message: Message) -> Reply:
        last = self.rulings.last
        if last is None:
            return self._shown("refused", reason=NOTHING_TO_UNDO)
        self._count(
            self.journal.append("undo", of=last["event_id"], event_id=str(message["event_id"]))
        )
        self._place.turn_to(self._place.order.index(last["item_id"]))
        return self._shown("saved", draft=last)

    def _count(self, event: Event) -> None:
        self._written.add(event["event_id"])
        self.rulings.add(event)

    def _question(self, name: str) -> Question:
        return self._questions[self._asked[name]]

    def _shown(self, kind: str, *, draft: Event | None = None, **extra: Any) -> Reply:
        """Give the screen: the item, what the raters said, what was decided, and the counts."""
        screen: dict[str, Any] = self._place.head
        if self.item is not None:
            case = self.rulings.cases[self.item]
            last = draft or self.rulings.latest(self.item)
            stored = self.rulings.ruling(self.item)
            if draft is not None:  # shown as it was, to be corrected
                stored = dict.fromkeys(draft["labels"], draft)
            screen |= piece(self._turns(self.item))
            screen |= {
                "asked": [self._asked[name] for name in case.asked],
                "agreeing": case.agreeing,
                "pairs": case.pairs,
                "votes": [self._vote(vote) for vote in case.votes],
                "answers": [_answer(self._question(n), stored.get(n)) for n in case.asked],
                "reason": last.get("reason"),
                "update_guideline": bool(last.get("update_guideline")),
                "note": visible(last.get("note") or ""),
            }
        counts, changed = dict(self.rulings.counts), len(self.rulings.changed)
        left = self.rulings.minutes_left
        told = {"counts": counts, "minutes_left": left, "changed": changed}
        return {"kind": kind, "screen": screen, **told, **extra}

    def _vote(self, vote: Vote) -> Reply:
        return {
            "letter": vote.letter,
            "said": [_said(question, vote) for question in self._questions],
            "note": _cut(vote.note),
            "flagged": vote.flagged,
        }


def _allows(question: Question, answer: Any) -> bool:
    return answer == UNDECIDABLE or (isinstance(answer, int) and question.allows([answer]))


def _label(question: Question, answer: Any) -> Any:
    return None if answer == UNDECIDABLE else question.values[answer]


def _answer(question: Question, event: Event | None) -> int | str | None:
    if event is None or event["kind"] != "adjudicate":
        return None
    label = event["labels"].get(question.name)
    if label is None:
        return UNDECIDABLE
    return question.values.index(label) if label in question.values else None


def _said(question: Question, vote: Vote) -> int | str | None:
    """Give the position of a label, or in words why there is none."""
    if question.name in vote.labels:
        return question.values.index(vote.labels[question.name])
    return DECLINED.get(vote.declined.get(question.name, ""))


def _cut(note: str) -> list[Part]:
    """Show the beginning of a note, and how much is missing."""
    rest = len(note) - NOTE
    more: list[Part] = [f" … ({rest:,} more characters)"] if rest > 0 else []
    return [*parts(note[:NOTE]), *more]
