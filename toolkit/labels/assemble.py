"""The checked columns put together: usable labels, and the count of those left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from toolkit.labels.attributes import item_weights, rater_kinds, sortable
from toolkit.labels.columns import COLUMNS, OPTIONAL
from toolkit.labels.encode import encode_names
from toolkit.labels.table import Labels
from toolkit.labels.values import REASONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from toolkit.labels.coding import Coded
    from toolkit.labels.encode import Encoded, Names
    from toolkit.labels.origin import Origin
    from toolkit.labels.schema import Schema

Columns = dict[str, "pd.Series[Any]"]


def checked_columns(frame: pd.DataFrame, names: Names, origin: Origin) -> Columns:
    """Check every column but the labels, and bring them in order.

    Parameters
    ----------
    frame : DataFrame
        The long table as the source has it.
    names : Names
        item_id, construct and rater_id of its rows.
    origin : Origin
        Where the rows are from.

    Returns
    -------
    dict of str to Series
        All rows; the labels are still raw.

    Raises
    ------
    LabelError
        As `rater_kinds`, `sortable` and `item_weights`.

    Examples
    --------
    >>> from toolkit.labels.encode import Names, encode
    >>> from toolkit.labels.origin import Origin
    >>> origin = Origin("DataFrame", "index", list)
    >>> frame = pd.DataFrame({"label": [1], "note": ["ok"], "order": ["7"]})
    >>> names = Names(*[encode(pd.Series(["a"]), origin)] * 3)
    >>> list(checked_columns(frame, names, origin))
    ['item_id', 'construct', 'rater_id', 'label', 'order', 'note']
    """
    columns: Columns = {
        "item_id": names.item.column(),
        "construct": names.construct.column(),
        "rater_id": names.rater.column(),
        "label": frame["label"],
    }
    for name in OPTIONAL:
        if name in frame:
            columns[name] = _attribute(name, frame[name], names, origin)
    return columns | {str(name): frame[name] for name in frame if name not in COLUMNS}


def _attribute(name: str, column: pd.Series[Any], names: Names, origin: Origin) -> pd.Series[Any]:
    if name == "rater_kind":
        return rater_kinds(column, names.rater, origin)
    if name in ("order", "sitting"):
        return sortable(column, origin)
    if name == "weight":
        return item_weights(column, names.item, origin)
    return encode_names(column, origin, required=False).column()


def assemble(
    columns: Columns, names: Names, coded: Coded, *, source: str, sha256: str | None
) -> Labels:
    """Keep the usable labels and count the others.

    Parameters
    ----------
    columns : dict of str to Series
        As `checked_columns` gives them.
    names : Names
        item_id, construct and rater_id of all rows.
    coded : Coded
        Categories of all rows.
    source : str
        File name without folder, or "DataFrame".
    sha256 : str or None
        Of the file's bytes.

    Returns
    -------
    Labels
        The table.
    """
    usable = coded.codes >= 0
    codes = coded.codes[usable]
    codes.setflags(write=False)
    constructs = names.construct.codes[usable]
    if not usable.all():
        columns = {n: column[usable].reset_index(drop=True) for n, column in columns.items()}
    columns["label"] = _values(coded.schema, names.construct, constructs, codes)
    raters = names.rater.codes[usable]
    return Labels(
        frame=pd.DataFrame(columns, copy=False),
        schema=coded.schema,
        codes=codes,
        source=source,
        sha256=sha256,
        left_out=_left_out(names, coded.codes),
        flags=(*coded.flags, *_more_flags(coded.schema, names.construct, constructs, raters)),
    )


def _values(
    schema: Schema, names: Encoded, constructs: NDArray[np.intp], codes: NDArray[np.int16]
) -> pd.Series[Any]:
    """Look up the category of every code, in one flat list of all constructs' categories."""
    flat: list[Any] = []
    starts = np.zeros(len(names.values), dtype=np.intp)
    for number in pd.unique(constructs):
        starts[number] = len(flat)
        flat += schema[names.text(number)].categories
    return pd.Series(flat).take(starts[constructs] + codes).reset_index(drop=True)


def _left_out(names: Names, codes: NDArray[np.int16]) -> pd.DataFrame:
    out = np.flatnonzero(codes < 0)
    cells = pd.DataFrame(
        {
            "construct": names.construct.codes[out],
            "rater_id": names.rater.codes[out],
            "reason": codes[out],
        }
    )
    counted = cells.value_counts(sort=False).sort_index().rename("count").reset_index()
    reasons = [REASONS[int(code)] for code in counted["reason"]]
    return pd.DataFrame(
        {
            "construct": names.construct.values.take(counted["construct"].to_numpy()).astype("str"),
            "rater_id": names.rater.values.take(counted["rater_id"].to_numpy()).astype("str"),
            "reason": pd.Series(reasons, dtype="str"),
            "count": counted["count"].astype("int64"),
        }
    )


def _more_flags(
    schema: Schema, names: Encoded, constructs: NDArray[np.intp], raters: NDArray[np.intp]
) -> tuple[str, ...]:
    labelled = {names.text(number) for number in pd.unique(constructs)}
    known = dict.fromkeys([*schema.constructs, *map(str, names.values)])
    flags = [f"no_labels:{name}" for name in known if name not in labelled]
    return (*flags, "one_rater") if len(pd.unique(raters)) == 1 else tuple(flags)
