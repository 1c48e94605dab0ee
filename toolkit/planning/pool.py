"""The pool with the judge's labels, read; what is wrong with it is said in the planner's words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from toolkit.common.hints import did_you_mean
from toolkit.errors import LabelError, PlanError
from toolkit.labels.files import read_source
from toolkit.labels.infer import MOST_INFERRED
from toolkit.labels.pairs import Alignment
from toolkit.labels.read import read_labels
from toolkit.labels.schema import Schema
from toolkit.labels.table import Labels

JUDGE = "judge"
POOL = "one row per item: item_id, and a column per construct with the judge's label"
EXAMPLE = (
    "tk.strata(pd.DataFrame({'item_id': ['a', 'b'], 'escalation': [0, 1]}), "
    "constructs=['escalation'])"
)
_OWN = ("item_id", "construct", "rater_id", "label")  # columns of the table that is made of a pool


def read_pool(
    pool: str | Path | pd.DataFrame,
    names: tuple[str, ...],
    schema: str | Path | Mapping[str, Any] | Schema | None,
) -> Labels:
    """Read the judge's labels on the constructs."""
    try:
        return read_labels(
            pool, schema, wide="construct", construct=list(names), rater=JUDGE, overlap=False
        )
    except LabelError as error:
        raise _about_the_pool(error, pool, names, schema) from None


def pool_column(alignment: Alignment, name: Any, argument: str) -> NDArray[Any]:
    """Give the value of a column of the pool for every item."""
    frame = alignment.labels.frame
    known = ["item_id", *(str(c) for c in frame.columns if c not in _OWN)]
    if not isinstance(name, str) or name not in frame or name in _OWN:
        raise PlanError(
            f"the pool has no column of this name{did_you_mean(name, known)}",
            got=name,
            allowed=known,
            example="tk.strata(pool, constructs=['escalation'], scores='p_flag', cost='minutes')",
            where=argument,
        )
    return alignment.attribute(name)


def _about_the_pool(error: LabelError, pool: Any, names: tuple[str, ...], schema: Any) -> Exception:
    """What is wrong with a pool that could not be read; else the error of its labels, as it is."""
    try:
        frame = read_source(pool).frame
    except LabelError as unread:
        return _about_the_file(unread, pool)
    known = [str(name) for name in frame.columns]
    missing = [name for name in names if name not in known]
    if "item_id" not in known or "rater_id" in known:
        what = "no column 'item_id'" if "item_id" not in known else "a column 'rater_id'"
        return PlanError(
            f"the pool has {what}", got=known, allowed=POOL, example=EXAMPLE, where="pool"
        )
    if missing:
        columns = [name for name in known if name != "item_id"]
        return PlanError(
            "the pool has no column with the judge's label on a construct"
            f"{did_you_mean(missing[0], columns)}",
            got=missing[0] if len(missing) == 1 else missing,
            allowed=columns,
            example=EXAMPLE,
            where="constructs",
        )
    if schema is not None and not _fits(frame, names, schema):
        return error
    return _about_the_labels(error, frame, names)


def _about_the_file(unread: LabelError, pool: Any) -> PlanError:
    if isinstance(pool, str | Path):
        example = unread.example or "tk.strata('pool.csv', constructs=['escalation'])"
        return PlanError(
            unread.what, got=unread.got, allowed=unread.allowed, example=example, where="pool"
        )
    known = isinstance(pool, pd.DataFrame)
    return PlanError(
        unread.what if known else "a pool can't be read from this",
        got=unread.got,
        allowed=f"a path or a pandas DataFrame, {POOL}",
        example=EXAMPLE,
        where="pool",
    )


def _fits(frame: pd.DataFrame, names: tuple[str, ...], schema: Any) -> bool:
    """Tell whether the labels are those of a declared schema, whatever the items are."""
    try:
        numbered = frame.assign(item_id=range(len(frame)))
        read_labels(
            numbered, schema, wide="construct", construct=list(names), rater=JUDGE, overlap=False
        )
    except LabelError:
        return False
    return True


def _about_the_labels(error: LabelError, frame: pd.DataFrame, names: tuple[str, ...]) -> Exception:
    labelled = frame.loc[:, list(names)]
    if not labelled.notna().any(axis=None):
        return PlanError(
            "the judge has no label on any item",
            got=list(names),
            allowed=POOL,
            example=EXAMPLE,
            where="constructs",
        )
    repeated = frame["item_id"].duplicated() & frame["item_id"].notna()
    if repeated.any():
        return PlanError(
            f"an item has several rows ({int(repeated.sum()):,} too many)",
            got=frame.loc[repeated, "item_id"].iloc[0],
            allowed=POOL,
            example="pool.drop_duplicates('item_id')",
            where="pool",
        )
    many = [name for name in names if labelled[name].nunique() > MOST_INFERRED]
    if many:
        return PlanError(
            f"the judge has {labelled[many[0]].nunique():,} different labels on {many[0]!r}",
            got=labelled[many[0]].dropna().unique()[:5].tolist(),
            allowed=f"at most {MOST_INFERRED} categories; numbers that are no labels are scores",
            example="tk.strata(pool, constructs=['escalation'], scores='p_flag')",
            where="constructs",
        )
    return error
