from __future__ import annotations

import json

import pytest

from toolkit.errors import PackError
from toolkit.gate import Pack, load_pack


def refusal(content):
    with pytest.raises(PackError) as caught:
        load_pack(content)
    return caught.value


def test_a_pack_of_the_original_format_loads_unchanged(night_line, letters):
    assert night_line.ko_rule.red_flag_scope == "all"
    assert [variant.id for variant in night_line.prompt_variants] == ["none"]
    assert night_line.prompts["n1"].repeats == 3
    assert night_line.prompts["n2"].max_tokens is None
    assert night_line.sampling.temperature == 0.2
    assert letters.ko_rule.threshold == 2
    assert letters.sampling.seed == 42
    assert [variant.system_prompt is None for variant in letters.prompt_variants] == [True, False]


def test_defaults_are_those_of_the_format(pack):
    assert (pack.version, pack.ko_rule.threshold, pack.ko_rule.red_flag_scope) == (1, 2, "all")
    assert list(pack.scale) == [1, 2, 3, 4, 5]
    assert pack.weights == {"safety": 3, "tone": 1}
    prompt = pack.prompts["p1"]
    assert (prompt.repeats, prompt.safety_critical, prompt.format_strict) == (1, False, False)


def test_what_a_pack_gives_is_a_pack_again(night_line, letters):
    for pack in (night_line, letters):
        stored = json.loads(json.dumps(pack.to_dict(), allow_nan=False))
        assert load_pack(stored) == pack
        assert load_pack(pack) is pack
        assert Pack(**stored) == pack


def test_a_pack_is_frozen(pack):
    with pytest.raises(Exception, match="frozen"):
        pack.title = "Other"


@pytest.mark.parametrize("empty", [None, "gone"])
def test_a_pack_without_ko_rule_is_refused(content, empty):
    if empty is None:
        content["ko_rule"] = None
    else:
        del content["ko_rule"]
    assert "ko_rule" in refusal(content).where


UNKNOWN = [
    (lambda pack: pack, "ko_rules", "ko_rule", "ko_rules"),
    (lambda pack: pack["ko_rule"], "red_flag_scopes", "red_flag_scope", "ko_rule.red_flag_scopes"),
    (lambda pack: pack["dimensions"][1], "wieght", "weight", "dimensions[1].wieght"),
    (lambda pack: pack["categories"][1], "nam", "name", "categories[1].nam"),
    (
        lambda pack: pack["categories"][1]["prompts"][0],
        "repeat",
        "repeats",
        "categories[1].prompts[0].repeat",
    ),
]


@pytest.mark.parametrize(("part", "key", "meant", "path"), UNKNOWN)
def test_an_unknown_key_is_refused_with_a_hint_at_every_depth(content, part, key, meant, path):
    part(content)[key] = 1
    error = refusal(content)
    assert f"unknown key {key!r}, did you mean {meant!r}?" in error.what
    assert error.where == f"pack 'mine', {path}"
    assert meant in error.allowed


@pytest.mark.parametrize("key", ["variant", "sampling", "self", "data", "model_fields"])
def test_no_name_of_a_key_breaks_the_refusal(content, key):
    content["prompt_variants"] = [{"id": "none", key: 1}]
    assert f"unknown key {key!r}" in refusal(content).what


UNFIT = [
    ("categories[0].prompts[1].repeats", 0),
    ("categories[0].prompts[1].repeats", True),
    ("categories[0].prompts[1].repeats", "2"),
    ("categories[0].prompts[1].max_tokens", 1.5),
    ("categories[0].prompts[1].green_flags", "one text"),
    ("categories[0].prompts[1].red_flags", [1]),
    ("categories[0].prompts[1].safety_critical", "yes"),
    ("categories[0].prompts[1].prompt", " "),
    ("categories[0].prompts[1].id", 7),
    ("categories[0].prompts[1].id", " p2"),
    ("categories[0].prompts", []),
    ("categories[0].prompts", {}),
    ("categories[0]", None),
    ("categories", None),
    ("dimensions[0].weight", 0),
    ("dimensions[0].weight", 1.5),
    ("dimensions[0].name", None),
    ("dimensions", []),
    ("ko_rule.threshold", "2"),
    ("ko_rule.threshold", float("nan")),
    ("ko_rule.red_flag_scope", "Curated"),
    ("ko_rule.red_flag_scope", ["all"]),
    ("ko_rule.red_flag_scope", None),
    ("ko_rule.red_flag_prompts", "p1"),
    ("ko_rule.dimension", "safty"),
    ("prompt_variants", []),
    ("sampling.temperature", -1),
    ("sampling.seed", 1.0),
    ("sampling", []),
    ("scale", {1: "bad", 3: "good"}),
    ("scale", {1: "bad"}),
    ("scale", ["bad", "good"]),
    ("scale", {"low": "bad", "high": "good"}),
    ("version", 0),
    ("title", 5),
]


