"""The cuts that would agree best: every monotone recoding of an ordinal scale, tried at once.

The best of many recodings flatters itself, so it is chosen on one half of the units and scored on
the other, both ways (cross-fitting).
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.diagnosis.case import Case, Floats

MOST_CATEGORIES = 7  # 1,716 recodings; more would be slow and mean nothing


def recoding_gain(case: Case, construct: int) -> dict[str, Any]:
    """Best monotone recoding of the judge's categories, and what it gains on unseen units."""
    k = case.scales[construct].k
    if not 2 < k <= MOST_CATEGORIES:  # noqa: PLR2004
        return {}
    people, judge = case.referred(construct), case.judged(construct)
    units = int(case.unit.max()) + 1
    half = np.random.default_rng([case.seed, 4]).permutation(units)[case.unit] % 2 == 0
    cells = (people[:, :, None] * judge[:, None, :]) * case.weight[:, None, None]
    tables = np.stack([cells[half].sum(axis=0), cells[~half].sum(axis=0)])
    maps = np.array(list(combinations_with_replacement(range(k), k)))
    recoded = tables[:, None] @ np.eye(k)[maps]  # (half, map, k, k)
    kappas = np.asarray(cohen_kappa(recoded, case.scales[construct].weights))
    as_is = np.asarray(cohen_kappa(tables, case.scales[construct].weights))
    if np.isnan(as_is).any():
        return {}
    gains = [kappas[1 - side, _best(kappas[side])] - as_is[1 - side] for side in (0, 1)]
    whole = np.asarray(cohen_kappa(recoded.sum(axis=0), case.scales[construct].weights))
    best = _best(whole)
    return {
        "best_recoding": maps[best].tolist(),
        "recoding_gain": float(np.mean(gains)),
        "recoding_gain_seen": float(
            whole[best] - cohen_kappa(tables.sum(axis=0), case.scales[construct].weights)
        ),
    }


def _best(kappas: Floats) -> int:
    return int(np.nanargmax(kappas))
