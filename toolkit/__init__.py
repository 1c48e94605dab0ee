"""Why does an LLM judge disagree with people on this construct? ``import toolkit as tk``.

The public names are loaded when they are first used, so that importing costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolkit import coefficients
    from toolkit.answers import (
        Answer,
        Contract,
        Convention,
        Registry,
        convention,
        ladder,
        normalize,
        normalize_file,
        normalize_frame,
    )
    from toolkit.coefficients import agreement, contrast, contrasts, crosstab, kappa
    from toolkit.diagnosis import Diagnosis, diagnose
    from toolkit.errors import ToolkitError
    from toolkit.gate import (
        KoResult,
        Pack,
        compare_scopes,
        gate_stability,
        load_pack,
        passes_ko,
        read_verdicts,
        scorecard,
    )
    from toolkit.labels import Labels, Schema, read_journal, read_labels, simulate
    from toolkit.planning import (
        Plan,
        Strata,
        draw,
        plan_for_budget,
        plan_for_targets,
        replan,
        sample_kappa,
        size,
        strata,
        weighted_kappa,
        what_if,
    )
    from toolkit.report import bundled, run_report
    from toolkit.scoring import evaluate, evaluate_frame, grade, rescore, suspect_polarity
    from toolkit.widgets import Adjudicator, Labeler

__version__ = "0.1.0"

_HOME = {
    "ToolkitError": "toolkit.errors",
    "Answer": "toolkit.answers",
    "Contract": "toolkit.answers",
    "Convention": "toolkit.answers",
    "ladder": "toolkit.answers",
    "normalize": "toolkit.answers",
    "normalize_file": "toolkit.answers",
    "normalize_frame": "toolkit.answers",
    "Registry": "toolkit.answers",
    "convention": "toolkit.answers",
    "Labels": "toolkit.labels",
    "Schema": "toolkit.labels",
    "read_journal": "toolkit.labels",
    "read_labels": "toolkit.labels",
    "simulate": "toolkit.labels",
    "agreement": "toolkit.coefficients",
    "contrast": "toolkit.coefficients",
    "contrasts": "toolkit.coefficients",
    "crosstab": "toolkit.coefficients",
    "kappa": "toolkit.coefficients",
    "Diagnosis": "toolkit.diagnosis",
    "diagnose": "toolkit.diagnosis",
    "Plan": "toolkit.planning",
    "Strata": "toolkit.planning",
    "draw": "toolkit.planning",
    "plan_for_budget": "toolkit.planning",
    "plan_for_targets": "toolkit.planning",
    "replan": "toolkit.planning",
    "sample_kappa": "toolkit.planning",
    "size": "toolkit.planning",
    "strata": "toolkit.planning",
    "weighted_kappa": "toolkit.planning",
    "what_if": "toolkit.planning",
    "evaluate": "toolkit.scoring",
    "evaluate_frame": "toolkit.scoring",
    "grade": "toolkit.scoring",
    "rescore": "toolkit.scoring",
    "suspect_polarity": "toolkit.scoring",
    "KoResult": "toolkit.gate",
    "Pack": "toolkit.gate",
    "compare_scopes": "toolkit.gate",
    "gate_stability": "toolkit.gate",
    "load_pack": "toolkit.gate",
    "passes_ko": "toolkit.gate",
    "read_verdicts": "toolkit.gate",
    "scorecard": "toolkit.gate",
    "Adjudicator": "toolkit.widgets",
    "Labeler": "toolkit.widgets",
    "bundled": "toolkit.report",
    "run_report": "toolkit.report",
}
_MODULES = (
    "answers",
    "coefficients",
    "diagnosis",
    "gate",
    "labels",
    "planning",
    "report",
    "scoring",
    "widgets",
)

__all__ = [  # noqa: RUF022  in the order of the work
    "convention",
    "normalize",
    "ladder",
    "normalize_frame",
    "normalize_file",
    "Answer",
    "Contract",
    "Convention",
    "Registry",
    "read_labels",
    "read_journal",
    "simulate",
    "Labels",
    "Schema",
    "crosstab",
    "kappa",
    "agreement",
    "contrast",
    "contrasts",
    "coefficients",
    "diagnose",
    "Diagnosis",
    "strata",
    "Strata",
    "plan_for_targets",
    "plan_for_budget",
    "Plan",
    "draw",
    "weighted_kappa",
    "sample_kappa",
    "replan",
    "size",
    "what_if",
    "evaluate",
    "evaluate_frame",
    "grade",
    "rescore",
    "suspect_polarity",
    "load_pack",
    "Pack",
    "passes_ko",
    "KoResult",
    "read_verdicts",
    "scorecard",
    "compare_scopes",
    "gate_stability",
    "Labeler",
    "Adjudicator",
    "run_report",
    "bundled",
    "ToolkitError",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
        globals()[name] = value  # asked once
        return value
    if name in _MODULES:
        return importlib.import_module(f"toolkit.{name}")
    raise AttributeError(f"module 'toolkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
