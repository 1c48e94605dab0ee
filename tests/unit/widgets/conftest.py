from __future__ import annotations

import itertools
import json

import pytest

from toolkit.widgets import Labeler

SCHEMA = {
    "constructs": {
        "tone": {"categories": {0: "calm", 1: "harsh"}, "present": [1]},
        "topics": {"kind": "multiple", "categories": ["work", "family"]},
    }
}


def rows(count=4):
    return [{"item_id": f"i{n}", "text": f"words {n}"} for n in range(count)]


class Rater:
    """Speaks to a labeler as the browser does; every message goes through JSON."""

    def __init__(self, labeler):
        self.labeler, self._names = labeler, itertools.count()
        self.receive = labeler._begin().receive  # noqa: SLF001 - the browser's door
        self.reply = self.send(kind="hello")

    @property
    def screen(self):
        return self.reply["screen"]

    def send(self, **message):
        self.reply = json.loads(json.dumps(self.receive(json.loads(json.dumps(message)))))
        return self.reply

    def decide(self, kind, **more):
        message = {"kind": kind, "item_id": self.screen["item_id"], "note": ""}
        message |= {"event_id": f"e{next(self._names)}.{id(self)}", "active_seconds": 3.0}
        return self.send(**{**message, **more})

    def label(self, tone=1, topics=(), **more):
        return self.decide(
            "label", answers=[tone if tone == "unsure" else [tone], [*topics]], **more
        )


@pytest.fixture
def make(tmp_path):
    """Open a labeler on four items, in a folder that the test's labelers share."""

    def made(items=None, schema=None, **options):
        given = {"rater": "ann", "study": "pilot", "folder": tmp_path / "labels"}
        items = rows() if items is None else items
        return Labeler(items, schema or SCHEMA, **{**given, "interactive": True, **options})

    return made


@pytest.fixture
def rater(make):
    """A rater before the first item."""
    return Rater(make())


@pytest.fixture
def sit(make):
    """A rater at a labeler with these options."""
    return lambda *args, **options: Rater(make(*args, **options))
