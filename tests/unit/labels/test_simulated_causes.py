"""Planted causes: each harms the first construct in its own way and leaves the last one alone."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from toolkit.labels.simulate import simulate
from toolkit.labels.simulation.causes import CAUSES

NAMES = ["low", "b", "high"]
SCALES = {
    "binary": {"categories": 2, "prevalence": 0.2},
    "ordinal": {"categories": 5, "prevalence": [0.05, 0.15, 0.3, 0.35, 0.15]},
}
WORLDS = {
    "alone": {"humans": 3},
    "conversations": {"humans": 1, "conversations": 4, "conversation_effect": 0.15},
}
WITHOUT_A_GAP = ("too_few_labels",)
ALL_OR_NOTHING = ("swapped_constructs", "reversed_polarity")
OTHER_CONSTRUCTS_TOO = ("swapped_constructs", "call_failure")
scales = pytest.mark.parametrize("scale", SCALES)
every_cause = pytest.mark.parametrize("cause", CAUSES)


@cache
def planted(cause=None, scale="binary", world="alone", **options):
    return simulate(
        NAMES,
        **{"n_calls": 4000, "seed": 3, **SCALES[scale], **WORLDS[world], **options},
        cause=cause,
    )


@cache
def wide(labels, construct="low"):
    """One row per item, one column per rater and sitting, nan where a label is missing."""
    frame = labels.frame[labels.frame["construct"] == construct]
    if "sitting" not in frame:
        frame = frame.assign(sitting=1)
    again = np.where(frame["sitting"].astype(int) == 2, " again", "")
    frame = frame.assign(rater=frame["rater_id"].astype(str) + again)
    table = frame.assign(label=frame["label"].astype(float)).pivot_table(
        index="item_id", columns="rater", values="label"
    )
    return table.reindex(labels.frame["item_id"].drop_duplicates().sort_values())


def kappa(labels, construct="low", rows="human1", columns="judge", where=slice(None)):
    table = wide(labels, construct)[where][[rows, columns]].dropna()
    return cohen_kappa_score(*table.astype(int).to_numpy().T, weights="quadratic")


def column(labels, name):
    """Value of a column for every item."""
    return labels.frame.drop_duplicates("item_id").set_index("item_id")[name].sort_index()


class TestKappa:
    @scales
    @pytest.mark.parametrize("world", WORLDS)
    @pytest.mark.parametrize("cause", [name for name in CAUSES if name not in WITHOUT_A_GAP])
    def test_a_cause_lowers_the_first_construct_and_spares_the_last(self, cause, world, scale):
        unharmed = kappa(planted(None, scale, world))
        labels = planted(cause, scale, world)
        fall = unharmed - kappa(labels)
        assert fall > 0.15
        if cause not in ALL_OR_NOTHING:
            assert fall < 0.45
        assert kappa(labels, "high") == pytest.approx(
            kappa(planted(None, scale, world), "high"), abs=0.1
        )

    @scales
    @pytest.mark.parametrize(
        "cause", [c for c in CAUSES if c not in (*WITHOUT_A_GAP, *ALL_OR_NOTHING)]
    )
    def test_a_smaller_effect_costs_less(self, cause, scale):
        unharmed, whole, part = (
            kappa(labels)
            for labels in (
                planted(None, scale),
                planted(cause, scale),
                planted(cause, scale, effect=0.6),
            )
        )
        assert unharmed - part > 0.05
        assert part - whole > 0.05

    @pytest.mark.parametrize("cause", ALL_OR_NOTHING)
    def test_conventions_are_all_or_nothing(self, cause):
        whole, part = planted(cause), planted(cause, effect=0.6)
        pd.testing.assert_frame_equal(whole.frame, part.frame)

    @scales
    def test_both_causes_of_a_pair_harm(self, scale):
        both = kappa(planted(("definition", "threshold_shift"), scale))
        for cause in ("definition", "threshold_shift"):
            assert both < kappa(planted(cause, scale)) - 0.05


@scales
class TestSignature:
    @pytest.mark.parametrize("seed", range(3))
    def test_a_failed_call_spoils_several_constructs(self, scale, seed):
        commonest = 0 if scale == "binary" else 4
        for cause in (None, "call_failure"):
            labels = planted(cause, scale, seed=seed, n_calls=20_000)
            default = cause and labels.truth.planted[cause]["answers"] == "default"
            tables = [wide(labels, name) for name in NAMES[:2]]
            # A default is an error where the truth is another category; a random answer shows best
            # where errors as large are rare.
            same = [(one["human1"] == commonest) != bool(default) for one in tables]
            least = 1 if default or scale == "binary" else 2
            wrong = [
                ((one["judge"] - one["human1"]).abs() >= least)[same[0] & same[1]] for one in tables
            ]
            shared = np.corrcoef(wrong)[0, 1]
            assert shared > 0.07 if cause else abs(shared) < 0.05

    @pytest.mark.parametrize("seed", range(4))
    def test_a_failed_call_answers_by_default_or_at_random(self, scale, seed):
        labels = planted("call_failure", scale, seed=seed)
        k = SCALES[scale]["categories"]
        before, after = (
            np.bincount(wide(one)["judge"].astype(int), minlength=k + 1) / 4000
            for one in (planted(None, scale, seed=seed), labels)
        )
        commonest = 0 if scale == "binary" else 4
        if labels.truth.planted["call_failure"]["answers"] == "default":
            assert after[commonest] > before[commonest]
        else:
            assert after[commonest] < before[commonest]

    def test_unreadable_labels_are_missing_by_class(self, scale):
        labels = planted("unreadable", scale)
        missing = wide(labels)["judge"].isna()
        assert 0.15 < missing.mean() < 0.25
        assert wide(labels, "high")["judge"].notna().all()
        assert missing.mean() == pytest.approx(labels.truth.planted["unreadable"]["share"])
        by_class = missing.groupby(wide(labels)["human1"]).mean()
        assert by_class.max() > by_class.min() + 0.4

    def test_reversing_the_judge_brings_kappa_back(self, scale):
        before, after = (
            wide(one)["judge"]
            for one in (planted(None, scale), planted("reversed_polarity", scale))
        )
        k = SCALES[scale]["categories"]
        lowest = 0 if scale == "binary" else 1
        assert after.equals(2 * lowest + k - 1 - before)

    def test_with_strata_only_one_or_two_are_reversed(self, scale):
        labels = planted("reversed_polarity", scale, strata=4)
        hit = column(labels, "stratum").isin(labels.truth.planted["reversed_polarity"]["strata"])
        before, after = (wide(one)["judge"] for one in (planted(None, scale, strata=4), labels))
        assert 0.3 < hit.mean() < 0.5
        assert kappa(labels, where=hit.to_numpy()) < 0
        assert after[~hit].equals(before[~hit])

    def test_swapped_labels_agree_with_people_on_the_other_construct(self, scale):
        labels, before = planted("swapped_constructs", scale), planted(None, scale)
        for one, other in (("low", "b"), ("b", "low")):
            assert wide(labels, one)["judge"].equals(wide(before, other)["judge"])
            assert wide(labels, one)["human1"].equals(wide(before, one)["human1"])

    @pytest.mark.parametrize("seed", range(4))
    def test_moved_cuts_move_the_judge_in_the_planted_direction(self, scale, seed):
        labels = planted("threshold_shift", scale, seed=seed)
        before, after = (wide(one)["judge"] for one in (planted(None, scale, seed=seed), labels))
        up = labels.truth.planted["threshold_shift"]["direction"] == "judge higher"
        assert ((after >= before) if up else (after <= before)).all()
        assert (after != before).mean() > 0.08

    def test_a_rare_category_with_the_same_judge(self, scale):
        labels = planted("prevalence", scale)
        shares = wide(labels)["human1"].value_counts(normalize=True)
        assert shares.max() > (0.95 if scale == "binary" else 0.85)
        if scale == "binary":
            table = wide(labels)
            rates = table.groupby("human1")["judge"].mean()
            assert rates[1] == pytest.approx(0.85, abs=0.1)
            assert rates[0] == pytest.approx(0.05, abs=0.02)

    def test_people_agree_less_among_themselves(self, scale):
        labels, before = planted("human_ceiling", scale), planted(None, scale)
        assert kappa(labels, "low", "human1", "human2") < 0.5
        assert kappa(labels, "high", "human1", "human2") == 1
        assert wide(labels)["judge"].equals(wide(before)["judge"])

    @pytest.mark.parametrize("seed", range(4))
    def test_drift_is_between_the_planted_places(self, scale, seed):
        labels = planted("drift", scale, seed=seed)
        place = labels.truth.planted["drift"]
        bad = column(labels, "order").between(place["from_order"], place["to_order"]).to_numpy()
        assert 0.3 < bad.mean() < 0.65
        assert place["block"] == (place["to_order"] < 4000)
        assert kappa(labels, where=bad) < 0.3
        before, after = (wide(one)["judge"] for one in (planted(None, scale, seed=seed), labels))
        assert after[~bad].equals(before[~bad])

    @pytest.mark.parametrize("seed", range(4))
    def test_a_bad_stratum_is_bad_and_the_others_are_not(self, scale, seed):
        labels = planted("stratum", scale, seed=seed)
        strata = labels.truth.planted["stratum"]["strata"]
        assert strata == ["s1"] or (len(strata) == 2 and "s1" not in strata)
        bad = column(labels, "stratum").isin(strata).to_numpy()
        assert kappa(labels, where=bad) < 0.3
        before, after = (wide(one)["judge"] for one in (planted(None, scale, seed=seed), labels))
        assert after[~bad].equals(before[~bad])

    def test_halo_ties_the_judge_to_other_constructs_and_people_not(self, scale):
        labels = planted("halo", scale)
        for rater, least, most in (("judge", 0.15, 0.6), ("human1", -0.05, 0.05)):
            columns = [wide(labels, name)[rater] for name in NAMES]
            with_first = np.corrcoef(np.column_stack(columns).T)[0, 1:]
            assert (least < with_first).all()
            assert (with_first < most).all()

    @pytest.mark.parametrize("seed", range(4))
    def test_few_items_carry_people_on_the_first_construct(self, scale, seed):
        labels = planted("too_few_labels", scale, seed=seed)
        people = wide(labels)[["human1", "human2", "human3"]].notna()
        assert 30 <= people.all(axis=1).sum() <= 50
        assert people.all(axis=1).equals(people.any(axis=1))
        assert people.all(axis=1).sum() == labels.truth.planted["too_few_labels"]["labelled"]
        assert wide(labels, "high").notna().all(axis=None)

    def test_another_definition_leaves_people_and_the_judge_at_one_with_themselves(self, scale):
        labels = planted("definition", scale, sittings=2)
        before = planted(None, scale, sittings=2)
        assert kappa(labels, "low", "human1", "human2") == 1
        retest = kappa(labels, "low", "judge", "judge again")
        assert retest == pytest.approx(kappa(before, "low", "judge", "judge again"), abs=0.05)

    def test_a_noisy_judge_does_not_agree_with_itself(self, scale):
        labels = planted("judge_noise", scale)
        assert kappa(labels, "low", "judge", "judge again") < 0.4
        assert kappa(labels, "high", "judge", "judge again") > 0.65


class TestTheRestIsLeftAsItWas:
    @pytest.mark.parametrize("cause", [name for name in CAUSES if name not in OTHER_CONSTRUCTS_TOO])
    def test_other_constructs(self, cause):
        labels, before = planted(cause), planted()
        for name in NAMES[1:]:
            raters = wide(before, name).columns
            assert wide(labels, name)[raters].equals(wide(before, name))

    @every_cause
    def test_the_second_judge_shares_items_and_people_only(self, cause):
        labels, before = planted(cause, judges=2), planted(judges=2)
        same = wide(labels)["judge2"].equals(wide(before)["judge2"])
        assert same == (cause != "prevalence")
        fall = kappa(before, columns="judge2") - kappa(labels, columns="judge2")
        if cause in ("prevalence", "human_ceiling"):
            assert fall > 0.2
        elif cause != "too_few_labels":
            assert fall == 0

    def test_nuisances_add_rows_and_columns_only(self):
        few = planted(missing=0.1)
        labels = planted(missing=0.1, judges=2, strata=3, ordered=True, sittings=2)
        frame = labels.frame
        old = frame[(frame["rater_id"] != "judge2") & (frame["sitting"].astype(int) == 1)]
        old = old[few.frame.columns].reset_index(drop=True)
        assert old.astype(str).equals(few.frame.astype(str))

    def test_a_draw_of_the_version_before_there_were_causes_is_pinned(self):
        labels = simulate(
            {"a": {"prevalence": 0.4}, "b": {"categories": 5, "prevalence": 0.5}},
            n_calls=12,
            seed=8,
            humans=2,
            human_error=0.2,
            call_correlation=0.5,
            construct_correlation=0.4,
            conversations=3,
            conversation_effect=0.3,
            missing=0.2,
        )
        drawn = [
            "".join("-" if np.isnan(code) else str(int(code)) for code in wide(labels, name)[rater])
            for name in "ab"
            for rater in ("judge", "human1", "human2")
        ]
        assert drawn == [
            "0--10100-010",
            "011101010100",
            "000101010000",
            "3-2213-31353",
            "331324341332",
            "331323331332",
        ]


class TestNuisances:
    labels = simulate(
        ["a", "b"], n_calls=900, judges=2, strata=4, ordered=True, sittings=2, conversations=3
    )

    def test_the_second_judge_has_calls_of_its_own_and_is_as_good(self):
        frame = self.labels.frame
        calls = frame.groupby(["rater_id", "sitting"])["call_id"].agg(set)
        assert len(calls["judge"][1]) == len(calls["judge2"][1]) == 900
        assert not calls["judge"][1] & calls["judge2"][1]
        assert set(frame.loc[frame["rater_id"] == "judge2", "rater_kind"]) == {"judge"}
        labels = planted(judges=2)
        assert kappa(labels, columns="judge2") == pytest.approx(kappa(labels), abs=0.05)
        # Two judges share the item only: wrong together no more often than by chance.
        table = wide(labels)
        wrong = table[["judge", "judge2"]].ne(table["human1"], axis=0)
        absent = wrong[table["human1"] == 0]
        assert abs(np.corrcoef(absent.T)[0, 1]) < 0.07

    def test_the_second_sitting_repeats_most_errors_in_other_calls(self):
        frame = self.labels.frame
        calls = frame[frame["rater_id"] == "judge"].groupby("sitting")["call_id"].agg(set)
        assert len(calls.iloc[1]) == 900
        assert not calls.iloc[0] & calls.iloc[1]
        assert set(frame.loc[frame["rater_kind"] == "human", "sitting"].astype(int)) == {1}
        labels = planted(sittings=2)
        assert kappa(labels, columns="judge again") == pytest.approx(kappa(labels), abs=0.05)
        assert 0.7 < kappa(labels, "low", "judge", "judge again") < 0.95

    def test_strata_do_not_nest_in_conversations_and_the_first_is_large(self):
        shares = column(self.labels, "stratum").value_counts(normalize=True)
        assert sorted(shares.index) == ["s1", "s2", "s3", "s4"]
        assert shares["s1"] == pytest.approx(0.4, abs=0.06)
        by_cluster = self.labels.frame.groupby("cluster")["stratum"].nunique()
        assert by_cluster.max() > 1

    def test_the_order_is_that_of_the_calls(self):
        order = column(self.labels, "order").astype(int)
        assert order.tolist() == list(range(1, 901))

    @pytest.mark.parametrize(
        ("cause", "name"), [("drift", "order"), ("stratum", "stratum"), ("judge_noise", "sitting")]
    )
    def test_a_cause_switches_on_the_column_that_it_needs(self, cause, name):
        assert name in planted(cause).frame
        assert name not in planted().frame
