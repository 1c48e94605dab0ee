"""Label tables with planted causes, from a generator that shares nothing with `tk.simulate`.

Prevalence and definition are made while labels are drawn; all other causes are planted in drawn
labels (`diagnosis_plants`).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from diagnosis_frame import long_frame, schema_of
from diagnosis_plants import PLANTS, Draft, impression, raise_difficult
from diagnosis_population import (
    answers,
    classes,
    difficulties,
    equalising_error,
    expected_kappa,
    severities,
    truths,
)

CAUSES = tuple(
    "call_failure unreadable reversed_polarity swapped_constructs threshold_shift prevalence"
    " human_ceiling drift stratum halo too_few_labels definition judge_noise".split()
)
VARIANTS = ("strings", "three_point", "unequal_strata", "random_shifts", "general_impression")
NAMES = tuple("anger blame calm doubt envy fear grief".split())
SHARES = {3: (0.4, 0.35, 0.25), 5: (0.25, 0.25, 0.2, 0.17, 0.13)}
RARE = {2: (0.945, 0.055), 3: (0.92, 0.05, 0.03), 5: (0.885, 0.06, 0.03, 0.017, 0.008)}
HUMAN_ERROR = {2: 0.03, 3: 0.08, 5: 0.15}
JUDGE_ERROR = {2: 0.095, 3: 0.2, 5: 0.36}
CLUSTER = 4
SAME_AGAIN = 0.9  # share of answers that a second sitting repeats
PAIR_STRENGTH = 0.8


@dataclass(frozen=True)
class Options:
    """Nuisances of a world."""

    k: int
    constructs: int
    humans: int
    judges: int
    clustered: bool
    strata: bool
    ordered: bool
    sittings: int
    unequal: bool = False  # no cause: prevalences differ, kappas do not
    variant: str | None = None


class World(NamedTuple):
    """Labels, and what is true of them."""

    frame: Any
    schema: dict[str, Any]
    low: str
    high: str
    arguments: dict[str, Any]  # for tk.diagnose, apart from the labels
    identifiable: bool
    options: Options


def world(cause, n, seed, **options):
    """Draw n items with a cause, a pair of causes, or None; options override what the seed draws.

    Examples
    --------
    >>> world("halo", 150, 1).identifiable
    True
    """
    causes = names_of(cause)
    rng = np.random.default_rng((zlib.crc32("+".join(causes).encode()), seed))
    chosen = replace(draw_options(rng, causes), **options)
    chosen = _fitting(chosen)
    draft, low_high = _draft(rng, causes, n, chosen)
    names = NAMES[: chosen.constructs]
    return World(
        long_frame(draft, names, chosen),
        schema_of(names, chosen),
        *(names[c] for c in low_high),
        arguments_of(chosen, *(names[c] for c in low_high)),
        all(is_identifiable(one, chosen) for one in causes),
        chosen,
    )


def names_of(cause):
    """Causes as a tuple: (), one, or two."""
    if cause is None:
        return ()
    return (cause,) if isinstance(cause, str) else tuple(cause)


def draw_options(rng, causes):
    """Nuisances of a data set; what a cause needs is there more often, not always."""
    return Options(
        k=int(rng.choice([2, 5])),
        constructs=int(rng.integers(3, 8)),
        humans=int(rng.integers(1, 4)),
        judges=int(rng.integers(1, 3)),
        clustered=bool(rng.random() < 0.3),
        strata=bool(rng.random() < (0.8 if "stratum" in causes else 0.5)),
        ordered=bool(rng.random() < (0.8 if "drift" in causes else 0.5)),
        sittings=1 + int(rng.random() < (0.8 if "judge_noise" in causes else 0.1)),
        unequal=bool(rng.random() < 0.5) and not causes,
    )


def arguments_of(options, low, high):
    """What a user of these labels would declare."""
    return {
        "low": low,
        "high": high,
        "judge": "judge",
        "cluster": "cluster" if options.clustered else None,
        "stratum": "stratum" if options.strata else None,
        "order": "order" if options.ordered else None,
    }


NEEDS = {
    "human_ceiling": {"humans": 2},
    "definition": {"judges": 2},
    "call_failure": {"judges": 2},
    "drift": {"ordered": True},
    "stratum": {"strata": True},
    "judge_noise": {"sittings": 2},
}  # options with which a cause can be identified


def is_identifiable(cause, options):
    """Whether labels of this kind can show the cause at all."""
    witness = options.humans > 1 or options.judges > 1
    return {
        "human_ceiling": options.humans > 1,
        "definition": witness,
        "call_failure": witness and options.constructs > 2,
        "drift": options.ordered,
        "stratum": options.strata,
        "judge_noise": options.sittings > 1,
    }.get(cause, True)


def _fitting(options):
    """Options that a variant asks for; equal kappas are solved for the plain world alone."""
    if options.variant is None:
        return options
    forced = {"three_point": {"k": 3}, "unequal_strata": {"strata": True}}
    solved = options.variant not in ("random_shifts", "general_impression")
    return replace(options, unequal=options.unequal and solved, **forced.get(options.variant, {}))


def _draft(rng, causes, n, options):
    low, high = (int(c) for c in rng.permutation(options.constructs)[:2])
    cluster = np.arange(n) // CLUSTER if options.clustered else np.arange(n)
    lean = rng.uniform(-0.3, 0.3)
    shares, errors = _constructs(rng, causes, (low, high), lean, options)
    severity = severities(rng, cluster)
    draft = Draft(
        rng=rng,
        k=options.k,
        low=low,
        high=high,
        shares=shares,
        truth=truths(rng, shares, severity),
        difficulty=difficulties(rng, options.constructs, cluster),
        cluster=cluster,
        stratum=_strata(rng, severity, cluster, options),
        stratum_declared=options.strata,
        order=_order(rng, cluster),
    )
    strength = 1.0 if len(causes) < 2 else PAIR_STRENGTH
    meant = _redefined(draft, strength) if "definition" in causes else draft.truth
    _answer(draft, meant, errors, lean, options)
    _hand_down(draft, options.variant)
    for name, plant in PLANTS.items():
        if name in causes:
            plant(draft, strength)
    return draft, (low, high)


def _constructs(rng, causes, pair, lean, options):
    """Shares of the classes and the judge's error rate, by construct."""
    k, (low, high) = options.k, pair
    shares = [_share(rng, k) for _ in range(options.constructs)]
    shares[low] = shares[high]
    errors = np.full(options.constructs, JUDGE_ERROR[k] * rng.uniform(0.9, 1.1))
    if "prevalence" in causes:
        shares[low] = np.array(RARE[k])
    if options.unequal:
        shares[low] = (np.array(RARE[k]) + shares[high]) / 2
        target = expected_kappa(shares[low], HUMAN_ERROR[k], errors[low], lean)
        errors[high] = equalising_error(target, shares[high], HUMAN_ERROR[k], lean)
    return shares, errors


