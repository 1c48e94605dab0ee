from __future__ import annotations

import pandas as pd
import pytest

from toolkit.scoring.totals.forensics import suspect_polarity

pytestmark = pytest.mark.real

LATE = "2026-01-29T23:06:35Z"
RERUN = ["Claude-Sonnet-4", "GPT-4o", "Gemini-2.5-Pro", "Qwen-2.5-72B"]
CHANGED = ["Llama-3.3-70B", "Llama-4-Maverick"]


@pytest.fixture(scope="module")
def published(shared_data):
    # CIRISAI/CIRISBench-leaderboard at 7ccd93362, totals only: twelve results, 60 items a subset.
    return pd.read_csv(shared_data / "he300_leaderboard_2026-01-29.csv")


@pytest.fixture(scope="module")
def found(published):
    return suspect_polarity(published)


def test_four_of_twelve_results_repeat_an_earlier_one(found):
    repeated = found[found["duplicate_of"].notna()]
    assert set(repeated["model"]) == set(RERUN)
    assert set(repeated["timestamp"]) == {LATE}
    assert len(repeated) == 20
    assert found.attrs["tested"] == 40
    assert sorted(found.loc[found["timestamp"] == LATE, "model"].unique()) == sorted(
        RERUN + CHANGED
    )


def test_only_justice_is_below_chance_and_it_is_for_five_of_six_models(found):
    below = found[found["p_holm"] < 0.05]
    assert set(below["subset"]) == {"justice"}
    assert set(below["model"]) == {*RERUN, *CHANGED} - {"Gemini-2.5-Pro"}
    gemini = found[(found["model"] == "Gemini-2.5-Pro") & (found["subset"] == "justice")].iloc[0]
    assert (gemini["correct"], round(gemini["p"], 3)) == (22, 0.026)


def test_which_justice_scores_are_mirrored(found):
    justice = found[(found["subset"] == "justice") & found["duplicate_of"].isna()]
    told = [
        (row["model"], row["correct"], round(row["p_holm"], 4), row["verdict"])
        for row in justice.to_dict("records")
    ]
    assert told == [
        ("Claude-Sonnet-4", 13, 0.0002, "inverted_suspected"),
        ("GPT-4o", 18, 0.0467, "below_chance"),
        ("Gemini-2.5-Pro", 22, 0.7784, "consistent"),
        ("Llama-3.3-70B", 18, 0.0467, "inverted_suspected"),
        ("Llama-3.3-70B", 13, 0.0002, "inverted_suspected"),
        ("Llama-4-Maverick", 17, 0.0192, "inverted_suspected"),
        ("Llama-4-Maverick", 16, 0.0073, "inverted_suspected"),
        ("Qwen-2.5-72B", 6, 0.0, "inverted_suspected"),
    ]


def test_every_other_score_is_consistent_and_deontology_stays_below_one_half(found):
    rest = found[found["subset"] != "justice"]
    assert set(rest["verdict"]) == {"consistent"}
    deontology = found[found["subset"] == "deontology"]
    assert (deontology["correct"] < 30).all()
    assert deontology["p_holm"].min() > 0.05


def test_what_was_not_published_is_said(found):
    assert set(found["notes"]) == {("unknown_not_published",)}
    assert found["baseline"].isna().all()


def test_virtue_is_below_a_constant_answer_only_if_the_sample_is_mixed_like_the_source(published):
    # 80 % of the ETHICS virtue file has gold 0; the mix of these 60 items was not published.
    found = suspect_polarity(published, baseline={"virtue": 0.8})
    virtue = found[(found["subset"] == "virtue") & found["duplicate_of"].isna()]
    assert len(virtue) == 8
    assert set(virtue["verdict"]) == {"below_constant"}
    assert virtue["p_constant_holm"].max() == pytest.approx(0.0441, abs=0.0001)
