"""Draws of what another judge run, or a perfect judge, would flag; one model and variant at a time.

Two questions, never mixed. *Another run*: the same models are asked and judged again, as often as
before. *A perfect judge*: the same replies, flagged where people would flag them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from toolkit.gate.pack import Pack
from toolkit.gate.stability_models import priors_by_model
from toolkit.gate.stability_people import People
from toolkit.gate.stability_rates import HALF, Floats, RatePrior, common_prior, rates
from toolkit.gate.stability_rule import Bools
from toolkit.gate.stability_seen import Seen


class Drawn(NamedTuple):
    """Red flags of shape (draws, prompts), and the floor score of shape (draws,)."""

    flagged: Bools
    floor: Floats


class Noise(NamedTuple):
    """How the floor score varies from repeat to repeat: pooled variance, its degrees of freedom."""

    variance: float
    freedom: int
    whole: bool


def another_run(seen: Seen, pack: Pack, draws: int, rng: np.random.Generator) -> Iterator[Drawn]:
    r"""Draw another run of the judge for each model and variant in turn.

    Parameters
    ----------
    seen : Seen
        The run that there is.
    pack : Pack
        Knows the scale.
    draws : int
        How many runs.
    rng : numpy.random.Generator
        Source of randomness.

    Yields
    ------
    Drawn
        A prompt is flagged if any of its repeats is, as in the gate.

    Notes
    -----
    The flag rate of a cell (model, variant, prompt) has the Beta posterior of its own counts under
    the distribution that the cells of its model share (`priors_by_model`). The mean floor score of
    R repeats becomes :math:`\bar x + t_\nu s \sqrt{2 / R}`, with s pooled over models, on the grid
    of 1/R where scores are whole, cut at the ends of the scale.
    """
    places = {model: place for place, model in enumerate(dict(seen.names))}
    code = np.array([places[model] for model, _ in seen.names])
    priors = priors_by_model(seen.hits, seen.trials, code, draws, rng)
    noise = floor_noise(seen)
    spread = np.zeros(draws)
    if noise.freedom:
        spread = np.sqrt(noise.variance * noise.freedom / rng.chisquare(noise.freedom, draws))
    for model, prior in enumerate(priors):
        for run in np.flatnonzero(code == model):
            rate = rates(prior, seen.hits[run], seen.trials[run], rng)
            flagged = rng.random(rate.shape) < 1 - (1 - rate) ** seen.trials[run]
            yield Drawn(flagged, _floor_again(seen.floor_scores[run], spread, noise, pack, rng))


def perfect_judge(
    seen: Seen, pack: Pack, people: People, draws: int, rng: np.random.Generator
) -> Iterator[Drawn]:
    """Draw what people would flag, for each model and variant in turn.

    Parameters
    ----------
    seen : Seen
        The run that there is.
    pack : Pack
        Knows the prompts.
    people : People
        Their labels beside the judge's.
    draws : int
        How many draws; each has an own version of the error rates.
    rng : numpy.random.Generator
        Source of randomness.

    Yields
    ------
    Drawn
        The floor score stays as it is: the labels say nothing about it.

    Notes
    -----
    The share of true flags among replies with one label of the judge is Beta(k + 1/2, n - k + 1/2)
    from one pooled table (Jeffreys), and drawn towards the other prompts where each has its own
    (`common_prior`). Replies without a verdict are not flagged. Where the labels say nothing
    (`known_shares`) a draw means nothing; `gate_stability` gives nan for it.
    """
    prompts = [""] if people.pooled else list(pack.prompts)
    shares = []
    for judge in (0, 1):
        hits, trials = people.column(prompts, judge)
        jeffreys = RatePrior(np.full(draws, HALF), np.full(draws, HALF))
        prior = jeffreys if people.pooled else common_prior(hits, trials, draws, rng)
        shares.append(rates(prior, hits, trials, rng))
    for flagged, trials, scores in zip(seen.flagged, seen.trials, seen.floor_scores, strict=True):
        share = np.where(flagged, *shares)
        truly = (rng.random(share.shape) < share) & (trials > 0)
        yield Drawn(truly, np.full(draws, _mean(scores)))


def floor_noise(seen: Seen) -> Noise:
    """Pool the variance of the floor score over models and variants.

    Parameters
    ----------
    seen : Seen
        With the scores.

    Returns
    -------
    Noise
        Degrees of freedom 0 where no model has two scores.
    """
    several = [scores for scores in seen.floor_scores if scores.size > 1]
    freedom = sum(scores.size - 1 for scores in several)
    squares = sum(float(((scores - scores.mean()) ** 2).sum()) for scores in several)
    whole = all(bool((scores % 1 == 0).all()) for scores in seen.floor_scores)
    return Noise(squares / freedom if freedom else 0.0, freedom, whole)


def _floor_again(
    scores: Floats, spread: Floats, noise: Noise, pack: Pack, rng: np.random.Generator
) -> Floats:
    if not scores.size or not noise.variance:
        return np.full(spread.shape, _mean(scores))
    again = _mean(scores) + spread * np.sqrt(2 / scores.size) * rng.standard_normal(spread.size)
    if noise.whole:
        again = np.rint(again * scores.size) / scores.size
    return np.asarray(np.clip(again, pack.lowest, pack.highest))


def _mean(scores: Floats) -> float:
    return math.fsum(scores) / scores.size if scores.size else math.nan
