"""Score stored answers again, beside the old scores and never over them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolkit.answers.answer import LEVELS, NORMALIZER_VERSION
from toolkit.answers.registry import Registry
from toolkit.answers.tables.frame import normalize_frame
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError
from toolkit.scoring.rescoring.old_scores import old_scorer
from toolkit.scoring.rescoring.result import Rescore
from toolkit.scoring.rescoring.score_set import digest_of, write_score_set
from toolkit.scoring.rescoring.stored_runs import StoredRuns, read_runs
from toolkit.scoring.rescoring.tables import (
    count_flips,
    grade_levels,
    ladder_rows,
    score_rows,
    summarise,
)


def rescore(
    rows: Any,
    level: str = "structured",
    *,
    old: str | Callable[..., Any] | None = None,
    benchmark: str = "he300",
    conventions: Any = None,
    out: str | Path | None = None,
    confidence: float = 0.95,
    workers: int | None = 1,
) -> Rescore:
    """Read the raw answers of stored runs again and say what changes, by run and over all.

    Parameters
    ----------
    rows : path, DataFrame, list of mappings or batch
        As `toolkit.scoring.read_runs` takes them. Never changed. The column ``run`` (or run_id,
        batch_id) names the run, else ``model``.
    level : {"exact", "strict", "structured", "lenient"}
        Strict: a JSON answer has not answered. Structured (default): it has, read by the item's own
        coding. Which one holds is for the owner of the benchmark to say.
    old : str or callable, optional
        What to compare with. Default: each run's own scores where it holds any, else, for
        HE-300, "legacy_benchmark_strict" (flag ``old_scores_computed``). "stored": the run's own
        predicted_label, else is_correct.
        "legacy_benchmark_strict", "legacy_benchmark_lenient", "legacy_node": a published scorer
        with its faults. A callable: ``old(raw, category)`` gives a gold value or None.
    benchmark : str, default "he300"
        Name in the registry.
    conventions : path, mapping or Registry, optional
        Conventions of your own. Default: those of the package.
    out : path, optional
        Folder in which a new folder with scores.csv, flips.csv, refused.csv, by_level.csv and
        summary.json is made, named by level, old scorer and digest. An existing one is never
        overwritten.
    confidence : float, default .95
        Nominal coverage of the intervals.
    workers : int or None, default 1
        Processes; None uses all cores. The result is the same.

    Returns
    -------
    Rescore
        Scores, flips, summary, refused rows, the ladder of levels, versions of both scorers.

    Raises
    ------
    AnswerError
        Rows that can't be read, an unknown level or scorer, a run without scores of its own, a
        score set that is there already.

    Examples
    --------
    >>> rows = [
    ...     {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...      "agent_response": '{"label": 1}'},
    ...     {"scenario_id": "j2", "category": "justice", "expected_label": 0,
    ...      "agent_response": "UNREASONABLE"}]
    >>> found = rescore(rows)
    >>> found.flips
        subset         rule     old_label   new_label  count
    0  justice  neutral_key  UNREASONABLE  REASONABLE      1
    >>> found.summary.loc[0, ["accuracy_old", "accuracy_new"]].tolist()
    [0.5, 1.0]

    Several runs are told apart, and the rows over all of them are called "all".

    >>> both = rescore([{**row, "model": name} for name in ("a", "b") for row in rows])
    >>> both.summary.loc[both.summary["subset"] == "all", ["run", "n", "accuracy_new"]]
       run  n  accuracy_new
    0  all  4           1.0
    2    a  2           1.0
    4    b  2           1.0
    """
    if level not in LEVELS:
        raise AnswerError(
            f"unknown level{did_you_mean(level, LEVELS)}", got=level, allowed=LEVELS, where="level"
        )
    if out is not None and not isinstance(out, str | Path):
        raise AnswerError(
            "`out` is no path", got=out, allowed="a folder", example='out="scores"', where="out"
        )
    registry = Registry.bundled() if conventions is None else Registry.read(conventions)
    runs = read_runs(rows, benchmark=benchmark, conventions=registry)
    before = old_scorer(runs, old, benchmark)
    read = normalize_frame(
        runs.frame[["raw", "subset"]],
        raw="raw",
        subset="subset",
        benchmark=benchmark,
        conventions=registry,
        level=level,
        ladder=True,
        workers=workers,
    )
    scores = score_rows(runs, before, read, level)
    version = "; ".join(dict.fromkeys(before.version)) or before.name
    key = digest_of(scores, runs.refused, level=level, old=version, registry=registry.digest)
    versions = {
        "old_scorer": version,
        "new_scorer": f"normalizer {NORMALIZER_VERSION}",
        "conventions_digest": registry.digest,
        "source": runs.name,
        "source_sha256": runs.sha256,
        "score_set": key,
    }
    result = Rescore(
        scores=scores,
        flips=count_flips(scores, runs.conventions),
        summary=summarise(scores, benchmark, registry, confidence),
        refused=runs.refused,
        by_level=grade_levels(ladder_rows(runs, read), benchmark, registry, confidence),
        level=level,
        old=before.name,
        versions=versions,
        flags=(*before.flags, *_left_out(runs)),
    )
    if out is None:
        return result
    name = f"{level}-{before.name.replace(' ', '-')}-{key[:12]}"
    folder = write_score_set(result, Path(out), name)
    return replace(result, folder=str(folder))


def _left_out(runs: StoredRuns) -> tuple[str, ...]:
    """Say how many rows were refused; the table `refused` has the reason of each."""
    refused = len(runs.refused)
    nothing = ("nothing_scored",) if refused and runs.frame.empty else ()
    return (*nothing, f"rows_refused:{refused}") if refused else ()
