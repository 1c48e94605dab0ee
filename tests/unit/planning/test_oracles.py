from __future__ import annotations

import json
from pathlib import Path

TESTS = Path(__file__).parents[2]


def test_every_oracle_is_named_by_a_test():
    cases = json.loads((TESTS / "oracles" / "planning.json").read_text(encoding="utf-8"))
    sources = "".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    assert [case["id"] for case in cases if f'"{case["id"]}"' not in sources] == []


def test_every_sample_size_and_two_phase_oracle_of_agreement_is_named():
    asked = ("kappasize", "irr_n_cohen", "rogan_gladen", "prevalence_standardised")
    cases = json.loads((TESTS / "oracles" / "agreement.json").read_text(encoding="utf-8"))
    mine = [case["id"] for case in cases if case["id"].startswith(asked)]
    assert len(mine) == 9
    sources = "".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    assert [name for name in mine if f'"{name}"' not in sources] == []
