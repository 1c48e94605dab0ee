"""When a cause is supported: all rules and thresholds, in one place.

A cause is named when its own signature is there (a test) and undoing it closes enough of the gap
(a share). A test alone says that a pattern exists; with thousands of calls every test is positive.
docs/validation.md has the error rates of these rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from scipy.stats import norm

from toolkit.diagnosis.gap import Gap
from toolkit.diagnosis.measure import Measure

SUPPORTED, MINOR, REFUTED, UNDETERMINED = "supported", "minor", "refuted", "undetermined"

SHARE = 0.30  # of the gap, closed by undoing the cause alone
STEP = 0.20  # of the gap, as a step of the waterfall, where causes act together
LEAST_SHARE = 0.05  # the lower 90 % limit of the share lies above it
HALF = (
    0.50  # a cause whose share is below this for sure is refuted; a place that explains more leads
)
# Log-likelihood of failed calls over independent answers; one more for every construct, because
# the model has a rate for each. Where nothing failed, 1 to 2 % of data sets reach it.
GAIN_FAILURE, GAIN_SUSPECTED = 1.0, 3.0
IMPRESSION_RATIO = 0.65  # of the root of twice the gain; a weaker lead over an impression is a halo
Z_IMPRESSION, Z_DIFFICULTY, LEAST_FAILED = 2.5, 2.0, 0.10
TIED_ALONE = 0.08  # correlation of errors that is asked for without a witness
Z_SHIFT, Z_SHIFT_OVER_HIGH = 3.0, 2.0
Z_CEILING, FEWEST_PAIRS = 2.0, 20
CEILING_AT_RARITY = 0.36  # rarity alone makes people agree less, up to about this share
Z_NOISE, FEWEST_REPEATS = 2.0, 20
Z_HALO, EXCESS_HALO = 3.0, 0.08
P_PLACE, P_PLACE_STRONG = 0.02, 0.006
SHARE_PLACE_STRONG, GAIN_PLACE_STRONG = 0.10, 0.20
GAIN_PLACE_UNSEEN = 0.05  # good minus bad kappa, the place chosen on other units
SPREAD = 0.80
# People's labels alone say which construct is rarer, and so which way rarity moves kappa: for this
# cause the gap is tested against one direction.
ONE_SIDED = ("prevalence",)
MISSING, Z_MISSING, P_CLASS, STAND_IN = 0.05, 3.0, 0.01, 0.20
MISSING_WITHOUT_GAP = 0.20
REVERSED_LEVEL = 0.005
WIDE, FAR = 0.10, 0.20  # half-width, and upper end of the gap's interval
COARSE = 0.20  # half-width that takes four times the labels to be narrow enough
REST_FIRST, REST_SECOND = 0.50, 0.40
POWER = 0.84  # normal quantile of 80 % power
MOST_TIMES = 20  # labels that would settle a test are not quoted beyond 20 times those there are
LEAST_Z, LEAST_APART = 0.5, 0.02


class Share(NamedTuple):
    """Share of the gap that a cause explains, with its 90 % interval; nan without a gap."""

    estimate: float = math.nan
    low: float = math.nan
    high: float = math.nan


class Seen(NamedTuple):
    """What a rule reads: the measure, the gap, the share of it, and its step of the waterfall."""

    found: Measure
    gap: Gap
    share: Share
    step: float


class Ruling(NamedTuple):
    """What the rules say about a cause: status, the rule, labels that would settle it."""

    status: str
    rule: str
    labels_needed: int = 0


class Signs(NamedTuple):
    """The two halves of a rule: the signature is there; it matters. `said` gives the numbers."""

    signature: bool
    matters: bool
    said: str
    z: float = math.nan
    z_needed: float = math.nan
    without_gap: bool = False


def decide(seen: Seen, gain: Share) -> Ruling:
    """Decide on one cause; `gain` is the kappa that undoing it would add to the low construct."""
    found, gap = seen.found, seen.gap
    if found.untestable:
        return Ruling(UNDETERMINED, f"not testable: {found.untestable}")
    if found.tests.get("judge_refutes", 0) > 0:
        return Ruling(REFUTED, "another judge agrees with the same person well")
    signs = RULES[found.cause](seen)
    if signs.signature and signs.matters and (gap.shown or signs.without_gap):
        return Ruling(SUPPORTED, signs.said)
    if signs.signature:
        return Ruling(MINOR, signs.said + ("" if gap.shown else "; no gap to explain"))
    return _unsigned(seen, signs, gain)


def _unsigned(seen: Seen, signs: Signs, gain: Share) -> Ruling:
    """Rule on a cause without its signature: refuted only where it can't be large."""
    found, gap = seen.found, seen.gap
    if found.undone is None:
        return Ruling(REFUTED if found.cause == "too_few_labels" else UNDETERMINED, signs.said)
    most = HALF * gap.difference if gap.shown else gap.material
    if gain.high < most:
        return Ruling(REFUTED, f"{signs.said}; undone, it would add less than {most:.2f} to kappa")
    return Ruling(UNDETERMINED, signs.said, _needed(found.n, signs, gain, most))


