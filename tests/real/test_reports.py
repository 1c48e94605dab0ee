"""The report on bundled and on real labels: it runs, says what holds, and gives the same bytes."""

from __future__ import annotations

import json

import pytest

import toolkit as tk

SCALE = "default: {kind: ordinal, categories: [1, 2, 3, 4, 5], present: [1, 2, 3]}\n"


def run(tmp_path, name="run", **parameters):
    return tk.run_report("construct_diagnosis", out=tmp_path / name, **parameters)


def test_the_bundled_report_twice_gives_the_same_bytes_in_any_folder(tmp_path):
    one, other = run(tmp_path, "one"), run(tmp_path, "two/deeper")
    assert one.status == "ok"
    first = (one.out / "results.json").read_bytes()
    assert first == (other.out / "results.json").read_bytes()
    assert str(tmp_path).encode() not in first
    assert one.results["verdict"]["status"] == "lower"
    assert (one.results["verdict"]["low"], one.results["verdict"]["high"]) == (
        "escalation",
        "self_harm",
    )
    json.loads(first, parse_constant=pytest.fail)
    assert json.loads(one.notebook.read_text(encoding="utf-8"))["cells"]


@pytest.mark.real
@pytest.mark.parametrize("judge", ["claude-3-7-sonnet", "gpt-4o"])
def test_mentalalign_with_quadratic_weights_and_conversations(tmp_path, shared_data, judge):
    (tmp_path / "schema.yaml").write_text(SCALE, encoding="utf-8")
    options = {
        "labels": str(shared_data / "mentalalign_dev.csv.gz"),
        "schema": str(tmp_path / "schema.yaml"),
        "judge": judge,
        "weights": "quadratic",
        "cluster": "item_id:|",
        "draws": 2_000,
    }
    made = run(tmp_path, low="empathy", high="safety", **options)
    contrast = made.results["contrast"]
    assert made.results["verdict"]["status"] == "lower"
    assert contrast["n_calls"] > 4_900
    assert contrast["low"] > 0
    assert "same_call_assumed" not in contrast["flags"]
    if judge == "gpt-4o":
        again = run(tmp_path, "again", low="empathy", high="safety", **options)
        assert (made.out / "results.json").read_bytes() == (again.out / "results.json").read_bytes()


@pytest.mark.real
def test_convabuse_one_person_against_another(tmp_path, shared_data):
    made = run(
        tmp_path,
        labels=str(shared_data / "convabuse.csv.gz"),
        judge="Annotator2",
        reference="Annotator4",
        low="severity",
        high="abusive",
    )
    assert made.results["contrast"]["names"] == ["severity", "abusive"]
    assert made.results["agreement"]["reference"] == "Annotator4"
    undefined = [
        one["construct"] for one in made.results["agreement"]["constructs"] if one["kappa"] is None
    ]
    assert undefined
    assert "both_constant" in str(made.results["agreement"]["constructs"])


@pytest.mark.real
def test_humanebench_has_uneven_coverage_and_no_shared_call(tmp_path, shared_data):
    made = run(tmp_path, labels=str(shared_data / "humanebench.csv.gz"), judge="gpt-5.1")
    assert made.results["verdict"]["status"] == "undefined"
    assert made.results["contrast"]["reasons"] == ["no_shared_calls"]
    assert "same-call contrast" in [one["check"] for one in made.results["not_run"]]
