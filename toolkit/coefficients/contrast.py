"""The difference of two kappas that share their items: two constructs of a call, or two judges."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients.descriptive import collapse
from toolkit.coefficients.from_labels import (
    chosen_constructs,
    construct_weights,
    present_positions,
    table_flags,
    units_of_pairs,
)
from toolkit.coefficients.joint import Difference, Side, compare
from toolkit.coefficients.kappa import MOST_CATEGORIES, weights_name
from toolkit.coefficients.options import Resampling, resampling
from toolkit.coefficients.prevalence import kappa_at_prevalence
from toolkit.errors import LabelError
from toolkit.labels.pairs import Alignment, Pairs
from toolkit.labels.roles import Roles, resolve_roles
from toolkit.labels.schema import Construct
from toolkit.labels.table import Labels
from toolkit.plain import plain


@dataclass(frozen=True)
class Contrast:
    """Difference of two kappas estimated from the same items.

    Attributes
    ----------
    names : tuple of two str
        What was compared: constructs (low, high) or judges (old, new).
    difference, low, high : float
        kappa of the second minus kappa of the first, with its two-sided interval for the
        population of calls; above 0 the second agrees better. nan: see `reasons`.
    level, method, draws, seed : float, str, int, int
        Of the interval.
    judge, reference : str
        Who was compared with whom, in words.
    weights : tuple of two str
        Of the two kappas; flag ``weights_differ`` where they are not the same.
    cluster : str or None
        What the items were resampled by.
    units : int
        Resampling units: clusters, or calls.
    p_value : float
        Twice the smaller tail of the draws beyond 0; the interval leaves 0 out where it is below
        1 - level.
    p_hotelling : float
        From Hotelling's T squared, (difference / se)^2 against F(1, units - 1).
    se, correlation : float
        Linearised standard error of the difference; correlation of the two estimates.
    n_calls : int
        Calls (items) that carry all four labels.
    kappa_low, kappa_high : float
        The two kappas on those calls alone.
    common_prevalence : dict
        What if both had the same prevalence: prevalence, kappa_low, kappa_high (binary constructs;
        empty otherwise). Not a correction: sensitivity and specificity move with the case mix.
    left_out : dict of str to int
        Items that could not be used, by reason.
    side_reasons : dict of str to tuple of str
        Reasons of each side, by name.
    reasons, flags : tuple of str
        Why a number is nan or degenerate; what to beware of.

    References
    ----------
    McKenzie et al. 1996, J. Psychiatric Research 30:483, doi:10.1016/S0022-3956(96)00033-7.
    Vanbelle and Albert 2008, J. Stat. Computation and Simulation 78:1009,
    doi:10.1080/00949650701410249.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["escalation", "self_harm"], n_calls=200)
    >>> tk.contrast(labels, low="escalation", high="self_harm").n_calls
    200
    """

    names: tuple[str, str]
    difference: float
    low: float
    high: float
    level: float
    method: str
    draws: int
    seed: int
    judge: str
    reference: str
    weights: tuple[str, str]
    cluster: str | None
    units: int
    p_value: float
    p_hotelling: float
    se: float
    correlation: float
    n_calls: int
    kappa_low: float
    kappa_high: float
    common_prevalence: dict[str, float]
    left_out: dict[str, int]
    side_reasons: dict[str, tuple[str, ...]]
    reasons: tuple[str, ...]
    flags: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))

    def to_frame(self) -> pd.DataFrame:
        """Give one row with all fields, the names in columns of their own."""
        fields = {name: value for name, value in vars(self).items() if name != "names"}
        return pd.DataFrame([{"of_low": self.names[0], "of_high": self.names[1], **fields}])

    def __str__(self) -> str:
        first, second = self.names
        remarks = "".join(f"; {word}" for word in (*self.reasons, *self.flags))
        return (
            f"kappa of {second} minus kappa of {first}: {self.difference:.2f} "
            f"[{self.low:.2f}, {self.high:.2f}], {100 * self.level:g} % interval, "
            f"p = {self.p_value:.2g}, {self.n_calls} calls{remarks}"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>"


def contrast(
    labels: Labels,
    low: str | None = None,
    high: str | None = None,
    judge: str | None = None,
    reference: str | Sequence[str] | None = None,
    weights: Any = None,
    cluster: str | None = None,
    seed: int = 0,
    *,
    construct: str | None = None,
    judges: Sequence[str] | None = None,
    interval: str = "jeffreys",
    level: float = 0.95,
    draws: int = 20_000,
) -> Contrast:
    r"""Compare two kappas that share their items.

    Either two constructs that one judge labelled in one call (`low`, `high`), or two judges on one
    construct (`construct`, `judges`). Both kappas come from the same items, so they are resampled
    together; two separate intervals would not tell whether they differ.

    Parameters
    ----------
    labels : Labels
        From `read_labels` or `simulate`.
    low, high : str
        Constructs; the difference is kappa of `high` minus kappa of `low`.
    judge, reference, weights, cluster, seed
        As in `agreement`.
    construct : str
        The construct on which two judges are compared.
    judges : sequence of two str
        Raters (old, new); the difference is kappa of the second minus kappa of the first.
    interval, level, draws
        As in `kappa`.

    Returns
    -------
    Contrast
        Over the calls that carry all four labels. Without any: nan, reason ``no_shared_calls``.

    Raises
    ------
    LabelError
        If names are missing, unknown or equal, or roles are not clear.
    StatisticsError
        If an option does not fit.

    Notes
    -----
    Replicates give the observed joint patterns (reference, judge, reference, judge) common
    exponential weights, so the two tables stay dependent; each table gets the smoothing mass of
    `kappa`. docs/validation.md has the coverage and the type I error.

    References
    ----------
    Vanbelle 2017, Biometrical Journal 59:1016, doi:10.1002/bimj.201600154.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["escalation", "self_harm"], n_calls=200)
    >>> result = tk.contrast(labels, low="escalation", high="self_harm")
    >>> result.names
    ('escalation', 'self_harm')
    """
    options = resampling(interval, level, draws, seed)
    alignment = Alignment(labels)
    if judges is None:
        names = _two_constructs(labels, low, high, construct)
        roles = resolve_roles(labels, judge, reference)
        return contrast_of_calls(alignment, names, roles, weights, cluster, options)
    names = _two_judges(low, high, judge, judges)
    (construct,) = _named(labels, construct)
    roles = _reference_of_two(labels, names, reference)
    pairs = alignment.judges(construct, roles, names)
    return _compare(
        names, (construct, construct), alignment, pairs, roles, weights, cluster, options
    )


def contrast_of_calls(
    alignment: Alignment,
    names: tuple[str, str],
    roles: Roles,
    weights: Any,
    cluster: str | None,
    options: Resampling,
) -> Contrast:
    """Compare two constructs on the calls that labelled both; see `contrast`."""
    pairs = alignment.calls(*names, roles)
    return _compare(names, names, alignment, pairs, roles, weights, cluster, options)


def _compare(
    names: tuple[str, str],
    constructs: tuple[str, str],
    alignment: Alignment,
    pairs: Pairs,
    roles: Roles,
    weights: Any,
    cluster: str | None,
    options: Resampling,
) -> Contrast:
    labels = alignment.labels
    schemas = [labels.schema[name] for name in constructs]
    sides = [Side(labels.schema[n].k, construct_weights(labels, n, weights)) for n in constructs]
    units, cluster_flags = units_of_pairs(alignment, pairs, (sides[0].k, sides[1].k), cluster)
    made = compare(units, (sides[0], sides[1]), options)
    weighted = (weights_name(sides[0].weights), weights_name(sides[1].weights))
    flags = [*pairs.flags, *roles.flags, *made.flags, *cluster_flags]
    for place, schema in enumerate(schemas):
        flags += table_flags(schema, *pairs.codes[:, 2 * place : 2 * place + 2].T)
        flags += ["many_categories"] if schema.k > MOST_CATEGORIES else []
    if weighted[0] != weighted[1] and max(side.k for side in sides) > 2:  # noqa: PLR2004
        flags.append("weights_differ")
    reasons = (*made.side_reasons[0], *made.side_reasons[1], *made.reasons)
    return Contrast(
        names=names,
        difference=made.difference,
        low=made.low,
        high=made.high,
        level=options.level,
        method=options.method,
        draws=options.draws,
        seed=options.seed,
        judge=" and ".join(names) if constructs[0] == constructs[1] else roles.judge,
        reference=roles.reference_name,
        weights=weighted,
        cluster=cluster,
        units=round(units.number),
        p_value=made.p_value,
        p_hotelling=made.p_hotelling,
        se=made.se,
        correlation=made.correlation,
        n_calls=len(pairs.item),
        kappa_low=made.kappas[0],
        kappa_high=made.kappas[1],
        common_prevalence=_at_common_prevalence(made, schemas),
        left_out=pairs.left_out,
        side_reasons=dict(zip(names, made.side_reasons, strict=True)),
        reasons=pairs.reasons or tuple(dict.fromkeys(reasons)),
        flags=tuple(dict.fromkeys(flags)),
    )


def _at_common_prevalence(made: Difference, schemas: list[Construct]) -> dict[str, float]:
    """Both kappas at the mean of the two prevalences, from each judge's own rates of error."""
    present = [present_positions(schema) for schema in schemas]
    if not all(schema.k == 2 and schema.present for schema in schemas):  # noqa: PLR2004  binary
        return {}
    two = [collapse(table, where) for table, where in zip(made.tables, present, strict=True)]
    if min(table.sum(1).min() for table in two) == 0:
        return {}
    prevalence = float(np.mean([table[0].sum() / table.sum() for table in two]))
    moved = [
        float(
            kappa_at_prevalence(
                table[0, 0] / table[0].sum(), table[1, 1] / table[1].sum(), prevalence
            )
        )
        for table in two
    ]
    return {"prevalence": prevalence, "kappa_low": moved[0], "kappa_high": moved[1]}


