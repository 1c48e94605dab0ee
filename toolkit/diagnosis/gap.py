"""The gap between two kappas, with its interval; the selection of an unnamed pair is paid for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from toolkit.coefficients.joint import Side, compare
from toolkit.coefficients.options import Resampling
from toolkit.coefficients.resampling import Units, cluster_shape
from toolkit.diagnosis.case import HIGH, LOW, Case
from toolkit.plain import plain

MATERIAL = 0.10  # a smaller gap between kappas is not worth a cause


@dataclass(frozen=True)
class Gap:
    """What is to be explained.

    Attributes
    ----------
    low, high : str
        Names of the two constructs.
    kappa_low, kappa_high, difference : float
        Of the judge with single reference persons; a call weighs 1 whatever the number of persons.
    lower, upper : float
        Interval of the difference, in which the selection of an unnamed pair is accounted for.
    level : float
        Of the interval.
    n : int
        Shared calls.
    selected_from : int
        Constructs among which the data picked the pair; 0 where both were named.
    material : float
        The smallest difference that is to be explained.
    p_value : float
        Two-sided, of no difference; nan where the data picked the pair.
    """

    low: str
    high: str
    kappa_low: float
    kappa_high: float
    difference: float
    lower: float
    upper: float
    level: float
    n: int
    selected_from: int = 0
    material: float = MATERIAL
    p_value: float = math.nan

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))

    @property
    def shown(self) -> bool:
        """Whether the gap is material, and beyond chance."""
        return self.difference >= self.material and self.lower > 0

    @property
    def shown_one_sided(self) -> bool:
        """Whether it is material, and beyond chance where something else fixes its direction."""
        return self.difference >= self.material and self.p_value < 2 * (1 - self.level)

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.upper - self.lower) / 2


def gap_of(
    case: Case,
    options: Resampling,
    *,
    whole: Case | None = None,
    material: float = MATERIAL,
) -> Gap:
    """Measure the gap of a case.

    `whole` is the case of all items of all constructs, given where the data picked the pair: the
    interval is then widened to the range that equal kappas would show.
    """
    low, high = case.scales[LOW], case.scales[HIGH]
    if case.n == 0:
        nan = math.nan
        return Gap(low.name, high.name, nan, nan, nan, nan, nan, options.level, 0, 0, material)
    made = compare(_units(case), (Side(low.k, low.weights), Side(high.k, high.weights)), options)
    lower, upper = made.low, made.high
    if whole is not None:
        reach = range_quantile(whole, options.level)
        lower = min(lower, made.difference - reach)
        upper = max(upper, made.difference + reach)
    return Gap(
        low.name,
        high.name,
        made.kappas[0],
        made.kappas[1],
        made.difference,
        lower,
        upper,
        options.level,
        case.n,
        0 if whole is None else whole.c,
        material,
        made.p_value if whole is None else math.nan,
    )


def range_quantile(case: Case, level: float) -> float:
    """Quantile of the range of all kappas, were they equal: max - min of the centred replicates.

    The lowest and the highest of several kappas lie apart by chance alone; a paired interval of
    that picked pair leaves 0 out in a third of data sets with five equal kappas. See Andrews,
    Kitagawa and McCloskey 2024, Quarterly J. of Economics 139:305, doi:10.1093/qje/qjad043.
    """
    kappas = np.stack([case.kappa(construct) for construct in range(case.c)])
    kappas = kappas[~np.isnan(kappas).any(axis=1)]
    if len(kappas) < 2:  # noqa: PLR2004  a pair
        return math.nan
    centred = kappas[:, 1:] - kappas[:, 1:].mean(axis=1, keepdims=True)
    return float(np.quantile(centred.max(axis=0) - centred.min(axis=0), level))


def _units(case: Case) -> Units:
    """Resampling units whose cells hold the two tables side by side."""
    tables = []
    for construct in (LOW, HIGH):
        people, judge = case.referred(construct), case.judged(construct)
        tables.append((people[:, :, None] * judge[:, None, :]).reshape(case.n, -1))
    cells = np.concatenate(tables, axis=1) * case.weight[:, None]
    if case.clustered:
        order = np.argsort(case.unit, kind="stable")
        cells = np.add.reduceat(cells[order], np.flatnonzero(np.diff(case.unit[order], prepend=-1)))
    # Fractions of a person are rounded so that equal units are recognised.
    distinct, number = np.unique(np.round(cells, 12), axis=0, return_counts=True)
    design = float((case.weight**2).mean())
    return Units(
        distinct,
        number.astype(np.float64),
        tables=2,
        scale=math.sqrt(case.size) * design,
        shape=cluster_shape(case.n / case.size, case.size) if case.clustered else 1.0,
    )
