"""The labeler in the browser: one widget, whose script and style come with the package."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

_HERE = Path(__file__).parent


class LabelerWidget(anywidget.AnyWidget):
    """Hands messages to a sitting and its replies to the browser; `setup` is all of its state.

    Parameters
    ----------
    setup : dict
        Study, rater, number of items, questions with options and guidelines.
    receive : callable
        From a message to its reply.
    """

    _esm = _HERE / "labeler.js"
    _css = _HERE / "labeler.css"
    setup = traitlets.Dict().tag(sync=True)

    def __init__(
        self, setup: dict[str, Any], receive: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> None:
        super().__init__(setup=setup)
        self._receive = receive
        self.on_msg(self._answer)

    def _answer(self, _: Any, message: dict[str, Any], __: Any) -> None:
        self.send({"ask": message.get("ask"), **self._receive(message)})
