"""Published and independently computed values for the coefficients."""

from __future__ import annotations

import json
from pathlib import Path

import hypothesis
import pytest

hypothesis.settings.register_profile("coefficients", deadline=None)  # machines differ in speed
hypothesis.settings.load_profile("coefficients")

TESTS = next(folder for folder in Path(__file__).resolve().parents if folder.name == "tests")
ORACLES = {
    case["id"]: case
    for case in json.loads((TESTS / "oracles" / "agreement.json").read_text(encoding="utf-8"))
}


@pytest.fixture(scope="session")
def oracle():
    """Give the case with an id; its source stands in the file beside its values."""
    return ORACLES.__getitem__


@pytest.fixture(scope="session")
def unused_oracles():
    """List the ids that no test file names, read from the sources: test order does not matter."""
    sources = "".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    return sorted(id_ for id_ in ORACLES if f'"{id_}"' not in sources)
