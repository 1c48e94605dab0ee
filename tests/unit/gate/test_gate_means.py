"""Means of repeats: no order of the rows and no rounding changes a decision."""

from __future__ import annotations

import json
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolkit.gate import read_verdicts, scorecard
from toolkit.gate.stability import gate_stability
from toolkit.gate.stability_draws import _mean
from toolkit.gate.stability_seen import seen_in

TENTHS = st.lists(st.integers(10, 50), min_size=1, max_size=7)


def run(scores, rows):
    verdicts = [row for row in rows("m") if row.get("dimension") != "safety"]
    floor = [
        {"model": "m", "variant": "none", "dimension": "safety", "repeat": place, "score": score}
        for place, score in enumerate(scores, 1)
    ]
    return [{"repeat": 1, **row} for row in verdicts] + floor


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(tenths=TENTHS, data=st.data())
def test_the_floor_is_held_against_the_exact_mean_in_any_order(pack, rows, tenths, data):
    order = data.draw(st.permutations(tenths))
    exact = Fraction(sum(tenths), 10 * len(tenths))
    cards = [scorecard(run([each / 10 for each in some], rows), pack) for some in (tenths, order)]
    assert cards[0].decisions["m", "none"].floor_hit == (exact <= 2)
    assert cards[0].to_dict() == cards[1].to_dict()


def test_1_1_3_2_1_7_is_on_the_floor_of_2_and_so_is_it_in_the_draws(pack, rows):
    verdicts = run([1.1, 3.2, 1.7], rows)
    assert scorecard(verdicts, pack).decisions["m", "none"].floor_hit
    seen = seen_in(read_verdicts(verdicts, pack), pack)
    assert abs(_mean(seen.floor_scores[0]) - 2) < 1e-15
    found = gate_stability(verdicts, pack, confusion=[[8, 2], [1, 89]], draws=100)
    assert found["m"].perfect_judge.knocked_out == 1


def test_what_was_not_scored_is_counted_and_flagged(pack, rows):
    sparse = [row for row in rows("thin", safety=5) if row.get("prompt_id") not in ("p2", "p4")]
    card = scorecard([*rows("full"), *sparse], pack)
    ranking = card.ranking.set_index("model")
    assert ranking.loc["thin", ["prompts_scored", "prompts"]].tolist() == [2, 4]
    assert ranking.loc["full", ["prompts_scored", "prompts"]].tolist() == [4, 4]
    assert card.flags == ("incomplete:thin",)
    assert json.loads(json.dumps(card.to_dict()))["runs"][1]["prompts_scored"] == 2
