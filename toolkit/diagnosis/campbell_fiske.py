"""Campbell and Fiske's four criteria of convergent and discriminant validity, with intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import chi2

from toolkit.diagnosis.case import Floats, limits

CRITERIA = (
    "convergent",
    "over_heterotrait_heteromethod",
    "over_heterotrait_monomethod",
    "same_pattern",
)
FEWEST_OTHERS = 3  # of two numbers any two rows correlate perfectly
FLAT = 1e-12
SIGNIFICANT = 0.05
COLUMNS = ["trait", "criterion", "difference", "low", "high", "met", "sentence"]


def compare_traits(
    matrix: Floats, traits: tuple[str, ...], methods: tuple[str, str]
) -> pd.DataFrame:
    """Check every criterion for every trait.

    `matrix` is the stack (1 + R, 2c, 2c) of correlations, traits of the first method first. The
    difference of a criterion is its least favourable comparison, chosen on the estimate.
    """
    rows = []
    for t, trait in enumerate(traits):
        rows += [
            _row(trait, "convergent", *_convergent(matrix, t)),
            _row(trait, "over_heterotrait_heteromethod", *_over(matrix, t, traits, methods, False)),
            _row(trait, "over_heterotrait_monomethod", *_over(matrix, t, traits, methods, True)),
            _row(trait, "same_pattern", *_pattern(matrix, t, methods)),
        ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _row(trait: str, criterion: str, stack: Floats, said: str) -> tuple[object, ...]:
    low, high = limits(stack) if np.isfinite(stack[0]) else (np.nan, np.nan)
    met = "undetermined"
    if low > 0:
        met = "met"
    elif high <= 0:
        met = "not met"
    elif np.isnan(low):
        met = ""
    return trait, criterion, float(stack[0]), low, high, met, f"{trait}: {said}"


def _convergent(matrix: Floats, t: int) -> tuple[Floats, str]:
    r = matrix[:, t, _c(matrix) + t]
    if np.isnan(r[0]):
        return r, "the convergent correlation is undefined"
    return r, f"judge and people correlate {r[0]:.2f}"


def _over(
    matrix: Floats,
    t: int,
    traits: tuple[str, ...],
    methods: tuple[str, str],
    same: bool,  # noqa: FBT001
) -> tuple[Floats, str]:
    """Lead of the convergent correlation over the strongest heterotrait correlation."""
    c = _c(matrix)
    others = np.array([o for o in range(c) if o != t], dtype=np.intp)
    ends = (t, others), (t + c, others + c)
    if not same:
        ends = (t, others + c), (t + c, others)
    rivals = np.concatenate([matrix[:, a, b] for a, b in ends], axis=1)
    lead = matrix[:, t, c + t, None] - rivals
    if not np.isfinite(lead[0]).any():
        return np.full(len(matrix), np.nan), "nothing to compare the convergent correlation with"
    least = int(np.nanargmin(lead[0]))
    side, other = divmod(least, c - 1)
    mine, theirs = methods[side], methods[side if same else 1 - side]
    rival = f"{mine}'s {traits[t]} and {theirs}'s {traits[others[other]]}"
    return lead[:, least], (
        f"judge and people correlate {matrix[0, t, c + t]:.2f}, "
        f"{rival} {rivals[0, least]:.2f} (the strongest of {np.isfinite(lead[0]).sum()})"
    )


def _pattern(matrix: Floats, t: int, methods: tuple[str, str]) -> tuple[Floats, str]:
    """Least correlation of people's row of heterotrait values with the row in other triangles."""
    c = _c(matrix)
    others = np.array([o for o in range(c) if o != t], dtype=np.intp)
    rows = [matrix[:, a, b] for a in (t, t + c) for b in (others, others + c)]
    rows = [rows[0], rows[3], rows[1], rows[2]]
    use = np.isfinite(np.stack([row[0] for row in rows])).all(axis=0)
    if use.sum() < FEWEST_OTHERS:
        return np.full(len(matrix), np.nan), (
            f"{use.sum()} other constructs have a place in all triangles; a pattern needs three"
        )
    if not _varies(rows[0][:, use]):
        return np.full(len(matrix), np.nan), (
            f"its correlations with the others among {methods[0]} differ by no more than chance, "
            "so there is no pattern to repeat"
        )
    alike = np.stack([_alike(rows[0][:, use], row[:, use]) for row in rows[1:]], axis=1)
    if not np.isfinite(alike[0]).any():
        return np.full(len(matrix), np.nan), "the other triangles have no pattern to compare"
    least = int(np.nanargmin(alike[0]))
    where = (methods[1], f"{methods[0]} with {methods[1]}", f"{methods[1]} with {methods[0]}")
    return alike[:, least], (
        f"its correlations with {use.sum()} other constructs among {methods[0]} and for "
        f"{where[least]} run alike with r = {alike[0, least]:.2f} (the least of three)"
    )


def _varies(row: Floats) -> bool:
    """Whether correlations differ from each other by more than their sampling error (chi2)."""
    centred = row - row.mean(axis=1, keepdims=True)
    noise = float(np.nanvar(centred[1:], axis=0).sum()) / (row.shape[1] - 1)
    return bool((centred[0] ** 2).sum() > chi2.isf(SIGNIFICANT, row.shape[1] - 1) * noise)


def _alike(left: Floats, right: Floats) -> Floats:
    a = left - left.mean(axis=1, keepdims=True)
    b = right - right.mean(axis=1, keepdims=True)
    spread = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    result = np.full(len(left), np.nan)
    np.divide((a * b).sum(axis=1), spread, out=result, where=spread > FLAT)
    return result


def _c(matrix: Floats) -> int:
    return int(matrix.shape[1] // 2)
