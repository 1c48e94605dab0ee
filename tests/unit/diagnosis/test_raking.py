from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from toolkit.diagnosis.raking import rake


def test_a_table_at_other_margins_by_hand():
    # (40, 10; 10, 40) has odds ratio 16. With margins .9 and .1 on both sides and q in the lower
    # right cell: q (.8 + q) = 16 (.1 - q)^2, so 15 q^2 - 4 q + .16 = 0, q = (4 - sqrt(6.4)) / 30.
    margin = np.array([0.9, 0.1])
    fitted = rake(np.array([[40.0, 10], [10, 40]]), margin, margin)
    q = (4 - np.sqrt(6.4)) / 30
    assert fitted == pytest.approx(np.array([[0.8 + q, 0.1 - q], [0.1 - q, q]]), abs=1e-9)


def test_its_own_margins_leave_a_table_as_it_is():
    table = np.array([[0.5, 0.1, 0.0], [0.1, 0.1, 0.05], [0.0, 0.05, 0.1]])
    assert rake(table * 80, table.sum(axis=1), table.sum(axis=0)) == pytest.approx(table)


@settings(max_examples=40, deadline=None)
@given(
    arrays(float, (3, 3), elements=st.floats(1, 50)),
    arrays(float, (2, 3), elements=st.floats(0.1, 1)),
)
def test_margins_are_reached_and_odds_ratios_kept(table, shares):
    people, judge = shares / shares.sum(axis=1, keepdims=True)
    fitted = rake(table, people, judge)
    assert fitted.sum(axis=1) == pytest.approx(people, abs=1e-3)
    assert fitted.sum(axis=0) == pytest.approx(judge, abs=1e-9)
    odds = [t[:2, :2] * t[1:, 1:] / (t[:2, 1:] * t[1:, :2]) for t in (fitted, table)]
    assert odds[0] == pytest.approx(odds[1], rel=1e-6)
