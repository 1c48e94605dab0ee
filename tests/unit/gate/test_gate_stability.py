from __future__ import annotations

import json
import math
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.errors import GateError
from toolkit.gate import load_pack, passes_ko, read_verdicts
from toolkit.gate.ko import STATUSES
from toolkit.gate.stability import gate_stability
from toolkit.gate.stability_draws import another_run, floor_noise
from toolkit.gate.stability_models import priors_by_model
from toolkit.gate.stability_rates import common_prior, rates
from toolkit.gate.stability_rule import decide, disqualifying
from toolkit.gate.stability_seen import seen_in

PROMPTS = ("p1", "p2", "p3", "p4")


def judged(model, hits=(), *, repeats=3, safety=(5,), tone=3, variant="none", unscored=()):
    """Verdict rows of one model; `hits`: prompt -> repeats flagged."""
    hits = dict(hits)
    verdicts = [
        {
            "model": model,
            "variant": variant,
            "prompt_id": prompt,
            "repeat": repeat,
            "score": None if prompt in unscored else 4,
            "red_flag": None if prompt in unscored else repeat <= hits.get(prompt, 0),
        }
        for prompt in PROMPTS
        for repeat in range(1, repeats + 1)
    ]
    scores = [("safety", number, score) for number, score in enumerate(safety, 1)]
    return verdicts + [
        {"model": model, "variant": variant, "dimension": name, "repeat": number, "score": score}
        for name, number, score in [*scores, ("tone", 1, tone)]
    ]


def calm(number, **options):
    return [row for place in range(number) for row in judged(f"calm{place}", **options)]


@pytest.fixture
def critical(content):
    for category in content["categories"]:
        for prompt in category["prompts"]:
            prompt["safety_critical"] = prompt["id"] in ("p1", "p3")
            prompt["repeats"] = 3
    return load_pack(content)


@given(data=st.data())
def test_the_rule_over_draws_is_that_of_passes_ko(data):
    number = data.draw(st.integers(1, 6))
    names = [f"p{place}" for place in range(number)]
    chosen = data.draw(st.sets(st.sampled_from(names)))
    scope = data.draw(st.sampled_from(["all", "curated"]))
    pack = load_pack(
        {
            "id": "any",
            "title": "Any",
            "dimensions": [{"id": "safety", "name": "Safety"}],
            "ko_rule": {
                "dimension": "safety",
                "threshold": data.draw(st.sampled_from([1, 2, 2.5, 3])),
                "red_flag_scope": scope,
                "red_flag_prompts": sorted(chosen),
            },
            "categories": [
                {
                    "id": "c",
                    "name": "C",
                    "prompts": [
                        {
                            "id": name,
                            "title": name,
                            "prompt": name,
                            "safety_critical": name in chosen,
                        }
                        for name in names
                    ],
                }
            ],
        }
    )
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    flagged = rng.random((60, number)) < 0.25
    floor = rng.choice([1, 1.5, 2, 2.5, 3, 4.2, np.nan], 60)
    unscored = data.draw(st.sets(st.sampled_from(names)))
    empty = data.draw(st.sets(st.sampled_from(names)))
    curated = np.array([name in pack.curated for name in names])
    for row, score in zip(flagged, floor, strict=True):
        hit = [name for name, there in zip(names, row, strict=True) if there]
        result = passes_ko({"safety": score}, hit, pack, unscored, empty)
        doubt = bool((unscored | empty) & pack.critical) or math.isnan(score)
        fatal = disqualifying(row[None, :], curated, scope)
        decided = decide(fatal, np.array([score <= pack.ko_rule.threshold]), in_doubt=doubt)
        assert STATUSES[decided.status[0]] == result.status
        causes = [*result.fatal_prompts, *["floor"] * result.floor_hit]
        sole = decided.sole[0]
        assert (sole >= 0) == (len(causes) == 1)
        if sole >= 0:
            assert causes == [[*names, "floor"][sole]]


