"""Reports: run the bundled notebooks, draw results, put them into words.

Names are loaded when they are first used: the command line must not wait for papermill and seaborn
to say that a parameter is misspelled.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolkit.report.accuracy_show import accuracy_table, change_table, levels_table
    from toolkit.report.answer_headline import rescore_headline
    from toolkit.report.answer_plots import before_after, level_ladder
    from toolkit.report.answer_results import write_rescore
    from toolkit.report.answer_runs import (
        StoredAnswers,
        judge_rows,
        read_answers,
        recorded_judge,
        rescore_runs,
    )
    from toolkit.report.answer_show import (
        flips_table,
        refused_table,
        stored_table,
    )
    from toolkit.report.judge_show import judge_disagreements, judge_table, totals_table
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
    "StoredAnswers": "toolkit.report.answer_runs",
    "Verdict": "toolkit.report.verdict",
    "accuracy_table": "toolkit.report.accuracy_show",
    "agreement_table": "toolkit.report.show",
    "before_after": "toolkit.report.answer_plots",
    "bullets": "toolkit.report.show",
    "bundled": "toolkit.report.resources",
    "change_table": "toolkit.report.accuracy_show",
    "checks_not_run": "toolkit.report.not_run",
    "choose_pair": "toolkit.report.pairing",
    "confusion": "toolkit.report.plots",
    "contrast_text": "toolkit.report.show",
    "difference": "toolkit.report.plots",
    "disagreement_table": "toolkit.report.show",
    "first_verdict": "toolkit.report.verdict",
    "flips_table": "toolkit.report.answer_show",
    "forest": "toolkit.report.plots",
    "headline": "toolkit.report.show",
    "in_lines": "toolkit.report.not_run",
    "judge_disagreements": "toolkit.report.judge_show",
    "judge_rows": "toolkit.report.answer_runs",
    "judge_table": "toolkit.report.judge_show",
    "left_out_table": "toolkit.report.show",
    "level_ladder": "toolkit.report.answer_plots",
    "levels_table": "toolkit.report.accuracy_show",
    "made_table": "toolkit.report.show",
    "notebooks": "toolkit.report.resources",
    "people_to_compare": "toolkit.report.verdict",
    "read_answers": "toolkit.report.answer_runs",
    "read_table": "toolkit.report.show",
    "recorded_judge": "toolkit.report.answer_runs",
    "refused_table": "toolkit.report.answer_show",
    "rescore_headline": "toolkit.report.answer_headline",
    "rescore_runs": "toolkit.report.answer_runs",
    "run_report": "toolkit.report.runner",
    "selection": "toolkit.report.pairing",
    "stored_table": "toolkit.report.answer_show",
    "totals_table": "toolkit.report.judge_show",
    "write_rescore": "toolkit.report.answer_results",
    "write_results": "toolkit.report.results",
}

__all__ = [
    "Run",
    "Selection",
    "StoredAnswers",
    "Verdict",
    "accuracy_table",
    "agreement_table",
    "before_after",
    "bullets",
    "bundled",
    "change_table",
    "checks_not_run",
    "choose_pair",
    "confusion",
    "contrast_text",
    "difference",
    "disagreement_table",
    "first_verdict",
    "flips_table",
    "forest",
    "headline",
    "in_lines",
    "judge_disagreements",
    "judge_rows",
    "judge_table",
    "left_out_table",
    "level_ladder",
    "levels_table",
    "made_table",
    "notebooks",
    "people_to_compare",
    "read_answers",
    "read_table",
    "recorded_judge",
    "refused_table",
    "rescore_headline",
    "rescore_runs",
    "run_report",
    "selection",
    "stored_table",
    "totals_table",
    "write_rescore",
    "write_results",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'toolkit.report' has no attribute {name!r}")
