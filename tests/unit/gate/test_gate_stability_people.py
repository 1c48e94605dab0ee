from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import GateError
from toolkit.gate import load_pack, read_verdicts
from toolkit.gate.stability import gate_stability
from toolkit.gate.stability_kappa import reliabilities
from toolkit.gate.stability_people import read_people
from toolkit.gate.stability_seen import seen_in

ROWS = [
    {"prompt_id": "p1", "human": 1, "judge": 1},
    {"prompt_id": "p1", "human": 1, "judge": 0},
    {"prompt_id": "p1", "human": 0, "judge": 0},
    {"prompt_id": "p2", "human": 0, "judge": 1},
]
TABLES = {"p1": [[1, 1], [0, 1]], "p2": [[0, 0], [1, 0]]}


def told(people):
    return {name: table.tolist() for name, table in people.tables.items()}


def counted(people, high=20):
    """A prompt whose kappa is about what is asked for: `high` items right of each kind."""
    wrong = 24 - high
    return [
        {"prompt_id": people, "human": human, "judge": judge, "count": number}
        for (human, judge), number in {
            (1, 1): high,
            (1, 0): wrong,
            (0, 1): wrong,
            (0, 0): 3 * high,
        }.items()
    ]


@pytest.fixture
def seen(pack, rows):
    return seen_in(read_verdicts(rows("m", ["p1"]), pack), pack)


def test_rows_mappings_and_files_are_read_alike(pack, tmp_path):
    frame = pd.DataFrame(ROWS)
    frame.to_csv(tmp_path / "people.csv", index=False)
    frame.assign(human=frame["human"] == 1).to_csv(tmp_path / "words.csv", index=False)
    whole = [ROWS, frame, TABLES, tmp_path / "people.csv", str(tmp_path / "words.csv")]
    for given in whole:
        assert told(read_people(given, pack)) == TABLES


def test_counts_stand_for_rows(pack):
    once = [{**row, "count": 1} for row in ROWS]
    assert told(read_people(once, pack)) == TABLES
    twice = [{**row, "count": "2"} for row in ROWS]
    assert told(read_people(twice, pack))["p1"] == [[2, 2], [0, 2]]


def test_without_prompts_one_table_stands_for_all(pack):
    rows = [{"human": row["human"], "judge": row["judge"]} for row in ROWS]
    for given in (rows, [[1, 1], [1, 1]], np.array([[1, 1], [1, 1]])):
        people = read_people(given, pack)
        assert people.pooled
        assert told(people) == {"": [[1, 1], [1, 1]]}


def test_a_table_with_labels_is_read_by_them_whatever_their_order(pack):
    human, judge = [1, 1, 1, 0], [1, 1, 0, 0]
    for categories in ([0, 1], [1, 0]):
        table = tk.crosstab(human, judge, categories=categories)
        assert told(read_people(table, pack)) == {"": [[2, 1], [0, 1]]}


def test_a_reply_without_one_of_the_labels_is_left_out_and_counted(pack, rows):
    missing = [*ROWS, {"prompt_id": "p1", "human": None, "judge": 1}]
    people = read_people(missing, pack)
    assert told(people) == TABLES
    assert people.left_out == {"label_missing": 1}
    found = gate_stability(rows("m"), pack, confusion=missing)
    assert found.left_out["label_missing"] == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([{**ROWS[0], "prompt_id": "p9"}], "no such prompt"),
        ([{**ROWS[0], "prompt_id": None}], "no such prompt"),
        ([{**ROWS[0], "human": "maybe"}], "neither 1"),
        ([{**ROWS[0], "human": 2}], "neither 1"),
        ([{"prompt_id": "p1", "human": 1}], "'judge' is missing"),
        ([{**ROWS[0], "promt_id": "p1"}], "did you mean 'prompt_id'"),
        ([{**ROWS[0], "count": 1.5}], "whole number"),
        ([{**ROWS[0], "human": None}], "no reply has"),
        ([[1, 2, 3], [1, 2, 3], [1, 2, 3]], "two rows"),
        ([[1, -2], [1, 2]], "no counts"),
        ("no such file.csv", "can't be read"),
        (7, "not square"),
        ([], "not square"),
        ({"p9": [[1, 1], [1, 1]]}, "no such prompt"),
        (pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"], columns=["a", "b"]), "neither 1"),
    ],
)
def test_what_is_no_table_of_people_is_refused(pack, given, said):
    with pytest.raises(GateError, match=said):
        read_people(given, pack)


def test_kappa_of_a_prompt_is_that_of_its_table(pack, seen):
    people = read_people(counted("p1", 22), pack)
    one = reliabilities(seen, pack, people, threshold=0.6, level=0.9, seed=3)[0]
    expected = tk.kappa(people.tables["p1"], level=0.9, seed=3)
    assert (one.kappa, one.low, one.high) == (expected.estimate, expected.low, expected.high)
    assert (one.n, one.people, one.judge) == (92, 24, 24)


