from __future__ import annotations

import tempfile
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.widgets import Labeler

SCHEMA = {
    "constructs": {
        "tone": {"categories": [0, 1]},
        "topics": {"kind": "multiple", "categories": ["work", "family"]},
    }
}
ITEMS = [{"item_id": f"i{n}", "text": f"words {n}"} for n in range(4)]
ANSWERS = st.tuples(
    st.sampled_from([[0], [1], "unsure"]), st.sampled_from([[], [0], [0, 1], "unsure"])
)
LABELS = ANSWERS.map(lambda given: {"kind": "label", "answers": list(given)})
OTHERS = st.sampled_from(["skip", "undo", "flag", "back", "forward", "again"])
DEEDS = st.lists(st.one_of(LABELS, OTHERS.map(lambda kind: {"kind": kind})), max_size=15)


def opened(folder, **options):
    return Labeler(ITEMS, SCHEMA, rater="ann", study="p", folder=folder, **options)


@settings(max_examples=40, deadline=None)
@given(DEEDS)
def test_whatever_was_done_opening_again_finds_it_as_it_was(deeds):
    with tempfile.TemporaryDirectory() as folder:
        labeler = opened(folder, interactive=True)
        sitting, names = labeler._begin(), count()  # noqa: SLF001 - the browser's door
        stored: dict[str, object] = {}
        earlier: list[dict[str, object]] = []
        for deed in deeds:
            item = sitting.item
            reply = sitting.receive({"on": True, "item_id": item, "event_id": next(names), **deed})
            if reply["kind"] == "saved" and deed["kind"] in ("label", "skip"):
                earlier.append(dict(stored))
                stored[str(item)] = deed.get("answers", "skipped")
            elif reply["kind"] == "saved" and deed["kind"] == "undo":
                stored = earlier.pop()

        again = opened(folder, interactive=False)
        assert again.counts == labeler.counts
        assert again.counts["open"] == len(ITEMS) - len(stored)
        for item in again.order:
            state = again._progress().state(item)  # noqa: SLF001 - what the next sitting knows
            assert state == sitting.progress.state(item)
            answers = [q.answer(state.labels, state.unsure) for q in again._questions.asked]  # noqa: SLF001
            if stored.get(item, "skipped") == "skipped":
                assert answers == [None, None]
                assert state.skipped == (item in stored)
            else:
                assert answers == stored[item]
        frame = again.to_frame()
        told = {(row.item_id, row.construct): row.label for row in frame.itertuples()}
        states = {item: again._progress().state(item) for item in again.order}  # noqa: SLF001
        assert told == {(i, c): v for i, state in states.items() for c, v in state.labels.items()}
