"""The findings of docs/gallery.md, derived again from the real labels.

Sources of the labels: MentalBench-Align (MIT), ConvAbuse (CC BY 4.0; Cercas Curry, Abercrombie and
Rieser 2021), HumaneBench (Apache-2.0). Pandas and numpy check what the toolkit says.
"""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import toolkit as tk

pytestmark = pytest.mark.real

SCALE = {"default": {"kind": "ordinal", "categories": [1, 2, 3, 4, 5], "present": [1, 2, 3]}}
PRINCIPLES = {"default": {"kind": "ordinal", "categories": [-1, -0.5, 0.5, 1]}}
BROKEN = ["qwen_2", "qwen_3"]
CEILING = ["relevance", "safety", "understanding"]
RATERS = [f"Annotator{i}" for i in range(1, 9)]
OPTIONS = {"cluster": "item_id:|", "draws": 2000}
IN_CALLS = {**OPTIONS, "weights": "quadratic"}
TWO_DIGITS = 0.0051


@pytest.fixture(scope="module")
def counselling(shared_data):
    frame = pd.read_csv(shared_data / "mentalalign_dev.csv.gz")
    return frame.assign(conversation=frame["item_id"].str[1:5].astype(int))


@pytest.fixture(scope="module")
def by_item(counselling):
    rows = ["item_id", "stratum", "conversation"]
    return counselling.pivot_table(
        index=rows, columns=["rater_id", "construct"], values="label"
    ).sort_index()


@pytest.fixture(scope="module")
def sittings(shared_data):
    """Labels of ConvAbuse, later sittings of a person under that person's name."""
    frame = pd.read_csv(shared_data / "convabuse.csv.gz")
    rater = frame["rater_id"].str.replace(r"_rep\d", "", regex=True)
    sitting = frame["rater_id"].str.extract(r"_rep(\d)")[0].fillna("1").astype(int)
    return frame.assign(rater_id=rater, sitting=sitting)


@pytest.fixture(scope="module")
def persons(shared_data):
    """Each person of HumaneBench as a construct: the same judge against another person."""
    frame = pd.read_csv(shared_data / "humanebench.csv.gz")
    judges = frame[frame["rater_kind"] == "judge"]
    parts = []
    for name in sorted(set(frame.loc[frame["rater_kind"] == "human", "rater_id"])):
        own = frame[frame["rater_id"] == name].assign(rater_id="person")
        parts.append(pd.concat([own, judges]).assign(construct=name))
    return tk.read_labels(pd.concat(parts), schema=PRINCIPLES)


def kappas(frame, judge):
    labels = tk.read_labels(frame, schema=SCALE)
    table = tk.agreement(labels, judge=judge, weights="quadratic", **OPTIONS)
    return {one.construct: one.kappa.estimate for one in table}


def test_gpt_4o_scores_empathy_higher_than_the_expert_and_that_closes_most_of_the_gap(counselling):
    labels = tk.read_labels(counselling, schema=SCALE)
    d = tk.diagnose(labels, low="empathy", high="understanding", judge="gpt-4o", **OPTIONS)
    assert d.verdict.causes[0] == "threshold_shift"
    shift = d.evidence["threshold_shift"]
    assert [shift.share, shift.share_low, shift.share_high] == pytest.approx(
        [0.90, 0.84, 0.96], abs=0.02
    )
    assert [d.gap.kappa_low, d.gap.kappa_high] == pytest.approx([0.26, 0.64], abs=TWO_DIGITS)
    assert [d.gap.lower, d.gap.upper] == pytest.approx([0.34, 0.43], abs=0.015)
    assert d.evidence["prevalence"].status == "refuted"


def test_gpt_4o_gives_empathy_and_understanding_nearly_the_same_labels(by_item):
    same, r = {}, {}
    for rater in ["expert", "claude-3-7-sonnet", "gpt-4o"]:
        both = by_item[rater][["empathy", "understanding"]].dropna()
        same[rater] = (both["empathy"] == both["understanding"]).mean()
        r[rater] = both.corr().iloc[0, 1]
    assert list(same.values()) == pytest.approx([0.344, 0.779, 0.930], abs=0.0006)
    assert list(r.values()) == pytest.approx([0.28, 0.75, 0.91], abs=TWO_DIGITS)


