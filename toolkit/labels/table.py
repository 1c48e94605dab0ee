"""Labels that were read and checked."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from toolkit.labels.schema import Schema

MOST_ROWS = 20


@dataclass(frozen=True, eq=False, repr=False)
class Labels:
    """A label table: one row per item, construct, rater and sitting.

    Made by `read_labels`.

    Parameters
    ----------
    frame : DataFrame
        Usable labels only, in the order of the source. Columns item_id, construct, rater_id (str),
        label (the value of the schema's category), then those of rater_kind, call_id, cluster,
        stratum, order, sitting and weight that the source has, then its further columns.
    schema : Schema
        Every construct's categories; inferred ones too.
    codes : array of int16, shape (rows,)
        Position of each label in its construct's categories.
    source : str
        File name without folder, or "DataFrame".
    sha256 : str or None
        Of the file's bytes; None for a DataFrame.
    left_out : DataFrame
        The cells that hold no usable label. Columns construct, rater_id, reason ("missing": nothing
        there; "abstain": the rater declined) and count.
    flags : tuple of str
        "columns_taken:<names>" (a wide table's columns that nobody named as columns of labels);
        "schema_inferred"; "order_not_declared" (`order_declared` of a construct says which);
        "no_labels:<construct>"; "one_rater".

    See Also
    --------
    read_labels : Make one.

    Examples
    --------
    >>> from toolkit.labels import read_labels
    >>> rows = [("a", "tone", "ann", 1), ("a", "tone", "gpt", 0), ("b", "tone", "gpt", None)]
    >>> columns = ["item_id", "construct", "rater_id", "label"]
    >>> labels = read_labels(pd.DataFrame(rows, columns=columns))
    >>> labels
    Labels(2 labels of 1 item by 2 raters on 1 construct, from DataFrame)
    >>> labels.left_out
      construct rater_id   reason  count
    0      tone      gpt  missing      1
    """

    frame: pd.DataFrame
    schema: Schema
    codes: NDArray[np.int16]
    source: str
    sha256: str | None
    left_out: pd.DataFrame
    flags: tuple[str, ...]

    @property
    def constructs(self) -> tuple[str, ...]:
        """Constructs with a usable label, in the order of the schema."""
        found = set(self.frame["construct"].unique())
        return tuple(name for name in self.schema.constructs if name in found)

    @property
    def unlabelled(self) -> tuple[str, ...]:
        """Constructs that were declared or are in the source, but have no usable label."""
        known = dict.fromkeys([*self.schema.constructs, *self.left_out["construct"]])
        labelled = set(self.constructs)
        return tuple(name for name in known if name not in labelled)

    @property
    def raters(self) -> pd.DataFrame:
        """Raters by first appearance: rater_id, rater_kind (None: not known), labels (count)."""
        kinds = self.frame.get("rater_kind")
        counts = self.frame["rater_id"].value_counts(sort=False)
        first = ~self.frame["rater_id"].duplicated()
        raters = self.frame.loc[first, ["rater_id"]].reset_index(drop=True)
        known = [None] * len(raters) if kinds is None else kinds[first].tolist()
        raters["rater_kind"] = pd.Series(known, dtype=object)
        raters["labels"] = raters["rater_id"].map(counts).astype("int64")
        return raters

    @property
    def items(self) -> int:
        """Number of distinct items."""
        return int(self.frame["item_id"].nunique())

    def to_frame(self) -> pd.DataFrame:
        """Give the usable labels.

        Returns
        -------
        DataFrame
            A copy of `frame`, which `read_labels` reads again.

        Examples
        --------
        >>> from toolkit.labels import read_labels
        >>> frame = pd.DataFrame({"item_id": ["a"], "ann": ["1"], "gpt": [0]})
        >>> read_labels(frame, wide="rater", construct="tone").to_frame()
          item_id construct rater_id  label
        0       a      tone      ann      1
        1       a      tone      gpt      0
        """
        return self.frame.copy()

    def to_dict(self) -> dict[str, Any]:
        """Summarise what was read, ready for strict JSON.

        Returns
        -------
        dict
            Keys source, sha256, labels, items, constructs (name -> number of labels), raters,
            left_out, flags, schema; not the labels themselves.

        Examples
        --------
        >>> from toolkit.labels import read_labels
        >>> frame = pd.DataFrame({"item_id": ["a"], "ann": ["1"], "gpt": [0]})
        >>> read_labels(frame, wide="rater", construct="tone").to_dict()["constructs"]
        {'tone': 2}
        """
        counts = self.frame["construct"].value_counts()
        return {
            "source": self.source,
            "sha256": self.sha256,
            "labels": len(self.frame),
            "items": self.items,
            "constructs": {name: int(counts[name]) for name in self.constructs},
            "raters": self.raters.to_dict("records"),
            "left_out": self.left_out.to_dict("records"),
            "flags": list(self.flags),
            "schema": self.schema.to_dict(),
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._sentence()}, from {self.source})"

    def _sentence(self) -> str:
        return (
            f"{_count(len(self.frame), 'label')} of {_count(self.items, 'item')} by "
            f"{_count(len(self.raters), 'rater')} on {_count(len(self.constructs), 'construct')}"
        )

    def _repr_html_(self) -> str:
        counts = self.frame["construct"].value_counts()
        constructs = pd.DataFrame(
            [
                {
                    "construct": name,
                    "kind": self.schema[name].kind,
                    "categories": ", ".join(self.schema[name].labels),
                    "labels": int(counts[name]),
                }
                for name in self.constructs
            ]
        )
        tables = {"": constructs, "Raters": self.raters, "Left out": self.left_out}
        shown = "".join(_table(title, table) for title, table in tables.items() if len(table))
        flags = f"<p>Flags: {html.escape(', '.join(self.flags))}</p>" if self.flags else ""
        sentence = f"{self._sentence()}, from {self.source}"
        return f"<div><p><b>{html.escape(sentence)}</b></p>{flags}{shown}</div>"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _table(title: str, table: pd.DataFrame) -> str:
    more = len(table) - MOST_ROWS
    rest = f"<p>and {more:,} more rows</p>" if more > 0 else ""
    heading = f"<p>{title}</p>" if title else ""
    return f"{heading}{table.head(MOST_ROWS).to_html(index=False, escape=True)}{rest}"