def test_a_prompt_is_too_unreliable_only_where_its_whole_interval_lies_below(pack, seen):
    people = read_people([*counted("p1", 23), *counted("p2", 18), *counted("p3", 10)], pack)
    found = reliabilities(seen, pack, people, threshold=0.6, level=0.95, seed=0)
    assert [one.verdict for one in found] == [
        "reliable",
        "not_shown",
        "too_unreliable",
        "undefined",
    ]
    assert found[3].reasons[0] == "no_people"
    assert math.isnan(found[3].kappa)


def test_under_curated_only_curated_prompts_are_called_too_unreliable(pack, curated, rows):
    people = [*counted("p2", 10), *counted("p3", 10)]
    assert gate_stability(rows("m"), pack, confusion=people).too_unreliable == ("p2", "p3")
    assert gate_stability(rows("m"), curated, confusion=people).too_unreliable == ("p3",)


def test_a_constant_rater_leaves_kappa_undefined_with_its_reason(pack, seen):
    nobody = read_people([{"prompt_id": "p1", "human": 0, "judge": 0, "count": 40}], pack)
    one = reliabilities(seen, pack, nobody, threshold=0.6, level=0.95, seed=0)[0]
    assert one.verdict == "undefined"
    assert "both_constant" in one.reasons


def test_repeats_tell_how_steady_the_judge_is_but_not_whether_it_is_right(pack):
    rows = [
        {
            "model": f"m{model}",
            "prompt_id": "p1",
            "repeat": repeat,
            "score": 3,
            "red_flag": flag == "1",
        }
        for model, flags in enumerate(("111", "000", "000", "101"))
        for repeat, flag in enumerate(flags)
    ]
    one = gate_stability(rows, pack).reliability[0]
    assert one.mixed == 1
    # (mean agreement 5/6 - chance 74/144) / (1 - chance), Fleiss 1971.
    assert one.self_kappa == pytest.approx((5 / 6 - 74 / 144) / (1 - 74 / 144))
    assert one.verdict == "undefined"


def test_prompts_without_labels_of_their_own_are_drawn_from_the_others_and_counted(pack, rows):
    found = gate_stability(rows("m"), pack, confusion=[*counted("p1", 20), *counted("p2", 20)])
    assert "prompts_without_people:2" in found.flags
    cells = {one.prompt_id: one.perfect_judge for one in found.flag_probabilities}
    assert 0 < cells["p3"] < 0.5


def test_replies_drawn_by_what_the_judge_flagged_give_the_same_answer(pack, rows):
    """P(people flag | judge) is what counts: more of the unflagged replies change no share."""
    few, many = [[90, 10], [10, 90]], [[90, 1_000], [10, 9_000]]
    probabilities = [
        [
            one.perfect_judge
            for one in gate_stability(rows("m", ["p1"]), pack, confusion=table).flag_probabilities
        ]
        for table in (few, many)
    ]
    np.testing.assert_allclose(*probabilities, atol=0.02)


def test_one_table_for_all_prompts_can_be_too_unreliable_under_curated(
    curated, pack, content, rows
):
    table = [[10, 14], [14, 30]]
    assert gate_stability(rows("m"), curated, confusion=table).too_unreliable == ("all prompts",)
    assert gate_stability(rows("m"), pack, confusion=table).too_unreliable == ("all prompts",)
    content["ko_rule"]["red_flag_prompts"] = []
    nothing = load_pack(content)
    assert gate_stability(rows("m"), nothing, confusion=table).too_unreliable == ()


def test_labels_of_one_prompt_say_nothing_about_the_others(pack, curated, rows):
    found = gate_stability(rows("m"), pack, confusion=counted("p1", 20))
    cells = {one.prompt_id: one for one in found.flag_probabilities}
    assert cells["p1"].perfect_judge < 0.2
    assert math.isnan(cells["p2"].perfect_judge)
    assert "perfect_judge:prompt_without_labels" in cells["p2"].reasons
    assert math.isnan(found["m"].perfect_judge.flips)
    assert "perfect_judge:prompt_without_labels" in found["m"].reasons
    assert found.flags[-1] == "prompt_without_labels:3"
    both = [*counted("p1", 20), *counted("p3", 20)]
    assert gate_stability(rows("m"), curated, confusion=both)["m"].perfect_judge.flips < 0.5


def test_a_label_of_the_judge_seen_on_one_prompt_alone_is_not_carried_over(pack, rows):
    quiet = [{"prompt_id": name, "human": 0, "judge": 0, "count": 50} for name in ("p2", "p3")]
    labels = [*counted("p1", 20), *quiet]
    found = gate_stability([*rows("clean"), *rows("hit", ["p2"])], pack, confusion=labels)
    assert found["clean"].perfect_judge.flips < 0.9
    assert math.isnan(found["hit"].perfect_judge.flips)
    pooled = gate_stability(rows("hit", ["p2"]), pack, confusion=[[0, 5], [0, 95]])
    assert math.isnan(pooled["hit"].perfect_judge.flips)
