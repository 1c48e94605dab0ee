"""From the rules to a verdict: which causes, in which order, and what can't be told apart.

A reversal or a swap looks like every other cause, so it is undone before the others are looked at.
A fault of whole calls (failed calls, a stretch of the order, a stratum) looks like a fault of the
construct, so the calls that it spared are examined again: what is not there was its consequence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toolkit.coefficients.options import Resampling
from toolkit.diagnosis import call_failure, rules
from toolkit.diagnosis.build import Readable
from toolkit.diagnosis.case import Case
from toolkit.diagnosis.examine import FEWEST_CALLS, MODULES, Round, examine
from toolkit.diagnosis.gap import gap_of

RELABELLED = ("reversed_polarity", "swapped_constructs")
PLACES = ("drift", "stratum")
WHOLE_CALLS = ("call_failure", *PLACES)
MECHANISMS = (
    "call_failure",
    "threshold_shift",
    "prevalence",
    "human_ceiling",
    "judge_noise",
    "halo",
)


@dataclass(frozen=True, eq=False)
class Conclusion:
    """Named causes in order, causes that can't be told apart, and the rounds they rest on.

    `base` is the round after reversals and swaps were undone; `round_of` gives the round in which a
    cause was found where that is another one.
    """

    causes: tuple[str, ...]
    open: tuple[str, ...]
    rounds: tuple[Round, ...]
    round_of: dict[str, int]
    base: Round

    @property
    def first(self) -> Round:
        """The round on the labels as they are."""
        return self.rounds[0]


@dataclass(frozen=True)
class Examiner:
    """How a changed case is examined again: with the same readable items and resampling."""

    readable: Readable
    options: Resampling
    material: float

    def again(self, case: Case) -> Round:
        """Measure the gap of the changed case, and every cause on it."""
        gap = gap_of(case, self.options, material=self.material)
        return examine(case, self.readable, gap)


def conclude(first: Round, examiner: Examiner) -> Conclusion:
    """Name the causes of a gap."""
    rounds, causes = [first], list[str]()
    round_of: dict[str, int] = {}

    for _ in RELABELLED:
        last = rounds[-1]
        fault = next((c for c in RELABELLED if c not in causes and last.supported(c)), None)
        if fault is None:
            break
        causes.append(fault)
        round_of[fault] = len(rounds) - 1
        rounds.append(examiner.again(MODULES[fault].undo(last.case, last.found[fault])))
    base = rounds[-1]
    if base.supported("unreadable"):
        causes.append("unreadable")
    ranked = _ranked(base)
    fault = _fault(base, ranked)
    elsewhere = None if fault is None else examiner.again(_without(fault, base))
    for cause in ranked:
        if elsewhere is None or cause in (fault, "prevalence") or elsewhere.supported(cause):
            causes.append(cause)
    if elsewhere is not None:
        rounds.append(elsewhere)
        for cause in _ranked(elsewhere):
            if cause not in causes and _hidden(cause, base, elsewhere):
                causes.append(cause)
                round_of[cause] = len(rounds) - 1
    open_ = _open(base, causes)
    rest = _rest(base, causes)
    if rest and not open_:
        causes.append("definition")
    tellable = not base.unfit or base.case.n < FEWEST_CALLS
    if not causes and not open_ and tellable and base.supported("too_few_labels"):
        causes.append("too_few_labels")
    return Conclusion(tuple(causes), tuple(open_), tuple(rounds), round_of, base)


def _hidden(cause: str, base: Round, elsewhere: Round) -> bool:
    """Whether a fault hid how much of the rest a cause explains, or, if that is much, its trace.

    What a judge guesses in a stratum follows nothing, so its halo elsewhere fades over the whole.
    The share is that of the whole gap: the spared calls have a small one, of which all is much.
    """
    if base.supported(cause):
        return False  # left out of the ranking for a stronger one
    gain = elsewhere.gain(cause)
    much = gain is None or gain[0] > rules.SHARE * base.gap.difference
    return base.rulings[cause].status == rules.MINOR or bool(much)


def _fault(base: Round, ranked: list[str]) -> str | None:
    """The fault of whole calls that explains most, of the causes that are left in the ranking."""
    faults = [cause for cause in WHOLE_CALLS if cause in ranked]
    return max(faults, key=lambda cause: base.share(cause).estimate, default=None)


def _without(fault: str, base: Round) -> Case:
    """The calls that a fault of whole calls spared: what is not there was its consequence."""
    found = base.found[fault]
    if found.good is not None:
        return base.case.part(found.good)
    return call_failure.undo(base.case, found)


def _ranked(base: Round) -> list[str]:
    """Supported causes, strongest first: faults of whole calls that explain half the gap lead."""
    supported = [c for c in (*MECHANISMS, *PLACES) if base.supported(c)]
    if base.supported("unreadable") and "prevalence" in supported:
        supported.remove("prevalence")  # the readable part alone has these margins

    def size(cause: str) -> float:
        known = [base.share(cause).estimate, 0.0]
        if cause not in WHOLE_CALLS:
            known.append(base.step(cause))
        return float(np.nanmax(known))

    def leads(cause: str) -> bool:
        # Rarity is no consequence of a place, and makes places look different by chance.
        rarer = "prevalence" in supported and size("prevalence") > size(cause)
        return cause in WHOLE_CALLS and size(cause) > rules.HALF and not rarer

    supported.sort(key=lambda cause: (leads(cause), size(cause)), reverse=True)
    if "call_failure" in supported and "halo" in supported:
        # Each of them ties errors of the low construct to the other labels: the larger one did it.
        larger = _unsized(base, "halo") or size("halo") > size("call_failure")
        impression = rules.is_impression(base.found["call_failure"].tests)
        supported.remove("call_failure" if impression or larger else "halo")
    if "prevalence" in supported and "human_ceiling" in supported:
        # Errors of people at fixed rates lower their own agreement where a class is rare.
        if size("human_ceiling") <= rules.CEILING_AT_RARITY:
            supported.remove("human_ceiling")
        else:
            _move_before(supported, "prevalence", "human_ceiling")
    return supported


def _move_before(causes: list[str], first: str, second: str) -> None:
    """Move the first of two causes before the second."""
    if causes.index(first) > causes.index(second):
        causes.remove(first)
        causes.insert(causes.index(second), first)


def _rest(base: Round, causes: list[str]) -> str:
    """Whether the remainder is large enough to be named: "first", "second" or ""."""
    if rules.is_coarse(base.gap):
        return ""
    share = base.step("definition")
    rarity = _explained(base, "prevalence") if "prevalence" in causes else 0.0
    # A judge that copies its other labels has not measured the construct at all.
    copied = "halo" in causes and _unsized(base, "halo")
    spoiled = any(cause in causes for cause in ("unreadable", *WHOLE_CALLS))
    if np.isnan(share) or copied or spoiled or rarity >= rules.HALF:
        return ""
    if rarity > 0:
        # The latent model of the waterfall leaves to the rest what rarity does to the judge's rows.
        share -= max(rarity - base.step("prevalence"), 0)
    named = sum(_explained(base, cause) for cause in causes)
    if share >= rules.REST_FIRST and named < rules.HALF:
        return "first"
    return "second" if causes and share > rules.REST_SECOND else ""


def _unsized(base: Round, cause: str) -> bool:
    """Whether a cause has no counterfactual."""
    return base.found[cause].undone is None


def _explained(base: Round, cause: str) -> float:
    share, step = base.share(cause).estimate, base.step(cause)
    known = [value for value in (step, share) if not np.isnan(value)]
    if cause == "prevalence":
        return max(known, default=0.0)
    return known[0] if known else 0.0


def _open(base: Round, causes: list[str]) -> list[str]:
    """Causes that these data can't tell apart, where one of them would be named."""
    if base.unfit or not base.gap.shown or rules.is_coarse(base.gap):
        return []
    unsized = bool(np.isnan(base.step("definition"))) and not causes
    if not unsized and not _rest(base, causes):
        return []
    apart = []
    if base.rulings["human_ceiling"].status == rules.UNDETERMINED:
        apart.append("human_ceiling")
    if base.rulings["call_failure"].status == rules.UNDETERMINED and _suspect(base):
        apart.append("call_failure")
    return [*apart, "definition"] if apart else []


def _suspect(base: Round) -> bool:
    """Whether errors share calls, though not in the pattern of failed calls."""
    if not base.case.same_call:
        return True
    tests = base.found["call_failure"].tests
    return bool(tests) and rules.failure_suspected(tests)
