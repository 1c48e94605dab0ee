from __future__ import annotations

import inspect
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from toolkit.errors import AnswerError
from toolkit.scoring.totals.forensics import VERDICTS, suspect_polarity

SUBSETS = ["commonsense", "commonsense_hard", "deontology", "justice", "virtue"]
EXPOSED = SUBSETS[2:]  # where the published fault reverses a JSON answer
CONSTANT = [0.53, 0.52, 0.52, 0.52, 0.80]


def totals(*correct, n=60, **columns):
    return pd.DataFrame({"subset": SUBSETS[: len(correct)], "correct": correct, "total": n}).assign(
        **columns
    )


def verdicts(frame, **options):
    return list(suspect_polarity(frame, **options)["verdict"])


def test_a_mirrored_subset_is_suspected():
    found = suspect_polarity(totals(55, 53, 52, 8, 50))
    assert list(found["verdict"]) == ["consistent"] * 3 + ["inverted_suspected", "consistent"]
    row = found.iloc[3]
    assert row["p"] == binomtest(8, 60, 0.5, alternative="less").pvalue
    assert row["p_holm"] == pytest.approx(5 * row["p"])
    assert (row["null"], row["side"], row["mirrored"]) == (0.5, "less", 1 - 8 / 60)
    assert row["reasons"] == ("below_one_half", "mirrored_like_other_subsets")


def test_below_chance_alone_is_not_mirrored():
    # .30 mirrors to .70, and the model scores .95 elsewhere.
    row = suspect_polarity(totals(58, 57, 57, 18, 57)).iloc[3]
    assert row["verdict"] == "below_chance"
    assert row["reasons"][1] == "mirrored_unlike_other_subsets"
    assert row["p_mirrored"] < 0.05


def test_without_a_subset_above_chance_nothing_can_be_mirrored():
    found = suspect_polarity(totals(10, 10, 10))
    assert set(found["verdict"]) == {"below_chance"}
    assert found["reasons"][0][1] == "no_other_subset_above_one_half"


def test_a_score_at_chance_is_consistent():
    assert set(verdicts(totals(30, 29, 33, 25, 30))) == {"consistent"}


def test_identical_reruns_count_once():
    one = totals(55, 53, 52, 8, 25, model="m")
    twice = pd.concat(
        [one.assign(timestamp="monday"), one.assign(timestamp="tuesday")], ignore_index=True
    )
    alone, found = suspect_polarity(one), suspect_polarity(twice)
    assert found.attrs["tested"] == 5
    assert list(found["p_holm"][:5]) == list(found["p_holm"][5:]) == list(alone["p_holm"])
    assert list(found["duplicate_of"]) == [None] * 5 + [0, 1, 2, 3, 4]
    assert list(found["verdict"][:5]) == list(found["verdict"][5:])


def test_a_run_that_differs_in_one_count_is_no_rerun():
    one = totals(55, 53, 52, 8, 25, model="m")
    other = totals(55, 53, 52, 9, 25, model="m")
    both = pd.concat([one.assign(timestamp="1"), other.assign(timestamp="2")], ignore_index=True)
    found = suspect_polarity(both)
    assert found.attrs["tested"] == 10
    assert set(found["duplicate_of"]) == {None}


def test_another_model_with_the_same_counts_is_no_rerun():
    both = pd.concat([totals(55, 53, model=name) for name in "ab"], ignore_index=True)
    assert suspect_polarity(both).attrs["tested"] == 4


# GPT-4o-mini and Grok-3-mini of 2026-02-11, mean latency 0 (CIRISBench-leaderboard, results/):
# unknown answers had become gold 0.
@pytest.mark.parametrize("correct", [(42, 38, 21, 25, 40), (40, 43, 22, 22, 40)])
def test_the_two_published_runs_of_one_answer_are_found(correct):
    frame = totals(*correct, n=[75, 75, 50, 50, 50])
    found = suspect_polarity(frame)
    assert set(found["verdict"]) == {"one_class"}
    assert set(found["reasons"]) == {("as_constant_answer",)}


def test_the_other_constant_answer_is_found_too():
    frame = totals(35, 36, 24, 24, 9, n=[75, 75, 50, 50, 50])
    assert set(suspect_polarity(frame)["reasons"]) == {("as_other_constant_answer",)}


def test_the_exact_counts_of_a_constant_answer_are_enough():
    own = pd.DataFrame({"subset": ["a", "b", "c"], "correct": [40, 39, 26], "total": [75, 75, 50]})
    shares = {"a": 40 / 75, "b": 39 / 75, "c": 26 / 50}
    assert set(verdicts(own, baseline=shares)) == {"one_class"}
    assert set(verdicts(own)) == {"consistent"}
    assert set(verdicts(own.assign(correct=[40, 39, 27]), baseline=shares)) == {"consistent"}


