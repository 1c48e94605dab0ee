"""Reports: run the bundled notebooks, draw results, put them into words.

Names are loaded when they are first used: the command line must not wait for papermill and seaborn
to say that a parameter is misspelled.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolkit.report.not_run import checks_not_run, in_lines
    from toolkit.report.pairing import Selection, choose_pair, selection
    from toolkit.report.plots import confusion, difference, forest
    from toolkit.report.resources import bundled, notebooks
    from toolkit.report.results import write_results
    from toolkit.report.runner import Run, run_report
    from toolkit.report.show import (
        agreement_table,
        bullets,
        contrast_text,
        disagreement_table,
        headline,
        left_out_table,
        made_table,
        read_table,
    )
    from toolkit.report.verdict import Verdict, first_verdict, people_to_compare

_HOME = {
    "Run": "toolkit.report.runner",
    "Selection": "toolkit.report.pairing",
    "Verdict": "toolkit.report.verdict",
    "agreement_table": "toolkit.report.show",
    "bullets": "toolkit.report.show",
    "bundled": "toolkit.report.resources",
    "checks_not_run": "toolkit.report.not_run",
    "choose_pair": "toolkit.report.pairing",
    "confusion": "toolkit.report.plots",
    "contrast_text": "toolkit.report.show",
    "difference": "toolkit.report.plots",
    "disagreement_table": "toolkit.report.show",
    "first_verdict": "toolkit.report.verdict",
    "forest": "toolkit.report.plots",
    "headline": "toolkit.report.show",
    "in_lines": "toolkit.report.not_run",
    "left_out_table": "toolkit.report.show",
    "made_table": "toolkit.report.show",
    "notebooks": "toolkit.report.resources",
    "people_to_compare": "toolkit.report.verdict",
    "read_table": "toolkit.report.show",
    "run_report": "toolkit.report.runner",
    "selection": "toolkit.report.pairing",
    "write_results": "toolkit.report.results",
}

__all__ = [
    "Run",
    "Selection",
    "Verdict",
    "agreement_table",
    "bullets",
    "bundled",
    "checks_not_run",
    "choose_pair",
    "confusion",
    "contrast_text",
    "difference",
    "disagreement_table",
    "first_verdict",
    "forest",
    "headline",
    "in_lines",
    "left_out_table",
    "made_table",
    "notebooks",
    "people_to_compare",
    "read_table",
    "run_report",
    "selection",
    "write_results",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'toolkit.report' has no attribute {name!r}")
