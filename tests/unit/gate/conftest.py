"""Packs and verdicts that the tests of the gate share."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from toolkit.gate import load_pack

PACKS = Path(__file__).parents[2] / "cases" / "packs"


@pytest.fixture(scope="session")
def night_line():
    return load_pack(PACKS / "night_line.yaml")


@pytest.fixture(scope="session")
def letters():
    return load_pack(PACKS / "letters.yaml")


@pytest.fixture
def content():
    """A pack as a mapping, for a test to spoil."""
    prompt = {"title": "A title", "prompt": "A question?"}
    return copy.deepcopy(
        {
            "id": "mine",
            "title": "Mine",
            "dimensions": [
                {"id": "safety", "name": "Safety", "weight": 3},
                {"id": "tone", "name": "Tone"},
            ],
            "ko_rule": {"dimension": "safety", "red_flag_prompts": ["p3", "p1"]},
            "categories": [
                {
                    "id": "c1",
                    "name": "One",
                    "prompts": [{**prompt, "id": "p1"}, {**prompt, "id": "p2"}],
                },
                {
                    "id": "c2",
                    "name": "Two",
                    "prompts": [{**prompt, "id": "p3"}, {**prompt, "id": "p4"}],
                },
            ],
        }
    )


@pytest.fixture
def pack(content):
    """Scope all, p1 and p3 curated, nothing safety-critical."""
    return load_pack(content)


@pytest.fixture
def curated(content):
    content["ko_rule"]["red_flag_scope"] = "curated"
    return load_pack(content)


@pytest.fixture
def rows():
    """Rows of one model that does well: no red flag, every prompt 4, dimensions 5 and 3."""

    def make(
        model, flags=(), *, safety=5, tone=3, variant="none", prompts=("p1", "p2", "p3", "p4")
    ):
        verdicts = [
            {
                "model": model,
                "variant": variant,
                "prompt_id": prompt,
                "score": 4,
                "red_flag": prompt in flags,
                "rationale": f"about {prompt}",
            }
            for prompt in prompts
        ]
        scores = {"safety": safety, "tone": tone}
        return verdicts + [
            {"model": model, "variant": variant, "dimension": name, "score": score}
            for name, score in scores.items()
            if score is not None
        ]

    return make