def test_the_kappas_of_three_constructs_rest_on_the_answers_of_two_models(counselling):
    rest = counselling[~counselling["stratum"].isin(BROKEN)]
    for judge, all_of_them, without in [
        ("gpt-4o", [0.65, 0.67, 0.64], [0.24, 0.06, 0.28]),
        ("claude-3-7-sonnet", [0.39, 0.52, 0.38], [0.12, 0.07, 0.14]),
    ]:
        before, after = kappas(counselling, judge), kappas(rest, judge)
        assert [before[one] for one in CEILING] == pytest.approx(all_of_them, abs=TWO_DIGITS)
        assert [after[one] for one in CEILING] == pytest.approx(without, abs=TWO_DIGITS)


def test_sixty_one_items_with_the_lowest_score_throughout_come_from_these_models(by_item):
    lowest = (by_item["expert"] == 1).all(axis=1)
    assert lowest.sum() == 61
    assert lowest.groupby("stratum").sum()[BROKEN].tolist() == [43, 16]


def worst_stretch(means):
    """Largest standardised difference of a stretch of conversations from the rest: (m, 2)."""
    n, step = means.shape[1], 5
    first, last = np.triu_indices(n // step + 1, 1)
    first, last = first * step, last * step
    inside = (last - first >= 25) & (last - first <= n - 25)
    first, last = first[inside], last[inside]
    z = (means - means.mean(axis=1, keepdims=True)) / means.std(axis=1, keepdims=True)
    sums = np.pad(z.cumsum(axis=1), ((0, 0), (1, 0)))
    share = (last - first) / n
    found = (sums[:, last] - sums[:, first]) ** 2 / (n * share * (1 - share))
    best = found.argmax(axis=1)
    return found.max(axis=1), first[best] + 1, last[best]


def test_the_experts_labels_of_all_constructs_change_along_the_conversations(by_item):
    """Of 21 series only the expert's seven reach p below .05 / 21 by permutation."""
    rng = np.random.default_rng(0)
    means = by_item.groupby("conversation").mean()
    p, stretch = {}, {}
    for rater, construct in means.columns:
        series = means[rater][construct].to_numpy()[None]
        statistic, first, last = worst_stretch(series)
        shuffled = rng.permuted(np.repeat(series, 999, axis=0), axis=1)
        p[rater, construct] = (1 + (worst_stretch(shuffled)[0] >= statistic).sum()) / 1000
        stretch[rater, construct] = (int(first[0]), int(last[0]))
    assert {rater for (rater, _), value in p.items() if value <= 0.05 / 21} == {"expert"}
    assert sum(value <= 0.05 / 21 for value in p.values()) == 7
    assert stretch["expert", "empathy"] == stretch["expert", "understanding"] == (301, 400)


def test_between_conversations_300_and_400_the_expert_is_another_and_the_judges_are_not(by_item):
    inside = (by_item.index.get_level_values("conversation") >= 300) & (
        by_item.index.get_level_values("conversation") <= 400
    )
    means = by_item.groupby(inside).mean()
    assert means["expert"]["empathy"].tolist() == pytest.approx([3.70, 4.69], abs=TWO_DIGITS)
    assert means["expert"]["safety"].tolist() == pytest.approx([4.91, 4.73], abs=TWO_DIGITS)
    judges = means.drop(columns="expert", level=0)
    assert float(judges.diff().iloc[1].abs().max()) < 0.08
    originals = by_item.xs("original", level="stratum")["expert"]["safety"]
    here = inside[by_item.index.get_level_values("stratum") == "original"]
    assert originals.groupby(here).mean().tolist() == pytest.approx([4.97, 3.90], abs=TWO_DIGITS)


def test_the_gap_between_empathy_and_understanding_is_not_shown_in_these_conversations(counselling):
    inside = counselling["conversation"].between(300, 400)
    found = []
    for part in (inside, ~inside):
        labels = tk.read_labels(counselling[part], schema=SCALE)
        found.append(tk.contrast(labels, "empathy", "understanding", judge="gpt-4o", **IN_CALLS))
    gaps = [one.difference for one in found]
    assert gaps == pytest.approx([-0.02, 0.46], abs=0.015)
    assert found[0].low < 0 < found[0].high
    assert found[1].low > 0.35


def pooled_kappa(one, other):
    """Kappa of two columns of 0 and 1, all pairs pooled, each pair in both orders."""
    table = np.zeros((2, 2))
    for left, right in zip([*one, *other], [*other, *one], strict=True):
        both = pd.concat([left, right], axis=1).dropna().to_numpy(dtype=int)
        np.add.at(table, (both[:, 0], both[:, 1]), 1)
    chance = (table.sum(axis=0) * table.sum(axis=1)).sum() / table.sum() ** 2
    return (np.trace(table) / table.sum() - chance) / (1 - chance)


def test_questions_asked_after_abusive_change_places_when_only_abusive_turns_count(sittings):
    first = sittings[sittings["sitting"] == 1]
    wide = first.pivot_table(index="item_id", columns=["construct", "rater_id"], values="label")
    pairs = list(itertools.combinations(RATERS, 2))
    for name, asked_or_not, asked in [
        ("explicit", 0.71, 0.28),
        ("sex_harassment", 0.67, 0.87),
        ("homophobic", 0.63, 0.85),
        ("intellectual", 0.35, 0.63),
    ]:
        labels = wide[name]
        given = labels.where(wide["abusive"] == 1)
        for table, expected in ((labels, asked_or_not), (given, asked)):
            both = pooled_kappa([table[a] for a, _ in pairs], [table[b] for _, b in pairs])
            assert both == pytest.approx(expected, abs=TWO_DIGITS)


def test_annotators_5_and_7_depart_from_the_others_in_one_direction(sittings):
    first = sittings[(sittings["sitting"] == 1) & (sittings["construct"] == "abusive")]
    wide = first.pivot_table(index="item_id", columns="rater_id", values="label")
    for name, alone_yes, alone_no in [("Annotator5", 513, 17), ("Annotator7", 9, 394)]:
        others = wide.drop(columns=name)
        assert int((others.rsub(wide[name], axis=0) > 0).to_numpy().sum()) == alone_yes
        assert int((others.rsub(wide[name], axis=0) < 0).to_numpy().sum()) == alone_no


def test_gated_labels_let_the_tool_find_people_who_disagree_about_explicit(sittings):
    gate = sittings[sittings["construct"] == "abusive"].set_index("call_id")["label"]
    asked = sittings["construct"].eq("severity") | sittings["call_id"].map(gate).eq(1)
    kept = sittings[asked & (sittings["construct"] != "abusive")]
    people = [name for name in RATERS if name != "Annotator5"]
    options = {"judge": "Annotator5", "reference": people, "draws": 2000}
    d = tk.diagnose(tk.read_labels(kept), low="explicit", high="sex_harassment", **options)
    assert d.verdict.causes[0] == "human_ceiling"
    assert d.gap.n == 275
    assert d.gap.difference == pytest.approx(0.47, abs=TWO_DIGITS)
    assert d.evidence["human_ceiling"].share == pytest.approx(0.50, abs=0.02)


def test_questions_behind_a_gate_do_not_make_calls_look_failed(sittings):
    people = [name for name in RATERS if name != "Annotator5"]
    options = {"judge": "Annotator5", "reference": people, "draws": 2000}
    d = tk.diagnose(tk.read_labels(sittings), low="abusive", high="explicit", **options)
    assert "call_failure" not in d.verdict.causes
    assert "by design" in d.evidence["call_failure"].sentence
    assert d.gap.n == 1714


def test_principles_of_humanebench_share_no_call(shared_data):
    labels = tk.read_labels(shared_data / "humanebench.csv.gz")
    d = tk.diagnose(labels, judge="gpt-5.1", draws=2000)
    assert d.verdict.causes == ()
    assert "can't be compared: no call carries labels of both" in d.verdict.sentence
    assert {one["why"] for one in d.not_run} >= {
        "only 0 shared calls with labels of both sides on both constructs"
    }


@pytest.mark.parametrize("judge", ["claude-4.5-sonnet", "gpt-5.1", "gemini-2.5-pro"])
def test_no_judge_of_humanebench_agrees_more_with_one_person_than_with_another(persons, judge):
    found = tk.contrasts(persons, judge=judge, reference="person", **IN_CALLS).to_frame()
    assert len(found) == 6
    assert (found["p_holm"] > 0.05).all()
    d = tk.diagnose(persons, judge=judge, reference="person", **OPTIONS)
    assert d.verdict.causes == ("too_few_labels",)
