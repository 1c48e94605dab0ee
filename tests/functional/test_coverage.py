"""The coverage study again, smaller: the first data sets of every cell of docs/validation.md.

About ten minutes on two idle cores; `make validation` runs the study in full.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from cells import KNOWN_SHORTFALLS, all_cells, out_of_range
from study import run_all

PUBLISHED = Path(__file__).resolve().parents[2] / "docs" / "validation.json"
DATASETS = 1_000
DRAWS = 1_000
ERROR = math.sqrt(0.05 * 0.95 / DATASETS)  # standard error of a coverage of 95 %
FAMILIES = list(dict.fromkeys(cell.family for cell in all_cells().values()))


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_intervals_hold_what_was_published(family):
    cells = [cell for cell in all_cells().values() if cell.family == family]
    measured = dict(run_all(cells, lambda _: DATASETS, DRAWS))
    published = {
        entry["name"]: entry
        for entry in json.loads(PUBLISHED.read_text(encoding="utf-8"))["cells"]
        if entry["family"] == family
    }
    for name, result in measured.items():
        if name not in KNOWN_SHORTFALLS:
            assert not out_of_range(family, result, margin=3.5 * ERROR), (name, result)
        assert abs(result["coverage"] - published[name]["coverage"]) < 4.5 * ERROR, (name, result)
    gaps = [result["coverage"] - published[name]["coverage"] for name, result in measured.items()]
    assert abs(np.mean(gaps)) < 4.5 * ERROR / math.sqrt(len(gaps))
