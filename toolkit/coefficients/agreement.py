"""From labels to one row per construct: kappa with its interval, and what it is read beside."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients import descriptive
from toolkit.coefficients.chance_corrected import (
    brennan_prediger,
    cohen_kappa,
    gwet_ac,
    influence,
)
from toolkit.coefficients.from_labels import (
    chosen_constructs,
    construct_weights,
    present_positions,
    table_flags,
    units_of_pairs,
)
from toolkit.coefficients.kappa import Kappa, kappa_of_units
from toolkit.coefficients.options import METHODS, Resampling, resampling
from toolkit.coefficients.weights import Floats
from toolkit.common.hints import did_you_mean
from toolkit.errors import LabelError
from toolkit.labels.pairs import Alignment, Pairs
from toolkit.labels.roles import Roles, resolve_roles
from toolkit.labels.schema import Construct
from toolkit.labels.table import Labels
from toolkit.plain import plain


@dataclass(frozen=True)
class ConstructAgreement:
    """Agreement on one construct.

    Attributes
    ----------
    construct : str
        Its name.
    table : DataFrame of shape (k, k)
        Counts, rows the reference's categories; weighted counts where items have weights.
    kappa : Kappa
        Estimate and interval.
    measures : dict of str to float
        The other columns of `Agreement.to_frame`.
    single_labels : int
        Items on which one label alone stands as the majority; 0 for a single reference rater.
    disagreements : DataFrame
        item_id, construct, reference, judge, influence (what the item adds to kappa, times n); each
        kind of disagreement in turn, the kind that lowers kappa most first.

    References
    ----------
    Cohen 1960, Educational and Psychological Measurement 20:37, doi:10.1177/001316446002000104.

    Examples
    --------
    >>> import toolkit as tk
    >>> agreement = tk.agreement(tk.simulate(["self_harm"], n_calls=200))
    >>> agreement["self_harm"].table.shape
    (2, 2)
    """

    construct: str
    table: pd.DataFrame
    kappa: Kappa
    measures: dict[str, float]
    single_labels: int
    disagreements: pd.DataFrame

    def row(self) -> dict[str, Any]:
        """Give the row of `Agreement.to_frame`."""
        measures = dict(self.measures)
        return {
            "construct": self.construct,
            "n": measures.pop("n"),
            "agreement": measures.pop("agreement"),
            "kappa": self.kappa.estimate,
            "low": self.kappa.low,
            "high": self.kappa.high,
            **measures,
            "weights": self.kappa.weights,
            "left_out": sum(self.kappa.left_out.values()),
            "reasons": self.kappa.reasons,
            "flags": self.kappa.flags,
        }


@dataclass(frozen=True, repr=False)
class Agreement:
    """Agreement of one judge with one reference, construct by construct.

    Attributes
    ----------
    constructs : tuple of ConstructAgreement
        In the order of the schema; also by name, ``agreement["escalation"]``.
    judge, reference : str
        Who was compared with whom, in words.
    cluster : str or None
        What the items were resampled by.
    level, method : float, str
        Of the intervals.
    flags : tuple of str
        What was assumed about all constructs.

    References
    ----------
    Cohen 1960, Educational and Psychological Measurement 20:37, doi:10.1177/001316446002000104.

    Examples
    --------
    >>> import toolkit as tk
    >>> tk.agreement(tk.simulate(["self_harm"], n_calls=200)).to_frame()["construct"].tolist()
    ['self_harm']
    """

    constructs: tuple[ConstructAgreement, ...]
    judge: str
    reference: str
    cluster: str | None
    level: float
    method: str
    flags: tuple[str, ...]

    def __getitem__(self, construct: str) -> ConstructAgreement:
        for one in self.constructs:
            if one.construct == construct:
                return one
        known = [one.construct for one in self.constructs]
        near = did_you_mean(construct, known)
        raise LabelError(f"unknown construct{near}", got=construct, allowed=known)

    def __repr__(self) -> str:
        kappas = ", ".join(f"{one.construct} {one.kappa.estimate:.2f}" for one in self)
        return f"Agreement({self.judge} against {self.reference}; kappa: {kappas})"

    def __iter__(self) -> Iterator[ConstructAgreement]:
        return iter(self.constructs)

    def to_frame(self) -> pd.DataFrame:
        """Give one row per construct."""
        return pd.DataFrame([one.row() for one in self.constructs])

    @property
    def left_out(self) -> pd.DataFrame:
        """Items that could not be used: construct, reason, items."""
        rows = [
            (one.construct, reason, number)
            for one in self.constructs
            for reason, number in one.kappa.left_out.items()
        ]
        return pd.DataFrame(rows, columns=["construct", "reason", "items"])

    def to_dict(self) -> dict[str, Any]:
        """Give everything as strict-JSON material."""
        head = {name: value for name, value in vars(self).items() if name != "constructs"}
        rows = [
            {
                **one.row(),
                "categories": list(one.table.index),
                "table": one.table.to_numpy(),
                "interval": one.kappa.to_dict(),
            }
            for one in self.constructs
        ]
        return dict(plain({**head, "constructs": rows}))

    def _repr_html_(self) -> str:
        caption = (
            f"{self.judge} against {self.reference}; {100 * self.level:g} % intervals, "
            f"{METHODS[self.method]}."
        )
        return f"<p>{html.escape(caption)}</p>" + str(
            self.to_frame().round(3).to_html(index=False, na_rep="undefined")
        )


def agreement(
    labels: Labels,
    judge: str | None = None,
    reference: str | Sequence[str] | None = None,
    constructs: Sequence[str] | None = None,
    weights: Any = None,
    cluster: str | None = None,
    seed: int = 0,
    *,
    interval: str = "jeffreys",
    level: float = 0.95,
    draws: int = 20_000,
) -> Agreement:
    """Measure how well a judge agrees with people, construct by construct.

    Parameters
    ----------
    labels : Labels
        From `read_labels` or `simulate`.
    judge : str, optional
        Rater in the columns. None: the only rater of kind judge.
    reference : str, sequence of str or "majority", optional
        Rater in the rows, or those whose most frequent label counts (items with a tie are left out
        and counted; one label alone decides). None: the only person, else the majority of all.
    constructs : sequence of str, optional
        Names; None: all.
    weights : None, "linear", "quadratic", "schema" or array-like of shape (k, k)
        Agreement weights of kappa and kappa_max; "schema" is quadratic for ordinal constructs and
        unweighted for the others. The other columns are unweighted whatever this says.
    cluster : str, optional
        Column whose values mark items that are not independent, or ``"item_id:|"`` for the part of
        a column before a bar. The intervals then resample clusters.
    seed : int
        0 or more.
    interval, level, draws
        As in `kappa`.

    Returns
    -------
    Agreement
        ``to_frame()`` has one row per construct: construct, n, agreement, kappa, low, high,
        kappa_max, pabak, ac1, prevalence_reference, prevalence_judge, prevalence_index, bias_index,
        positive_agreement, negative_agreement, weights, left_out, reasons, flags.

    Raises
    ------
    LabelError
        If a rater, construct or column is unknown, or judge and reference are not clear.
    StatisticsError
        If an option does not fit.

    References
    ----------
    Cohen 1960, Educational and Psychological Measurement 20:37, doi:10.1177/001316446002000104;
    Byrt, Bishop and Carlin 1993, J. Clinical Epidemiology 46:423,
    doi:10.1016/0895-4356(93)90018-V.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["escalation", "self_harm"], n_calls=300)
    >>> tk.agreement(labels).to_frame().shape[0]
    2
    """
    options = resampling(interval, level, draws, seed)
    roles = resolve_roles(labels, judge, reference)
    alignment = Alignment(labels)
    measured = [
        _measure(name, alignment, roles, cluster, weights, options)
        for name in chosen_constructs(labels, constructs)
    ]
    return Agreement(
        tuple(measured),
        roles.judge,
        roles.reference_name,
        cluster,
        options.level,
        options.method,
        roles.flags,
    )


def _measure(
    name: str,
    alignment: Alignment,
    roles: Roles,
    cluster: str | None,
    weights: Any,
    options: Resampling,
) -> ConstructAgreement:
    labels = alignment.labels
    construct = labels.schema[name]
    weights = construct_weights(labels, name, weights)
    pairs = alignment.pairs(name, roles)
    units, cluster_flags = units_of_pairs(alignment, pairs, (construct.k,), cluster)
    counts = units.total.reshape(construct.k, construct.k)
    present = present_positions(construct)
    flags = (
        *pairs.flags,
        *table_flags(construct, pairs.codes[:, 0], pairs.codes[:, 1]),
        *cluster_flags,
    )
    estimate = kappa_of_units(units, weights, options, left_out=pairs.left_out, flags=flags)
    measures, reasons = _measures(counts, present, weights)
    measures["n"] = len(pairs.item)
    index = pd.Index(construct.categories, dtype=object)
    return ConstructAgreement(
        name,
        pd.DataFrame(counts, index=index.rename("reference"), columns=index.rename("judge")),
        replace(estimate, reasons=(*estimate.reasons, *reasons)),
        measures,
        alignment.single_labels(name, roles, pairs.item),
        _disagreements(
            name,
            construct,
            pairs,
            alignment.items[pairs.item],
            influence(counts, weights=weights),
        ),
    )


def _measures(
    counts: Floats, present: tuple[int, ...], weights: Any
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Compute the columns beside kappa; nan with a reason where nothing is declared present."""
    k = len(counts)
    measures = {
        "agreement": descriptive.observed_agreement(counts),
        "kappa_max": descriptive.kappa_max(counts, weights),
        "pabak": brennan_prediger(counts),
        "ac1": gwet_ac(counts),
    }
    two = descriptive.collapse(counts, present) if present else np.zeros((2, 2))
    total = two.sum() or math.nan
    measures["prevalence_reference"] = two[0].sum() / total
    measures["prevalence_judge"] = two[:, 0].sum() / total
    indexed = two if k == 2 else np.zeros((2, 2))  # noqa: PLR2004  Byrt's indices are for 2 x 2
    measures["prevalence_index"] = descriptive.prevalence_index(indexed)
    measures["bias_index"] = descriptive.bias_index(indexed)
    positive, negative = descriptive.specific_agreement(two)
    measures["positive_agreement"], measures["negative_agreement"] = positive, negative
    reasons = []
    if math.isnan(measures["kappa_max"]) and not math.isnan(cohen_kappa(counts, weights)):
        reasons.append("kappa_max_needs_ordered_weights")
    if not present:
        reasons.append("present_not_declared")
    if k > 2:  # noqa: PLR2004
        reasons.append("more_than_two_categories")
    return {name: float(value) for name, value in measures.items()}, tuple(reasons)


def _disagreements(
    name: str, construct: Construct, pairs: Pairs, items: np.ndarray, slope: Floats
) -> pd.DataFrame:
    """List the items on which the two differ: each kind in turn, the costliest kind first."""
    reference, judge = pairs.codes[:, 0], pairs.codes[:, 1]
    apart = np.flatnonzero(reference != judge)
    values = np.array(construct.categories, dtype=object)
    frame = pd.DataFrame(
        {
            "item_id": items[apart],
            "construct": name,
            "reference": values[reference[apart]],
            "judge": values[judge[apart]],
            "influence": slope[reference[apart], judge[apart]],
        }
    )
    turn = frame.groupby(["reference", "judge"]).cumcount()
    return frame.assign(turn=turn).sort_values(
        ["turn", "influence"], kind="stable", ignore_index=True
    )[list(frame.columns)]
