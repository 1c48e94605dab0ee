"""Cells of one kappa: two categories, more categories, and clusters of items."""

from __future__ import annotations

from itertools import product

from cell import WEIGHTS, Cell
from tables import BALANCED, SKEWED, binary, copied, discretised

ITEMS = (50, 100, 300)
CLUSTERS = tuple(product((30, 100), (4, 20), (0.1, 0.3)))


def two_categories():
    for n, prevalence, kappa in product(ITEMS, (0.05, 0.1, 0.3, 0.5), (0.2, 0.4, 0.6, 0.8)):
        yield _two(n, prevalence, kappa, "equal margins", 1)
    for n, prevalence, kappa in product(ITEMS, (0.05, 0.1, 0.3), (0.2, 0.4, 0.6)):
        if (prevalence, kappa) != (0.3, 0.6):  # kappa_max of these margins is .44
            yield _two(n, prevalence, kappa, "judge flags twice as often", 2)


def _two(n, prevalence, kappa, margins, flags):
    return Cell(
        family="two categories",
        row=f"n {n}, prevalence {prevalence:g}, {margins}",
        column=f"kappa {kappa:g}",
        tables=(binary(prevalence, kappa, flags),),
        sizes=(1,) * n,
    )


def other_intervals():
    methods = ("jeffreys", "percentile", "bca", "analytic")
    for n, prevalence, method in product((50, 100), (0.05, 0.1, 0.3), methods):
        yield Cell(
            family="other intervals",
            row=f"n {n}, prevalence {prevalence:g}, kappa 0.6",
            column=method,
            tables=(binary(prevalence, 0.6),),
            sizes=(1,) * n,
            method=method,
        )


def more_categories():
    margins = {"skewed": SKEWED, "balanced": BALANCED}
    worlds = {"copies, 0.4": (copied, 0.4), "copies, 0.8": (copied, 0.8)}
    worlds["graded, 0.8"] = (discretised, 0.8)
    for k, weights, n, margin in product((3, 5), WEIGHTS, ITEMS, margins):
        for kind, (world, kappa) in worlds.items():
            yield Cell(
                family="three and five categories",
                row=f"K {k}, {weights}, n {n}, {margin}",
                column=kind,
                tables=(world(margins[margin][k], kappa),),
                sizes=(1,) * n,
                weights=WEIGHTS[weights],
            )


def clusters_of_two_categories():
    kinds = ((0.1, 0.4, True), (0.1, 0.8, True), (0.05, 0.6, False), (0.3, 0.6, False))
    for (number, size, icc), (prevalence, kappa, dirichlet) in product(CLUSTERS, kinds):
        yield Cell(
            family="clusters, two categories",
            row=f"{number} clusters of {size}, ICC {icc:g}",
            column=f"prevalence {prevalence:g}, {_world(dirichlet)}, kappa {kappa:g}",
            tables=(binary(prevalence, kappa),),
            sizes=(size,) * number,
            icc=icc,
            dirichlet=dirichlet,
        )


def clusters_of_five_categories():
    kinds = (
        ("nominal", "skewed copies, Dirichlet, 0.4", copied(SKEWED[5], 0.4), True),
        ("nominal", "balanced copies, latent, 0.8", copied(BALANCED[5], 0.8), False),
        ("quadratic", "skewed copies, Dirichlet, 0.4", copied(SKEWED[5], 0.4), True),
        ("quadratic", "skewed graded, latent, 0.8", discretised(SKEWED[5], 0.8), False),
    )
    for (number, size, icc), (weights, kind, table, dirichlet) in product(CLUSTERS, kinds):
        yield Cell(
            family="clusters, five categories",
            row=f"{number} clusters of {size}, ICC {icc:g}",
            column=f"{weights}, {kind}",
            tables=(table,),
            sizes=(size,) * number,
            weights=WEIGHTS[weights],
            icc=icc,
            dirichlet=dirichlet,
        )


def clusters_of_unequal_size():
    sizes = (1, 1, 2, 4, 12) * 10
    for k, table in ((2, binary(0.1, 0.6)), (5, copied(SKEWED[5], 0.6))):
        for weights, icc in product(WEIGHTS if k > 2 else ("nominal",), (0.1, 0.3)):
            yield Cell(
                family="clusters of unequal size",
                row=f"K {k}, {weights}, 50 clusters of 1 to 12",
                column=f"ICC {icc:g}",
                tables=(table,),
                sizes=sizes,
                weights=WEIGHTS[weights],
                icc=icc,
                dirichlet=True,
            )


def _world(dirichlet):
    return "Dirichlet" if dirichlet else "latent"
