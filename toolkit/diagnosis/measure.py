"""What a cause leaves behind in the labels: its signature, and kappa with the cause undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolkit.diagnosis.case import Floats, Marks

CAUSES = (
    "call_failure",
    "unreadable",
    "reversed_polarity",
    "swapped_constructs",
    "threshold_shift",
    "prevalence",
    "human_ceiling",
    "drift",
    "stratum",
    "halo",
    "too_few_labels",
    "definition",
    "judge_noise",
)


@dataclass(frozen=True, eq=False)
class Measure:
    """One cause, measured; the rules decide what it means.

    Attributes
    ----------
    cause : str
        Name of the cause.
    compared : str
        What `effect` is, in words, such as "mean cut of people minus mean cut of the judge".
    effect : ndarray of shape (1 + replicates,), or None
        The signature as a stack: estimate, then replicates. 0 where the cause is absent.
    undone : ndarray of shape (1 + replicates,), or None
        Kappa of the low construct with the cause undone and the rest kept; None: no counterfactual.
    tests : mapping of str to float
        The z values, p-values and shares that the rule reads.
    facts : mapping of str to object
        Material for the sentence; plain values.
    n : int
        Calls that the signature rests on.
    witness : str
        Who else was asked, such as "human2" or "gpt-4o"; "" where nobody was.
    untestable : str
        Why nothing could be measured; "" where something was.
    good : ndarray of bool, shape (n,), or None
        For a fault that sits in a place (drift, stratum): the calls outside of it.
    weight : ndarray of float, shape (n,), or None
        For failed calls: the probability that a call is ok.
    """

    cause: str
    compared: str = ""
    effect: Floats | None = None
    undone: Floats | None = None
    tests: Mapping[str, float] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    n: int = 0
    witness: str = ""
    untestable: str = ""
    good: Marks | None = None
    weight: Floats | None = None
