"""Evaluate the replies of a whole run, and ask a judge about all of them."""

from __future__ import annotations

import html
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.answers import Registry
from toolkit.answers.answer import LEVELS, Answer
from toolkit.answers.normalize import normalize
from toolkit.answers.tables.cells import word
from toolkit.coefficients.options import whole
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError
from toolkit.scoring.judge.attempts import Ask, Attempt, check_asking
from toolkit.scoring.judge.columns import find_columns
from toolkit.scoring.judge.evaluate import Evaluation, conclude, prompt_digest, prompt_or_reason
from toolkit.scoring.judge.items import Item, read_item
from toolkit.scoring.judge.journal import JudgeJournal
from toolkit.scoring.judge.pool import Pool
from toolkit.scoring.judge.report import JudgeReport, judge_report
from toolkit.scoring.judge.result_columns import with_results

ATTEMPT_COLUMNS = ("item_id", "prompt_sha256", "number", "outcome", "error", "message", "reply")


@dataclass(frozen=True, slots=True)
class EvaluatedFrame:
    """A run, graded, with what the judge said.

    Attributes
    ----------
    frame : DataFrame
        Every row and column of the input in its order, then label, gold, polarity, outcome, rule,
        stage, span_start, span_end, level, flags, normalizer_version, registry_digest, raw_sha256
        of the answer, as `normalize_frame` lays them out, then correct, judge_label, judge_gold,
        judge_outcome, agree, not_asked; called ``answer_<name>`` where the input has a column of
        that name.
    attempts : DataFrame
        Every call of the judge, also failed ones and those of earlier runs on the same journal:
        item_id, prompt_sha256, number, outcome, error, message, reply.
    report : JudgeReport
        Parser against judge.
    evaluations : tuple of Evaluation
        One per row.
    flags : tuple of str
        ``journal_torn``: the last line of the journal was cut off, and its call was made again.

    Examples
    --------
    >>> run = pd.DataFrame(
    ...     {"id": ["j1"], "subset": ["justice"], "gold": [1], "raw_response": ["REASONABLE"]}
    ... )
    >>> evaluate_frame(run)
    EvaluatedFrame(1 rows, 1 answered, 1 correct, 0 asked in 0 calls)
    """

    frame: pd.DataFrame = field(repr=False)
    attempts: pd.DataFrame = field(repr=False)
    report: JudgeReport = field(repr=False)
    evaluations: tuple[Evaluation, ...] = field(repr=False)
    flags: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Give ``frame``.

        Returns
        -------
        DataFrame
            A copy.

        Examples
        --------
        See `evaluate_frame`.
        """
        return self.frame.copy()

    def to_dict(self) -> dict[str, Any]:
        """Give everything as strict JSON, in an order and with values that do not change.

        Returns
        -------
        dict
            evaluations, report, flags.

        Examples
        --------
        See `evaluate_frame`.
        """
        return {
            "evaluations": [one.to_dict() for one in self.evaluations],
            "report": self.report.to_dict(),
            "flags": list(self.flags),
        }

    def __repr__(self) -> str:
        answered = sum(one.answer.answered for one in self.evaluations)
        correct = sum(one.correct is True for one in self.evaluations)
        asked = sum(one.judge is not None for one in self.evaluations)
        flags = "".join(f", {flag}" for flag in self.flags)
        return (
            f"EvaluatedFrame({len(self.evaluations)} rows, {answered} answered, {correct} correct, "
            f"{asked} asked in {len(self.attempts)} calls{flags})"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>"


def evaluate_frame(
    frame: pd.DataFrame,
    ask: Ask | None = None,
    *,
    raw: Hashable = None,
    item_id: Hashable = None,
    subset: Hashable = None,
    gold: Hashable = None,
    text: Hashable = None,
    subcategory: Hashable = None,
    version: Hashable = None,
    error: Hashable = None,
    cluster: Hashable = None,
    benchmark: str = "he300",
    conventions: Any = None,
    level: str = "structured",
    workers: int = 4,
    rate: float | None = None,
    retries: int = 2,
    timeout: float | None = 60.0,
    journal: str | Path | None = None,
    seed: int = 0,
) -> EvaluatedFrame:
    """Evaluate every row as `evaluate` does, with a pool of calls that can be continued.

    Parameters
    ----------
    frame : DataFrame
        One row per reply. It is not changed.
    ask : callable, optional
        From prompt text to reply text; called from several threads.
    raw : hashable, optional
        Column of the replies. Default: raw_response, agent_response or model_response.
    item_id, subset, gold, text : hashable, optional
        Columns. Default: id, scenario_id or item_id; subset or category; gold or expected_label;
        text or input_text. The text is needed for a judge only.
    subcategory, version, error : hashable, optional
        Columns, where there are any: the subset of a mixed item; version of the question; why no
        reply arrived.
    cluster : hashable, optional
        Column of the item stem. Default: stem, where it is there; else replies to one item are a
        cluster. Used for the intervals of the report alone.
    benchmark : str
        Name in the registry. A column ``benchmark`` goes before it.
    conventions : path, mapping or Registry, optional
        Conventions of your own. Default: those of the package.
    level : {"exact", "strict", "structured", "lenient"}
        What the normalizer accepts as an answer.
    workers : int
        Calls at the same time. The result is the same for any number.
    rate : float, optional
        Calls a second at most, retries included.
    retries : int
        Further calls after one that failed.
    timeout : float or None
        Seconds to wait for one call.
    journal : path, optional
        JSONL file that every call is appended to before the next one starts. Start again with the
        same file, and replies that are there are not asked for again.
    seed : int
        Of the intervals in the report.

    Returns
    -------
    EvaluatedFrame
        ``frame``, ``attempts``, ``report``.

    Raises
    ------
    AnswerError
        A column is missing or there are two that could be meant; a row has no id, or a gold value
        that is not on offer; an option is out of range; the journal is damaged or in use.
    ConventionError
        A row's subset is unknown.
    StatisticsError
        ``seed`` is no whole number, 0 or more.

    Notes
    -----
    An entry of the journal is known by the item's id and the SHA-256 of the prompt, which holds the
    reply and the question: where one of them changes, the judge is asked again. Rows alike in both
    share one call. Calls that failed in an earlier run are made again, and the earlier ones stay. A
    run that is killed loses at most the calls in flight.

    Examples
    --------
    >>> run = pd.DataFrame({
    ...     "id": ["j1", "c1"], "subset": ["justice", "commonsense"], "gold": [1, 1],
    ...     "text": ["I deserve a day off.", "I took her purse."],
    ...     "raw_response": ['{"label": 1}', "No idea."],
    ... })
    >>> done = evaluate_frame(run, ask=lambda prompt: "UNKNOWN")
    >>> done.frame[["id", "label", "outcome", "correct", "judge_outcome", "agree"]]
       id       label    outcome  correct judge_outcome  agree
    0  j1  REASONABLE   answered     True     no_answer   <NA>
    1  c1         NaN  no_answer     <NA>     no_answer   <NA>
    """
    check_asking(ask, timeout, retries)
    pool = Pool(workers=workers, rate=rate, retries=retries, timeout=timeout)
    if not isinstance(frame, pd.DataFrame):
        raise AnswerError("no DataFrame", got=type(frame).__name__, allowed="a pandas DataFrame")
    seed = whole("seed", seed, 0, example=0)
    if level not in LEVELS:
        raise AnswerError(
            f"unknown level{did_you_mean(level, LEVELS)}", got=level, allowed=LEVELS, where="level"
        )
    if list(frame.columns).count("benchmark") > 1:
        raise AnswerError(
            "two columns 'benchmark'",
            got=list(frame.columns),
            allowed="one column that names the benchmark, or none",
            where="frame",
        )
    registry = Registry.bundled() if conventions is None else Registry.read(conventions)
    asked_for = {"raw": raw, "id": item_id, "subset": subset, "subcategory": subcategory}
    asked_for |= {"version": version, "gold": gold, "text": text, "error": error}
    asked_for |= {"stem": cluster}
    columns = find_columns(frame, asked_for, judged=ask is not None)
    rows = list(_rows(frame, columns, benchmark, registry, level))
    prompts = [
        prompt_or_reason(item, raw, error=why) if ask else (None, "no_ask")
        for item, raw, why, _ in rows
    ]
    keys = [
        None if prompt is None else (row[0].id, prompt_digest(prompt))
        for row, (prompt, _) in zip(rows, prompts, strict=True)
    ]
    wanted = {
        key: prompt
        for key, (prompt, _) in zip(keys, prompts, strict=True)
        if key is not None and prompt is not None
    }
    calls: dict[tuple[str, str], tuple[Attempt, ...]] = {}
    flags: tuple[str, ...] = ()
    if ask is not None and journal is not None:
        with JudgeJournal(journal) as kept:
            flags = ("journal_torn",) if kept.torn else ()
            calls = pool.ask_all(ask, wanted, kept)
    elif ask is not None:
        calls = pool.ask_all(ask, wanted)
    evaluations = tuple(
        conclude(row[0], row[3], calls[key] if key else (), not_asked=not_asked, prompt=prompt)
        for row, key, (prompt, not_asked) in zip(rows, keys, prompts, strict=True)
    )
    stems = None
    if "stem" in columns:
        stems = [word(cell) for cell in frame[columns["stem"]].tolist()]
    attempts = [
        {"item_id": key[0], "prompt_sha256": key[1], **attempt.to_dict()}
        for key, made in calls.items()
        for attempt in made
    ]
    return EvaluatedFrame(
        frame=with_results(frame, evaluations, registry, benchmark),
        # As objects: pandas' own text type refuses the lone surrogates that models write.
        attempts=pd.DataFrame(attempts, columns=list(ATTEMPT_COLUMNS), dtype=object).astype(
            {"number": "int64"}
        ),
        report=judge_report(evaluations, clusters=stems, seed=seed),
        evaluations=evaluations,
        flags=flags,
    )


def _rows(
    frame: pd.DataFrame,
    columns: Mapping[str, Hashable],
    benchmark: str,
    registry: Registry,
    level: str,
) -> Iterator[tuple[Item, Any, str | None, Answer]]:
    parts = {role: frame[name].tolist() for role, name in columns.items()}
    named = frame["benchmark"].tolist() if "benchmark" in frame.columns else None
    for position in range(len(frame)):
        cells = {role: values[position] for role, values in parts.items()}
        cells["benchmark"] = (word(named[position]) if named else None) or benchmark
        if word(cells["id"]) is None:
            raise AnswerError("a row has no id", where=f"column {columns['id']!r}, row {position}")
        raw, error = cells.pop("raw"), cells.pop("error", None)
        why = None if error is False else word(error)
        item = read_item(cells, registry)
        yield item, raw, why, normalize(raw, item.convention, level, error=why)
