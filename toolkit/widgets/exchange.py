"""What every page asks of its kernel, and the item that it shows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from toolkit.errors import LabelError
from toolkit.labels.journal import Journal
from toolkit.widgets.marks import Turn, piece, visible
from toolkit.widgets.progress import OPEN, SKIPPED

Message = Mapping[str, Any]
Reply = dict[str, Any]
Action = Callable[[Message], Reply]

KEPT = 20  # replies that can be given once more
MOVES = ("back", "forward")  # what the screen after the last item has too
ANYWHERE = ("undo", "again")  # whatever item is on the screen
STALE = "that item is no longer on the screen, so nothing was saved"
NO_FURTHER = "there is no further item that way"
NOTHING_TO_UNDO = "there is nothing to undo"


class Place:
    """Where a person is in a list of items.

    Parameters
    ----------
    order : list of str
        Identifiers in the order in which they are shown.

    Examples
    --------
    >>> place = Place(["a", "b"])
    >>> place.turn_to_next(lambda item: True)
    >>> place.item
    'a'
    """

    def __init__(self, order: list[str]) -> None:
        self.order = order
        self.at: int | None = None
        self.serial = 0
        self.since = ""

    @property
    def item(self) -> str | None:
        """The item on screen; None when all are done."""
        return None if self.at is None else self.order[self.at]

    @property
    def head(self) -> Reply:
        """How a screen begins."""
        return {"serial": self.serial, "index": self.at, "item_id": self.item}

    def turn_to(self, at: int | None) -> None:
        """Show the item at a position, or the end."""
        self.at, self.since = at, datetime.now(UTC).isoformat(timespec="milliseconds")
        self.serial += 1

    def turn_to_next(self, is_due: Callable[[str], bool], *, first: bool = False) -> None:
        """Show the next item that is due, from the start where there is none further on."""
        at = -1 if first or self.at is None else self.at
        places = (*range(at + 1, len(self.order)), *range(at + 1))
        self.turn_to(next((place for place in places if is_due(self.order[place])), None))

    def step(self, kind: str) -> bool:
        """Turn one page back or forward; False where there is none."""
        step = -1 if kind == "back" else 1
        target = (len(self.order) if self.at is None else self.at) + step
        if not 0 <= target < len(self.order):
            return False
        self.turn_to(target)
        return True


class Exchange(ABC):
    """Answers the messages of a browser in which a person goes through items.

    Parameters
    ----------
    order : list of str
        Identifiers in the order in which they are shown.
    journal : Journal
        Open for this person.
    fields : dict
        What every decision records beside the journal's own fields.

    Notes
    -----
    The item on screen is decided here, and only that item is ever sent; of a long one a piece.
    """

    def __init__(self, order: list[str], journal: Journal, fields: dict[str, Any]) -> None:
        self.journal = journal
        self._fields = fields
        self._written = {event["event_id"] for event in journal.events}
        self._replies: deque[tuple[str, Reply]] = deque(maxlen=KEPT)
        self._again: set[str] = set()  # skipped items that are gone through once more
        self._place = Place(order)
        self._place.turn_to_next(self._is_due)
        self._actions: dict[str, Action] = {
            "back": self._step,
            "forward": self._step,
            "more": self._more,
            "again": self._once_more,
        }

    @property
    def item(self) -> str | None:
        """The item on screen; None when all are done."""
        return self._place.item

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
        kind, name = str(message.get("kind")), str(message.get("event_id"))
        if kind == "ping":
            return {"kind": "pong"}
        if kind == "hello":
            return self._shown("screen")
        if name in self._written:  # asked again because no answer came
            return dict(self._replies).get(name) or self._shown("saved")
        stale = message.get("item_id") != self.item or (self.item is None and kind not in MOVES)
        if kind not in ANYWHERE and stale:
            return self._shown("refused", reason=STALE)
        reply = self._done(kind, message)
        if reply["kind"] == "saved":
            self._replies.append((name, reply))
        return reply

    def _done(self, kind: str, message: Message) -> Reply:
        try:
            return self._actions[kind](message)
        except LabelError as error:
            return {"kind": "failed", "reason": visible(str(error))}
        except Exception as error:  # noqa: BLE001 - unanswered, it would look like a dead kernel
            return {"kind": "failed", "reason": visible(f"{type(error).__name__}: {error}")}

    @abstractmethod
    def _status(self, item: str) -> str:
        """Tell whether an item is open, skipped or done."""

    @abstractmethod
    def _turns(self, item: str) -> Sequence[Turn]:
        """Give the text of an item."""

    @abstractmethod
    def _shown(self, kind: str, **extra: Any) -> Reply:
        """Give the screen: the item, what is stored about it, and the counts."""

    def _is_due(self, item: str) -> bool:
        return item in self._again or self._status(item) == OPEN

    def _step(self, message: Message) -> Reply:
        if self._place.step(message["kind"]):
            return self._shown("screen")
        return self._shown("refused", reason=NO_FURTHER)

    def _more(self, message: Message) -> Reply:
        return {"kind": "more", **piece(self._turns(str(self.item)), int(message["start"]))}

    def _once_more(self, _: Message) -> Reply:
        self._again = {item for item in self._place.order if self._status(item) == SKIPPED}
        self._place.turn_to_next(self._is_due, first=True)
        return self._shown("screen")

    def _to_the_next(self) -> Reply:
        """Leave a decided item."""
        self._again.discard(str(self.item))
        self._place.turn_to_next(self._is_due)
        return self._shown("saved")
