"""Causes that act on labels: conventions, places, calls, and labels that are not there.

What belongs to the call is drawn anew in every sitting of the judge; what belongs to the question
is the same in all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from toolkit.labels.simulation.sample import Sample

FIRST, SECOND, LAST = 0, 1, -1
# Sizes at effect 1; they lower kappa by .25 to .40 (see causes_latent).
GUESSED = 0.88  # share of the labels in the bad stretch or strata
# Share of the calls; a default of the commonest category costs less kappa than a random answer.
FAILED = {"default": 0.45, "random": 0.3}
# Probability that a failed call spoils another construct than the first; the last is spared more,
# so that a gap is left.
SPOILED, SPOILED_LAST = 0.5, 0.2
# Slope, start and top of the missing rate over how clear a case is, for two categories and for
# more: about a fifth of the labels are missing.
CLEAR = ((0.3, 0.0, 0.75), (1.0, 0.6, 0.9))
MODERATE = 0.2  # share of guesses beside too few labels


def swapped_constructs(
    sample: Sample, chance: np.random.Generator, effect: float
) -> dict[str, Any]:
    """Exchange the judge's labels of the first and the second construct; all or nothing."""
    del chance, effect
    sample.judge[:, [FIRST, SECOND]] = sample.judge[:, [SECOND, FIRST]]
    return {"constructs": [sample.constructs[i].name for i in (FIRST, SECOND)]}


def reversed_polarity(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Reverse the judge's scale, in one or two strata where there are strata; all or nothing."""
    del effect
    hit = np.ones(sample.world.n_calls, dtype=bool)
    strata: list[int] = []
    if sample.stratum is not None:
        strata = _some_strata(sample, chance)
        hit = np.isin(sample.stratum, strata)
    top = len(sample.constructs[FIRST].categories) - 1
    sample.judge[:, FIRST, hit] = top - sample.judge[:, FIRST, hit]
    return {"strata": _names(strata) or None}


def drift(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Let the judge guess much of the time from a change point on, or within a block."""
    block = bool(chance.integers(2))
    start = chance.uniform(0.4, 0.65)
    length = 1 - start
    if block:
        start = chance.uniform(0.05, start - 0.05)
    n = sample.world.n_calls
    first, after = round(start * n), round((start + length) * n)
    place = np.arange(n)
    share = _guess(sample, chance, (first <= place) & (place < after), effect)
    return {"from_order": first + 1, "to_order": after, "block": block, "share": share}


def stratum(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Let the judge guess much of the time in one or two strata."""
    strata = _some_strata(sample, chance)
    hit = np.isin(np.asarray(sample.stratum), strata)
    share = _guess(sample, chance, hit, effect)
    return {"strata": _names(strata), "share": share}


def call_failure(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Let calls fail: the first construct, and often others, are answered without the item."""
    answers = ("default", "random")[chance.integers(2)]
    share = min(FAILED[answers] * effect, 1.0)
    failing, spoiling, answering = chance.spawn(3)
    sittings, constructs, n = sample.judge.shape
    failed = failing.random((sittings, 1, n)) < share
    rate = np.full(constructs, SPOILED)
    rate[LAST] = SPOILED_LAST
    rate[FIRST] = 1
    spoiled = failed & (spoiling.random((sittings, constructs, n)) < rate[:, None])
    sizes = np.array([len(c.categories) for c in sample.constructs])
    commonest = np.array([c.shares.argmax() for c in sample.constructs])
    if answers == "default":
        given = np.broadcast_to(commonest[:, None], sample.judge.shape)
    else:
        given = answering.integers(sizes[:, None], size=sample.judge.shape)
    sample.judge[spoiled] = given[spoiled]
    return {"answers": answers, "share": share}


def unreadable(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Lose labels of the judge, mostly of clear cases: truth and judge on one side of the mean.

    Of a rare category these are the positives that the judge finds, so its class tells how much is
    missing, and what can still be read agrees worse.
    """
    construct = sample.constructs[FIRST]
    slope, start, top = CLEAR[construct.ordinal]
    position = np.arange(len(construct.categories))
    mean = float(construct.shares @ position)
    variance = float(construct.shares @ (position - mean) ** 2)
    truth = construct.truth(sample.z[FIRST])
    judge = sample.judge[:, FIRST]
    clear = (truth - mean) * (judge - mean) / max(variance, np.finfo(float).tiny)
    rate = np.clip(slope * (clear - start), 0, top) * effect
    lost = chance.random(judge.shape) < rate
    judge[lost] = -1
    return {"share": float(lost[0].mean())}


def too_few_labels(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Keep people's labels of 30 to 50 items only; the judge is somewhat worse there, or not."""
    n = sample.world.n_calls
    labelled = min(round(int(chance.integers(30, 51)) / effect), n)
    worse = bool(chance.integers(2))
    kept = chance.permutation(n)[:labelled]
    lost = np.ones(n, dtype=bool)
    lost[kept] = False
    sample.people[:, FIRST, lost] = -1
    share = 0.0
    if worse:
        share = _guess(sample, chance, np.ones(n, dtype=bool), effect, MODERATE)
    return {"labelled": labelled, "share": share}


def _guess(
    sample: Sample,
    chance: np.random.Generator,
    where: NDArray[np.bool_],
    effect: float,
    share: float = GUESSED,
) -> float:
    """Give a share of the items the judge's label of another item, which keeps its margin."""
    share = min(share * effect, 1.0)
    guessing, choosing = chance.spawn(2)
    judge = sample.judge[:, FIRST]
    hit = where & (guessing.random(judge.shape) < share)
    other = choosing.integers(judge.shape[1], size=judge.shape)
    judge[hit] = np.take_along_axis(judge, other, axis=1)[hit]
    return share


def _some_strata(sample: Sample, chance: np.random.Generator) -> list[int]:
    """Choose the large first stratum, or two of the others: two fifths of the items, of four."""
    count = sample.world.strata or 0
    if chance.integers(2) or count == 2:  # noqa: PLR2004 - two strata: one is hit
        return [0]
    return sorted(map(int, 1 + chance.permutation(count - 1)[:2]))


def _names(strata: list[int]) -> list[str]:
    return [f"s{index + 1}" for index in strata]
