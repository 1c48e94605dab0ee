"""Simulated labels: the sample obeys the options, and the truth is what the sample tends to."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import special, stats
from sklearn.metrics import cohen_kappa_score

from toolkit.errors import ToolkitError
from toolkit.labels.simulate import simulate
from toolkit.labels.simulation.latent import LatentConstruct, World
from toolkit.labels.simulation.population import construct_truth
from toolkit.labels.simulation.sample import draw

BINARY = LatentConstruct(
    name="harm",
    categories=(0, 1),
    prevalence=0.12,
    sensitivity=0.7,
    specificity=0.93,
    agreement=0.8,
    human_error=(0.03, 0.05, 0.1),
)
ORDINAL = LatentConstruct(
    name="empathy",
    categories=(1, 2, 3, 4, 5),
    prevalence=(0.05, 0.15, 0.3, 0.35, 0.15),
    sensitivity=0.8,
    specificity=0.9,
    agreement=0.75,
    human_error=(0.1, 0.2, 0.3),
)
ALONE = World(
    n_calls=2_000_000,
    humans=3,
    call_correlation=0.0,
    construct_correlation=0.0,
    conversations=None,
    conversation_effect=0.0,
    missing=0.0,
)


def wide(labels, construct):
    """One row per item, one column per rater."""
    frame = labels.frame[labels.frame["construct"] == construct]
    return frame.pivot_table(index="item_id", columns="rater_id", values="label", aggfunc="first")


def shares(rows, columns, k):
    table = np.bincount(rows.astype(int) * k + columns, minlength=k * k).reshape(k, k)
    return table / table.sum()


@pytest.fixture(scope="module", params=[BINARY, ORDINAL], ids=["binary", "ordinal"])
def sampled(request):
    construct = request.param
    codes = draw([construct], ALONE, seed=11).codes[:, 0]
    return construct, codes, construct_truth(construct)


class TestTruthIsWhatALargeSampleTendsTo:
    def test_table_against_one_person(self, sampled):
        construct, (judge, human1, *_), truth = sampled
        found = shares(human1, judge, len(construct.categories))
        # Standard error of a share of 2e6 items is below .00036.
        np.testing.assert_allclose(found, truth.table, atol=0.0015)

    def test_kappa_to_three_decimals(self, sampled):
        _, (judge, human1, *_), truth = sampled
        assert cohen_kappa_score(human1, judge) == pytest.approx(truth.kappa, abs=0.002)
        quadratic = cohen_kappa_score(human1, judge, weights="quadratic")
        assert quadratic == pytest.approx(truth.kappa_quadratic, abs=0.002)

    def test_majority_of_three_people_and_the_ties(self, sampled):
        construct, (judge, *people), truth = sampled
        k = len(construct.categories)
        votes = np.stack([sum(person == code for person in people) for code in range(k)])
        decided = votes.max(axis=0) >= 2
        found = shares(votes.argmax(axis=0)[decided], judge[decided], k)
        np.testing.assert_allclose(found, truth.table_majority, atol=0.0015)
        assert 1 - decided.mean() == pytest.approx(truth.tied, abs=0.0015)

    def test_people_among_themselves(self, sampled):
        _, (_, human1, human2, _), truth = sampled
        assert cohen_kappa_score(human1, human2) == pytest.approx(truth.kappa_people, abs=0.002)

    def test_nuisances_shared_by_items_leave_the_table_alone(self):
        world = World(
            n_calls=2_000_000,
            humans=3,
            call_correlation=0.5,
            construct_correlation=0.4,
            conversations=4,
            conversation_effect=0.3,
            missing=0.0,
        )
        codes = draw([BINARY, ORDINAL], world, seed=3).codes
        for index, construct in enumerate((BINARY, ORDINAL)):
            found = shares(codes[1, index], codes[0, index], len(construct.categories))
            np.testing.assert_allclose(found, construct_truth(construct).table, atol=0.0015)


@pytest.mark.parametrize(
    ("prevalence", "expected"),
    [(0.01, 0.120669), (0.05, 0.387755), (0.10, 0.533898), (0.50, 0.7)],
)
def test_kappa_of_fixed_rates_falls_with_prevalence(prevalence, expected):
    # Sensitivity .8, specificity .9 against a perfect reference: the formula of Spitznagel and
    # Helzer 1985, doi:10.1001/archpsyc.1985.01790300093012, worked by hand.
    labels = simulate(
        {"harm": {"prevalence": prevalence, "sensitivity": 0.8, "specificity": 0.9}}, n_calls=1
    )
    assert labels.truth["harm"].kappa == pytest.approx(expected, abs=1e-6)


def test_ordinal_table_is_the_bivariate_normal_over_the_cut_points():
    # scipy's bivariate normal (Genz) knows nothing of our quadrature.
    correlation = ORDINAL.agreement * math.sqrt(1 - ORDINAL.human_error[0])
    normal = stats.multivariate_normal(cov=[[1, correlation], [correlation, 1]])
    edges = np.array([-9, *special.ndtri(np.cumsum(ORDINAL.prevalence)[:-1]), 9])
    below = np.array([[normal.cdf([row, column]) for column in edges] for row in edges])
    expected = np.diff(np.diff(below, axis=0), axis=1)
    np.testing.assert_allclose(construct_truth(ORDINAL).table, expected, atol=1e-8)


def test_raters_without_noise_agree_perfectly():
    labels = simulate(
        {
            "harm": {"sensitivity": 1, "specificity": 1},
            "empathy": {"categories": 4, "agreement": 1, "prevalence": 0.5},
        },
        n_calls=50,
    )
    for construct, truth in labels.truth.items():
        assert truth.kappa == pytest.approx(1)
        assert truth.kappa_majority == pytest.approx(1)
        table = wide(labels, construct)
        assert table.eq(table["judge"], axis=0).all(axis=None)


def test_kappa_is_undefined_where_both_raters_are_constant():
    truth = simulate({"harm": {"prevalence": 0, "specificity": 1}}, n_calls=5).truth["harm"]
    assert math.isnan(truth.kappa)
    assert truth.to_dict()["kappa"] is None


@settings(max_examples=25, deadline=None)
@example(categories=4, prevalence=1e-05, quality=0.0, error=0.0, humans=1)  # a node at u = 1
@given(
    categories=st.integers(2, 6),
    prevalence=st.floats(0, 1),
    quality=st.floats(0, 1),
    error=st.floats(0, 1),
    humans=st.integers(1, 3),
)
def test_every_truth_is_a_distribution(categories, prevalence, quality, error, humans):
    construct = LatentConstruct(
        name="any",
        categories=tuple(range(categories)),
        prevalence=prevalence,
        sensitivity=quality,
        specificity=quality,
        agreement=quality,
        human_error=(error,) * humans,
    )
    truth = construct_truth(construct)
    assert truth.table.sum() == pytest.approx(1, abs=1e-9)
    assert (truth.table >= 0).all()
    np.testing.assert_allclose(truth.table.sum(axis=1).sum(), sum(truth.shares), atol=1e-9)
    assert math.isnan(truth.kappa) or -1 <= truth.kappa <= 1


class TestSampleObeysTheOptions:
    def test_rates_of_judge_and_people(self):
        labels = simulate(
            {"harm": {"prevalence": 0.1, "sensitivity": 0.8, "specificity": 0.95}},
            n_calls=100_000,
            humans=1,
            seed=5,
        )
        table = wide(labels, "harm").astype(int)
        human, judge = table["human1"], table["judge"]
        # Four standard errors.
        assert human.mean() == pytest.approx(0.1, abs=0.004)
        assert judge[human == 1].mean() == pytest.approx(0.8, abs=0.016)
        assert judge[human == 0].mean() == pytest.approx(0.05, abs=0.003)

    def test_a_single_prevalence_of_an_ordinal_construct_means_binomial_shares(self):
        truth = simulate({"empathy": {"categories": 3, "prevalence": 0.3}}, n_calls=1).truth
        assert truth["empathy"].shares == pytest.approx((0.49, 0.42, 0.09))

    def test_share_of_missing_judge_labels(self):
        codes = draw([BINARY], _world(n_calls=100_000, missing=0.2), seed=1).codes
        assert (codes[0] == -1).mean() == pytest.approx(0.2, abs=0.005)
        assert (codes[1:] >= 0).all()

    def test_errors_of_two_constructs_correlate_by_the_share_of_shared_calls(self):
        # Among items where both truths are absent, both err with probability e: the correlation of
        # the two error indicators is exactly the share of calls that one draw drives.
        for share in (0.0, 0.5, 1.0):
            world = _world(n_calls=400_000, call_correlation=share)
            judge, human, *_ = draw(
                [_perfect_people("a"), _perfect_people("b")], world, seed=2
            ).codes
            errors = (judge != human)[:, (human == 0).all(axis=0)]
            assert np.corrcoef(errors)[0, 1] == pytest.approx(share, abs=0.01)
            if share == 1:
                np.testing.assert_array_equal(errors[0], errors[1])

    def test_truths_of_two_constructs_correlate(self):
        # At prevalence .5 a latent correlation r shows as (2 / pi) arcsin r (Sheppard 1899).
        world = _world(n_calls=400_000, construct_correlation=0.6)
        _, human, *_ = draw([_perfect_people("a"), _perfect_people("b")], world, seed=2).codes
        expected = 2 / math.pi * math.asin(0.6)
        assert np.corrcoef(human)[0, 1] == pytest.approx(expected, abs=0.01)

    def test_items_of_a_conversation_resemble_each_other(self):
        world = _world(n_calls=400_000, conversations=2, conversation_effect=0.3)
        judge, human, *_ = draw([_perfect_people("a")], world, seed=2).codes
        first, second = human[0].reshape(-1, 2).T
        expected = 2 / math.pi * math.asin(0.3)
        assert np.corrcoef(first, second)[0, 1] == pytest.approx(expected, abs=0.01)
        err_first, err_second = (judge != human)[0].reshape(-1, 2).T
        assert np.corrcoef(err_first, err_second)[0, 1] > 0.1

    def test_no_conversation_effect_no_resemblance(self):
        world = _world(n_calls=400_000, conversations=2)
        _, human, *_ = draw([_perfect_people("a")], world, seed=2).codes
        first, second = human[0].reshape(-1, 2).T
        assert np.corrcoef(first, second)[0, 1] == pytest.approx(0, abs=0.01)


class TestOneSeedOneSample:
    def test_same_seed_same_labels(self):
        options = {"n_calls": 40, "missing": 0.1, "conversations": 4, "seed": 9}
        once, twice = (simulate(["a", "b"], **options) for _ in range(2))
        pd.testing.assert_frame_equal(once.frame, twice.frame)

    def test_another_seed_other_labels(self):
        once, twice = (simulate(["a"], n_calls=40, seed=seed) for seed in (0, 1))
        assert not once.frame["label"].equals(twice.frame["label"])

    def test_first_labels_of_a_seed_are_pinned(self):
        # A change of these numbers breaks every published simulation.
        codes = draw([BINARY, ORDINAL], _world(n_calls=6), seed=0).codes
        judge, human1 = codes.tolist()
        assert judge == [[0, 0, 0, 0, 0, 0], [2, 2, 4, 3, 4, 4]]
        assert human1 == [[0, 0, 1, 0, 0, 0], [3, 3, 4, 3, 3, 3]]

    def test_adding_a_construct_a_person_or_missing_labels_leaves_the_rest(self):
        base = draw([BINARY], _world(n_calls=100, humans=1), seed=4).codes
        more = draw([BINARY, ORDINAL], _world(n_calls=100, humans=3, missing=0.3), seed=4).codes
        np.testing.assert_array_equal(base[1, 0], more[1, 0])
        seen = more[0, 0] >= 0
        np.testing.assert_array_equal(base[0, 0][seen], more[0, 0][seen])


class TestTable:
    labels = simulate(
        {"escalation": {}, "empathy": {"categories": 5}},
        n_calls=60,
        humans=2,
        conversations=4,
        seed=1,
    )

    def test_every_rater_labels_every_construct_of_every_item(self):
        frame = self.labels.frame
        assert len(frame) == 60 * 2 * 3
        assert set(frame["rater_id"]) == {"judge", "human1", "human2"}
        assert set(frame.loc[frame["rater_id"] == "judge", "rater_kind"]) == {"judge"}
        assert set(frame.loc[frame["rater_id"] != "judge", "rater_kind"]) == {"human"}

    def test_the_judge_makes_one_call_per_item(self):
        judge = self.labels.frame[self.labels.frame["rater_id"] == "judge"]
        assert len(judge[["item_id", "call_id"]].drop_duplicates()) == 60
        assert judge["call_id"].nunique() == 60

    def test_a_person_sits_for_fifty_items(self):
        human = self.labels.frame[self.labels.frame["rater_id"] == "human2"]
        assert human.groupby("call_id")["item_id"].nunique().to_dict() == {
            "human2-01": 50,
            "human2-02": 10,
        }

    def test_conversations_are_clusters(self):
        sizes = self.labels.frame.groupby("cluster")["item_id"].nunique()
        assert sizes.index[2] == "c003"
        assert (sizes == 4).all()

    def test_labels_of_words(self):
        labels = simulate({"a": {"categories": ["no", "yes"]}, "b": {"categories": 3}}, n_calls=30)
        assert set(wide(labels, "a")["judge"]) == {"no", "yes"}
        assert labels.truth["a"].categories == ("no", "yes")

    def test_truth_is_strict_json_and_a_frame(self):
        truth = self.labels.truth
        assert json.loads(json.dumps(truth.to_dict(), allow_nan=False)).keys() == truth.keys()
        assert truth.to_frame()["construct"].tolist() == ["escalation", "empathy"]

    def test_truth_is_frozen(self):
        with pytest.raises(ValueError, match="read-only"):
            self.labels.truth["empathy"].table[0, 0] = 1


@pytest.mark.parametrize(
    ("constructs", "options", "message"),
    [
        ("harm", {}, "constructs must be names"),
        ([], {}, "no construct"),
        (["a", "a"], {}, "named twice.*'a'"),
        ([3], {}, "must be a string.*Got: 3"),
        ([["a"]], {}, "must be a string"),
        ({"": {}}, {}, "must be a string"),
        ({"a": 0.1}, {}, "must be a mapping"),
        ({"a": {"prevalance": 0.1}}, {}, "did you mean 'prevalence'"),
        ({"a": {"prevalence": 1.5}}, {}, "between 0 and 1.*prevalence of 'a'.*Got: 1.5"),
        ({"a": {"prevalence": [0.5, 0.6]}}, {}, "sum to 1"),
        ({"a": {"prevalence": [0.5, 0.3, 0.2]}}, {}, "one per category"),
        ({"a": {"sensitivity": "high"}}, {}, "sensitivity of 'a'"),
        ({"a": {"specificity": math.nan}}, {}, "specificity of 'a'"),
        ({"a": {"sensitivity": True}}, {}, "sensitivity of 'a'"),
        ({"a": {"sensitivity": 10**400}}, {}, "sensitivity of 'a'"),
        ({"a": {"agreement": 0.5}}, {}, "agreement does not apply.*2 categories"),
        ({"a": {"categories": 5, "sensitivity": 0.5}}, {}, "sensitivity does not apply"),
        ({"a": {"categories": 1}}, {}, "categories of 'a'.*Got: 1"),
        ({"a": {"categories": ["no", "no"]}}, {}, "distinct"),
        ({"a": {"categories": [0, "yes"]}}, {}, "distinct integers or distinct strings"),
        ({"a": {"categories": [[0], [1]]}}, {}, "distinct integers or distinct strings"),
        ({"a": {"human_error": [0.1]}}, {"humans": 2}, "one error per person"),
        (["a"], {"n_calls": 0}, "n_calls.*Got: 0"),
        (["a"], {"n_calls": 2.5}, "n_calls.*Got: 2.5"),
        (["a"], {"humans": 0}, "humans.*Allowed: 1 to 3"),
        (["a"], {"humans": 4}, "humans.*Allowed: 1 to 3"),
        (["a"], {"missing": -0.1}, "missing"),
        (["a"], {"call_correlation": 2}, "call_correlation"),
        (["a"], {"construct_correlation": -1}, "construct_correlation"),
        (["a"], {"conversations": 0}, "conversations"),
        (["a"], {"conversation_effect": 0.2}, "needs conversations"),
        (["a"], {"seed": -1}, "seed"),
        (["a"], {"judges": 3}, "judges.*Allowed: 1 to 2"),
        (["a"], {"strata": 1}, "strata.*Allowed: 2 to 26"),
        (["a"], {"ordered": 1}, "ordered.*Got: 1"),
        (["a"], {"sittings": 3}, "sittings.*Allowed: 1 to 2"),
    ],
)
def test_what_can_not_be_planted_is_named(constructs, options, message):
    with pytest.raises(ToolkitError, match=f"(?s){message}"):
        simulate(constructs, **options)


def _world(**options):
    nuisances = {
        "humans": 1,
        "call_correlation": 0.0,
        "construct_correlation": 0.0,
        "conversations": None,
        "conversation_effect": 0.0,
        "missing": 0.0,
    }
    return World(**{**nuisances, **options})


def _perfect_people(name):
    """Half of the items positive, people perfect, the judge wrong one time in ten."""
    return LatentConstruct(
        name=name,
        categories=(0, 1),
        prevalence=0.5,
        sensitivity=0.9,
        specificity=0.9,
        agreement=0.8,
        human_error=(0.0,),
    )
