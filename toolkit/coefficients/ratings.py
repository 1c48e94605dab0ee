"""Labels of several raters, coded and counted: the door to every multi-rater coefficient."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.weights import Floats
from toolkit.errors import StatisticsError

EXAMPLE = "ratings=[[0, 0, 1], [1, None, 1]], one row an item, one column a rater"
MISSING = -1
PAIR = 2  # two labels of one item make one comparison


class CodedRatings(NamedTuple):
    """Category positions of shape (n_items, n_raters), -1 where missing; the categories."""

    codes: NDArray[np.intp]
    categories: tuple[Any, ...]
    order_declared: bool


class LabelCounts(NamedTuple):
    """Number of labels per item and category, (n_items, k); number of raters; the categories."""

    counts: Floats
    n_raters: int
    categories: tuple[Any, ...]


def code_ratings(ratings: Any, categories: Sequence[Any] | None = None) -> CodedRatings:
    """Turn labels into category positions.

    Parameters
    ----------
    ratings : array-like or DataFrame of shape (n_items, n_raters)
        Numbers or words. None, nan and pandas.NA are missing; so is -1 where `categories` are given
        and do not hold it.
    categories : sequence of length k, optional
        All categories in their order. Without it: those that occur, numbers ascending, words by
        first appearance (their order then counts as not declared).

    Returns
    -------
    CodedRatings
        ``codes`` of shape (n_items, n_raters) with 0..k-1 or -1, ``categories``,
        ``order_declared``.

    Raises
    ------
    StatisticsError
        If `ratings` are no such table, hold a label outside `categories`, mix numbers with words,
        or hold -1 without `categories` (a category or a missing label?).

    Examples
    --------
    >>> code_ratings([["low", "high"], ["low", None]], categories=["low", "high"]).codes
    array([[ 0,  1],
           [ 0, -1]])
    """
    values = _two_dimensional(ratings, "ratings", _kept_type(ratings))
    distinct, where = _distinct(values)
    present = [value for value in distinct if not _is_missing(value)]
    order, declared = _inferred(present) if categories is None else (_declared(categories), True)
    position = {MISSING: MISSING} | {category: i for i, category in enumerate(order)}
    unknown = [i for i, value in enumerate(distinct) if not _fits(value, position)]
    if unknown:
        row, column = np.argwhere(where == unknown[0])[0]
        raise StatisticsError(
            "unknown label",
            got=distinct[unknown[0]],
            allowed=order,
            example=EXAMPLE,
            where=f"ratings, row {row}, column {column}, counted from 0",
        )
    codes = [MISSING if _is_missing(value) else position[value] for value in distinct]
    return CodedRatings(np.array(codes, dtype=np.intp)[where], order, declared)


def count_codes(codes: NDArray[np.intp], k: int) -> LabelCounts:
    """Count the codes of each item; a rater without any label is no rater."""
    n_items = codes.shape[0]
    item, rater = np.nonzero(codes >= 0)
    cells = np.bincount(item * k + codes[item, rater], minlength=n_items * k)
    counts = cells.reshape(n_items, k).astype(np.float64)
    return LabelCounts(counts, np.unique(rater).size, tuple(range(k)))


def label_counts(
    ratings: Any, counts: Any, categories: Sequence[Any] | None, weights: Any
) -> LabelCounts:
    """Count `ratings`, or check `counts`: exactly one of the two is given."""
    if (ratings is None) == (counts is None):
        raise StatisticsError(
            "either ratings or counts are needed, not both and not neither",
            example="fleiss_kappa([[0, 0, 1], [1, 1, 1]]) or fleiss_kappa(counts=[[2, 1], [0, 3]])",
        )
    if counts is None:
        coded = code_ratings(ratings, categories)
        refuse_undeclared_order(coded, weights)
        labels = count_codes(coded.codes, len(coded.categories))
        return labels._replace(categories=coded.categories)
    if categories is not None:
        raise StatisticsError(
            "categories belong to ratings; the columns of counts are the categories",
            got=list(categories),
            example="fleiss_kappa(counts=[[2, 1], [0, 3]])",
        )
    table = check_counts(counts)
    return LabelCounts(table, int(table.sum(1).max(initial=0)), tuple(range(table.shape[1])))


def check_counts(counts: Any) -> Floats:
    """Check a table of label counts, items by categories."""
    table = _two_dimensional(counts, "counts", np.float64)
    if not np.isfinite(table).all() or (table < 0).any() or (table != np.round(table)).any():
        raise StatisticsError(
            "counts hold numbers that are no counts of labels",
            got=table.tolist(),
            allowed="whole numbers of 0 or more, one row an item, one column a category",
            example="counts=[[2, 1], [0, 3]]",
        )
    return table


def refuse_undeclared_order(coded: CodedRatings, weights: Any) -> None:
    """Refuse ordered weights on words in order of appearance: their distances mean nothing."""
    if weights is not None and not coded.order_declared and len(coded.categories) > PAIR:
        raise StatisticsError(
            f"weights={weights!r} needs the order of the categories, which nobody declared",
            got=list(coded.categories),
            allowed="categories in their order, or weights=None",
            example="categories=['low', 'medium', 'high']",
        )


def _two_dimensional(values: Any, name: str, dtype: Any) -> NDArray[Any]:
    try:
        table = np.asarray(values, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise StatisticsError(f"{name} are no table", got=values, example=EXAMPLE) from error
    if table.ndim != PAIR:
        raise StatisticsError(
            f"{name} are no table with one row an item",
            got=table.shape,
            allowed="two dimensions, rows of equal length",
            example=EXAMPLE,
        )
    return table


def _kept_type(ratings: Any) -> Any:
    # Lists become objects, or numpy would make words of the numbers in a mixed list.
    return None if isinstance(ratings, np.ndarray) else object


def _distinct(values: NDArray[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    """Give the distinct labels in order of appearance (numbers ascending) and where each stands."""
    if values.dtype.kind in "biuf":
        found, where = np.unique(values, return_inverse=True)
        return found.tolist(), where.reshape(values.shape)
    place: dict[Any, int] = {}
    flat = values.ravel().tolist()
    try:
        positions = [place.setdefault(value, len(place)) for value in flat]
    except TypeError as error:
        wrong = next(value for value in flat if not isinstance(value, Hashable))
        raise StatisticsError(
            "a label is neither a number nor a word", got=wrong, example=EXAMPLE
        ) from error
    return [_scalar(value) for value in place], np.array(positions, dtype=np.intp).reshape(
        values.shape
    )


def _scalar(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)  # noqa: PLR0124  nan is the one number unequal to itself
    except TypeError:
        return True  # pandas.NA refuses to be a truth value


def _is_label(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, int | float) and math.isfinite(value))


def _fits(value: Any, position: dict[Any, int]) -> bool:
    return _is_missing(value) or (_is_label(value) and value in position)


def _declared(categories: Sequence[Any]) -> tuple[Any, ...]:
    several = isinstance(categories, Iterable) and not isinstance(categories, str)
    order = tuple(_scalar(category) for category in categories) if several else ()
    if not order or any(not _is_label(value) for value in order) or len(set(order)) < len(order):
        raise StatisticsError(
            "categories are none, repeat, or are neither numbers nor words",
            got=categories,
            example="categories=['low', 'medium', 'high']",
        )
    return order


def _inferred(present: list[Any]) -> tuple[tuple[Any, ...], bool]:
    wrong = [value for value in present if not _is_label(value)]
    if wrong:
        raise StatisticsError(
            "a label is neither a finite number nor a word", got=wrong[0], example=EXAMPLE
        )
    distinct = tuple(dict.fromkeys(present))
    words = sum(isinstance(value, str) for value in distinct)
    if 0 < words < len(distinct):
        raise StatisticsError(
            "labels of mixed types",
            got=list(distinct),
            allowed="numbers alone or words alone; 1 and '1' are different labels",
            example=EXAMPLE,
        )
    if words:
        return distinct, False
    if MISSING in distinct:
        raise StatisticsError(
            "-1 among the labels may be a category or a missing label",
            got=sorted(distinct),
            allowed="None or nan for missing labels, or categories that say which labels there are",
            example="categories=[0, 1] (then -1 is missing) or categories=[-1, 0, 1]",
        )
    return tuple(sorted(distinct)), True
