"""McNemar and Stuart-Maxwell: published tables, their identities, tables that say nothing."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from toolkit.coefficients.margins import mcnemar, stuart_maxwell
from toolkit.errors import StatisticsError

# Stuart 1955, Biometrika 42:412: unaided distance vision of 7,477 women, right and left eye.
VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]


def test_stuarts_vision_data():
    result = stuart_maxwell(VISION)
    assert result.statistic == pytest.approx(11.96, abs=0.005)  # Stuart 1955
    assert result.df == 3
    assert result.p_value == pytest.approx(stats.chi2.sf(result.statistic, 3))


def test_mcnemar_of_the_approval_ratings():
    # Agresti 2002, Categorical Data Analysis, table 10.1: z = -4.17 under the null.
    result = mcnemar([[794, 86], [150, 570]], "chi2")
    assert np.sqrt(result.statistic) == pytest.approx(4.17, abs=0.005)


def test_exact_mcnemar_is_a_sign_test_of_the_discordant_cells():
    result = mcnemar([[40, 2], [9, 49]])
    assert result.p_value == pytest.approx(stats.binomtest(2, 11).pvalue)
    assert (result.statistic, result.n_discordant) == (2, 11)


@given(table=hnp.arrays(np.int64, (2, 2), elements=st.integers(0, 10**6)))
def test_for_two_categories_stuart_maxwell_is_mcnemar(table):
    one, other = stuart_maxwell(table), mcnemar(table, "chi2")
    assert one.reasons == other.reasons
    assert one.statistic == pytest.approx(other.statistic, nan_ok=True)


def test_unused_and_never_confused_categories_do_not_count():
    two = stuart_maxwell([[30, 9], [2, 40]])
    padded = np.zeros((4, 4))
    padded[np.ix_([0, 2], [0, 2])] = [[30, 9], [2, 40]]
    padded[3, 3] = 12
    four = stuart_maxwell(padded)
    assert (four.statistic, four.df) == pytest.approx((two.statistic, two.df))


def test_separate_groups_of_confusions_add_up():
    # A single covariance of all four categories is singular here.
    table = np.zeros((4, 4))
    table[:2, :2] = [[30, 9], [2, 40]]
    table[2:, 2:] = [[10, 7], [3, 20]]
    parts = [stuart_maxwell(table[:2, :2]), stuart_maxwell(table[2:, 2:])]
    whole = stuart_maxwell(table)
    assert whole.statistic == pytest.approx(sum(part.statistic for part in parts))
    assert whole.df == 2


def test_a_constant_rater_is_tested():
    result = stuart_maxwell([[0, 0], [4, 46]])  # the reference never flags, the judge does
    assert result.statistic == pytest.approx(4)
    assert not result.reasons


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[40, 0], [0, 45]], "no_discordant_pairs"),
        ([[0, 0], [0, 50]], "no_discordant_pairs"),
        ([[0, 0], [0, 0]], "no_overlap"),
    ],
)
def test_tables_that_say_nothing_about_margins(table, reason):
    for result in (mcnemar(table), mcnemar(table, "chi2"), stuart_maxwell(table)):
        assert result.reasons == (reason,)
        assert np.isnan([result.statistic, result.p_value]).all()
        assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["p_value"] is None


def test_a_single_category_has_no_margins_to_compare():
    assert stuart_maxwell([[12]]).reasons == ("no_discordant_pairs",)


def test_fractional_counts_allow_chi_square_alone():
    table = [[10, 2.5], [4, 9]]
    assert mcnemar(table).reasons == ("fractional_counts",)
    assert mcnemar(table, "chi2").statistic == pytest.approx(1.5**2 / 6.5)


@given(
    table=st.integers(1, 5).flatmap(
        lambda k: hnp.arrays(
            np.float64, (k, k), elements=st.one_of(st.just(0.0), st.floats(0.01, 1e6))
        )
    )
)
def test_no_table_raises(table):
    result = stuart_maxwell(table)
    assert result.reasons or (result.statistic >= -1e-6 and 0 <= result.p_value <= 1)


def test_what_does_not_fit_is_refused():
    with pytest.raises(StatisticsError, match="two categories"):
        mcnemar(np.eye(3))
    with pytest.raises(StatisticsError, match="unknown method"):
        mcnemar(np.eye(2), "yates")
    with pytest.raises(StatisticsError, match="stack of tables"):
        stuart_maxwell(np.ones((2, 3, 3)))
