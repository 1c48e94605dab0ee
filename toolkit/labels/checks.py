"""Refusals that need the whole table: repeated labels, and raters who never meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.errors import LabelError

if TYPE_CHECKING:
    from toolkit.labels.encode import Codes, Encoded, Names
    from toolkit.labels.origin import Origin

MOST_SHOWN = 10


def refuse_repeated(
    rows: NDArray[np.intp],
    names: Names,
    labels: Encoded,
    sitting: pd.Series[Any] | None,
    origin: Origin,
) -> None:
    """Refuse two labels by one rater for one item and construct in one sitting.

    Parameters
    ----------
    rows : array of int
        Positions of the rows that hold a label or an abstention.
    names : Names
        Columns item_id, construct and rater_id.
    labels : Encoded
        Column label.
    sitting : Series or None
        Repeats are legal where their sittings differ.
    origin : Origin
        Where the rows are from.

    Raises
    ------
    LabelError
        With both places.

    Examples
    --------
    >>> from toolkit.labels.encode import Names, encode
    >>> from toolkit.labels.origin import Origin
    >>> origin = Origin("DataFrame", "index", list)
    >>> names = Names(*(encode(pd.Series(list(c)), origin) for c in ("ab", "tt", "jj")))
    >>> labels = encode(pd.Series([0, 1]), origin)
    >>> refuse_repeated(np.array([0, 1]), names, labels, None, origin)
    """
    joint = _joint(names, rows)
    repeated = pd.Series(joint).duplicated(keep=False).to_numpy()
    if not repeated.any():
        return
    rows, joint = rows[repeated], joint[repeated]
    turn = pd.Series(np.nan, index=rows) if sitting is None else sitting.iloc[rows]
    nameless = turn.isna().to_numpy()
    again = pd.DataFrame({"joint": joint, "turn": turn.to_numpy()}).duplicated().to_numpy()
    if not (again | nameless).any():
        return
    at = int(np.argmax(again | nameless))
    rival = joint == joint[at]
    if again[at]:
        rival &= (turn == turn.iloc[at]).to_numpy() | (nameless & nameless[at])
    rival[at] = False
    pair = sorted((int(rows[at]), int(rows[np.argmax(rival)])))
    item, construct, rater = (column.text(column.codes[pair[0]]) for column in names)
    raise LabelError(
        f"two labels by rater {rater!r} for item {item!r} and construct {construct!r}"
        + ("" if sitting is None else " in one sitting, or in one that is blank"),
        got=[labels.values[labels.codes[row]] for row in pair],
        allowed=(
            "one label by each rater for each item and construct; a `sitting` column makes repeats "
            "legal"
        ),
        example="sitting: 1 for the first time, 2 for the second",
        where=origin.at(*pair, column="label"),
    )


def _joint(names: tuple[Encoded, ...], rows: NDArray[np.intp]) -> NDArray[np.int64]:
    joint = np.zeros(len(rows), dtype=np.int64)
    for column in names:
        joint = joint * len(column.values) + column.codes[rows]
    return joint


def refuse_strangers(rows: NDArray[np.intp], names: Names, origin: Origin) -> None:
    """Refuse a table in which no two raters labelled one item on one construct.

    Parameters
    ----------
    rows : array of int
        Positions of the rows that hold a category.
    names : Names
        Columns item_id, construct and rater_id.
    origin : Origin
        Where the rows are from.

    Raises
    ------
    LabelError
        One rater only, no item or no construct in common.

    Examples
    --------
    >>> from toolkit.labels.encode import Names, encode
    >>> from toolkit.labels.origin import Origin
    >>> origin = Origin("DataFrame", "index", list)
    >>> names = Names(*(encode(pd.Series(list(c)), origin) for c in ("aa", "tt", "jh")))
    >>> refuse_strangers(np.array([0, 1]), names, origin)
    """
    item, construct, rater = names
    raters = rater.codes[rows]
    present = [rater.text(code) for code in pd.unique(raters)]
    if len(present) == 1:
        raise LabelError(
            "only one rater",
            got=present[0],
            allowed="labels of two raters or more for the same items and constructs in one table; "
            "overlap=False reads labels that are not to be compared",
            where=origin.name,
        )
    if _any_shared(_joint((item, construct), rows), raters):
        return
    shared_items = _any_shared(item.codes[rows], raters)
    column, what = (construct, "construct") if shared_items else (item, "item")
    examples = {
        name: column.text(column.codes[rows][raters == rater.values.get_loc(name)][0])
        for name in present[:MOST_SHOWN]
    }
    raise LabelError(
        f"no {what} in common: nothing is labelled by two raters",
        got=examples,
        allowed=f"an item and construct that two raters labelled; are {what}s named alike?",
        where=origin.name,
    )


def _any_shared(cells: Codes | NDArray[np.int64], raters: Codes) -> bool:
    """Tell whether a cell has two raters; the last of each is compared with all others."""
    codes, distinct = pd.factorize(cells)
    last = np.empty(len(distinct), dtype=np.intp)
    last[codes] = raters
    return bool((last[codes] != raters).any())
