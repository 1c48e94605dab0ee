"""Wide tables laid out long: one row per item, construct and rater."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from toolkit.common.hints import closest, did_you_mean
from toolkit.common.utf8 import is_unicode
from toolkit.errors import LabelError
from toolkit.labels.columns import COLUMNS, REQUIRED, require
from toolkit.labels.encode import encode

if TYPE_CHECKING:
    from toolkit.labels.encode import Codes
    from toolkit.labels.files import Raw
    from toolkit.labels.origin import Origin
    from toolkit.labels.schema import Schema

LAYOUTS = (None, "rater", "construct")


class Long(NamedTuple):
    """A table with one row per label, where its rows are from, and what was assumed."""

    frame: pd.DataFrame
    origin: Origin
    flags: tuple[str, ...] = ()


def lay_out_long(
    raw: Raw, *, wide: str | None, construct: Any, rater: Any, declared: Schema | None
) -> Long:
    """Bring a table of any layout into rows of single labels.

    Parameters
    ----------
    raw : Raw
        The table as the source has it.
    wide : None, "rater" or "construct"
        What a column holds besides those that every layout may have.
    construct : str, list of str, or None
        Long, wide by rater: name of the only construct, where no column says it. Wide by construct:
        the columns that are constructs.
    rater : str, list of str, mapping, or None
        Long, wide by construct: the only rater, where no column says it. Wide by rater: the columns
        that are raters, or a mapping from these to their kind.
    declared : Schema or None
        Wide by construct: its constructs are the columns, unless `construct` says which.

    Returns
    -------
    Long
        The columns item_id, construct, rater_id and label, and all others that the source has; flag
        "columns_taken:<names>" where neither caller nor schema named the columns of labels.

    Raises
    ------
    LabelError
        A column is missing, or arguments and columns contradict each other.

    Examples
    --------
    >>> from toolkit.labels.files import read_source
    >>> raw = read_source(pd.DataFrame({"item_id": ["a"], "ann": [1], "gpt": [0]}))
    >>> options = {"construct": "tone", "rater": None, "declared": None}
    >>> lay_out_long(raw, wide="rater", **options).frame
      item_id construct rater_id label
    0       a      tone      ann     1
    1       a      tone      gpt     0
    """
    if wide not in LAYOUTS:
        raise LabelError(
            "unknown layout", got=wide, allowed=LAYOUTS, example="wide='rater'", where="wide"
        )
    if wide == "rater":
        return _by_rater(raw, construct, rater)
    if wide == "construct":
        return _by_construct(raw, construct, rater, declared)
    frame = _with_constant(raw, raw.frame, "construct", construct)
    frame = _with_constant(raw, frame, "rater_id", rater)
    require(list(frame.columns), REQUIRED, wide=None, where=raw.origin.name)
    return Long(frame.reset_index(drop=True), raw.origin)


def _by_rater(raw: Raw, construct: Any, rater: Any) -> Long:
    frame = _with_constant(raw, raw.frame, "construct", construct)
    names = list(frame.columns)
    require(names, ("item_id",), wide="rater", where=raw.origin.name)
    if "construct" not in names:
        raise LabelError(
            "no column and no argument names the construct",
            got=names,
            allowed="a column `construct`, or construct=",
            example="tk.read_labels(path, wide='rater', construct='escalation')",
            where=raw.origin.name,
        )
    for name in ("rater_id", "label", "rater_kind"):
        if name in names:
            raise LabelError(
                f"column {name!r} has no place beside one column per rater",
                allowed="leave wide= out for one row per label; kinds as rater={'ann': 'human'}",
                got=names,
                where=raw.origin.name,
            )
    raters = _named(rater, frame, "rater")
    frame, origin = _below_each_other(raw, frame, raters, "rater_id")
    if isinstance(rater, Mapping):
        kinds = {str(name): kind for name, kind in rater.items()}
        frame["rater_kind"] = [*map(kinds.get, raters)] * len(raw.frame)
    return Long(frame, origin, _taken(rater, raters))


def _by_construct(raw: Raw, construct: Any, rater: Any, declared: Schema | None) -> Long:
    frame = _with_constant(raw, raw.frame, "rater_id", rater)
    names = list(frame.columns)
    require(names, ("item_id", "rater_id"), wide="construct", where=raw.origin.name)
    for name in ("construct", "label"):
        if name in names:
            raise LabelError(
                f"column {name!r} has no place beside one column per construct",
                got=names,
                allowed="leave wide= out for one row per label, or wide='rater'",
                where=raw.origin.name,
            )
    if construct is None and declared is not None and declared.default is None:
        construct = _declared_columns(declared, names, raw.origin.name)
    constructs = _named(construct, frame, "construct")
    frame, origin = _below_each_other(raw, frame, constructs, "construct")
    return Long(frame, origin, _taken(construct, constructs))


def _taken(given: Any, columns: list[str]) -> tuple[str, ...]:
    """Say which columns were taken to hold labels, where nobody named them."""
    return (f"columns_taken:{', '.join(columns)}",) if given is None else ()


def _declared_columns(declared: Schema, names: list[str], where: str) -> list[str]:
    others = [name for name in names if name not in COLUMNS and name not in declared.constructs]
    for name in declared.constructs:
        near = None if name in names else closest(name, others)
        if near is not None:
            raise LabelError(
                f"no column for construct {name!r}, did you mean {near!r}?",
                got=names,
                allowed="columns named as the constructs of the schema",
                example=f"construct={[n for n in declared.constructs if n in names]}",
                where=where,
            )
    found = [name for name in declared.constructs if name in names]
    if not found:
        raise LabelError(
            "no column is a construct of the schema",
            got=names,
            allowed=list(declared.constructs),
            where=where,
        )
    return found


def _named(given: Any, frame: pd.DataFrame, argument: str) -> list[str]:
    """Take the columns that the caller named, or all that have no other meaning."""
    names = list(frame.columns)
    if given is None:
        found = [name for name in names if name not in COLUMNS]
    else:
        found = [str(name) for name in given] if _is_list(given) else [str(given)]
    unknown = [name for name in found if name not in names or name in COLUMNS]
    if unknown or not found or len(set(found)) < len(found):
        hint = did_you_mean(unknown[0], names) if unknown else ""
        raise LabelError(
            f"{argument}= does not name columns of labels{hint}",
            got=unknown or found,
            allowed=[name for name in names if name not in COLUMNS],
            example=f"{argument}=['ann', 'gpt']",
            where=argument,
        )
    return found


def _with_constant(raw: Raw, frame: pd.DataFrame, column: str, given: Any) -> pd.DataFrame:
    """Add the column that an argument stands for."""
    if given is None:
        return frame
    argument = "rater" if column == "rater_id" else column
    if column in frame.columns or _is_list(given) or not is_unicode(str(given)):
        raise LabelError(
            f"{argument}= does not fit this table",
            got=given,
            allowed=f"nothing, because column {column!r} says it"
            if column in frame.columns
            else "one name, because every row has one label",
            example=f"{argument}='ann'" if argument == "rater" else f"{argument}='escalation'",
            where=raw.origin.name,
        )
    return frame.assign(**{column: str(given)})


def _is_list(given: Any) -> bool:
    return isinstance(given, Iterable) and not isinstance(given, str)


def _below_each_other(
    raw: Raw, frame: pd.DataFrame, columns: list[str], named: str
) -> tuple[pd.DataFrame, Origin]:
    """Give every cell of the label columns a row of its own, item by item."""
    rows, width = len(frame), len(columns)
    kept = frame.drop(columns=columns).take(np.repeat(np.arange(rows), width))
    kept = kept.reset_index(drop=True)
    codes = np.empty((rows, width), dtype=np.intp)
    values: list[Any] = []
    for position, name in enumerate(columns):
        column = encode(frame[name], raw.origin)
        codes[:, position] = np.where(column.codes < 0, -1, column.codes + len(values))
        values += list(column.values)
    kept[named] = pd.array(columns, dtype="str").take(np.tile(np.arange(width), rows))
    kept["label"] = _together(codes.ravel(), values)
    order = [name for name in COLUMNS if name in kept] + [n for n in kept if n not in COLUMNS]
    return kept[order], replace(raw.origin, label_columns=tuple(columns))


def _together(codes: Codes, values: list[Any]) -> pd.Categorical:
    """Join the distinct values of several columns, of which some may be equal."""
    boxed = np.empty(len(values), dtype=object)
    boxed[:] = values
    merged, distinct = pd.factorize(boxed)
    return pd.Categorical.from_codes(
        np.append(merged, -1)[codes], categories=pd.Index(distinct, dtype=object)
    )