def test_a_flag_that_the_judge_raised_once_in_three_is_less_stable_than_one_raised_always(pack):
    rows = [*calm(6), *judged("once", {"p1": 1}), *judged("always", {"p1": 3})]
    found = gate_stability(rows, pack)
    assert found["once"].status == found["always"].status == "knocked_out"
    assert found["once"].another_run.flips > 0.15 + found["always"].another_run.flips
    assert found["always"].another_run.flips < 0.1


def test_the_two_questions_need_their_own_data_and_say_what_is_missing(pack):
    found = gate_stability(calm(2, repeats=1), pack)
    assert found.reasons == ("another_run:no_repeats", "perfect_judge:no_people")
    assert math.isnan(found["calm0"].another_run.flips)
    assert math.isnan(found["calm0"].perfect_judge.flips)
    assert found["calm0"].reasons == found.reasons
    people = gate_stability(calm(2, repeats=1), pack, confusion=[[8, 2], [1, 89]])
    assert people.reasons == ("another_run:no_repeats",)
    assert people["calm0"].perfect_judge.flips > 0


def test_one_table_for_all_prompts_has_the_posterior_of_jeffreys(pack):
    table = np.array([[18, 4], [2, 76]])
    rows = [*judged("flagged", {"p1": 3}), *judged("clean")]
    found = gate_stability(rows, pack, confusion=table, draws=200_000)
    one = {(p.model, p.prompt_id): p for p in found.flag_probabilities}
    # Mean of Beta(18.5, 2.5) and of Beta(4.5, 76.5).
    assert one["flagged", "p1"].perfect_judge == pytest.approx(18.5 / 21, abs=0.003)
    assert one["clean", "p1"].perfect_judge == pytest.approx(4.5 / 81, abs=0.003)


def test_the_prompt_that_alone_disqualifies_is_named_with_its_share(curated):
    found = gate_stability([*calm(5), *judged("m", {"p1": 2, "p2": 3})], curated)
    sole = found["m"].another_run.sole
    assert next(iter(sole)) == "p1"
    assert "p2" not in sole
    assert sole["p1"] <= found["m"].another_run.knocked_out
    assert found["m"].another_run.passes == pytest.approx(found["m"].another_run.flips)


def test_the_floor_varies_with_its_repeats_and_stays_without_them(pack):
    steady = gate_stability([*calm(4), *judged("low", safety=(2,))], pack)
    assert steady["low"].another_run.flips == 0
    assert steady["low"].another_run.sole["floor:safety"] > 0.8
    assert "floor_not_repeated" in steady.flags
    rows = [*calm(4, safety=(4, 4, 5)), *judged("low", safety=(2, 2, 3))]
    varied = gate_stability(rows, pack)
    assert varied.flags == ("few_repeats:20",)
    assert varied["low"].status == "passed"
    assert 0.05 < varied["low"].another_run.flips < 0.5
    never = gate_stability([*calm(4, safety=(4, 4)), *judged("low", safety=(2, 2))], pack)
    assert never.flags == ("floor_never_varied", "few_repeats:20")


def test_the_mean_of_whole_scores_stays_on_their_grid_and_on_the_scale(pack):
    rows = [*calm(3, safety=(5, 5, 3)), *judged("low", safety=(1, 2, 3))]
    seen = seen_in(read_verdicts(rows, pack), pack)
    assert floor_noise(seen).variance == pytest.approx((3 * 8 / 3 + 2) / 8)
    runs = list(another_run(seen, pack, 2_000, np.random.default_rng(1)))
    for run in runs:
        np.testing.assert_allclose(run.floor * 3, np.rint(run.floor * 3))
        assert run.floor.min() >= 1
        assert run.floor.max() <= 5
    assert len(np.unique(runs[-1].floor)) > 3


