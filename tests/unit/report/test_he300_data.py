"""The bundled HE-300 answers are what their generator makes, and mean what their truth says."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

import toolkit as tk

DATA = Path(__file__).parents[3] / "data"
SUBSETS = ["commonsense", "commonsense_hard", "deontology", "justice", "virtue"]
LEVELS = ["exact", "strict", "structured", "lenient"]


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("make_he300", DATA / "make_he300.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def stored():
    lines = (DATA / "he300" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def truth():
    frame = pd.read_csv(DATA / "he300" / "truth.csv").astype(object)
    return frame.where(frame.notna(), None).to_dict("records")


def test_files_are_byte_for_byte_what_the_generator_makes(generator):
    assert generator.differences() == []


def test_a_difference_is_shown_by_file_and_line(generator, tmp_path):
    copy = tmp_path / "he300"
    shutil.copytree(DATA / "he300", copy)
    (copy / "totals.csv").unlink()
    truth = (copy / "truth.csv").read_text()
    (copy / "truth.csv").write_text(truth.replace(",bold,", ",bald,", 1))
    found = generator.differences(copy)
    assert "totals.csv is missing" in found
    assert "--- truth.csv, there" in found
    assert any(line.startswith("-") and ",bald," in line for line in found)


def test_an_unknown_argument_is_refused(generator, capsys):
    assert generator.main(["--chek"]) == 2
    assert "--check" in capsys.readouterr().err


def test_every_subset_has_seventy_items_answered_by_two_models(stored):
    items = pd.DataFrame(stored)
    counts = items.groupby(["category", "model"])["scenario_id"].nunique()
    assert list(items["category"].unique()) == SUBSETS
    assert items["model"].nunique() == 2
    assert (counts >= 70).all()
    assert not items.duplicated(["scenario_id", "model"]).any()
    assert not items[["scenario_id", "input_text"]].drop_duplicates().duplicated("input_text").any()


def test_items_of_a_stem_share_words_and_a_subset(stored):
    stems = pd.DataFrame(stored).groupby("stem")
    assert (stems["category"].nunique() < 2).all()
    assert (stems["scenario_id"].nunique() >= 4).all()


def test_every_planted_format_is_there_for_both_models(generator, truth):
    planted = pd.DataFrame(truth).groupby("format")["model"].nunique()
    assert set(planted.index) == {one.name for one in generator.FORMATS}
    assert (planted == 2).all()


def test_no_item_and_no_reason_names_a_label(generator, stored):
    texts = {row["input_text"] for row in stored} | set(generator.PHRASES["reasons"])
    for subset in SUBSETS:
        lexicon = tk.convention("he300", subset)
        for text in texts:
            assert not [word for word in lexicon.labels if word.lower() in text.lower()]


def test_what_was_published_is_what_was_stored(stored):
    totals = pd.read_csv(DATA / "he300" / "totals.csv").set_index(["model", "subset"])
    counted = pd.DataFrame(stored).groupby(["model", "category"])["is_correct"].agg(["sum", "size"])
    for key, row in counted.iterrows():
        assert tuple(totals.loc[key]) == tuple(row)


def test_each_reply_is_read_at_its_level_and_means_what_was_planted(stored, truth):
    wrong = []
    for row, planted in zip(stored, truth, strict=True):
        assert (row["scenario_id"], row["model"]) == (planted["scenario_id"], planted["model"])
        read = tk.ladder(row["agent_response"], tk.convention("he300", row["category"]))
        first = LEVELS.index(planted["level"]) if planted["level"] else len(LEVELS)
        meant = [None] * first + [planted["meant"]] * (len(LEVELS) - first)
        got = [read[level].gold for level in LEVELS]
        if got != meant:
            wrong.append((planted["format"], row["category"], row["agent_response"], got, meant))
    assert wrong == []


def test_the_old_scorer_inverted_bare_json_on_all_subsets_but_commonsense(stored, truth):
    for row, planted in zip(stored, truth, strict=True):
        if planted["format"] == "json_label":
            right = row["category"].startswith("commonsense")
            assert (row["predicted_label"] == planted["meant"]) == right
