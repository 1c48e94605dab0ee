"""Raw labels to categories, one distinct value of a construct at a time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.common.hints import closest
from toolkit.errors import LabelError
from toolkit.labels.construct import Construct
from toolkit.labels.encode import Encoded
from toolkit.labels.infer import infer_construct, recoding
from toolkit.labels.schema import Schema
from toolkit.labels.values import MISSING, UNKNOWN, is_binary, is_scalar, key

if TYPE_CHECKING:
    from toolkit.labels.origin import Origin


class Coded(NamedTuple):
    """Labels as positions in the categories of their construct.

    `codes` holds MISSING (-1) and ABSTAIN (-2) too; `schema` has an entry for every construct that
    has a category; `flags` says what was assumed.
    """

    codes: NDArray[np.int16]
    schema: Schema
    flags: tuple[str, ...]


def code_labels(
    labels: Encoded, constructs: Encoded, declared: Schema | None, origin: Origin
) -> Coded:
    """Find the category of every label.

    Parameters
    ----------
    labels, constructs : Encoded
        Two columns of the long table.
    declared : Schema or None
        None: inferred for each construct from its labels.
    origin : Origin
        Where the rows are from.

    Returns
    -------
    Coded
        Codes, shape (rows,), the schema of all constructs, flags.

    Raises
    ------
    LabelError
        An unknown label, a construct that the schema does not have, mixed types.

    Examples
    --------
    >>> from toolkit.labels.encode import encode
    >>> from toolkit.labels.origin import Origin
    >>> origin = Origin("DataFrame", "index", list)
    >>> label, tone = (encode(pd.Series(c), origin) for c in (["1", None, 0], ["tone"] * 3))
    >>> code_labels(label, tone, None, origin).codes.tolist()
    [1, -1, 0]
    """
    pairs = _Pairs(labels, constructs)
    found: dict[str, Construct] = {}
    codes = np.full(len(pairs.first_rows), MISSING, dtype=np.int16)
    for number, name in enumerate(constructs.values):
        where = pairs.of_construct(number)
        values = [labels.values[int(i)] for i in pairs.value[where]]
        rows = pairs.first_rows[where]
        if declared is None:
            construct = infer_construct(name, values, partial(_place, origin, rows))
        else:
            construct = _declared(declared, name, pairs.row_of_construct(number), origin)
        if construct is None:
            continue
        found[name] = construct
        coder = construct.coder
        codes[where] = [coder.code(value) for value in values]
        unknown = np.flatnonzero(codes[where] == UNKNOWN)
        if len(unknown):
            strange = [values[i] for i in unknown]
            _refuse_unknown(name, construct, strange, _place(origin, rows, unknown[0]))
    if not (codes >= 0).any():
        raise LabelError(
            "no usable label: all are missing or abstentions",
            got=[labels.values[int(i)] for i in pairs.value if i >= 0][:10],
            allowed="labels that are categories",
            where=origin.name,
        )
    schema, flags = _complete(declared, found)
    return Coded(pairs.spread(codes), schema, flags)


def _place(origin: Origin, rows: NDArray[np.intp], position: int) -> str:
    return origin.at(int(rows[position]), column="label")


class _Pairs:
    """The distinct pairs of construct and raw value, by first appearance."""

    def __init__(self, labels: Encoded, constructs: Encoded) -> None:
        width = len(labels.values) + 1  # one more for null, which has code -1
        joint = constructs.codes.astype(np.int64) * width + labels.codes + 1
        self._pair, distinct = pd.factorize(joint)
        self.value = distinct % width - 1
        self._construct = distinct // width
        self.first_rows = np.full(len(distinct), len(joint), dtype=np.intp)
        # Written from the last row to the first, so that the first stays.
        self.first_rows[self._pair[::-1]] = np.arange(len(joint))[::-1]

    def of_construct(self, number: int) -> NDArray[np.intp]:
        return np.flatnonzero((self._construct == number) & (self.value >= 0))

    def row_of_construct(self, number: int) -> int:
        return int(self.first_rows[self._construct == number].min())

    def spread(self, codes: NDArray[np.int16]) -> NDArray[np.int16]:
        return codes[self._pair]


def _declared(declared: Schema, name: str, row: int, origin: Origin) -> Construct:
    if name in declared:
        return declared[name]
    near = closest(name, declared.constructs)
    raise LabelError(
        "construct not in the schema" + (f", did you mean {near!r}?" if near else ""),
        got=name,
        allowed=list(declared.constructs),
        example=f"constructs: {{{name}: {{categories: [0, 1]}}}}, or default: {{...}}",
        where=origin.at(row, column="construct"),
    )


def _refuse_unknown(name: str, construct: Construct, strange: list[Any], where: str) -> None:
    shown = dict(zip(construct.labels, construct.categories, strict=True))
    known = [*construct.categories, *construct.abstain, *construct.labels]
    # A number near another is no slip of the pen: 10 does not mean 1.
    near = closest(strange[0], known) if _is_word(strange[0]) else None
    near = shown.get(str(near), near)
    hint = "" if near is None else f", did you mean {near!r}?"
    more = f" and {len(strange) - 1} other such values" if len(strange) > 1 else ""
    raise LabelError(
        f"unknown label for construct {name!r}{more}{hint}",
        got=strange[0] if len(strange) == 1 else strange[:10],
        allowed=[*construct.categories, *construct.abstain],
        example=(is_binary(map(key, construct.categories)) and recoding(strange))
        or f"abstain: [{strange[0]}] in the schema of {name!r}, if raters may say so",
        where=where,
    )


def _is_word(value: Any) -> bool:
    return is_scalar(value) and isinstance(key(value), str)


def _complete(
    declared: Schema | None, found: dict[str, Construct]
) -> tuple[Schema, tuple[str, ...]]:
    if declared is not None:
        return Schema(constructs={**declared.constructs, **found}, default=declared.default), ()
    ordered = all(construct.order_declared for construct in found.values())
    flags = ("schema_inferred",) if ordered else ("schema_inferred", "order_not_declared")
    return Schema(constructs=found), flags
