"""Labels aligned by item: the reference's beside the judge's, and what could not be used."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.errors import LabelError
from toolkit.labels.roles import Codes, Roles, majority, refuse_other_tables

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


class Alignment:
    """Labels laid out by item and rater; made once for all constructs of an analysis."""

    def __init__(self, labels: Labels) -> None:
        refuse_other_tables(labels)
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
        sittings = frame["sitting"] if "sitting" in frame else pd.Series(0, index=frame.index)
        self._sitting = pd.factorize(sittings, use_na_sentinel=False)[0]
        self._attributes: dict[str, NDArray[np.object_]] = {}
        # The first sitting counts, so later ones are written first and overwritten.
        order = np.argsort(sittings, kind="stable")
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

    def single_labels(self, construct: str, roles: Roles, items: Codes) -> int:
        """Count the items on which one label alone stands as the majority of several raters."""
        if len(roles.reference) == 1:
            return 0
        columns = [self.position[rater] for rater in roles.reference]
        given = (self.matrix(construct)[items][:, columns] != NO_LABEL).sum(axis=1)
        return int((given == 1).sum())

    def judge(self, construct: str, rater: str) -> Codes:
        """Code of one rater for every item, -1 where there is none."""
        return self._first(construct, rater, self.labels.codes)

    def _repeats(self, roles: Roles, *constructs: str) -> tuple[str, ...]:
        """Flag raters who labelled an item again: those later labels are not used."""
        raters = [self.position[r] for r in (roles.judge, *roles.reference) if r in self.position]
        for construct in constructs:
            rows = self.rows(construct)
            given = np.isin(self.rater[rows], raters).sum()
            if given > (self.matrix(construct)[:, raters] != NO_LABEL).sum():
                return ("later_sittings_unused",)
        return ()

    def _first(self, construct: str, rater: str, values: NDArray[Any]) -> Codes:
        """Value of the rater's first label of every item, -1 where there is none."""
        rows = self.rows(construct)
        rows = rows[self.rater[rows] == self.position[rater]]
        found = np.full(len(self.items), NO_LABEL, dtype=np.int64)
        found[self.item[rows]] = values[rows]
        return found

    def pairs(self, construct: str, roles: Roles) -> Pairs:
        """Align reference and judge on one construct."""
        reference, tied = self.reference(construct, roles)
        codes = np.column_stack([reference, self.judge(construct, roles.judge)])
        return replace(_usable(codes, tied), flags=self._repeats(roles, construct))

    def judges(self, construct: str, roles: Roles, judges: tuple[str, str]) -> Pairs:
        """Align two judges with one reference on the items that all three labelled."""
        reference, tied = self.reference(construct, roles)
        first, second = (self.judge(construct, judge) for judge in judges)
        return _usable(np.column_stack([reference, first, reference, second]), tied)

    def calls(self, low: str, high: str, roles: Roles) -> Pairs:
        """Align two constructs on the calls in which the judge labelled both.

        Of several labels of an item the first sitting counts, as everywhere. Without call ids the
        labels of one item and sitting are taken to come from one call.
        """
        judged = [self.judge(construct, roles.judge) for construct in (low, high)]
        both = (judged[0] != NO_LABEL) & (judged[1] != NO_LABEL)
        calls, flags = self.call_codes((low, high), roles.judge)
        nameless = both & ((calls[0] == NO_LABEL) | (calls[1] == NO_LABEL))
        same = both & ~nameless & (calls[0] == calls[1])
        (reference, tied), (reference_too, tied_too) = (
            self.reference(construct, roles) for construct in (low, high)
        )
        one, other = (np.where(same, codes, NO_LABEL) for codes in judged)
        pairs = _usable(
            np.column_stack([reference, one, reference_too, other]),
            tied | tied_too,
            before={"no_call_id": nameless, "different_calls": both & ~same},
            judged=(judged[0] != NO_LABEL) | (judged[1] != NO_LABEL),
        )
        reasons = () if same.any() else ("no_shared_calls",)
        flags += self._repeats(roles, low, high)
        return Pairs(pairs.item, pairs.codes, pairs.left_out, flags, reasons)

    def call_codes(
        self, constructs: tuple[str, ...], rater: str
    ) -> tuple[list[Codes], tuple[str, ...]]:
        """Per construct the call of the rater's first label of every item, -1 where unknown.

        Without call ids the sitting stands in, which the flag ``same_call_assumed`` says.
        """
        calls = [self._first(construct, rater, self._call) for construct in constructs]
        if all((call == NO_LABEL).all() for call in calls):
            calls = [self._first(construct, rater, self._sitting) for construct in constructs]
            return calls, ("same_call_assumed",)
        return calls, ()

    def second(self, construct: str, rater: str) -> Codes:
        """Code of one rater's second label of every item, by sitting; -1 where there is none."""
        rows = self.rows(construct)[::-1]
        rows = rows[self.rater[rows] == self.position[rater]]
        rows = rows[pd.Series(self.item[rows]).groupby(self.item[rows]).cumcount() == 1]
        found = np.full(len(self.items), NO_LABEL, dtype=np.int64)
        found[self.item[rows]] = self.labels.codes[rows]
        return found

    def attribute(self, spec: str) -> NDArray[np.object_]:
        """Give the value of a column for every item; ``"item_id:|"`` is the part before the bar."""
        if spec not in self._attributes:
            self._attributes[spec] = self._attribute(spec)
        return self._attributes[spec]

    def _attribute(self, spec: str) -> NDArray[np.object_]:
        if not isinstance(spec, str):
            raise LabelError("no column", got=spec, allowed="text", example="cluster='cluster'")
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
            values = _before(values.astype(str), bar, spec)
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


def _before(values: pd.Series[str], bar: str, spec: str) -> pd.Series[str]:
    """Cut text at the first bar; refuse a bar that stands nowhere, which would cluster nothing."""
    if not bar or not values.str.contains(bar, regex=False).any():
        raise LabelError(
            "nothing to cut at",
            got=bar,
            allowed=f"text that stands in the column, such as in {values.iloc[0]!r}",
            example="cluster='item_id:|'",
            where=f"cluster={spec!r}",
        )
    return values.str.split(bar, n=1, regex=False).str[0]


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
        "no_judge_label": missing[:, 1::2].any(axis=1),
        "tied_reference": tied,
        "no_reference_label": missing[:, 0::2].any(axis=1),
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
