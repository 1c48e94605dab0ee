"""Where parser and judge read the same, where they do not, and where only one of them read."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from toolkit.answers.tables.cells import word
from toolkit.errors import StatisticsError
from toolkit.plain import plain
from toolkit.scoring.judge.agreed import agreement_of, read_by_both
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
    confidence : float
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
    confidence: float

    def to_frame(self) -> pd.DataFrame:
        """Give one row per subset and one for all.

        Returns
        -------
        DataFrame
            benchmark, subset, version, replies, not_asked, asked = both + parser_only + judge_only
            + neither + judge_failed; judge_failure_rate (of asked); of both: agreement,
            low_agreement, high_agreement, method_agreement (of `share_interval`), kappa, low,
            high, method (of `toolkit.kappa`), clusters (None where every reply stands alone);
            confidence of both intervals; reasons why a number is nan, flags.

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
            rows, disagreements, confidence.

        Examples
        --------
        >>> judge_report([]).to_dict()["rows"][0]["kappa"] is None
        True
        """
        listed = self.disagreements.to_dict("records")
        return dict(
            plain({"rows": self.rows, "disagreements": listed, "confidence": self.confidence})
        )

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
    evaluations: Iterable[Evaluation],
    *,
    clusters: Sequence[Any] | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> JudgeReport:
    """Compare what the parser and the judge read.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Of `evaluate`.
    clusters : sequence, optional
        Item stem of each evaluation; missing or not given: its item. Two replies to one item, of
        two runs for example, are no two independent ones.
    confidence : float
        Nominal coverage of the intervals of kappa and agreement.
    seed : int
        Of the resampling.

    Returns
    -------
    JudgeReport
        Per subset and over all.

    Raises
    ------
    StatisticsError
        ``confidence`` or ``seed`` is out of range, or there are not as many clusters as
        evaluations.

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
    stems = _stems(everything, clusters)
    groups: dict[tuple[str, str, str], list[Evaluation]] = {}
    places: dict[tuple[str, str, str], list[int]] = {}
    for place, one in enumerate(everything):
        groups.setdefault(one.convention.key, []).append(one)
        places.setdefault(one.convention.key, []).append(place)
    rows: list[dict[str, Any]] = []
    tables: dict[str, pd.DataFrame] = {}
    for key, members in groups.items():
        made = _counts(members)
        # The first two parts name a subset unless one asks in several versions.
        name = key[1] if sum(other[1] == key[1] for other in groups) == 1 else "/".join(key)
        own = [stems[place] for place in places[key]]
        read = read_by_both(members, own, list(members[0].convention.labels))
        tables[name] = read.table
        names = dict(zip(("benchmark", "subset", "version"), key, strict=True))
        rows.append({**names, **made, **agreement_of(read, confidence, seed)})
    of_all = {"benchmark": None, "subset": ALL, "version": None}
    rows.append({**of_all, **_counts(everything), **_pooled(everything, stems, confidence, seed)})
    listed = [_disagreement(one) for one in everything if one.agree is False]
    disagreements = pd.DataFrame(listed, columns=list(DISAGREEMENT), dtype=object)
    return JudgeReport(tuple(rows), tables, disagreements, confidence)


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


def _stems(everything: Sequence[Evaluation], clusters: Sequence[Any] | None) -> list[Any]:
    given = [None] * len(everything) if clusters is None else list(clusters)
    if len(given) != len(everything):
        raise StatisticsError(
            "not every evaluation has its cluster",
            got=len(given),
            allowed=f"as many as evaluations, {len(everything)}",
            where="clusters",
        )
    stems = []
    for one, stem in zip(everything, map(word, given), strict=True):
        kind, name = ("item", one.id) if stem is None else ("stem", stem)
        # Stems of two subsets are two stems.
        stems.append((*one.convention.key[:2], kind, name))
    return stems


def _pooled(
    everything: Sequence[Evaluation], stems: Sequence[Any], confidence: float, seed: int
) -> dict[str, Any]:
    conventions = {one.convention.key: one.convention for one in everything}
    if len(conventions) == 1:
        (only,) = conventions.values()
        return agreement_of(read_by_both(everything, stems, list(only.labels)), confidence, seed)
    polar = all(one.negative is not None for one in conventions.values())
    return agreement_of(read_by_both(everything, stems, None), confidence, seed, comparable=polar)


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
