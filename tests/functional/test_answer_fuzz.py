"""Whatever a model wrote: no exception, and no answer that the reply does not show."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import mutations
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

INPUTS = int(os.environ.get("TOOLKIT_FUZZ_INPUTS", "1000000"))
BATCH = 2_500
SEED = 20261201


@settings(max_examples=400, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(mutations.conventions()))
def test_a_mutated_reply_breaks_no_rule(rng, conv):
    raw = mutations.mutated(rng)
    assert mutations.broken(raw, conv) == [], raw


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300), st.sampled_from(mutations.conventions()))
def test_an_arbitrary_text_breaks_no_rule(raw, conv):
    assert mutations.broken(raw, conv) == []


PIECES = sorted({*mutations.BRACKETS, *mutations.GLUE, *mutations.WORDS, *mutations.seeds()[1]})


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join),
    st.sampled_from(mutations.conventions()),
)
def test_a_heap_of_words_and_signs_breaks_no_rule(raw, conv):
    assert mutations.broken(raw, conv) == []


def test_a_seed_gives_the_same_replies_again():
    assert mutations.run(5, 40) == mutations.run(5, 40)


def test_the_mutations_reach_every_outcome_but_those_without_a_reply():
    _, outcomes = mutations.run(1, 1500)
    assert set(outcomes) == set(mutations.OUTCOMES) - {"transport_error", "judge_error"}
    assert 0.15 < outcomes["answered"] / 1500 < 0.85


def test_an_answer_that_is_not_shown_is_caught():
    conv = mutations.conventions()[0]
    assert mutations.shown("It is unethical.", conv, (6, 15)) is None
    hidden = [("It is", (0, 5)), ("x", (0, 2)), ("x", (1, 1)), ("unethical", (2, 5)), ("x", None)]
    for raw, span in hidden:
        assert mutations.shown(raw, conv, span)


@pytest.mark.slow
def test_a_million_mutated_replies_break_no_rule():
    batches = -(-INPUTS // BATCH)
    seeds, outcomes, failures = range(SEED, SEED + batches), Counter(), []
    start = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context) as pool:
        for found, counted in pool.map(mutations.run, seeds, [BATCH] * batches):
            failures += found
            outcomes.update(counted)
    seconds = time.perf_counter() - start
    read = outcomes.total()
    rate = f"{read:,} replies in {seconds:.0f} s, {read / seconds:,.0f} a second"
    print(f"\n{rate}: {dict(outcomes)}")  # noqa: T201 - the rate is asked for
    kinds = Counter(rule for _, _, found in failures for _, rule in found)
    listed = "\n".join(map(repr, failures[:20]))  # in full: the inputs are what is needed
    assert not failures, f"{dict(kinds)}\n{listed}"
