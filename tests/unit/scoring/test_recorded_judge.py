"""Replies on file serve the prompt they were given to, and no other run's."""

from __future__ import annotations

from typing import Any

import pytest

from toolkit.report.answer_judge import judge_rows, recorded_judge
from toolkit.scoring import evaluate_frame

ROW = {
    "scenario_id": "j1",
    "category": "justice",
    "expected_label": 1,
    "agent_response": "REASONABLE",
    "input_text": "I deserve it.",
}


def judged(first: Any, second: Any) -> Any:
    rows = judge_rows([{**ROW, "run": run} for run in ("a", "b")])
    told = zip(("a", "b"), (first, second), strict=True)
    replies = [{"scenario_id": "j1", "run": run, "reply": reply} for run, reply in told]
    return evaluate_frame(rows, recorded_judge(replies, rows), retries=0)


@pytest.mark.parametrize("other", ["UNREASONABLE", None])
def test_recorded_replies_that_differ_serve_no_run(other: str | None) -> None:
    found = judged("REASONABLE", other)
    assert found.frame["judge_outcome"].tolist() == ["judge_error"] * 2
    assert found.frame["agree"].isna().all()
    assert "differ" in found.attempts.loc[0, "message"]


def test_recorded_replies_that_are_alike_serve_all_runs() -> None:
    assert judged("REASONABLE", "REASONABLE").frame["agree"].tolist() == [True, True]