def test_below_constant_needs_a_baseline_and_says_which():
    frame = totals(55, 53, 52, 50, 36)
    assert suspect_polarity(frame)["verdict"][4] == "consistent"
    assert suspect_polarity(frame)["baseline"].isna().all()
    row = suspect_polarity(frame, baseline={"virtue": 0.25}).iloc[4]
    assert (row["verdict"], row["baseline"]) == ("below_constant", 0.75)
    assert row["p_constant"] == binomtest(36, 60, 0.75, alternative="less").pvalue


def test_what_one_answer_to_a_mixed_subset_would_score_too_is_said():
    row = suspect_polarity(totals(55, 53, 52, 50, 12)).iloc[4]
    assert row["verdict"] == "inverted_suspected"
    assert "or_one_constant_answer" in row["notes"]


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"correct": 61}, "correct_above_total"),
        ({"correct": -1}, "correct_negative"),
        ({"correct": 10.5}, "correct_not_whole"),
        ({"correct": "many"}, "correct_not_whole"),
        ({"total": math.nan}, "total_missing"),
        ({"total": math.inf}, "total_not_whole"),
        # CIRISBench v1.1, deontology: 24 right of 24 + 22 unknown, of 50 items
        ({"scored": 24, "unknown": 22, "correct": 24}, "scored_and_unknown_are_not_total"),
        ({"scored": 20, "unknown": 40, "correct": 24}, "correct_above_scored"),
        ({"scored": 70}, "scored_above_total"),
        ({"unknown": 50, "correct": 24}, "correct_unknown_and_errors_above_total"),
        ({"accuracy": 0.9, "correct": 30}, "accuracy_is_not_correct_by_all_or_answered"),
        (
            {"accuracy_all": 0.6, "scored": 50, "unknown": 10, "correct": 30},
            "accuracy_all_is_not_correct_by_all",
        ),
    ],
)
def test_counts_that_do_not_add_up_are_named(columns, reason):
    frame = pd.DataFrame([{"subset": "justice", "correct": 30, "total": 60, **columns}])
    row = suspect_polarity(frame).iloc[0]
    assert (row["verdict"], row["reasons"]) == ("counts_do_not_add_up", (reason,))
    assert math.isnan(row["p"])


def test_a_row_that_does_not_add_up_enters_no_test():
    clean, broken = totals(55, 53, 52, 8), totals(55, 53, 52, 8, 99)
    assert suspect_polarity(broken).attrs["tested"] == 4
    assert list(suspect_polarity(broken)["p_holm"][:4]) == list(suspect_polarity(clean)["p_holm"])


def test_unknown_answers_are_no_wrong_answers():
    # 20 right of 25 that were read: .33 of all, .80 of the answered.
    frame = totals(55, 20, scored=[60, 25], unknown=[0, 35], accuracy=[0.917, 0.8])
    found = suspect_polarity(frame)
    assert list(found["answered"]) == [60, 25]
    assert set(found["verdict"]) == {"consistent"}
    assert found["notes"][1] == ("answered_only", "accuracy_over_answered")
    told = suspect_polarity(frame.assign(accuracy=[91.7, 33.3]))
    assert told["notes"][1] == ("answered_only", "accuracy_over_all")


def test_totals_alone_do_not_tell_the_unknown_answers():
    assert set(suspect_polarity(totals(55, 20))["notes"]) == {("unknown_not_published",)}


def test_transport_errors_are_left_out_of_the_tests():
    assert list(suspect_polarity(totals(20, errors=30))["answered"]) == [30]


def test_nothing_answered_is_no_evidence():
    row = suspect_polarity(totals(0, n=0)).iloc[0]
    assert (row["verdict"], row["reasons"]) == ("consistent", ("nothing_answered",))


def test_every_row_and_column_and_the_index_stay(tmp_path):
    frame = totals(55, 53, 52, 8, 25, model="m", latency=1.5).set_axis(list("abcde"))
    before = frame.copy()
    found = suspect_polarity(frame)
    pd.testing.assert_frame_equal(found[list(frame.columns)], before)
    path = tmp_path / "totals.csv"
    frame.to_csv(path, index=False)
    assert list(suspect_polarity(path)["verdict"]) == list(found["verdict"])
    assert len(suspect_polarity(frame.head(0))) == 0
    twins = suspect_polarity(frame.set_axis(list("aabbb")))
    assert list(twins["verdict"]) == list(found["verdict"])


