"""One round of a diagnosis: every cause measured on one case, sized, and ruled on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np

from toolkit.diagnosis import (
    call_failure,
    definition,
    drift,
    halo,
    human_ceiling,
    judge_noise,
    prevalence,
    reversed_polarity,
    rules,
    stratum,
    swapped_constructs,
    threshold_shift,
    too_few_labels,
    unreadable,
)
from toolkit.diagnosis.build import Readable
from toolkit.diagnosis.case import HIGH, LOW, Case, Floats, limits
from toolkit.diagnosis.gap import Gap
from toolkit.diagnosis.measure import CAUSES, Measure
from toolkit.diagnosis.rules import Ruling, Seen, Share
from toolkit.diagnosis.waterfall import Waterfall, waterfall
from toolkit.diagnosis.words import counted

FEWEST_CALLS = 20  # fewer shared calls carry no statistic of this package
MODULES: dict[str, ModuleType] = {
    "call_failure": call_failure,
    "unreadable": unreadable,
    "reversed_polarity": reversed_polarity,
    "swapped_constructs": swapped_constructs,
    "threshold_shift": threshold_shift,
    "prevalence": prevalence,
    "human_ceiling": human_ceiling,
    "drift": drift,
    "stratum": stratum,
    "halo": halo,
    "too_few_labels": too_few_labels,
    "definition": definition,
    "judge_noise": judge_noise,
}
PLAIN = (
    "reversed_polarity",
    "swapped_constructs",
    "threshold_shift",
    "prevalence",
    "human_ceiling",
    "drift",
    "stratum",
    "halo",
    "judge_noise",
    "call_failure",
)  # measured from the case alone


@dataclass(frozen=True, eq=False)
class Round:
    """All causes on one case: what was measured, the split of the gap, and what the rules say.

    `unfit` says why nothing could be measured, where that is so.
    """

    case: Case
    gap: Gap
    found: Mapping[str, Measure]
    steps: Waterfall | None
    rulings: Mapping[str, Ruling]
    unfit: str = ""

    def supported(self, cause: str) -> bool:
        """Whether the rules support a cause."""
        return self.rulings[cause].status == rules.SUPPORTED

    def gain(self, cause: str) -> Floats | None:
        """Kappa that undoing the cause adds to the low construct, as a stack."""
        undone = self.found[cause].undone
        return None if undone is None else undone - self.case.kappa(LOW)

    def share(self, cause: str) -> Share:
        """Share of the gap; nan where there is no gap or no counterfactual."""
        one_sided = cause in rules.ONE_SIDED and self.gap.shown_one_sided
        return share_of(self.gain(cause), self.gap, shown=self.gap.shown or one_sided)

    def step(self, cause: str) -> float:
        """Share of the gap in the waterfall; nan where the cause is no step of it."""
        name = "rest" if cause == "definition" else cause
        if self.steps is None or name not in self.steps.steps or not self.gap.shown:
            return float("nan")
        return self.steps.kappa_of(name) / self.gap.difference


def examine(case: Case, readable: Readable, gap: Gap) -> Round:
    """Measure every cause and rule on it."""
    reason = _unfit(case)
    if reason:
        found = {cause: Measure(cause, untestable=reason, n=case.n) for cause in CAUSES}
        found["unreadable"] = unreadable.measure(case, readable)
        found["too_few_labels"] = too_few_labels.measure(case, gap)
        return replace(_ruled(case, gap, found, None), unfit=reason)
    found = {cause: MODULES[cause].measure(case) for cause in PLAIN}
    found["unreadable"] = unreadable.measure(case, readable)
    found["too_few_labels"] = too_few_labels.measure(case, gap)
    steps = waterfall(case, gap.difference, _factors(case, found))
    found["definition"] = definition.measure(case, steps)
    return _ruled(case, gap, found, steps)


def _unfit(case: Case) -> str:
    """Why no cause can be measured."""
    if case.n < FEWEST_CALLS:
        calls = counted(case.n, "shared call")
        return f"only {calls} with labels of both sides on both constructs"
    return threshold_shift.constant(case, LOW) or threshold_shift.constant(case, HIGH)


def _factors(case: Case, found: Mapping[str, Measure]) -> dict[str, Floats]:
    """By how much undoing a cause multiplies the latent correlation of the low construct."""
    factors = {}
    if not found["human_ceiling"].untestable:
        people = [human_ceiling.reliability(case, side) for side in (LOW, HIGH)]
        factors["human_ceiling"] = _root(people[HIGH] / people[LOW])
    if not found["judge_noise"].untestable:
        own = [judge_noise.reliability(case, side) for side in (LOW, HIGH)]
        factors["judge_noise"] = _root(own[HIGH] / own[LOW])
    if found["halo"].undone is not None:
        rho = case.rho(LOW)
        factors["halo"] = halo.own_correlation(case, LOW) / np.where(rho > 0, rho, np.nan)
    return {name: factor for name, factor in factors.items() if np.isfinite(factor[0])}


def _root(ratio: Floats) -> Floats:
    return np.asarray(np.sqrt(np.where(ratio > 0, ratio, np.nan)))


def _ruled(case: Case, gap: Gap, found: Mapping[str, Measure], steps: Waterfall | None) -> Round:
    blank = Round(case, gap, found, steps, {})
    rulings = {
        cause: rules.decide(
            Seen(found[cause], gap, blank.share(cause), blank.step(cause)),
            interval(blank.gain(cause)),
        )
        for cause in CAUSES
    }
    return Round(case, gap, {cause: found[cause] for cause in CAUSES}, steps, rulings)


def share_of(gain: Floats | None, gap: Gap, *, shown: bool) -> Share:
    """Gain over the gap, held at its estimate: a ratio of two noisy numbers has no useful width."""
    if gain is None or not shown:
        return Share()
    return interval(gain / gap.difference)


def interval(stack: Floats | None) -> Share:
    """Estimate with its 90 % interval."""
    if stack is None:
        return Share()
    return Share(float(stack[0]), *limits(stack, 0.9))
