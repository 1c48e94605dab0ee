from __future__ import annotations

import pytest

from toolkit.diagnosis.case import LOW
from toolkit.diagnosis.prevalence import measure, sentence

FIVE = [[20, 5, 0, 0, 0], [5, 20, 5, 0, 0], [0, 5, 20, 5, 0], [0, 0, 5, 20, 5], [0, 0, 0, 5, 20]]


def _case(case_of, of_table, low, high, **options):
    people, judge = of_table(low)
    other, judged = of_table(high)
    raters = {"human1": {"low": people, "high": other}, "judge": {"low": judge, "high": judged}}
    return case_of(raters, **options)


def test_rarity_with_the_rates_of_the_judge_kept_by_hand(case_of, of_table):
    # Half a count a cell: high (40.5, 4.5; 7.5, 22.5) has specificity .9 and sensitivity .75 at
    # prevalence 30 / 75 = .4; low has 3 / 75 = .04.
    # At .4: observed .6 x .9 + .4 x .75 = .84; judge's share .06 + .30 = .36; chance
    # .4 x .36 + .6 x .64 = .528; kappa .312 / .472.
    # At .04: observed .96 x .9 + .04 x .75 = .894; judge's share .096 + .03 = .126; chance
    # .04 x .126 + .96 x .874 = .84408; kappa .04992 / .15592.
    case = _case(case_of, of_table, [[65, 6], [0, 2]], [[40, 4], [7, 22]])
    found = measure(case)
    assert found.facts["by_rows"] == pytest.approx(0.312 / 0.472 - 0.04992 / 0.15592)
    # Binary variance p (1 - p).
    assert found.tests["spread_ratio"] == pytest.approx(0.04 * 0.96 / (0.4 * 0.6))
    assert found.effect[0] == pytest.approx(0.24 - 0.0384)
    assert found.facts["sensitivity_high"] == pytest.approx(0.75)
    assert found.facts["specificity_high"] == pytest.approx(0.9)


def test_shares_and_counts_are_those_of_the_labels(case_of, of_table):
    case = _case(case_of, of_table, [[65, 6], [0, 2]], [[40, 4], [7, 22]])
    facts = measure(case).facts
    assert facts["counts"] == pytest.approx([2, 29])
    assert facts["shares"] == pytest.approx([2 / 73, 29 / 73])


def test_the_two_what_ifs_disagree_by_hand(case_of, of_table):
    # Sensitivity .8 and specificity .9. At .4: observed .86, chance .4 x .38 + .6 x .62 = .524,
    # kappa .336 / .476 = .70588. At .05: observed .895, chance .05 x .135 + .95 x .865 = .8285,
    # kappa .0665 / .1715 = .38776. Rates kept, kappa falls by .31811; with cuts and latent
    # correlation (.89839) kept it is .61022 at .05, a fall of .09566. 2,000 calls carry 4 halves.
    case = _case(case_of, of_table, [[1710, 190], [20, 80]], [[1080, 120], [160, 640]])
    found = measure(case)
    assert found.facts["by_rows"] == pytest.approx(0.31811, abs=0.002)
    assert found.facts["by_scale"] == pytest.approx(0.70588 - 0.61022, abs=0.002)
    # The low construct is rarer: the larger counts, the smaller has to agree in sign.
    assert found.undone[0] - case.kappa(LOW)[0] == pytest.approx(found.facts["by_rows"])
    assert found.tests["smaller"] == pytest.approx(found.facts["by_scale"])


def test_equal_margins_of_the_people_change_nothing(case_of, of_table):
    # Low and high both 60 : 40 by people; the judge is worse on low.
    case = _case(case_of, of_table, [[40, 20], [15, 25]], [[55, 5], [5, 35]])
    found = measure(case)
    assert found.tests["spread_ratio"] == pytest.approx(1)
    assert found.facts["by_rows"] == pytest.approx(0)
    assert found.facts["by_scale"] == pytest.approx(0)


def test_where_the_low_construct_is_not_rarer_the_smaller_what_if_counts(case_of, of_table):
    case = _case(case_of, of_table, [[45, 5], [5, 45]], [[80, 5], [5, 10]])
    found = measure(case)
    gain = found.undone[0] - case.kappa(LOW)[0]
    assert found.tests["spread_ratio"] > 0.8
    assert gain == pytest.approx(min(found.facts["by_rows"], found.facts["by_scale"]))


def test_unordered_categories_have_the_spread_of_gini_by_hand(case_of, of_table):
    # Smoothing puts 1/6 on each cell of the diagonal and 1/12 off it, 1/3 to a row. People of high
    # 30 each: 1 - 3 / 9 = 2/3; people of low (70, 10, 10) + 1/3 each, of 91.
    low = [[60, 5, 5], [2, 6, 2], [2, 2, 6]]
    high = [[26, 2, 2], [2, 26, 2], [2, 2, 26]]
    case = _case(case_of, of_table, low, high, categories=(0, 1, 2), kind="nominal")
    p = [(70 + 1 / 3) / 91, (10 + 1 / 3) / 91, (10 + 1 / 3) / 91]
    found = measure(case)
    assert found.tests["spread_ratio"] == pytest.approx((1 - sum(x * x for x in p)) / (2 / 3))
    assert found.facts["by_scale"] > 0


def test_scales_have_the_variance_of_category_numbers(case_of, of_table):
    case = _case(case_of, of_table, FIVE, FIVE, categories=range(5), kind="ordinal")
    found = measure(case)
    assert found.tests["spread_ratio"] == pytest.approx(1)
    assert "sensitivity_low" not in found.facts


def test_a_constant_side_has_no_prevalence_to_compare(case_of, of_table):
    case = _case(case_of, of_table, [[60, 0], [40, 0]], [[50, 10], [10, 30]])
    assert "one category" in measure(case).untestable


def test_the_sentence_gives_both_what_ifs(case_of, of_table):
    case = _case(case_of, of_table, [[65, 6], [0, 2]], [[40, 4], [7, 22]])
    said = sentence(measure(case), case)
    assert "2.7 % of the people's labels of low (2 calls)" in said
    assert "kappa of high would fall by 0.34 (judge's rates kept)" in said
