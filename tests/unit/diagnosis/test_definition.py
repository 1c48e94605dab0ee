from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.diagnosis.case import HIGH, LOW
from toolkit.diagnosis.definition import measure, sentence
from toolkit.diagnosis.waterfall import waterfall

N = 600
LOWER, HIGHER = [[35, 15], [15, 35]], [[45, 5], [5, 45]]
GAP = 0.4  # .8 - .4 of the tables of counts


def _case(case_of, of_table, low, high):
    people, judge = of_table(low)
    other, judged = of_table(high)
    raters = {"human1": {"low": people, "high": other}, "judge": {"low": judge, "high": judged}}
    return case_of(raters)


def test_with_equal_margins_all_of_the_gap_is_left_by_hand(case_of, of_table):
    # Half a count a cell: kappas (71 - 31) / 102 = 40/102 and (91 - 11) / 102 = 80/102; nothing but
    # the latent correlation differs, so the remainder is 40/102.
    case = _case(case_of, of_table, LOWER, HIGHER)
    found = measure(case, waterfall(case, GAP, {}))
    assert found.facts["left"] == pytest.approx(40 / 102)
    assert found.undone[0] == pytest.approx(80 / 102)
    assert "0.39 of kappa is left" in sentence(found, case)


def test_what_another_cause_explains_is_not_left_by_hand(case_of, of_table):
    # A factor that brings the latent correlation all the way leaves 0; its root leaves half.
    case = _case(case_of, of_table, LOWER, HIGHER)
    ratio = case.rho(HIGH) / case.rho(LOW)
    left = [
        measure(case, waterfall(case, GAP, {"human_ceiling": ratio**power})).facts["left"]
        for power in (1, 0.5)
    ]
    assert left == pytest.approx([0, 20 / 102], abs=1e-9)


def test_without_a_split_there_is_no_remainder(case_of, of_table):
    case = _case(case_of, of_table, LOWER, HIGHER)
    found = measure(case, None)
    assert found.untestable == "the gap can't be split into steps"
    assert found.undone is None
    assert case.kappa(LOW)[0] == pytest.approx(40 / 102)


def _diagnosis(k_low, k_high, kind):
    """Two persons who agree; the judge guesses low and gets a tenth of high wrong."""
    rng = np.random.default_rng(0)  # its own, so that the order of the tests changes no data
    low, high = rng.integers(0, k_low, N), rng.integers(0, k_high, N)
    given = np.where(rng.random(N) < 0.1, (high + 1) % k_high, high)
    guessed = rng.integers(0, k_low, N)
    rows = [
        (
            f"i{i}",
            construct,
            rater,
            "judge" if rater == "judge" else "human",
            int(codes[i]),
            f"c{i}",
        )
        for rater, columns in (
            ("human1", (low, high)),
            ("human2", (low, high)),
            ("judge", (guessed, given)),
        )
        for construct, codes in zip(("low", "high"), columns, strict=True)
        for i in range(N)
    ]
    names = ["item_id", "construct", "rater_id", "rater_kind", "label", "call_id"]
    schema = {
        name: {"kind": kind, "categories": list(range(k))}
        for name, k in (("low", k_low), ("high", k_high))
    }
    labels = tk.read_labels(pd.DataFrame(rows, columns=names), schema={"constructs": schema})
    return tk.diagnose(labels, low="low", high="high", draws=300)


@pytest.mark.parametrize(
    ("k_low", "k_high", "kind"), [(2, 3, "nominal"), (3, 4, "ordinal"), (3, 3, "nominal")]
)
def test_without_a_split_no_definition_is_named(k_low, k_high, kind):
    made = _diagnosis(k_low, k_high, kind)
    assert made.gap.shown
    assert made.waterfall is None
    assert "definition" not in (*made.verdict.causes, *made.verdict.open)
    assert made.evidence["definition"].sentence.startswith("Not testable")


@pytest.mark.parametrize(("k", "kind"), [(2, "nominal"), (4, "ordinal")])
def test_a_judge_that_guesses_leaves_the_gap_to_the_definition(k, kind):
    made = _diagnosis(k, k, kind)
    assert made.verdict.causes == ("definition",)
    assert made.evidence["definition"].step > 0.9
