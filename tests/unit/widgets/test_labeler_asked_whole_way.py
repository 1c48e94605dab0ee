"""What is asked of an item, from opening to opening and from plan to estimate."""

from __future__ import annotations

import tempfile

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as some

import toolkit as tk
from toolkit.widgets import Labeler

SCHEMA = {
    "constructs": {
        "tone": {"categories": [0, 1]},
        "topics": {"kind": "multiple", "categories": ["work", "family"]},
    }
}


@settings(max_examples=30, deadline=None)
@given(
    some.lists(some.tuples(some.booleans(), some.booleans()), min_size=1, max_size=4).filter(
        lambda parts: any(map(any, parts))
    ),
    some.lists(some.sampled_from(["label", "unsure", "skip", "undo", "back"]), max_size=10),
)
def test_whatever_is_asked_opening_again_finds_the_same(parts, deeds):
    rows = [
        {"item_id": f"i{n}", "text": f"words {n}", "read_tone": tone, "read_topics": topics}
        for n, (tone, topics) in enumerate(parts)
    ]
    options = {"rater": "ann", "study": "p"}
    with tempfile.TemporaryDirectory() as folder:
        labeler = Labeler(rows, SCHEMA, **options, folder=folder, interactive=True)
        sitting = labeler._begin()  # noqa: SLF001 - the browser's door
        for n, deed in enumerate(deeds):
            screen = sitting.receive({"kind": "hello"})["screen"]
            places = screen.get("asked", [])
            given = "unsure" if deed == "unsure" else [0]
            reply = sitting.receive({
                "kind": "label" if deed == "unsure" else deed, "item_id": sitting.item,
                "event_id": n, "answers": [given if at in places else None for at in range(2)],
            })  # fmt: skip
            on_item = deed in ("label", "unsure", "skip") and screen["item_id"] is not None
            assert reply["kind"] == "saved" or not on_item
        again = Labeler(rows, SCHEMA, **options, folder=folder, interactive=False)
        assert again.counts == labeler.counts
        assert sum(again.counts.values()) == len(again.order)  # nothing is flagged
        for item in again.order:
            assert again._progress().state(item) == sitting.progress.state(item)  # noqa: SLF001
        told = {(row.item_id, row.construct) for row in again.to_frame().itertuples()}
        several = ["topics.work", "topics.family"]
        read = {(row["item_id"], "tone") for row in rows if row["read_tone"]}
        read |= {(row["item_id"], name) for row in rows if row["read_topics"] for name in several}
        assert told <= read


def test_from_a_plan_with_reading_costs_to_the_kappa_of_the_pool(tmp_path):
    rng = np.random.default_rng(0)
    pool = pd.DataFrame({"item_id": [f"i{n}" for n in range(2_000)], "text": "words"})
    pool["escalation"] = (rng.random(2_000) < 0.2).astype(int)
    pool["self_harm"] = (rng.random(2_000) < 0.3).astype(int)
    names = ["escalation", "self_harm"]
    strata = tk.strata(pool, names)
    counted = [
        (stratum, name, label, 100 * (share if label else 1 - share))
        for h, stratum in enumerate(strata.names)
        for c, name in enumerate(names)
        for label in (0, 1)
        for share in [0.8 if strata.judge[h, c] else 0.03]
    ]
    pilot = pd.DataFrame(counted, columns=["stratum", "construct", "label", "count"])
    targets = {"escalation": 0.2, "self_harm": 0.1}
    plan = tk.plan_for_targets(
        strata, pilot, targets, reading_cost={"escalation": 5, "self_harm": 1}
    )
    batch = tk.draw(plan, pool, seed=1, keep=["text"])
    assert not batch["read_escalation"].all()

    labeler = Labeler(
        tk.planning.blind(batch), strata.schema, rater="ann", study="p",
        folder=tmp_path / "labels", interactive=True,
    )  # fmt: skip
    sitting = labeler._begin()  # noqa: SLF001 - the browser's door
    judged = pool.set_index("item_id")
    for n in range(len(batch)):
        shown = sitting.receive({"kind": "hello"})["screen"]
        said = [
            [int(judged.loc[sitting.item, name])] if at in shown["asked"] else None
            for at, name in enumerate(names)
        ]
        sitting.receive(
            {"kind": "label", "item_id": sitting.item, "event_id": f"e{n}", "answers": said}
        )
    assert labeler.counts["labelled"] == len(batch)

    labels = tk.read_journal(tmp_path / "labels")
    for name in names:
        made = tk.weighted_kappa(labels, batch, name, draws=500)
        assert made.n == batch[f"read_{name}"].sum()
        assert made.estimate == 1  # the person says what the judge says
        drawn = batch[batch[f"read_{name}"]].groupby("stratum").size().to_dict()
        assert {h: each["labelled"] for h, each in made.strata.items()} == drawn
