"""Too few labels: the interval of the gap is so wide that no gap, or a large one, is possible."""

from __future__ import annotations

import math

from toolkit.diagnosis.case import Case
from toolkit.diagnosis.gap import Gap
from toolkit.diagnosis.measure import Measure
from toolkit.diagnosis.words import counted

WIDE = 0.10  # half-width of the gap's interval that is asked for


def measure(case: Case, gap: Gap) -> Measure:
    """Measure the half-width of the gap, and the labels that would make it narrow enough."""
    if math.isnan(gap.half_width):
        return Measure("too_few_labels", untestable="the gap has no interval", n=case.n)
    return Measure(
        "too_few_labels",
        compared=f"half-width of the gap's {100 * gap.level:g} % interval",
        tests={"half_width": gap.half_width},
        facts={"labels_needed": labels_for(gap, WIDE)},
        n=case.n,
    )


def labels_for(gap: Gap, half_width: float) -> int:
    """Calls at which the interval has this half-width; width falls as one over the root of n."""
    return math.ceil(gap.n * (gap.half_width / half_width) ** 2)


def sentence(found: Measure, case: Case) -> str:
    """Say how wide the interval is, and what would narrow it."""
    needed = found.facts["labels_needed"]
    calls = counted(case.n, "shared call")
    width = f"With {calls} the gap has a half-width of {found.tests['half_width']:.2f}"
    if needed <= case.n:
        return f"{width}, which is narrow enough."
    return f"{width}; about {needed:,} calls would bring it to {WIDE:.2f}."


NEXT = (
    "Label more items on both constructs, and choose them by the judge's label where one is rare."
)
