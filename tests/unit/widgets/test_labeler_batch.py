from __future__ import annotations

import json

import pandas as pd
import pytest

from toolkit.errors import LabelError
from toolkit.widgets.batch import read_batch
from toolkit.widgets.marks import Turn

TURNS = [{"role": "user", "text": "hi"}, {"role": "assistant", "text": "hello"}]
ROWS = [{"item_id": "a", "text": "one", "judge": "SECRET"}, {"item_id": "b", "text": "two"}]


def sources(folder):
    frame = pd.DataFrame(ROWS)
    frame.to_csv(folder / "items.csv", index=False)
    lines = "\n".join(json.dumps(row) for row in frame.to_dict("records"))
    (folder / "items.jsonl").write_text(lines.replace("NaN", "null"))
    return [ROWS, frame, folder / "items.csv", str(folder / "items.jsonl")]


def test_frames_lists_and_files_are_the_same_batch(tmp_path):
    batches = [read_batch(source) for source in sources(tmp_path)]
    assert [dict(batch.turns) for batch in batches] == [
        {"a": (Turn("", "one"),), "b": (Turn("", "two"),)}
    ] * 4
    assert len({batch.fingerprint for batch in batches}) == 1


def test_other_columns_are_left_behind_at_once(tmp_path):
    for source in sources(tmp_path):
        assert "SECRET" not in repr(vars(read_batch(source)))


def test_turns_are_a_list_or_its_json():
    for turns in (TURNS, tuple(TURNS), json.dumps(TURNS)):
        batch = read_batch([{"item_id": 1.0, "turns": turns}])
        assert batch.turns == {"1": (Turn("user", "hi"), Turn("assistant", "hello"))}


@pytest.mark.parametrize(
    ("items", "what"),
    [
        ([], "no items"),
        (7, "no items can be read"),
        ([{"text": "x"}], "no item_id"),
        ([{"item_id": "a"}], "no text"),
        ([{"item_id": "a", "text": None}], "no text"),
        ([{"item_id": " ", "text": "x"}], "item_id is missing"),
        ([{"item_id": "\ud83d", "text": "x"}], "no whole text"),
        ([{"item_id": 1, "text": "x"}, {"item_id": "1", "text": "y"}], "twice"),
        ([{"item_id": 1, "turns": "hello"}], "no list"),
        ([{"item_id": 1, "turns": []}], "no turns"),
        ([{"item_id": 1, "turns": [{"role": "user"}]}], "no role or no text"),
        ("nowhere.csv", "can't be read"),
    ],
)
def test_what_is_no_batch_is_refused_with_its_place(items, what):
    with pytest.raises(LabelError, match=what):
        read_batch(items)


def test_the_order_is_seeded_and_another_for_every_rater():
    batch = read_batch([{"item_id": n, "text": "x"} for n in range(50)])
    first = batch.order(1, "pilot", "ann")
    assert first == batch.order(1, "pilot", "ann")
    assert sorted(first) == sorted(batch.turns)
    assert len({tuple(batch.order(*key)) for key in [
        (1, "pilot", "ann"), (2, "pilot", "ann"), (1, "other", "ann"), (1, "pilot", "ben")
    ]}) == 4  # fmt: skip


def test_new_items_do_not_change_the_order_of_the_old_ones():
    few = read_batch([{"item_id": n, "text": "x"} for n in range(20)])
    many = read_batch([{"item_id": n, "text": "x"} for n in range(40)])
    kept = [item for item in many.order(1, "p", "ann") if item in few.turns]
    assert kept == few.order(1, "p", "ann")


def test_turns_as_chat_interfaces_have_them_are_the_same_turns():
    turns = [{"role": turn["role"], "content": turn["text"]} for turn in TURNS]
    one, other = (read_batch([{"item_id": 1, "turns": each}]) for each in (TURNS, turns))
    assert one.turns == other.turns
    assert one.sha256 == other.sha256


def test_a_file_with_another_separator_is_told_so(tmp_path):
    (tmp_path / "items.csv").write_text("item_id;text\na;one\n")
    with pytest.raises(LabelError, match="another separator"):
        read_batch(tmp_path / "items.csv")


def test_a_drawn_batch_without_its_text_is_told_how_to_keep_it():
    with pytest.raises(LabelError, match=r'keep=\["text"\]'):
        read_batch([{"item_id": "a", "design_weight": 2.0}])
