"""Evaluations as columns: the answer as `normalize_frame` gives it, the grade, the judge."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import pandas as pd

from toolkit.answers import Registry
from toolkit.answers.tables.fields import FIELDS, INTEGER, TEXT, label_type, record, type_of
from toolkit.answers.tables.frame import _beside, _typed
from toolkit.answers.tables.plan import _free
from toolkit.scoring.judge.evaluate import Evaluation

OF_JUDGE = ("correct", "judge_label", "judge_gold", "judge_outcome", "agree", "not_asked")
TYPES = {
    **dict.fromkeys(("correct", "agree"), "boolean"),
    **dict.fromkeys(("judge_outcome", "not_asked"), TEXT),
    "judge_gold": INTEGER,
}


def with_results(
    frame: pd.DataFrame, evaluations: Sequence[Evaluation], registry: Registry, benchmark: str
) -> pd.DataFrame:
    """Put the results beside the frame.

    Parameters
    ----------
    frame : DataFrame
        One row per reply. It is not changed.
    evaluations : sequence of Evaluation
        One per row.
    registry : Registry
        With the labels on offer, which the type of labels depends on.
    benchmark : str
        That of the rows which name none.

    Returns
    -------
    DataFrame
        Its columns, then the new ones: ``answer_<name>`` where the frame has a column of that name.

    Examples
    --------
    >>> import toolkit as tk
    >>> list(with_results(pd.DataFrame({"gold": []}), (), tk.Registry.bundled(), "he300"))[:4]
    ['gold', 'label', 'answer_gold', 'polarity']
    """
    named = {benchmark, *(one.convention.benchmark for one in evaluations)}
    offered = [one for one in registry.conventions if one.benchmark in named]
    kind = label_type([label for one in offered for label in one.labels])
    rows = [(*record(one.answer), *_judged(one)) for one in evaluations]
    names = (*FIELDS, *OF_JUDGE)
    taken: set[Hashable] = set(frame.columns)
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    new = {}
    for name, cells in zip(names, columns, strict=True):
        label = name in ("label", "judge_label")
        values = [None if one is None else str(one) for one in cells] if label else list(cells)
        if label and kind != TEXT:
            values = list(cells)
        type_ = kind if label else TYPES.get(name) or type_of(name, kind)
        new[str(_free(name, "answer_", taken))] = _typed(values, type_)
    return _beside(frame, new)


def _judged(one: Evaluation) -> tuple[Any, ...]:
    judge = one.judge
    said = (judge.label, judge.gold, judge.outcome) if judge else (None, None, None)
    return (one.correct, *said, one.agree, one.not_asked)
