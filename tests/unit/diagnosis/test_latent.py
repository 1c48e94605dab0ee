from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtri

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.coefficients.weights import agreement_weights
from toolkit.diagnosis import latent


def _cut(share):
    """Cut below which all but this share lie."""
    return np.array([ndtri(1 - share)])


def _kappa(people, judge, rho):
    return float(cohen_kappa(latent.table_of(_cut(people), _cut(judge), np.array(rho))))


def test_kappa_at_the_medians_is_two_over_pi_times_the_arc_sine():
    # Sheppard: P(both below the medians) = 1/4 + asin(rho) / 2 pi, so observed agreement is
    # 1/2 + asin(rho) / pi, chance is 1/2, and kappa (2 / pi) asin(rho): .5903 at rho .8.
    table = latent.table_of(_cut(0.5), _cut(0.5), np.array(0.8))
    assert table[0, 0] == pytest.approx(1 / 4 + np.arcsin(0.8) / (2 * np.pi), abs=1e-9)
    assert _kappa(0.5, 0.5, 0.8) == pytest.approx(0.5903, abs=5e-5)


@pytest.mark.parametrize(
    ("people", "judge", "rho", "kappa"),
    [
        (0.10, 0.10, 0.9, 0.6541),
        (0.05, 0.05, 0.9, 0.6183),
        (0.30, 0.60, 0.9, 0.43336),
        (0.30, 0.30, 0.9, 0.70279),
    ],
)
def test_rarity_and_unequal_cuts_lower_kappa_at_the_same_correlation(people, judge, rho, kappa):
    # P(both above) from tables of the bivariate normal; kappa = 2 (P - pq) / (p(1-q) + q(1-p)).
    assert _kappa(people, judge, rho) == pytest.approx(kappa, abs=5e-5)


def test_the_correlation_of_a_table_by_hand():
    # Even margins: kappa = .6, so rho = sin(.6 pi / 2) = .80902.
    table = np.array([[40.0, 10], [10, 40]])
    assert latent.rho_of(table) == pytest.approx(np.sin(0.3 * np.pi), abs=1e-7)
    assert latent.rho_of(table[:, ::-1]) == pytest.approx(-np.sin(0.3 * np.pi), abs=1e-7)


def test_the_worked_table_has_its_tetrachoric_correlation():
    # (54, 6; 8, 32): sensitivity .8 and specificity .9 at prevalence .4. The rho at which
    # Phi2(z(.60), z(.62); rho) is .54, solved with scipy.stats.multivariate_normal.
    assert latent.rho_of(np.array([[54.0, 6], [8, 32]])) == pytest.approx(0.898391, abs=1e-6)


def test_cuts_and_margins_invert_each_other():
    margins = np.array([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
    assert latent.margins_of(latent.cuts_of(margins)) == pytest.approx(margins)


def test_an_empty_category_has_finite_cuts():
    assert np.isfinite(latent.cuts_of(np.array([0.0, 1.0, 0.0]))).all()


@st.composite
def scales(draw):
    """Cuts of people and of the judge, and a correlation."""
    k = draw(st.integers(2, 6))
    share = st.floats(0.05, 1)
    margins = [np.array(draw(st.lists(share, min_size=k, max_size=k))) for _ in range(2)]
    people, judge = (latent.cuts_of(m / m.sum()) for m in margins)
    return people, judge, draw(st.floats(-0.9, 0.9))


@settings(max_examples=60, deadline=None)
@given(scales())
def test_a_table_sums_to_one_and_keeps_its_margins(drawn):
    people, judge, rho = drawn
    table = latent.table_of(people, judge, np.array(rho))
    assert table.sum() == pytest.approx(1, abs=1e-5)
    assert table.sum(axis=1) == pytest.approx(latent.margins_of(people), abs=1e-5)
    assert table.sum(axis=0) == pytest.approx(latent.margins_of(judge), abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(scales())
def test_the_correlation_of_a_table_is_found_again(drawn):
    people, judge, rho = drawn
    found = latent.rho_of(latent.table_of(people, judge, np.array(rho)))
    # Of cuts far apart a wide range of correlations gives the same covariance to the fifth digit.
    own, again = (latent.excess(people, judge, np.array(r)).sum() for r in (rho, found))
    assert again == pytest.approx(own, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(scales())
def test_weighted_kappa_is_twice_the_covariance_over_the_spread(drawn):
    # Quadratic kappa = 2 cov / (v_P + v_J + (m_P - m_J)^2); cov is the sum of Phi2 - Phi Phi over
    # all pairs of cuts (Hoeffding).
    people, judge, rho = drawn
    k = len(people) + 1
    steps = np.arange(k)
    p, j = latent.margins_of(people), latent.margins_of(judge)
    spread = sum(m @ steps**2 - (m @ steps) ** 2 for m in (p, j))
    covariance = latent.excess(people, judge, np.array(rho)).sum()
    expected = 2 * covariance / (spread + (p @ steps - j @ steps) ** 2)
    table = latent.table_of(people, judge, np.array(rho))
    kappa = cohen_kappa(table, agreement_weights("quadratic", k))
    assert kappa == pytest.approx(expected, abs=1e-4)


def test_stacks_are_solved_as_their_parts():
    tables = np.array([[[40.0, 10], [10, 40]], [[54, 6], [8, 32]], [[10, 40], [40, 10]]])
    assert latent.rho_of(tables) == pytest.approx([float(latent.rho_of(t)) for t in tables])


def test_perfect_agreement_gives_the_largest_correlation_told_from_one():
    assert latent.rho_of(np.array([[50.0, 0], [0, 50]])) == pytest.approx(latent.MOST)
