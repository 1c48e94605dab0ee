"""A table of raw answers becomes a table of answers: pandas in, pandas out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from toolkit.answers.tables.options import Options
from toolkit.answers.tables.plan import Column, Plan, Scanned, make_plan, row_keys
from toolkit.answers.tables.progress import progress_bar
from toolkit.answers.tables.workers import Workers
from toolkit.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from toolkit.answers.contract import Contract
    from toolkit.answers.convention import Convention
    from toolkit.answers.tables.lookup import Key


def normalize_frame(
    frame: pd.DataFrame,
    convention: Convention | None = None,
    *,
    contract: Contract | None = None,
    raw: Hashable = "raw_response",
    benchmark: str | None = None,
    subset: Hashable = None,
    subcategory: Hashable = None,
    version: Hashable = None,
    conventions: Any = None,
    level: str | None = None,
    strict_first_word: bool = False,
    error: Hashable = None,
    judge: Hashable = None,
    item: Hashable = "item_id",
    call_id: Hashable = None,
    workers: int | None = 1,
    progress: bool | None = None,
    ladder: bool = False,
) -> pd.DataFrame:
    """Read the raw answer of every row.

    One of three arguments says how: ``convention`` for all rows, ``benchmark`` with the column
    ``subset`` for each row its own, or ``contract`` where one reply labels several constructs.

    Parameters
    ----------
    frame : DataFrame
        One row per reply. It is not changed.
    convention : Convention, optional
        The question of all rows.
    contract : Contract, optional
        The constructs that every reply labels. The result is then a label table.
    raw : hashable, default "raw_response"
        Column of the replies. Whatever stands there is read; what is no reply is no answer.
    benchmark : str, optional
        Name in the registry.
    subset, subcategory : hashable, optional
        **Columns** with each row's subset and subcategory. A benchmark of one subset needs none.
    version : hashable, optional
        A column with the version of each row's question, else the version of all rows. Default:
        the first of each subset.
    conventions : path, mapping or Registry, optional
        Conventions of your own, see `Registry.read`. Default: those of the package.
    level : {"exact", "strict", "structured", "lenient"}, optional
        Default "structured".
    strict_first_word : bool, default False
        The same as level strict: a JSON answer has not answered.
    error : hashable, optional
        Column that says why no reply arrived; missing, blank or False where one did.
    judge : hashable, optional
        With a contract: the column of the judges' names, else the name of the only judge.
    item : hashable, default "item_id"
        With a contract: the column that becomes ``item_id``.
    call_id : hashable, optional
        With a contract: the column of the calls. Default: ``call_id`` where there is one. A call
        without a name gets one, and the flag ``call_id_generated``.
    workers : int or None, default 1
        Processes; None uses all cores. The result is the same; starting them takes a second
        or two, which pays beyond some 50,000 replies.
    progress : bool, optional
        Show a bar on the standard error. Default: beyond 20,000 rows, where somebody looks.
    ladder : bool, default False
        Read every level as well: columns ``outcome_<level>``, ``label_<level>``, ``gold_<level>``,
        ``rule_<level>`` and ``flags_<level>``.

    Returns
    -------
    DataFrame
        Without a contract: every row and column of ``frame`` in its order and with its index, and
        label, gold, polarity, outcome, rule, stage, span_start, span_end, level, flags (joined by
        ";"), normalizer_version, registry_digest, raw_sha256 as in `Answer`. Where ``frame`` has a
        column of that name, it stays as it is, and the new one is called ``answer_<name>``.

        With a contract: a label table that `read_labels` takes as it is, one row per reply and
        construct, also where no label was read (missing). Columns item_id, construct, rater_id,
        rater_kind ("judge"), label, call_id, outcome, rule, stage, level, flags, span_start,
        span_end, normalizer_version, registry_digest, raw_sha256, then the other columns of
        ``frame``; one that has a name of the former is called ``input_<name>``.

    Raises
    ------
    AnswerError
        Arguments that do not go together, a column that is not there, an unknown level, a row
        without item or judge, a worker that died.
    ConventionError
        A subset, subcategory or version that the registry does not know, with its number of rows
        and the first of them, before anything is read.

    Notes
    -----
    Names and types of the columns depend on the arguments and on the columns of ``frame``, never on
    what its rows hold: label is Int64 (Float64) where all labels on offer are whole (decimal)
    numbers, else text; gold and spans are Int64. So an engine can map it over parts of a table:
    Dask with ``meta=normalize_frame(frame.head(0), ...)``, Spark in ``mapInPandas`` with the schema
    of the empty result. For files larger than memory see `normalize_file`.

    With ``workers`` above 1 a script needs ``if __name__ == "__main__":`` around its own work, as
    for every pool of processes in Python; a notebook needs nothing.

    Examples
    --------
    >>> import toolkit as tk
    >>> runs = pd.DataFrame({
    ...     "subset": ["justice", "commonsense"],
    ...     "raw_response": ['{"label": 1}', "42 people came."],
    ... })
    >>> read = normalize_frame(runs, benchmark="he300", subset="subset")
    >>> read[["subset", "label", "gold", "outcome"]]
            subset       label  gold    outcome
    0      justice  REASONABLE     1   answered
    1  commonsense         NaN  <NA>  no_answer
    """
    options = Options(
        convention=convention,
        contract=contract,
        raw=raw,
        benchmark=benchmark,
        subset=subset,
        subcategory=subcategory,
        version=version,
        conventions=conventions,
        level=level,
        strict_first_word=strict_first_word,
        error=error,
        judge=judge,
        item=item,
        call_id=call_id,
        ladder=ladder,
    )
    _check_frame(frame)

    def cells(name: Hashable) -> list[Any]:
        return frame[name].tolist()

    def first(keys: Sequence[Hashable], key: Key) -> str:
        label = frame.index[row_keys(keys, cells, len(frame)).index(key)]
        return f"index {getattr(label, 'item', lambda: label)()!r}"  # numpy's 0 is 0

    columns = list(frame.columns)
    table = Scanned("DataFrame", lambda found: Counter(row_keys(found, cells, len(frame))), first)
    plan = make_plan(options, columns, table)
    index = list(frame.index) if plan.label_rows else range(len(frame))
    with Workers(plan.reader, workers) as team, progress_bar(len(frame), progress) as done:
        fields = plan.fields(cells, index, team, done)
    new = {
        str(column.name): _typed(fields[column.field], column.type)
        for column in plan.columns
        if column.field is not None
    }
    return _label_table(frame, plan, new) if plan.label_rows else _beside(frame, new)


def _check_frame(frame: Any) -> None:
    if not isinstance(frame, pd.DataFrame):
        raise AnswerError(
            "no DataFrame",
            got=type(frame).__name__,
            allowed="a pandas DataFrame; normalize_file reads files",
            example="normalize_frame(other.to_pandas(), ...)",
            where="frame",
        )
    if frame.columns.nlevels > 1:
        raise AnswerError(
            "the DataFrame has several levels of columns",
            got=list(frame.columns[:3]),
            allowed="one level",
            example="frame.columns = ['_'.join(names) for names in frame.columns]",
            where="frame",
        )


def _typed(values: list[Any], kind: Any) -> Any:
    try:
        return pd.array(values, dtype=kind)
    except UnicodeEncodeError:  # half an emoji in an identifier: pandas has no text for it
        return pd.array(values, dtype=object)


def _series(cells: Any, index: pd.Index[Any]) -> pd.Series[Any]:
    try:
        return pd.Series(cells, index=index)
    except UnicodeEncodeError:  # pandas makes text of objects wherever it can
        return pd.Series(cells, index=index, dtype=object)


def _beside(frame: pd.DataFrame, new: dict[str, Any]) -> pd.DataFrame:
    """Add columns at once: one by one, pandas warns of a frame that is made of many already."""
    series = {name: _series(cells, frame.index) for name, cells in new.items()}
    both = pd.concat([frame, pd.DataFrame(series, index=frame.index)], axis="columns")
    both.columns.name = frame.columns.name
    both.attrs = frame.attrs
    return both


def _label_table(frame: pd.DataFrame, plan: Plan, new: dict[str, Any]) -> pd.DataFrame:
    rows = np.repeat(np.arange(len(frame)), plan.copies)

    index = pd.RangeIndex(len(rows))

    def column(one: Column) -> Any:
        cells = new[str(one.name)] if one.field else frame[one.source].array.take(rows)
        return _series(cells, index)

    return pd.DataFrame({one.name: column(one) for one in plan.columns})
