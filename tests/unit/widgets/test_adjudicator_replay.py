from __future__ import annotations

import tempfile
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.labels.journal import Journal
from toolkit.widgets import Adjudicator

SAID = {"olga": {"i0": 0, "i1": 0, "i2": 1}, "bengt": {"i0": 1, "i1": 1, "i2": 0}}
ANSWERS = st.sampled_from([[0], [1], ["undecidable"]])
RULINGS = ANSWERS.map(lambda a: {"kind": "adjudicate", "answers": a, "reason": "edge_case"})
OTHERS = st.sampled_from(["skip", "undo", "back", "forward", "again"])
DEEDS = st.lists(st.one_of(RULINGS, OTHERS.map(lambda kind: {"kind": kind})), max_size=12)


def opened(folder, *, interactive):
    return Adjudicator(folder=folder, study="p", adjudicator="eve", interactive=interactive)


@settings(max_examples=30, deadline=None)
@given(DEEDS)
def test_whatever_was_decided_opening_again_finds_it_as_it_was(deeds):
    with tempfile.TemporaryDirectory() as folder:
        for rater, labels in SAID.items():
            with Journal.open(folder, study="p", rater=rater) as journal:
                for item, value in labels.items():
                    journal.append("label", item_id=item, labels={"tone": value})
        first = opened(folder, interactive=True)
        sitting, names = first._begin(), count()  # noqa: SLF001 - the browser's door
        stored: dict[str, object] = {}
        earlier: list[dict[str, object]] = []
        for deed in deeds:
            item = sitting.item
            reply = sitting.receive({"item_id": item, "event_id": str(next(names)), **deed})
            if reply["kind"] == "saved" and deed["kind"] == "undo":
                stored = earlier.pop()
            elif reply["kind"] == "saved":
                earlier.append(dict(stored))
                stored[str(item)] = deed.get("answers", "skipped")
        again = opened(folder, interactive=False)
        assert again.counts == first.counts
        assert again.counts["open"] == len(SAID["olga"]) - len(stored)
        rows = again.to_frame().set_index("item_id")
        for item, row in rows.iterrows():
            expected = {"[0]": "adjudicated", "[1]": "adjudicated"}.get(
                str(stored.get(item)), "unresolved"
            )
            assert row["provenance"] == expected
            if expected == "adjudicated":
                assert [row["label"]] == stored[item]
