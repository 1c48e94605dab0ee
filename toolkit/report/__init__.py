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
    from toolkit.report.diagnosis_evidence import evidence_table, shares
    from toolkit.report.diagnosis_gap import gap_text, waterfall
    from toolkit.report.diagnosis_headline import headline
    from toolkit.report.diagnosis_people import ceiling, people_text
    from toolkit.report.diagnosis_places import rolling_agreement, strata_forest
    from toolkit.report.diagnosis_prevalence import prevalence_curves
    from toolkit.report.diagnosis_traits import criteria_table, trait_matrix
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
    from toolkit.report.pairing import pairs_of_raters, people_to_compare
    from toolkit.report.planning_elsewhere import elsewhere_curves, elsewhere_text, kappa_elsewhere
    from toolkit.report.planning_files import PlanInputs, named_numbers, read_planning
    from toolkit.report.planning_plots import allocation_chart, positives_chart, width_curves
    from toolkit.report.planning_results import write_planning
    from toolkit.report.planning_show import (
        allocation_table,
        batch_table,
        designs_table,
        plan_headline,
        widths_table,
    )
    from toolkit.report.plots import confusion, difference, forest
    from toolkit.report.resources import bundled, notebooks
    from toolkit.report.results import write_results
    from toolkit.report.runner import Run, run_report
    from toolkit.report.show import (
        agreement_table,
        bullets,
        contrast_text,
        disagreement_table,
        left_out_table,
        made_table,
        read_table,
    )

_HOME = {
    "GateInputs": "toolkit.report.gate_files",
    "PlanInputs": "toolkit.report.planning_files",
    "Run": "toolkit.report.runner",
    "accuracy_table": "toolkit.report.accuracy_show",
    "agreement_table": "toolkit.report.show",
    "allocation_chart": "toolkit.report.planning_plots",
    "allocation_table": "toolkit.report.planning_show",
    "batch_table": "toolkit.report.planning_show",
    "before_after": "toolkit.report.answer_plots",
    "beyond_total_table": "toolkit.report.gate_show",
    "both_scopes": "toolkit.report.gate_files",
    "bullets": "toolkit.report.show",
    "bundled": "toolkit.report.resources",
    "ceiling": "toolkit.report.diagnosis_people",
    "change_table": "toolkit.report.accuracy_show",
    "changed_table": "toolkit.report.gate_show",
    "checks_not_run": "toolkit.report.not_run",
    "confusion": "toolkit.report.plots",
    "contrast_text": "toolkit.report.show",
    "criteria_table": "toolkit.report.diagnosis_traits",
    "decision_flips": "toolkit.report.gate_plots",
    "designs_table": "toolkit.report.planning_show",
    "difference": "toolkit.report.plots",
    "disagreement_table": "toolkit.report.show",
    "elsewhere_curves": "toolkit.report.planning_elsewhere",
    "elsewhere_text": "toolkit.report.planning_elsewhere",
    "evidence_table": "toolkit.report.diagnosis_evidence",
    "flag_kappas": "toolkit.report.gate_plots",
    "flips_table": "toolkit.report.answer_show",
    "forest": "toolkit.report.plots",
    "gap_text": "toolkit.report.diagnosis_gap",
    "gate_headline": "toolkit.report.gate_summary",
    "headline": "toolkit.report.diagnosis_headline",
    "in_lines": "toolkit.report.not_run",
    "judge_disagreements": "toolkit.report.judge_show",
    "judge_rows": "toolkit.report.answer_judge",
    "judge_table": "toolkit.report.judge_show",
    "kappa_elsewhere": "toolkit.report.planning_elsewhere",
    "left_out_table": "toolkit.report.show",
    "left_out_verdicts": "toolkit.report.gate_show",
    "level_ladder": "toolkit.report.answer_plots",
    "levels_table": "toolkit.report.accuracy_show",
    "made_table": "toolkit.report.show",
    "named_numbers": "toolkit.report.planning_files",
    "never_fatal_table": "toolkit.report.gate_show",
    "not_passed_table": "toolkit.report.gate_show",
    "notebooks": "toolkit.report.resources",
    "pairs_of_raters": "toolkit.report.pairing",
    "people_text": "toolkit.report.diagnosis_people",
    "people_to_compare": "toolkit.report.pairing",
    "plan_headline": "toolkit.report.planning_show",
    "positives_chart": "toolkit.report.planning_plots",
    "prevalence_curves": "toolkit.report.diagnosis_prevalence",
    "ranking_table": "toolkit.report.gate_show",
    "read_gate": "toolkit.report.gate_files",
    "read_planning": "toolkit.report.planning_files",
    "read_table": "toolkit.report.show",
    "recorded_judge": "toolkit.report.answer_judge",
    "refused_table": "toolkit.report.answer_show",
    "reliability_table": "toolkit.report.gate_stability_show",
    "rescore_headline": "toolkit.report.answer_headline",
    "rolling_agreement": "toolkit.report.diagnosis_places",
    "run_report": "toolkit.report.runner",
    "separation_table": "toolkit.report.gate_show",
    "shares": "toolkit.report.diagnosis_evidence",
    "stability_table": "toolkit.report.gate_stability_show",
    "stored_table": "toolkit.report.answer_show",
    "strata_forest": "toolkit.report.diagnosis_places",
    "totals_and_gate": "toolkit.report.gate_plots",
    "totals_table": "toolkit.report.judge_show",
    "trait_matrix": "toolkit.report.diagnosis_traits",
    "unreliable_text": "toolkit.report.gate_stability_show",
    "waterfall": "toolkit.report.diagnosis_gap",
    "width_curves": "toolkit.report.planning_plots",
    "widths_table": "toolkit.report.planning_show",
    "write_gate": "toolkit.report.gate_results",
    "write_planning": "toolkit.report.planning_results",
    "write_rescore": "toolkit.report.answer_results",
    "write_results": "toolkit.report.results",
}

