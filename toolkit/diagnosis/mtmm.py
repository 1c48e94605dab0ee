"""The multitrait-multimethod matrix: constructs as traits, people and judges as methods."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from toolkit.diagnosis.campbell_fiske import CRITERIA, compare_traits
from toolkit.diagnosis.case import Case, Floats, indicators, limits
from toolkit.diagnosis.correlation import all_pairs, moments, square
from toolkit.plain import plain

PEOPLE = "people"
CONVERGENT = "convergent"
SAME_METHOD, OTHER_METHOD = "heterotrait_monomethod", "heterotrait_heteromethod"
FEWEST = 3  # calls that a correlation needs


@dataclass(frozen=True, eq=False)
class Mtmm:
    """Correlations between all pairs of construct and method, and what they say of validity.

    Attributes
    ----------
    traits, methods : tuple of str
        Constructs; ``people`` (the reference), the judge, then other judges from their own calls.
    correlations : DataFrame
        One row per pair: trait_1, method_1, trait_2, method_2, r, low, high, n, kind, reason.
        kind is convergent (one construct, two methods), heterotrait_monomethod or
        heterotrait_heteromethod. r is Pearson's correlation of the category numbers (phi for two
        categories); nan: see reason.
    criteria : DataFrame
        Campbell and Fiske's four criteria for each construct, judge against people: trait,
        criterion, difference, low, high, met (met, not met, undetermined; empty where nothing
        could be compared), sentence.
    level : float
        Of the intervals.

    References
    ----------
    Campbell and Fiske 1959, Psychological Bulletin 56:81, doi:10.1037/h0046016.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["escalation", "tone", "self_harm"], n_calls=200)
    >>> matrix = tk.diagnose(labels, low="escalation", high="self_harm").mtmm
    >>> matrix.traits
    ('escalation', 'self_harm', 'tone')
    >>> len(matrix.correlations), len(matrix.criteria)
    (15, 12)
    """

    traits: tuple[str, ...]
    methods: tuple[str, ...]
    correlations: pd.DataFrame
    criteria: pd.DataFrame
    level: float = 0.95

    def to_frame(self) -> pd.DataFrame:
        """Give the correlations, one row per pair."""
        return self.correlations.copy()

    def to_dict(self) -> dict[str, Any]:
        """Give everything as strict-JSON material."""
        return dict(
            plain(
                {
                    "traits": self.traits,
                    "methods": self.methods,
                    "level": self.level,
                    "correlations": self.correlations.to_dict("records"),
                    "criteria": self.criteria.to_dict("records"),
                }
            )
        )

    def square(self) -> pd.DataFrame:
        """Give the lower triangle with construct and method in rows and columns."""
        names = [(method, trait) for method in self.methods for trait in self.traits]
        index = pd.MultiIndex.from_tuples(names, names=["method", "trait"])
        c = self.correlations
        values = np.full((len(names), len(names)), np.nan)
        first = index.get_indexer(pd.MultiIndex.from_arrays([c["method_1"], c["trait_1"]]))
        second = index.get_indexer(pd.MultiIndex.from_arrays([c["method_2"], c["trait_2"]]))
        values[second, first] = c["r"]
        return pd.DataFrame(values, index=index, columns=index)

    def __str__(self) -> str:
        met = (self.criteria["met"] == "met").groupby(self.criteria["trait"], sort=False).sum()
        each = ", ".join(f"{trait} {count}" for trait, count in met.items())
        return f"criteria of Campbell and Fiske met, of {len(CRITERIA)}: {each}"

    def _repr_html_(self) -> str:
        table = self.square().map(lambda r: "" if np.isnan(r) else f"{r:.2f}")
        return f"{table.to_html(escape=True)}<p>{html.escape(str(self))}</p>"


def mtmm(case: Case) -> Mtmm:
    """Correlate every construct and method with every other, and check the four criteria."""
    traits = tuple(scale.name for scale in case.scales)
    methods = (PEOPLE, case.names.judge, *case.names.judges)
    data = [case.referred(t) for t in range(case.c)] + [case.judged(t) for t in range(case.c)]
    data += [
        indicators(case.judges[t, :, v], case.scales[t].k)
        for v in range(case.judges.shape[2])
        for t in range(case.c)
    ]
    method, trait = np.divmod(np.arange(len(data)), case.c)
    why = [_why_not(case, int(t), column) for t, column in zip(trait, data, strict=True)]
    pairs = all_pairs(len(data))
    known = np.stack([column.sum(axis=1) > 0 for column in data]).astype(np.float64)
    n = (known @ known.T)[pairs].astype(int)
    stack = moments(case, data, pairs, smooth=False).pearson()
    reasons = [
        why[i] or why[j] or _why_undefined(count, r)
        for i, j, count, r in zip(*pairs, n, stack[0], strict=True)
    ]
    stack[:, [bool(reason) for reason in reasons]] = np.nan
    low, high = np.array([limits(stack[:, p]) for p in range(len(n))]).T
    kind = np.where(method[pairs[0]] == method[pairs[1]], SAME_METHOD, OTHER_METHOD)
    kind = np.where(trait[pairs[0]] == trait[pairs[1]], CONVERGENT, kind)
    frame = pd.DataFrame(
        {
            "trait_1": [traits[t] for t in trait[pairs[0]]],
            "method_1": [methods[m] for m in method[pairs[0]]],
            "trait_2": [traits[t] for t in trait[pairs[1]]],
            "method_2": [methods[m] for m in method[pairs[1]]],
            "r": stack[0],
            "low": low,
            "high": high,
            "n": n,
            "kind": kind,
            "reason": reasons,
        }
    )
    matrix = square(stack, pairs, len(data))[:, : 2 * case.c, : 2 * case.c]
    return Mtmm(traits, methods, frame, compare_traits(matrix, traits, (PEOPLE, methods[1])))


def _why_not(case: Case, trait: int, column: Floats) -> str:
    if not case.scales[trait].ordered:
        return "categories_without_order"
    used = int((column.sum(axis=0) > 0).sum())
    return ("no_labels", "constant")[used] if used < 2 else ""  # noqa: PLR2004  one category


def _why_undefined(count: int, r: float) -> str:
    if count < FEWEST:
        return "too_few_common_calls"
    return "constant_on_common_calls" if np.isnan(r) else ""
