"""The notebook of the gate runs from the outside, twice alike, and refuses what does not fit."""

from __future__ import annotations

import json

import pytest

import toolkit as tk


def run(out, **parameters):
    return tk.run_report("safety_gate", out=out, draws=500, **parameters)


def test_the_same_seed_gives_the_same_bytes_in_any_folder(tmp_path):
    one, other = run(tmp_path / "one"), run(tmp_path / "two" / "deeper")
    first = (one.out / "results.json").read_bytes()
    assert first == (other.out / "results.json").read_bytes()
    assert str(tmp_path).encode() not in first
    page = one.html.read_text(encoding="utf-8")
    assert page.count("<img alt=") == 3
    assert "Before you read on" in page
    assert one.results["scorecard"]["scope"] == "curated"
    assert one.results["scopes"]["changed"][0]["model"] == "cedar"


def test_scope_and_pack_are_parameters(tmp_path):
    made = run(tmp_path / "all", pack="support_safety", scope="curated").results
    assert made["scorecard"]["pack"] == "support_safety"
    assert made["scorecard"]["scope"] == made["parameters"]["scope"] == "curated"
    assert made["stability"]["scope"] == "curated"


def test_a_pack_without_verdicts_is_bad_input(tmp_path):
    with pytest.raises(tk.ToolkitError, match="needs verdicts"):
        run(tmp_path / "run", pack="my_pack.yaml")
    assert json.loads((tmp_path / "run/status.json").read_text())["status"] == "bad_input"
