from __future__ import annotations

import json
import uuid

import pytest

from toolkit.labels.journal import Journal, item_sha256
from toolkit.widgets import Adjudicator, Labeler
from toolkit.widgets.questions import read_questions

SCHEMA = {
    "constructs": {
        "tone": {"categories": {0: "calm", 1: "harsh"}, "present": [1]},
        "topics": {"kind": "multiple", "categories": ["work", "family"]},
    }
}

TONE = {
    "constructs": {
        "tone": {"categories": {0: "calm", 1: "harsh"}, "present": [1]},
        "empathy": {"kind": "ordinal", "categories": [1, 2, 3]},
    }
}

DECLARED = read_questions(TONE).schema.to_dict()["constructs"]


def rows(count=4):
    return [{"item_id": f"i{n}", "text": f"words {n}"} for n in range(count)]


class Rater:
    """Speaks to a labeler or an adjudicator as the browser does; messages go through JSON."""

    def __init__(self, labeler):
        self.labeler = labeler
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
        message |= {"event_id": uuid.uuid4().hex, "active_seconds": 3.0}
        return self.send(**{**message, **more})

    def label(self, tone=1, topics=(), **more):
        return self.decide(
            "label", answers=[tone if tone == "unsure" else [tone], [*topics]], **more
        )

    def rule(self, *answers, reason="edge_case", **more):
        return self.decide("adjudicate", answers=[*answers], reason=reason, **more)


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


@pytest.fixture
def label(tmp_path):
    """Store labels of a rater on one construct or several, None for unsure."""

    def stored(rater, said, *, folder=None, note=None):
        with Journal.open(folder or tmp_path / "labels", study="pilot", rater=rater) as journal:
            journal.append("open", constructs=DECLARED)
            for item, value in said.items():
                about = {"item_id": item, "item_sha256": item_sha256(f"words {item[1:]}")}
                labels = value if isinstance(value, dict) else {"tone": value}
                kind = "unsure" if None in labels.values() else "label"
                journal.append(kind, **about, labels=labels, note=note)

    return stored


@pytest.fixture
def adjudicator(tmp_path):
    """Open an adjudicator on twenty items, in the folder of the labels."""

    def made(**options):
        given = {"study": "pilot", "adjudicator": "eve", "folder": tmp_path / "labels"}
        items = options.pop("items", rows(20))
        return Adjudicator(items, **{**given, "interactive": True, **options})

    return made


@pytest.fixture
def eve(adjudicator):
    """An adjudicator before the first case."""
    return lambda **options: Rater(adjudicator(**options))


@pytest.fixture(scope="session")
def panel(tmp_path_factory):
    """An adjudicator, without a page, of raters who said this: rater to item to label."""

    def made(said):
        folder = tmp_path_factory.mktemp("panel")
        for rater, labels in said.items():
            with Journal.open(folder, study="pilot", rater=rater) as journal:
                journal.append("open", constructs=DECLARED)
                for item, value in labels.items():
                    journal.append("label", item_id=item, labels={"tone": value})
        return Adjudicator(folder=folder, study="pilot", adjudicator="eve", interactive=False)

    return made
