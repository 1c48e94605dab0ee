"""Grade a table of normalised answers: one row per subset and level, and one over all."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from toolkit.answers.answer import LEVELS, OUTCOMES
from toolkit.answers.registry import Registry
from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError, ConventionError
from toolkit.plain import plain
from toolkit.scoring.accuracy import Accuracy, accuracy

ALL = "all"
FEWEST = 2  # answers on offer
LARGEST = 1_000_000  # gold value; nothing offers more answers
LEFT_OUT = ("no_expected_gold",)


@dataclass(frozen=True, slots=True)
class Grade:
    """One group of graded answers.

    Attributes
    ----------
    level : str or None
        Level at which the answers were read; None where no column says so.
    subset : str
        ``all`` for the row over all subsets.
    accuracy : Accuracy
        Its statistics.
    outcomes : dict of str to int
        Graded rows per outcome, the ten of `Answer` first; their sum is ``accuracy.n``.
    left_out : dict of str to int
        Rows that could not be graded: ``no_expected_gold``.
    flags : tuple of str
        Those of ``accuracy``, and ``counts``: outcome and gold contradict each other in some rows
        (answered without gold, or gold without an answer); these count as unanswered.
    """

    level: str | None
    subset: str
    accuracy: Accuracy
    outcomes: dict[str, int]
    left_out: dict[str, int]
    flags: tuple[str, ...]

    def row(self) -> dict[str, Any]:
        """Give one flat row."""
        numbers = dict(self.accuracy.to_frame().iloc[0])
        reasons = numbers.pop("reasons")
        numbers.pop("flags")
        left_out = {f"left_out_{name}": self.left_out.get(name, 0) for name in LEFT_OUT}
        others = {name: count for name, count in self.outcomes.items() if name != "answered"}
        head = {"level": self.level, "subset": self.subset}
        tail = {"reasons": reasons, "flags": self.flags}
        return {**head, **numbers, **others, **left_out, **tail}


@dataclass(frozen=True, slots=True)
class Grades:
    """Grades by level and subset.

    Attributes
    ----------
    rows : tuple of Grade
        Levels from exact to lenient, in each of them the row over all and then the subsets.

    Examples
    --------
    >>> frame = pd.DataFrame({
    ...     "subset": "justice", "expected": [0, 1, 1], "gold": [0, 0, None],
    ...     "outcome": ["answered", "answered", "refusal"]})
    >>> grade(frame)["justice"].accuracy.correct
    1
    """

    rows: tuple[Grade, ...]

    def __getitem__(self, key: str | tuple[str, str | None]) -> Grade:
        subset, level = key if isinstance(key, tuple) else (key, None)
        found = [row for row in self.rows if row.subset == subset and level in (None, row.level)]
        if len(found) == 1:
            return found[0]
        raise AnswerError(
            f"{subset!r} was graded at several levels" if found else "no such group",
            got=key,
            allowed=[(row.subset, row.level) for row in found or self.rows],
            example=f"grades[{found[0].subset!r}, {found[0].level!r}]" if found else None,
        )

    def to_frame(self) -> pd.DataFrame:
        """Give one row per group.

        Returns
        -------
        DataFrame
            level, subset, the fields of `Accuracy`, a column for each
            outcome other than answered, left_out_no_expected_gold, reasons and flags.
        """
        table = pd.DataFrame([row.row() for row in self.rows])
        counts = [name for row in self.rows for name in row.outcomes if name in table.columns]
        return table.fillna(dict.fromkeys(counts, 0)).astype(dict.fromkeys(counts, "int64"))

    def to_dict(self) -> dict[str, Any]:
        """Give all groups as strict-JSON material.

        Returns
        -------
        dict
            ``{"rows": [...]}``.
        """
        return {"rows": [plain(row.row()) for row in self.rows]}

    def __repr__(self) -> str:
        lines = [f"{row.level or ''} {row.subset}: {row.accuracy}".strip() for row in self.rows]
        return "\n".join(["Grades", *(f"  {line}" for line in lines)])

    def _repr_html_(self) -> str:
        names = ["level", "subset", "n", "answered", "correct", "accuracy", "low", "high"]
        names += ["accuracy_answered", "coverage", "best", "constant", "balanced", "flags"]
        return str(self.to_frame()[names].round(3).to_html(index=False))


def grade(
    frame: pd.DataFrame,
    *,
    subset: Hashable = "subset",
    expected: Hashable = "expected",
    gold: Hashable = "gold",
    outcome: Hashable = "outcome",
    cluster: Hashable = "stem",
    level: Hashable = "level",
    benchmark: str = "he300",
    k: int | Mapping[str, int] | None = None,
    conventions: Any = None,
    confidence: float = 0.95,
) -> Grades:
    """Grade answers against their expected gold.

    Parameters
    ----------
    frame : DataFrame
        One row per answer.
    subset, expected, gold, outcome : hashable
        Columns: subset; expected gold; gold as read, missing where nothing was; outcome. Where the
        frame has ``answer_gold`` or ``answer_outcome``, as `normalize_frame` names them beside a
        column of the same name, these are meant.
    cluster : hashable, default "stem"
        Column of the item stem, used where it is there. A missing stem is a cluster of its own.
    level : hashable, default "level"
        Column of the level at which the answer was read, used where it is there.
    benchmark : str, default "he300"
        Says, with the registry, how many answers a subset offers.
    k : int or mapping of str to int, optional
        Answers on offer where no convention says so: of every subset, or by subset.
    conventions : path, mapping or Registry, optional
        Conventions of your own. Default: those of the package.
    confidence : float, default .95
        Nominal coverage of the intervals.

    Returns
    -------
    Grades
        Per level: one row over all subsets and one per subset. Unknown is null, never a class.

    Raises
    ------
    AnswerError
        A column that is not there or there twice, one column for both golds, a gold value that is
        no class of its subset, a level that is missing in some rows, a subset called "all", a ``k``
        below 2.
    ConventionError
        A benchmark or subset that the registry does not know, and ``k`` does not say.

    Notes
    -----
    See `accuracy`. The row over all pools the items; its constant answer is the best one of each
    subset, because the classes of two subsets are not comparable.

    Examples
    --------
    >>> frame = pd.DataFrame({
    ...     "subset": "justice", "expected": [0, 1, 1, 0], "gold": [0, 0, None, 0],
    ...     "outcome": ["answered", "answered", "refusal", "answered"]})
    >>> table = grade(frame).to_frame()
    >>> table[["subset", "n", "answered", "correct", "accuracy", "refusal"]]
        subset  n  answered  correct  accuracy  refusal
    0      all  4         3        2       0.5        1
    1  justice  4         3        2       0.5        1
    """
    if not isinstance(frame, pd.DataFrame):
        raise AnswerError(
            "no DataFrame", got=type(frame).__name__, allowed="a pandas DataFrame", where="frame"
        )
    # `normalize_frame` writes what was read beside an expected column of that name.
    gold = f"answer_{gold}" if f"answer_{gold}" in frame.columns else gold
    outcome = f"answer_{outcome}" if f"answer_{outcome}" in frame.columns else outcome
    if expected == gold:
        raise AnswerError(
            "the expected gold and the gold that was read are one column",
            got=expected,
            allowed="two columns",
            example="grade(frame, expected='gold', gold='answer_gold')",
        )
    there: list[Hashable] = list(frame.columns)
    columns = [subset, expected, gold, outcome]
    for name in columns:
        if name not in there:
            raise AnswerError(
                f"the column {name!r} is not there{did_you_mean(name, frame.columns)}",
                got=list(frame.columns),
                example="grade(frame, expected='expected_gold')",
            )
    for name in (*columns, level, cluster):
        if there.count(name) > 1:
            raise AnswerError(
                f"two columns {name!r}", got=there, allowed="one of each name", where="frame"
            )
    for name in (subset, outcome, level, cluster):
        if name in there:
            _check_cells(frame[name], name)
    registry = Registry.bundled() if conventions is None else Registry.read(conventions)
    work = pd.DataFrame(
        {
            "subset": frame[subset].astype("string").fillna("(none)").to_numpy(),
            "expected": _classes(frame[expected], expected),
            "gold": _classes(frame[gold], gold),
            "outcome": frame[outcome].astype("string").fillna("(none)").to_numpy(),
        }
    )
    work["level"] = frame[level].to_numpy() if level in there else None
    _check_groups(work, level)
    if cluster in there:
        # Stems of two subsets are two stems; an item of no known stem stands for itself.
        stem = frame[cluster].reset_index(drop=True)
        codes = stem.groupby([work["subset"], stem]).ngroup().to_numpy()
        codes = np.where(stem.isna(), -1, codes)
        alone = np.arange(len(frame)) + len(frame)
        work["stem"] = np.where(codes >= 0, codes, alone)
    if k is None:
        registry.find(benchmark, next(iter(registry.subsets(benchmark)), None))  # refuses unknown
    sizes = {name: _offered(registry, benchmark, name, part, k) for name, part in _by_subset(work)}
    known = [*LEVELS, *pd.unique(work["level"].dropna())]
    present = [one for one in dict.fromkeys(known) if (work["level"] == one).any()]
    rows = []
    for one in present or [None]:
        part = work if one is None else work[work["level"] == one]
        for name in (ALL, *sizes):
            group = part if name == ALL else part[part["subset"] == name]
            rows.append(_grade(one, name, group, sizes, confidence))
    return Grades(tuple(rows))


def _by_subset(work: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for name, part in work.groupby("subset", sort=False):
        yield str(name), part


def _check_cells(column: pd.Series[Any], name: Hashable) -> None:
    for row, cell in enumerate(column.tolist()):
        if isinstance(cell, list | dict | set | np.ndarray):
            raise AnswerError(
                "a cell holds several values",
                got=cell,
                allowed="text, a number, or nothing",
                where=f"column {name!r}, row {row}",
            )
        if isinstance(cell, str) and any("\ud800" <= char <= "\udfff" for char in cell):
            raise AnswerError(
                "a cell holds half of a character",
                got=cell,
                allowed="text that can be written as UTF-8",
                where=f"column {name!r}, row {row}",
            )


def _check_groups(work: pd.DataFrame, level: Hashable) -> None:
    missing = work["level"].isna().to_numpy()
    if missing.any() and not missing.all():
        raise AnswerError(
            "the level is missing in some rows",
            got=f"{int(missing.sum()):,} of {len(work):,} rows",
            allowed="a level in every row, or in none",
            where=f"column {level!r}, row {int(missing.nonzero()[0][0])}",
        )
    if (work["subset"] == ALL).any():
        raise AnswerError(
            f"a subset is called {ALL!r}, which names the row over all subsets",
            got=ALL,
            allowed="any other name",
            where="subset",
        )


def _classes(column: pd.Series[Any], name: Hashable) -> Any:
    _check_cells(column, name)
    try:
        numbers = pd.to_numeric(column, errors="coerce").astype("Float64")
    except TypeError:  # complex numbers
        numbers = pd.Series(pd.NA, index=column.index, dtype="Float64")
    bad = (column.notna() & numbers.isna()) | (numbers < 0) | (numbers % 1 != 0)
    bad |= numbers > LARGEST  # infinite, or no number of an answer on offer
    bad = bad.fillna(False)
    if bad.any():
        first = bad.to_numpy().nonzero()[0][0]
        raise AnswerError(
            "a gold value is a whole number, 0 or more, or missing",
            got=column.iloc[first],
            where=f"column {name!r}, row {first}",
            example="expected: 1",
        )
    return numbers.astype("Int64").array


def _offered(
    registry: Registry,
    benchmark: str,
    name: str,
    part: pd.DataFrame,
    given: int | Mapping[str, int] | None,
) -> int:
    k = given.get(name) if isinstance(given, Mapping) else given
    if k is None:
        try:
            k = registry.find(benchmark, name).k
        except ConventionError as error:
            raise ConventionError(
                error.what,
                got=error.got,
                allowed=error.allowed,
                example=f"grade(frame, k={{{name!r}: 2}}) says how many answers it offers",
                where=f"{len(part):,} rows",
            ) from None
    if isinstance(k, bool) or not isinstance(k, int) or k < FEWEST:
        raise AnswerError(
            "`k` is no number of answers", got=k, allowed="2 or more", example="k=2", where="k"
        )
    seen = pd.concat([part["expected"], part["gold"]]).max()
    if not pd.isna(seen) and seen >= k:
        raise AnswerError(
            f"a gold value is no class of {name!r}", got=int(seen), allowed=list(range(k))
        )
    return k


def _grade(
    level: str | None, name: str, part: pd.DataFrame, sizes: dict[str, int], confidence: float
) -> Grade:
    usable = part[part["expected"].notna()]
    counted = {str(one): n for one, n in usable["outcome"].value_counts().items()}
    outcomes = {one: int(counted.get(one, 0)) for one in (*OUTCOMES, *sorted(counted))}
    said = (usable["outcome"] == "answered").to_numpy()
    has_gold = usable["gold"].notna().to_numpy()
    read = said & has_gold
    gold = usable["expected"].to_numpy(dtype=int)
    answer = usable["gold"].fillna(-1).to_numpy(dtype=int)
    tables = []
    for subset, k in sizes.items():
        here = (usable["subset"] == subset).to_numpy()
        if name in (ALL, subset):
            table = np.zeros((k, k + 1))
            np.add.at(table, (gold[here], np.where(read, answer, k)[here]), 1)
            tables.append(table)
    clusters = None
    if "stem" in usable.columns:
        right = read & (gold == answer)
        sums = pd.DataFrame({"n": 1, "answered": read.astype(int), "correct": right.astype(int)})
        clusters = sums.groupby(usable["stem"].to_numpy()).sum().to_numpy()
    found = accuracy([table.tolist() for table in tables], clusters=clusters, confidence=confidence)
    flags = (*found.flags, *(("counts",) if (said != has_gold).any() else ()))
    left_out = {"no_expected_gold": len(part) - len(usable)} if len(part) > len(usable) else {}
    return Grade(level, name, found, outcomes, left_out, flags)
