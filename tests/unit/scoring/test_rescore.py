from __future__ import annotations

import hashlib
import json

import pandas as pd
import pytest

import toolkit as tk
from toolkit.errors import AnswerError, ConventionError
from toolkit.scoring import LegacyAnswer, rescore
from toolkit.scoring.rescoring.tables import FLIPS

SUBSETS = ["commonsense", "commonsense_hard", "deontology", "justice", "virtue"]


def row(name, category, expected, raw, **more):
    return {
        "scenario_id": name,
        "category": category,
        "expected_label": expected,
        "agent_response": raw,
        **more,
    }


@pytest.fixture
def run():
    """Right answers to both golds of every subset, as words and as integers."""
    rows = []
    for subset in SUBSETS:
        for gold, label in enumerate(tk.convention("he300", subset).labels):
            rows.append(row(f"{subset}-{gold}-word", subset, gold, f"{label}. So I think."))
            rows.append(row(f"{subset}-{gold}-json", subset, gold, f'{{"label": {gold}}}'))
    return rows


def test_integers_flip_on_the_three_inverted_subsets_and_nowhere_else(run):
    found = rescore(run, old="legacy_benchmark_strict")
    assert list(found.flips.columns) == FLIPS
    assert found.flips["count"].tolist() == [1] * 6
    assert set(found.flips["subset"]) == {"deontology", "justice", "virtue"}
    assert (found.flips["old_label"] != found.flips["new_label"]).all()
    summary = found.summary.set_index("subset")
    assert summary["accuracy_old"].tolist() == [14 / 20, 1, 1, 0.5, 0.5, 0.5]
    assert (summary["accuracy_new"] == 1).all()
    assert (summary.loc["all", "gained"], summary.loc["all", "lost"]) == (6, 0)
    assert summary.loc["all", "p_value"] == 2 * 0.5**6


def test_at_level_strict_an_integer_has_not_answered(run):
    found = rescore(run, level="strict", old="legacy_benchmark_strict")
    whole = found.summary.iloc[0]
    assert (whole["accuracy_new"], whole["coverage_new"]) == (0.5, 0.5)
    assert whole["accuracy_answered_new"] == 1
    assert found.flips["new_label"].isna().all()
    assert set(found.flips["rule"]) == {"no_answer"}


def test_both_levels_stand_side_by_side(run):
    table = rescore(run, old="legacy_node").by_level
    whole = table[table["subset"] == "all"].set_index("level")
    assert list(whole.index) == ["exact", "strict", "structured", "lenient"]
    assert whole["coverage"].tolist()[1:3] == [0.5, 1]


def test_the_scores_carry_both_labels_and_both_versions(run):
    found = rescore(run, old="legacy_node")
    answer = found.scores.set_index("scenario_id").loc["justice-1-json"]
    assert (answer["old_gold"], answer["old_label"]) == (0, "UNREASONABLE")
    assert (answer["new_gold"], answer["new_label"]) == (1, "REASONABLE")
    assert (answer["old_correct"], answer["new_correct"]) == (False, True)
    assert answer["raw_sha256"] == hashlib.sha256(b'{"label": 1}').hexdigest()
    assert '{"label": 1}'[answer["span_start"] : answer["span_end"]] == "1"
    assert "CIRISNode" in answer["old_scorer"]
    assert answer["registry_digest"] == tk.convention("he300", "justice").digest
    assert found.versions["conventions_digest"] == tk.Registry.bundled().digest
    assert len(found.scores) == len(run)


def test_stored_labels_are_the_old_scores():
    rows = [
        row("a", "justice", 1, '{"label": 1}', predicted_label=0, is_correct=False),
        row("b", "justice", 0, "UNREASONABLE", predicted_label=0, is_correct=True),
        row("c", "justice", 0, "who knows", predicted_label=None, is_correct=False),
        row("d", "justice", 0, "UNREASONABLE", predicted_label=1, is_correct=True),
        row("e", "justice", 0, "UNREASONABLE", predicted_label=-1, is_correct=False),
    ]
    found = rescore(rows)
    assert found.scores["old_gold"].tolist() == [0, 0, pd.NA, 1, pd.NA]
    assert found.scores["old_correct"].tolist() == [False, True, False, False, False]
    assert found.flags == ("old_label_outside_labels:1", "stored_scores_contradict:1")
    assert found.flips["count"].sum() == 3


