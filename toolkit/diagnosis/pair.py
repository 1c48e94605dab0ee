"""Which two constructs are compared when the user names one or none."""

from __future__ import annotations

import math

from toolkit.coefficients.agreement import Agreement
from toolkit.common.hints import did_you_mean
from toolkit.errors import LabelError


def choose_pair(
    agreement: Agreement, low: str | None = None, high: str | None = None
) -> tuple[str, str] | None:
    """Fill in the lowest and the highest kappa for constructs that are not named.

    None without two different constructs. A construct whose kappa is undefined is taken only where
    there is nothing else.
    """
    names = [one.construct for one in agreement]
    for role, name in (("low", low), ("high", high)):
        if name is not None and name not in names:
            near = did_you_mean(name, names)
            raise LabelError(f"unknown construct{near}", got=name, allowed=names, where=role)
    if low is not None and low == high:
        raise LabelError("low and high are the same construct", got=low, allowed=names)
    free = [one for one in agreement if one.construct not in (low, high)]
    free.sort(key=lambda one: (math.isnan(one.kappa.estimate), one.kappa.estimate))
    defined = [one for one in free if not math.isnan(one.kappa.estimate)]
    ranked = [one.construct for one in free]
    if low is None and ranked:
        low = ranked.pop(0)
    if high is None and ranked:
        best = defined[-1].construct if defined else ranked[0]
        high = best if best != low else ranked[0]
    return None if low is None or high is None else (low, high)
