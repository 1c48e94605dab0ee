"""Readings with which the realised intervals are within all targets with a given chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from toolkit.coefficients.weights import Floats
from toolkit.planning.allocation import Problem
from toolkit.planning.assurance import (
    MOST_ROUNDS,
    PROBES,
    Setting,
    aim,
    calibration,
    out_of_reach,
    ratios,
)
from toolkit.planning.reading import least_reading_cost, spend, use, whole_readings

DRAWS = 16_000
RECALIBRATED = 2  # round: the search is near its end by then
CLOSE = 0.998  # of the targets: narrower saves less than half a percent of the readings


def assured_readings(
    problem: Problem, price: Floats, case: Setting, assurance: float, seed: int
) -> tuple[Floats, float]:
    """Whole readings (H, C) in the order of the case's constructs, and the chance by simulation.

    A construct's readings are a stratified sample of their own, so each is narrowed until its
    intervals are within its target with the same chance; the product of the chances is aimed at.
    """
    each = _alone(case)
    constructs = len(each)
    wanted = aim(assurance) ** (1 / constructs)
    smallest = np.sqrt(np.maximum(use(problem, _census(problem)), 0)) * (1 + 1e-6)
    factor, width = np.ones(constructs), [np.ones(1)] * constructs
    best: tuple[float, Floats, float] | None = None
    for step in range(MOST_ROUNDS):
        narrowed = replace(problem, allowed=problem.allowed * factor**2)
        reads = whole_readings(narrowed, price, least_reading_cost(narrowed, price))
        numbers = list(reads.T.astype(np.int64))
        if step in (0, RECALIBRATED):
            width, best = (
                [calibration(*both, seed) for both in zip(each, numbers, strict=True)],
                None,
            )
        simulated = np.stack(
            [
                ratios(one, n, scale, DRAWS, seed + c)
                for c, (one, n, scale) in enumerate(zip(each, numbers, width, strict=True))
            ]
        )
        need = np.quantile(simulated, wanted, axis=1, method="higher")
        cost = spend(problem, price, reads)
        if (need <= 1).all() and (best is None or cost < best[0]):
            best = cost, reads, float((simulated <= 1).all(0).mean())
        near = (need >= CLOSE) | (factor == 1)
        if (need <= 1).all() and near.all() and step >= RECALIBRATED:
            break
        # A little too far where it is not reached, so that the search ends on the sure side; and
        # never wider than the targets, which are to be met on average too.
        # A census is neared by halves: narrower than it nothing is.
        nearer = factor * (1 + CLOSE) / 2 / need
        factor = np.clip(nearer, (smallest + factor) / 2, 1)
    return _whole_pool(problem, case, assurance, seed) if best is None else best[1:]


def _whole_pool(
    problem: Problem, case: Setting, assurance: float, seed: int
) -> tuple[Floats, float]:
    """Readings of every construct on every item, if these are enough."""
    reads = _census(problem)
    met = np.ones(DRAWS, dtype=bool)
    for c, (one, n) in enumerate(zip(_alone(case), reads.T.astype(np.int64), strict=True)):
        simulated = ratios(one, n, calibration(one, n, seed, PROBES), DRAWS, seed + c)
        met &= simulated <= 1
    chance = float(met.mean())
    if chance < assurance:
        raise out_of_reach(case, chance)
    return reads, chance


def _alone(case: Setting) -> list[Setting]:
    return [
        case._replace(shares=(shares,), weights=(weights,), targets=np.array([target]))
        for shares, weights, target in zip(case.shares, case.weights, case.targets, strict=True)
    ]


def _census(problem: Problem) -> Floats:
    return np.repeat(problem.most[:, None], len(problem.allowed), axis=1)