def _share(rng, k):
    if k == 2:
        p = rng.uniform(0.28, 0.45)
        return np.array([1 - p, p])
    return rng.dirichlet(80 * np.array(SHARES[k]))


def _strata(rng, severity, cluster, options):
    """Four strata of whole clusters; unequal ones hold items of unlike severity."""
    first = np.unique(cluster, return_index=True)[1]
    position = rng.random(len(first))
    if options.variant == "unequal_strata":
        follows = rng.random(len(first)) < 0.6
        position = np.where(follows, severity[first], position)
    return np.searchsorted([0.28, 0.53, 0.77], position)[cluster]


def _order(rng, cluster):
    """A running number, clusters in random order and whole."""
    place = rng.permutation(cluster.max() + 1)[cluster]
    order = np.empty(len(cluster), int)
    order[np.argsort(place, kind="stable")] = np.arange(len(cluster))
    return order


def _redefined(draft, strength):
    """What the judge takes the low construct to mean: on some items another class."""
    meant = draft.truth.copy()
    other = classes(draft.shares[draft.low], draft.rng.random(draft.n))
    differs = draft.rng.random(draft.n) < 0.42 * strength
    meant[draft.low] = np.where(differs, other, draft.truth[draft.low])
    return meant


def _answer(draft, meant, errors, lean, options):
    """Let people, the judge and the second judge answer."""
    rng, k = draft.rng, options.k

    def say(about, rates, by):
        columns = zip(about, draft.difficulty, rates, strict=True)
        return np.array([answers(rng, t, d, e, by, k) for t, d, e in columns])

    person = rng.uniform(0.8, 1.2, options.humans)
    rates = np.full((options.humans, len(errors)), HUMAN_ERROR[k])
    rates *= (person / person.mean())[:, None]
    draft.people = np.array([say(draft.truth, one, 0.0) for one in rates])
    first = say(meant, errors, lean)
    again = [say(meant, errors, lean) for _ in range(options.sittings - 1)]
    kept = rng.random(first.shape) < SAME_AGAIN
    draft.judge = np.array([first, *(np.where(kept, first, one) for one in again)])
    if options.judges > 1:
        draft.second = say(draft.truth, errors * 1.1, rng.uniform(-0.3, 0.3))


def _hand_down(draft, variant):
    """What a judge does with every construct, whatever the cause."""
    for c in range(len(draft.shares)) if variant == "random_shifts" else ():
        share = draft.rng.uniform(-0.12, 0.12)
        draft.judge[:, c] = raise_difficult(draft.judge[:, c], draft.difficulty[c], share, draft.k)
    if variant == "general_impression":
        before = draft.judge.copy()
        for c, share in enumerate(draft.shares):
            felt = classes(share, np.array([impression(one, c) for one in before]))
            draft.judge[:, c] = np.where(draft.struck(0.12), felt, draft.judge[:, c])
