"""Accuracy of graded answers with both denominators, bounds, baselines and an interval."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd

from toolkit.errors import StatisticsError
from toolkit.plain import plain
from toolkit.scoring.proportion import Floats, share_interval

FEW_ANSWERS = 10  # below it, answers that are all alike mean nothing
EXAMPLE = "accuracy([[40, 8, 2], [6, 43, 1]]): rows gold, columns answers, the last one no answer"


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How often graded answers are right.

    Attributes
    ----------
    n, answered, correct : int
        Items, those with an answer that could be read, those whose answer is the expected one.
    accuracy : float
        correct / n: an item without answer is not right.
    low, high : float
        Interval of ``accuracy``.
    accuracy_answered : float
        correct / answered.
    low_answered, high_answered : float
        Interval of ``accuracy_answered``.
    coverage : float
        answered / n.
    worst, best : float
        Accuracy if no unanswered item were right, if all were.
    constant : float
        What the best single answer would score: the largest class's share of the gold.
    chance : float
        What guessing scores: 1 / k for k answers on offer.
    balanced : float
        Mean recall over the gold classes; an item without answer is not recalled.
    balanced_answered : float
        The same over answered items.
    confidence : float
        Nominal coverage of the intervals.
    method : str
        ``jeffreys``, or ``jeffreys_effective`` with clusters.
    clusters : int or None
        Item stems; None where none were given.
    n_effective : float
        Independent items that would show as much as the n.
    reasons, flags : tuple of str
        Why a number is nan: ``no_items``, ``nothing_answered``, ``one_gold_class``,
        ``one_cluster``, ``class_unanswered`` (a gold class without any answer). What to beware of:
        ``below_constant`` and ``below_chance`` (the whole interval over answered items is),
        ``one_class`` (ten or more answers, all alike, to gold of several classes),
        ``few_clusters``, ``clusters_counted``.

    Examples
    --------
    >>> print(accuracy([[40, 8, 2], [6, 43, 1]]))
    accuracy 0.830 [0.748, 0.894] over all 100, 0.856 over 97 answered, constant answer 0.500,
    95 % interval (jeffreys)
    """

    n: int
    answered: int
    correct: int
    accuracy: float
    low: float
    high: float
    accuracy_answered: float
    low_answered: float
    high_answered: float
    coverage: float
    worst: float
    best: float
    constant: float
    chance: float
    balanced: float
    balanced_answered: float
    confidence: float
    method: str
    clusters: int | None
    n_effective: float
    reasons: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material.

        Returns
        -------
        dict
            By the names of the attributes.
        """
        return {field.name: plain(getattr(self, field.name)) for field in fields(self)}

    def to_frame(self) -> pd.DataFrame:
        """Give one row with all fields.

        Returns
        -------
        DataFrame
            Columns by the names of the attributes.
        """
        return pd.DataFrame([{field.name: getattr(self, field.name) for field in fields(self)}])

    def __str__(self) -> str:
        remarks = "".join(f"; {word}" for word in (*self.reasons, *self.flags))
        return (
            f"accuracy {self.accuracy:.3f} [{self.low:.3f}, {self.high:.3f}] over all {self.n},"
            f" {self.accuracy_answered:.3f} over {self.answered} answered, constant answer"
            f" {self.constant:.3f}, {100 * self.confidence:g} % interval ({self.method}){remarks}"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>"


def accuracy(table: Any, *, clusters: Any = None, confidence: float = 0.95) -> Accuracy:
    r"""Sum up graded answers.

    Parameters
    ----------
    table : array-like of shape (k, k + 1), or a list of such tables
        Counts: rows the expected gold, columns the gold answered, the last column items without an
        answer. Several tables are several questions, whose classes are not comparable: each has its
        own constant answer, and recall is averaged over all their classes.
    clusters : array-like of shape (m, 3), optional
        Items, answered and correct of each item stem.
    confidence : float
        Nominal coverage of the intervals.

    Returns
    -------
    Accuracy
        Undefined numbers are nan, with a reason.

    Raises
    ------
    StatisticsError
        Not a table of counts of that shape, clusters that do not add up, or a confidence
        outside (0, 1).

    Notes
    -----
    The intervals are those of `share_interval`. Balanced accuracy is
    :math:`k^{-1} \sum_i n_{ii} / n_{i\cdot}` (Brodersen et al. 2010), undefined where the gold has
    one class only.

    References
    ----------
    Brodersen, Ong, Stephan and Buhmann 2010, ICPR:3121, doi:10.1109/ICPR.2010.764; Korn and
    Graubard 1998, Survey Methodology 24:193.

    Examples
    --------
    >>> found = accuracy([[40, 8, 2], [6, 43, 1]])
    >>> found.accuracy, round(found.accuracy_answered, 3), found.best, found.constant
    (0.83, 0.856, 0.86, 0.5)
    >>> accuracy([[80, 0, 0], [20, 0, 0]]).flags
    ('one_class',)
    """
    tables = _tables(table)
    n, answered = (sum(int(part) for part in parts) for parts in _sums(tables))
    correct = sum(int(np.trace(one)) for one in tables)
    groups = None if clusters is None else _groups(clusters)
    every = share_interval(correct, n, clusters=_pick(groups, 0), confidence=confidence)
    read = share_interval(correct, answered, clusters=_pick(groups, 1), confidence=confidence)
    reasons = [*every.reasons, *(word for word in read.reasons if word != "no_items")]
    if n and not answered:
        reasons.append("nothing_answered")
    balanced, why = _balanced(tables, answered_only=False)
    balanced_answered, why_answered = _balanced(tables, answered_only=True)
    best = sum(int(one.sum(1).max()) for one in tables)
    constant = _ratio(best, n)
    chance = _ratio(sum(one.sum() / len(one) for one in tables), n)
    flags = [*every.flags]
    if read.high < constant and "one_gold_class" not in why:  # else the constant answer is perfect
        flags.append("below_constant")
    if read.high < chance:
        flags.append("below_chance")
    if _one_class(tables):
        flags.append("one_class")
    return Accuracy(
        n=n,
        answered=answered,
        correct=correct,
        accuracy=every.share,
        low=every.low,
        high=every.high,
        accuracy_answered=read.share,
        low_answered=read.low,
        high_answered=read.high,
        coverage=_ratio(answered, n),
        worst=_ratio(correct, n),
        best=_ratio(correct + n - answered, n),
        constant=constant,
        chance=chance,
        balanced=balanced,
        balanced_answered=balanced_answered,
        confidence=confidence,
        method=every.method,
        clusters=every.clusters,
        n_effective=every.n_effective,
        reasons=tuple(dict.fromkeys([*reasons, *why, *why_answered])),
        flags=tuple(flags),
    )


def _tables(table: Any) -> list[Floats]:
    several = isinstance(table, Sequence) and all(np.ndim(part) > 1 for part in table)
    return [_table(one) for one in (table if several else [table])]


def _table(table: Any) -> Floats:
    try:
        counts = np.asarray(table, dtype=float)
    except (TypeError, ValueError):
        counts = np.full((1, 1), np.nan)
    shaped = counts.ndim == 2 and counts.shape[0] >= 2 and counts.shape[1] == counts.shape[0] + 1  # noqa: PLR2004
    if not shaped or not np.isfinite(counts).all() or (counts < 0).any() or (counts % 1).any():
        raise StatisticsError(
            "this is no table of graded answers",
            got=table,
            allowed="whole counts of shape (k, k + 1), the last column items without answer",
            example=EXAMPLE,
        )
    return counts


def _sums(tables: list[Floats]) -> tuple[list[float], list[float]]:
    return [one.sum() for one in tables], [one[:, :-1].sum() for one in tables]


def _groups(clusters: Any) -> Floats:
    try:
        return np.asarray(clusters, dtype=float).reshape(-1, 3)
    except (TypeError, ValueError):
        raise StatisticsError(
            "clusters have three counts each",
            got=clusters,
            allowed="rows of items, answered, correct",
            example="clusters=[[5, 5, 4], [5, 4, 4]]",
            where="clusters",
        ) from None


def _pick(groups: Floats | None, column: int) -> Floats | None:
    return None if groups is None else groups[:, [column, 2]]


def _balanced(tables: list[Floats], *, answered_only: bool) -> tuple[float, tuple[str, ...]]:
    counts = [one[:, :-1] if answered_only else one for one in tables]
    if any((one.sum(1) > 0).sum() == 1 for one in tables):
        return math.nan, ("one_gold_class",)
    if not any(one.sum() for one in counts):
        return math.nan, ()
    recalls = []
    for one, every in zip(counts, tables, strict=True):
        present = every.sum(1) > 0
        total, right = one.sum(1)[present], np.diagonal(one)[present]
        if (total == 0).any():
            return math.nan, ("class_unanswered",)
        recalls.extend((right / total).tolist())
    return float(np.mean(recalls)), ()


def _one_class(tables: list[Floats]) -> bool:
    """Tell whether the answers are all alike though the gold differs, in every table."""
    given = [one for one in tables if one[:, :-1].sum() >= FEW_ANSWERS]
    return bool(given) and all(
        (one[:, :-1].sum(0) > 0).sum() == 1 and (one.sum(1) > 0).sum() > 1 for one in given
    )


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else math.nan
