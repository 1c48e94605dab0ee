"""What became of a file of raw answers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd


@dataclass(frozen=True, slots=True)
class FileSummary:
    """What `normalize_file` read and wrote.

    Attributes
    ----------
    out : str
        Name of the file that was written, without its folder.
    rows : int
        Rows that were read.
    written : int
        Rows that were written: as many, or with a contract as many times the constructs.
    level : str
        At which they were read.
    outcomes : dict of str to int
        Rows written by outcome; outcomes that did not occur are left out.

    Examples
    --------
    >>> FileSummary("out.jsonl", 3, 3, "structured", {"answered": 2, "no_answer": 1})
    FileSummary(3 rows -> out.jsonl, structured: 2 answered, 1 no_answer)
    """

    out: str
    rows: int
    written: int
    level: str
    outcomes: dict[str, int]

    def to_frame(self) -> pd.DataFrame:
        """Give one row for every outcome.

        Returns
        -------
        DataFrame
            Columns outcome and rows.

        Examples
        --------
        >>> FileSummary("out.jsonl", 2, 2, "strict", {"answered": 2}).to_frame()
            outcome  rows
        0  answered     2
        """
        return pd.DataFrame(
            {"outcome": list(self.outcomes), "rows": list(self.outcomes.values())}
        ).astype({"outcome": "str", "rows": "int64"})

    def to_dict(self) -> dict[str, Any]:
        """Give every field as strict JSON.

        Returns
        -------
        dict
            By the names of the attributes.

        Examples
        --------
        >>> FileSummary("out.jsonl", 2, 2, "strict", {"answered": 2}).to_dict()["rows"]
        2
        """
        return asdict(self)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {outcome}" for outcome, count in self.outcomes.items())
        return f"FileSummary({self.rows:,} rows -> {self.out}, {self.level}: {counts or 'nothing'})"
