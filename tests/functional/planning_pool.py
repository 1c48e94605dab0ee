"""The pool of the planning notes, section 3: 20,000 items, two constructs, and pilots of it."""

from __future__ import annotations

import pandas as pd

from toolkit import planning

NAMES = ("escalation", "self_harm")
VECTORS = ((1, 1), (1, 0), (0, 1), (0, 0))
# Section 3 of the notes: prevalence, sensitivity, specificity.
RATES = ((0.03, 0.7, 0.97), (0.25, 0.9, 0.98))
TARGETS = {"escalation": 0.10, "self_harm": 0.05}
# Items with the judge's labels of VECTORS: tests/oracles/planning.json, scenario_monte_carlo.
SIZES = (241, 762, 4_560, 14_437)


def positive_shares():
    """People's positives among what the judge left alone and what it flagged, per construct."""
    found = []
    for prevalence, se, sp in RATES:
        flagged = prevalence * se + (1 - prevalence) * (1 - sp)
        found.append((prevalence * (1 - se) / (1 - flagged), prevalence * se / flagged))
    return found


def pool_strata():
    """Stratify the pool by both labels of the judge."""
    rows = [vector for vector, n in zip(VECTORS, SIZES, strict=True) for _ in range(n)]
    pool = pd.DataFrame(rows, columns=list(NAMES))
    return planning.strata(pool.assign(item_id=[f"i{i}" for i in range(len(pool))]), NAMES)


def counts(st, per_stratum=1e9, shares=None):
    """Lay out a pilot with so many labels of people in every stratum."""
    rows = []
    for c, (name, share) in enumerate(zip(NAMES, shares or positive_shares(), strict=True)):
        for h, stratum in enumerate(st.names):
            n = share[st.judge[h, c]] * per_stratum
            rows += [(stratum, name, 1, n), (stratum, name, 0, per_stratum - n)]
    return pd.DataFrame(rows, columns=["stratum", "construct", "label", "count"])
