"""The populations have the kappa that they claim, and the data sets come from them."""

from __future__ import annotations

import numpy as np
import pytest
from cells import all_cells
from scipy.stats import multivariate_normal, norm
from statsmodels.stats.inter_rater import cohens_kappa
from study import run
from tables import BALANCED, SKEWED, binary, copied, discretised, true_kappa
from worlds import cluster_codes, dirichlet_clusters, latent_items


@pytest.mark.parametrize(("prevalence", "kappa", "flags"), [(0.05, 0.6, 1), (0.3, 0.4, 2)])
def test_a_binary_table_has_its_margins_and_kappa(prevalence, kappa, flags):
    table = binary(prevalence, kappa, flags)
    assert table[0].sum() == pytest.approx(prevalence)
    assert table[:, 0].sum() == pytest.approx(flags * prevalence)
    assert cohens_kappa(table, return_results=False) == pytest.approx(kappa)


def test_a_binary_table_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="no table"):
        binary(0.3, 0.6, flags=2)


@pytest.mark.parametrize("margin", [SKEWED[3], SKEWED[5], BALANCED[5]])
def test_copies_have_their_margins_and_kappa_under_any_weights(margin):
    table = copied(margin, 0.6)
    assert table.sum(0) == pytest.approx(margin)
    assert table.sum(1) == pytest.approx(margin)
    for weights, wt in ((None, None), ("quadratic", "quadratic")):
        by_others = cohens_kappa(table, wt=wt, return_results=False)
        assert true_kappa(table, weights) == pytest.approx(by_others) == pytest.approx(0.6)


@pytest.mark.parametrize("margin", [SKEWED[3], SKEWED[5], BALANCED[5]])
def test_a_cut_normal_has_its_margins_and_quadratic_kappa(margin):
    table = discretised(margin, 0.8)
    assert table.sum(0) == pytest.approx(margin, abs=1e-9)
    assert table.sum(1) == pytest.approx(margin, abs=1e-9)
    assert cohens_kappa(table, wt="quadratic", return_results=False) == pytest.approx(0.8)


def test_a_cut_normal_agrees_with_the_distribution_function_of_scipy():
    table = discretised(SKEWED[3], 0.7)
    cut = norm.ppf(SKEWED[3][0])
    both_low = table[0, 0]
    apart = np.linspace(0.5, 0.99, 50)
    values = [multivariate_normal.cdf([cut, cut], cov=[[1, r], [r, 1]]) for r in apart]
    correlation = np.interp(both_low, values, apart)
    below = norm.ppf(sum(SKEWED[3][:2]))
    expected = multivariate_normal.cdf([below, below], cov=[[1, correlation], [correlation, 1]])
    assert table[:2, :2].sum() == pytest.approx(expected, abs=1e-3)


def test_dirichlet_clusters_keep_the_table_and_have_their_icc():
    rng, table = np.random.default_rng(1), copied(SKEWED[3], 0.5)
    sizes = np.full(20_000, 4)
    cells = dirichlet_clusters(rng, table, sizes, 0.3)[:, 0].reshape(-1, 4)
    shares = np.bincount(cells.ravel(), minlength=9) / cells.size
    assert shares == pytest.approx(table.ravel(), abs=0.01)
    inside, share = (cells == 0).sum(1), table[0, 0]
    alike = (inside * (inside - 1)).mean() / (4 * 3)  # two items of a cluster are both in the cell
    assert (alike - share**2) / (share * (1 - share)) == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize("shared_reference", [0.0, 1.0])
@pytest.mark.parametrize("icc", [0.0, 0.3])
def test_latent_items_keep_both_tables(shared_reference, icc):
    rng = np.random.default_rng(2)
    first, second = copied(SKEWED[5], 0.4), discretised(SKEWED[5], 0.8)
    sizes = np.full(20_000, 4) if icc else np.ones(80_000, dtype=int)
    cells = latent_items(
        rng, (first, second), sizes, icc=icc, shared_errors=0.5, shared_reference=shared_reference
    )
    for column, table in zip(cells.T, (first, second), strict=True):
        shares = np.bincount(column, minlength=25) / len(column)
        assert shares == pytest.approx(table.ravel(), abs=0.012)
    same = (cells[:, 0] // 5 == cells[:, 1] // 5).mean()
    assert (same == 1) == (shared_reference == 1)


def test_shared_errors_fall_on_the_same_items():
    rng, table = np.random.default_rng(3), binary(0.3, 0.6)
    together = {}
    for shared in (0.0, 0.5):
        cells = latent_items(rng, (table, table), np.ones(50_000, int), shared_errors=shared)
        wrong = cells // 2 != cells % 2
        together[shared] = np.corrcoef(wrong.T)[0, 1]
    assert together[0.0] == pytest.approx(0, abs=0.02)
    assert together[0.5] > 0.3


def test_clusters_of_latent_items_are_correlated():
    sizes = np.full(20_000, 2)
    cells = latent_items(np.random.default_rng(4), (binary(0.3, 0.6),), sizes, icc=0.5)[:, 0]
    first, second = (cells // 2).reshape(-1, 2).T
    # Two halves of a normal with correlation .5 agree more often than two independent ones.
    assert np.corrcoef(first, second)[0, 1] > 0.25
    assert cluster_codes(sizes)[:4].tolist() == [0, 0, 1, 1]


def test_a_cell_gives_the_same_numbers_again_and_its_parts_add_up():
    cell = next(iter(all_cells().values()))
    once, again = (run(cell, 40, 200) for _ in range(2))
    assert once == again
    assert once["datasets"] == 40
    assert once["coverage"] + once["truth_below"] + once["truth_above"] == pytest.approx(1)
