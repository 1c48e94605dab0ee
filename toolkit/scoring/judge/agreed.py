"""How far parser and judge agree on the replies that both read, with clusters of replies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from toolkit.coefficients import crosstab
from toolkit.coefficients.kappa import FEW_CLUSTERS, kappa, kappa_of_units
from toolkit.coefficients.options import resampling
from toolkit.coefficients.resampling import units_of_items
from toolkit.scoring.judge.evaluate import Evaluation
from toolkit.scoring.proportion import share_interval

POLES = ("positive", "negative")
DRAWS = 20_000


class ReadByBoth(NamedTuple):
    """Replies that parser and judge both read.

    Attributes
    ----------
    table : DataFrame
        Counts, rows the parser's label, columns the judge's.
    cells : ndarray of int
        The cell of each reply.
    agree : ndarray of bool
        Whether both read the same.
    clusters : ndarray of int or None
        Cluster of each reply; None where every one stands alone.
    """

    table: pd.DataFrame
    cells: Any
    agree: Any
    clusters: Any


def read_by_both(
    members: Sequence[Evaluation], stems: Sequence[Any], labels: list[Any] | None
) -> ReadByBoth:
    """Count what both read.

    Parameters
    ----------
    members : sequence of Evaluation
        Read by both or not.
    stems : sequence
        Cluster of each.
    labels : list or None
        In their order; None: what counts is the polarity, because labels differ.

    Returns
    -------
    ReadByBoth
        Without the others.

    Examples
    --------
    >>> int(read_by_both([], [], ["NO", "YES"]).table.to_numpy().sum())
    0
    """
    kept = [
        (one, one.judge, stem)
        for one, stem in zip(members, stems, strict=True)
        if one.agree is not None and one.judge is not None
    ]
    categories: list[Any] = list(POLES) if labels is None else labels
    name = "polarity" if labels is None else "label"
    first = [getattr(one.answer, name) for one, _, _ in kept]
    second = [getattr(judge, name) for _, judge, _ in kept]
    agree = np.array([one.agree for one, _, _ in kept], dtype=bool)
    # Of labels without two poles only agreement is known.
    known = all(one in categories for one in (*first, *second))
    pairs = (first, second) if known else ([], [])
    table = crosstab(*pairs, categories).rename_axis(index="parser")
    k = len(categories)
    place = {category: position for position, category in enumerate(categories)}
    cells = np.array([place[a] * k + place[b] for a, b in zip(*pairs, strict=True)], dtype=np.intp)
    codes, distinct = pd.factorize(pd.Series([str(stem) for _, _, stem in kept], dtype=object))
    return ReadByBoth(table, cells, agree, None if len(distinct) == len(kept) else codes)


def agreement_of(
    read: ReadByBoth, confidence: float, seed: int, *, comparable: bool = True
) -> dict[str, Any]:
    """Give agreement and kappa with intervals over clusters.

    Parameters
    ----------
    read : ReadByBoth
        What both read.
    confidence : float
        Nominal coverage of both intervals.
    seed : int
        Of the resampling.
    comparable : bool
        Whether the labels of all replies are the same ones, or have two poles.

    Returns
    -------
    dict
        As in the rows of `JudgeReport`.

    Examples
    --------
    >>> agreement_of(read_by_both([], [], ["NO", "YES"]), 0.95, 0)["reasons"]
    ('none_read_by_both',)
    """
    n, k = len(read.agree), len(read.table)
    options = resampling("jeffreys", confidence, DRAWS, seed)
    groups = None
    if read.clusters is not None:
        sums = pd.DataFrame({"n": 1, "agree": read.agree.astype(int)})
        groups = sums.groupby(read.clusters).sum().to_numpy()
    share = share_interval(int(read.agree.sum()), n, clusters=groups, confidence=confidence)
    told: dict[str, Any] = {
        "agreement": share.share,
        "low_agreement": share.low,
        "high_agreement": share.high,
        "method_agreement": share.method,
        "kappa": math.nan,
        "low": math.nan,
        "high": math.nan,
        "method": options.method,
        "confidence": confidence,
        "clusters": share.clusters,
    }
    if not n or not comparable:
        reason = "labels_differ" if n else "none_read_by_both"
        return {**told, "reasons": (reason,), "flags": share.flags if n else ()}
    if read.clusters is None:
        made = kappa(read.table, level=confidence, draws=DRAWS, seed=seed)
    else:
        units = units_of_items(read.cells[:, None], (k * k,), cluster=read.clusters)
        few = ("few_clusters",) if units.number < FEW_CLUSTERS else ()
        made = kappa_of_units(units, None, options, left_out={}, flags=few)
    told |= {"kappa": made.estimate, "low": made.low, "high": made.high}
    reasons = dict.fromkeys([*made.reasons, *share.reasons])
    flags = dict.fromkeys([*made.flags, *share.flags])
    return {**told, "reasons": tuple(reasons), "flags": tuple(flags)}