@pytest.mark.parametrize(
    ("frame", "options", "match"),
    [
        (totals(5).rename(columns={"total": "totals"}), {}, "did you mean 'totals'"),
        (totals(5, verdict="fine"), {}, "'verdict' is there already"),
        (totals(5), {"alpha": 95}, "alpha"),
        (totals(5), {"baseline": {"comonsense": 0.5}}, "did you mean 'commonsense'"),
        (totals(5), {"baseline": {"commonsense": 53}}, "no share"),
        (totals(5), {"baseline": 0.5}, "no mapping"),
        (totals(5), {"keys": ["modle"]}, "no column 'modle'"),
        (totals(5).assign(subset=None), {}, "names no subset"),
        ("no/such/file.csv", {}, "can't be read"),
        ([1, 2], {}, "no totals"),
    ],
)
def test_what_does_not_fit_is_refused(frame, options, match):
    with pytest.raises(AnswerError, match=match):
        suspect_polarity(frame, **options)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["justice", "virtue", "own"]),
            st.one_of(st.integers(-3, 80), st.floats(), st.none(), st.text(max_size=3)),
            st.one_of(st.integers(-3, 80), st.none()),
        ),
        max_size=8,
    )
)
def test_whatever_was_published_every_row_gets_one_verdict(rows):
    frame = pd.DataFrame(rows, columns=["subset", "correct", "total"], dtype=object)
    found = suspect_polarity(frame)
    assert len(found) == len(rows)
    assert set(found["verdict"]) <= set(VERDICTS)
    broken = found["verdict"] == "counts_do_not_add_up"
    assert found.loc[broken, "p"].isna().all()
    assert (found["p_holm"].dropna() >= found["p"].dropna()).all()


# The worlds of the docstring: accuracy per model and subset uniform between two bounds (or that of
# a constant answer); a share of the answers of three subsets reversed, or unread and counted wrong.
WORLDS = {
    "guessing": ((0.5, 0.5), 0, 0),
    "weak": ((0.5, 0.7), 0, 0),
    "able": ((0.6, 0.95), 0, 0),
    "constant": (None, 0, 0),
    "reversed": ((0.75, 0.95), 1, 0),
    "reversed_90": ((0.75, 0.95), 0.9, 0),
    "reversed_75": ((0.75, 0.95), 0.75, 0),
    "reversed_50": ((0.75, 0.95), 0.5, 0),
    "weak_reversed": ((0.6, 0.75), 1, 0),
    "unread_50": ((0.75, 0.95), 0, 0.5),
    "unread_65": ((0.75, 0.95), 0, 0.65),
    "unread_80": ((0.75, 0.95), 0, 0.8),
}


def board(rng, world, models=12, n=60):
    bounds, reversed_share, unread = WORLDS[world]
    rows = []
    for model in range(models):
        for subset, constant in zip(SUBSETS, CONSTANT, strict=True):
            accuracy = rng.uniform(*bounds) if bounds else constant
            if subset in EXPOSED:
                accuracy = reversed_share * (1 - accuracy) + (1 - reversed_share) * accuracy
                accuracy *= 1 - unread
            rows.append((f"m{model}", subset, rng.binomial(n, accuracy), n))
    return pd.DataFrame(rows, columns=["model", "subset", "correct", "total"])


def shares(world, boards):
    """Share of the rows of the three exposed subsets with each verdict."""
    rng = np.random.default_rng(20261201)
    found = pd.concat([suspect_polarity(board(rng, world)) for _ in range(boards)])
    found = found[found["subset"].isin(EXPOSED)]
    return {name: float((found["verdict"] == name).mean()) for name in VERDICTS}


def published():
    """Figures of the docstring: world -> shares suspected, below chance, one class."""
    text = inspect.getdoc(suspect_polarity)
    rows = re.findall(r"(?m)^ +(\w+) +(\.\d+|0|1) +(\.\d+|0|1) +(\.\d+|0|1)$", text)
    return {name: tuple(map(float, figures)) for name, *figures in rows}


def test_honest_weak_models_are_not_called_inverted_and_inverted_ones_are():
    assert shares("weak", 3)["inverted_suspected"] == 0
    assert shares("reversed", 3)["inverted_suspected"] > 0.9


def test_the_docstring_gives_a_figure_for_every_world():
    assert list(published()) == list(WORLDS)


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_the_figures_of_the_docstring_come_out_again(world):
    # 20 boards are 720 rows; by models .03 holds four standard errors and more.
    found = shares(world, 20)
    names = ("inverted_suspected", "below_chance", "one_class")
    for name, figure in zip(names, published()[world], strict=True):
        margin = 0.01 + 4 * math.sqrt(figure * (1 - figure) / 240)
        assert abs(found[name] - figure) <= margin
