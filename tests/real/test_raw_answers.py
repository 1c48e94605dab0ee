"""Raw answers that other people kept are read again, and give the figures they published."""

from __future__ import annotations

import pandas as pd
import pytest

import toolkit as tk
from toolkit.answers.tables.frame import normalize_frame

pytestmark = pytest.mark.real

BBH = "docs/conventions/bbh.yaml"
# bbh_raw_dev in the README of the data: first word (direct), last "answer is" (chain of thought).
# Upstream, github.com/suzgunmirac/BIG-Bench-Hard, reports the same figures.
FIRST_WORD = {
    "boolean_expressions": 0.884,
    "causal_judgement": 0.636,
    "navigate": 0.504,
    "sports_understanding": 0.728,
    "web_of_lies": 0.516,
}
LAST_ANSWER_IS = {
    "boolean_expressions": 0.928,
    "causal_judgement": 0.540,
    "navigate": 0.964,
    "sports_understanding": 0.976,
    "web_of_lies": 0.952,
}
SCALE = [1, 2, 3, 4, 5]
CONSTRUCTS = (
    *("guidance", "informativeness", "relevance", "safety"),
    *("empathy", "helpfulness", "understanding"),
)


@pytest.fixture(scope="module")
def bbh(shared_data, pytestconfig):
    frame = pd.read_csv(shared_data / "bbh_raw_dev.csv.gz", keep_default_na=False)
    read = normalize_frame(
        frame.rename(columns={"gold": "word"}),
        benchmark="bbh",
        subset="subset",
        conventions=pytestconfig.rootpath / BBH,
        ladder=True,
    )
    labels = {
        name: tk.convention("bbh", name, source=pytestconfig.rootpath / BBH).labels
        for name in FIRST_WORD
    }
    read["expected"] = [
        labels[subset].index(word)
        for subset, word in zip(read["subset"], read["word"], strict=True)
    ]
    return read


def accuracy(rows, level):
    return (
        (rows[f"gold_{level}"] == rows["expected"])
        .fillna(value=False)
        .groupby(rows["subset"])
        .mean()
    )


def test_direct_answers_score_as_published_at_level_strict(bbh):
    found = accuracy(bbh[bbh["mode"] == "direct"], "strict")
    assert found.round(3).to_dict() == FIRST_WORD


def test_reasoned_answers_score_as_published_or_better_at_level_lenient(bbh):
    found = accuracy(bbh[bbh["mode"] == "cot"], "lenient")
    assert {name: round(found[name], 3) >= least for name, least in LAST_ANSWER_IS.items()} == (
        dict.fromkeys(LAST_ANSWER_IS, True)
    )


def test_reasoned_answers_have_not_answered_at_level_strict(bbh):
    reasoned = bbh[bbh["mode"] == "cot"]
    assert (reasoned["outcome_strict"] != "answered").all()


def test_a_cue_names_the_last_answer_and_the_span_shows_it(bbh):
    cot = bbh[bbh["mode"] == "cot"]
    last = cot["raw_response"].str.findall(r"answer is (\w+)\.").str[-1]
    cued = last.notna()
    assert cued.sum() > 1_150
    assert (cot.loc[cued, "label_lenient"] == last[cued]).all()


@pytest.fixture(scope="module")
def replies(shared_data):
    return pd.read_csv(shared_data / "mentalalign_dev_raw.csv.gz").drop(columns="gold")


@pytest.fixture(scope="module")
def parsed(shared_data):
    frame = pd.read_csv(shared_data / "mentalalign_dev.csv.gz")
    return frame[frame["rater_kind"] == "judge"]


@pytest.fixture(scope="module")
def contract():
    return tk.Contract(dict.fromkeys(CONSTRUCTS, SCALE))


@pytest.fixture(scope="module")
def table(replies, contract):
    return normalize_frame(replies, contract=contract, judge="subset")


def test_replies_with_seven_constructs_give_the_labels_that_were_published(table, parsed):
    keys = ["item_id", "construct", "rater_id", "call_id"]
    both = table.merge(parsed[[*keys, "label"]], on=keys, how="left", suffixes=("", "_published"))
    assert len(both) == len(table) == 70_000
    same = (both["label"] == both["label_published"]).fillna(value=False)
    assert same.groupby(both["call_id"]).all().sum() == 9_998


def test_the_two_damaged_replies_are_malformed_and_mended_only_at_level_lenient(
    table, replies, contract
):
    damaged = table[table["outcome"] != "answered"]
    assert damaged["outcome"].unique().tolist() == ["malformed"]
    assert damaged["label"].isna().all()
    calls = damaged["call_id"].unique()
    assert len(calls) == 2
    again = normalize_frame(
        replies[replies["call_id"].isin(calls)], contract=contract, judge="subset", level="lenient"
    )
    assert again["outcome"].unique().tolist() == ["answered"]
    assert again["flags"].unique().tolist() == ["repaired"]
    assert again["label"].tolist() == [5] * 14  # as a reader of the two replies sees


def test_the_label_table_is_read_as_it_is(table, parsed):
    scale = {"kind": "ordinal", "categories": SCALE}
    labels = tk.read_labels(
        table, schema={"constructs": dict.fromkeys(CONSTRUCTS, scale)}, overlap=False
    )
    assert len(labels.frame) == 69_986
    assert labels.left_out["count"].sum() == 14
    assert labels.left_out["reason"].unique().tolist() == ["missing"]
    published = tk.read_labels(parsed, overlap=False)
    keys = ["item_id", "construct", "rater_id"]
    one, other = (each.frame.set_index(keys)["label"].sort_index() for each in (labels, published))
    assert one.loc[other.index].tolist() == other.tolist()
