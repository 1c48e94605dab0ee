"""Numbers of the resampling units that follow from their content, not from the order of the file.

Bootstrap weights and permutations are drawn unit by unit. Drawn in the order of the file, a sorted
copy of the same labels would give other limits.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from toolkit.diagnosis.case import Floats
from toolkit.labels.roles import Codes


def numbered(content: Floats, unit: Codes) -> Codes:
    """Number the units of the calls by what they hold.

    `content` has one row per call, shape (n, columns), without nan. Units of equal content are
    exchangeable, so it does not matter which of them comes first.
    """
    if not len(content):
        return np.arange(0)
    rank = np.unique(content, axis=0, return_inverse=True)[1].ravel()
    power_sums = [np.bincount(unit, weights=(rank + 1.0) ** power) for power in (1, 2, 3)]
    order = np.lexsort([sums[unit] for sums in power_sums])
    number = np.empty(len(unit), dtype=np.int64)
    number[order] = pd.factorize(unit[order])[0]
    return number


def counts(codes: Codes, categories: int) -> Floats:
    """Raters per category, (constructs, n, raters) -> (n, constructs * categories)."""
    number = (codes[:, :, :, None] == np.arange(categories)).sum(axis=2)
    shape = (codes.shape[1], codes.shape[0] * categories)
    return np.asarray(number.transpose(1, 0, 2).reshape(shape), dtype=np.float64)
