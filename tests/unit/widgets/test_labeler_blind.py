from __future__ import annotations

import json

import pandas as pd

import toolkit as tk

SENTINEL = "JUDGE-SENTINEL"


def test_nothing_of_a_drawn_batch_but_text_reaches_browser_journal_or_output(sit):
    pool = pd.DataFrame({"item_id": range(300), "tone": [0] * 240 + [1] * 60})
    pool["text"] = [f"words {n}" for n in range(300)]
    strata = tk.strata(pool, ["tone"])
    counted = [("tone=0", 0, 38), ("tone=0", 1, 2), ("tone=1", 0, 8), ("tone=1", 1, 12)]
    pilot = pd.DataFrame(counted, columns=["stratum", "label", "count"]).assign(construct="tone")
    batch = tk.draw(tk.plan_for_budget(strata, pilot, budget=40), pool, seed=7, keep=["text"])
    batch["judge_tone"] = SENTINEL
    rater = sit(batch)
    told = [json.dumps(rater.reply)]
    while rater.screen["item_id"] is not None:
        told.append(json.dumps(rater.label()))
    bundle = rater.labeler._repr_mimebundle_()
    told += [json.dumps(bundle), json.dumps(rater.labeler.widget.get_state(), default=str)]
    told += [path.read_text() for path in rater.labeler.folder.iterdir()]
    told.append(rater.labeler.to_csv(rater.labeler.folder / "sheet.csv").read_text())
    for text in told:
        for secret in (SENTINEL, "tone=", "design_weight", "stratum", "plan_sha256"):
            assert secret not in text


def test_the_state_of_ten_thousand_long_items_stays_small(sit):
    items = [{"item_id": n, "text": "long " * 2000} for n in range(10_000)]
    rater = sit(items)
    state = json.dumps(rater.labeler.widget.get_state(), default=str)
    assert len(state) < 100_000
    assert "long long" not in state
    assert len(json.dumps(rater.reply)) < 100_000


def test_a_text_of_a_million_characters_comes_in_pieces(sit):
    rater = sit([{"item_id": "a", "text": "x" * 1_000_000}])
    assert len(json.dumps(rater.reply)) < 100_000
    screen = rater.screen
    more = rater.send(kind="more", item_id="a", start=screen["end"])
    assert (screen["rest"], more["rest"]) == (970_000, 940_000)
