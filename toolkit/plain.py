"""Results as plain Python values: what strict JSON can hold, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Turn a result's value into strict-JSON material.

    Parameters
    ----------
    value : object
        Numbers, text, None, and mappings, sequences or arrays of them; numpy scalars included.

    Returns
    -------
    object
        dict, list, str, int, float, bool or None. nan and the infinities become None, because
        JSON has no word for them; the reason stands beside them in every result.

    Raises
    ------
    TypeError
        For a type that has no plain form.

    Examples
    --------
    >>> plain({"kappa": float("nan"), "n": np.int64(3), "flags": ("few_positives",)})
    {'kappa': None, 'n': 3, 'flags': ['few_positives']}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise TypeError(f"no plain form for {type(value).__name__}")
