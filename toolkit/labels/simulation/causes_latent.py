"""Causes that act on what people and the judge see: prevalence, human ceiling, definition.

Every cause takes the sample, a stream of chance and the effect, changes the first construct of the
sample and returns what it planted as plain values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from toolkit.labels.simulation.latent import mix, normals

if TYPE_CHECKING:
    from toolkit.labels.simulation.sample import Sample

FIRST = 0  # the construct that is hit
# Sizes at effect 1, for two categories and for more: they lower kappa by .25 to .40 from about .78
# (sensitivity .85, specificity .95, prevalence .2) and .74 (five categories, agreement .8).
RARE = (0.04, 0.1)  # share of all but the commonest category; rarer, an ordinal gap hardly shows
HUMAN_NOISE = (0.42, 0.65)  # share of a person's latent variance
SAME_MEANING = (0.76, 0.6)  # correlation of what the judge and people look at


def prevalence(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Put most items into the commonest category; people and the judge see what they saw."""
    del chance
    construct = sample.constructs[FIRST]
    shares = construct.shares.copy()
    common = int(shares.argmax())
    others = 1 - shares[common]
    rest = others
    rare = RARE[construct.ordinal]
    if others > rare:
        rest = others * (rare / others) ** effect
        shares *= rest / others
        shares[common] = 1 - rest
    sample.constructs[FIRST] = replace(construct, prevalence=tuple(map(float, shares)))
    return {"shares": [float(share) for share in shares]}


def human_ceiling(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Let every person see the item through noise of their own."""
    share = min(HUMAN_NOISE[sample.constructs[FIRST].ordinal] * effect, 1.0)
    see = sample.people_see.copy()
    see[:, FIRST] = mix(1 - share, see[:, FIRST], chance.standard_normal(see[:, FIRST].shape))
    sample.people_see = see
    return {"noise": share}


def definition(sample: Sample, chance: np.random.Generator, effect: float) -> dict[str, Any]:
    """Let the judge look at something that is only related to what people look at."""
    same = SAME_MEANING[sample.constructs[FIRST].ordinal]
    correlation = max(1 - (1 - same) * effect, 0.0)
    see = sample.judge_sees.copy()
    see[FIRST] = mix(correlation**2, see[FIRST], normals(chance, 1, sample.world)[0])
    sample.judge_sees = see
    return {"correlation": correlation}
