"""Cohen's kappa of one table with an interval that holds at small samples."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients.chance_corrected import cohen_kappa, influence, null_se
from toolkit.coefficients.descriptive import collapse
from toolkit.coefficients.intervals import Interval, linearised_error
from toolkit.coefficients.intervals import interval as make_interval
from toolkit.coefficients.options import METHODS, Resampling, resampling
from toolkit.coefficients.resampling import Units, smoothing_prior, units_of_table
from toolkit.coefficients.tables import one_table
from toolkit.coefficients.weights import Floats, agreement_weights
from toolkit.errors import StatisticsError
from toolkit.plain import plain

FEW_POSITIVES = 10  # below it the smoothing, not the data, shapes the interval
FEW_CLUSTERS = 30
MOST_CATEGORIES = 5  # up to here the interval was simulated (docs/validation.md)


@dataclass(frozen=True)
class Kappa:
    """Cohen's kappa with its interval.

    Attributes
    ----------
    estimate : float
        1: full agreement; 0: chance agreement of these margins; nan: undefined, see `reasons`.
    low, high : float
        Two-sided interval for the kappa of the population that the items (or clusters) represent.
    level : float
        Nominal coverage of the interval.
    method : str
        "jeffreys", "percentile", "bca" or "analytic".
    n : float
        Items in the table (the sum of its cells).
    se : float
        Fleiss-Cohen-Everitt standard error; cluster-robust where clusters were given.
    se_null : float
        Standard error if kappa were 0: for a test of 0, never for an interval.
    weights : str
        "unweighted", "linear", "quadratic" or "custom".
    draws, seed : int
        Of the resampling.
    undefined_draws : float
        Share of ordinary bootstrap draws in which kappa was undefined (0 for "jeffreys").
    left_out : dict of str to int
        Items that could not be used, by reason.
    reasons, flags : tuple of str
        Why a number is nan or degenerate; what to beware of.

    References
    ----------
    Cohen 1960, Educational and Psychological Measurement 20:37, doi:10.1177/001316446002000104.

    Examples
    --------
    >>> result = kappa([[40, 9], [6, 45]])
    >>> print(result)
    kappa 0.70 [0.53, 0.81], 95 % interval (Jeffreys-smoothed bootstrap), n = 100
    """

    estimate: float
    low: float
    high: float
    level: float
    method: str
    n: float
    se: float
    se_null: float
    weights: str
    draws: int
    seed: int
    undefined_draws: float
    left_out: dict[str, int]
    reasons: tuple[str, ...]
    flags: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))

    def to_frame(self) -> pd.DataFrame:
        """Give one row with all fields."""
        return pd.DataFrame([vars(self)])

    def __str__(self) -> str:
        name = "kappa" if self.weights == "unweighted" else f"{self.weights} kappa"
        remarks = "".join(f"; {word}" for word in (*self.reasons, *self.flags))
        return (
            f"{name} {self.estimate:.2f} [{self.low:.2f}, {self.high:.2f}], "
            f"{100 * self.level:g} % interval ({METHODS[self.method]}), n = {self.n:g}{remarks}"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>"


def kappa(
    table: Any,
    weights: Any = None,
    interval: str = "jeffreys",
    level: float = 0.95,
    draws: int = 20_000,
    seed: int = 0,
) -> Kappa:
    r"""Estimate Cohen's kappa of one table, with an interval.

    Parameters
    ----------
    table : array-like or DataFrame of shape (k, k)
        Counts, rows the reference's categories, columns the judge's; see `crosstab`.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        Agreement weights between categories; see `toolkit.coefficients.agreement_weights`.
    interval : {"jeffreys", "percentile", "bca", "analytic"}
        Jeffreys-smoothed bootstrap (default); ordinary bootstrap, plain or bias-corrected; normal
        interval. The last three fail at few positives.
    level : float
        Nominal coverage, above 0 and below 1.
    draws : int
        Bootstrap replicates, 100 or more.
    seed : int
        0 or more; the same seed gives the same numbers.

    Returns
    -------
    Kappa
        With estimate, low, high and what is needed to read them.

    Raises
    ------
    StatisticsError
        If the table is no (k, k) table of non-negative counts, an option is unknown, or ordered
        weights meet words whose order was never declared.

    Notes
    -----
    :math:`\kappa = (p_o - p_e) / (1 - p_e)`. The default interval takes equal-tailed quantiles over
    draws with independent Gamma(:math:`n_{ij} + a_{ij}`) cells, where the smoothing mass a is
    :math:`1 / k` on the diagonal and :math:`1 / (k (k - 1))` off it: half a count per cell for two
    categories. docs/validation.md has the coverage.

    References
    ----------
    Cohen 1960, Educational and Psychological Measurement 20:37, doi:10.1177/001316446002000104;
    Cohen 1968, Psychological Bulletin 70:213, doi:10.1037/h0026256.

    Examples
    --------
    >>> result = kappa([[40, 9], [6, 45]])
    >>> round(result.estimate, 3), round(result.low, 2), round(result.high, 2)
    (0.7, 0.53, 0.81)

    Nobody ever flags: kappa is undefined, and says so.

    >>> kappa([[0, 0], [0, 50]]).reasons
    ('both_constant',)
    """
    counts = one_table(table)
    if abs(counts.sum() - 1) < 1e-9 and (counts % 1).any():  # noqa: PLR2004  rounding of shares
        raise StatisticsError(
            "the table holds shares, and an interval needs the number of items",
            got=counts.tolist(),
            allowed="counts",
            example="tk.kappa([[40, 9], [6, 45]]), or tk.coefficients.cohen_kappa(shares)",
        )
    attributes = table.attrs if isinstance(table, pd.DataFrame) else {}
    flags = tuple(attributes.get("flags", ()))
    refuse_undeclared_order(flags, weights, counts.shape[-1])
    return kappa_of_units(
        units_of_table(counts),
        weights,
        resampling(interval, level, draws, seed),
        left_out=dict(attributes.get("left_out", {})),
        flags=(*flags, *sparse_flags(counts)),
    )


def kappa_of_units(
    units: Units,
    weights: Any,
    options: Resampling,
    *,
    left_out: dict[str, int],
    flags: tuple[str, ...],
) -> Kappa:
    """Estimate kappa of one table from its items or clusters."""
    k = round(units.cells.shape[1] ** 0.5)
    counts = units.total.reshape(k, k)
    matrix = agreement_weights(weights, k)
    estimate = float(cohen_kappa(counts, matrix))
    se = linearised_error(units, influence(counts, weights=matrix).ravel())

    def statistic(cells: Floats) -> Floats:
        return cohen_kappa(cells.reshape(*cells.shape[:-1], k, k), matrix)

    made = make_interval(units, statistic, smoothing_prior(k), se, options)
    return Kappa(
        estimate=estimate,
        low=made.low if counts.any() else math.nan,
        high=made.high if counts.any() else math.nan,
        level=options.level,
        method=options.method,
        n=float(counts.sum()),
        se=se,
        se_null=float(null_se(counts, matrix)),
        weights=weights_name(weights),
        draws=options.draws,
        seed=options.seed,
        undefined_draws=made.undefined,
        left_out=left_out,
        reasons=(*constant_raters(counts), *made.reasons),
        flags=(*flags, *made.flags, *_remarks(estimate, made, k)),
    )


def constant_raters(counts: Floats) -> tuple[str, ...]:
    """Name what makes kappa undefined or degenerate: an empty table, or raters who never vary."""
    if counts.sum() == 0:
        return ("no_overlap",)
    reference, judge = counts.sum(1) > 0, counts.sum(0) > 0
    if reference.sum() == judge.sum() == 1 and np.array_equal(reference, judge):
        return ("both_constant",)
    return tuple(
        name
        for name, used in (("reference_constant", reference), ("judge_constant", judge))
        if used.sum() == 1
    )


def sparse_flags(counts: Floats, present: tuple[int, ...] | None = None) -> tuple[str, ...]:
    """Flag a table with under 10 items in the rarer of two categories, for either rater."""
    if not counts.any() or (present is None and counts.shape[-1] != 2):  # noqa: PLR2004
        return ()
    two = collapse(counts, list(present)) if present else counts
    rarest = min(two.sum(0).min(), two.sum(1).min())
    return ("few_positives",) if rarest < FEW_POSITIVES else ()


def refuse_undeclared_order(flags: tuple[str, ...], weights: Any, k: int) -> None:
    """Refuse weights on words in order of appearance: whose weight is whose depends on the rows."""
    if "order_not_declared" in flags and weights is not None and k > 2:  # noqa: PLR2004
        raise StatisticsError(
            f"{weights_name(weights)} weights need the order of the categories: nobody declared it",
            allowed="a schema, or categories in order, or weights=None",
            example="tk.crosstab(reference, judge, categories=['low', 'medium', 'high'])",
        )


def weights_name(weights: Any) -> str:
    """Name the weights in a result."""
    if weights is None:
        return "unweighted"
    return weights if isinstance(weights, str) else "custom"


def _remarks(estimate: float, made: Interval, k: int) -> tuple[str, ...]:
    outside = estimate < made.low or estimate > made.high
    many = k > MOST_CATEGORIES
    return tuple(
        flag
        for flag, holds in (("estimate_outside_interval", outside), ("many_categories", many))
        if holds
    )
