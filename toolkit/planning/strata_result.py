"""The pool in strata: items to which the judge gave the same labels."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.coefficients.weights import Floats
from toolkit.labels.schema import Schema
from toolkit.plain import plain
from toolkit.planning.influence import Codes

MIXED = -1  # the judge's code of a construct in a stratum whose items differ in it
WHY_LEFT_OUT = {"no_judge_label": "no judge's label on every construct"}


@dataclass(frozen=True, eq=False, repr=False)
class Strata:
    """A pool of items that the judge labelled, in strata.

    Made by `strata`.

    Attributes
    ----------
    names : tuple of str
        Of the strata, in the order of the judge's labels.
    constructs : tuple of str
        What the judge labelled.
    sizes : ndarray of shape (H,)
        Items in each stratum.
    judge : ndarray of shape (H, C)
        Code of the judge's label: position in the construct's categories; -1 where a merged
        stratum holds several.
    mix : tuple of ndarray of shape (H, k)
        Per construct the shares of the judge's labels within each stratum; one of them is 1, but
        for merged strata.
    schema : Schema
        Categories of the constructs.
    cost : ndarray of shape (H,)
        Of one labelled item.
    floor : int
        Least size of a stratum (but see `thin`), and least sample of a stratum in which the judge
        flagged nothing.
    items : ndarray of str
        Identifiers of the pool's items.
    member : ndarray of int
        Stratum of each item.
    codes : ndarray of shape (items, C)
        Code of the judge's label of each item.
    merged : dict of str to tuple of str
        Strata that were put together from thinner ones, and the names of those.
    left_out : dict of str to int
        Items that are in no stratum, by reason.
    sha256 : str
        Of the pool's identifiers, whatever their order.

    See Also
    --------
    strata : Make them.

    Examples
    --------
    >>> from toolkit import planning
    >>> pool = pd.DataFrame({"item_id": range(100), "escalation": [0] * 60 + [1] * 40})
    >>> made = planning.strata(pool, constructs=["escalation"])
    >>> made.to_frame()[["stratum", "size"]]
            stratum  size
    0  escalation=0    60
    1  escalation=1    40
    """

    names: tuple[str, ...]
    constructs: tuple[str, ...]
    sizes: NDArray[np.int64]
    judge: Codes
    mix: tuple[Floats, ...]
    schema: Schema
    cost: Floats
    floor: int
    items: NDArray[np.object_]
    member: Codes
    codes: Codes
    merged: dict[str, tuple[str, ...]]
    left_out: dict[str, int]
    sha256: str

    @property
    def total(self) -> int:
        """Number of items in the strata."""
        return int(self.sizes.sum())

    @property
    def thin(self) -> tuple[str, ...]:
        """Strata below the floor, kept because a judge label stands alone in no other."""
        return tuple(name for name, n in zip(self.names, self.sizes, strict=True) if n < self.floor)

    def absent(self, construct: str) -> NDArray[np.bool_]:
        """Categories that do not mean present; where nobody said, the judge's most common one."""
        c = self.constructs.index(construct)
        declared = self.schema[construct]
        if declared.present:
            return np.array([value not in declared.present for value in declared.categories])
        most_common = int((self.sizes @ self.mix[c]).argmax())
        return np.asarray(np.arange(declared.k) == most_common)

    @property
    def negative(self) -> NDArray[np.bool_]:
        """Strata in which the judge flagged no construct on any item, shape (H,)."""
        flagged = [
            mix[:, ~self.absent(name)].sum(1) > 0
            for name, mix in zip(self.constructs, self.mix, strict=True)
        ]
        return np.asarray(~np.any(flagged, axis=0))

    def to_frame(self) -> pd.DataFrame:
        """Give one row per stratum: stratum, size, share, cost, judge's labels, merged_from."""
        frame = pd.DataFrame(
            {
                "stratum": self.names,
                "size": self.sizes,
                "share": self.sizes / self.total,
                "cost": self.cost,
            }
        )
        for c, name in enumerate(self.constructs):
            labels = [*self.schema[name].labels, "several"]  # code -1 is the last one
            frame[name] = [labels[code] for code in self.judge[:, c]]
        frame["merged_from"] = [" + ".join(self.merged.get(name, ())) for name in self.names]
        return frame

    def to_dict(self) -> dict[str, Any]:
        """Give the strata, not the items, as strict-JSON material."""
        return dict(
            plain(
                {
                    "constructs": self.constructs,
                    "items": self.total,
                    "floor": self.floor,
                    "strata": self.to_frame().to_dict("records"),
                    "merged": self.merged,
                    "thin": self.thin,
                    "left_out": self.left_out,
                    "sha256": self.sha256,
                }
            )
        )

    def __repr__(self) -> str:
        merged = f", {len(self.merged)} merged" if self.merged else ""
        noun = "stratum" if len(self.names) == 1 else "strata"
        left = "".join(
            f"; {count:,} item{'s' * (count > 1)} left out: {WHY_LEFT_OUT[reason]}"
            for reason, count in self.left_out.items()
        )
        return (
            f"Strata({self.total:,} items in {len(self.names)} {noun}{merged}, "
            f"by the judge's labels on {', '.join(self.constructs)}{left})"
        )

    def _repr_html_(self) -> str:
        table = self.to_frame().to_html(index=False, escape=True)
        return f"<div><p><b>{html.escape(repr(self)[7:-1])}</b></p>{table}</div>"


def pool_sha256(items: Sequence[Any] | NDArray[np.object_]) -> str:
    """Fingerprint of a pool's identifiers, whatever their order."""
    text = "\n".join(sorted(map(str, items)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
