"""Cells of the difference of two kappas: two constructs of a call."""

from __future__ import annotations

from itertools import product

from cell import WEIGHTS, Cell
from tables import BALANCED, SKEWED, binary, copied, discretised

ITEMS = (50, 100, 200, 400)
SHARED = (0.0, 0.5)  # shares of calls on which both errors come from one draw


def two_categories():
    prevalences = ((0.3, 0.3), (0.05, 0.4))
    for n, (low, high), shared in product(ITEMS, prevalences, SHARED):
        for first, second in ((0.6, 0.6), (0.4, 0.8)):
            yield Cell(
                family="contrast, two categories",
                row=f"n {n}, prevalences {low:g} and {high:g}, shared errors {shared:g}",
                column=f"kappas {first:g} and {second:g}",
                tables=(binary(low, first), binary(high, second)),
                sizes=(1,) * n,
                shared_errors=shared,
            )


def five_categories():
    kinds = (
        ("nominal", "copies, 0.6 and 0.6", copied, 0.6, 0.6, 0.0),
        ("nominal", "copies, 0.6 and 0.6", copied, 0.6, 0.6, 0.5),
        ("nominal", "copies, 0.4 and 0.8", copied, 0.4, 0.8, 0.5),
        ("quadratic", "graded, 0.7 and 0.7", discretised, 0.7, 0.7, 0.0),
        ("quadratic", "graded, 0.7 and 0.7", discretised, 0.7, 0.7, 0.5),
        ("quadratic", "copies, 0.4 and 0.8", copied, 0.4, 0.8, 0.5),
    )
    margins = {"both skewed": SKEWED, "skewed and balanced": BALANCED}
    for n, margin, kind in product((50, 200), margins, kinds):
        weights, name, world, first, second, shared = kind
        yield Cell(
            family="contrast, five categories",
            row=f"n {n}, {margin}",
            column=f"{weights}, {name}, shared errors {shared:g}",
            tables=(world(SKEWED[5], first), world(margins[margin][5], second)),
            sizes=(1,) * n,
            weights=WEIGHTS[weights],
            shared_errors=shared,
        )


def equal_kappas():
    for n, kappa, shared in product((200, 400), (0.4, 0.6, 0.8), SHARED):
        yield Cell(
            family="type I error",
            row=f"n {n}, prevalences 0.05 and 0.4, shared errors {shared:g}",
            column=f"kappas {kappa:g}",
            tables=(binary(0.05, kappa), binary(0.4, kappa)),
            sizes=(1,) * n,
            shared_errors=shared,
        )
