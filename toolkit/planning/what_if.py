"""Kappa in other traffic, under two assumptions that contradict each other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from toolkit.coefficients.descriptive import collapse
from toolkit.coefficients.prevalence import kappa_at_prevalence, rogan_gladen
from toolkit.coefficients.tables import as_tables
from toolkit.coefficients.weights import Floats
from toolkit.errors import PlanError
from toolkit.planning.what_if_result import JUDGE, MOVES, TRUE, WhatIf

GRID = np.arange(1, 200) / 200


class Rates(NamedTuple):
    """What judge and reference say of each other, as shares."""

    prevalence: float
    judge_share: float
    sensitivity: float
    specificity: float
    precision: float  # positive among those that the judge calls positive
    omission: float  # positive among those that it calls negative


class Moved(NamedTuple):
    """Shares of positives and kappa after a move, arrays of one shape; nan: can't be."""

    prevalence: Floats
    judge_share: Floats
    kappa: Floats


def what_if(
    table: Any,
    *,
    moved: str | None = None,
    judge_share: Any = None,
    prevalence: Any = None,
    present: list[int] | None = None,
) -> WhatIf:
    r"""Kappa where positives are rarer or more frequent, under each of two assumptions.

    Parameters
    ----------
    table : array-like of shape (k, k)
        Counts or shares, rows the reference's categories, columns the judge's, of the traffic that
        was measured. Of an unequally drawn sample: the weighted table.
    moved : {"judge_shares_moved", "true_prevalence_moved"}
        What is assumed of the other traffic; it has no default. "judge_shares_moved": a judge's
        label means the same there, only the shares of its labels differ. "true_prevalence_moved":
        the judge errs at the same rates there, only the share of true positives differs.
    judge_share : float or sequence of float, optional
        Share of items that the judge calls positive in the other traffic: known without any label
        of people.
    prevalence : float or sequence of float, optional
        Share of items that the reference calls positive there. Give one of the two.
    present : list of int, optional
        Positions of the categories that mean present; the first one if not given.

    Returns
    -------
    WhatIf
        Kappa under the assumption that was named and under the other one, the two curves, and why
        they differ.

    Raises
    ------
    PlanError
        If `moved` is not named, the shares are none, or the table lacks positives or negatives of
        either rater.
    StatisticsError
        If `table` is no (k, k) table of counts or shares.

    Notes
    -----
    True prevalence :math:`\pi` moved, sensitivity and specificity stay:
    :math:`\kappa(\pi) = 2 \pi (1 - \pi) J / (p (1 - \pi) + \pi (1 - p))` with
    :math:`J = Se + Sp - 1` and :math:`p = \pi Se + (1 - \pi)(1 - Sp)`. Judge shares moved, what a
    label means stays: the same formula with the roles of the two raters exchanged, because kappa is
    symmetric in them. Both curves go through the point that was measured; elsewhere only one of the
    assumptions can hold, unless the judge is never wrong.

    References
    ----------
    Thompson and Walter 1988, J. Clinical Epidemiology 41:949, doi:10.1016/0895-4356(88)90031-5.
    Rogan and Gladen 1978, American J. of Epidemiology 107:71,
    doi:10.1093/oxfordjournals.aje.a112510.

    Examples
    --------
    >>> result = what_if([[210, 90], [291, 9409]], moved="true_prevalence_moved", prevalence=.1)
    >>> print(result)
    kappa 0.68 at prevalence 0.100 (judge share 0.097) if true prevalence moved; 0.51 (judge share
    0.221) if judge shares moved
    """
    if not isinstance(moved, str) or moved not in MOVES:
        raise PlanError(
            "say what moves: the two assumptions give different kappas",
            got=moved,
            allowed=[f"{name}: {meaning}" for name, meaning in MOVES.items()],
            example=f"moved='{TRUE}'",
            where="moved",
        )
    rates = rates_of(collapse(as_tables(table), [0] if present is None else present))
    if (judge_share is None) == (prevalence is None):
        raise PlanError(
            "give the judge's share of positives there, or the prevalence there",
            got={"judge_share": judge_share, "prevalence": prevalence},
            example="judge_share=.1",
        )
    by = "prevalence" if judge_share is None else "judge_share"
    at = _shares(by, prevalence if judge_share is None else judge_share)
    return WhatIf(
        moved=moved,
        by=by,
        now={**rates._asdict(), "kappa": float(_truth_moved(rates, rates.prevalence).kappa)},
        asked=_frame(rates, by, at),
        curves=_frame(rates, by, GRID),
    )


def rates_of(table: Floats) -> Rates:
    """Read the six shares from a 2 x 2 table with present first."""
    if table.shape != (2, 2) or min(table.sum(0).min(), table.sum(1).min()) <= 0:
        raise PlanError(
            "the table must hold positives and negatives of both raters",
            got=table.tolist(),
            allowed="one table without an empty row or column",
            example="[[210, 90], [291, 9409]]",
            where="table",
        )
    reference, judge = table.sum(1), table.sum(0)
    return Rates(
        prevalence=float(reference[0] / table.sum()),
        judge_share=float(judge[0] / table.sum()),
        sensitivity=float(table[0, 0] / reference[0]),
        specificity=float(table[1, 1] / reference[1]),
        precision=float(table[0, 0] / judge[0]),
        omission=float(table[0, 1] / judge[1]),
    )


def _truth_moved(rates: Rates, prevalence: Any) -> Moved:
    """Keep sensitivity and specificity; the judge's share follows."""
    x = np.asarray(prevalence, dtype=float)
    share = x * rates.sensitivity + (1 - x) * (1 - rates.specificity)
    return Moved(x, share, kappa_at_prevalence(rates.sensitivity, rates.specificity, x))


def _shares_moved(rates: Rates, judge_share: Any) -> Moved:
    """Keep what a label means; the prevalence follows. The same formula, roles exchanged."""
    share = np.asarray(judge_share, dtype=float)
    x = share * rates.precision + (1 - share) * rates.omission
    return Moved(x, share, kappa_at_prevalence(rates.precision, 1 - rates.omission, share))


def _frame(rates: Rates, by: str, at: Floats) -> pd.DataFrame:
    """Both assumptions at the same shares, one row for each of them."""
    truth, label = (rates.sensitivity, rates.specificity), (rates.precision, 1 - rates.omission)
    if by == "prevalence":
        both = {TRUE: _truth_moved(rates, at), JUDGE: _shares_moved(rates, _behind(at, *label))}
    else:
        both = {TRUE: _truth_moved(rates, _behind(at, *truth)), JUDGE: _shares_moved(rates, at)}
    rows = [
        # What was asked for stays in the row also where it is out of reach.
        pd.DataFrame({"moved": name} | made._asdict() | {by: at})
        for name, made in both.items()
    ]
    return pd.concat(rows, ignore_index=True)[["moved", "prevalence", "judge_share", "kappa"]]


def _behind(apparent: Floats, sensitivity: float, specificity: float) -> Floats:
    """Give the share behind an apparent one; nan where no share gives it."""
    found = rogan_gladen(apparent, sensitivity, specificity)
    return np.where(found.clipped, np.nan, found.estimate)


def _shares(name: str, value: Any) -> Floats:
    """Check one share or several, each above 0 and below 1."""
    try:
        given = np.atleast_1d(np.asarray(value, dtype=float))
    except (TypeError, ValueError):
        given = np.array([np.nan])
    if given.ndim != 1 or not given.size or not ((given > 0) & (given < 1)).all():
        raise PlanError(
            f"{name} is no share", got=value, allowed="above 0 and below 1", example=f"{name}=.1"
        )
    return given