def test_where_only_right_or_wrong_was_stored_the_old_label_stays_unknown():
    rows = [
        row("a", "justice", 1, '{"label": 1}', is_correct=False),
        row("b", "justice", 0, "UNREASONABLE", is_correct=True),
        row("c", "justice", 0, "who knows", is_correct=False),
    ]
    found = rescore(rows)
    assert found.flags == ("old_label_unknown:2",)
    assert found.flips[["new_label", "count"]].values.tolist() == [["REASONABLE", 1]]
    assert pd.isna(found.summary.loc[0, "coverage_old"])
    assert found.summary.loc[0, "accuracy_old"] == pytest.approx(1 / 3)


def test_a_crash_of_the_old_scorer_is_no_answer_of_the_model():
    found = rescore([row("a", "justice", 1, "true")], old="legacy_benchmark_strict")
    assert found.scores["old_outcome"].tolist() == ["error"]
    assert found.scores["old_gold"].isna().all()


def test_a_scorer_of_ones_own_is_called_with_reply_and_category():
    seen = []

    def always_one(raw, category):
        seen.append((raw, category))
        return 1

    rows = [row("a", "mixed", 0, "CONTRADICTS", subcategory="virtue")]
    found = rescore(rows, old=always_one)
    assert seen == [("CONTRADICTS", "mixed")]
    assert (found.old, found.flips["old_label"].tolist()) == ("always_one", ["MATCHES"])


@pytest.mark.parametrize("value", ["x", 0.5, True, [1]])
def test_a_scorer_that_gives_no_gold_value_is_refused(value):
    with pytest.raises(AnswerError, match="gives no gold value"):
        rescore([row("a", "justice", 1, "x")], old=lambda *_: value)


def test_a_label_outside_the_labels_is_counted_and_never_scored():
    found = rescore([row("a", "justice", 1, "x")], old=lambda *_: 5)
    assert found.flags == ("old_label_outside_labels:1",)
    assert found.scores["old_outcome"].tolist() == ["no_answer"]


def test_a_scorer_may_give_a_legacy_answer():
    found = rescore([row("a", "justice", 1, "x")], old=lambda *_: LegacyAnswer(None, "error", None))
    assert found.scores["old_outcome"].tolist() == ["error"]


def test_rows_without_text_are_listed():
    rows = [row("a", "justice", 1, None, predicted_label=1), row("b", "justice", 1, "REASONABLE")]
    found = rescore(rows, old="legacy_node")
    assert found.refused[["row", "scenario_id", "reason"]].values.tolist() == [
        [0, "a", "no_raw_text"]
    ]
    assert found.to_dict()["refused"] == {"no_raw_text": 1}


def test_a_run_of_which_nothing_can_be_read_is_a_result_too(tmp_path):
    found = rescore([row("a", "justice", 1, None)], old="legacy_node", out=tmp_path)
    assert found.scores.empty
    assert found.flips.empty
    assert list(found.flips.columns) == FLIPS
    assert found.summary["n"].tolist() == [0]
    assert "accuracy nan" in repr(found)


def test_stems_are_clusters():
    rows = [
        row(f"{stem}{n}", "virtue", n % 2, '{"label": 1}', stem=stem)
        for stem in "abcdef"
        for n in range(5)
    ]
    found = rescore(rows, old="legacy_node")
    assert set(found.summary["clusters"]) == {6}
    assert set(found.summary["change_method"]) == {"adjusted_wald_clustered"}


