"""Evaluate the replies of a whole run, and ask a judge about all of them."""

from __future__ import annotations

import html
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.answers import Registry
from toolkit.answers.answer import Answer
from toolkit.answers.normalize import normalize
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError
from toolkit.plain import plain
from toolkit.scoring.judge.attempts import Ask, Attempt, check_asking
from toolkit.scoring.judge.evaluate import Evaluation, conclude, judge_prompt, prompt_digest
from toolkit.scoring.judge.items import ALIASES, Item, present, read_item
from toolkit.scoring.judge.journal import JudgeJournal
from toolkit.scoring.judge.pool import Pool
from toolkit.scoring.judge.report import JudgeReport, judge_report

RAW = ("raw_response", "agent_response", "model_response")
ATTEMPT_COLUMNS = ("item_id", "prompt_sha256", "number", "outcome", "error", "message", "reply")
OF_ANSWER = ("label", "gold", "polarity", "outcome", "rule", "stage", "span_start", "span_end")
OF_READING = ("level", "flags", "normalizer_version", "registry_digest", "raw_sha256")
OF_JUDGE = ("judge_label", "judge_gold", "judge_outcome", "agree", "not_asked")
NEW = (*OF_ANSWER, *OF_READING, "correct", *OF_JUDGE)
TYPES = {
    **dict.fromkeys(("gold", "span_start", "span_end", "judge_gold"), "Int64"),
    **dict.fromkeys(("correct", "agree"), "boolean"),
}


@dataclass(frozen=True, slots=True)
class EvaluatedFrame:
    """A run, graded, with what the judge said.

    Attributes
    ----------
    frame : DataFrame
        Every row and column of the input in its order, then label, gold, polarity, outcome, rule,
        stage, span_start, span_end, level, flags (joined by ";"), normalizer_version,
        registry_digest, raw_sha256 of the answer, correct, judge_label, judge_gold, judge_outcome,
        agree, not_asked; called ``answer_<name>`` where the input has a column of that name.
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
    1  c1        None  no_answer     <NA>     no_answer   <NA>
    """
    check_asking(ask, timeout, retries)
    pool = Pool(workers=workers, rate=rate, retries=retries, timeout=timeout)
    if not isinstance(frame, pd.DataFrame):
        raise AnswerError("no DataFrame", got=type(frame).__name__, allowed="a pandas DataFrame")
    registry = Registry.bundled() if conventions is None else Registry.read(conventions)
    asked_for = {"raw": raw, "id": item_id, "subset": subset, "subcategory": subcategory}
    asked_for |= {"version": version, "gold": gold, "text": text, "error": error}
    columns = _columns(frame, asked_for, judged=ask is not None)
    names = _new_names(frame)
    rows = list(_rows(frame, columns, benchmark, registry, level))
    prompts = [judge_prompt(*row) if ask else (None, "no_ask") for row in rows]
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
        conclude(row[0], row[2], calls[key] if key else (), not_asked=not_asked, prompt=prompt)
        for row, key, (prompt, not_asked) in zip(rows, keys, prompts, strict=True)
    )
    attempts = [
        {"item_id": key[0], "prompt_sha256": key[1], **attempt.to_dict()}
        for key, made in calls.items()
        for attempt in made
    ]
    return EvaluatedFrame(
        frame=_with_results(frame, evaluations, names),
        # As objects: pandas' own text type refuses the lone surrogates that models write.
        attempts=pd.DataFrame(attempts, columns=list(ATTEMPT_COLUMNS), dtype=object).astype(
            {"number": "int64"}
        ),
        report=judge_report(evaluations, seed=seed),
        evaluations=evaluations,
        flags=flags,
    )


def _columns(
    frame: pd.DataFrame, asked_for: Mapping[str, Hashable], *, judged: bool
) -> dict[str, Hashable]:
    found: dict[str, Hashable] = {}
    there: list[Hashable] = list(frame.columns)
    for role, name in asked_for.items():
        usual = RAW if role == "raw" else ALIASES.get(role, (role,))
        if name is not None:
            if there.count(name) != 1:
                raise AnswerError(
                    f"no column {name!r}{did_you_mean(name, there)}"
                    if name not in there
                    else f"two columns {name!r}",
                    allowed=there,
                    where=role,
                )
            found[role] = name
            continue
        candidates = [each for each in usual if each in there]
        if len(candidates) > 1 or there.count(candidates[0] if candidates else None) > 1:
            raise AnswerError(
                f"several columns could be the {role}",
                got=candidates,
                allowed="one of them",
                example=f"evaluate_frame(frame, {_argument(role)}={candidates[0]!r})",
            )
        if candidates:
            found[role] = candidates[0]
        elif role in ("raw", "id", "gold") or (role == "text" and judged):
            raise AnswerError(
                f"no column holds the {role}",
                got=there,
                allowed=usual,
                example=f'evaluate_frame(frame, {_argument(role)}="my_column")',
            )
    return found


def _argument(role: str) -> str:
    return "item_id" if role == "id" else role


def _new_names(frame: pd.DataFrame) -> dict[str, str]:
    there = set(frame.columns)
    names = {name: f"answer_{name}" if name in there else name for name in NEW}
    for name in names.values():
        if name in there:
            raise AnswerError(
                f"the frame has the columns {name.removeprefix('answer_')!r} and {name!r}",
                allowed="one of them free for the result",
                example=f'frame.rename(columns={{"{name}": "old_{name}"}})',
            )
    return names


def _rows(
    frame: pd.DataFrame,
    columns: Mapping[str, Hashable],
    benchmark: str,
    registry: Registry,
    level: str,
) -> Iterator[tuple[Item, Any, Answer]]:
    parts = {role: frame[name].tolist() for role, name in columns.items()}
    named = frame["benchmark"].tolist() if "benchmark" in frame.columns else None
    for position in range(len(frame)):
        cells = {role: values[position] for role, values in parts.items()}
        own = present(named[position]) if named else None
        cells["benchmark"] = benchmark if own is None else own
        if present(cells["id"]) is None:
            raise AnswerError("a row has no id", where=f"column {columns['id']!r}, row {position}")
        raw, why = cells.pop("raw"), present(cells.pop("error", None))
        item = read_item(cells, registry)
        failed = str(why) if why is not None and why is not False and str(why).strip() else None
        yield item, raw, normalize(raw, item.convention, level, error=failed)


def _with_results(
    frame: pd.DataFrame, evaluations: tuple[Evaluation, ...], names: Mapping[str, str]
) -> pd.DataFrame:
    cells = [_cells(one) for one in evaluations]
    result = frame.copy()
    for name in NEW:
        values = [row[name] for row in cells]
        kind = TYPES.get(name, "object")
        result[names[name]] = pd.Series(values, index=frame.index, dtype=kind)
    return result


def _cells(one: Evaluation) -> dict[str, Any]:
    answer, judge = one.answer, one.judge
    start, end = answer.span or (None, None)
    of_answer = ("label", "gold", "polarity", "outcome", "rule", "stage", *OF_READING)
    return {
        **{name: plain(getattr(answer, name)) for name in of_answer},
        "span_start": start,
        "span_end": end,
        "flags": ";".join(answer.flags),
        "correct": one.correct,
        "judge_label": judge.label if judge else None,
        "judge_gold": judge.gold if judge else None,
        "judge_outcome": judge.outcome if judge else None,
        "agree": one.agree,
        "not_asked": one.not_asked,
    }
