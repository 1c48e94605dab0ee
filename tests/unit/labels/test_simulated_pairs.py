"""Causes by name: one or two at once, what is told about them, and what is refused."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pandas as pd
import pytest

from toolkit.errors import ToolkitError
from toolkit.labels.simulate import simulate
from toolkit.labels.simulation.causes import CAUSES

NAMES = ["low", "b", "high"]
every_cause = pytest.mark.parametrize("cause", CAUSES)


@cache
def planted(cause=None, **options):
    return simulate(NAMES, **{"n_calls": 300, "seed": 3, **options}, cause=cause)


class TestPairs:
    @pytest.mark.parametrize("pair", list(combinations(CAUSES, 2)), ids="+".join)
    def test_each_of_a_pair_draws_what_it_draws_alone(self, pair):
        options = {"strata": 4}
        both = planted(pair, **options)
        assert both.truth.causes == pair
        for cause in pair:
            alone, drawn = (one.truth.planted[cause] for one in (planted(cause, **options), both))
            if cause == "unreadable":  # which labels are clear depends on the other cause
                continue
            assert drawn == alone

    def test_the_order_of_the_names_does_not_matter_to_the_labels(self):
        once, twice = planted(("halo", "drift")), planted(("drift", "halo"))
        pd.testing.assert_frame_equal(once.frame, twice.frame)
        assert twice.truth.causes == ("drift", "halo")


class TestTruth:
    @every_cause
    def test_planted_values_are_plain(self, cause):
        truth = planted(cause).truth
        assert truth.causes == (cause,)
        allowed = (bool, int, float, str, list, type(None))
        assert all(type(value) in allowed for value in truth.planted[cause].values())
        assert cause in repr(truth)

    @every_cause
    def test_numbers_of_the_constructs_are_those_before(self, cause):
        assert planted(cause).truth.to_dict() == planted().truth.to_dict()

    def test_without_a_cause_nothing_is_planted(self):
        truth = planted().truth
        assert truth.causes == ()
        assert truth.planted == {}
        assert "planted" not in repr(truth)


@every_cause
def test_same_seed_same_labels(cause):
    options = {"n_calls": 200, "seed": 5, "humans": 2, "conversations": 4}
    once, twice = (simulate(NAMES, cause=cause, **options) for _ in range(2))
    pd.testing.assert_frame_equal(once.frame, twice.frame)
    assert once.truth.planted == twice.truth.planted


@every_cause
@pytest.mark.parametrize("n_calls", [1, 7])
@pytest.mark.parametrize("prevalence", [0, 0.5, 1])
def test_odd_worlds_can_be_hit(cause, n_calls, prevalence):
    labels = simulate(
        {
            "a": {"sensitivity": 1, "specificity": 1},
            "b": {},
            "c": {"categories": 3, "agreement": 1},
        },
        n_calls=n_calls,
        prevalence=prevalence,
        cause=cause,
        effect=2,
        humans=1,
        strata=2,
    )
    assert len(labels.frame) > 0


@pytest.mark.parametrize(
    ("constructs", "options", "message"),
    [
        (
            NAMES,
            {"cause": "hallo"},
            "unknown cause, did you mean 'halo'\\?.*Got: 'hallo'.*'drift'.*Example",
        ),
        (NAMES, {"cause": ("halo", "nothing")}, "unknown cause.*Got: 'nothing'"),
        (NAMES, {"cause": ("halo", 3)}, "unknown cause.*Got: 3"),
        (NAMES, {"cause": ("halo", ["drift"])}, "unknown cause.*Got: \\['drift'\\]"),
        (
            NAMES,
            {"cause": ("halo", "drift", "stratum")},
            "two different names.*Allowed: 'prevalence'",
        ),
        (NAMES, {"cause": ("halo", "halo")}, "two different names.*Example: cause="),
        (NAMES, {"cause": ()}, "two different names"),
        (NAMES, {"cause": 7}, "two different names.*Got: 7"),
        (["a"], {"cause": "halo"}, "halo needs two constructs.*Got: \\['a'\\].*'drift'.*Example"),
        (["a"], {"cause": ("drift", "swapped_constructs")}, "swapped_constructs needs two"),
        (
            {"a": {}, "b": {"categories": 5}},
            {"cause": "swapped_constructs"},
            "equally many categories",
        ),
        (NAMES, {"cause": "halo", "effect": 0}, "effect.*above 0, up to 2"),
        (NAMES, {"cause": "halo", "effect": "big"}, "effect.*Got: 'big'"),
        (NAMES, {"effect": 3}, "effect.*Got: 3"),
    ],
)
def test_what_can_not_be_planted_is_named(constructs, options, message):
    with pytest.raises(ToolkitError, match=f"(?s){message}"):
        simulate(constructs, **options)
