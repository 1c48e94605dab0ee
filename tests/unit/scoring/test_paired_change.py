from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar

from toolkit.errors import StatisticsError
from toolkit.scoring.rescoring.paired import paired_change


def pairs(both, gained, lost, neither):
    old = [True] * both + [False] * gained + [True] * lost + [False] * neither
    new = [True] * both + [True] * gained + [False] * lost + [False] * neither
    return old, new


def test_the_p_value_is_statsmodels_exact_mcnemar():
    found = paired_change(*pairs(59, 6, 16, 80))
    assert found.p_value == pytest.approx(mcnemar([[59, 16], [6, 80]], exact=True).pvalue)


def test_the_interval_is_bonett_and_prices():
    # By the formula of Bonett and Price 2012 with f12 = 8, f21 = 2, n = 50.
    found = paired_change(*pairs(30, 8, 2, 10))
    half = 1.959964 * math.sqrt((12 / 52 - (6 / 52) ** 2) / 52)
    assert (found.low, found.high) == pytest.approx((6 / 52 - half, 6 / 52 + half), abs=1e-6)
    assert found.change == 0.12


def test_no_change_has_an_interval_and_no_p_value():
    found = paired_change(*pairs(10, 0, 0, 10))
    assert math.isnan(found.p_value)
    assert found.reasons == ("no_discordant_items",)
    assert found.low < 0 < found.high


def test_clusters_that_change_together_widen_the_interval():
    old, new = pairs(20, 20, 0, 20)
    single = paired_change(old, new)
    stems = np.repeat(np.arange(12), 5)
    clustered = paired_change(old, new, clusters=stems)
    assert clustered.high - clustered.low > 1.5 * (single.high - single.low)
    assert clustered.flags == ("p_value_ignores_clusters",)


def test_one_cluster_has_no_interval():
    found = paired_change(*pairs(2, 2, 0, 0), clusters=["a"] * 4)
    assert math.isnan(found.low)
    assert found.reasons == ("one_cluster",)


def test_no_items_are_nan():
    assert paired_change([], []).reasons == ("no_items",)


def test_unequal_lengths_are_refused():
    with pytest.raises(StatisticsError, match="same items"):
        paired_change([True], [True, False])


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 3)), min_size=1))
def test_the_limits_stay_inside_and_turn_with_the_sides(items):
    old, new, stems = zip(*items, strict=True)
    there, back = paired_change(old, new), paired_change(new, old)
    assert -1 <= there.low <= there.high <= 1
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    paired_change(old, new, clusters=stems)
