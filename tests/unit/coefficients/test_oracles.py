"""No oracle is forgotten: each is named by a test, or waits for a package that is not built yet."""

from __future__ import annotations


def test_every_oracle_is_named_by_a_test_or_waits_for_planning(unused_oracles, waiting_oracles):
    assert unused_oracles == waiting_oracles
