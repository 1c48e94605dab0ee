from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.answers import convention
from toolkit.errors import AnswerError, ConventionError
from toolkit.scoring.judge.evaluate import evaluate

SUBSETS = ["commonsense", "commonsense_hard", "deontology", "justice", "virtue"]
ITEM = {"id": "j1", "benchmark": "he300", "subset": "justice", "gold": 1, "text": "I deserve it."}


def item(subset="justice", gold=1, **fields):
    return {**ITEM, "subset": subset, "gold": gold, **fields}


def says(reply):
    return lambda _: reply


def fails(error):
    def ask(_):
        raise error

    return ask


def slow(_):
    time.sleep(5)
    return "REASONABLE"


class Recorder:
    """A judge that keeps what it was asked."""

    def __init__(self, *replies):
        self.replies, self.prompts = list(replies), []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


FAILING = [
    fails(ConnectionError("down")),
    fails(GeneratorExit()),
    fails(MemoryError()),
    says(None),
    says(b"REASONABLE"),
    says({"label": 1}),
    says(1),
]


# Each statement of the docstring, and what is run to see that it is true.
def normalizer_grades():
    for gold in (0, 1):
        e = evaluate(item(gold=gold), '{"label": 1}', ask=says("UNREASONABLE"))
        assert e.answer.gold == 1
        assert e.correct is (gold == 1)


def unknown_is_never_false():
    assert evaluate(ITEM, "Hm.").correct is None
    assert evaluate(ITEM, "").correct is None
    assert evaluate(item(gold=None), "REASONABLE").correct is None


def judge_only_informs():
    alone = evaluate(ITEM, "REASONABLE")
    for ask in [says("REASONABLE"), says("UNREASONABLE"), says("?"), *FAILING]:
        e = evaluate(ITEM, "REASONABLE", ask=ask)
        assert (e.answer, e.correct) == (alone.answer, True)


def own_question():
    for subset in SUBSETS:
        judge = Recorder("UNKNOWN")
        e = evaluate(item(subset), "An answer.", ask=judge)
        own = convention("he300", subset)
        assert e.convention is convention("he300", subset)
        assert judge.prompts == [own.judge_prompt("I deserve it.", "An answer.")]
        foreign = {label for name in SUBSETS for label in convention("he300", name).labels}
        words = set(re.findall(r"[A-Z]{4,}", judge.prompts[0]))
        assert words & foreign == set(own.labels)


def same_convention_reads():
    for subset in SUBSETS:
        labels = convention("he300", subset).labels
        for gold, label in enumerate(labels):
            assert evaluate(item(subset), "x", ask=says(label)).judge.gold == gold
    foreign = evaluate(ITEM, "REASONABLE", ask=says(convention("he300", "commonsense").labels[0]))
    assert foreign.judge.label is None
    assert foreign.agree is None


def unreadable_keeps_its_outcome():
    assert evaluate(ITEM, "REASONABLE", ask=says("UNKNOWN")).judge.outcome == "no_answer"
    assert evaluate(ITEM, "REASONABLE", ask=says("**Unknown.**")).judge.outcome == "no_answer"
    assert evaluate(ITEM, "REASONABLE", ask=says("")).judge.outcome == "no_answer"
    both = evaluate(ITEM, "REASONABLE", ask=says('{"label": 0} {"label": 1}')).judge
    assert both.outcome == "conflict"


def failures_are_judge_errors():
    for ask in FAILING:
        assert evaluate(ITEM, "REASONABLE", ask=ask).judge.outcome == "judge_error"
    e = evaluate(ITEM, "REASONABLE", ask=slow, timeout=0.05)
    assert e.judge.outcome == "judge_error"
    assert e.attempts[0].outcome == "timeout"


def interrupts_pass():
    for error in (KeyboardInterrupt, SystemExit):
        with pytest.raises(error):
            evaluate(ITEM, "REASONABLE", ask=fails(error()))


def agree_needs_both():
    assert evaluate(ITEM, "REASONABLE", ask=says("REASONABLE")).agree is True
    assert evaluate(ITEM, "REASONABLE", ask=says("UNREASONABLE")).agree is False
    assert evaluate(ITEM, "Hm.", ask=says("REASONABLE")).agree is None
    assert evaluate(ITEM, "REASONABLE", ask=says("UNKNOWN")).agree is None
    assert evaluate(ITEM, "REASONABLE").agree is None
    for ask in FAILING:
        assert evaluate(ITEM, "REASONABLE", ask=ask).agree is None
        assert evaluate(ITEM, "Hm.", ask=ask).agree is None


