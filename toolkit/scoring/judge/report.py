"""Where parser and judge read the same, where they do not, and where only one of them read."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from toolkit.coefficients import crosstab, kappa
from toolkit.plain import plain
from toolkit.scoring.judge.evaluate import Evaluation

ALL = "all"
DISAGREEMENT = (
    "id",
    "benchmark",
    "subset",
    "answer_label",
    "answer_rule",
    "answer_span",
    "judge_label",
    "judge_rule",
    "judge_span",
    "judge_reply",
)


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """The four-way table parser x judge, agreement where both read, failures apart.

    Attributes
    ----------
    rows : tuple of dict
        One per (benchmark, subset, version), then one for all; see `to_frame`.
    tables : dict of str to DataFrame
        Subset -> counts of labels, rows the parser's, columns the judge's; both read only.
    disagreements : DataFrame
        One row per reply that both read and read differently, with both spans: ``answer_span`` in
        the raw reply, ``judge_span`` in ``judge_reply``.
    level : float
        Nominal coverage of the intervals.

    Examples
    --------
    >>> judge_report([]).to_frame()[["subset", "asked", "kappa"]]
      subset  asked  kappa
    0    all      0    NaN
    """

    rows: tuple[dict[str, Any], ...]
    tables: dict[str, pd.DataFrame] = field(repr=False)
    disagreements: pd.DataFrame = field(repr=False)
    level: float

    def to_frame(self) -> pd.DataFrame:
        """Give one row per subset and one for all.

        Returns
        -------
        DataFrame
            benchmark, subset, version, replies, not_asked, asked = both + parser_only + judge_only
            + neither + judge_failed; judge_failure_rate (of asked); agreement, kappa, low, high
            (of both); reasons why one is nan, flags.

        Examples
        --------
        >>> list(judge_report([]).to_frame().columns[:5])
        ['benchmark', 'subset', 'version', 'replies', 'not_asked']
        """
        return pd.DataFrame(list(self.rows))

    def to_dict(self) -> dict[str, Any]:
        """Give everything as strict JSON.

        Returns
        -------
        dict
            rows, disagreements, level.

        Examples
        --------
        >>> judge_report([]).to_dict()["rows"][0]["kappa"] is None
        True
        """
        listed = self.disagreements.to_dict("records")
        return dict(plain({"rows": self.rows, "disagreements": listed, "level": self.level}))

    def __repr__(self) -> str:
        last = self.rows[-1]
        return (
            f"JudgeReport({last['asked']} asked: {last['both']} read by both, "
            f"{last['parser_only']} by the parser only, {last['judge_only']} by the judge only, "
            f"{last['neither']} by neither, {last['judge_failed']} calls failed; "
            f"{len(self.disagreements)} disagreements, kappa {last['kappa']:.2f})"
        )

    def _repr_html_(self) -> str:
        shown = self.to_frame().to_html(index=False)
        return f"<p>{html.escape(repr(self))}</p>{shown}"


def judge_report(
    evaluations: Iterable[Evaluation], *, level: float = 0.95, seed: int = 0
) -> JudgeReport:
    """Compare what the parser and the judge read.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Of `evaluate`.
    level : float
        Nominal coverage of the intervals of kappa.
    seed : int
        Of the resampling.

    Returns
    -------
    JudgeReport
        Per subset and over all.

    Raises
    ------
    StatisticsError
        ``level`` or ``seed`` is out of range.

    Notes
    -----
    Kappa and agreement rest on the replies that both read, and say nothing of the others: read them
    beside the four counts. A judge that raised, was slow or returned no text is in
    ``judge_failed``, in none of the four counts, and never a disagreement. Over several subsets the
    labels are pooled by polarity, because gold 1 is the positive label of some and the negative of
    others; where a convention has no two polar labels, the pooled kappa is nan (``labels_differ``).

    References
    ----------
    Cohen 1960, Educational and Psychological Measurement 20:37, doi:10.1177/001316446002000104.

    Examples
    --------
    >>> import toolkit as tk
    >>> from toolkit.scoring.judge.evaluate import evaluate
    >>> item = {"id": "j", "benchmark": "he300", "subset": "justice", "gold": 1, "text": "..."}
    >>> both = [
    ...     evaluate(item, raw, ask=lambda prompt: "REASONABLE")
    ...     for raw in ("REASONABLE", "UNREASONABLE", "Hm.")
    ... ]
    >>> report = judge_report(both)
    >>> report.to_frame()[["subset", "both", "parser_only", "judge_only", "neither", "agreement"]]
        subset  both  parser_only  judge_only  neither  agreement
    0  justice     2            0           1        0        0.5
    1      all     2            0           1        0        0.5
    >>> report.disagreements[["answer_label", "answer_span", "judge_label", "judge_span"]]
       answer_label answer_span judge_label judge_span
    0  UNREASONABLE     (0, 12)  REASONABLE    (0, 10)
    """
    everything = list(evaluations)
    groups: dict[tuple[str, str, str], list[Evaluation]] = {}
    for one in everything:
        groups.setdefault(one.convention.key, []).append(one)
    rows: list[dict[str, Any]] = []
    tables: dict[str, pd.DataFrame] = {}
    for key, members in groups.items():
        made = _counts(members)
        # The first two parts name a subset unless one asks in several versions.
        name = key[1] if sum(other[1] == key[1] for other in groups) == 1 else "/".join(key)
        table = _table(members, list(members[0].convention.labels), pooled=False)
        tables[name] = table
        names = dict(zip(("benchmark", "subset", "version"), key, strict=True))
        rows.append({**names, **made, **_agreement(table, level, seed)})
    of_all = {"benchmark": None, "subset": ALL, "version": None}
    rows.append({**of_all, **_counts(everything), **_pooled(everything, groups, level, seed)})
    listed = [_disagreement(one) for one in everything if one.agree is False]
    disagreements = pd.DataFrame(listed, columns=list(DISAGREEMENT), dtype=object)
    return JudgeReport(tuple(rows), tables, disagreements, level)


def _counts(members: Sequence[Evaluation]) -> dict[str, Any]:
    asked = [one for one in members if one.judge is not None]
    failed = [one for one in asked if one.judge and one.judge.outcome == "judge_error"]
    read = [
        (one.answer.answered, one.judge.answered)
        for one in asked
        if one.judge and one.judge.outcome != "judge_error"
    ]
    return {
        "replies": len(members),
        "not_asked": len(members) - len(asked),
        "asked": len(asked),
        "both": read.count((True, True)),
        "parser_only": read.count((True, False)),
        "judge_only": read.count((False, True)),
        "neither": read.count((False, False)),
        "judge_failed": len(failed),
        "judge_failure_rate": len(failed) / len(asked) if asked else math.nan,
    }


def _table(members: Sequence[Evaluation], categories: list[Any], *, pooled: bool) -> pd.DataFrame:
    read = [(one.answer, one.judge) for one in members if one.agree is not None and one.judge]
    if pooled:
        pairs = [(answer.polarity, judge.polarity) for answer, judge in read]
    else:
        pairs = [(answer.label, judge.label) for answer, judge in read]
    table = crosstab([first for first, _ in pairs], [second for _, second in pairs], categories)
    return table.rename_axis(index="parser")


def _agreement(table: pd.DataFrame, level: float, seed: int) -> dict[str, Any]:
    n = int(table.to_numpy().sum())
    result = kappa(table, level=level, seed=seed)
    share = float(table.to_numpy().trace()) / n if n else math.nan
    return {
        "agreement": share,
        "kappa": result.estimate,
        "low": result.low,
        "high": result.high,
        "reasons": result.reasons if n else ("none_read_by_both",),
        "flags": result.flags,
    }


def _pooled(
    everything: Sequence[Evaluation], groups: Iterable[Any], level: float, seed: int
) -> dict[str, Any]:
    conventions = {one.convention.key: one.convention for one in everything}.values()
    if len(list(groups)) == 1:
        (only,) = conventions
        return _agreement(_table(everything, list(only.labels), pooled=False), level, seed)
    if all(one.negative is not None for one in conventions):
        return _agreement(_table(everything, ["positive", "negative"], pooled=True), level, seed)
    read = [one.agree for one in everything if one.agree is not None]
    return {
        "agreement": sum(read) / len(read) if read else math.nan,
        "kappa": math.nan,
        "low": math.nan,
        "high": math.nan,
        "reasons": ("labels_differ",) if read else ("none_read_by_both",),
        "flags": (),
    }


def _disagreement(one: Evaluation) -> dict[str, Any]:
    judge = one.judge
    return {
        "id": one.id,
        "benchmark": one.convention.benchmark,
        "subset": one.convention.subset,
        "answer_label": one.answer.label,
        "answer_rule": one.answer.rule,
        "answer_span": one.answer.span,
        "judge_label": judge.label if judge else None,
        "judge_rule": judge.rule if judge else None,
        "judge_span": judge.span if judge else None,
        "judge_reply": one.attempts[-1].reply if one.attempts else None,
    }
