from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from toolkit.errors import StatisticsError
from toolkit.scoring import share_interval


def test_without_clusters_it_is_the_jeffreys_interval():
    found = share_interval(45, 50)
    assert (found.low, found.high) == pytest.approx(stats.beta.ppf([0.025, 0.975], 45.5, 5.5))
    assert (found.method, found.n_effective, found.clusters) == ("jeffreys", 50, None)


def test_the_limits_at_the_ends_are_0_and_1():
    # Brown, Cai and DasGupta 2001, section 4.1: L(0) = 0, U(n) = 1.
    assert share_interval(0, 12).low == 0
    assert share_interval(12, 12).high == 1


def test_clusters_of_one_item_change_nothing():
    single = share_interval(3, 10, clusters=[[1, 1]] * 3 + [[1, 0]] * 7)
    plain = share_interval(3, 10)
    assert (single.low, single.high) == (plain.low, plain.high)


def test_the_effective_size_follows_the_formula():
    clusters = np.array([[5, 5]] * 9 + [[5, 0]])
    variance = 10 / 9 * (9 * 0.5**2 + 4.5**2) / 50**2
    design = (10 * variance / (0.9 * 0.1 / 50) + 5) / 11
    correction = (stats.t.ppf(0.975, 49) / stats.t.ppf(0.975, 9)) ** 2
    found = share_interval(45, 50, clusters=clusters)
    assert found.n_effective == pytest.approx(50 / design * correction)
    assert found.flags == ("few_clusters",)


def test_the_result_is_strict_json():
    json.dumps(share_interval(0, 0).to_dict(), allow_nan=False)
    assert share_interval(1, 2).to_frame()["share"].tolist() == [0.5]


def test_one_cluster_has_no_interval():
    found = share_interval(3, 5, clusters=[[5, 3]])
    assert math.isnan(found.low)
    assert found.reasons == ("one_cluster",)
    assert found.share == 0.6


def test_no_items_have_no_share():
    found = share_interval(0, 0)
    assert math.isnan(found.share)
    assert found.reasons == ("no_items",)


def test_clusters_stand_for_items_where_all_are_right():
    found = share_interval(40, 40, clusters=[[4, 4]] * 10)
    assert found.n_effective == 10
    assert found.flags == ("few_clusters", "clusters_counted")


@pytest.mark.parametrize(
    ("successes", "n", "options"),
    [
        (3, 2, {}),
        (-1, 2, {}),
        (0.5, 2, {}),
        (True, 2, {}),
        ("1", 2, {}),
        (1, 2, {"confidence": 1}),
        (1, 2, {"confidence": "95"}),
        (1, 2, {"clusters": [[1, 1]]}),
        (1, 2, {"clusters": [[2, 3]]}),
        (1, 2, {"clusters": "ab"}),
        (1, 2, {"clusters": [[1, 1], [1]]}),
    ],
)
def test_what_is_no_count_is_refused(successes, n, options):
    with pytest.raises(StatisticsError):
        share_interval(successes, n, **options)


@given(st.lists(st.tuples(st.integers(1, 9), st.floats(0, 1)), min_size=2, max_size=20))
def test_clusters_never_narrow_the_interval(groups):
    clusters = [[size, round(size * share)] for size, share in groups]
    n, x = map(sum, zip(*clusters, strict=True))
    single, clustered = share_interval(x, n), share_interval(x, n, clusters=clusters)
    assert clustered.low <= clustered.share <= clustered.high
    assert clustered.n_effective <= n
    assert clustered.high - clustered.low >= single.high - single.low - 1e-12
