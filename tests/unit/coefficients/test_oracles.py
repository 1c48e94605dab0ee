"""No oracle is forgotten: each is named by a test."""

from __future__ import annotations


def test_every_oracle_is_named_by_a_test(unused_oracles):
    assert unused_oracles == []
