"""What stands beside kappa so that it can be read: margins, ceilings, agreement by category."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.coefficients.tables import as_tables
from toolkit.coefficients.weights import Floats, agreement_weights, is_ordered
from toolkit.errors import StatisticsError


def observed_agreement(tables: Any) -> Floats:
    """Share of items on which both raters chose the same category.

    Parameters
    ----------
    tables : array-like of shape (..., k, k)
        Counts or proportions.

    Returns
    -------
    ndarray of shape (...)
        0 to 1; nan for an empty table.

    Raises
    ------
    StatisticsError
        If `tables` are no non-negative numbers of shape (..., k, k).

    References
    ----------
    Cohen 1960, Educational and Psychological Measurement 20:37, doi:10.1177/001316446002000104.

    Examples
    --------
    >>> observed_agreement([[40, 9], [6, 45]])
    np.float64(0.85)
    """
    counts = as_tables(tables)
    return _share(np.trace(counts, axis1=-2, axis2=-1), counts.sum((-2, -1)))


def kappa_max(tables: Any, weights: Any = None) -> Floats:
    """Largest kappa that these margins allow.

    Parameters
    ----------
    tables : array-like of shape (..., k, k)
        Counts or proportions.
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        See `agreement_weights`.

    Returns
    -------
    ndarray of shape (...)
        At most 1, and 1 only for equal margins. nan where kappa is undefined, and for a custom
        matrix, whose best table is a transport problem that is not solved here.

    Raises
    ------
    StatisticsError
        If `tables` are no non-negative numbers of shape (..., k, k), or the weights do not fit.

    Notes
    -----
    Unweighted, the best diagonal is min(p_i., p_.i). With ordered weights the best table pairs
    equal quantiles of the two margins.

    References
    ----------
    Umesh, Peterson and Sauber 1989, Educational and Psychological Measurement 49:835,
    doi:10.1177/001316448904900407.

    Examples
    --------
    >>> kappa_max([[22, 2], [4, 11]]).round(4)
    np.float64(0.8889)
    """
    counts = as_tables(tables)
    k = counts.shape[-1]
    reference, judge = counts.sum(-1), counts.sum(-2)
    if weights is not None and not is_ordered(weights):
        agreement_weights(weights, k)
        return np.full(counts.shape[:-2], np.nan)[()]
    if weights is None:
        return _best_unweighted(reference, judge)
    zero = np.zeros((*reference.shape[:-1], 1))
    row_ends = np.concatenate([zero, reference.cumsum(-1)], axis=-1)
    column_ends = np.concatenate([zero, judge.cumsum(-1)], axis=-1)
    upper = np.minimum(row_ends[..., 1:, None], column_ends[..., None, 1:])
    lower = np.maximum(row_ends[..., :-1, None], column_ends[..., None, :-1])
    return cohen_kappa(np.maximum(upper - lower, 0), weights)


def _best_unweighted(reference: Floats, judge: Floats) -> Floats:
    """Put the shared mass on the diagonal and the rest outside it, in keeping with the margins."""
    best = np.minimum(reference, judge)
    spare_rows, spare_columns = reference - best, judge - best
    spare = spare_rows.sum(-1)[..., None, None]
    outside = spare_rows[..., :, None] * spare_columns[..., None, :]
    outside = np.divide(outside, spare, out=np.zeros_like(outside), where=spare > 0)
    return cohen_kappa(outside + best[..., None] * np.eye(best.shape[-1]))


def category_kappa(tables: Any) -> Floats:
    """Kappa of each category against all the others.

    Parameters
    ----------
    tables : array-like of shape (..., k, k)
        Counts or proportions.

    Returns
    -------
    ndarray of shape (..., k)
        As `cohen_kappa`; nan for a category that nobody used or everybody always used.

    Raises
    ------
    StatisticsError
        If `tables` are no non-negative numbers of shape (..., k, k).

    References
    ----------
    Fleiss, Levin and Paik 2003, Statistical Methods for Rates and Proportions, chapter 18,
    doi:10.1002/0471445428.

    Examples
    --------
    >>> category_kappa([[75, 1, 4], [5, 4, 1], [0, 0, 10]]).round(2)
    array([0.69, 0.5 , 0.77])
    """
    counts = as_tables(tables)
    k = counts.shape[-1]
    each = [collapse(counts, [i]) for i in range(k)]
    return np.stack([cohen_kappa(table) for table in each], axis=-1)


def collapse(tables: Any, present: Sequence[int]) -> Floats:
    """Collapse k categories to present against absent.

    Parameters
    ----------
    tables : array-like of shape (..., k, k)
        Counts or proportions.
    present : sequence of int
        Positions of the categories that mean present.

    Returns
    -------
    ndarray of shape (..., 2, 2)
        Present first, whatever the order of the categories.

    Raises
    ------
    StatisticsError
        If a position is outside the table or repeats.

    References
    ----------
    Fleiss, Levin and Paik 2003, Statistical Methods for Rates and Proportions, chapter 18,
    doi:10.1002/0471445428.

    Examples
    --------
    >>> collapse([[5, 1, 0], [2, 6, 1], [0, 1, 4]], present=[1, 2])
    array([[12.,  2.],
           [ 1.,  5.]])
    """
    counts = as_tables(tables)
    k = counts.shape[-1]
    listed = isinstance(present, Sequence | np.ndarray)
    plain = listed and all(type(i) is int or isinstance(i, np.integer) for i in present)
    if not plain or len(set(present)) != len(present) or not set(present) <= set(range(k)):
        raise StatisticsError(
            "present names no positions of this table",
            got=present,
            allowed=list(range(k)),
            example="present=[0]",
        )
    side = np.zeros((2, k))
    side[0, list(present)] = 1
    side[1] = 1 - side[0]
    return side @ counts @ side.T


def prevalence_index(table: Any, *, present: Any = None) -> Floats:
    """Byrt's prevalence index of a 2 x 2 table: (both present - both absent) / n.

    Parameters
    ----------
    table : array-like or DataFrame of shape (..., 2, 2)
        Counts.
    present : category, optional
        Which one means present: a category of a DataFrame, else a position. None: the first.

    Returns
    -------
    ndarray of shape (...)
        -1 (all absent) to 1 (all present); 0: present and absent equally common.

    Raises
    ------
    StatisticsError
        If the table is not 2 x 2.

    References
    ----------
    Byrt, Bishop and Carlin 1993, J. Clinical Epidemiology 46:423,
    doi:10.1016/0895-4356(93)90018-V.

    Examples
    --------
    >>> prevalence_index([[80, 10], [5, 5]])
    np.float64(0.75)
    """
    counts = _present_first(table, present)
    return _share(counts[..., 0, 0] - counts[..., 1, 1], counts.sum((-2, -1)))


def bias_index(table: Any, *, present: Any = None) -> Floats:
    """Byrt's bias index of a 2 x 2 table: p_reference - p_judge.

    Parameters
    ----------
    table : array-like or DataFrame of shape (..., 2, 2)
        Counts.
    present : category, optional
        Which one means present: a category of a DataFrame, else a position. None: the first.

    Returns
    -------
    ndarray of shape (...)
        -1 to 1; above 0 where the reference says present more often than the judge.

    Raises
    ------
    StatisticsError
        If the table is not 2 x 2.

    References
    ----------
    Byrt, Bishop and Carlin 1993, J. Clinical Epidemiology 46:423,
    doi:10.1016/0895-4356(93)90018-V.

    Examples
    --------
    >>> bias_index([[80, 10], [5, 5]])
    np.float64(0.05)
    """
    counts = _present_first(table, present)
    return _share(counts[..., 0, 1] - counts[..., 1, 0], counts.sum((-2, -1)))


def specific_agreement(table: Any, *, present: Any = None) -> tuple[Floats, Floats]:
    """Positive and negative agreement of a 2 x 2 table.

    Parameters
    ----------
    table : array-like or DataFrame of shape (..., 2, 2)
        Counts.
    present : category, optional
        Which one means present: a category of a DataFrame, else a position. None: the first.

    Returns
    -------
    tuple of two ndarrays of shape (...)
        Of the labels "present" (then "absent") given by either rater, the share that the other
        rater shares: 0 to 1; nan where neither rater used the category.

    Raises
    ------
    StatisticsError
        If the table is not 2 x 2.

    Notes
    -----
    :math:`2a / (2a + b + c)` and :math:`2d / (2d + b + c)`.

    References
    ----------
    Cicchetti and Feinstein 1990, J. Clinical Epidemiology 43:551,
    doi:10.1016/0895-4356(90)90159-M.

    Examples
    --------
    >>> positive, negative = specific_agreement([[80, 10], [5, 5]])
    >>> round(float(positive), 4), round(float(negative), 4)
    (0.9143, 0.4)
    """
    counts = _present_first(table, present)
    a, d = counts[..., 0, 0], counts[..., 1, 1]
    disagree = counts[..., 0, 1] + counts[..., 1, 0]
    return _share(2 * a, 2 * a + disagree), _share(2 * d, 2 * d + disagree)


def _present_first(table: Any, present: Any) -> Floats:
    counts = as_tables(table)
    if counts.shape[-1] != 2:  # noqa: PLR2004  a 2 x 2 table
        raise StatisticsError(
            "the table has more than two categories",
            got=counts.shape,
            allowed="shape (..., 2, 2)",
            example="collapse(table, present=[0])",
        )
    if present is None:
        return counts
    categories = list(table.index) if isinstance(table, pd.DataFrame) else [0, 1]
    if present not in categories:
        raise StatisticsError(
            "present is no category of the table",
            got=present,
            allowed=categories,
            example=f"present={categories[1]!r}",
        )
    return collapse(counts, [categories.index(present)])


def _share(part: Floats, whole: Floats) -> Floats:
    result = np.full(np.shape(whole), np.nan)
    np.divide(part, whole, out=result, where=np.asarray(whole) != 0)
    return result[()]
