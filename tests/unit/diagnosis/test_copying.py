from __future__ import annotations

import pytest

from toolkit.diagnosis.case import HIGH, LOW
from toolkit.diagnosis.copying import MOST_COPIED, copied_shares, own_tables


def _case(case_of, copied, own):
    """Every pair of people's label h of low and judge's label b of high, `copied` + `own` times.

    In copied calls the judge repeats b on low, in own calls it says h.
    """
    cells = [(h, b, c) for h in (0, 1) for b in (0, 1) for c in [True] * copied + [False] * own]
    people = [h for h, _, _ in cells]
    high = [b for _, b, _ in cells]
    low = [b if c else h for h, b, c in cells]
    raters = {"human1": {"low": people, "high": high}, "judge": {"low": low, "high": high}}
    return case_of(raters)


def test_half_of_the_labels_copied_by_hand(case_of):
    # Within each class h: var(J_B) = 1/4, and cov(J_A, J_B) = s / 4 with s = 10 / 20.
    case = _case(case_of, copied=10, own=10)
    assert copied_shares(case, LOW, [HIGH])[0, 0] == pytest.approx(0.5)
    # T = (30, 10; 10, 30) + 1/2 each, T_B = (20, 20; 20, 20) + 1/2 each, as shares:
    # T - T_B / 2 = (30.5 / 82 - 1/8, 10.5 / 82 - 1/8; ...), which sums to 1/2.
    table = own_tables(case, LOW, [HIGH])[0]
    right, wrong = 2 * (30.5 / 82 - 1 / 8), 2 * (10.5 / 82 - 1 / 8)
    assert table.ravel().tolist() == pytest.approx([right, wrong, wrong, right])


def test_a_judge_of_its_own_copies_nothing(case_of):
    # J_A = h is constant within each class, so its covariance with J_B is 0.
    case = _case(case_of, copied=0, own=20)
    assert copied_shares(case, LOW, [HIGH])[0, 0] == pytest.approx(0, abs=1e-9)
    table = case.table(LOW)[0]
    assert own_tables(case, LOW, [HIGH])[0] == pytest.approx(table / table.sum())


def test_a_judge_that_copies_all_is_capped_so_that_a_table_is_left(case_of):
    case = _case(case_of, copied=20, own=0)
    assert copied_shares(case, LOW, [HIGH]).max() == pytest.approx(MOST_COPIED)
    assert own_tables(case, LOW, [HIGH]).sum(axis=(1, 2)) == pytest.approx(1)