def _needed(n: int, signs: Signs, gain: Share, most: float) -> int:
    """Labels that would settle it, if the effect is as observed; 0 where that can't be said.

    Those at which its test is positive in 80 % of samples; without a test, those at which the
    interval of what it explains leaves out the size above which it would matter.
    """
    if abs(signs.z) < signs.z_needed:
        times = ((signs.z_needed + POWER) / max(abs(signs.z), LEAST_Z)) ** 2
    elif not math.isnan(gain.high):
        apart = max(abs(most - gain.estimate), LEAST_APART)
        times = ((gain.high - gain.estimate) / apart) ** 2
    else:
        return 0
    return math.ceil(n * min(max(times, 1), MOST_TIMES))


def _z(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.1f}"


def _matters(seen: Seen) -> bool:
    enough = seen.share.estimate > SHARE or seen.step > STEP
    return enough and seen.share.low > LEAST_SHARE


def _of_gap(seen: Seen) -> str:
    if math.isnan(seen.share.estimate):
        return "share undefined"
    waterfall = "" if math.isnan(seen.step) else f", {seen.step:.2f} in the waterfall"
    return f"share {seen.share.estimate:.2f} (from {seen.share.low:.2f}){waterfall}"


def failure_suspected(tests: Mapping[str, float]) -> bool:
    """Whether errors fall into the same calls as if some calls had failed, whatever ties them."""
    return tests["gain"] > GAIN_SUSPECTED


def is_impression(tests: Mapping[str, float]) -> bool:
    """Whether failed calls fit hardly better than a general impression: then halo goes first."""
    return tests["direction"] < IMPRESSION_RATIO * math.sqrt(2 * max(tests["gain"], 0))


def is_coarse(gap: Gap) -> bool:
    """Whether a gap too small for a cause and a very large one are both possible.

    What passes the tests of such labels still counts. A remainder does not: what is left when no
    test had a chance is no finding. Neither does a gap that is shown one-sided only.
    """
    return gap.lower < gap.material < gap.upper and gap.half_width > COARSE


def _call_failure(seen: Seen) -> Signs:
    t = seen.found.tests
    signature = (
        t["gain"] > GAIN_FAILURE + t["constructs"]
        and t["direction"] > Z_IMPRESSION
        and t["difficulty"] > Z_DIFFICULTY
        and t["share_failed"] > LEAST_FAILED
        and (t["witnessed"] > 0 or t["correlation"] > TIED_ALONE)
    )
    said = (
        f"failed calls fit better than independent answers by {t['gain']:.1f} in log-likelihood, "
        f"than a general impression with signed root {_z(t['direction'])}, than hard items with "
        f"{_z(t['difficulty'])}; {100 * t['share_failed']:.0f} % of the calls"
    )
    return Signs(signature, seen.share.estimate > SHARE, f"{said}; {_of_gap(seen)}")


def _unreadable(seen: Seen) -> Signs:
    t = seen.found.tests
    stand_in = t["stand_in"] / seen.gap.difference if seen.gap.shown else math.nan
    tied = t["p_class"] < P_CLASS or stand_in > STAND_IN
    signature = t["difference"] > MISSING and t["z"] > Z_MISSING
    alone = t["difference"] > MISSING_WITHOUT_GAP and t["z"] > Z_MISSING
    said = (
        f"missing rates differ by {100 * t['difference']:.0f} points, z {_z(t['z'])}, tied to the "
        f"class with p {t['p_class']:.2g}; {_of_gap(seen)}"
    )
    matters = (seen.share.estimate > SHARE and tied) or (alone and not seen.gap.shown)
    return Signs(signature, matters, said, t["z"], Z_MISSING, without_gap=alone)


def _reversed(seen: Seen) -> Signs:
    t = seen.found.tests
    flagged = t["reversed"] > 0
    said = f"{t['reversed']:.0f} strata (or the whole) reversed, r {t['r']:.2f}, z {_z(t['z'])}"
    return Signs(flagged, flagged, said, t["z"], 3.3, without_gap=True)


def _swapped(seen: Seen) -> Signs:
    t = seen.found.tests
    bound = float(norm.isf(REVERSED_LEVEL / max(t["partners"], 1)))
    said = f"smaller of the two z {_z(t['z_min'])} against {bound:.1f}"
    return Signs(t["z_min"] > bound, True, said, t["z_min"], bound, without_gap=True)


