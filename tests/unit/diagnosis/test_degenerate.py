"""Labels from which little or nothing follows: no exception, no warning, no cause, and a reason."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toolkit as tk
from toolkit.errors import ToolkitError

pytestmark = pytest.mark.filterwarnings("error")
OPTIONS = {"low": "low", "high": "high", "draws": 200}
RNG = np.random.default_rng(5)
N = 60
TRUE = RNG.integers(0, 2, N).tolist()
GOOD = [1 - t if i % 12 == 0 else t for i, t in enumerate(TRUE)]
POOR = [1 - t if i % 4 == 0 else t for i, t in enumerate(TRUE)]
WRONG = [1 - t for t in TRUE]
ZEROS = [0] * N
NONE = [None] * N
THREE = [i % 3 for i in range(N)]
FOUR = [i % 4 for i in range(N)]
TURNED = [(i + (i % 5 == 0)) % 3 for i in range(N)]


def _people(low=TRUE, high=TRUE, **others):
    return {"low": low, "high": high, **others}


def _together(rater, _construct, item):
    return f"{rater}-{item}"


def _apart(rater, construct, item):
    return f"{rater}-{construct}-{item}"


def _some(rater, _construct, item):
    return f"{rater}-{item}" if item % 2 else None


def _frame(raters, call=_together, **columns):
    rows = []
    for rater, constructs in raters.items():
        kind = "judge" if rater.startswith("judge") else "human"
        for construct, values in constructs.items():
            for item, value in enumerate(values):
                if value is not None:
                    own = [column[item] for column in columns.values()]
                    at = call(rater, construct, item)
                    rows.append((f"i{item}", construct, rater, kind, value, at, *own))
    names = ["item_id", "construct", "rater_id", "rater_kind", "label", "call_id", *columns]
    return pd.DataFrame(rows, columns=names)


def _labels(raters, categories=None, kind="nominal", **options):
    frame = _frame(raters, **options)
    names = list(dict.fromkeys(frame["construct"]))
    each = (
        categories if isinstance(categories, dict) else dict.fromkeys(names, categories or (0, 1))
    )
    schema = {"constructs": {n: {"kind": kind, "categories": list(each[n])} for n in names}}
    return tk.read_labels(frame, schema=schema)


def _first(count):
    """The judge answers in the first calls only."""
    return {"human1": _people(), "judge": _people(POOR[:count], GOOD[:count])}


POOR_LOW = {"human1": _people(), "judge": _people(POOR, GOOD)}
CASES = {
    "judge constant on low": ({"human1": _people(), "judge": _people(ZEROS, GOOD)}, {}),
    "judge constant on high": ({"human1": _people(), "judge": _people(POOR, ZEROS)}, {}),
    "judge constant on both": ({"human1": _people(), "judge": _people(ZEROS, ZEROS)}, {}),
    "reference constant on low": ({"human1": _people(ZEROS), "judge": _people(POOR, GOOD)}, {}),
    "reference constant on high": (
        {"human1": _people(TRUE, ZEROS), "judge": _people(POOR, GOOD)},
        {},
    ),
    "reference constant on both": (
        {"human1": _people(ZEROS, ZEROS), "judge": _people(POOR, GOOD)},
        {},
    ),
    "all constant": ({"human1": _people(ZEROS, ZEROS), "judge": _people(ZEROS, ZEROS)}, {}),
    "constant on opposite ends": (
        {"human1": _people(ZEROS, ZEROS), "judge": _people([1] * N, [1] * N)},
        {},
    ),
    "no shared call": (
        {
            "human1": _people(),
            "judge": _people([*POOR[:30], *NONE[:30]], [*NONE[:30], *GOOD[30:]]),
        },
        {},
    ),
    "1 shared call": (_first(1), {}),
    "2 items": (
        {"human1": _people([0, 1], [0, 1]), "judge": _people([0, 0], [0, 1])},
        {},
    ),
    "3 shared calls": (_first(3), {}),
    "19 shared calls": (_first(19), {}),
    "constructs from different calls": (POOR_LOW, {"call": _apart}),
    "call_id on some rows only": (POOR_LOW, {"call": _some}),
    "judge missing on low": ({"human1": _people(), "judge": _people(NONE, GOOD)}, {}),
    "two constructs": (POOR_LOW, {}),
    "three constructs of one label": (
        {"human1": _people(other=ZEROS), "judge": _people(POOR, GOOD, other=ZEROS)},
        {},
    ),
    "different categories": (
        {"human1": _people(TRUE, THREE), "judge": _people(POOR, THREE)},
        {"categories": {"low": (0, 1), "high": (0, 1, 2)}},
    ),
    "different categories, ordinal": (
        {"human1": _people(THREE, FOUR), "judge": _people(TURNED, FOUR)},
        {"categories": {"low": (0, 1, 2), "high": (0, 1, 2, 3)}, "kind": "ordinal"},
    ),
    "three unordered categories": (
        {"human1": _people(THREE, THREE), "judge": _people(TURNED, THREE)},
        {"categories": (0, 1, 2)},
    ),
    "categories never used": (
        {"human1": _people(), "judge": _people(POOR, GOOD)},
        {"categories": range(5), "kind": "ordinal"},
    ),
    "people without common items": (
        {
            "human1": _people([*TRUE[:30], *NONE[:30]], [*TRUE[:30], *NONE[:30]]),
            "human2": _people([*NONE[:30], *TRUE[30:]], [*NONE[:30], *TRUE[30:]]),
            "judge": _people(POOR, GOOD),
        },
        {},
    ),
    "perfect agreement": ({"human1": _people(), "judge": _people()}, {}),
    "perfect agreement by three": (
        {"human1": _people(), "human2": _people(), "human3": _people(), "judge": _people()},
        {},
    ),
    "duplicate persons": (
        {"human1": _people(), "human2": _people(), "judge": _people(POOR, GOOD)},
        {},
    ),
    "a judge that repeats itself": (
        {"human1": _people(), "judge": _people(POOR, GOOD), "judge2": _people(POOR, GOOD)},
        {},
    ),
    "a person without labels of low": (
        {"human1": _people(), "human2": {"high": TRUE}, "judge": _people(POOR, GOOD)},
        {},
    ),
}
# Missing labels are no gap of kappas, and two people who agree fully are no human ceiling.
TRUE_OF = {"judge missing on low": ["unreadable"], "duplicate persons": ["definition"]}
REASONS = (
    "can't be compared",
    "can't tell",
    "too few labels",
    "No gap that matters",
    "no cause is named",
    "Supported: ",
)


def _diagnose(labels, **options):
    made = tk.diagnose(labels, **OPTIONS, judge="judge", **options)
    json.dumps(made.to_dict(), allow_nan=False)
    assert len(made.to_frame()) == 13
    assert made._repr_html_()
    return made


def _assert_nothing_is_named(made, *allowed):
    assert set(made.verdict.causes) <= {"too_few_labels", *allowed}
    said = made.verdict.sentence
    assert "nan" not in said
    assert said.endswith(".")
    assert any(reason in said for reason in REASONS)


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_named_and_the_reason_is_said(name):
    raters, options = CASES[name]
    _assert_nothing_is_named(_diagnose(_labels(raters, **options)), *TRUE_OF.get(name, []))


def test_one_cluster_gives_no_interval_and_so_no_cause():
    made = _diagnose(_labels(POOR_LOW, place=["all"] * N), cluster="place")
    _assert_nothing_is_named(made)
    assert math.isnan(made.gap.lower)
    assert made.verdict.causes == made.verdict.open == ()


def test_one_stratum_is_no_place():
    made = _diagnose(_labels(POOR_LOW, place=["all"] * N), stratum="place")
    _assert_nothing_is_named(made)
    assert made.evidence["stratum"].sentence.startswith("Not testable")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("judge constant on low", "the judge gave one category to all calls on low"),
        ("judge constant on high", "the judge gave one category to all calls on high"),
        ("reference constant on low", "the people gave one category to all calls on low"),
        ("no shared call", "no call carries labels of both"),
        ("judge missing on low", "no call carries labels of both"),
        ("3 shared calls", "too few labels"),
        ("19 shared calls", "too few labels"),
        # 60 calls without a disagreement: half-width .11.
        ("perfect agreement", "too few labels"),
        ("different categories", "can't tell"),
    ],
)
def test_the_sentence_gives_the_reason(name, reason):
    raters, options = CASES[name]
    assert reason in _diagnose(_labels(raters, **options)).verdict.sentence


def test_different_calls_leave_call_failure_open_and_say_so():
    made = _diagnose(_labels(POOR_LOW, call=_apart))
    assert made.evidence["call_failure"].status == "undetermined"
    assert made.evidence["swapped_constructs"].status == "undetermined"
    assert "on the same 60 items" in made.verdict.sentence
    assert any("different calls" in question for question in made.verdict.questions)


def test_calls_without_an_id_are_left_out_where_others_have_one():
    made = _diagnose(_labels(POOR_LOW, call=_some))
    assert made.gap.n == 30


def test_perfect_disagreement_is_a_reversal_and_nothing_else():
    labels = _labels({"human1": _people(), "judge": _people(WRONG, TRUE)})
    assert _diagnose(labels).verdict.causes == ("reversed_polarity",)


def test_perfect_disagreement_on_both_is_a_reversal_without_a_gap():
    made = _diagnose(_labels({"human1": _people(), "judge": _people(WRONG, WRONG)}))
    assert made.verdict.causes == ("reversed_polarity",)
    assert made.gap.difference == 0


def test_perfect_agreement_in_many_calls_has_no_gap():
    labels = _labels({"human1": _people(TRUE * 5, TRUE * 5), "judge": _people(TRUE * 5, TRUE * 5)})
    made = _diagnose(labels)
    assert made.verdict.causes == ()
    assert "No gap that matters" in made.verdict.sentence


@pytest.mark.parametrize("count", [1, 3, 19])
def test_few_shared_calls_test_no_cause(count):
    made = _diagnose(_labels(_first(count)))
    assert made.evidence["threshold_shift"].sentence.startswith(f"Not testable: only {count} ")
    assert made.verdict.causes == ("too_few_labels",)
    assert made.mtmm is None


def test_one_construct_has_nothing_to_compare():
    labels = _labels({"human1": {"low": TRUE}, "judge": {"low": POOR}})
    made = tk.diagnose(labels, draws=200)
    assert "with one construct there is nothing to compare" in made.verdict.sentence
    assert made.verdict.causes == ()
    assert made.contrast is None
    assert made.gap.n == 0
    assert len(made.to_frame()) == 13
    json.dumps(made.to_dict(), allow_nan=False)


def test_one_construct_of_one_label_is_undefined():
    labels = _labels({"human1": {"low": ZEROS}, "judge": {"low": ZEROS}})
    made = tk.diagnose(labels, draws=200)
    assert "undefined" in made.verdict.sentence
    assert math.isnan(made.gap.difference)


def test_one_category_is_no_scale():
    raters = {"human1": _people(ZEROS, ZEROS), "judge": _people(ZEROS, ZEROS)}
    made = _diagnose(_labels(raters, categories=[0]))
    _assert_nothing_is_named(made)
    assert "one category" in made.verdict.sentence


def test_a_table_of_one_person_and_no_judge_is_refused():
    frame = _frame({"human1": _people()})
    with pytest.raises(ToolkitError) as caught:
        tk.diagnose(tk.read_labels(frame, overlap=False), **OPTIONS)
    assert caught.value.allowed


@pytest.mark.parametrize("value", [float("nan"), -1.0, float("inf"), 0.0])
def test_item_weights_that_are_none_are_refused(value):
    with pytest.raises(ToolkitError, match="not a weight") as caught:
        _diagnose(_labels(POOR_LOW, weight=[value, *[1.0] * (N - 1)]))
    assert caught.value.allowed


@pytest.mark.parametrize("kind", ["all missing", "some missing", "one value"])
def test_an_order_that_is_not_there_is_no_drift(kind):
    order = {
        "all missing": [np.nan] * N,
        "some missing": [float(i) if i % 3 else np.nan for i in range(N)],
        "one value": [1.0] * N,
    }[kind]
    made = _diagnose(_labels(POOR_LOW, place=order), order="place")
    _assert_nothing_is_named(made)


def test_strata_that_are_missing_are_no_strata():
    made = _diagnose(_labels(POOR_LOW, place=[None] * N), stratum="place")
    _assert_nothing_is_named(made)


def test_every_item_a_stratum_of_its_own_is_no_cause():
    made = _diagnose(_labels(POOR_LOW, place=[f"s{i}" for i in range(N)]), stratum="place")
    _assert_nothing_is_named(made)


def test_every_item_a_cluster_of_its_own_is_no_cluster():
    labels = _labels(POOR_LOW, place=[f"s{i}" for i in range(N)])
    made, plain = _diagnose(labels, cluster="place"), _diagnose(labels)
    assert made.verdict.causes == plain.verdict.causes
    assert made.gap.difference == plain.gap.difference


ESTIMATES = ["effect", "share", "kappa_without", "step"]
INTERVALS = ["low", "high", "share_low", "share_high"]


def _assert_same(one, other, columns):
    frames = [made.to_frame().set_index("cause")[columns].astype(float) for made in (one, other)]
    pd.testing.assert_frame_equal(*frames, rtol=1e-6)


def _planted(seed):
    causes = ["threshold_shift", "definition", "halo", "reversed_polarity"]
    names, cause = ["low", "mid", "high"], causes[seed % 4]
    labels = tk.simulate(names, n_calls=120, humans=2, cause=cause, seed=seed)
    return labels.frame.astype({"label": str})


def _read(frame):
    one = {"kind": "nominal", "categories": ["0", "1"]}
    return tk.read_labels(frame, schema={"constructs": dict.fromkeys(("low", "mid", "high"), one)})


def _shuffled(seed):
    """A diagnosis, and that of the same labels with the rows in another order."""
    frame = _planted(seed)
    frames = frame, frame.sample(frac=1, random_state=seed)
    return [tk.diagnose(_read(each), **OPTIONS) for each in frames]


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 50))
def test_the_order_of_the_rows_changes_no_estimate_and_no_cause(seed):
    one, other = _shuffled(seed)
    assert one.verdict.causes == other.verdict.causes
    assert one.gap == other.gap
    _assert_same(one, other, ESTIMATES)


@pytest.mark.parametrize("seed", [0, 27])
def test_the_order_of_the_rows_changes_no_interval_and_no_status(seed):
    one, other = _shuffled(seed)
    assert [row.status for row in one.evidence] == [row.status for row in other.evidence]
    _assert_same(one, other, INTERVALS)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 50))
def test_names_of_items_and_raters_change_nothing(seed):
    frame = _planted(seed)
    renamed = frame.assign(
        item_id="x" + frame["item_id"].astype(str).str[::-1],
        rater_id="z-" + frame["rater_id"].astype(str),
    )
    one, other = (tk.diagnose(_read(f), **OPTIONS) for f in (frame, renamed))
    assert one.verdict.causes == other.verdict.causes
    assert one.gap == other.gap
    assert [row.status for row in one.evidence] == [row.status for row in other.evidence]
    _assert_same(one, other, ESTIMATES + INTERVALS)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 50))
def test_low_and_high_exchanged_turn_the_gap_round(seed):
    labels = _read(_planted(seed))
    one = tk.diagnose(labels, low="low", high="high", draws=200).gap
    other = tk.diagnose(labels, low="high", high="low", draws=200).gap
    assert other.difference == pytest.approx(-one.difference, abs=1e-12)
    assert (other.kappa_low, other.kappa_high) == (one.kappa_high, one.kappa_low)
    assert not (one.shown and other.shown)
