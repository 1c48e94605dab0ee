r"""What one label in a stratum tells about a construct's kappa: the quantity that plans everything.

Within a stratum the joint shares of (person's label, judge's label) are a table of their own. Where
all items of the stratum carry one judge label, which is the rule, the table has one column. Kappa
is a smooth function of the pool's table, the mean of these, so its design variance comes from the
spread of its influence value within the strata.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.chance_corrected import cohen_kappa, influence
from toolkit.coefficients.weights import Floats

Codes = NDArray[np.int64]
TABLES = 3  # axes of joint shares: stratum, person's label, judge's label


class Moments(NamedTuple):
    """Of one construct: kappa, (...,), and its influence value's moments over the pool.

    `spread` (..., H) is the standard deviation within each stratum; `between` (...,) the variance
    of the strata's means; `total` (...,) the variance over all items, which rules a simple random
    sample whose kappa is that of its plain table.
    """

    kappa: Floats
    spread: Floats
    between: Floats
    total: Floats


def joint(judge: Codes, shares: Floats) -> Floats:
    """Joint shares within the strata, (H, k, k), from the judge's code and people's shares (H, k).

    Shares that are joint already are passed through.
    """
    if shares.ndim == TABLES:
        return shares
    one_judge_label = np.eye(shares.shape[-1])[judge]
    return shares[:, :, None] * one_judge_label[:, None, :]


def moments(
    sizes: NDArray[Any], tables: Floats, weights: Any, mass: Floats | None = None
) -> Moments:
    """Moments of the influence value, from joint shares (..., H, k, k).

    The variance of shares drawn from a Dirichlet distribution is smaller on average than that of
    their mean, by mass / (mass + 1). Its `mass` by stratum and judge's label, (H, k), undoes that.
    """
    portion = sizes / sizes.sum()
    pool = np.einsum("h,...hij->...ij", portion, tables)
    value = influence(pool, weights=weights)
    mean = np.einsum("...hij,...ij->...h", tables, value)
    square = np.einsum("...hij,...ij->...h", tables, value**2)
    within = np.maximum(square - mean**2, 0)
    if mass is not None:
        held = tables.sum(-2)
        first = np.einsum("...hij,...ij->...hj", tables, value)
        second = np.einsum("...hij,...ij->...hj", tables, value**2)
        by_label = second - first**2 / np.where(held > 0, held, 1)
        within = within + np.maximum(by_label / np.where(mass > 0, mass, 1), 0).sum(-1)
    between = mean**2 @ portion - (mean @ portion) ** 2
    return Moments(
        cohen_kappa(pool, weights),
        np.sqrt(within),
        np.maximum(between, 0),
        np.maximum(square @ portion, 0),
    )


def pool_tables(sizes: NDArray[Any], judge: Codes, shares: Sequence[Floats]) -> list[Floats]:
    """Shares of the whole pool by (person's label, judge's label), one (k, k) per construct."""
    portion = sizes / sizes.sum()
    return [
        np.einsum("h,hij->ij", portion, joint(judge[:, c], share)) for c, share in enumerate(shares)
    ]


def spread(
    sizes: NDArray[Any], judge: Codes, shares: Sequence[Floats], weights: Sequence[Any]
) -> Floats:
    """Within-stratum standard deviation of the influence value, (H, C)."""
    columns = [
        moments(sizes, joint(judge[:, c], share), weight).spread
        for c, (share, weight) in enumerate(zip(shares, weights, strict=True))
    ]
    return np.stack(columns, axis=1)
