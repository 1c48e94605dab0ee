"""Kappa of the pool from a stratified sample of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.coefficients.from_labels import construct_weights
from toolkit.coefficients.kappa import Kappa, sparse_flags, weights_name
from toolkit.coefficients.options import Resampling, resampling
from toolkit.coefficients.weights import Floats, agreement_weights
from toolkit.errors import PlanError
from toolkit.labels.table import Labels
from toolkit.planning.design import Design, read_design
from toolkit.planning.design_variance import Statistic
from toolkit.planning.estimation import Task, estimate
from toolkit.planning.matching import match
from toolkit.planning.posterior import DRAWS

METHODS = {
    "jeffreys": "Dirichlet draws per stratum",
    "linearised": "normal interval with the linearised error",
}


@dataclass(frozen=True)
class WeightedKappa(Kappa):
    """Kappa of a pool, or of the traffic it stands for, from a stratified sample.

    Attributes
    ----------
    estimate, low, high, level : float
        As in `Kappa`; the interval is for the `estimand`.
    method : {"jeffreys", "linearised"}
        Dirichlet draws per stratum, or the normal interval.
    n : float
        Drawn items that have both labels.
    se : float
        Linearised standard error, with the divisor n - 1 in every stratum; nan where a stratum has
        one label (flag ``one_label_in_stratum``).
    se_null : float
        The same if people's labels depended on nothing: for a test of 0, never for an interval.
    weights, draws, seed, undefined_draws, left_out, reasons, flags
        As in `Kappa`.
    construct, coefficient : str
        What was estimated.
    estimand : {"pool", "deployment"}
        Kappa of these very items, or of the traffic that they are a random sample of.
    fpc : bool
        Whether the finite-population correction is on: it is for the pool.
    strata : dict of str to dict
        Of every stratum: size, drawn, labelled.

    Examples
    --------
    >>> import pandas as pd
    >>> import toolkit as tk
    >>> items = [f"i{n}" for n in range(8)]
    >>> design = pd.DataFrame({"item_id": items, "stratum": ["flag"] * 4 + ["none"] * 4})
    >>> design["design_weight"] = [10.0] * 4 + [100.0] * 4
    >>> design["inclusion_probability"] = 1 / design["design_weight"]
    >>> wide = pd.DataFrame({"item_id": items})
    >>> wide["gpt"], wide["ann"] = [1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0]
    >>> raters = {"gpt": "judge", "ann": "human"}
    >>> labels = tk.read_labels(wide, wide="rater", construct="tone", rater=raters)
    >>> round(weighted_kappa(labels, design).estimate, 3)
    0.845
    """

    construct: str
    coefficient: str
    estimand: str
    fpc: bool
    strata: dict[str, dict[str, int]]

    def __str__(self) -> str:
        named = "kappa" if self.coefficient == "cohen_kappa" else self.coefficient
        name = named if self.weights == "unweighted" else f"{self.weights} {named}"
        corrected = "with" if self.fpc else "without"
        remarks = "".join(f"; {word}" for word in (*self.reasons, *self.flags))
        return (
            f"{name} of the {self.estimand} on {self.construct} {self.estimate:.2f} "
            f"[{self.low:.2f}, {self.high:.2f}], {100 * self.level:g} % interval "
            f"({METHODS[self.method]}, {corrected} finite-population correction), "
            f"n = {self.n:g} of {sum(s['size'] for s in self.strata.values()):,}{remarks}"
        )


def weighted_kappa(
    labels: Labels,
    design: Any,
    construct: str | None = None,
    judge: str | None = None,
    reference: str | Sequence[str] | None = None,
    weights: Any = None,
    *,
    coefficient: Callable[..., Any] = cohen_kappa,
    estimand: str = "pool",
    interval: str = "jeffreys",
    level: float = 0.95,
    draws: int = 20_000,
    seed: int = 0,
) -> WeightedKappa:
    r"""Estimate kappa of the pool from items that were drawn with unequal probabilities.

    Parameters
    ----------
    labels : Labels
        From `read_labels`: people's labels of the drawn items, and the judge's. Where no rater is
        a judge, the judge's labels in the design are used.
    design : DataFrame, path, or list of these
        The frame of `draw`, or the frames of all waves. Another stratified random sample may be
        described with the columns item_id, stratum, inclusion_probability, design_weight; the flag
        ``design_unverified`` says that nothing shows that it belongs to this pool.
    construct : str, optional
        Needed where the labels have several.
    judge, reference : optional
        As in `agreement`. Any judge may be measured, also another than the one that made the
        strata.
    weights : None, "linear", "quadratic", "schema" or array-like of shape (k, k), optional
        Agreement weights between categories.
    coefficient : callable, optional
        Any function of `toolkit.coefficients` from tables (..., k, k) to values (...).
    estimand : {"pool", "deployment"}, optional
        Kappa of these very items, with finite-population correction; or of the traffic that they
        are a random sample of: no correction, and the shares of the strata vary too.
    interval : {"jeffreys", "linearised"}, optional
        Dirichlet draws per stratum, or the normal interval as a cross-check.
    level, draws, seed : optional
        As in `kappa`.

    Returns
    -------
    WeightedKappa
        The fields of `Kappa`, and what they are of. A stratum without labels makes the estimate
        undefined, reason ``stratum_without_labels``.

    Raises
    ------
    PlanError
        If the design is not as it was drawn, lacks a wave or a stratum, belongs to another pool, or
        no labelled item is in it.
    LabelError
        If construct or roles are not clear.
    StatisticsError
        If an option does not fit.

    Notes
    -----
    :math:`\hat p_{ij} = \sum_h (N_h / N)\, n_{hij} / n_h` makes the pool's table. The default
    interval draws people's labels of a stratum from their Dirichlet posterior; for the pool only
    the :math:`N_h - n_h` items that nobody read are drawn, so that a census has width 0. The prior
    is half a label in each of two categories for each judge label (with more categories the mass of
    `kappa`'s interval), which strata of one judge label share by their sizes. The linearised
    interval smooths shares, :math:`(y + .5) / (n + 1)` for two categories, in the variance alone.

    Drawn items without a label are counted in `left_out` (flag ``labels_missing``): they are taken
    to be missing at random within their stratum, whose weight then goes to those that were
    labelled. Those on which the plan does not read the construct (``read_<construct>`` false) are
    not missing, and are counted as ``not_read``. Labelled items that were not
    drawn do not count (``not_in_design``).

    Kappas of strata are never averaged: that would be another quantity.

    References
    ----------
    Katki, Li, Edelstein and Castle 2012, Statistics in Medicine 31:436, doi:10.1002/sim.4422.
    Lin, Kim, Williamson and Lesser 2012, Survey Methodology 38:63-72.

    Examples
    --------
    >>> import pandas as pd
    >>> import toolkit as tk
    >>> design = pd.DataFrame({"item_id": ["a", "b", "c"], "stratum": ["yes", "no", "no"]})
    >>> design["design_weight"] = [1.0, 1.0, 1.0]  # a census
    >>> design["inclusion_probability"] = [1.0, 1.0, 1.0]
    >>> wide = pd.DataFrame({"item_id": ["a", "b", "c"], "gpt": [1, 0, 0], "ann": [1, 0, 1]})
    >>> raters = {"gpt": "judge", "ann": "human"}
    >>> labels = tk.read_labels(wide, wide="rater", construct="tone", rater=raters)
    >>> made = weighted_kappa(labels, design)
    >>> round(made.estimate, 2), made.high - made.low
    (0.4, 0.0)
    """
    return weighted_of_design(
        labels,
        read_design(design),
        construct,
        judge,
        reference,
        weights,
        coefficient=coefficient,
        estimand=estimand,
        interval=interval,
        level=level,
        draws=draws,
        seed=seed,
    )


def weighted_of_design(
    labels: Labels,
    design: Design,
    construct: str | None,
    judge: str | None,
    reference: str | Sequence[str] | None,
    weights: Any,
    *,
    coefficient: Callable[..., Any] = cohen_kappa,
    estimand: str = "pool",
    interval: str = "jeffreys",
    level: float = 0.95,
    draws: int = 20_000,
    seed: int = 0,
) -> WeightedKappa:
    """Estimate from a design that was read and checked; see `weighted_kappa`."""
    options = _options(interval, level, draws, seed, estimand)
    found = match(labels, design, construct, judge, reference)
    weights = construct_weights(found.labels, found.construct, weights)
    task = _task(coefficient, weights, found.k)
    made = estimate(found.counts, design.sizes, task, options, estimand)
    strata = {
        name: {"size": int(size), "drawn": int(drawn), "labelled": int(count)}
        for name, size, drawn, count in zip(
            design.names, design.sizes, design.drawn, found.counts.sum(1), strict=True
        )
    }
    whole = found.counts.sum(0).reshape(found.k, found.k)
    return WeightedKappa(
        estimate=made.estimate,
        low=made.low,
        high=made.high,
        level=options.level,
        method=interval,
        n=float(whole.sum()),
        se=made.se,
        se_null=made.se_null,
        weights=weights_name(weights),
        draws=options.draws,
        seed=options.seed,
        undefined_draws=made.undefined,
        left_out=found.left_out,
        reasons=made.reasons,
        flags=tuple(dict.fromkeys((*found.flags, *sparse_flags(whole), *made.flags))),
        construct=found.construct,
        coefficient=task.name,
        estimand=estimand,
        fpc=estimand == "pool",
        strata=strata,
    )


def _options(interval: Any, level: Any, draws: Any, seed: Any, estimand: Any) -> Resampling:
    if not isinstance(interval, str) or interval not in METHODS:
        raise PlanError(
            "unknown interval", got=interval, allowed=list(METHODS), example="interval='jeffreys'"
        )
    if not isinstance(estimand, str) or estimand not in DRAWS:
        raise PlanError(
            "unknown estimand", got=estimand, allowed=list(DRAWS), example="estimand='pool'"
        )
    return resampling("jeffreys", level, draws, seed)._replace(method=interval)


def _task(coefficient: Any, weights: Any, k: int) -> Task:
    """Make one function of tables from a coefficient and its weights."""
    if not callable(coefficient):
        raise PlanError(
            "no coefficient",
            got=coefficient,
            allowed="a function of tables",
            example="coefficient=tk.coefficients.gwet_ac",
        )
    name = getattr(coefficient, "__name__", "coefficient")
    if weights is None:
        statistic: Statistic = coefficient
    else:
        matrix = agreement_weights(weights, k)
        if "weights" not in inspect.signature(coefficient).parameters:
            raise PlanError(f"{name} takes no weights", got=weights, allowed="weights=None")

        def statistic(tables: Floats) -> Floats:
            return np.asarray(coefficient(tables, matrix))

    shape = np.shape(statistic(np.full((2, k, k), 1 / k**2)))
    if shape != (2,):
        raise PlanError(
            f"{name} does not give one number for each table",
            got=shape,
            allowed="a function from tables (..., k, k) to values (...)",
            example="coefficient=tk.coefficients.gwet_ac",
        )
    return Task(statistic, name, weights)
