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
    from toolkit.report.answer_judge import judge_rows, recorded_judge
    from toolkit.report.answer_plots import before_after, level_ladder
    from toolkit.report.answer_results import write_rescore
    from toolkit.report.answer_show import (
        flips_table,
        refused_table,
        stored_table,
    )
    from toolkit.report.gate_files import GateInputs, both_scopes, read_gate
    from toolkit.report.gate_plots import decision_flips, flag_kappas, totals_and_gate
    from toolkit.report.gate_results import write_gate
    from toolkit.report.gate_show import (
        beyond_total_table,
        changed_table,
        left_out_verdicts,
        never_fatal_table,
        not_passed_table,
        ranking_table,
        separation_table,
    )
    from toolkit.report.gate_stability_show import (
        reliability_table,
        stability_table,
        unreliable_text,
    )
    from toolkit.report.gate_summary import gate_headline
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
    "GateInputs": "toolkit.report.gate_files",
    "Run": "toolkit.report.runner",
    "Selection": "toolkit.report.pairing",
    "Verdict": "toolkit.report.verdict",
    "accuracy_table": "toolkit.report.accuracy_show",
    "agreement_table": "toolkit.report.show",
    "before_after": "toolkit.report.answer_plots",
    "beyond_total_table": "toolkit.report.gate_show",
    "both_scopes": "toolkit.report.gate_files",
    "bullets": "toolkit.report.show",
    "bundled": "toolkit.report.resources",
    "change_table": "toolkit.report.accuracy_show",
    "changed_table": "toolkit.report.gate_show",
    "checks_not_run": "toolkit.report.not_run",
    "choose_pair": "toolkit.report.pairing",
    "confusion": "toolkit.report.plots",
    "contrast_text": "toolkit.report.show",
    "decision_flips": "toolkit.report.gate_plots",
    "difference": "toolkit.report.plots",
    "disagreement_table": "toolkit.report.show",
    "first_verdict": "toolkit.report.verdict",
    "flag_kappas": "toolkit.report.gate_plots",
    "flips_table": "toolkit.report.answer_show",
    "forest": "toolkit.report.plots",
    "gate_headline": "toolkit.report.gate_summary",
    "headline": "toolkit.report.show",
    "in_lines": "toolkit.report.not_run",
    "judge_disagreements": "toolkit.report.judge_show",
    "judge_rows": "toolkit.report.answer_judge",
    "judge_table": "toolkit.report.judge_show",
    "left_out_table": "toolkit.report.show",
    "left_out_verdicts": "toolkit.report.gate_show",
    "level_ladder": "toolkit.report.answer_plots",
    "levels_table": "toolkit.report.accuracy_show",
    "made_table": "toolkit.report.show",
    "never_fatal_table": "toolkit.report.gate_show",
    "not_passed_table": "toolkit.report.gate_show",
    "notebooks": "toolkit.report.resources",
    "people_to_compare": "toolkit.report.verdict",
    "ranking_table": "toolkit.report.gate_show",
    "read_gate": "toolkit.report.gate_files",
    "read_table": "toolkit.report.show",
    "recorded_judge": "toolkit.report.answer_judge",
    "refused_table": "toolkit.report.answer_show",
    "reliability_table": "toolkit.report.gate_stability_show",
    "rescore_headline": "toolkit.report.answer_headline",
    "run_report": "toolkit.report.runner",
    "selection": "toolkit.report.pairing",
    "separation_table": "toolkit.report.gate_show",
    "stability_table": "toolkit.report.gate_stability_show",
    "stored_table": "toolkit.report.answer_show",
    "totals_and_gate": "toolkit.report.gate_plots",
    "totals_table": "toolkit.report.judge_show",
    "unreliable_text": "toolkit.report.gate_stability_show",
    "write_gate": "toolkit.report.gate_results",
    "write_rescore": "toolkit.report.answer_results",
    "write_results": "toolkit.report.results",
}

__all__ = [
    "GateInputs",
    "Run",
    "Selection",
    "Verdict",
    "accuracy_table",
    "agreement_table",
    "before_after",
    "beyond_total_table",
    "both_scopes",
    "bullets",
    "bundled",
    "change_table",
    "changed_table",
    "checks_not_run",
    "choose_pair",
    "confusion",
    "contrast_text",
    "decision_flips",
    "difference",
    "disagreement_table",
    "first_verdict",
    "flag_kappas",
    "flips_table",
    "forest",
    "gate_headline",
    "headline",
    "in_lines",
    "judge_disagreements",
    "judge_rows",
    "judge_table",
    "left_out_table",
    "left_out_verdicts",
    "level_ladder",
    "levels_table",
    "made_table",
    "never_fatal_table",
    "not_passed_table",
    "notebooks",
    "people_to_compare",
    "ranking_table",
    "read_gate",
    "read_table",
    "recorded_judge",
    "refused_table",
    "reliability_table",
    "rescore_headline",
    "run_report",
    "selection",
    "separation_table",
    "stability_table",
    "stored_table",
    "totals_and_gate",
    "totals_table",
    "unreliable_text",
    "write_gate",
    "write_rescore",
    "write_results",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'toolkit.report' has no attribute {name!r}")
