"""What every page asks of its kernel, and the item that it shows."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from datetime import UTC, datetime
from typing import Any

from toolkit.errors import LabelError
from toolkit.widgets.marks import visible

Message = Mapping[str, Any]
Reply = dict[str, Any]
Action = Callable[[Message], Reply]
Shown = Callable[..., Reply]

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


def respond(
    message: Message,
    *,
    item: str | None,
    written: Container[Any],
    actions: Mapping[str, Action],
    shown: Shown,
) -> Reply:
    """Do what a message asks; nothing is called saved before it is on the disk.

    Parameters
    ----------
    message : mapping
        `kind`, and what that kind needs; `item_id` is that of the item on screen.
    item : str or None
        The item on screen.
    written : container of str
        Ids of the events that are on the disk.
    actions : mapping
        What to do, by kind.
    shown : callable
        From the kind of the reply to a reply with the screen.

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
        return shown("screen")
    if message.get("event_id") in written:  # asked again because no answer came
        return shown("saved")
    stale = message.get("item_id") != item or (item is None and kind not in MOVES)
    if kind not in ANYWHERE and stale:
        return shown("refused", reason=STALE)
    try:
        return actions[kind](message)
    except LabelError as error:
        return {"kind": "failed", "reason": visible(str(error))}
