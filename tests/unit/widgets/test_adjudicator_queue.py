from __future__ import annotations

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.widgets.cases import letter, queue


def table(rows):
    columns = ["item_id", "construct", "agreeing", "pairs", "spread"]
    return pd.DataFrame(rows, columns=columns).set_index(["item_id", "construct"])


def test_the_least_agreement_over_all_constructs_comes_first():
    # Shares of agreeing pairs: a (1 + 3) / 6, b (1 + 1) / 6, c (0 + 1) / 2.
    rows = [
        ("a", "tone", 1, 3, 0), ("a", "empathy", 3, 3, 0),
        ("b", "tone", 1, 3, 0), ("b", "empathy", 1, 3, 0.25),
        ("c", "tone", 0, 1, 0), ("c", "empathy", 1, 1, 0),
    ]  # fmt: skip
    assert queue(table(rows), 0, "pilot") == ["b", "c", "a"]


def test_of_equal_agreement_the_widest_distance_comes_first():
    rows = [("a", "empathy", 0, 1, 0.25), ("b", "empathy", 0, 1, 1.0), ("c", "empathy", 0, 1, 0.5)]
    assert queue(table(rows), 0, "pilot") == ["b", "c", "a"]


def test_items_without_a_disagreement_are_not_shown():
    rows = [("a", "tone", 1, 1, 0), ("b", "tone", 0, 0, 0), ("c", "tone", 2, 3, 0)]
    assert queue(table(rows), 0, "pilot") == ["c"]


def test_equal_items_stand_in_a_shuffled_order_that_the_seed_repeats():
    rows = [(f"i{n:02}", "tone", 0, 1, 0) for n in range(30)]
    first = queue(table(rows), 1, "pilot")
    assert first == queue(table(rows[::-1]), 1, "pilot")
    assert first != queue(table(rows), 2, "pilot")
    assert first != sorted(first)


VALUES = st.lists(st.sampled_from([0, 1]), min_size=1, max_size=5)


@settings(max_examples=25, deadline=None)
@given(VALUES)
def test_agreeing_pairs_are_those_that_a_count_one_by_one_finds(panel, values):
    adjudicator = panel({f"r{n}": {"i0": value} for n, value in enumerate(values)})
    pairs = [(a, b) for n, a in enumerate(values) for b in values[n + 1 :]]
    row = adjudicator._table.loc[("i0", "tone")]  # noqa: SLF001
    assert (row["pairs"], row["agreeing"]) == (len(pairs), sum(a == b for a, b in pairs))
    assert (adjudicator.queue == ["i0"]) == (len(set(values)) > 1)


def test_letters_are_given_by_place():
    assert [letter(n) for n in (0, 1, 26, 52)] == ["A", "B", "A2", "A3"]


def test_a_rater_is_not_always_the_same_letter(panel):
    items = {f"i{n}": n % 2 for n in range(20)}
    adjudicator = panel({"olga": items, "bengt": {item: 1 - v for item, v in items.items()}})
    votes = [vote for case in adjudicator._cases.values() for vote in case.votes]  # noqa: SLF001
    letters = [vote.letter for vote in votes if vote.rater == "olga"]
    assert 4 < letters.count("A") < 16
    assert len(letters) == 20
