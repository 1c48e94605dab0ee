"""Files and mappings that only cost time or memory are refused, fast and in words."""

from __future__ import annotations

import os
import time

import pytest

from toolkit.errors import PackError
from toolkit.gate import load_pack

BOMB = "l0: &l0 [x, x]\n" + "".join(
    f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 9)}]\n" for i in range(1, 12)
)
MERGES = "l0: &l0 {x: 1}\n" + "".join(
    f"l{i}: &l{i} {{!!merge <<: [*l{i - 1}, *l{i - 1}]}}\n" for i in range(1, 30)
)
HEAD = "id: m\ntitle: M\ndimensions: [{id: s, name: S}]\n"
ONE = "categories: [{id: c, name: C, prompts: [{id: p1, title: T, prompt: Q}]}]\n"
COLLIDING = [i * (2**61 - 1) for i in range(1, 4_900)]  # all of one hash


def flow(form, number):
    return f"[{', '.join(form.format(i) for i in range(number))}]"


def similar(word):
    prompts = flow(f"{{{{id: {word}_{{}}, title: T, prompt: Q}}}}", 1_400)
    rule = f"ko_rule: {{dimension: s, red_flag_prompts: [{word}_x]}}\n"
    return f"{HEAD}{rule}categories: [{{id: c, name: C, prompts: {prompts}}}]\n"


RULE = "ko_rule: {dimension: s}\n"
HOSTILE = {
    "keys of one hash": ("\n".join(f"{key}: a" for key in COLLIDING), "at most 15 digits"),
    "levels of one hash": (
        HEAD + ONE + RULE + "scale:\n" + "".join(f"  {key}: a\n" for key in COLLIDING),
        "at most 15 digits",
    ),
    "many levels": (
        HEAD + ONE + RULE + "scale:\n" + "".join(f"  {key}: a\n" for key in range(4_900)),
        "'scale' is not valid",
    ),
    "many keys": ("\n".join(f"{key}: a" for key in range(4_900)), "unknown key '0'"),
    "many red_flag_prompts": (
        f"{HEAD}{ONE}ko_rule: {{dimension: s, red_flag_prompts: {flow('p{}', 9_900)}}}",
        "no such prompt",
    ),
    "a red_flag_prompt twice after many": (
        f"{HEAD}{ONE}ko_rule: {{dimension: s, red_flag_prompts: {flow('p{}', 9_900)[:-1]}, p0]}}",
        "duplicate id",
    ),
    "similar ids": (similar("prompt_number"), "did you mean"),
    "similar long ids": (similar("ab" * 50), "no such prompt"),
    "a threshold beyond floats": (
        f"{HEAD}{ONE}ko_rule: {{dimension: s, threshold: {'9' * 400}}}",
        "at most 15 digits",
    ),
    "alias bomb": (BOMB, "unfolds without end"),
    "many aliases": ("a: &a [x]\nb: [" + "*a, " * 200 + "*a]", "too many aliases"),
    "aliases in a circle": ("a: &a [*a]", "unfolds without end"),
    "merge bomb": (MERGES, "tag"),
    "tag of Python": ("!!python/object/apply:os.system ['true']", "tag"),
    "tag of its own": ("id: !secret x", "tag"),
    "nested lists": ("a: " + "[" * 200_000, "too deeply"),
    "nested mappings": ("a: " + "{a: " * 50_000, "too deeply"),
    "nested blocks": ("- " * 100_000, "too deeply"),
    "nested by indentation": ("".join(" " * i + "a:\n" for i in range(700)), "too deeply"),
    "many values": ("- a\n" * 70_000, "too many values"),
    "no mapping": ("- a\n", "a pack is a mapping"),
    "empty": ("", "a pack is a mapping"),
    "two documents": ("id: a\n---\nid: b\n", "not valid YAML"),
    "a key twice": ("id: a\nid: b\n", "twice"),
    "a long number": ("version: " + "9" * 100_000, "at most 15 digits"),
    "a broken quote": ('title: "open', "not valid YAML"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_yaml_is_refused_within_a_second_with_a_clear_error(name, tmp_path):
    text, words = HOSTILE[name]
    path = tmp_path / "pack.yaml"
    path.write_text(text)
    start = time.process_time()  # of this process, whatever else the machine does
    with pytest.raises(PackError, match=words) as caught:
        load_pack(path)
    assert time.process_time() - start < 1
    assert "pack.yaml" in caught.value.where


def test_50_megabytes_are_refused_unread(tmp_path):
    path = tmp_path / "pack.yaml"
    path.write_bytes(b"a: b\n" * 10_000_000)
    start = time.process_time()
    with pytest.raises(PackError, match="too large"):
        load_pack(path)
    assert time.process_time() - start < 0.1


@pytest.mark.parametrize("name", ["missing.yaml", ".", "a\0b"])
def test_what_can_t_be_read_is_named(name, tmp_path):
    with pytest.raises(PackError, match="can't be read"):
        load_pack(f"{tmp_path}/{name}")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pack.yaml")
    with pytest.raises(PackError, match="no regular file"):
        load_pack(tmp_path / "pack.yaml")


def test_a_file_that_is_not_utf8_is_named(tmp_path):
    path = tmp_path / "pack.yaml"
    path.write_bytes("title: Büro".encode("latin-1"))
    with pytest.raises(PackError, match="not UTF-8"):
        load_pack(path)


def deep(levels):
    nested = []
    for _ in range(levels):
        nested = [nested]
    return nested


def test_a_mapping_meets_the_same_limits(content):
    circle = dict(content)
    circle["categories"] = [circle]
    for bad, words in (
        (circle, "too deeply"),
        ({**content, "categories": deep(100_000)}, "too deeply"),
        ({**content, "categories": ["x"] * 100_000}, "too many values"),
        ({**content, "title": "cut \ud83d"}, "half a character"),
        ({**content, "version": 10**400}, "at most 15 digits"),
        ({10**5_000: 1}, "at most 15 digits"),
        ({}, "is missing"),
    ):
        with pytest.raises(PackError, match=words):
            load_pack(bad)


def test_a_file_and_its_mapping_give_one_pack(content, tmp_path):
    import yaml  # noqa: PLC0415 - only here

    path = tmp_path / "pack.yaml"
    path.write_text(yaml.safe_dump(content))
    assert load_pack(path) == load_pack(str(path)) == load_pack(content)


def test_an_error_in_a_file_names_file_pack_and_field(content, tmp_path):
    import yaml  # noqa: PLC0415 - only here

    content["ko_rule"]["dimension"] = "safty"
    path = tmp_path / "pack.yaml"
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(PackError) as caught:
        load_pack(path)
    assert caught.value.where == "pack.yaml, pack 'mine', ko_rule.dimension"