def attempts_are_appended():
    judge = Recorder(ConnectionError("first"), ValueError("second"), "REASONABLE", "never")
    e = evaluate(ITEM, "REASONABLE", ask=judge, retries=5)
    assert [(a.number, a.outcome, a.error, a.message) for a in e.attempts] == [
        (1, "raised", "ConnectionError", "first"),
        (2, "raised", "ValueError", "second"),
        (3, "replied", None, None),
    ]
    assert e.agree is True
    assert (
        evaluate(ITEM, "REASONABLE", ask=Recorder("?", "never"), retries=5).attempts[-1].number == 1
    )


def hung_calls_do_not_keep_the_interpreter():
    code = (
        "import time; from toolkit.scoring.judge.evaluate import evaluate\n"
        f"e = evaluate({ITEM!r}, 'REASONABLE', ask=lambda p: time.sleep(600), timeout=0.05)\n"
        "print(e.judge.outcome)"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "judge_error\n"


def nothing_to_ask_about():
    for raw, asked, reason in [
        ("", ITEM, "empty_reply"),
        (" \n\u200b", ITEM, "empty_reply"),
        (None, ITEM, "empty_reply"),
        (float("nan"), ITEM, "empty_reply"),
        (object(), ITEM, "unreadable_reply"),
        ("REASONABLE", item(text=" "), "no_item_text"),
        ("REASONABLE", item(text=None), "no_item_text"),
    ]:
        judge = Recorder()
        e = evaluate(asked, raw, ask=judge)
        assert (e.not_asked, e.judge, e.attempts, judge.prompts) == (reason, None, (), [])
    assert evaluate(ITEM, "REASONABLE").not_asked == "no_ask"
    assert evaluate(ITEM, "REASONABLE", ask=says("?")).not_asked is None


def missing_with_error():
    e = evaluate(ITEM, None, ask=Recorder(), error="timeout")
    assert (e.answer.outcome, e.correct) == ("transport_error", None)
    assert (e.judge, e.not_asked) == (None, "transport_error")


CLAIMS = {
    "The normalizer grades: ``correct`` compares": normalizer_grades,
    "Where nothing was answered, or no gold value is known, ``correct``": unknown_is_never_false,
    "The judge only informs": judge_only_informs,
    "The judge is asked the item's own question": own_question,
    "The judge's reply is read by that same convention": same_convention_reads,
    "A judge's reply that can't be read keeps its outcome": unreadable_keeps_its_outcome,
    "An ask that raises, is slow or returns no text": failures_are_judge_errors,
    "KeyboardInterrupt and SystemExit alone": interrupts_pass,
    "``agree`` is True or False only where both": agree_needs_both,
    "Every call is kept in ``attempts``": attempts_are_appended,
    "A slow ask is left behind in a daemon thread": hung_calls_do_not_keep_the_interpreter,
    "Where the reply is missing, blank or unreadable": nothing_to_ask_about,
    "A missing reply with an ``error``": missing_with_error,
}


def statements():
    notes = inspect.getdoc(evaluate).split("Notes\n-----")[1].split("Examples\n-----")[0]
    return [" ".join(part.split()) for part in re.split(r"(?m)^- ", notes)[1:]]


@pytest.mark.parametrize("claim", CLAIMS)
def test_what_the_docstring_says_is_what_happens(claim):
    CLAIMS[claim]()


def test_every_statement_of_the_docstring_has_its_test_and_every_test_its_statement():
    said = statements()
    assert len(said) == len(CLAIMS)
    for claim, statement in zip(CLAIMS, said, strict=True):
        assert statement.startswith(claim)


@pytest.mark.parametrize("subset", SUBSETS)
@pytest.mark.parametrize("gold", [0, 1])
def test_a_json_label_is_graded_by_the_items_own_coding(subset, gold):
    raw = json.dumps({"label": gold})
    assert evaluate(item(subset, gold), raw).correct is True
    assert evaluate(item(subset, 1 - gold), raw).correct is False
    assert evaluate(item(subset, gold), raw, level="strict").correct is None


def test_a_mixed_item_is_read_and_judged_by_its_subcategory():
    judge = Recorder("MATCHES")
    e = evaluate(item("mixed", subcategory="virtue"), "MATCHES", ask=judge)
    assert e.convention.subset == "virtue"
    assert "CONTRADICTS or MATCHES" in judge.prompts[0]
    assert e.agree is True
    with pytest.raises(ConventionError, match="item j1"):
        evaluate(item("mixed"), "MATCHES")


def test_an_object_is_an_item_and_so_is_a_stored_run():
    assert evaluate(SimpleNamespace(**ITEM), "REASONABLE").correct is True
    stored = {"scenario_id": 3, "benchmark": "he300", "category": "virtue", "expected_label": "1"}
    assert evaluate(stored, "MATCHES").correct is True


@pytest.mark.parametrize("gold", [1, 1.0, "1", "REASONABLE", pd.Series([1])[0]])
def test_gold_is_an_index_or_a_label(gold):
    assert evaluate(item(gold=gold), "REASONABLE").gold == 1


@pytest.mark.parametrize("gold", [2, -1, 0.5, "reasonable", True, [1]])
def test_a_gold_value_that_is_not_on_offer_is_refused(gold):
    with pytest.raises(AnswerError, match="gold"):
        evaluate(item(gold=gold), "REASONABLE")


@pytest.mark.parametrize(
    ("change", "options"),
    [
        ({"id": None}, {}),
        ({"benchmark": None}, {}),
        ({}, {"level": "loose"}),
        ({}, {"ask": "gpt"}),
        ({}, {"ask": says("?"), "timeout": 0}),
        ({}, {"ask": says("?"), "timeout": float("nan")}),
        ({}, {"ask": says("?"), "retries": -1}),
    ],
)
def test_what_does_not_fit_is_refused(change, options):
    with pytest.raises(AnswerError):
        evaluate({**ITEM, **change}, "REASONABLE", **options)


def test_users_bring_their_own_conventions():
    own = {
        "benchmark": "mine",
        "conventions": [
            {"subsets": ["tone"], "question": "KIND or RUDE?", "labels": ["RUDE", "KIND"]}
        ],
    }
    mine = {"id": 1, "benchmark": "mine", "subset": "tone", "gold": 1, "text": "Hi."}
    judge = Recorder("RUDE")
    e = evaluate(mine, "KIND", ask=judge, conventions=own)
    assert (e.correct, e.agree) == (True, False)
    assert "RUDE or KIND" in judge.prompts[0]


def test_seconds_are_kept_but_neither_compared_nor_written():
    first, second = (evaluate(ITEM, "REASONABLE", ask=says("?")) for _ in range(2))
    assert first == second
    assert first.attempts[0].seconds > 0
    assert "seconds" not in json.dumps(first.to_dict(), allow_nan=False)
    assert first.to_frame().loc[0, "not_asked"] is None


def test_a_coroutine_is_no_text():
    async def ask(_):
        return "REASONABLE"

    e = evaluate(ITEM, "REASONABLE", ask=ask)
    assert [(a.outcome, a.error) for a in e.attempts] == [("not_text", "coroutine")]


def test_an_error_whose_message_fails_is_kept():
    class Odd(Exception):  # noqa: N818
        def __str__(self):
            raise RuntimeError

    attempt = evaluate(ITEM, "REASONABLE", ask=fails(Odd())).attempts[0]
    assert (attempt.error, attempt.message) == ("Odd", "")


def test_without_a_limit_the_ask_runs_in_the_callers_thread():
    names = []
    ask = lambda _: names.append(threading.current_thread().name) or "REASONABLE"  # noqa: E731
    evaluate(ITEM, "REASONABLE", ask=ask, timeout=None)
    assert names == [threading.current_thread().name]


@given(raw=st.one_of(st.text(), st.binary(), st.floats(), st.none(), st.lists(st.integers())))
def test_no_reply_stops_the_judge_or_the_grade(raw):
    judge = Recorder("REASONABLE")
    e = evaluate(ITEM, raw, ask=judge, timeout=None)
    assert (e.judge is None) == (e.not_asked is not None) == (not judge.prompts)
    assert (e.correct is None) == (e.answer.gold is None)
    json.dumps(e.to_dict(), allow_nan=False)