@pytest.mark.parametrize(("path", "value"), UNFIT)
def test_an_unfit_value_is_named_with_pack_field_value_allowed_and_example(content, path, value):
    target, steps = content, path.replace("[", ".").replace("]", "").split(".")
    content.setdefault("sampling", {})
    for step in steps[:-1]:
        target = target[int(step) if step.isdigit() else step]
    target[int(steps[-1]) if steps[-1].isdigit() else steps[-1]] = value
    error = refusal(content)
    assert error.where == f"pack 'mine', {path}"
    assert error.example
    assert error.allowed
    shown = "null" if value is None else repr(value)
    assert shown in str(error)


@pytest.mark.parametrize("key", ["id", "title", "dimensions", "ko_rule", "categories"])
def test_a_missing_field_is_named(content, key):
    del content[key]
    assert refusal(content).where.endswith(f", {key}")


@pytest.mark.parametrize("part", ["dimensions", "categories", "prompt_variants"])
def test_duplicate_ids_are_refused_with_both_places(content, part):
    content["prompt_variants"] = [{"id": "none"}]
    content[part].append(content[part][0])
    error = refusal(content)
    assert f"{part}[0] has it already" in error.what
    assert error.where.endswith(".id")


def test_a_prompt_id_is_unique_over_all_categories(content):
    content["categories"][1]["prompts"][1]["id"] = "p1"
    error = refusal(content)
    assert error.got == "p1"
    assert error.where == "pack 'mine', categories[1].prompts[1].id"


def test_unknown_and_repeated_prompts_in_red_flag_prompts_are_refused(content):
    content["ko_rule"]["red_flag_prompts"] = ["p1", "P2"]
    error = refusal(content)
    assert error.where == "pack 'mine', ko_rule.red_flag_prompts[1]"
    assert error.allowed == ["p1", "p2", "p3", "p4"]
    assert "did you mean 'p2'" in error.what
    content["ko_rule"]["red_flag_prompts"] = ["p1", "p1"]
    assert "duplicate" in refusal(content).what


def test_an_uncurated_safety_critical_prompt_refuses_to_load_under_curated_and_loads_under_all(
    content,
):
    content["categories"][0]["prompts"][1]["safety_critical"] = True
    assert load_pack(content).critical == {"p2"}
    content["ko_rule"]["red_flag_scope"] = "curated"
    error = refusal(content)
    assert "missing: p2" in error.what
    assert error.where == "pack 'mine', ko_rule.red_flag_prompts"
    assert error.example == "red_flag_prompts: [p3, p1, p2]"
    content["ko_rule"]["red_flag_prompts"].append("p2")
    assert load_pack(content).ko_rule.red_flag_scope == "curated"


def test_with_scope_is_checked_as_the_loader_checks(content):
    content["categories"][0]["prompts"][1]["safety_critical"] = True
    pack = load_pack(content)
    with pytest.raises(PackError, match="missing: p2"):
        pack.with_scope("curated")
    assert pack.with_scope("all") == pack


@pytest.mark.parametrize(("threshold", "flag"), [(0, "never"), (5, "always"), (2, None)])
def test_a_threshold_off_the_scale_is_flagged(content, threshold, flag):
    content["ko_rule"]["threshold"] = threshold
    assert load_pack(content).flags == ((f"floor_{flag}_fires",) if flag else ())


@pytest.mark.parametrize("source", [None, 5, ["a"], b"pack.yaml"])
def test_what_is_no_pack_is_named(source):
    assert "no pack" in refusal(source).what


def test_a_copy_of_a_pack_is_checked_like_a_new_one():
    spec = {
        "id": "mine",
        "title": "Mine",
        "dimensions": [{"id": "safety", "name": "Safety"}],
        "ko_rule": {"dimension": "safety"},
        "categories": [
            {
                "id": "c1",
                "name": "C",
                "prompts": [{"id": "k1", "title": "T", "prompt": "x", "safety_critical": True}],
            }
        ],
    }
    pack = load_pack(spec)
    rule = {"dimension": "safety", "red_flag_scope": "curated"}
    with pytest.raises(PackError, match="k1"):
        pack.model_copy(update={"ko_rule": rule})
    with pytest.raises(TypeError):
        pack.prompts["zz"] = None


def test_a_scale_without_a_score_above_zero_is_refused():
    scale = {-3: "poor", -2: "fair", -1: "good"}
    spec = {
        "id": "mine",
        "title": "Mine",
        "scale": scale,
        "dimensions": [{"id": "safety", "name": "Safety"}],
        "ko_rule": {"dimension": "safety", "threshold": -2},
        "categories": [
            {"id": "c1", "name": "C", "prompts": [{"id": "p1", "title": "T", "prompt": "x"}]}
        ],
    }
    with pytest.raises(PackError, match="scale"):
        load_pack(spec)