def test_an_undetermined_model_has_no_decision_that_could_flip(critical):
    rows = [
        *calm(3),
        *judged("open", unscored=("p1",)),
        *judged("out", {"p2": 3}, unscored=("p1",)),
    ]
    found = gate_stability(rows, critical, confusion=[[8, 2], [1, 89]])
    one = found["open"]
    assert one.status == "undetermined"
    assert one.reasons == ("undetermined",)
    assert math.isnan(one.another_run.flips)
    assert one.another_run.passes == 0
    assert found["out"].status == "knocked_out"
    assert found["out"].perfect_judge.passes == 0  # without p1 it would be undetermined
    cell = next(p for p in found.flag_probabilities if (p.model, p.prompt_id) == ("open", "p1"))
    assert cell.repeats == 0
    assert math.isnan(cell.perfect_judge)
    assert found.left_out["unscored"] == 6


def test_a_model_passes_in_a_draw_only_where_all_its_variants_pass(content):
    content["prompt_variants"] = [
        {"id": "none", "system_prompt": None},
        {"id": "careful", "system_prompt": "Be careful."},
    ]
    pack = load_pack(content)
    rows = [*calm(3), *calm(3, variant="careful")]
    rows += [*judged("m", {"p1": 1}), *judged("m", {"p2": 1}, variant="careful")]
    found = gate_stability(rows, pack)
    single = [one for one in found.variants if one.model == "m"]
    assert [one.variant for one in single] == ["none", "careful"]
    product = single[0].another_run.passes * single[1].another_run.passes
    assert found["m"].another_run.passes <= min(one.another_run.passes for one in single)
    assert found["m"].another_run.passes == pytest.approx(product, abs=0.05)


def test_the_same_seed_gives_the_same_numbers_whatever_the_order_of_the_rows(pack):
    rows = [*calm(3), *judged("m", {"p1": 1, "p4": 2}, safety=(3, 4))]
    mixed = [rows[place] for place in np.random.default_rng(3).permutation(len(rows))]
    one, other = (
        gate_stability(each, pack, seed=5, confusion=[[9, 1], [2, 88]]) for each in (rows, mixed)
    )
    assert one.to_dict() == other.to_dict()
    assert gate_stability(rows, pack, seed=6).to_dict() != gate_stability(rows, pack).to_dict()


def test_results_are_frozen_strict_json_and_frames(pack):
    found = gate_stability([*calm(2), *judged("m", {"p1": 1})], pack)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["models"][2]["perfect_judge"]["flips"] is None
    assert told["reasons"] == ["perfect_judge:no_people"]
    with pytest.raises(AttributeError):
        found.draws = 1
    frame = found.to_frame()
    assert list(frame["model"]) == ["calm0", "calm1", "m"]
    assert frame.loc[2, "decides_another_run"] == "p1"
    assert len(found.to_frame("variants")) == 3
    assert len(found.to_frame("flag_probabilities")) == 3 * len(PROMPTS)
    assert list(found.to_frame("reliability")["prompt_id"]) == list(PROMPTS)
    assert "m knocked_out, another_run flips" in repr(found)
    assert "perfect_judge:no_people" in found._repr_html_()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"draws": 10}, "draws"),
        ({"seed": -1}, "seed"),
        ({"level": 95}, "level"),
        ({"threshold": 60}, "threshold"),
        ({"threshold": "high"}, "threshold"),
    ],
)
def test_an_option_that_does_not_fit_is_refused(pack, options, said):
    with pytest.raises(GateError, match=said):
        gate_stability(calm(1), pack, **options)


def test_a_table_that_is_not_there_is_refused_with_the_allowed_names(pack):
    with pytest.raises(GateError, match="did you mean 'reliability'"):
        gate_stability(calm(1), pack).to_frame("reliabilty")


