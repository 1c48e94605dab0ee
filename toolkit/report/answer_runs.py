"""Re-scored answers run by run, with the name of what they are compared with."""

from __future__ import annotations

from dataclasses import replace

from toolkit.errors import AnswerError
from toolkit.scoring.rescoring.by_run import POOLED
from toolkit.scoring.rescoring.old_scores import STORED
from toolkit.scoring.rescoring.result import Rescore
from toolkit.scoring.rescoring.run_files import EXAMPLE
from toolkit.scoring.rescoring.tables import count_flips


def by_run(found: Rescore) -> dict[str, Rescore]:
    """Split a re-scoring into one for each run; rows over several runs are left out.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    dict of str to Rescore
        By run, in the order of the source. ``old`` is what this run is compared with; the flags
        are those of all runs.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": "REASONABLE"}
    >>> list(by_run(tk.rescore([{**row, "model": "m1"}, {**row, "model": "m2"}])))
    ['m1', 'm2']
    """
    single = {}
    for name in in_order(found):
        scores, refused = (part[part["run"] == name] for part in (found.scores, found.refused))
        tables = {}
        for table in ("summary", "by_level"):
            rows = getattr(found, table)
            pooled = rows["flags"].map(lambda flags: POOLED in flags).astype(bool)
            tables[table] = rows[(rows["run"] == name) & ~pooled].reset_index(drop=True)
        flips = count_flips(scores, found.scores["subset"].unique())
        old = str(scores["old_scorer"].iloc[0]).partition(" (")[0] if len(scores) else found.old
        single[name] = replace(
            found, scores=scores, refused=refused, flips=flips, old=old, **tables
        )
    return single


def scored(found: Rescore) -> dict[str, Rescore]:
    """Keep the runs that have a row with a score; the others stand in the table of refusals.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    dict of str to Rescore
        As `by_run` gives them.

    Raises
    ------
    AnswerError
        If no row of any run can be scored.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1, "run": "a",
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> list(scored(tk.rescore([row, {**row, "run": "b", "agent_response": None}])))
    ['a']
    """
    kept = {name: one for name, one in by_run(found).items() if len(one.scores)}
    if not kept:
        reasons = found.refused["reason"].value_counts()
        raise AnswerError(
            "no row can be scored again",
            got={str(reason): int(n) for reason, n in reasons.items()},
            example=EXAMPLE,
            where=found.versions["source"],
        )
    return kept


def scorer_words(found: Rescore) -> str:
    """Name what the answers are compared with, as a heading of old scores.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    str
        "as stored" only where the run itself holds the scores.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...        "agent_response": '{"label": 1}', "predicted_label": 0}
    >>> scorer_words(tk.rescore([row])), scorer_words(tk.rescore([row], old="legacy_node"))
    ('as stored', 'by legacy_node')
    """
    names = dict.fromkeys(one.old for one in scored(found).values())
    return " or ".join("as stored" if name == STORED else f"by {name}" for name in names)


def in_order(found: Rescore) -> list[str]:
    """Name the runs in the order of the source.

    Parameters
    ----------
    found : Rescore
        From `toolkit.rescore`.

    Returns
    -------
    list of str
        Also runs of which every row was refused.

    Examples
    --------
    >>> import toolkit as tk
    >>> row = {"scenario_id": "j1", "category": "justice", "expected_label": 1}
    >>> in_order(tk.rescore([{**row, "run": "b"}, {**row, "run": "a"}], old="legacy_node"))
    ['b', 'a']
    """
    places = [
        (row, str(run))
        for part in (found.scores, found.refused)
        for row, run in zip(part["row"], part["run"], strict=True)
    ]
    return list(dict.fromkeys(run for _, run in sorted(places)))
