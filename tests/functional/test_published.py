"""The published table holds every cell, in its range, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cells import DATASETS, KNOWN_SHORTFALLS, OTHER_DATASETS, all_cells, out_of_range
from report import page

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def published():
    return json.loads((DOCS / "validation.json").read_text(encoding="utf-8"))


def test_no_cell_is_missing_or_left_over(published):
    assert [entry["name"] for entry in published["cells"]] == list(all_cells())


def test_every_cell_has_the_promised_number_of_data_sets(published):
    for entry in published["cells"]:
        promised = OTHER_DATASETS.get(entry["family"], DATASETS)
        assert (entry["datasets"], entry["draws"]) == (promised, 1_000), entry["name"]


def test_every_cell_was_measured_against_its_true_value(published):
    for entry in published["cells"]:
        truth = all_cells()[entry["name"]].truth
        assert entry["truth"] == pytest.approx(truth, abs=1e-6), entry["name"]


def test_only_the_known_shortfalls_lie_outside_their_range(published):
    outside = {
        entry["name"] for entry in published["cells"] if out_of_range(entry["family"], entry)
    }
    assert outside == set(KNOWN_SHORTFALLS)


def test_shares_are_complete(published):
    for entry in published["cells"]:
        parts = ("coverage", "truth_below", "truth_above", "undefined_interval")
        assert sum(entry[part] for part in parts) == pytest.approx(1, abs=1e-5), entry["name"]


def test_the_default_interval_is_always_defined(published):
    for entry in published["cells"]:
        if all_cells()[entry["name"]].method == "jeffreys":
            assert entry["undefined_interval"] == 0, entry["name"]


def test_the_page_shows_what_was_measured(published):
    assert (DOCS / "validation.md").read_text(encoding="utf-8") == page(published)
