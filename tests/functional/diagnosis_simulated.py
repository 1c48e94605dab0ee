"""Data sets of `tk.simulate` with planted causes, their nuisances drawn from the seed."""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import lru_cache

import numpy as np
from diagnosis_worlds import NAMES, arguments_of, draw_options, is_identifiable, names_of

import toolkit as tk

HUMAN_ERROR = {2: 0.015, 5: 0.15}
PREVALENCE = {2: 0.3, 5: 0.45}
RARER = {2: 0.12, 5: 0.2}
STEPS = 16  # halvings of the search for equal kappas


def simulated(cause, n, seed, **options):
    """Labels, arguments of tk.diagnose, and whether the causes can be identified.

    The cause is planted in the first construct; the last is the high one.
    """
    causes = names_of(cause)
    rng = np.random.default_rng((zlib.crc32("+".join(("simulate", *causes)).encode()), seed))
    drawn = replace(draw_options(rng, causes), **options)
    chosen = replace(
        drawn,
        strata=drawn.strata or "stratum" in causes,
        ordered=drawn.ordered or "drift" in causes,
        sittings=2 if "judge_noise" in causes else drawn.sittings,
    )  # tk.simulate adds the column that a cause needs
    names = NAMES[: chosen.constructs]
    of_construct = {name: {} for name in names}
    if chosen.unequal:
        of_construct[names[0]] = {"prevalence": RARER[chosen.k]}
        of_construct[names[-1]] = _equalised(chosen.k)
    labels = tk.simulate(
        of_construct,
        n,
        cause=None if not causes else causes[0] if len(causes) == 1 else causes,
        seed=seed,
        humans=chosen.humans,
        judges=chosen.judges,
        strata=4 if chosen.strata else None,
        ordered=chosen.ordered,
        sittings=chosen.sittings,
        conversations=4 if chosen.clustered else None,
        conversation_effect=0.2 if chosen.clustered else 0.0,
        construct_correlation=float(rng.uniform(0.1, 0.5)),
        prevalence=PREVALENCE[chosen.k],
        categories=chosen.k,
        human_error=HUMAN_ERROR[chosen.k],
    )
    known = all(is_identifiable(one, chosen) for one in causes)
    return labels, arguments_of(chosen, names[0], names[-1]), known


@lru_cache
def _equalised(k):
    """Options of a common construct whose kappa is that of the rare one."""
    target = _kappa(k, {"prevalence": RARER[k]})
    bad, good = 0.3, 0.999
    for _ in range(STEPS):
        middle = (bad + good) / 2
        above = _kappa(k, _judge_of(k, middle)) > target
        bad, good = (bad, middle) if above else (middle, good)
    return _judge_of(k, (bad + good) / 2)


def _judge_of(k, quality):
    if k > 2:
        return {"agreement": quality}
    return {"sensitivity": quality, "specificity": (2 + quality) / 3}


def _kappa(k, options):
    """Population kappa of one construct, quadratic weights (of two categories the plain one)."""
    common = {"prevalence": PREVALENCE[k], "categories": k, "human_error": HUMAN_ERROR[k]}
    labels = tk.simulate({"one": {**common, **options}}, 1)
    return labels.truth["one"].kappa_quadratic
