"""Every run by itself, and all of them together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from toolkit.errors import AnswerError
from toolkit.scoring.grade import ALL

POOLED = "runs_pooled"


def each_run(rows: pd.DataFrame, measure: Callable[[pd.DataFrame], pd.DataFrame]) -> pd.DataFrame:
    """Measure all runs together and each by itself.

    Two replies to one item are not independent: over several runs, an item of no known stem is a
    cluster of its replies.

    Parameters
    ----------
    rows : DataFrame
        With run, subset, scenario_id and stem.
    measure : callable
        From such rows to one row per group, with a column ``flags``.

    Returns
    -------
    DataFrame
        Of ``measure``, behind a column ``run``: "all", flagged ``runs_pooled``, then the runs. A
        single run is told once, by its name; no row at all is run "all".

    Raises
    ------
    AnswerError
        One of several runs is called "all".

    Examples
    --------
    >>> rows = pd.DataFrame({"run": ["a", "b"], "subset": "justice", "scenario_id": "j1",
    ...                      "stem": None})
    >>> def size(part):
    ...     return pd.DataFrame({"n": [len(part)], "stems": [part["stem"].nunique()],
    ...                          "flags": [()]})
    >>> each_run(rows, size)
       run  n  stems           flags
    0  all  2      1  (runs_pooled,)
    1    a  1      0              ()
    2    b  1      0              ()
    """
    names = list(dict.fromkeys(rows["run"]))
    if not names:
        return _named(ALL, measure(rows))
    parts = [_named(name, measure(rows[rows["run"] == name])) for name in names]
    if len(names) == 1:
        return parts[0]
    if ALL in names:
        raise AnswerError(
            f"a run is called {ALL!r}, which names the rows over all runs",
            got=names,
            allowed="any other name",
            where="run",
        )
    item = "\t" + rows["scenario_id"].astype(str)  # no stem begins with a tab
    pooled = measure(rows.assign(stem=rows["stem"].where(rows["stem"].notna(), item)))
    pooled["flags"] = [(*flags, POOLED) for flags in pooled["flags"]]
    return pd.concat([_named(ALL, pooled), *parts], ignore_index=True)


def _named(name: Any, table: pd.DataFrame) -> pd.DataFrame:
    named = table.copy()
    named.insert(0, "run", name)
    return named
