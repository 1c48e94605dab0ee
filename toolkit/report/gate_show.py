"""Tables about the gate: who passes, who does not and why, and what the scope changes."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from IPython.display import HTML

from toolkit.gate.ko import PASSED
from toolkit.gate.scopes import ScopeComparison
from toolkit.gate.scorecard import Scorecard
from toolkit.gate.stability_result import GateStability
from toolkit.report.gate_words import in_gate_words
from toolkit.report.markup import as_table, number

NOBODY = HTML("<p>None.</p>")
MOST_SHOWN = 40


def ranking_table(card: Scorecard) -> HTML:
    """Show the models that passed, best first.

    Parameters
    ----------
    card : Scorecard
        From `toolkit.gate.scorecard`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.gate import scorecard
    >>> from toolkit.report.gate_files import read_gate
    >>> "birch" in ranking_table(scorecard(read_gate().verdicts)).data
    True
    """
    frame = card.ranking
    rows = {
        "rank": [
            _rank(rank, tied) for rank, tied in zip(frame["rank"], frame["tied"], strict=True)
        ],
        "model": frame["model"],
        "total": frame["percentage"].map(_percent),
        "in its weakest variant": frame["lowest_percentage"].map(_percent),
        "prompts scored": [
            f"{scored:,} of {asked:,}"
            for scored, asked in zip(frame["prompts_scored"], frame["prompts"], strict=True)
        ],
    }
    return _table(pd.DataFrame(rows))


def not_passed_table(card: Scorecard) -> HTML:
    """Show the models that did not pass, apart from the ranking, with the gate's own reason.

    Parameters
    ----------
    card : Scorecard
        From `toolkit.gate.scorecard`.

    Returns
    -------
    IPython.display.HTML
        Knocked-out models first, then undetermined ones, which have not passed either.

    Examples
    --------
    >>> from toolkit.gate import scorecard
    >>> from toolkit.report.gate_files import read_gate
    >>> "red flag on B3" in not_passed_table(scorecard(read_gate().verdicts)).data
    True
    """
    frame = card.models[card.models["status"] != PASSED]
    frame = frame.sort_values(["status", "model"], kind="stable")
    return _table(
        pd.DataFrame(
            {
                "model": frame["model"],
                "decision": frame["status"].map(in_gate_words),
                "reason": [_reasons(card, row) for row in frame.to_dict("records")],
                "total, which does not count": frame["percentage"].map(_percent),
            }
        )
    )


def beyond_total_table(card: Scorecard) -> HTML:
    """Show the models that a ranking by total alone would place above the best that passed.

    Parameters
    ----------
    card : Scorecard
        From `toolkit.gate.scorecard`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.gate import scorecard
    >>> from toolkit.report.gate_files import read_gate
    >>> "100.0" in beyond_total_table(scorecard(read_gate().verdicts)).data
    True
    """
    found = above_the_best(card)
    if found.empty:
        return HTML("<p>No model that did not pass has a total above the best that passed.</p>")
    return _table(
        pd.DataFrame(
            {
                "model": found["model"],
                "total": found["percentage"].map(_percent),
                "decision": found["status"].map(in_gate_words),
                "because of": [_reasons(card, row) for row in found.to_dict("records")],
            }
        )
    )


def above_the_best(card: Scorecard) -> pd.DataFrame:
    """Pick the models that did not pass with a total at or above the best that passed.

    Parameters
    ----------
    card : Scorecard
        From `toolkit.gate.scorecard`.

    Returns
    -------
    DataFrame
        Rows of ``card.models``, the highest total first; all with a total where none passed.

    Examples
    --------
    >>> from toolkit.gate import scorecard
    >>> from toolkit.report.gate_files import read_gate
    >>> above_the_best(scorecard(read_gate().verdicts))["model"].tolist()
    ['alder', 'hazel']
    """
    models = card.models
    best = models.loc[models["status"] == PASSED, "percentage"].max()
    limit = -math.inf if pd.isna(best) else best - 1e-9  # equal totals up to rounding
    chosen = (models["status"] != PASSED) & (models["percentage"] >= limit)
    return models[chosen].sort_values("percentage", ascending=False, kind="stable")


def separation_table(scopes: ScopeComparison | str) -> HTML:
    """Show how many models pass under each scope, and how well the ranking tells them apart.

    Parameters
    ----------
    scopes : ScopeComparison or str
        From `both_scopes`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.report.gate_files import both_scopes, read_gate
    >>> "tied at the top" in separation_table(both_scopes(read_gate().verdicts)).data
    True
    """
    if isinstance(scopes, str):
        return as_table(pd.DataFrame({"note": [scopes]}), header=False)
    names = {
        "scope": "scope",
        "models": "models",
        "passed": "pass",
        "ranked": "ranked",
        "distinct_ranks": "distinct ranks",
        "tied_at_top": "on the first rank",
    }
    frame = scopes.separation.assign(tied_at_top=_top(scopes.separation["tied_at_top"]))
    table = as_table(frame[list(names)].rename(columns=names))
    if math.isnan(scopes.tau):
        why = ", ".join(in_gate_words(reason) for reason in scopes.reasons)
        return HTML(f"{table.data}<p>Kendall's tau-b of the two rankings is undefined: {why}.</p>")
    said = (
        f"<p>Kendall's tau-b of the two rankings: {number(scopes.tau)} over {scopes.n:,} models "
        "(1: the same order; those that do not pass share the last place).</p>"
    )
    return HTML(table.data + said)


def changed_table(scopes: ScopeComparison | str) -> HTML:
    """Show the models whose decision depends on the scope, and the flags that do it.

    Parameters
    ----------
    scopes : ScopeComparison or str
        From `both_scopes`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.report.gate_files import both_scopes, read_gate
    >>> "E5" in changed_table(both_scopes(read_gate().verdicts)).data
    True
    """
    if isinstance(scopes, str):
        return HTML("")
    frame = scopes.changed
    if frame.empty:
        return HTML("<p>No decision depends on the scope.</p>")
    return _table(
        pd.DataFrame(
            {
                "model": frame["model"],
                "under all": frame["status_all"].map(in_gate_words),
                "under curated": frame["status_curated"].map(in_gate_words),
                "red flags that do it": frame["prompts"].map(", ".join),
            }
        )
    )


def never_fatal_table(scopes: ScopeComparison | str) -> HTML:
    """Show the red flags that never disqualify under curated, for review.

    Parameters
    ----------
    scopes : ScopeComparison or str
        From `both_scopes`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.report.gate_files import both_scopes, read_gate
    >>> "headings or bold" in never_fatal_table(both_scopes(read_gate().verdicts)).data
    True
    """
    if isinstance(scopes, str):
        return HTML("")
    names = {
        "prompt_id": "prompt",
        "title": "title",
        "red_flags": "red flags",
        "models": "models",
        "share": "share of its verdicts",
        "rationale": "the judge's first rationale",
    }
    frame = scopes.never_fatal[list(names)]
    return _table(frame.rename(columns=names).fillna({"the judge's first rationale": ""}))


def left_out_verdicts(card: Scorecard, stability: GateStability) -> HTML:
    """Show what was read, and what of it could not be used.

    Parameters
    ----------
    card : Scorecard
        From `toolkit.gate.scorecard`.
    stability : GateStability
        From `toolkit.gate.gate_stability`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.gate import scorecard
    >>> from toolkit.gate.stability import gate_stability
    >>> from toolkit.report.gate_files import read_gate
    >>> read = read_gate()
    >>> stability = gate_stability(read.verdicts, read.pack, draws=100)
    >>> "without a score" in left_out_verdicts(scorecard(read.verdicts), stability).data
    True
    """
    shown = ("unscored", "empty", "unknown_prompts", "absent")
    rows = [("verdicts read", f"{card.counts['rows']:,}")]
    rows += [(in_gate_words(name), f"{card.counts[name]:,}") for name in shown]
    rows.append(("labels of people beside the judge's", f"{_labelled(stability):,}"))
    lost = stability.left_out.get("label_missing", 0)
    rows.append((in_gate_words("label_missing"), f"{lost:,}"))
    return as_table(pd.DataFrame(rows), header=False)


def _table(frame: pd.DataFrame) -> HTML:
    if frame.empty:
        return NOBODY
    more = len(frame) - MOST_SHOWN
    said = f"<p>And {more:,} more.</p>" if more > 0 else ""
    return HTML(as_table(frame.head(MOST_SHOWN)).data + said)


def _rank(rank: Any, tied: Any) -> str:
    return "none: no total" if pd.isna(rank) else f"{rank}{' (tied)' if tied else ''}"


def _percent(value: float) -> str:
    return "no total" if math.isnan(value) else f"{value:.1f}\u00a0%"


def _reasons(card: Scorecard, row: dict[Any, Any]) -> str:
    """The gate's own reasons, without the status that stands beside them."""
    several = len({variant for _, variant in card.decisions}) > 1
    said = []
    for variant in row["variants"]:
        reason = card.decisions[row["model"], variant].reason
        reason = reason.removeprefix(f"{row['status'].replace('_', ' ')}: ")
        said.append(f"{reason} (variant {variant})" if several else reason)
    return ". ".join(said)


def _labelled(stability: GateStability) -> int:
    return sum(one.n for one in stability.reliability)


def _top(numbers: pd.Series[Any]) -> list[str]:
    return [f"{number:,}{' (tied at the top)' if number > 1 else ''}" for number in numbers]
