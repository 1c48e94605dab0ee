"""Tables with other margins and the same odds ratios (iterative proportional fitting).

For unordered categories, where no latent scale says what other margins would do. Deming and
Stephan 1940, Annals of Mathematical Statistics 11:427, doi:10.1214/aoms/1177731829.
"""

from __future__ import annotations

import numpy as np

from toolkit.diagnosis.case import Floats

ROUNDS = 30
TINY = 1e-12


def rake(tables: Floats, people: Floats, judge: Floats) -> Floats:
    """Scale tables (..., k, k) to row shares `people` and column shares `judge`, both (..., k)."""
    fitted = tables / tables.sum(axis=(-2, -1), keepdims=True)
    for _ in range(ROUNDS):
        rows = fitted.sum(axis=-1, keepdims=True)
        fitted = fitted * people[..., :, None] / np.maximum(rows, TINY)
        columns = fitted.sum(axis=-2, keepdims=True)
        fitted = fitted * judge[..., None, :] / np.maximum(columns, TINY)
    return np.asarray(fitted)
