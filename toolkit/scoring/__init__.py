"""Scores of a benchmark whose raw answers were kept: graded, re-scored, compared, never guessed."""

from __future__ import annotations

from toolkit.scoring.accuracy import Accuracy, accuracy
from toolkit.scoring.grade import Grades, grade
from toolkit.scoring.judge.evaluate import Evaluation, evaluate
from toolkit.scoring.judge.evaluate_frame import EvaluatedFrame, evaluate_frame
from toolkit.scoring.judge.report import JudgeReport, judge_report
from toolkit.scoring.legacy.scorers import (
    LegacyAnswer,
    legacy_benchmark_lenient,
    legacy_benchmark_strict,
    legacy_node,
)
from toolkit.scoring.proportion import ShareInterval, share_interval
from toolkit.scoring.rescoring.rescore import rescore
from toolkit.scoring.rescoring.result import Rescore
from toolkit.scoring.rescoring.stored_runs import StoredRuns, read_runs
from toolkit.scoring.totals.forensics import suspect_polarity

__all__ = [
    "Accuracy",
    "EvaluatedFrame",
    "Evaluation",
    "Grades",
    "JudgeReport",
    "LegacyAnswer",
    "Rescore",
    "ShareInterval",
    "StoredRuns",
    "accuracy",
    "evaluate",
    "evaluate_frame",
    "grade",
    "judge_report",
    "legacy_benchmark_lenient",
    "legacy_benchmark_strict",
    "legacy_node",
    "read_runs",
    "rescore",
    "share_interval",
    "suspect_polarity",
]
