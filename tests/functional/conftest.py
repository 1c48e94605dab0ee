"""Independently computed values for the tests of this folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ORACLES = Path(__file__).resolve().parents[1] / "oracles" / "agreement.json"


@pytest.fixture(scope="session")
def oracle():
    """Give the case with an id; its source stands in the file beside its values."""
    cases = json.loads(ORACLES.read_text(encoding="utf-8"))
    return {case["id"]: case for case in cases}.__getitem__
