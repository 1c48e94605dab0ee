"""A share of the judge's calls failed: answered by default or at random, whatever the item said.

The errors of several constructs then fall into the same calls. Hard items do that too, so errors
count where all persons, and another judge where there is one, agree with the reference; a general
impression does it too. Failed calls must explain the answers better than both (`failure_model`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.diagnosis.case import HIGH, LOW, Case, Marks
from toolkit.diagnosis.failure_model import answers
from toolkit.diagnosis.failure_rivals import RANDOM, Accounts, accounts
from toolkit.diagnosis.gates import gated_with
from toolkit.diagnosis.measure import Measure
from toolkit.diagnosis.shared_errors import error_correlation
from toolkit.diagnosis.witnesses import witnesses

CAUSE = "call_failure"
NEXT = (
    "Look at the raw answers of the calls with errors in several constructs and run those calls "
    "again; truncated replies, time-outs and fallback labels do not belong in the table."
)
PAIR = 2


def measure(case: Case) -> Measure:
    """Measure how far errors of the constructs share calls, and fit calls that failed."""
    if not case.same_call:
        return Measure(CAUSE, untestable="the constructs come from different calls of the judge")
    if case.c < PAIR:
        return Measure(CAUSE, untestable="it takes two constructs to see errors share a call")
    gate = gated_with(case)
    if gate:
        why = f"{case.scales[LOW].name} and {gate} hang together by design: one is a gate"
        return Measure(CAUSE, untestable=why)
    others = witnesses(case)
    known = others.agreed >= 0
    wrong = known & (case.judge != others.agreed)
    varying = wrong.any(axis=1) & (known & ~wrong).any(axis=1)
    if not varying[LOW] or varying.sum() < PAIR:
        return Measure(
            CAUSE,
            untestable="where the witnesses agree, fewer than two constructs have right and wrong "
            "answers of the judge",
        )
    found = accounts(answers(case, others), others.agreed)
    effect = error_correlation(case, others.agreed, wrong)
    sound = 1 - found.fit.low
    undone = case.tables(case.referred(LOW), case.judged(LOW) * sound[:, None])
    return Measure(
        CAUSE,
        compared="mean correlation of the errors of the low construct with those of the others",
        effect=effect,
        undone=case.kappa(LOW, undone),
        tests={
            **_ratios(found),
            "correlation": float(effect[0]),
            "share_failed": found.fit.failed,
            "witnessed": float(bool(others.names)),
            "constructs": float(case.c),
        },
        facts={
            "mode": found.mode,
            "kappa_high_inside": _kappa_of(case, wrong[LOW]),
            "kappa_high_outside": _kappa_of(case, known[LOW] & ~wrong[LOW]),
            "low_errors": int(wrong[LOW].sum()),
            "low_known": int(known[LOW].sum()),
            "constructs": case.c,
        },
        n=int(known.any(axis=0).sum()),
        witness=others.names,
        weight=1 - found.fit.state,
    )


def undo(case: Case, found: Measure) -> Case:
    """Give the case in which a call counts as far as it is likely to be ok."""
    if found.weight is None:
        return case
    weight = case.weight * found.weight
    return replace(case, weight=weight / weight.mean())


def sentence(found: Measure, case: Case) -> str:
    """Say how far errors share calls and how many calls look failed."""
    if found.untestable:
        return f"Not testable: {found.untestable}."
    low, high = case.scales[LOW].name, case.scales[HIGH].name
    tests, facts = found.tests, found.facts
    where = (
        f"on labels confirmed by {found.witness}"
        if found.witness
        else "without a second opinion that would set hard items apart"
    )
    how = "by default" if facts["mode"] != RANDOM else "at random"
    first = (
        f"Errors on {low} and on the other constructs correlate at {tests['correlation']:+.2f} "
        f"within the same call ({where}); as failed calls, answered {how}, that is "
        f"{100 * tests['share_failed']:.0f} % of the calls."
    )
    inside, outside = facts["kappa_high_inside"], facts["kappa_high_outside"]
    if not np.isfinite(inside + outside):
        return first
    return (
        f"{first} Kappa of {high} is {inside:.2f} in the {facts['low_errors']} calls where {low} "
        f"is wrong and {outside:.2f} where it is right."
    )


def _ratios(found: Accounts) -> dict[str, float]:
    """Log-likelihood ratios; against the rivals as signed roots, on the scale of a z.

    No p-value is given: where nothing failed the share of failed calls lies on the edge of its
    range, so the ratio has no textbook law. docs/validation.md has the error rates.
    """
    gain = max(found.failed_only - found.nothing, 0.0)
    return {
        "gain": gain,
        "direction": _root(found.failed - found.impression),
        "difficulty": _root(found.failed - found.difficulty),
    }


def _root(ratio: float) -> float:
    return float(np.sign(ratio) * np.sqrt(2 * abs(ratio)))


def _kappa_of(case: Case, calls: Marks) -> float:
    """Kappa of the high construct in some of the calls."""
    table = case.referred(HIGH)[calls].T @ case.judged(HIGH)[calls]
    return float(cohen_kappa(table, case.scales[HIGH].weights))
