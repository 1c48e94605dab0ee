"""Whatever a rater does, replaying the files gives what a plain model of it gives."""

from __future__ import annotations

import tempfile

from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.errors import LabelError
from toolkit.labels.journal import Journal, read_journal

SCHEMA = {"constructs": {name: {"categories": [0, 1, 2]} for name in ("tone", "harm")}}
raters = st.sampled_from(["ann", "ben"])
items = st.sampled_from(["i1", "i2", "i3"])
some = st.dictionaries(st.sampled_from(["tone", "harm"]), st.integers(0, 2), min_size=1)
steps = st.one_of(
    st.tuples(st.just("label"), raters, items, some),
    st.tuples(st.sampled_from(["skip", "unsure"]), raters, items, st.none()),
    st.tuples(st.sampled_from(["flag", "note"]), raters, items, st.none()),
    st.tuples(st.just("undo"), raters, st.integers(0, 30), st.none()),
    st.tuples(st.just("reopen"), raters, st.none(), st.none()),
    st.tuples(st.just("tear"), raters, st.none(), st.none()),
)


class Model:
    """One rater: a list of steps, each of which may be struck out; no files, no order to find."""

    def __init__(self):
        self.steps = []

    def undo(self, position):
        self.steps.append(("undo", position, None))

    def struck(self, position):
        """A step is struck out when a step after it undoes it and is not struck out itself."""
        return any(
            step[:2] == ("undo", position) and not self.struck(later)
            for later, step in enumerate(self.steps)
            if later > position
        )

    def cells(self):
        cells = {}
        for position, (kind, item, labels) in enumerate(self.steps):
            if kind not in ("label", "skip", "unsure") or self.struck(position):
                continue
            for construct in labels or ("tone", "harm"):
                cells[item, construct] = labels[construct] if labels else kind
        return cells


class Rater:
    """The same rater with real files."""

    def __init__(self, folder, name):
        self.folder, self.name, self.model = folder, name, Model()
        self.reopen()

    def reopen(self):
        self.journal = Journal.open(self.folder, study="pilot", rater=self.name)

    def do(self, kind, target, labels):
        if kind == "reopen":
            self.journal.close()
            self.reopen()
        elif kind == "tear":  # a kill within a write, and a new start
            self.journal.close()
            with self.journal.path.open("ab") as file:
                file.write(b'{"schema": 1, "event_id": "to')
            self.reopen()
        elif kind == "undo":
            if self.model.steps:
                position = target % len(self.model.steps)
                self.journal.append("undo", of=self.journal.events[position]["event_id"])
                self.model.undo(position)
        else:
            self.journal.append(kind, item_id=target, labels=labels)
            self.model.steps.append((kind, target, labels))


@settings(max_examples=75, deadline=None)
@given(st.lists(steps, max_size=25))
def test_replaying_the_files_gives_what_a_plain_model_gives(script):
    with tempfile.TemporaryDirectory() as folder:
        people = {name: Rater(folder, name) for name in ("ann", "ben")}
        for kind, name, target, labels in script:
            people[name].do(kind, target, labels)
        expected = {
            (name, *cell): value
            for name, person in people.items()
            for cell, value in person.model.cells().items()
        }
        for person in people.values():
            person.journal.close()
        labelled = {cell: value for cell, value in expected.items() if isinstance(value, int)}
        try:
            labels = read_journal(folder, schema=SCHEMA)
        except LabelError as error:
            assert str(error).startswith(("the journals hold no", "no usable label"))  # noqa: PT017
            assert labelled == {}
            return
        keys = ["rater_id", "item_id", "construct"]
        read = labels.frame.set_index(keys)["label"].to_dict()
        assert read == labelled
        counted = labels.left_out.groupby("reason")["count"].sum().to_dict()
        for reason in ("skip", "unsure"):
            assert counted.pop(reason, 0) == list(expected.values()).count(reason)
        assert counted == {}
