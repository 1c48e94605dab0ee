"""Published totals: read them, see whether they add up, and which rows are one run told twice."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.answers.tables.cells import present, whole
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError

REQUIRED = ("subset", "correct", "total")
OPTIONAL_COUNTS = ("scored", "unknown", "errors")
SHARES = ("accuracy", "accuracy_all", "accuracy_answered")
EXAMPLE = 'pd.DataFrame({"subset": ["justice"], "correct": [13], "total": [60]})'
LARGEST = 1_000_000_000  # replies in one row; exact tests of more would not end
ROUNDING = 0.00051  # three published decimals, or one of a percentage


@dataclass(frozen=True, slots=True)
class Total:
    """One published row.

    Attributes
    ----------
    subset : str
        Of the benchmark.
    correct, answered : int
        Right answers, and the replies they are of: those that were scored, where that is known.
    faults : tuple of str
        Why the counts can't all be true.
    notes : tuple of str
        What a reader should know about the denominators.
    run : tuple
        Equal for the rows of one run.
    setup : tuple
        Equal for the runs of one setup, whatever their time.

    Examples
    --------
    >>> Total("justice", 13, 60, (), (), ("m", "today"), ("m",)).correct
    13
    """

    subset: str
    correct: int
    answered: int
    faults: tuple[str, ...]
    notes: tuple[str, ...]
    run: tuple[Any, ...]
    setup: tuple[Any, ...]


def read_totals(source: Any) -> pd.DataFrame:
    """Take a frame or the path of a CSV file with subset, correct and total.

    Parameters
    ----------
    source : DataFrame, str or Path
        One row per run and subset.

    Returns
    -------
    DataFrame
        A copy.

    Raises
    ------
    AnswerError
        No such file, or a column is missing.

    Examples
    --------
    >>> read_totals(pd.DataFrame({"subset": ["justice"], "correct": [13]}))
    Traceback (most recent call last):
    ...
    toolkit.errors.AnswerError: no column 'total'. Got: ['subset', 'correct']. Allowed: 'subset',
    'correct', 'total'. Example: pd.DataFrame({"subset": ["justice"], "correct": [13], "total":
    [60]}).
    """
    if isinstance(source, str | Path):
        try:
            frame = pd.read_csv(source)
        except (OSError, ValueError) as error:
            raise AnswerError(
                "the totals can't be read", got=str(error), where=Path(source).name
            ) from None
    elif isinstance(source, pd.DataFrame):
        frame = source.copy()
    else:
        raise AnswerError("no totals", got=source, allowed="a DataFrame or a path", example=EXAMPLE)
    there = list(frame.columns)
    for name in REQUIRED:
        if there.count(name) != 1:
            what = "no column" if name not in there else "two columns"
            raise AnswerError(
                f"{what} {name!r}{did_you_mean(name, [n for n in there if n not in REQUIRED])}",
                got=there,
                allowed=REQUIRED,
                example=EXAMPLE,
            )
    return frame


def rows_of(frame: pd.DataFrame, keys: Sequence[str] | None, timestamp: str) -> list[Total]:
    """Check the counts of every row and say which run it belongs to.

    Parameters
    ----------
    frame : DataFrame
        Of `read_totals`.
    keys : sequence of str or None
        Columns that name a setup; None: all that are no counts, no shares and no floats.
    timestamp : str
        The column that tells runs of one setup apart, where there is one.

    Returns
    -------
    list of Total
        One per row, in their order.

    Examples
    --------
    >>> frame = pd.DataFrame({"subset": ["justice"], "correct": [61], "total": [60]})
    >>> rows_of(frame, None, "timestamp")[0].faults
    ('correct_above_total',)
    """
    if not isinstance(timestamp, Hashable):
        raise AnswerError(
            "`timestamp` is no column",
            got=timestamp,
            allowed=list(frame.columns),
            where="timestamp",
        )
    counted = {*REQUIRED, *OPTIONAL_COUNTS, *SHARES, timestamp}
    if keys is None:
        keys = [
            name
            for name in frame.columns
            if name not in counted and not pd.api.types.is_float_dtype(frame[name])
        ]
    if isinstance(keys, str) or not isinstance(keys, Sequence):
        raise AnswerError(
            "`keys` is no list of columns",
            got=keys,
            allowed=list(frame.columns),
            example='keys=["model"]',
            where="keys",
        )
    percent = {name for name in SHARES if name in frame.columns and _in_percent(frame[name])}
    for name in keys:
        if name not in list(frame.columns):
            raise AnswerError(
                f"no column {name!r}{did_you_mean(name, frame.columns)}",
                allowed=list(frame.columns),
                where="keys",
            )
    seen: dict[Any, int] = {}
    rows = []
    for position, record in enumerate(frame.to_dict("records")):
        subset = present(record["subset"])
        if subset is None:
            raise AnswerError("a row names no subset", where=f"row {position}")
        if isinstance(subset, tuple) or not isinstance(subset, Hashable):
            raise AnswerError(
                "a subset is no name", got=subset, allowed="text", where=f"row {position}"
            )
        setup = tuple(str(record[name]) for name in keys)
        when = str(record[timestamp]) if timestamp in record else ""
        # A whole table printed twice is a run told twice, also without a time.
        nth = seen[setup, when, subset] = seen.get((setup, when, subset), 0) + 1
        counts = {
            name: record[name] for name in (*REQUIRED[1:], *OPTIONAL_COUNTS) if name in record
        }
        numbers = {name: whole(value) for name, value in counts.items()}
        faults = _faults(counts, numbers)
        answered = 0 if faults else _answered(numbers)
        shares = {
            name: None if present(record[name]) is None else _share(record[name], name in percent)
            for name in SHARES
            if name in record
        }
        if not faults:
            faults = _faults_of_shares(shares, numbers, answered)
        notes = () if faults else _notes(shares, numbers, answered)
        correct = numbers["correct"] or 0
        rows.append(Total(str(subset), correct, answered, faults, notes, (setup, when, nth), setup))
    return rows


def first_tellings(rows: Sequence[Total]) -> list[int]:
    """Give for each row the position of the row it repeats, or its own.

    A run repeats an earlier one where setup, subsets and all counts are equal: the time apart.

    Parameters
    ----------
    rows : sequence of Total
        Of `rows_of`.

    Returns
    -------
    list of int
        One position per row.

    Examples
    --------
    >>> one = Total("justice", 13, 60, (), (), ("m", "monday"), ("m",))
    >>> two = Total("justice", 13, 60, (), (), ("m", "tuesday"), ("m",))
    >>> first_tellings([one, two])
    [0, 0]
    """
    runs: dict[Any, list[int]] = {}
    for position, row in enumerate(rows):
        runs.setdefault(row.run, []).append(position)
    known: dict[Any, list[int]] = {}
    first = list(range(len(rows)))
    for members in runs.values():
        ordered = sorted(members, key=lambda position: rows[position].subset)
        told = tuple((rows[p].subset, rows[p].correct, rows[p].answered) for p in ordered)
        if any(rows[p].faults for p in ordered):
            continue
        original = known.setdefault((rows[ordered[0]].setup, told), ordered)
        for position, earlier in zip(ordered, original, strict=True):
            first[position] = earlier
    return first


def _faults(counts: Mapping[str, Any], numbers: Mapping[str, int | None]) -> tuple[str, ...]:
    optional = {name for name in OPTIONAL_COUNTS if present(counts.get(name)) is None}
    told = {name: number for name, number in numbers.items() if name not in optional}
    faults = [
        f"{name}_missing" if present(counts[name]) is None else f"{name}_not_whole"
        for name, number in told.items()
        if number is None
    ]
    known = {name: number for name, number in told.items() if number is not None}
    faults += [f"{name}_negative" for name, number in known.items() if number < 0]
    faults += [f"{name}_too_large" for name, number in known.items() if number > LARGEST]
    if faults:
        return tuple(faults)
    correct, total = known["correct"], known["total"]
    scored, unknown, errors = (known.get(name) for name in OPTIONAL_COUNTS)
    sums = {(scored or 0) + (unknown or 0), (scored or 0) + (unknown or 0) + (errors or 0)}
    checks = [
        ("correct_above_total", correct > total),
        ("correct_above_scored", scored is not None and correct > scored),
        ("scored_above_total", scored is not None and scored > total),
        (
            "scored_and_unknown_are_not_total",
            scored is not None and unknown is not None and total not in sums,
        ),
        (
            "correct_unknown_and_errors_above_total",
            scored is None and correct <= total < correct + (unknown or 0) + (errors or 0),
        ),
    ]
    return tuple(name for name, holds in checks if holds)


def _answered(numbers: Mapping[str, int | None]) -> int:
    scored = numbers.get("scored")
    if scored is not None:
        return scored
    return (numbers["total"] or 0) - (numbers.get("unknown") or 0) - (numbers.get("errors") or 0)


def _number(value: Any) -> float:
    try:
        return float(str(value).strip().removesuffix("%"))
    except ValueError:
        return math.nan


def _in_percent(column: pd.Series[Any]) -> bool:
    """Settle the unit of a column: 0.5 beside 95 is half a percent."""
    cells = [value for value in column.tolist() if present(value) is not None]
    signed = any(str(value).strip().endswith("%") for value in cells)
    return signed or any(_number(value) > 1 + ROUNDING for value in cells)


def _share(value: Any, percent: bool) -> float:  # noqa: FBT001 - private
    """Give a published share, as a part of 1."""
    return _number(value) / 100 if percent else _number(value)


def _denominators(share: float, numbers: Mapping[str, int | None], answered: int) -> set[str]:
    correct, total = numbers["correct"] or 0, numbers["total"] or 0
    named = {"all": total, "answered": answered}
    return {name for name, n in named.items() if n and abs(correct / n - share) <= ROUNDING}


def _faults_of_shares(
    shares: Mapping[str, Any], numbers: Mapping[str, int | None], answered: int
) -> tuple[str, ...]:
    faults = []
    for name, share in shares.items():
        if share is None or not answered:
            continue
        fitting = _denominators(share, numbers, answered)
        wanted = name.removeprefix("accuracy").removeprefix("_")
        if not fitting or (wanted and wanted not in fitting):
            faults.append(f"{name}_is_not_correct_by_{wanted or 'all_or_answered'}")
    return tuple(faults)


def _notes(
    shares: Mapping[str, Any], numbers: Mapping[str, int | None], answered: int
) -> tuple[str, ...]:
    notes = []
    if numbers.get("scored") is None and numbers.get("unknown") is None:
        notes.append("unknown_not_published")
    if (numbers["total"] or 0) != answered:
        notes.append("answered_only")
    if present(shares.get("accuracy")) is not None and (numbers["total"] or 0) != answered:
        fitting = _denominators(shares["accuracy"], numbers, answered)
        notes += [f"accuracy_over_{name}" for name in sorted(fitting)]
    return tuple(notes)
