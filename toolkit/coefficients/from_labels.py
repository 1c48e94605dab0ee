"""From aligned labels to tables: what the schema of a construct means for its statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients.kappa import (
    FEW_CLUSTERS,
    refuse_undeclared_order,
    sparse_flags,
)
from toolkit.coefficients.resampling import Units, units_of_items, units_of_table
from toolkit.coefficients.tables import count
from toolkit.common.hints import did_you_mean
from toolkit.errors import LabelError, StatisticsError
from toolkit.labels.construct import Construct
from toolkit.labels.pairs import Alignment, Pairs
from toolkit.labels.roles import Codes, as_names
from toolkit.labels.table import Labels

EQUAL = 1e-9  # of design weights, relative


def chosen_constructs(labels: Labels, constructs: Sequence[str] | None) -> tuple[str, ...]:
    """Check names of constructs; None means all that the schema declares or the labels hold."""
    declared = tuple(name for name in labels.unlabelled if name in labels.schema.constructs)
    known = (*labels.constructs, *declared)
    if constructs is None:
        return known
    listed = [constructs] if isinstance(constructs, str) else as_names(constructs, "constructs")
    named = tuple(listed)
    if not named or len(set(named)) != len(named):
        raise LabelError("constructs are empty or repeat", got=constructs, allowed=known)
    for name in named:
        if name not in known:
            raise LabelError(
                f"unknown construct{did_you_mean(name, known)}", got=name, allowed=known
            )
    return named


def construct_weights(labels: Labels, name: str, weights: Any) -> Any:
    """Settle the weights of a construct: "schema" is quadratic for ordinal ones."""
    construct = labels.schema[name]
    if isinstance(weights, str) and weights == "schema":
        weights = "quadratic" if construct.kind == "ordinal" else None
    refuse_undeclared_order(order_flags(construct), weights, construct.k)
    return weights


def present_positions(construct: Construct) -> tuple[int, ...]:
    """Positions of the categories that mean present."""
    return tuple(construct.categories.index(value) for value in construct.present)


def order_flags(construct: Construct) -> tuple[str, ...]:
    """Flag a construct whose categories stand in order of appearance."""
    return () if construct.order_declared else ("order_not_declared",)


def table_flags(construct: Construct, reference: Codes, judge: Codes) -> tuple[str, ...]:
    """Flags of one table, from the number of items and not from their weights."""
    counts = count(reference, judge, construct.k)
    present = present_positions(construct)
    return (*order_flags(construct), *sparse_flags(counts, present or None))


def refuse_unequal_draw(labels: Labels) -> None:
    """Refuse labels of items that were drawn with unequal probabilities: no plain kappa of these.

    Equal numbers from four strata of a pool gave kappas that were .10 too low, with intervals that
    covered the pool's kappa in 24 % of samples (`toolkit.planning.sample_kappa`).
    """
    if "design_weight" not in labels.frame:
        return
    weight = pd.to_numeric(labels.frame["design_weight"], errors="coerce").dropna()
    if len(weight) and np.ptp(weight) > EQUAL * weight.abs().max():
        raise StatisticsError(
            "the items were drawn with unequal probabilities, so their plain kappa is not that of "
            "the pool",
            got=f"design_weight from {weight.min():.4g} to {weight.max():.4g}",
            allowed="tk.weighted_kappa for the pool; tk.sample_kappa for these items alone",
            example="tk.weighted_kappa(labels, design=batch)",
            where="labels, column design_weight",
        )


def units_of_pairs(
    alignment: Alignment, pairs: Pairs, sizes: tuple[int, ...], cluster: str | None
) -> tuple[Units, tuple[str, ...]]:
    """Group aligned items, or their clusters, into resampling units; flag few clusters."""
    refuse_unequal_draw(alignment.labels)
    clusters, weight = alignment.cluster(cluster), alignment.weight()
    if clusters is None and weight is None and len(sizes) == 1:
        return units_of_table(count(pairs.codes[:, 0], pairs.codes[:, 1], sizes[0])), ()
    units = units_of_items(
        pairs.codes[:, 0::2] * np.array(sizes) + pairs.codes[:, 1::2],
        tuple(k * k for k in sizes),
        weight=None if weight is None else weight[pairs.item],
        cluster=None if clusters is None else pd.factorize(clusters[pairs.item])[0],
    )
    few = clusters is not None and units.number < FEW_CLUSTERS
    return units, ("few_clusters",) if few else ()
