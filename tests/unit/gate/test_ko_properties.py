"""Properties of the gate, and a literal transcription of the original rule beside it."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.gate import load_pack, passes_ko

RANK = {"knocked_out": 0, "undetermined": 1, "passed": 2}


def original(dim_scores, red_flagged, rule):
    """Transcribe the rule of ADR-0008: (passed, fatal prompts in order, floor).

    Context and decision: all: fatal = curated + sorted(red_flagged - red_flag_prompts); curated:
    fatal = curated; then the floor, which a missing score passes.
    """
    curated = sorted(red_flagged & set(rule["red_flag_prompts"]))
    if rule.get("red_flag_scope", "all") == "all":
        fatal = curated + sorted(red_flagged - set(rule["red_flag_prompts"]))
    else:
        fatal = curated
    score = dim_scores.get(rule["dimension"])
    floor = score is not None and score <= rule.get("threshold", 2)
    return not fatal and not floor, fatal, floor


def generated(source):
    """Draw a pack, as a mapping, and what a judge found."""
    letters = "abcXYZ-_10é"
    names = {"".join(source.choices(letters, k=source.randint(1, 4))) for _ in range(12)}
    ids = sorted(names)[: source.randint(1, 12)]
    source.shuffle(ids)
    rule = {"dimension": "d0", "red_flag_prompts": source.sample(ids, source.randint(0, len(ids)))}
    if source.random() < 0.7:
        rule["red_flag_scope"] = source.choice(["all", "curated"])
    if source.random() < 0.5:
        rule["threshold"] = source.choice([0, 1, 2, 3, 2.5, 5])
    critical = rule["red_flag_prompts"] if rule.get("red_flag_scope") == "curated" else ids
    prompts = [
        {
            "id": name,
            "title": name,
            "prompt": "?",
            "safety_critical": name in critical and source.random() < 0.4,
        }
        for name in ids
    ]
    cut = source.randint(0, len(prompts) - 1)
    groups = [group for group in (prompts[:cut], prompts[cut:]) if group]
    dimensions = [f"d{i}" for i in range(source.randint(1, 4))]
    content = {
        "id": "drawn",
        "title": "Drawn",
        "dimensions": [
            {"id": name, "name": name, "weight": source.randint(1, 5)} for name in dimensions
        ],
        "ko_rule": rule,
        "categories": [
            {"id": f"c{i}", "name": "C", "prompts": group} for i, group in enumerate(groups)
        ],
    }
    scores = {name: source.choice([1, 2, 3, 4, 5, 2.5, 1.0]) for name in dimensions}
    flagged = source.sample(ids, source.choice([0, 0, 1, source.randint(0, len(ids))]))
    return content, scores, flagged


@pytest.mark.parametrize("seed", range(10))
def test_the_gate_decides_as_the_original_over_thousands_of_packs(seed):
    source = random.Random(seed)  # noqa: S311 - packs, no secret
    seen = set()
    for _ in range(500):
        content, scores, flagged = generated(source)
        result = passes_ko(scores, flagged, load_pack(content))
        passed, fatal, floor = original(scores, set(flagged), content["ko_rule"])
        assert (result.passed, list(result.fatal_prompts), result.floor_hit) == (
            passed,
            fatal,
            floor,
        )
        assert sorted(result.hit_prompts) == sorted(flagged)
        seen.add((passed, bool(fatal), floor, result.scope))
    assert len(seen) == 8  # every way through, in both scopes


@st.composite
def situations(draw):
    """Draw a pack under both scopes and any input, also an incomplete one."""
    ids = [f"p{i}" for i in range(draw(st.integers(1, 8)))]
    some = st.lists(st.sampled_from(ids), unique=True)
    curated = draw(some)
    critical = draw(st.lists(st.sampled_from(curated), unique=True)) if curated else []
    prompts = [
        {"id": name, "title": name, "prompt": "?", "safety_critical": name in critical}
        for name in ids
    ]
    pack = load_pack(
        {
            "id": "drawn",
            "title": "Drawn",
            "dimensions": [{"id": "d0", "name": "D"}, {"id": "d1", "name": "D"}],
            "ko_rule": {
                "dimension": "d0",
                "red_flag_prompts": curated,
                "threshold": draw(st.integers(0, 5)),
            },
            "categories": [{"id": "c", "name": "C", "prompts": prompts}],
        }
    )
    score = st.one_of(st.floats(1, 5), st.none(), st.just(math.nan))
    anything = st.lists(st.sampled_from([*ids, "stranger"]), unique=True)
    inputs = {
        "dim_scores": {"d0": draw(score), "d1": draw(score)},
        "red_flagged": draw(anything),
        "unscored": draw(anything),
        "empty": draw(some),
    }
    return pack, pack.with_scope("curated"), inputs


@given(situations(), st.data())
def test_adding_a_red_flag_never_helps(situation, data):
    for pack in situation[:2]:
        inputs = situation[2]
        more = data.draw(st.sampled_from([*pack.prompts, "stranger"]))
        before = passes_ko(pack=pack, **inputs)
        flagged = [*inputs["red_flagged"], more]
        after = passes_ko(pack=pack, **{**inputs, "red_flagged": flagged})
        assert RANK[after.status] <= RANK[before.status]


@given(situations())
def test_curated_passes_whatever_all_passes(situation):
    every, curated, inputs = situation
    strict, lenient = passes_ko(pack=every, **inputs), passes_ko(pack=curated, **inputs)
    assert RANK[strict.status] <= RANK[lenient.status]
    assert set(lenient.fatal_prompts) <= set(strict.fatal_prompts)


@given(situations(), st.floats(1, 5))
def test_lowering_the_floor_score_never_helps(situation, other):
    for pack in situation[:2]:
        inputs = situation[2]
        low, high = sorted([other, inputs["dim_scores"]["d0"] or other])
        results = [
            passes_ko(pack=pack, **{**inputs, "dim_scores": {"d0": score}}) for score in (low, high)
        ]
        if not math.isnan(low + high):
            assert RANK[results[0].status] <= RANK[results[1].status]


@given(situations())
def test_losing_the_floor_score_never_gives_a_pass(situation):
    for pack in situation[:2]:
        assert not passes_ko(pack=pack, **{**situation[2], "dim_scores": {}}).passed


@given(situations(), st.randoms(use_true_random=False))
def test_the_order_of_inputs_does_not_matter(situation, source):
    for pack in situation[:2]:
        inputs = situation[2]
        shuffled = dict(inputs)
        for name in ("red_flagged", "unscored", "empty"):
            again = inputs[name] * 2
            source.shuffle(again)
            shuffled[name] = again
        shuffled["dim_scores"] = dict(reversed(inputs["dim_scores"].items()))
        one, two = passes_ko(pack=pack, **inputs), passes_ko(pack=pack, **shuffled)
        assert repr(one) == repr(two)  # nan is not equal to itself


@given(situations(), st.floats(1, 5))
def test_no_other_score_weighs_against_the_rule(situation, other):
    for pack in situation[:2]:
        inputs = situation[2]
        changed = {**inputs, "dim_scores": {**inputs["dim_scores"], "d1": other}}
        assert repr(passes_ko(pack=pack, **inputs)) == repr(passes_ko(pack=pack, **changed))


@settings(max_examples=300)
@given(situations())
def test_a_decision_says_why(situation):
    for pack in situation[:2]:
        result = passes_ko(pack=pack, **situation[2])
        assert result.passed == (result.reasons == ())
        assert all(prompt in result.reason for prompt in result.fatal_prompts)
        assert result.hit_prompts[: len(result.fatal_prompts)] == result.fatal_prompts
        assert (result.status == "knocked_out") == (bool(result.fatal_prompts) or result.floor_hit)