def _named(labels: Labels, *names: str | None) -> tuple[str, ...]:
    if None in names:
        raise LabelError(
            "two constructs are needed, or one construct and two judges",
            got=names,
            allowed=labels.constructs,
            example="tk.contrast(labels, low='escalation', high='self_harm'), or "
            "tk.contrast(labels, construct='escalation', judges=('old', 'new'))",
        )
    return chosen_constructs(labels, [name for name in names if name is not None])


def _two_constructs(
    labels: Labels, low: str | None, high: str | None, construct: str | None
) -> tuple[str, str]:
    if construct is not None:
        raise LabelError("construct= goes with judges=", got=construct, example="low=, high=")
    if low is not None and low == high:
        raise LabelError("low and high are the same construct", got=low, allowed=labels.constructs)
    first, second = _named(labels, low, high)
    return first, second


def _two_judges(
    low: str | None, high: str | None, judge: str | None, judges: Sequence[str]
) -> tuple[str, str]:
    named = (judges,) if isinstance(judges, str) else tuple(judges)
    others = [value for value in (low, high, judge) if value is not None]
    if len(named) != 2 or named[0] == named[1] or others:  # noqa: PLR2004  two judges
        raise LabelError(
            "judges= takes two different raters, without low=, high= or judge=",
            got=[*named, *others],
            example="tk.contrast(labels, construct='escalation', judges=('old', 'new'))",
        )
    return named[0], named[1]


def _reference_of_two(
    labels: Labels, judges: tuple[str, str], reference: str | Sequence[str] | None
) -> Roles:
    """Resolve the reference for both judges; neither may be part of it."""
    both = [resolve_roles(labels, judge, reference) for judge in judges]
    shared = tuple(rater for rater in both[0].reference if rater in both[1].reference)
    if not shared:
        raise LabelError(
            "no rater is left to measure the two judges against",
            got=judges,
            allowed="a third rater as reference",
            example="reference='human1'",
        )
    return Roles(judges[0], shared, both[0].flags)
