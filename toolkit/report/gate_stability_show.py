"""Tables about what the gate's decisions are worth."""

from __future__ import annotations

import html
import math

import pandas as pd
from IPython.display import HTML

from toolkit.gate.ko import UNDETERMINED
from toolkit.gate.stability_kappa import ALL_TOGETHER, FlagReliability
from toolkit.gate.stability_result import (
    ANOTHER_RUN,
    PERFECT_JUDGE,
    Chances,
    DecisionStability,
    GateStability,
)
from toolkit.report.gate_words import in_gate_words
from toolkit.report.markup import as_table, number, with_limits
from toolkit.report.show import bullets

MOST_SHOWN = 40
WORTH_NAMING = 0.05  # share of draws from which a sole reason is named
HEADS = {ANOTHER_RUN: "in another run", PERFECT_JUDGE: "with a perfect judge"}


def stability_table(stability: GateStability) -> HTML:
    """Show how probably each decision flips, and what would decide, the least stable model first.

    Parameters
    ----------
    stability : GateStability
        From `toolkit.gate.gate_stability`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.gate.stability import gate_stability
    >>> from toolkit.report.gate_files import read_gate
    >>> read = read_gate()
    >>> "larch" in stability_table(gate_stability(read.verdicts, read.pack, draws=200)).data
    True
    """
    rows = []
    for one in least_stable_first(stability)[:MOST_SHOWN]:
        row = {"model": one.model, "decision": in_gate_words(one.status)}
        for question, head in HEADS.items():
            chances: Chances = getattr(one, question)
            undecided = one.status == UNDETERMINED
            row[f"flips {head}"] = "no decision" if undecided else number(chances.flips)
            row[f"only reason {head}"] = _sole(chances)
        rows.append(row)
    codes = (*stability.reasons, *stability.flags)
    notes = bullets("Of the numbers below:", [in_gate_words(code) for code in codes])
    more = len(stability) - MOST_SHOWN
    said = f"<p>And {more:,} more, none less stable.</p>" if more > 0 else ""
    return HTML(notes.data + as_table(pd.DataFrame(rows)).data + said)


def least_stable_first(stability: GateStability) -> list[DecisionStability]:
    """Sort the models by the larger of their two probabilities of a flip.

    Parameters
    ----------
    stability : GateStability
        From `toolkit.gate.gate_stability`.

    Returns
    -------
    list of DecisionStability
        Undetermined models last.

    Examples
    --------
    >>> from toolkit.gate.stability import gate_stability
    >>> from toolkit.report.gate_files import read_gate
    >>> read = read_gate()
    >>> least_stable_first(gate_stability(read.verdicts, read.pack, draws=200))[0].model
    'larch'
    """
    return sorted(stability, key=lambda one: -most_flips(one))


def most_flips(one: DecisionStability) -> float:
    """Give the larger of the two probabilities of a flip; -1 where there is none.

    Parameters
    ----------
    one : DecisionStability
        A model.

    Returns
    -------
    float

    Examples
    --------
    >>> nothing = Chances(math.nan, math.nan, math.nan, {})
    >>> most_flips(DecisionStability("m", None, "undetermined", nothing, nothing, ()))
    -1.0
    """
    flips = (one.another_run.flips, one.perfect_judge.flips)
    return max((each for each in flips if not math.isnan(each)), default=-1.0)


def reliability_table(stability: GateStability) -> HTML:
    """Show kappa of the red flag by prompt, the prompts that disqualify first.

    Parameters
    ----------
    stability : GateStability
        From `toolkit.gate.gate_stability`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.gate.stability import gate_stability
    >>> from toolkit.report.gate_files import read_gate
    >>> read = read_gate()
    >>> found = gate_stability(read.verdicts, read.pack, draws=200, confusion=read.people)
    >>> "too unreliable" in reliability_table(found).data
    True
    """
    order = sorted(stability.reliability, key=lambda one: not one.curated)
    rows = [
        {
            "prompt": one.prompt_id or "all prompts",
            "disqualifies": _disqualifies(stability, one),
            "replies": one.n,
            "flagged by people": one.people,
            "flagged by the judge": one.judge,
            "kappa [interval]": with_limits(one.kappa, one.low, one.high),
            "verdict": in_gate_words(one.verdict),
            "unsteady verdicts": one.mixed,
            "remarks": "; ".join(map(in_gate_words, dict.fromkeys((*one.reasons, *one.flags)))),
        }
        for one in order
    ]
    return as_table(pd.DataFrame(rows))


def _disqualifies(stability: GateStability, one: FlagReliability) -> str:
    if not stability.disqualifies(one):
        return "no"
    return "yes" if stability.scope == "all" or one.curated else "the curated ones"


def unreliable_text(stability: GateStability) -> HTML:
    """Name the prompts that disqualify although people and judge do not agree on their flag.

    Parameters
    ----------
    stability : GateStability
        From `toolkit.gate.gate_stability`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.gate.stability import gate_stability
    >>> from toolkit.report.gate_files import read_gate
    >>> read = read_gate()
    >>> found = gate_stability(read.verdicts, read.pack, draws=200, confusion=read.people)
    >>> print(unreliable_text(found).data)
    <p><strong>B2</strong>: kappa of the red flag lies below 0.60 with its whole interval...
    """
    if not any(one.n for one in stability.reliability):
        return HTML("<p>No labels of people: nothing can be said about single prompts.</p>")
    names = stability.too_unreliable
    if not names:
        said = f"No prompt that disqualifies is shown to lie below kappa {stability.threshold:.2f}."
        return HTML(f"<p>{said}</p>")
    if names == (ALL_TOGETHER,):
        names = ("All prompts taken together",)
    listed = html.escape(", ".join(names))
    return HTML(
        f"<p><strong>{listed}</strong>: kappa of the red flag lies below "
        f"{stability.threshold:.2f} with its whole interval. Let people confirm such a flag before "
        "it disqualifies, and mend what the judge is told about it; a prompt that is dropped "
        "instead no longer protects anybody.</p>"
    )


def _sole(chances: Chances) -> str:
    named = [
        f"{in_gate_words(reason)} ({number(share)})"
        for reason, share in chances.sole.items()
        if share >= WORTH_NAMING
    ]
    return ", ".join(named[:3])
