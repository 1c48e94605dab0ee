"""Plant causes in drawn labels, each by what would really happen to answers.

A plant changes the draft; `strength` 1 gives a gap of about .3 in kappa.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from diagnosis_population import classes

FEW_ITEMS = 50  # people labelled these alone


@dataclass(eq=False)
class Draft:
    """Labels on the way: positions of categories, -1 where there is none.

    `people` has the shape (people, constructs, items), `judge` (sittings, constructs, items),
    `second` and `truth` (constructs, items). Item-wise arrays: cluster, stratum, order.
    """

    rng: np.random.Generator
    k: int
    low: int
    high: int
    shares: Any
    truth: Any
    difficulty: Any
    cluster: Any
    stratum: Any
    stratum_declared: bool
    order: Any
    people: Any = None
    judge: Any = None
    second: Any = None

    @property
    def n(self):
        return len(self.cluster)

    @property
    def others(self):
        """Constructs that are neither the low nor the high one."""
        return [c for c in range(len(self.shares)) if c not in (self.low, self.high)]

    def struck(self, probability):
        """Judge's answers (by sitting) that are struck, each on its own."""
        return self.rng.random((len(self.judge), self.n)) < probability

    def guesses(self, construct):
        """Answers that know the construct's shares and nothing of the item, by sitting."""
        return classes(self.shares[construct], self.rng.random((len(self.judge), self.n)))


def raise_difficult(judge, difficulty, share, k):
    """Lift the labels of the most difficult items by a category (lower them: share below 0)."""
    limit = np.quantile(difficulty, 1 - abs(share))
    return np.where(difficulty > limit, np.clip(judge + np.sign(share), 0, k - 1), judge)


def impression(judge, without):
    """General impression of a call: mean answer to the other constructs, as a rank in (0, 1)."""
    mean = np.delete(judge, without, axis=0).mean(0)
    order = np.argsort(np.argsort(mean + 1e-6 * np.sin(np.arange(judge.shape[1]) * 12.9898)))
    return (order + 0.5) / judge.shape[1]


def threshold_shift(draft, strength):
    """The judge decides every doubtful item (difficult, or misjudged before) the same way."""
    low, k = draft.low, draft.k
    sign = int(draft.rng.choice([-1, 1]))
    binary = (0.49,) if sign > 0 else (0.55,)
    doubt = draft.difficulty[low] + 0.3 * (draft.judge[:, low] != draft.truth[low])
    for step in {2: binary, 3: (0.8,), 5: (0.97, 0.5)}[k]:
        moved = zip(draft.judge[:, low], doubt, strict=True)
        share = sign * step * strength
        draft.judge[:, low] = [raise_difficult(one, by, share, k) for one, by in moved]


def halo(draft, strength):
    """The judge answers from another answer, or from the impression of all of them."""
    low, rng = draft.low, draft.rng
    struck = draft.struck(0.55 * strength)
    if rng.random() < 0.5:
        copied = draft.judge[:, rng.choice([*draft.others, draft.high])]
    else:
        ranks = np.array([impression(one, low) for one in draft.judge])
        copied = classes(draft.shares[low], ranks)
    draft.judge[:, low] = np.where(struck, copied, draft.judge[:, low])


def call_failure(draft, strength):
    """Some calls break off after the high construct: the rest is guessed, or the commonest."""
    by_default = draft.rng.random() < 0.4
    failed = draft.struck((0.5 if by_default else 0.42) * strength)
    for construct in [draft.low, *draft.others]:
        filled = draft.guesses(construct)
        if by_default:
            filled = np.full_like(filled, np.argmax(draft.shares[construct]))
        draft.judge[:, construct] = np.where(failed, filled, draft.judge[:, construct])


def human_ceiling(draft, strength):
    """People cannot tell: each guesses on items of their own."""
    low, rng = draft.low, draft.rng
    shape = (len(draft.people), draft.n)
    guesses = classes(draft.shares[low], rng.random(shape))
    guessed = rng.random(shape) < 0.42 * strength
    draft.people[:, low] = np.where(guessed, guesses, draft.people[:, low])


def judge_noise(draft, strength):
    """Asked again, the judge answers anew: a guess in both sittings."""
    low = draft.low
    noisy = draft.struck(0.42 * strength)
    draft.judge[:, low] = np.where(noisy, draft.guesses(low), draft.judge[:, low])


def stratum(draft, strength):
    """In two of four strata the judge cannot read the material and guesses."""
    low = draft.low
    bad = np.isin(draft.stratum, draft.rng.choice(4, 2, replace=False))
    struck = draft.struck(0.85 * strength) & bad
    draft.judge[:, low] = np.where(struck, draft.guesses(low), draft.judge[:, low])


def drift(draft, strength):
    """For a stretch of the order answers belong to other items: the judge's, or all people's."""
    rng, low = draft.rng, draft.low
    length = rng.uniform(0.4, 0.5)
    start = rng.choice([0, 1 - length, rng.uniform(0, 1 - length)])
    place = draft.order / draft.n
    bad = np.flatnonzero((place >= start) & (place < start + length))
    wrong = np.sort(rng.choice(bad, int(0.85 * strength * len(bad)), replace=False))
    mixed = rng.permutation(wrong)
    of_people = rng.random() < 0.3
    labels = draft.people if of_people else draft.judge
    labels[:, low, wrong] = labels[:, low, mixed]


def swapped_constructs(draft, strength):  # noqa: ARG001 - there is no half a swap
    """The answers of two constructs stand in each other's column."""
    partner = draft.rng.choice(draft.others)
    draft.judge[:, [draft.low, partner]] = draft.judge[:, [partner, draft.low]]


def reversed_polarity(draft, strength):  # noqa: ARG001 - there is no half a reversal
    """The scale is read the wrong way round, everywhere or in some strata."""
    turned = np.ones(draft.n, bool)
    if draft.stratum_declared and draft.rng.random() < 0.3:
        turned = np.isin(draft.stratum, draft.rng.choice(4, 2, replace=False))
    low = draft.judge[:, draft.low]
    draft.judge[:, draft.low] = np.where(turned & (low >= 0), draft.k - 1 - low, low)


def unreadable(draft, strength):
    """Right answers are lost where there was much to say: of the class present, or of extremes."""
    low, k = draft.low, draft.k
    people, judge = draft.people[0, low], draft.judge[:, low]
    wordy = people > 0 if k == 2 else (people == 0) | (people >= k - 1 - (k > 3))
    right = {2: 0.85, 3: 0.7, 5: 0.95}[k]
    chance = np.where(wordy, np.where(judge == people, right, 0.25), 0.06)
    lost = draft.rng.random(chance.shape) < chance * strength
    draft.judge[:, low] = np.where(lost, -1, judge)


def too_few_labels(draft, strength):  # noqa: ARG001 - few is few
    """People labelled only some items."""
    rest = draft.rng.permutation(draft.n)[FEW_ITEMS:]
    draft.people[:, :, rest] = -1


PLANTS = {
    plant.__name__: plant
    for plant in (
        human_ceiling,
        threshold_shift,
        halo,
        call_failure,
        judge_noise,
        stratum,
        drift,
        swapped_constructs,
        reversed_polarity,
        unreadable,
        too_few_labels,
    )
}
