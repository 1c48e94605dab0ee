"""Judge noise: asked again, the judge gives another answer, so its errors are chance.

Its signature is that the judge's agreement with itself over two sittings, as a latent correlation,
is lower on the low construct than on the high one. Noise of the judge attenuates its correlation
with people as noise of people does (Spearman 1904, Am. J. Psychology 15:72, doi:10.2307/1412159).
"""

from __future__ import annotations

from toolkit.diagnosis.case import HIGH, LOW, Case, Floats, indicators
from toolkit.diagnosis.human_ceiling import (
    PAIR,
    correlation,
    floored,
    interval,
    one_category,
    raised,
    said,
    validity_assumed,
    z_over,
)
from toolkit.diagnosis.measure import Measure

NEXT = (
    "Ask the judge several times and take the majority, or lower its temperature, and measure "
    "again; if it still wavers, its instructions leave the answer open."
)
CAUSE = "judge_noise"


def measure(case: Case) -> Measure:
    """Compare the judge's agreement with itself on the two constructs."""
    repeated = [int((case.again[c] >= 0).sum()) for c in (LOW, HIGH)]
    if why := _obstacle(case, repeated):
        return Measure(CAUSE, untestable=why)
    tables = [_again(case, c) for c in (LOW, HIGH)]
    low, high = (correlation(case, c, tables[c]) for c in (LOW, HIGH))
    effect = high - low
    return Measure(
        CAUSE,
        "latent correlation of the judge with itself, high construct minus low construct",
        effect=effect,
        undone=raised(case, low, high),
        tests={
            "z": z_over(effect),
            "rel_low": float(low[0]),
            "rel_high": float(high[0]),
            "repeated": float(repeated[LOW]),
        },
        facts={
            "kappa_low": interval(case.kappa(LOW, tables[LOW])),
            "kappa_high": interval(case.kappa(HIGH, tables[HIGH])),
            "validity_assumed": validity_assumed(low),
        },
        n=repeated[LOW],
        witness=case.names.judge,
    )


def sentence(found: Measure, case: Case) -> str:
    """Say how well the judge agrees with itself."""
    if found.untestable:
        return f"Whether the judge agrees with itself was not testable: {found.untestable}."
    return (
        f"Asked twice, the judge agrees with itself at kappa {said(found.facts['kappa_low'])} on "
        f"{case.scales[LOW].name} and {said(found.facts['kappa_high'])} on "
        f"{case.scales[HIGH].name} ({found.n} calls of {case.scales[LOW].name} repeated)."
    )


def reliability(case: Case, construct: int) -> Floats:
    """The judge's agreement with itself as a stack; nan where it is too low to divide by."""
    return floored(correlation(case, construct, _again(case, construct)))


def _again(case: Case, construct: int) -> Floats:
    """Tables of the first against the second sitting."""
    k = case.scales[construct].k
    return case.tables(case.judged(construct), indicators(case.again[construct], k))


def _obstacle(case: Case, repeated: list[int]) -> str:
    """Why the judge cannot be compared with itself; "" if it can."""
    if not any(repeated):
        return "the judge labelled each item once"
    for c in (LOW, HIGH):
        name, twice = case.scales[c].name, case.again[c] >= 0
        if not repeated[c]:
            return f"the judge labelled each item once on {name}"
        first = case.judged(c)[twice].any(axis=0).sum()
        again = indicators(case.again[c], case.scales[c].k).any(axis=0).sum()
        if min(first, again) < PAIR:
            return f"the judge gave one category only on {name}, at least in one sitting"
    return one_category(case)