def test_a_score_set_is_written_beside_the_source_and_never_over_another(tmp_path, run):
    source = tmp_path / "run.json"
    source.write_text(json.dumps({"batch_id": "b", "results": run}))
    before = source.read_bytes()
    found = rescore(source, old="legacy_node", out=tmp_path)
    names = {path.name for path in (tmp_path / found.folder).iterdir()}
    assert names == {"scores.csv", "flips.csv", "refused.csv", "by_level.csv", "summary.json"}
    with pytest.raises(AnswerError, match="there already"):
        rescore(source, old="legacy_node", out=tmp_path)
    other = rescore(source, level="strict", old="legacy_node", out=tmp_path)
    assert other.folder != found.folder
    assert source.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith(".")} == set()


def test_the_bytes_are_the_same_every_time(tmp_path, run):
    first = rescore(run, old="legacy_node", out=tmp_path / "one")
    second = rescore(run, old="legacy_node", out=tmp_path / "two", workers=2)
    for path in (tmp_path / "one" / first.folder.rpartition("/")[2]).iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.parent.name / path.name).read_bytes()
    summary = json.loads(path.with_name("summary.json").read_text())
    assert summary["versions"]["new_scorer"].startswith("normalizer ")
    assert first.versions == second.versions


def test_scores_read_back_are_the_scores(tmp_path, run):
    found = rescore(run, old="legacy_node", out=tmp_path)
    stored = pd.read_csv(f"{found.folder}/scores.csv")
    assert stored["new_label"].tolist() == found.scores["new_label"].tolist()
    assert stored["old_gold"].tolist() == found.scores["old_gold"].tolist()


def test_half_an_emoji_in_a_name_can_be_written(tmp_path):
    found = rescore([row("\ud83d", "justice", 1, "\ud83d")], old="legacy_node", out=tmp_path)
    assert found.folder


def test_the_frame_of_the_caller_is_not_changed(run):
    frame = pd.DataFrame(run)
    copy = frame.copy()
    rescore(frame, old="legacy_node")
    pd.testing.assert_frame_equal(frame, copy)


def test_the_result_says_what_it_holds(run):
    found = rescore(run, old="legacy_node")
    json.dumps(found.to_dict(), allow_nan=False)
    assert "6 flips; accuracy 0.700 by legacy_node, now 1.000" in repr(found)
    assert "<table" in found._repr_html_()
    assert found.to_frame() is found.scores


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "Strict"}, "did you mean 'strict'"),
        ({"old": "legacy"}, "unknown old scorer"),
        ({"old": 3}, "unknown old scorer"),
    ],
)
def test_unknown_options_are_refused(run, options, message):
    with pytest.raises(AnswerError, match=message):
        rescore(run, **{"old": "legacy_node", **options})


def test_broken_conventions_are_refused(run):
    with pytest.raises(ConventionError):
        rescore(run, old="legacy_node", conventions={"benchmark": 1})


def test_a_folder_that_cannot_be_written_is_named(tmp_path, run):
    (tmp_path / "file").write_text("")
    with pytest.raises(AnswerError, match="can't be written"):
        rescore(run, old="legacy_node", out=tmp_path / "file")


def test_a_run_without_scores_is_compared_with_the_published_scorer_and_says_so():
    rows = [row("a", "justice", 1, '{"label": 1}')]
    found = rescore(rows)
    assert (found.old, found.flags) == ("legacy_benchmark_strict", ("old_scores_computed",))
    assert found.scores["old_correct"].tolist() == [False]
    with pytest.raises(AnswerError, match="no scores of its own"):
        rescore(rows, old="stored")


def test_where_nothing_differs_there_are_no_flips():
    found = rescore([row("a", "justice", 1, "REASONABLE")], old="legacy_node")
    assert found.flips.empty
    assert list(found.flips.columns) == ["subset", "rule", "old_label", "new_label", "count"]


