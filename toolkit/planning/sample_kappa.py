"""The plain kappa of a drawn sample, under a name that says what it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from toolkit.coefficients.from_labels import construct_weights
from toolkit.coefficients.kappa import Kappa, kappa_of_units, sparse_flags
from toolkit.coefficients.options import resampling
from toolkit.coefficients.resampling import units_of_table
from toolkit.labels.table import Labels
from toolkit.planning.design import read_design
from toolkit.planning.matching import match

NAME = "sample kappa, not the population's"


@dataclass(frozen=True)
class SampleKappa(Kappa):
    """Kappa of the drawn items alone; fields as in `Kappa`, flag ``sample_not_population``.

    Examples
    --------
    >>> import toolkit as tk
    >>> fields = vars(tk.kappa([[40, 9], [6, 45]]))
    >>> print(SampleKappa(**fields))
    sample kappa, not the population's 0.70 [0.53, 0.81], 95 % interval (Jeffreys-smoothed
    bootstrap), n = 100
    """

    def __str__(self) -> str:
        text = super().__str__()
        return text.replace("kappa", NAME, 1)


def sample_kappa(
    labels: Labels,
    design: Any,
    construct: str | None = None,
    judge: str | None = None,
    reference: str | Sequence[str] | None = None,
    weights: Any = None,
    *,
    interval: str = "jeffreys",
    level: float = 0.95,
    draws: int = 20_000,
    seed: int = 0,
) -> SampleKappa:
    """Kappa of the drawn items without their weights: not the kappa of the pool.

    Parameters
    ----------
    labels, design, construct, judge, reference, weights
        As in `weighted_kappa`.
    interval, level, draws, seed
        As in `kappa`.

    Returns
    -------
    SampleKappa
        Where strata were drawn with unequal probabilities it says nothing of the pool: with equal
        numbers from four strata it is .10 too low, and its interval covers the pool's kappa in 24 %
        of samples instead of 95 %.

    Raises
    ------
    PlanError, LabelError, StatisticsError
        As `weighted_kappa` and `kappa`.

    Examples
    --------
    >>> import pandas as pd
    >>> import toolkit as tk
    >>> design = pd.DataFrame({"item_id": ["a", "b", "c"], "stratum": ["yes", "no", "no"]})
    >>> design["design_weight"] = [1.0, 9.0, 9.0]
    >>> design["inclusion_probability"] = 1 / design["design_weight"]
    >>> wide = pd.DataFrame({"item_id": ["a", "b", "c"], "gpt": [1, 0, 0], "ann": [1, 0, 1]})
    >>> raters = {"gpt": "judge", "ann": "human"}
    >>> labels = tk.read_labels(wide, wide="rater", construct="tone", rater=raters)
    >>> sample_kappa(labels, design).flags[0]
    'sample_not_population'
    """
    options = resampling(interval, level, draws, seed)
    found = match(labels, read_design(design), construct, judge, reference)
    table = found.counts.sum(0).reshape(found.k, found.k).astype(float)
    made = kappa_of_units(
        units_of_table(table),
        construct_weights(found.labels, found.construct, weights),
        options,
        left_out=found.left_out,
        flags=("sample_not_population", *found.flags, *sparse_flags(table)),
    )
    return SampleKappa(**{field.name: getattr(made, field.name) for field in fields(Kappa)})
