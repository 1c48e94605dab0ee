"""Labels aligned by item: the reference's beside the judge's, and what could not be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.errors import LabelError
from toolkit.labels.roles import Codes, Roles, majority

if TYPE_CHECKING:
    from toolkit.labels.table import Labels

Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]
NO_LABEL = -1


@dataclass(frozen=True)
class Pairs:
    """Category codes of usable items, shape (n, columns); the items left out, by reason.

    `codes` has the columns (reference, judge) for one construct; a comparison has one such pair for
    each of its two sides.
    """

    item: Codes
    codes: Codes
    left_out: dict[str, int]
    flags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


class _Judged(NamedTuple):
    """Labels of one rater on one construct: item, call (-1 unknown) and category of each."""

    item: Codes
    call: Codes
    code: Codes


class Alignment:
    """Labels laid out by item and rater; made once for all constructs of an analysis."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        frame = labels.frame
        self.item, items = pd.factorize(frame["item_id"])
        self.items = np.asarray(items, dtype=object)
        self.rater, raters = pd.factorize(frame["rater_id"])
        self.position = {str(rater): i for i, rater in enumerate(raters)}
        self._construct, constructs = pd.factorize(frame["construct"])
        self._number = {str(name): i for i, name in enumerate(constructs)}
        calls = frame.get("call_id")
        self._call = np.full(len(frame), NO_LABEL) if calls is None else pd.factorize(calls)[0]
        self._attributes: dict[str, NDArray[np.object_]] = {}
        # The first sitting counts, so later ones are written first and overwritten.
        sitting = frame.get("sitting")
        order = np.arange(len(frame)) if sitting is None else np.argsort(sitting, kind="stable")
        self._reversed = np.asarray(order)[::-1]

    def rows(self, construct: str) -> NDArray[np.intp]:
        """Rows of a construct, later sittings first."""
        number = self._number.get(construct, NO_LABEL)
        return np.asarray(self._reversed[self._construct[self._reversed] == number])

    def matrix(self, construct: str) -> Codes:
        """Category codes of all items (rows) by all raters (columns), -1 where there is none."""
        codes = np.full((len(self.items), len(self.position)), NO_LABEL, dtype=np.int64)
        rows = self.rows(construct)
        codes[self.item[rows], self.rater[rows]] = self.labels.codes[rows]
        return codes

    def reference(self, construct: str, roles: Roles) -> tuple[Codes, Marks]:
        """Reference code of every item, -1 where there is none or a tie; the ties."""
        columns = [self.position[rater] for rater in roles.reference if rater in self.position]
        return majority(self.matrix(construct)[:, columns])

    def judge(self, construct: str, rater: str) -> Codes:
        """Code of one rater for every item, -1 where there is none."""
        return self.matrix(construct)[:, self.position[rater]]

    def pairs(self, construct: str, roles: Roles) -> Pairs:
        """Align reference and judge on one construct."""
        reference, tied = self.reference(construct, roles)
        return _usable(np.column_stack([reference, self.judge(construct, roles.judge)]), tied)

    def judges(self, construct: str, roles: Roles, judges: tuple[str, str]) -> Pairs:
        """Align two judges with one reference on the items that all three labelled."""
        reference, tied = self.reference(construct, roles)
        first, second = (self.judge(construct, judge) for judge in judges)
        return _usable(np.column_stack([reference, first, reference, second]), tied)

    def calls(self, low: str, high: str, roles: Roles) -> Pairs:
        """Align two constructs on the calls in which the judge labelled both."""
        sides = [self._judged(construct, roles.judge) for construct in (low, high)]
        flags: tuple[str, ...] = ()
        if all((side.call == NO_LABEL).all() for side in sides):
            flags = ("same_call_assumed",)
            sides = [side._replace(call=np.zeros_like(side.call)) for side in sides]
        first, second = _shared(*sides)
        codes = np.full((len(self.items), 4), NO_LABEL, dtype=np.int64)
        (codes[:, 0], tied), (codes[:, 2], tied_too) = (
            self.reference(construct, roles) for construct in (low, high)
        )
        codes[sides[0].item[first], 1] = sides[0].code[first]
        codes[sides[1].item[second], 3] = sides[1].code[second]
        marks = [self._marks(side.item) for side in sides]
        apart = marks[0] & marks[1] & (codes[:, 1] == NO_LABEL)
        nameless = self._marks(np.concatenate([s.item[s.call == NO_LABEL] for s in sides]))
        pairs = _usable(
            codes,
            tied | tied_too,
            before={"no_call_id": apart & nameless, "different_calls": apart},
            judged=marks[0] | marks[1],
        )
        reasons = () if first.size else ("no_shared_calls",)
        return Pairs(pairs.item, pairs.codes, pairs.left_out, flags, reasons)

    def _marks(self, items: Codes) -> Marks:
        marks = np.zeros(len(self.items), dtype=bool)
        marks[items] = True
        return marks

    def _judged(self, construct: str, judge: str) -> _Judged:
        """Item, call and code of the judge's labels on one construct, first sitting first."""
        rows = self.rows(construct)[::-1]
        rows = rows[self.rater[rows] == self.position[judge]]
        codes = self.labels.codes[rows].astype(np.int64)
        return _Judged(self.item[rows], self._call[rows], codes)

    def attribute(self, spec: str) -> NDArray[np.object_]:
        """Give the value of a column for every item; ``"item_id:|"`` is the part before the bar."""
        if spec not in self._attributes:
            self._attributes[spec] = self._attribute(spec)
        return self._attributes[spec]

    def _attribute(self, spec: str) -> NDArray[np.object_]:
        column, colon, bar = spec.partition(":")
        frame = self.labels.frame
        if column not in frame:
            raise LabelError(
                "unknown column",
                got=column,
                allowed=[str(name) for name in frame.columns],
                example="cluster='cluster', or cluster='item_id:|' for the part before the bar",
            )
        values = frame[column].astype(object)
        if colon:
            values = values.astype(str).str.partition(bar)[0] if bar else values
        first = values.groupby(self.item).transform("first")
        wrong = (values.isna() | (values != first)).to_numpy()
        if wrong.any():
            row = int(np.argmax(wrong))
            raise LabelError(
                f"column {column!r} is not one value for every item",
                got=(first.iloc[row], values.iloc[row]),
                allowed="the same value in all rows of an item",
                where=f"item {self.items[self.item[row]]!r}",
            )
        result = np.empty(len(self.items), dtype=object)
        result[self.item] = values.to_numpy()
        return result

    def cluster(self, spec: str | None) -> Codes | None:
        """Codes of the items' clusters, None without clusters."""
        return None if spec is None else pd.factorize(self.attribute(spec))[0]

    def weight(self) -> Floats | None:
        """Weights of the items, None where there are none or all are equal."""
        if "weight" not in self.labels.frame:
            return None
        weights = self.attribute("weight").astype(np.float64)
        return None if np.ptp(weights) == 0 else weights