def test_every_run_is_scored_by_itself_and_all_of_them_together():
    rows = [row("a", "justice", 1, "REASONABLE", model="good")]
    rows += [row("b", "justice", 1, "REASONABLE", model="good")]
    rows += [row("a", "justice", 1, "UNREASONABLE", model="bad")]
    found = rescore(rows, old="legacy_node")
    summary = found.summary.set_index(["run", "subset"])
    assert list(summary.index) == [
        (r, s) for r in ("all", "good", "bad") for s in ("all", "justice")
    ]
    assert summary["n"].tolist() == [3, 3, 2, 2, 1, 1]
    assert summary.loc[("good", "all"), "accuracy_new"] == 1
    assert summary.loc[("bad", "all"), "accuracy_new"] == 0
    assert found.scores["run"].tolist() == ["good", "good", "bad"]
    assert list(found.by_level["run"].unique()) == ["all", "good", "bad"]
    assert "runs_pooled" in summary.loc[("all", "all"), "flags"]
    assert "runs_pooled" not in summary.loc[("good", "all"), "flags"]


def test_over_all_runs_the_replies_to_one_item_are_one_cluster():
    rows = [row(n, "justice", 1, "REASONABLE", run=run) for run in "xy" for n in "abc"]
    found = rescore(rows, old="legacy_node")
    whole, one = found.summary.iloc[0], found.summary.iloc[2]
    assert (whole["n"], whole["clusters"]) == (6, 3)
    assert one["n"] == 3
    assert pd.isna(one["clusters"])
    assert found.by_level.iloc[0]["clusters"] == 3


def test_a_run_is_named_by_run_before_model_and_none_is_called_all():
    rows = [row("a", "justice", 1, "REASONABLE", run=run, model="m") for run in ("x", "y")]
    assert rescore(rows, old="legacy_node").scores["run"].tolist() == ["x", "y"]
    rows[1]["run"] = "all"
    with pytest.raises(AnswerError, match="a run is called 'all'"):
        rescore(rows, old="legacy_node")


def test_each_run_is_compared_with_its_own_scores_else_with_the_published_scorer():
    rows = [row("a", "justice", 1, '{"label": 1}', run="with", predicted_label=1)]
    rows += [row("a", "justice", 1, '{"label": 1}', run="without")]
    rows += [row("a", "justice", 1, '{"label": 1}', run="judged", is_correct=False)]
    found = rescore(rows)
    assert found.old == "stored and legacy_benchmark_strict"
    assert found.scores["old_correct"].tolist() == [True, False, False]
    assert found.flags == ("old_scores_computed", "old_label_unknown:1")
    with pytest.raises(AnswerError, match=r"no scores of its own.*run without"):
        rescore(rows, old="stored")


def test_a_scorer_without_a_name_is_called_callable(tmp_path):
    found = rescore([row("a", "justice", 1, "x")], old=lambda *_: 1, out=tmp_path)
    assert found.old == "callable"
    assert "/structured-callable-" in found.folder


def test_refused_rows_are_flagged_and_nothing_scored_is_said():
    found = rescore([row("a", "justice", 1, None)], old="legacy_node")
    assert found.flags == ("nothing_scored", "rows_refused:1")
    found = rescore([row("a", "justice", 1, None), row("b", "justice", 1, "REASONABLE")])
    assert "rows_refused:1" in found.flags


def test_a_stored_score_that_is_neither_true_nor_false_is_named():
    with pytest.raises(AnswerError, match="neither true nor false"):
        rescore([{**row("a", "justice", 1, "REASONABLE"), "is_correct": "perhaps"}])


def test_the_published_scorers_are_refused_for_another_benchmark():
    conventions = {
        "benchmark": "mine",
        "conventions": [{"subsets": ["tone"], "labels": ["RUDE", "KIND"]}],
    }
    with pytest.raises(AnswerError, match="HE-300 and nothing else"):
        rescore(
            [row("a", "tone", 1, "KIND")],
            old="legacy_node",
            benchmark="mine",
            conventions=conventions,
        )
