"""Causes that act on the judge's latent judgement: halo, noise of the sitting, moved cuts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from toolkit.labels.simulation.latent import mix

if TYPE_CHECKING:
    from toolkit.labels.simulation.latent import Floats
    from toolkit.labels.simulation.sample import Sample

FIRST = 0  # the construct that is hit
# Sizes at effect 1, for two categories and for more: they lower kappa by .25 to .40 (see
# causes_latent).
HALO = (0.6, 0.75)  # share of the variance of the judge's judgement
SITTING_NOISE = (0.5, 0.6)  # the same
SHIFT = (1.3, 1.1)  # in standard deviations of the score within a class, and of the latent value
TINY = 1e-9


def halo(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Mix what the judge's judgement of the other constructs adds into that of the first one."""
    del chance
    share = min(HALO[sample.constructs[FIRST].ordinal] * effect, 1.0)
    others = [_standard(sample, index) for index in range(1, len(sample.constructs))]
    mean = np.mean(others, axis=0)
    # Only what the first judgement does not say by itself: the loss is then the same however much
    # the constructs correlate.
    own = _standard(sample, FIRST)
    beyond = mean - own * (mean * own).mean() / (own * own).mean()
    _replace(sample, mix(1 - share, own, beyond / max(float(beyond.std()), TINY)))
    return {"share": share}


def judge_noise(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Add noise to the judge's judgement, anew in every sitting."""
    share = min(SITTING_NOISE[sample.constructs[FIRST].ordinal] * effect, 1.0)
    judgement = _standard(sample, FIRST)
    _replace(sample, mix(1 - share, judgement, chance.standard_normal(judgement.shape)))
    return {"noise": share}


def threshold_shift(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Move the judge's cuts along its scale, all the same way."""
    up = bool(chance.integers(2))
    size = SHIFT[sample.constructs[FIRST].ordinal] * effect
    sample.scores[:, FIRST] += size if up else -size
    return {"direction": "judge higher" if up else "judge lower", "shift": size}


def _standard(sample: Sample, index: int) -> Floats:
    mean, deviation = sample.constructs[index].score_moments
    return np.asarray((sample.scores[:, index] - mean) / deviation)


def _replace(sample: Sample, judgement: Floats) -> None:
    mean, deviation = sample.constructs[FIRST].score_moments
    sample.scores[:, FIRST] = mean + deviation * judgement
