"""Parts of a judge's score within the items that share its labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.errors import PlanError
from toolkit.labels.pairs import Alignment
from toolkit.planning.influence import Codes
from toolkit.planning.pool import pool_column

DEFAULT_PARTS = 2


def score_bins(
    alignment: Alignment,
    where: NDArray[np.intp],
    codes: Codes,
    scores: str | Sequence[str] | None,
    quantiles: Any,
) -> tuple[Codes, tuple[tuple[str, int], ...]]:
    """Part of every item, and the scores with their numbers of parts.

    Cuts are quantiles within the items of one judge label vector. Equal scores stay together, so a
    part may be empty or larger than its share.
    """
    if scores is None:
        if quantiles is not None:
            raise PlanError("quantiles of no score", got=quantiles, example="scores=['p_flag']")
        return np.zeros(len(where), dtype=np.int64), ()
    names = (scores,) if isinstance(scores, str) else tuple(scores)
    cuts = _cuts(quantiles)
    _, vector = distinct_rows(codes)
    place = np.zeros(len(where), dtype=np.int64)
    for name in names:
        values = pd.to_numeric(
            pd.Series(pool_column(alignment, name, "scores")[where]), errors="coerce"
        )
        if not np.isfinite(values.to_numpy(dtype=float)).all():
            raise PlanError(
                "a score is missing or no number",
                got=name,
                allowed="a finite number for every item",
                where="scores",
            )
        by_vector = values.groupby(vector)
        at = [by_vector.transform("quantile", q).to_numpy() for q in cuts]
        part = np.sum([values.to_numpy() > cut for cut in at], axis=0)
        place = place * (len(cuts) + 1) + part
    return place, tuple((name, len(cuts) + 1) for name in names)


def distinct_rows(codes: Codes) -> tuple[Codes, Codes]:
    """Rows without repeats, sorted, and the number of each given row among them.

    Column by column: numpy's own search for rows sorts them as bytes, which takes 20 times as long.
    """
    number = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:
        joint = number * (int(column.max(initial=0)) + 1) + column
        _, number = np.unique(joint, return_inverse=True)
    _, first = np.unique(number, return_index=True)
    return codes[first], number


def _cuts(quantiles: Any) -> list[float]:
    if quantiles is None:
        quantiles = DEFAULT_PARTS
    if isinstance(quantiles, int | np.integer) and quantiles > 1:
        return [i / quantiles for i in range(1, int(quantiles))]
    if isinstance(quantiles, list | tuple | np.ndarray):
        cuts = sorted({float(q) for q in quantiles})
        if cuts and cuts[0] > 0 and cuts[-1] < 1:
            return cuts
    raise PlanError(
        "no quantiles",
        got=quantiles,
        allowed="a number of parts, 2 or more, or shares between 0 and 1",
        example="quantiles=[.5, .9]",
        where="quantiles",
    )
