"""One cell of the study: a population, a way of sampling it, and the true value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tables import true_kappa

WEIGHTS = {"nominal": None, "quadratic": "quadratic"}


@dataclass(frozen=True, kw_only=True)
class Cell:
    """`tables`: one for a kappa, two for a difference; `sizes`: items of each cluster."""

    family: str
    row: str
    column: str
    tables: tuple[Any, ...]
    sizes: tuple[int, ...]
    weights: str | None = None
    method: str = "jeffreys"
    dirichlet: bool = False
    icc: float = 0.0
    shared_errors: float = 0.0
    shared_reference: float = 0.0

    @property
    def name(self):
        return f"{self.family}: {self.row}; {self.column}"

    @property
    def clustered(self):
        return max(self.sizes) > 1

    @property
    def truth(self):
        values = [true_kappa(table, self.weights) for table in self.tables]
        return values[0] if len(values) == 1 else values[1] - values[0]
