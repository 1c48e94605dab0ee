"""How many labels for a kappa within .10? Our answers, what they should be, and other tools'.

Ours are computed here. The simulated truth, the targets and what other tools answer were recorded
beforehand and are not run again; most of the tools answer another question, which the line says.
"""

from __future__ import annotations

import numpy as np
from table import Line

from toolkit.planning.allocation import least_cost
from toolkit.planning.comparison import needed
from toolkit.planning.influence import joint, moments
from toolkit.planning.model import Model
from toolkit.planning.size import size

HALF_WIDTH, CLOSE = 0.10, 0.03
KAPPA, SENSITIVITY = 0.6, 0.7
SIMULATED = {0.05: 1_365, 0.25: 330}  # random sample, mean half-width of the bootstrap
# Prevalence, specificity: targets for labels in judge-label strata, and in proportion to them.
STRATA = {(0.05, 0.97): (471, 1_170), (0.25, 0.97): (226, 234), (0.01, 0.99): (916, 5_278)}
# Answers at 5 % and at 25 % prevalence, and what the tool's number is about.
OTHERS = {
    "judgegate, .6 against .5, 50 % power": ("1,569", "350", "a test, equal margins"),
    "judgegate, .7 against .6, 80 % power": ("2,480-3,012", "650-754", "a test, equal margins"),
    "judgegate, .7 against .6, 50 % power": ("11", "314", "a test, equal margins"),
    "llm-classification-validator": ("20", "20", "called sufficient"),
    "llm-evalgate": ("38", "148", "a proportion"),
    "errorbars": ("75", "295", "a difference of accuracies"),
    "evalaudit": ("234", "234", "a paired difference"),
    "truescore": ("12", "34", "a pass rate"),
}


def calculator_lines() -> list[Line]:
    """One line per answer, ours first."""
    lines = []
    for prevalence, truth in SIMULATED.items():
        labels = size(true=KAPPA, half_width=HALF_WIDTH, prevalence=prevalence).n
        what = f"labels for kappa {KAPPA} within {HALF_WIDTH}, random sample"
        lines.append(_line(what, f"{100 * prevalence:g} %", labels, truth))
    for (prevalence, specificity), (planned, proportional) in STRATA.items():
        case = f"{100 * prevalence:g} %, specificity {specificity}"
        ours, flat = _in_strata(prevalence, specificity)
        lines += [
            _line("the same, judge-label strata", case, ours, planned),
            _line("the same, in proportion to them", case, flat, proportional),
        ]
    return lines + [
        Line(f"recorded of {tool}", "5 %, 25 %", measured=f"{rare}, {common} ({about})")
        for tool, (rare, common, about) in OTHERS.items()
    ]


def _line(what: str, case: str, labels: float, truth: int) -> Line:
    met = abs(labels / truth - 1) <= CLOSE
    target = f"{truth:,} within {100 * CLOSE:g} %"
    return Line(what, case, measured=f"{labels:,.0f} labels", target=target, met=met)


def _in_strata(prevalence: float, specificity: float) -> tuple[float, float]:
    """Labels of the best allocation and of a proportional one, from an endless pool."""
    flagged = prevalence * SENSITIVITY + (1 - prevalence) * (1 - specificity)
    missed = prevalence * (1 - SENSITIVITY) / (1 - flagged)
    right = prevalence * SENSITIVITY / flagged
    shares = np.array([[1 - missed, missed], [1 - right, right]])
    sizes = np.array([1 - flagged, flagged]) * 1e12
    model = Model(
        sizes, (moments(sizes, joint(np.array([0, 1]), shares), None),), "deployment", 0.95
    )
    problem = model.problem([0], np.array([HALF_WIDTH]), np.ones(2), np.full(2, 2.0))
    return least_cost(problem).bound, float(needed(problem, sizes).sum())
