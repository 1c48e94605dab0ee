"""Coverage at n = 50 as a sum over all 23,426 tables: no data set is drawn."""

from __future__ import annotations

import numpy as np
import pytest
from enumeration import probabilities, tables_of
from tables import binary

from toolkit.coefficients.kappa import kappa

DRAWS = 6_000  # as many as behind the oracle's column
MORE_DRAWS = 200_000  # for tables that decide: likely, and with a limit close to a true kappa
CLOSE, LIKELY = 0.02, 1e-4
UNSURE = 0.001  # Monte Carlo error of a limit at MORE_DRAWS, three times its standard error


@pytest.fixture(scope="module")
def case(oracle):
    return oracle("exact_coverage_n50")


@pytest.fixture(scope="module")
def chances(case):
    """Probability of every table in every cell of the grid."""
    tables = tables_of(case["input"]["n"])
    assert len(tables) == 23_426
    grid = case["input"]["grid"]
    return tables, [probabilities(tables, binary(c["prevalence"], c["kappa"])) for c in grid]


@pytest.mark.slow
def test_the_analytic_interval_has_the_exact_coverage(case, chances):
    tables, weights = chances
    low, high = _limits(tables, interval="analytic")
    for cell, expected, weight in zip(*_grid(case), weights, strict=True):
        covered = weight @ ((low <= cell["kappa"]) & (cell["kappa"] <= high))
        assert covered == pytest.approx(expected["wald"], abs=case["tolerance"]), cell


@pytest.mark.slow
def test_the_default_interval_has_the_exact_coverage(case, chances):
    """A limit that draws cannot tell from kappa counts both ways: the oracle drew it too."""
    tables, weights = chances
    limits = _limits(tables, draws=DRAWS)
    grid, answers = _grid(case)
    decides = np.zeros(len(tables), dtype=bool)
    for cell, weight in zip(grid, weights, strict=True):
        decides |= (abs(limits - cell["kappa"]) < CLOSE).any(0) & (weight > LIKELY)
    limits[:, decides] = _limits(tables[decides], draws=MORE_DRAWS)
    low, high = limits
    for cell, expected, weight in zip(grid, answers, weights, strict=True):
        inside = np.minimum(cell["kappa"] - low, high - cell["kappa"])
        least, most = weight @ (inside > UNSURE), weight @ (inside > -UNSURE)
        assert most - least < 4 * case["tolerance"], cell  # else the comparison says nothing
        assert least - case["tolerance"] <= expected["dirichlet.5"], cell
        assert most + case["tolerance"] >= expected["dirichlet.5"], cell


def _grid(case):
    return case["input"]["grid"], case["expected"]["coverage"]


def _limits(tables, **options):
    """Both limits of every table, shape (2, tables); each table has its own seed."""
    made = [kappa(table.reshape(2, 2), seed=seed, **options) for seed, table in enumerate(tables)]
    return np.array([(one.low, one.high) for one in made]).T
