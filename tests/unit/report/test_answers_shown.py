"""What a re-scoring shows: every kind of run, data as text, one claim no stronger than its data."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import toolkit as tk
from toolkit import report
from toolkit.report.answer_changes import overturned
from toolkit.report.answer_headline import rescore_notes, rescore_sentence
from toolkit.report.answer_runs import by_run
from toolkit.scoring.judge.evaluate_frame import evaluate_frame
from toolkit.scoring.rescoring.run_files import UNNAMED
from toolkit.scoring.totals.forensics import suspect_polarity

NASTY = "<script>alert(1)</script>"


def row(name, raw, expected=1, category="justice", **more):
    named = {"scenario_id": name, "category": category, "expected_label": expected}
    return {**named, "agent_response": raw, **more}


def found_in(rows, **options):
    return tk.rescore(rows, **options)


@pytest.fixture(scope="module")
def bundled():
    return tk.rescore(tk.bundled("he300/answers.jsonl"))


def pages(found):
    return [
        report.rescore_headline(found).data,
        report.stored_table(found).data,
        report.flips_table(found).data,
        report.change_table(found).data,
        report.accuracy_table(found).data,
        report.levels_table(found).data,
        report.refused_table(found).data,
    ]


def test_names_and_replies_from_data_are_shown_as_text():
    rows = [
        row(f"a{NASTY}", '{"label": 1}', predicted_label=0, run=NASTY, input_text="x"),
        row(f"b{NASTY}", None, predicted_label=0, run=NASTY, input_text="x"),
        row(f"c{NASTY}", f"REASONABLE {NASTY}", predicted_label=1, run=NASTY, input_text="x"),
    ]
    found = tk.rescore(rows)
    judged = evaluate_frame(
        report.judge_rows(rows), ask=lambda _: f"UNREASONABLE {NASTY}", retries=0
    )
    totals = pd.DataFrame({"model": [NASTY], "subset": ["justice"], "correct": [3], "total": [60]})
    shown = [
        *pages(found),
        report.judge_table(judged).data,
        report.judge_disagreements(judged).data,
        report.totals_table(suspect_polarity(totals)).data,
    ]
    assert not [page for page in shown if "<script" in page]
    assert sum("&lt;script" in page for page in shown) >= 8


def test_the_bundled_runs_stand_upside_down_where_json_was_planted(bundled):
    assert overturned(bundled) == {"json-70b": ["deontology", "justice", "virtue"]}
    assert "json-70b, whose accuracy over all items is" in rescore_sentence(bundled)
    summary = by_run(bundled)["json-70b"].summary
    assert summary.loc[0, "accuracy_old"] < 0.4
    assert summary.loc[0, "accuracy_new"] > 0.8


def test_where_only_right_or_wrong_was_stored_nothing_is_called_upside_down():
    rows = [row(f"j{i}", '{"label": 0}', is_correct=True) for i in range(16)]
    rows += [row(f"w{i}", '{"label": 1}', is_correct=False) for i in range(4)]
    found = found_in(rows)
    assert overturned(found) == {}
    assert "not stored" in report.stored_table(found).data
    assert any("only right or wrong" in note for note in rescore_notes(found))
    assert "wrong, now right" in report.flips_table(found).data


def test_a_run_that_nothing_changes_says_so():
    found = found_in([row("j1", "REASONABLE", predicted_label=1)])
    assert rescore_sentence(found).endswith(
        "0 of 1 answers are read differently than as stored: both scorers read the same."
    )
    assert "Nothing changes" in report.flips_table(found).data
    assert "Every row was scored again" in report.refused_table(found).data


def test_only_stored_scores_are_called_stored():
    rows = [row("a", '{"label": 1}', predicted_label=0), row("b", "REASONABLE")]
    for old, said in ((None, "as stored"), ("legacy_node", "by legacy_node")):
        found = found_in(rows, old=old)
        shown = "".join([*pages(found), report.before_after(found).alt])
        assert said in shown
        assert ("as stored" in shown) == (old is None)
    assert "by legacy_benchmark_strict" in report.change_table(found_in(rows[1:])).data


def test_the_headline_counts_answers_and_says_how_many_had_no_label():
    rows = [row("a", '{"label": 1}', predicted_label=0), row("b", "REASONABLE")]
    assert rescore_sentence(found_in(rows)).startswith(
        "Read again at level structured, 2 of 2 answers are read differently than as stored"
        " (1 had no label before); "
    )


def test_a_recorded_judge_is_asked_about_the_reply_as_any_other_judge_is():
    rows = report.judge_rows([row("a", {"label": 1}, input_text="x"), row("b", 1, input_text="y")])
    recorded = [{"scenario_id": name, "reply": "REASONABLE"} for name in "ab"]
    ask = report.recorded_judge(recorded, rows)
    judged = evaluate_frame(rows, ask=ask, retries=0).frame
    assert judged["judge_outcome"].tolist() == ["answered", "answered"]


def test_a_benchmark_of_your_own_goes_through_report_and_judge():
    one = {"subsets": ["tone"], "labels": ["RUDE", "KIND"], "positive": "KIND"}
    of = {"benchmark": "mine", "conventions": {"benchmark": "mine", "conventions": [one]}}
    rows = [row("a", "KIND", category="tone", predicted_label=0, input_text="x")]
    assert "1 of 1 answers are read differently" in rescore_sentence(tk.rescore(rows, **of))
    asked = report.judge_rows(rows, **of)
    ask = report.recorded_judge([{"scenario_id": "a", "reply": "RUDE"}], asked, **of)
    judged = evaluate_frame(asked, ask=ask, retries=0, **of).frame
    assert judged["judge_label"].tolist() == ["RUDE"]


def test_undefined_numbers_are_words():
    found = found_in([row("j1", "no idea", predicted_label=1)])
    assert "undefined" in report.accuracy_table(found).data
    assert "nan" not in "".join(pages(found))


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ([row("a", "x", run="r1"), row("a", "x", run="r2")], ["r1", "r2"]),
        ([row("a", "x", model="m1"), row("a", "x", model="m2")], ["m1", "m2"]),
        ([row("a", "x")], [UNNAMED]),
    ],
)
def test_a_run_is_named_by_run_else_by_model(rows, names):
    assert list(by_run(tk.rescore(rows, old="legacy_node"))) == names


def test_rows_of_a_run_keep_their_order_and_nothing_is_lost():
    rows = [row(f"j{i}", "REASONABLE", model=f"m{i % 3}", is_correct=True) for i in range(30)]
    found = by_run(tk.rescore(rows))
    assert sum(len(one.scores) for one in found.values()) == len(rows)
    assert found["m1"].scores["scenario_id"].tolist() == [f"j{i}" for i in range(1, 30, 3)]


def test_a_run_without_any_reply_stands_among_the_refused_only():
    rows = [row("a", "REASONABLE", run="kept", is_correct=True)]
    found = found_in([*rows, row("a", None, run="lost", is_correct=False)])
    *others, refused = pages(found)
    assert "lost" in refused
    assert not [page for page in others if ">lost<" in page]
    assert "lost" not in report.before_after(found).alt + report.level_ladder(found).alt
    assert "1 row could not be scored again" in " ".join(rescore_notes(found))


def test_answers_of_which_none_can_be_scored_are_refused():
    with pytest.raises(tk.ToolkitError, match=r"no row can be scored again.*no_raw_text"):
        report.rescore_headline(found_in([row("a", None, is_correct=False)]))


def test_a_refusal_names_the_file_not_the_frame(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("model,subset\nm,justice\n")
    with pytest.raises(tk.ToolkitError, match=r"'scenario_id' is not there \(mine.csv\)"):
        tk.rescore(path)


def test_a_recorded_judge_replies_as_recorded_and_fails_as_recorded():
    rows = report.judge_rows([row(n, "REASONABLE", input_text=n) for n in ("a", "b", "c")])
    recorded = [{"scenario_id": "a", "reply": "UNREASONABLE"}, {"scenario_id": "b", "reply": None}]
    ask = report.recorded_judge(recorded, rows)
    judged = evaluate_frame(rows, ask=ask, retries=0).frame
    assert judged["judge_outcome"].tolist() == ["answered", "judge_error", "judge_error"]
    assert judged["agree"].tolist() == [False, pd.NA, pd.NA]
    assert judged["correct"].all()


def test_recorded_replies_without_replies_are_refused():
    rows = report.judge_rows([row("a", "REASONABLE")])
    with pytest.raises(tk.ToolkitError, match="need a column 'reply'"):
        report.recorded_judge([{"scenario_id": "a"}], rows)


def test_the_bundled_judge_is_a_judge_with_faults(bundled):
    rows = report.judge_rows(tk.bundled("he300/answers.jsonl"))
    assert len(rows) == len(bundled.scores)
    ask = report.recorded_judge(tk.bundled("he300/judge_replies.jsonl"), rows)
    whole = evaluate_frame(rows, ask=ask, retries=0, timeout=None).report.to_frame().iloc[-1]
    assert whole[["both", "parser_only", "judge_only", "neither", "judge_failed"]].min() > 0
    assert 0.75 < whole["kappa"] < 0.95


def test_pictures_have_a_panel_a_run_and_say_what_they_show(bundled):
    for figure in (report.before_after(bundled), report.level_ladder(bundled)):
        assert len([axes for axes in figure.axes if axes.get_visible()]) == 2
        assert all(name in figure.alt for name in by_run(bundled))
    assert "justice 0.11, now 0.85" in report.before_after(bundled).alt


@pytest.mark.parametrize("number", [1, 3])
def test_pictures_of_one_run_and_of_three(number, tmp_path):
    rows = [row("a", "$x$", run=f"${i}$", predicted_label=1) for i in range(number)]
    found = found_in(rows)
    for name, figure in (("a", report.before_after(found)), ("b", report.level_ladder(found))):
        figure.savefig(tmp_path / f"{name}.png")
        assert len([axes for axes in figure.axes if axes.get_visible()]) == number


def test_totals_that_repeat_a_run_are_counted_not_shown():
    subsets = ["commonsense", "deontology", "justice"]
    once = pd.DataFrame({"model": "m", "subset": subsets, "correct": [57, 55, 5], "total": 60})
    twice = pd.concat([once.assign(timestamp="a"), once.assign(timestamp="b")])
    shown = report.totals_table(suspect_polarity(twice)).data
    assert "Of 3 totals (3 more repeat an earlier run)" in shown
    assert shown.count("inversion suspected</td>") == 1


def test_results_are_strict_json_without_folders_or_replies(bundled, tmp_path):
    given = {"answers": tmp_path / "answers.jsonl", "out": str(tmp_path), "level": "structured"}
    suspected = suspect_polarity(tk.bundled("he300/totals.csv"))
    report.write_rescore(tmp_path, parameters=given, found=bundled, suspected=suspected)
    text = (tmp_path / "results.json").read_text(encoding="utf-8")
    written = json.loads(text, parse_constant=pytest.fail)
    assert str(tmp_path) not in text
    assert written["parameters"] == {"answers": "answers.jsonl", "level": "structured"}
    assert written["versions"]["normalizer"]
    assert written["rescored"]["json-70b"]["scored"] == 361
    assert [one["verdict"] for one in written["totals"]].count("inverted_suspected") == 3
    assert "<think>" not in text
