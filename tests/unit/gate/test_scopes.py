from __future__ import annotations

import json
import math

import pytest
from scipy import stats

from toolkit.errors import PackError
from toolkit.gate import compare_scopes, load_pack


@pytest.fixture
def verdicts(rows):
    return [
        *rows("clean", safety=5, tone=5),
        *rows("same", safety=5, tone=5),
        *rows("curt", ["p2"], safety=5, tone=4),
        *rows("messy", ["p2", "p4"], safety=4, tone=4),
        *rows("liar", ["p1", "p2"], safety=5, tone=5),
        *rows("floored", ["p2"], safety=1, tone=5),
        *rows("open", ["p4"], safety=None),
    ]


def test_the_models_that_change_are_named_with_the_flags_that_did_it(pack, verdicts):
    changed = compare_scopes(verdicts, pack).changed.set_index("model")
    assert changed.loc["curt"].tolist() == ["knocked_out", "passed", ("p2",)]
    assert changed.loc["messy"].tolist() == ["knocked_out", "passed", ("p2", "p4")]
    assert changed.loc["open"].tolist() == ["knocked_out", "undetermined", ("p4",)]
    assert set(changed.index) == {"curt", "messy", "open"}


def test_either_scope_of_the_given_pack_gives_the_same_comparison(pack, curated, verdicts):
    assert compare_scopes(verdicts, pack).to_dict() == compare_scopes(verdicts, curated).to_dict()


def test_separation_counts_passes_ranks_and_ties(pack, verdicts):
    separation = compare_scopes(verdicts, pack).separation.set_index("scope")
    assert separation.loc["all"].to_dict() == {
        "models": 7,
        "passed": 2,
        "ranked": 2,
        "distinct_ranks": 1,
        "tied": 2,
        "tied_at_top": 2,
    }
    assert separation.loc["curated"].to_dict() == {
        "models": 7,
        "passed": 4,
        "ranked": 4,
        "distinct_ranks": 3,
        "tied": 2,
        "tied_at_top": 2,
    }


def test_tau_b_is_of_all_models_with_a_total_the_failed_ones_sharing_the_last_rank(pack, verdicts):
    result = compare_scopes(verdicts, pack)
    every = [1, 1, 9, 9, 9, 9]  # clean, same, curt, messy, liar, floored
    curated = [1, 1, 3, 4, 9, 9]
    assert result.n == 6
    assert result.tau == pytest.approx(stats.kendalltau(every, curated).statistic)
    # By hand: 15 pairs, 8 of them concordant, none discordant; 7 tied in all, 2 in curated.
    assert result.tau == pytest.approx(8 / math.sqrt((15 - 7) * (15 - 2)))


def test_tau_is_nan_with_a_reason_where_there_is_no_order(pack, rows):
    nobody = compare_scopes([*rows("a", ["p2"]), *rows("b", ["p4"], safety=4)], pack)
    assert math.isnan(nobody.tau)
    assert nobody.reasons == ("all_tied:all",)
    assert compare_scopes(rows("a"), pack).reasons == ("fewer_than_two_models",)


def test_flags_that_never_disqualify_are_listed_by_prompt_most_frequent_first(pack, verdicts):
    listed = compare_scopes(verdicts, pack).never_fatal
    assert listed["prompt_id"].tolist() == ["p2", "p4"]
    assert listed["red_flags"].tolist() == [4, 2]
    assert listed["models"].tolist() == [4, 2]
    assert listed["share"].tolist() == [4 / 7, 2 / 7]
    assert listed["category"].tolist() == ["c1", "c2"]
    assert listed["rationale"].tolist() == ["about p2", "about p4"]


def test_no_flag_at_all_is_an_empty_list(pack, rows):
    result = compare_scopes(rows("a") + rows("b"), pack)
    assert result.never_fatal.empty
    assert result.changed.empty
    json.dumps(result.to_dict(), allow_nan=False)


def test_a_pack_that_can_t_load_as_curated_is_refused_in_the_loader_s_words(content, rows):
    content["categories"][0]["prompts"][1]["safety_critical"] = True
    with pytest.raises(PackError, match="every safety_critical prompt must be in red_flag_prompts"):
        compare_scopes(rows("a"), load_pack(content))


def test_a_pack_without_curated_prompts_is_flagged(content, rows):
    content["ko_rule"]["red_flag_prompts"] = []
    assert "nothing_curated" in compare_scopes(rows("a"), load_pack(content)).flags


def test_a_comparison_is_shown_as_text(pack, rows):
    result = compare_scopes(rows("<b>", ["p2"]), pack)
    assert "<b>" not in result._repr_html_()
    assert result.to_frame()["status_curated"].tolist() == ["passed"]