def _usable(
    codes: Codes,
    tied: Marks,
    before: dict[str, Marks] | None = None,
    judged: Marks | None = None,
) -> Pairs:
    """Keep the items that have every code; count each of the others under its first reason."""
    missing = codes == NO_LABEL
    reasons = {
        **(before or {}),
        "tied_reference": tied,
        "no_reference_label": missing[:, 0::2].any(axis=1),
        "no_judge_label": missing[:, 1::2].any(axis=1),
    }
    touched = ~missing.all(axis=1) | tied | (False if judged is None else judged)
    uncounted = touched & missing.any(axis=1)
    left_out = {}
    for reason, hit in reasons.items():
        counted = uncounted & hit
        uncounted &= ~counted
        if counted.any():
            left_out[reason] = int(counted.sum())
    usable = np.flatnonzero(~missing.any(axis=1))
    return Pairs(usable, codes[usable], left_out)


def _shared(one: _Judged, other: _Judged) -> tuple[Codes, Codes]:
    """Positions of the labels that one call gave to both, in the first such call of each item."""
    number = int(max(one.call.max(initial=0), other.call.max(initial=0))) + 1
    known = [np.flatnonzero(side.call != NO_LABEL) for side in (one, other)]
    keys = [
        side.item[rows] * number + side.call[rows]
        for side, rows in zip((one, other), known, strict=True)
    ]
    _, first, second = np.intersect1d(keys[0], keys[1], return_indices=True)
    first, second = known[0][first], known[1][second]
    # Labels stand in order of sitting: of several shared calls the earliest counts.
    order = np.argsort(first, kind="stable")
    _, earliest = np.unique(one.item[first[order]], return_index=True)
    chosen = order[earliest]
    return first[chosen], second[chosen]
