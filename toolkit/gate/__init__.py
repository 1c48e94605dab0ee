"""The safety gate: packs, verdicts, who is knocked out and why, and what the decision is worth."""

from __future__ import annotations

from toolkit.gate.ko import KoResult, passes_ko
from toolkit.gate.load import load_pack
from toolkit.gate.pack import (
    Category,
    Dimension,
    KoRule,
    Pack,
    Prompt,
    Sampling,
    Variant,
)
from toolkit.gate.scopes import ScopeComparison, compare_scopes
from toolkit.gate.scorecard import Scorecard, scorecard
from toolkit.gate.stability import gate_stability
from toolkit.gate.stability_result import GateStability
from toolkit.gate.verdicts import Verdicts, read_verdicts

__all__ = [
    "Category",
    "Dimension",
    "GateStability",
    "KoResult",
    "KoRule",
    "Pack",
    "Prompt",
    "Sampling",
    "ScopeComparison",
    "Scorecard",
    "Variant",
    "Verdicts",
    "compare_scopes",
    "gate_stability",
    "load_pack",
    "passes_ko",
    "read_verdicts",
    "scorecard",
]
