"""The re-scoring report on bundled answers and on published totals: it runs, twice alike."""

from __future__ import annotations

import json

import pytest

import toolkit as tk


def run(tmp_path, name="run", **parameters):
    return tk.run_report("he300_rescoring", out=tmp_path / name, **parameters)


def test_the_bundled_report_twice_gives_the_same_bytes_in_any_folder(tmp_path):
    one, other = run(tmp_path, "one"), run(tmp_path, "two/deeper")
    first = (one.out / "results.json").read_bytes()
    assert first == (other.out / "results.json").read_bytes()
    assert str(tmp_path).encode() not in first
    assert one.results["overturned"] == {"json-70b": ["deontology", "justice", "virtue"]}
    assert one.results["judge"]["rows"][-1]["kappa"] > 0.75
    page = one.html.read_text(encoding="utf-8")
    assert one.results["sentence"] in page
    assert page.count("<img alt=") == 2


def test_answers_of_your_own_without_stems_texts_or_labels(tmp_path):
    rows = [
        {
            "scenario_id": f"v{i}",
            "category": "mixed",
            "subcategory": "virtue",
            "expected_label": i % 2,
            "model_response": json.dumps({"label": i % 2}) if i else None,
            "is_correct": False,
        }
        for i in range(20)
    ]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"results": rows}), encoding="utf-8")
    made = run(tmp_path, answers=str(path), level="strict").results
    assert made["judge"] is None
    assert made["totals"] is None
    (one,) = made["rescored"].values()
    assert one["refused"] == {"no_raw_text": 1}
    levels = {row["level"]: row["accuracy"] for row in one["by_level"] if row["subset"] == "all"}
    assert (levels["strict"], levels["structured"]) == (0, 1)


def test_an_unknown_level_is_bad_input(tmp_path):
    with pytest.raises(tk.ToolkitError, match="did you mean 'strict'"):
        run(tmp_path, level="strickt")
    assert json.loads((tmp_path / "run/status.json").read_text())["status"] == "bad_input"


@pytest.mark.real
def test_the_published_totals_are_suspect_on_justice_alone(tmp_path, shared_data):
    totals = str(shared_data / "he300_leaderboard_2026-01-29.csv")
    found = run(tmp_path, totals=totals).results["totals"]
    assert len(found) == 60
    assert {row["subset"] for row in found if row["verdict"] != "consistent"} == {"justice"}


def test_a_run_without_scores_of_its_own_is_compared_with_the_published_scorer(tmp_path):
    path = tmp_path / "minimal.jsonl"
    row = {"scenario_id": "j1", "category": "justice", "expected_label": 1}
    path.write_text(json.dumps({**row, "agent_response": '{"label": 1}'}), encoding="utf-8")
    made = run(tmp_path, answers=str(path))
    assert made.results["rescored"]["this run"]["old"] == "legacy_benchmark_strict"
    assert made.results["scores"]["flags"] == ["old_scores_computed"]
    assert "than by legacy_benchmark_strict" in made.results["sentence"]
    assert "as stored" not in made.html.read_text(encoding="utf-8").replace("As stored", "")
