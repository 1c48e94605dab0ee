"""The tables of a re-score: one row per answer, flips, and accuracy before and after."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from toolkit.answers.answer import LEVELS, NORMALIZER_VERSION
from toolkit.answers.registry import Registry
from toolkit.scoring.grade import ALL, grade
from toolkit.scoring.rescoring.by_run import each_run
from toolkit.scoring.rescoring.old_scores import OldScorer
from toolkit.scoring.rescoring.paired import paired_change
from toolkit.scoring.rescoring.stored_runs import StoredRuns

FLIPS = ["subset", "rule", "old_label", "new_label", "count"]
READ = ("outcome", "rule", "stage", "span_start", "span_end", "flags")


def score_rows(runs: StoredRuns, before: OldScorer, read: pd.DataFrame, level: str) -> pd.DataFrame:
    """Put old and new scores side by side, one row per answer.

    Parameters
    ----------
    runs : StoredRuns
        The answers.
    before : OldScorer
        Their old scores.
    read : DataFrame
        The same answers through `normalize_frame`.
    level : str
        Level of ``read``.

    Returns
    -------
    DataFrame
        ``scores`` of `Rescore`.
    """
    frame = runs.frame
    scores = frame[["row", "run", "scenario_id", "category", "subset", "stem", "expected"]].copy()
    labels = {name: one.labels for name, one in runs.conventions.items()}
    scores["expected_label"] = _words(frame["subset"], frame["expected"], labels)
    scores["old_gold"] = before.gold
    scores["old_label"] = _words(frame["subset"], before.gold, labels)
    scores["old_outcome"] = before.outcome
    scores["old_correct"] = before.correct
    scores["new_gold"] = read["gold"].astype("Int64")
    scores["new_label"] = read["label"].astype("object")
    scores["new_correct"] = (scores["new_gold"] == scores["expected"]).fillna(False).astype(bool)
    for name in READ:
        scores[name] = read[name]
    scores["level"] = level
    scores["raw_field"] = frame["raw_field"]
    scores["raw_sha256"] = read["raw_sha256"]
    scores["old_scorer"] = before.version
    scores["new_scorer"] = f"normalizer {NORMALIZER_VERSION}"
    scores["registry_digest"] = read["registry_digest"]
    return scores


def _words(
    subsets: pd.Series[Any], golds: pd.Series[Any], labels: dict[str, tuple[Any, ...]]
) -> pd.Series[Any]:
    pairs = zip(subsets, golds, strict=True)
    words = [None if pd.isna(gold) else labels[subset][int(gold)] for subset, gold in pairs]
    return pd.Series(words, index=subsets.index, dtype=object)


def ladder_rows(runs: StoredRuns, read: pd.DataFrame) -> pd.DataFrame:
    """Stack the four levels of the same answers, as `grade` takes them.

    Parameters
    ----------
    runs : StoredRuns
        The answers.
    read : DataFrame
        The same answers through `normalize_frame` with its ladder.

    Returns
    -------
    DataFrame
        run, scenario_id, subset, stem, expected, gold, outcome, level.
    """
    parts = [
        pd.DataFrame(
            {
                **runs.frame[["run", "scenario_id", "subset", "stem", "expected"]],
                "gold": read[f"gold_{level}"],
                "outcome": read[f"outcome_{level}"],
                "level": level,
            }
        )
        for level in LEVELS
    ]
    return pd.concat(parts, ignore_index=True)


def grade_levels(
    ladder: pd.DataFrame, benchmark: str, registry: Registry, confidence: float
) -> pd.DataFrame:
    """Grade every run at every level.

    Parameters
    ----------
    ladder : DataFrame
        Of `ladder_rows`.
    benchmark : str
        Name in the registry.
    registry : Registry
        Conventions.
    confidence : float
        Nominal coverage of the intervals.

    Returns
    -------
    DataFrame
        ``by_level`` of `Rescore`.
    """

    def graded(part: pd.DataFrame) -> pd.DataFrame:
        known = part if part["stem"].notna().any() else part.drop(columns="stem")
        return grade(
            known, benchmark=benchmark, conventions=registry, confidence=confidence
        ).to_frame()

    return each_run(ladder, graded)


def count_flips(scores: pd.DataFrame, subsets: Iterable[str]) -> pd.DataFrame:
    """Count differing labels; where only right or wrong was stored, differing correctness.

    Parameters
    ----------
    scores : DataFrame
        Of `score_rows`.
    subsets : iterable of str
        In the order of the result.

    Returns
    -------
    DataFrame
        subset, rule, old_label, new_label, count; most frequent first within a subset.
    """
    old, new = scores["old_gold"], scores["new_gold"]
    same = ((old == new) | (old.isna() & new.isna())).fillna(False).astype(bool)
    vague = scores["old_outcome"].eq("unknown_label")
    same = same.where(~vague, scores["old_correct"] == scores["new_correct"])
    differ = scores.assign(rule=scores["rule"].fillna(scores["outcome"]))[~same]
    if differ.empty:
        return pd.DataFrame({name: pd.Series(dtype=object) for name in FLIPS[:-1]}).assign(
            count=pd.Series(dtype="int64")
        )
    counts = differ.groupby(FLIPS[:-1], dropna=False, sort=False).size().rename("count")
    flips = counts.reset_index()
    order = {name: position for position, name in enumerate(subsets)}
    key = flips.assign(subset=flips["subset"].map(order), count=-flips["count"])
    keys = key[["subset", "count", "rule", "old_label", "new_label"]].astype({"rule": str})
    keys = keys.astype({"old_label": str, "new_label": str})
    return flips.loc[keys.sort_values(list(keys.columns)).index].reset_index(drop=True)


def summarise(
    scores: pd.DataFrame, benchmark: str, registry: Registry, confidence: float
) -> pd.DataFrame:
    """Grade both scorers on the same answers, and the change.

    Parameters
    ----------
    scores : DataFrame
        Of `score_rows`.
    benchmark : str
        Name in the registry.
    registry : Registry
        Conventions.
    confidence : float
        Nominal coverage of the intervals.

    Returns
    -------
    DataFrame
        ``summary`` of `Rescore`: of each run, one row over all subsets and one per subset.
    """
    return each_run(scores, lambda part: _before_and_after(part, benchmark, registry, confidence))


def _before_and_after(
    scores: pd.DataFrame, benchmark: str, registry: Registry, confidence: float
) -> pd.DataFrame:
    stems = {"stem": scores["stem"]} if scores["stem"].notna().any() else {}
    work = pd.DataFrame({"subset": scores["subset"], "expected": scores["expected"], **stems})
    # A run that stored only right or wrong: its accuracy is known, its coverage is not.
    vague = scores["old_outcome"].eq("unknown_label")
    old_gold = scores["old_gold"].astype("Int64")
    said = old_gold.notna()
    columns = {"old": (old_gold, said), "new": (scores["new_gold"], scores["new_gold"].notna())}
    tables = {}
    for name, (gold, answered) in columns.items():
        outcome = np.where(answered, "answered", "no_answer")
        part = work.assign(gold=gold, outcome=outcome)
        tables[name] = grade(part, benchmark=benchmark, conventions=registry, confidence=confidence)
    rows = []
    for before, after in zip(tables["old"].rows, tables["new"].rows, strict=True):
        here = np.full(len(scores), before.subset == ALL) | (scores["subset"] == before.subset)
        part = scores[here]
        change = paired_change(
            part["old_correct"],
            part["new_correct"],
            clusters=_paired_stems(part),
            confidence=confidence,
        )
        one, two = before.accuracy, after.accuracy
        row: dict[str, Any] = {"subset": before.subset, "n": one.n}
        for name, found in (("old", one), ("new", two)):
            row |= {
                f"accuracy_{name}": found.accuracy,
                f"low_{name}": found.low,
                f"high_{name}": found.high,
                f"accuracy_answered_{name}": found.accuracy_answered,
                f"coverage_{name}": found.coverage,
            }
        if vague[here].any():
            row |= {"accuracy_answered_old": np.nan, "coverage_old": np.nan}
        row |= {"constant": two.constant, "balanced_new": two.balanced}
        row |= {name: getattr(change, name) for name in ("gained", "lost", "change")}
        row |= {name: getattr(change, name) for name in ("low", "high", "p_value")}
        reasons = dict.fromkeys([*two.reasons, *change.reasons])
        row |= {"confidence": confidence, "method": two.method, "change_method": change.method}
        row |= {"clusters": two.clusters, "reasons": tuple(reasons)}
        flags = [*(f"old_{flag}" for flag in one.flags), *two.flags, *change.flags]
        rows.append({**row, "flags": tuple(dict.fromkeys(flags))})
    return pd.DataFrame(rows)


def _paired_stems(part: pd.DataFrame) -> Any:
    if not part["stem"].notna().any():
        return None
    alone = np.arange(len(part)).astype(str)
    own = part["subset"] + "\t" + part["stem"].astype("string").fillna("")
    return np.where(part["stem"].notna(), own, "\t\t" + alone.astype(object))
