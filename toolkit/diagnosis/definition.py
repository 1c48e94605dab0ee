"""Definition: what is left of the gap when every other cause is refuted or too small.

A remainder and not a signature: the judge's noise and whatever was not measured are in it, so the
sentence lists what could not be tested.
"""

from __future__ import annotations

from toolkit.diagnosis.case import LOW, Case, z_of
from toolkit.diagnosis.measure import Measure
from toolkit.diagnosis.waterfall import REST, Waterfall

NEXT = (
    "Read the disagreements with the people who labelled, write down what each side counted, and "
    "rewrite the definition of the construct before labelling or prompting again."
)


def measure(case: Case, steps: Waterfall | None) -> Measure:
    """Measure what the waterfall leaves to the rest."""
    if steps is None:
        return Measure("definition", untestable="the gap can't be split into steps")
    rest = steps.steps[REST]
    return Measure(
        "definition",
        compared="kappa that no measured cause accounts for",
        effect=rest,
        undone=case.kappa(LOW) + rest,
        tests={"z": z_of(rest)},
        facts={"left": float(rest[0])},
        n=case.n,
    )


def sentence(found: Measure, case: Case) -> str:
    """Say what is left."""
    low, left = case.scales[LOW].name, found.facts["left"]
    return (
        f"{left:.2f} of kappa is left when every measured step is undone: judge and people label "
        f"the items of {low} differently, without a pattern that another cause explains."
    )
