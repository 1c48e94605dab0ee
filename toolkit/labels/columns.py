"""The columns of a label table, by name and in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolkit.common.hints import closest
from toolkit.common.utf8 import is_unicode
from toolkit.errors import LabelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

REQUIRED = ("item_id", "construct", "rater_id", "label")
OPTIONAL = ("rater_kind", "call_id", "cluster", "stratum", "order", "sitting", "weight")
COLUMNS = REQUIRED + OPTIONAL


def refuse_unusable_names(names: Sequence[str], where: str) -> None:
    """Refuse column names that repeat, are blank or no whole text.

    Parameters
    ----------
    names : sequence of str
        All names, in order.
    where : str
        The file they are from.

    Raises
    ------
    LabelError
        With the name, or the position of the blank one.

    Examples
    --------
    >>> refuse_unusable_names(["item_id", "label"], "labels.csv")
    """
    repeated = sorted({name for name in names if list(names).count(name) > 1})
    if repeated:
        raise LabelError(
            "duplicate column names",
            got=repeated,
            allowed="every column name once",
            where=where,
        )
    blank = [position for position, name in enumerate(names, start=1) if not name.strip()]
    if blank:
        raise LabelError(
            f"column {blank[0]} has no name",
            allowed="a name for every column",
            example="frame.to_csv(path, index=False) writes no index column",
            where=where,
        )
    for position, name in enumerate(names, start=1):
        if not is_unicode(name):
            raise LabelError(
                f"the name of column {position} has half a character (a lone surrogate)",
                got=name,
                allowed="text that can be stored as UTF-8",
                where=where,
            )


def require(names: Sequence[str], needed: Iterable[str], *, wide: str | None, where: str) -> None:
    """Refuse a table that lacks a column.

    Parameters
    ----------
    names : sequence of str
        The columns there are.
    needed : iterable of str
        The columns that must be there.
    wide : str or None
        The layout that the caller named, for the hint.
    where : str
        The file they are from.

    Raises
    ------
    LabelError
        With the columns there are, the nearest name, and the layouts that can be asked for.

    Examples
    --------
    >>> require(["item_id", "ann"], ["item_id"], wide="rater", where="labels.csv")
    """
    missing = [name for name in needed if name not in names]
    if not missing:
        return
    near = {name: closest(name, [n for n in names if n not in COLUMNS]) for name in missing}
    meant = [f"{found!r} renamed to {name!r}" for name, found in near.items() if found is not None]
    if len(names) == 1 and any(mark in names[0] for mark in ";\t"):
        hint = "the file seems to use another separator than its extension says (comma in .csv)"
    elif wide is None:
        hint = "wide='rater' (one column per rater) or wide='construct' (one per construct)"
    else:
        hint = f"wide={wide!r} was asked for; leave wide= out for one row per label"
    raise LabelError(
        f"missing column {', '.join(map(repr, missing))}"
        + (f", did you mean {' and '.join(meant)}?" if meant else ""),
        got=list(names),
        allowed=f"the columns {', '.join(needed)}; {hint}",
        example="item_id,construct,rater_id,label" if wide is None else None,
        where=where,
    )
