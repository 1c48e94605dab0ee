"""All cells, the ranges they must lie in, and the cells that are known not to."""

from __future__ import annotations

from functools import cache

import cells_contrast
import cells_kappa

COVERAGE = (0.925, 0.985)  # of a 95 % interval
TYPE_I = (0.04, 0.065)  # rejection of equal kappas at 5 %
UNRANGED = ("other intervals",)  # shown for comparison

DATASETS = 4_000
OTHER_DATASETS = {"type I error": 5_000}  # a rejection rate of 5 % needs more

# Cells measured outside their range, by name: they are shown as such, and a test knows them.
KNOWN_SHORTFALLS = (
    # 92.3 %; 50 items for 25 cells
    "three and five categories: K 5, quadratic, n 50, balanced; copies, 0.8",
    # 92.0 %; few clusters, strong correlation and few positives at once
    "clusters, two categories: 30 clusters of 20, ICC 0.3; prevalence 0.1, Dirichlet, kappa 0.4",
)


@cache
def all_cells():
    """Give every cell by its name."""
    makers = (
        cells_kappa.two_categories,
        cells_contrast.equal_kappas,
        cells_kappa.more_categories,
        cells_kappa.clusters_of_two_categories,
        cells_kappa.clusters_of_five_categories,
        cells_contrast.two_categories,
        cells_contrast.five_categories,
        cells_kappa.clusters_of_unequal_size,
        cells_kappa.other_intervals,
    )
    listed = [cell for maker in makers for cell in maker()]
    named = {cell.name: cell for cell in listed}
    if len(named) != len(listed):
        raise ValueError("two cells have one name")
    return named


def out_of_range(family, result, margin=0.0):
    """Name the measures of a cell that lie further than `margin` outside their range."""
    if family in UNRANGED:
        return []
    kinds = {"coverage": COVERAGE}
    if family == "type I error":
        kinds |= {"rejected_by_interval": TYPE_I, "rejected_by_p_value": TYPE_I}
    return [
        kind
        for kind, (low, high) in kinds.items()
        if not low - margin <= result[kind] <= high + margin
    ]
