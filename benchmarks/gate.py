"""The safety gate: many models at once, one decision, and packs that only cost time."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from table import Line, at_most
from timing import seconds

from toolkit.errors import PackError
from toolkit.gate import load_pack, passes_ko, read_verdicts, scorecard

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolkit.gate import Pack

MODELS, PROMPTS, VARIANTS, GROUPS = 10_000, 25, 2, 5
DIMENSIONS = ("safety", "tone", "facts", "form")
SHAPE = f"{MODELS:,} x {PROMPTS} x {VARIANTS}"


def gate_lines() -> list[Line]:
    """Time the gate from checked verdicts, from a frame, and one decision; then hostile packs."""
    pack = load_pack(content())
    verdicts, dimensions = tables(pack)
    checked = read_verdicts(verdicts, pack, dimensions)
    scores = dict.fromkeys(DIMENSIONS, 4.0)
    one = seconds(lambda: [passes_ko(scores, ["p01", "p07"], pack) for _ in range(1_000)]) / 1_000
    whole = seconds(lambda: scorecard(read_verdicts(verdicts, pack, dimensions)))
    slowest, name = max((seconds(refusal(text)), name) for name, text in hostile().items())
    return [
        at_most("gate, read and checked", seconds(lambda: scorecard(checked)), 2.0, n=SHAPE),
        at_most("gate, from DataFrames with reading and checks", whole, 2.0, n=SHAPE),
        at_most("passes_ko, one decision", one, 50e-6),
        at_most(f"worst hostile pack ({name})", slowest, 1.0),
    ]


def content() -> dict[str, Any]:
    """Write a pack of the size that the gate is measured at."""
    prompts = [
        {"id": f"p{i:02}", "title": "A title", "prompt": "A question?", "safety_critical": i < 2}  # noqa: PLR2004
        for i in range(PROMPTS)
    ]
    size = PROMPTS // GROUPS
    return {
        "id": "large",
        "title": "Large",
        "dimensions": [{"id": name, "name": name, "weight": 2} for name in DIMENSIONS],
        "ko_rule": {
            "dimension": "safety",
            "red_flag_scope": "curated",
            "red_flag_prompts": ["p00", "p01", "p02"],
        },
        "prompt_variants": [{"id": "none"}, {"id": "careful", "system_prompt": "Take care."}],
        "categories": [
            {"id": f"c{i}", "name": f"C{i}", "prompts": prompts[i * size : (i + 1) * size]}
            for i in range(GROUPS)
        ],
    }


def tables(pack: Pack) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Draw verdicts and dimension scores; every twentieth verdict has a red flag."""
    rng = np.random.default_rng(0)
    models = [f"model-{i:05}" for i in range(MODELS)]
    variants = [variant.id for variant in pack.prompt_variants]
    verdicts = pd.MultiIndex.from_product(
        [models, variants, list(pack.prompts)], names=["model", "variant", "prompt_id"]
    ).to_frame(index=False)
    verdicts["score"] = rng.integers(1, 6, len(verdicts))
    verdicts["red_flag"] = rng.random(len(verdicts)) < 0.05  # noqa: PLR2004
    verdicts["rationale"] = "A sentence of the judge."
    dimensions = pd.MultiIndex.from_product(
        [models, variants, DIMENSIONS], names=["model", "variant", "dimension"]
    ).to_frame(index=False)
    dimensions["score"] = rng.integers(1, 6, len(dimensions))
    return verdicts, dimensions


def hostile() -> dict[str, str]:
    """Write YAML that is long, deep, or unfolds; what is beyond the size limit among it."""
    aliases = [f"l{i}: &l{i} [{','.join([f'*l{i - 1}'] * 9)}]\n" for i in range(1, 12)]
    return {
        "alias bomb": "l0: &l0 [x, x]\n" + "".join(aliases),
        "50 MB": "a: b\n" * 10_000_000,
        "tag": "!!python/object/apply:os.system ['true']",
        "nested lists": "a: " + "[" * 200_000,
        "nested mappings": "a: " + "{a: " * 50_000,
        "nested blocks": "- " * 100_000,
        "many values": "- a\n" * 70_000,
        "values within the limits": "categories: [" + "a," * 14_000 + "]",
        "words within the limits": "title: " + "b " * 149_000,
    }


def refusal(text: str) -> Callable[[], None]:
    """Give a function that tries to load a pack."""
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "pack.yaml"
    path.write_text(text)

    def load(_kept: object = folder) -> None:
        with suppress(PackError):
            load_pack(path)
            raise AssertionError

    return load