def test_groups_share_what_they_have_in_common():
    rng = np.random.default_rng(0)
    hits = np.array([0.0] * 57 + [3.0] * 3)
    trials = np.full(60, 3.0)
    prior = common_prior(hits, trials, 4_000, rng)
    drawn = rates(prior, np.array([0.0, 3.0, 0.0]), np.array([3.0, 3.0, 0.0]), rng)
    low, high, new = drawn.mean(axis=0)
    assert low < 0.03  # .125 by Jeffreys' prior alone
    assert high > 0.7
    assert new == pytest.approx(3 / 60, abs=0.04)
    assert np.isfinite(drawn).all()


def test_the_grid_gives_the_posterior_of_an_independent_sum():
    """Posterior mean of the mean rate, by brute force over another grid and another formula."""
    hits, trials = np.array([0, 1, 2, 0, 0, 4]), np.array([4, 4, 4, 3, 3, 4])
    share = (np.arange(400) + 0.5) / 400
    size = 1 / ((np.arange(150) + 0.5) / 150) - 1
    mean, size = np.meshgrid(share, size, indexing="ij")
    likelihood = np.ones(mean.shape)
    for k, n in zip(hits, trials, strict=True):  # a product in place of Beta functions
        for place in range(n):
            success = mean * size + place if place < k else (1 - mean) * size + place - k
            likelihood *= success / (size + place)
    weight = likelihood / np.sqrt(mean * (1 - mean))
    expected = (mean * weight).sum() / weight.sum()
    prior = common_prior(
        hits.astype(float), trials.astype(float), 100_000, np.random.default_rng(2)
    )
    assert (prior.a / (prior.a + prior.b)).mean() == pytest.approx(expected, abs=0.004)


def test_a_hundred_models_on_twenty_five_prompts_take_seconds(content):
    content["categories"] = [
        {
            "id": "c",
            "name": "C",
            "prompts": [
                {"id": f"p{n}", "title": "T", "prompt": "Q", "repeats": 3} for n in range(25)
            ],
        }
    ]
    content["ko_rule"]["red_flag_prompts"] = ["p1"]
    pack = load_pack(content)
    rng = np.random.default_rng(0)
    cells = [(f"m{m}", f"p{p}", r) for m in range(100) for p in range(25) for r in (1, 2, 3)]
    verdicts = pd.DataFrame(cells, columns=["model", "prompt_id", "repeat"])
    verdicts = verdicts.assign(score=4.0, red_flag=rng.random(len(verdicts)) < 0.02)
    scores = pd.DataFrame({"model": [f"m{m}" for m in range(100)], "dimension": "safety"})
    both = {"verdicts": verdicts, "dimensions": scores.assign(score=4.0)}
    start = time.process_time()
    gate_stability(both, pack, draws=2_000)
    assert time.process_time() - start < 10


def test_a_good_model_does_not_inherit_the_flags_of_a_bad_one():
    rng = np.random.default_rng(0)
    hits = np.zeros((8, 25))
    hits[0, ::2] = 1  # one model flickers, seven are never flagged
    trials = np.full(hits.shape, 3.0)
    bad, *good = priors_by_model(hits, trials, np.arange(8), 2_000, rng)
    means = [float((prior.a / (prior.a + prior.b)).mean()) for prior in (bad, *good)]
    alike = common_prior(hits.ravel(), trials.ravel(), 2_000, rng)
    pooled = float((alike.a / (alike.a + alike.b)).mean())
    assert max(means[1:]) < pooled / 2
    assert means[0] == pytest.approx(13 / 75, abs=0.05)


def test_models_that_are_alike_are_estimated_together():
    rng = np.random.default_rng(0)
    hits = np.zeros((30, 6))
    hits[::3, 0] = 3
    trials = np.full(hits.shape, 3.0)
    priors = priors_by_model(hits, trials, np.arange(30), 2_000, rng)
    means = [float((prior.a / (prior.a + prior.b)).mean()) for prior in priors]
    assert np.mean(means) == pytest.approx(10 / 180, abs=0.03)
    assert max(means) < 0.15  # alone 1 of 6 would be .17 or more
