"""Who else spoke about the items of the judge's calls, and whether they agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toolkit.diagnosis.case import Case, Marks
from toolkit.labels.roles import Codes

BINARY = 2
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Witnesses:
    """All persons and other judges on each construct, shape (c, n) each.

    Attributes
    ----------
    agreed : ndarray of int
        Class on which all of them agree and that the judge labelled too, -1 elsewhere.
    middle : ndarray of int
        Lower median of what they say, -1 where there is no reference.
    doubt : ndarray of int
        1 where they disagree, 0 where several agree, -1 where fewer than two spoke.
    row : ndarray of int
        What is known of the item, -1 where too little: the class on which all agree; on an ordinal
        scale their lower median, as one class a row leaves few answers to a cell already; of two
        categories, k further where the other constructs' classes are high, which an impression of
        the item would show in.
    names : str
        Who they are beside the first person; empty where no item has two witnesses.
    """

    agreed: Codes
    middle: Codes
    doubt: Codes
    row: Codes
    names: str


def witnesses(case: Case) -> Witnesses:
    """Collect the witnesses of a case."""
    every = np.concatenate([case.people, case.judges], axis=2)
    spoken = (every >= 0).sum(axis=2)
    referred = np.asarray((case.people[:, :, : case.reference] >= 0).any(axis=2))
    ranked = np.sort(np.where(every < 0, np.iinfo(every.dtype).max, every), axis=2)
    place = np.maximum(spoken - 1, 0)[:, :, None]
    middle = np.take_along_axis(ranked, place // 2, axis=2)[:, :, 0]
    spread = np.take_along_axis(ranked, place, axis=2)[:, :, 0] - ranked[:, :, 0]
    same = spread == 0
    middle = np.where(referred, middle, -1)
    doubt = np.where(referred & (spoken > 1), ~same, -1)
    row = np.where(referred & same, middle, -1)
    high = _others_high(case, middle)
    for c, scale in enumerate(case.scales):
        if scale.k == BINARY:
            row[c] += np.where((row[c] >= 0) & high[c], scale.k, 0)
        elif scale.ordered:
            row[c] = middle[c]
    names = (*case.names.people, *case.names.judges)
    agreed = np.where(same & referred & (case.judge >= 0), middle, -1)
    told = ", ".join(names[1:]) if (doubt >= 0).any() else ""
    return Witnesses(agreed, middle, doubt, row, told)


def _others_high(case: Case, middle: Codes) -> Marks:
    """Whether the classes of the other ordered constructs are above their median, on average."""
    if not case.n:
        return np.zeros(middle.shape, dtype=bool)
    known = middle >= 0
    count = np.maximum(known.sum(axis=1, keepdims=True), 1)
    mean = np.where(known, middle, 0).sum(axis=1, keepdims=True) / count
    centred = np.where(known, middle - mean, 0)
    spread = np.sqrt((centred**2).sum(axis=1, keepdims=True) / count)
    score = centred / np.where(spread > 0, spread, 1)
    score *= np.array([[scale.ordered] for scale in case.scales])
    others = score.sum(axis=0) - score
    high: Marks = others > np.median(others, axis=1, keepdims=True) + ROUNDING
    return high
