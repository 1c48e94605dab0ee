"""Kappa in other traffic: the two assumptions side by side, and why they differ."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import Any

import pandas as pd

from toolkit.plain import plain

JUDGE, TRUE = "judge_shares_moved", "true_prevalence_moved"
MOVES = {
    JUDGE: "a judge's label means the same there, only the shares of its labels differ",
    TRUE: "the judge errs at the same rates there, only the share of true positives differs",
}


@dataclass(frozen=True, eq=False)
class WhatIf:
    """Kappa in other traffic, under the assumption that was named and under the other.

    Attributes
    ----------
    moved : str
        The assumption that was named.
    by : str
        What was given of the other traffic: "prevalence" or "judge_share".
    now : dict of str to float
        The traffic that was measured: prevalence, judge_share, sensitivity, specificity, precision
        (positive among the judge's positives), omission (positive among its negatives), kappa.
    asked : DataFrame
        Columns moved, prevalence, judge_share, kappa: a row for each assumption and each share that
        was asked for. nan: this assumption can't give such a share.
    curves : DataFrame
        The same over a grid of shares from 0 to 1.

    References
    ----------
    Thompson and Walter 1988, J. Clinical Epidemiology 41:949, doi:10.1016/0895-4356(88)90031-5.

    Examples
    --------
    >>> from toolkit.planning.what_if import what_if
    >>> result = what_if([[210, 90], [291, 9409]], moved="judge_shares_moved", judge_share=.5)
    >>> result.to_frame().round(3)
                       moved  prevalence  judge_share  kappa
    0  true_prevalence_moved       0.701          0.5  0.561
    1     judge_shares_moved       0.214          0.5  0.410
    """

    moved: str
    by: str
    now: dict[str, float]
    asked: pd.DataFrame
    curves: pd.DataFrame

    @property
    def kappa(self) -> list[float]:
        """Kappa at the shares that were asked for, under the assumption that was named."""
        return [float(value) for value in self._rows(self.moved)["kappa"]]

    @property
    def why(self) -> str:
        """Why the two curves contradict each other, and what would decide."""
        now = self.now
        if now["kappa"] == 1:
            return "The judge was never wrong, so both assumptions say the same."
        return (
            f"Measured: the judge finds {now['sensitivity']:.2f} of the positives and clears "
            f"{now['specificity']:.3f} of the negatives; of the items that it calls positive "
            f"{now['precision']:.2f} are, of the others {now['omission']:.4f}. If true prevalence "
            "moves, the first two stay and the last two change; if only the judge's shares move, "
            "the last two stay and the first two change. All four can stay only where nothing "
            "moves: away from the measured point the two assumptions contradict each other, and "
            f"each has its own curve. {self._decides()}"
        )

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why a kappa is nan."""
        lacking = self.asked["kappa"].isna().any()
        return ("out_of_reach",) if lacking else ()

    def to_frame(self) -> pd.DataFrame:
        """Give the rows that were asked for."""
        return self.asked

    def to_dict(self) -> dict[str, Any]:
        """Give everything as strict-JSON material."""
        fields = {"moved": self.moved, "by": self.by, "now": self.now, "why": self.why}
        frames = {
            "asked": self.asked.to_dict("records"),
            "curves": self.curves.to_dict("list"),
        }
        return dict(plain({**fields, **frames, "reasons": self.reasons}))

    def _rows(self, moved: str) -> pd.DataFrame:
        return self.asked[self.asked["moved"] == moved]

    def _decides(self) -> str:
        """Say what share of true positives among judge-positives each assumption predicts."""
        first = self._rows(TRUE).iloc[0]
        if math.isnan(first["kappa"]) or not first["judge_share"]:
            return "Labels of people from the other traffic would decide."
        there = first["prevalence"] * self.now["sensitivity"] / first["judge_share"]
        return (
            f"Some labels of people on items that the judge calls positive in the other traffic "
            f"decide: at {self.by.replace('_', ' ')} {first[self.by]:.3f}, {there:.2f} of them are "
            f"positive if true prevalence moved, {self.now['precision']:.2f} if only the judge's "
            "shares did."
        )

    def __str__(self) -> str:
        other = JUDGE if self.moved == TRUE else TRUE
        named, beside = self._rows(self.moved), self._rows(other)
        follows = "judge_share" if self.by == "prevalence" else "prevalence"
        lines = []
        for (_, one), (_, two) in zip(named.iterrows(), beside.iterrows(), strict=True):
            lines.append(
                f"kappa {_number(one['kappa'])} at {self.by.replace('_', ' ')} {one[self.by]:.3f} "
                f"({_follows(follows, one)}) if {_said(self.moved)}; "
                f"{_number(two['kappa'])} ({_follows(follows, two)}) if {_said(other)}"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        lines = "".join(f"<li>{html.escape(line)}</li>" for line in str(self).splitlines())
        return f"<ul>{lines}</ul><p>{html.escape(self.why)}</p>"


def _follows(column: str, row: pd.Series) -> str:
    return f"{column.replace('_', ' ')} {_number(row[column], 3)}"


def _number(value: float, digits: int = 2) -> str:
    return "out of reach" if math.isnan(value) else f"{value:.{digits}f}"


def _said(moved: str) -> str:
    return moved.replace("_", " ")