__all__ = [
    "GateInputs",
    "PlanInputs",
    "Run",
    "accuracy_table",
    "agreement_table",
    "allocation_chart",
    "allocation_table",
    "batch_table",
    "before_after",
    "beyond_total_table",
    "both_scopes",
    "bullets",
    "bundled",
    "ceiling",
    "change_table",
    "changed_table",
    "checks_not_run",
    "confusion",
    "contrast_text",
    "criteria_table",
    "decision_flips",
    "designs_table",
    "difference",
    "disagreement_table",
    "elsewhere_curves",
    "elsewhere_text",
    "evidence_table",
    "flag_kappas",
    "flips_table",
    "forest",
    "gap_text",
    "gate_headline",
    "headline",
    "in_lines",
    "judge_disagreements",
    "judge_rows",
    "judge_table",
    "kappa_elsewhere",
    "left_out_table",
    "left_out_verdicts",
    "level_ladder",
    "levels_table",
    "made_table",
    "named_numbers",
    "never_fatal_table",
    "not_passed_table",
    "notebooks",
    "pairs_of_raters",
    "people_text",
    "people_to_compare",
    "plan_headline",
    "positives_chart",
    "prevalence_curves",
    "ranking_table",
    "read_gate",
    "read_planning",
    "read_table",
    "recorded_judge",
    "refused_table",
    "reliability_table",
    "rescore_headline",
    "rolling_agreement",
    "run_report",
    "separation_table",
    "shares",
    "stability_table",
    "stored_table",
    "strata_forest",
    "totals_and_gate",
    "totals_table",
    "trait_matrix",
    "unreliable_text",
    "waterfall",
    "width_curves",
    "widths_table",
    "write_gate",
    "write_planning",
    "write_rescore",
    "write_results",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'toolkit.report' has no attribute {name!r}")
