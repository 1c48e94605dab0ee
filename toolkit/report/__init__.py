"""Reports: run the bundled notebooks, draw results, put them into words."""

from __future__ import annotations

from toolkit.report.not_run import checks_not_run, in_lines
from toolkit.report.plots import confusion, difference, forest
from toolkit.report.resources import bundled, notebooks
from toolkit.report.results import write_results
from toolkit.report.runner import Run, run_report
from toolkit.report.selection import Selection, choose_pair, selection
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
