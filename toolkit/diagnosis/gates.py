"""Constructs that hang together by design: asked only after a first "yes", or derived from another.

Where the gate says "no" both raters give the second construct one category whatever the item, so
their errors on the two share calls though nothing failed.
"""

from __future__ import annotations

import numpy as np

from toolkit.diagnosis.case import LOW, Case, Floats, Marks

EXPECTED = 5.0  # calls outside the commonest category that chance would put behind the gate
MOST = 0.1  # share of those that may be there all the same


def gated_with(case: Case, construct: int = LOW) -> str:
    """Name of a construct that is a gate of this one, or is gated by it; "" where none is."""
    for other in range(case.c):
        if other != construct and (
            _gates(case, other, construct) or _gates(case, construct, other)
        ):
            return case.scales[other].name
    return ""


def _gates(case: Case, gate: int, gated: int) -> bool:
    """Whether some answer to the gate leaves one category to the other, for judge and people."""
    judge = _closed(case.judged(gate).T @ case.judged(gated))
    people = _closed(case.referred(gate).T @ case.referred(gated))
    return bool((judge & people).any())


def _closed(table: Floats) -> Marks:
    """Categories of the gate (rows) behind which the other construct does not vary."""
    common = int(table.sum(axis=0).argmax())
    others = np.delete(table, common, axis=1).sum(axis=1)
    expected = table.sum(axis=1) * others.sum() / max(float(table.sum()), 1.0)
    return np.asarray((expected >= EXPECTED) & (others <= MOST * expected))
