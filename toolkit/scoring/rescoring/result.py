"""The result of scoring stored answers again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from toolkit.plain import plain


@dataclass(frozen=True, slots=True, eq=False)
class Rescore:
    """A new score set of stored answers, beside the old one.

    Attributes
    ----------
    scores : DataFrame
        One row per answer: row (in the source), run, scenario_id, category, subset, stem, expected,
        expected_label, old_gold, old_label, old_outcome, old_correct, new_gold, new_label,
        new_correct, outcome, rule, stage, span_start, span_end, level, flags, raw_field,
        raw_sha256, old_scorer, new_scorer, registry_digest (of the convention that read it, as in
        `Answer`). Gold values and label words both; no answer is missing, never a class.
    flips : DataFrame
        subset, rule, old_label, new_label, count: where the two scorers differ. ``rule`` is what
        the new scorer read the answer by, or its outcome where it read none.
    summary : DataFrame
        Per run and subset: n, accuracy and coverage before and after with intervals; gained,
        lost, change with interval, exact McNemar p. Of several runs, the rows over all of them come
        first, as run "all" (flag ``runs_pooled``: replies to one item count as one cluster).
    refused : DataFrame
        row, run, scenario_id, reason, got: rows that can't be scored again.
    by_level : DataFrame
        `grade` of the same answers by run at exact, strict, structured and lenient.
    level : str
        Level of ``scores``.
    old : str
        Name of the old scorer; where runs differ in it, all names.
    versions : dict of str to str
        old_scorer, new_scorer, conventions_digest (of the whole registry), source, source_sha256,
        score_set (digest of this one).
    flags : tuple of str
        ``old_label_unknown``: the run says right or wrong, not which label it read;
        ``old_label_outside_labels``; ``stored_scores_contradict`` (is_correct is not what
        predicted_label says; the label counts); each with its number of rows. And
        ``old_scores_computed``: a run holds no scores of its own, so the published scorer of HE-300
        gave the old ones; the column old_scorer tells which. ``rows_refused`` with their number,
        and ``nothing_scored`` where these are all: see ``refused``.
    folder : str or None
        Where the score set was written.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": "<answer>1</answer>"}
    >>> tk.scoring.rescore([row], old="legacy_node")
    Rescore(1 scored at level structured, 0 refused, 1 flips; accuracy 0.000 by legacy_node,
    now 1.000)
    """

    scores: pd.DataFrame
    flips: pd.DataFrame
    summary: pd.DataFrame
    refused: pd.DataFrame
    by_level: pd.DataFrame
    level: str
    old: str
    versions: dict[str, str | None]
    flags: tuple[str, ...]
    folder: str | None = None

    def to_frame(self) -> pd.DataFrame:
        """Give the scores, one row per answer.

        Returns
        -------
        DataFrame
            ``scores``.
        """
        return self.scores

    def to_dict(self) -> dict[str, Any]:
        """Give everything but the single scores as strict-JSON material.

        Returns
        -------
        dict
            level, old, versions, flags, counts, summary, flips, by_level, refused by reason.
        """
        return {
            "level": self.level,
            "old": self.old,
            "versions": self.versions,
            "flags": list(self.flags),
            "scored": len(self.scores),
            "refused": {str(k): int(v) for k, v in self.refused["reason"].value_counts().items()},
            "summary": records(self.summary),
            "flips": records(self.flips),
            "by_level": records(self.by_level),
        }

    def __repr__(self) -> str:
        whole = self.summary.iloc[0]
        return (
            f"Rescore({len(self.scores)} scored at level {self.level}, {len(self.refused)} refused,"
            f" {int(self.flips['count'].sum())} flips; accuracy {whole['accuracy_old']:.3f} by"
            f" {self.old}, now {whole['accuracy_new']:.3f})"
        )

    def _repr_html_(self) -> str:
        names = [
            "run",
            "subset",
            "n",
            "accuracy_old",
            "low_old",
            "high_old",
            "accuracy_new",
            "low_new",
        ]
        names += ["high_new", "coverage_new", "change", "low", "high", "p_value"]
        parts = (self.summary[names].round(3), self.flips)
        return "".join(part.to_html(index=False) for part in parts)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Give the rows of a table as strict-JSON material.

    Parameters
    ----------
    frame : DataFrame
        Any.

    Returns
    -------
    list of dict
        Missing cells are None.

    Examples
    --------
    >>> records(pd.DataFrame({"n": [1], "p": [float("nan")]}))
    [{'n': 1, 'p': None}]
    """
    clean = frame.astype(object).where(frame.notna(), None)
    return [plain(row) for row in clean.to_dict("records")]