def _threshold(seen: Seen) -> Signs:
    t = seen.found.tests
    signature = abs(t["z"]) > Z_SHIFT and t["z_over_high"] > Z_SHIFT_OVER_HIGH
    said = f"shift z {_z(t['z'])}, beyond the high construct's z {_z(t['z_over_high'])}"
    return Signs(signature, _matters(seen), f"{said}; {_of_gap(seen)}", t["z"], Z_SHIFT)


def _prevalence(seen: Seen) -> Signs:
    t = seen.found.tests
    signature = t["spread_ratio"] < SPREAD
    matters = seen.share.estimate > SHARE and t["smaller"] > 0 and seen.share.low > LEAST_SHARE
    said = (
        f"spread of the low construct is {t['spread_ratio']:.2f} of the high one's (below {SPREAD})"
        f", smaller what-if {t['smaller']:.2f}; {_of_gap(seen)}"
    )
    one_sided = seen.gap.shown_one_sided and not is_coarse(seen.gap)
    if one_sided and not seen.gap.shown:
        said += f"; gap one-sided, p {seen.gap.p_value / 2:.2g}"
    return Signs(signature, matters, said, without_gap=one_sided)


def _ceiling(seen: Seen) -> Signs:
    t = seen.found.tests
    signature = t["z"] > Z_CEILING and t["paired_items"] >= FEWEST_PAIRS
    said = f"people agree less with each other, z {_z(t['z'])}"
    return Signs(signature, _matters(seen), f"{said}; {_of_gap(seen)}", t["z"], Z_CEILING)


def _noise(seen: Seen) -> Signs:
    t = seen.found.tests
    signature = t["z"] > Z_NOISE and t["repeated"] >= FEWEST_REPEATS
    said = f"the judge agrees less with itself, z {_z(t['z'])}, {t['repeated']:.0f} repeats"
    return Signs(signature, _matters(seen), f"{said}; {_of_gap(seen)}", t["z"], Z_NOISE)


def _place(seen: Seen) -> Signs:
    t = seen.found.tests
    clear = t["p"] < P_PLACE and seen.share.estimate > SHARE and seen.share.low > LEAST_SHARE
    strong = (
        t["p"] < P_PLACE_STRONG
        and t["gain"] > GAIN_PLACE_STRONG
        and seen.share.estimate > SHARE_PLACE_STRONG
        and seen.share.low > 0
    )
    said = f"permutation p {t['p']:.3g}, kappa differs by {t['gain']:.2f}; {_of_gap(seen)}"
    signature = t["p"] < P_PLACE and t["gain_cross"] > GAIN_PLACE_UNSEEN
    return Signs(signature, clear or strong, said)


def _halo(seen: Seen) -> Signs:
    t = seen.found.tests
    copied, carried = t.get("copy", 0) > 0, t.get("carried", 0) > 0
    signature = copied or (
        t["z"] > Z_HALO
        and t["excess"] > EXCESS_HALO
        and not t["z_over_high"] < 0
        and (carried or t["rho_own"] > t["rho"])  # noise of the people raises the excess too
    )
    said = f"excess {t['excess']:.2f}, z {_z(t['z'])}; {_of_gap(seen)}"
    return Signs(signature, copied or carried or _matters(seen), said, t["z"], Z_HALO)


def _few(seen: Seen) -> Signs:
    gap = seen.gap
    unclear = gap.lower <= 0 <= gap.upper
    wide = gap.half_width > WIDE or gap.upper > FAR
    said = (
        f"interval of the gap {gap.lower:.2f} to {gap.upper:.2f}, half-width {gap.half_width:.2f}"
    )
    return Signs((unclear and wide) or is_coarse(gap), True, said, without_gap=True)


def _definition(seen: Seen) -> Signs:
    said = f"what is left: {_of_gap(seen)}"
    if is_coarse(seen.gap):
        said += f"; the gap's half-width {seen.gap.half_width:.2f} is too large for a remainder"
    left = seen.share.estimate >= REST_SECOND and not is_coarse(seen.gap)
    return Signs(left, True, said)


RULES: dict[str, Callable[[Seen], Signs]] = {
    "call_failure": _call_failure,
    "unreadable": _unreadable,
    "reversed_polarity": _reversed,
    "swapped_constructs": _swapped,
    "threshold_shift": _threshold,
    "prevalence": _prevalence,
    "human_ceiling": _ceiling,
    "drift": _place,
    "stratum": _place,
    "halo": _halo,
    "too_few_labels": _few,
    "definition": _definition,
    "judge_noise": _noise,
}
