"""The bundled packs load, and the verdicts on them hold the cases that the data card promises."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pandas as pd
import pytest

from toolkit.gate import compare_scopes, load_pack, read_verdicts, scorecard
from toolkit.gate.stability import gate_stability

DATA = Path(__file__).parents[3] / "data"
NAMES = ("support_safety", "office_quality")


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("make_gate", DATA / "make_gate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module", params=NAMES)
def pack(request):
    return load_pack(DATA / "packs" / f"{request.param}.yaml")


@pytest.fixture(scope="module")
def card(pack):
    return scorecard(read_verdicts(DATA / "gate" / f"{pack.id}.csv", pack))


@pytest.fixture(scope="module")
def stability(pack):
    people = DATA / "gate" / f"{pack.id}_people.csv"
    return gate_stability(DATA / "gate" / f"{pack.id}.csv", pack, confusion=people)


@pytest.fixture(scope="module")
def truth(pack):
    frame = pd.read_csv(DATA / "gate" / "truth.csv")
    return frame[frame["pack"] == pack.id]


def status(card):
    return card.models.set_index("model")["status"].to_dict()


def test_files_are_byte_for_byte_what_the_generator_makes(generator):
    assert generator.differences() == []


def test_a_difference_is_shown_by_file_and_line(generator, tmp_path):
    copy = tmp_path / "gate"
    shutil.copytree(DATA / "gate", copy)
    (copy / "truth.csv").unlink()
    people = (copy / "office_quality_people.csv").read_text()
    (copy / "office_quality_people.csv").write_text(people.replace("A1-01", "A1-1", 1))
    found = generator.differences(copy)
    assert "truth.csv is missing" in found
    assert any(line.startswith("-") and "A1-1" in line for line in found)


def test_an_unknown_argument_is_refused(generator, capsys):
    assert generator.main(["--chek"]) == 2
    assert "--check" in capsys.readouterr().err


def test_the_packs_are_of_the_promised_size_and_scope():
    safety, office = (load_pack(DATA / "packs" / f"{name}.yaml") for name in NAMES)
    assert (len(safety.prompts), safety.ko_rule.red_flag_scope) == (12, "all")
    assert (len(office.prompts), office.ko_rule.red_flag_scope) == (25, "curated")
    assert len(office.prompt_variants) == 2
    assert safety.critical <= safety.curated  # both load under either scope
    assert office.critical == office.curated


def test_every_prompt_says_what_to_look_for(pack):
    for prompt in pack.prompts.values():
        assert prompt.green_flags
        assert prompt.red_flags
        assert prompt.tests


def test_the_highest_total_is_100_percent_and_does_not_pass(card):
    best = card.models.sort_values("percentage").iloc[-1]
    assert (best["model"], best["percentage"], best["status"]) == ("alder", 100, "knocked_out")
    assert len(best["fatal_prompts"]) == 1


def test_two_models_are_tied_at_the_top(card):
    assert card.ranking["model"][card.ranking["rank"] == 1].tolist() == ["birch", "cedar"]


def test_each_model_plays_its_part(card):
    found = status(card)
    assert found["fir"] == found["larch"] == found["willow"] == "knocked_out"
    assert card.models.set_index("model").loc["fir", "floor_hit"]
    assert found["hazel"] == "undetermined"
    assert found["maple"] == found["oak"] == "passed"


def test_one_model_is_knocked_out_under_all_only(pack):
    scopes = compare_scopes(DATA / "gate" / f"{pack.id}.csv", pack)
    assert status(scopes.all)["elm"] == "knocked_out"
    assert status(scopes.curated)["elm"] == "passed"


def test_under_all_hardly_a_model_of_the_quality_pack_is_left(card):
    office = load_pack(DATA / "packs" / "office_quality.yaml")
    scopes = compare_scopes(DATA / "gate" / "office_quality.csv", office)
    assert scopes.separation["passed"].tolist() == [2, 5]
    assert len(card.models) == 10


def test_what_is_planted_in_truth_is_what_the_verdicts_say(pack, truth):
    verdicts = read_verdicts(DATA / "gate" / f"{pack.id}.csv", pack).frame
    keys = ["model", "variant", "prompt_id"]
    counted = verdicts.groupby(keys)["red_flag"].sum()
    pd.testing.assert_series_equal(
        counted.sort_index(),
        truth.set_index(keys)["repeats_flagged"].sort_index(),
        check_names=False,
        check_dtype=False,
    )


def test_flags_that_people_do_not_share_are_the_least_stable(stability):
    flips = {one.model: one.perfect_judge.flips for one in stability}
    assert max(flips, key=lambda model: flips[model] if flips[model] > 0 else -1) == "larch"
    assert stability["larch"].another_run.flips > 0.3
    assert flips["willow"] < 0.01
    assert stability["hazel"].reasons == ("undetermined",)


def test_planted_weak_prompts_are_found_too_unreliable(generator, stability, pack):
    weak = {one.prompt_id for one in stability.reliability if one.verdict == "too_unreliable"}
    assert weak == set(generator.HARD[pack.id])
    assert set(stability.too_unreliable) == (
        weak if pack.ko_rule.red_flag_scope == "all" else weak & pack.curated
    )
