"""Count tables: the only door from labels to statistics. Rows reference, columns judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.coefficients.weights import Floats
from toolkit.errors import StatisticsError

EXAMPLE = "[[40, 9], [6, 45]], rows the reference's categories, columns the judge's"


def as_tables(tables: Any) -> Floats:
    """Check that something is one count table or a stack of them.

    Parameters
    ----------
    tables : array-like or DataFrame of shape (..., k, k)
        Non-negative finite numbers; a DataFrame must have the same categories on both axes.

    Returns
    -------
    ndarray of shape (..., k, k)
        The same numbers as float64.

    Raises
    ------
    StatisticsError
        If it is no such table.

    Examples
    --------
    >>> as_tables([[40, 9], [6, 45]]).shape
    (2, 2)
    """
    if isinstance(tables, pd.DataFrame) and list(tables.index) != list(tables.columns):
        raise StatisticsError(
            "rows and columns of the table are not the same categories",
            got=(list(tables.index), list(tables.columns)),
            example="tk.crosstab(reference, judge, categories=[0, 1])",
        )
    if np.ma.isMaskedArray(tables) and np.ma.getmaskarray(tables).any():
        raise StatisticsError("a table has masked cells", allowed="a count in every cell")
    try:
        counts = np.asarray(tables, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise StatisticsError("a table holds no numbers", got=tables, example=EXAMPLE) from error
    if counts.ndim < 2 or counts.shape[-1] != counts.shape[-2] or counts.shape[-1] == 0:  # noqa: PLR2004
        raise StatisticsError(
            "a table is not square", got=counts.shape, allowed="shape (..., k, k)", example=EXAMPLE
        )
    if not np.isfinite(counts).all() or (counts < 0).any():
        raise StatisticsError(
            "a table holds numbers that are no counts",
            got=np.asarray(tables).tolist(),
            allowed="finite numbers of 0 or more",
            example=EXAMPLE,
        )
    return counts


def one_table(table: Any) -> Floats:
    """Check that something is one count table of shape (k, k), no stack of them."""
    counts = as_tables(table)
    if counts.ndim > 2:  # noqa: PLR2004  rows and columns
        raise StatisticsError(
            "a stack of tables where one table is needed",
            got=counts.shape,
            allowed="shape (k, k)",
            example="tk.coefficients.cohen_kappa(tables) for estimates of a whole stack",
        )
    return counts


def count(reference: NDArray[Any], judge: NDArray[Any], k: int, weight: Any = None) -> Floats:
    """Count pairs of category codes 0..k-1 into a (k, k) table; `weight` weighs each item."""
    joint = np.asarray(reference, dtype=np.intp) * k + judge
    return np.bincount(joint, weights=weight, minlength=k * k).reshape(k, k).astype(np.float64)


def crosstab(
    reference: Sequence[Any], judge: Sequence[Any], categories: Sequence[Any] | None = None
) -> pd.DataFrame:
    """Count two aligned sequences of labels into a table.

    Parameters
    ----------
    reference, judge : sequence of length n
        One label an item, in the same order of items. None and nan are missing: such items are
        left out and counted in ``table.attrs["left_out"]``.
    categories : sequence of length k, optional
        All categories in their order. Without it: numbers ascending, booleans False before True,
        words by first appearance, with the flag ``order_not_declared`` in ``table.attrs["flags"]``;
        a weighted kappa refuses such a table.

    Returns
    -------
    DataFrame of shape (k, k)
        Integer counts; index (reference) and columns (judge) are the categories.

    Raises
    ------
    StatisticsError
        For sequences of different length, a label outside `categories`, or numbers mixed with
        words (``1`` and ``"1"`` are different labels until a category list says otherwise).

    Examples
    --------
    >>> crosstab(["no", "yes", "no"], ["no", "yes", "yes"], categories=["yes", "no"])
    judge      yes  no
    reference
    yes          1   0
    no           1   1
    """
    sides = {"reference": _factorize(reference), "judge": _factorize(judge)}
    (rows, row_values), (columns, column_values) = sides.values()
    if len(rows) != len(columns):
        raise StatisticsError(
            "reference and judge differ in length",
            got=(len(rows), len(columns)),
            allowed="one label of each for every item, None where it is missing",
        )
    _refuse_another_order(reference, judge)
    usable = (rows >= 0) & (columns >= 0)
    if categories is None:
        order, flags = _inferred([*row_values, *column_values])
    else:
        order, flags = _declared(categories), ()
    position = {category: i for i, category in enumerate(order)}
    table = pd.DataFrame(
        count(
            _positions(row_values, position, "reference")[rows[usable]],
            _positions(column_values, position, "judge")[columns[usable]],
            len(order),
        ).astype(np.int64),
        index=pd.Index(order, name="reference"),
        columns=pd.Index(order, name="judge"),
    )
    table.attrs = {"left_out": {"missing": int((~usable).sum())}, "flags": flags}
    return table


def _refuse_another_order(reference: Any, judge: Any) -> None:
    """Refuse two Series that hold the same items in another order: they would be mispaired."""
    if not (isinstance(reference, pd.Series) and isinstance(judge, pd.Series)):
        return
    one, other = reference.index, judge.index
    if not one.equals(other) and one.is_unique and one.sort_values().equals(other.sort_values()):
        raise StatisticsError(
            "the two Series hold the same items in another order",
            got=(one[:3].tolist(), other[:3].tolist()),
            allowed="Series in one order",
            example="tk.crosstab(reference, judge.reindex(reference.index))",
        )


def _factorize(labels: Sequence[Any]) -> tuple[NDArray[np.intp], list[Any]]:
    """Give a code per label, -1 where it is missing, and the distinct labels as Python values."""
    if np.ma.isMaskedArray(labels):
        labels = np.where(np.ma.getmaskarray(labels), None, labels.data)
    try:
        values = labels if isinstance(labels, pd.Series | pd.Index) else np.asarray(labels, object)
        codes, distinct = pd.factorize(values)
    except (TypeError, ValueError, UnicodeError) as error:
        raise StatisticsError(
            "labels are no flat sequence of numbers or words",
            got=labels,
            example="tk.crosstab(['yes', 'no'], ['yes', 'yes'], categories=['no', 'yes'])",
        ) from error
    # 1.0 stands for 1: pandas makes floats of a column of whole numbers that has a gap.
    return codes, [_whole(value) for value in np.asarray(distinct, dtype=object)]


def _whole(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _inferred(values: list[Any]) -> tuple[list[Any], tuple[str, ...]]:
    distinct = list(dict.fromkeys(values))
    if not distinct:
        raise StatisticsError(
            "no item has both labels, and no categories are declared",
            example="tk.crosstab(reference, judge, categories=[0, 1])",
        )
    if all(isinstance(value, int | float) for value in distinct):
        return sorted(distinct), ()
    if all(isinstance(value, str) for value in distinct):
        return distinct, ("order_not_declared",)
    raise StatisticsError(
        "labels of mixed types",
        got=distinct[:10],
        allowed="numbers alone or words alone; 1 and '1' are different labels",
        example="read the labels with tk.read_labels and a schema, which coerces them",
    )


def _declared(categories: Sequence[Any]) -> list[Any]:
    listed = isinstance(categories, Sequence | np.ndarray | pd.Index | pd.Series)
    order = [_whole(c) for c in categories] if listed and not isinstance(categories, str) else []
    plain = all(isinstance(c, str | int | float) and not pd.isna(c) for c in order)
    if not order or not plain or len(set(order)) != len(order):
        raise StatisticsError(
            "categories are no list of distinct numbers or words",
            got=categories,
            example="categories=['low', 'high']",
        )
    return order


def _positions(values: list[Any], position: dict[Any, int], name: str) -> NDArray[np.intp]:
    unknown = [value for value in values if value not in position]
    if unknown:
        raise StatisticsError(
            "unknown label", got=unknown[0], allowed=list(position), where=f"sequence {name!r}"
        )
    return np.array([position[value] for value in values], dtype=np.intp)
