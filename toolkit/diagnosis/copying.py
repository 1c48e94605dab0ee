r"""Halo by copying: in some calls the judge repeats its label of another construct.

If a share s of the labels of A are copies of the label of B, then within every class h of people's
labels of A

.. math:: \mathrm{cov}(J_A, J_B \mid h) = s\, \mathrm{var}(J_B \mid h),

as far as the own judgement does not depend on B within the class, so that s is the pooled
within-class regression of J_A on the judge's other labels. The table of own judgements is then
(T - s T_B) / (1 - s), with T_B the table of people's A against the judge's B.
"""

from __future__ import annotations

import numpy as np

from toolkit.diagnosis.case import Case, Floats

MOST_COPIED = 0.8  # beyond it too few own judgements are left to make a table of
TINY = 1e-9


def own_tables(case: Case, construct: int, others: list[int]) -> Floats:
    """Tables of people against the judge's own judgements of a construct, (1 + R, k, k).

    `others` are constructs with the same categories.
    """
    k = case.scales[construct].k
    people = case.referred(construct)
    copied = copied_shares(case, construct, others)
    tables = case.table(construct)
    own = tables / tables.sum(axis=(1, 2), keepdims=True)
    for place, other in enumerate(others):
        table = case.tables(people, case.judged(other))
        own = own - copied[:, place, None, None] * table / table.sum(axis=(1, 2), keepdims=True)
    own = np.maximum(own, 0)
    total = own.sum(axis=(1, 2), keepdims=True)
    return np.where(total > TINY, own / np.maximum(total, TINY), 1 / k**2)


def copied_shares(case: Case, construct: int, others: list[int]) -> Floats:
    """Share of the labels copied from each of the other constructs, (1 + R, others)."""
    columns = np.stack([case.judge[c] for c in (construct, *others)], axis=1).astype(np.float64)
    people = case.referred(construct) * (columns >= 0).all(axis=1, keepdims=True)
    c = columns.shape[1]
    first, second = np.triu_indices(c)
    features = np.concatenate(
        [np.ones((case.n, 1)), columns, columns[:, first] * columns[:, second]], axis=1
    )
    cells = (people[:, :, None] * features[:, None, :]).reshape(case.n, -1)
    sums = case.sums(cells).reshape(-1, people.shape[1], features.shape[1])
    count = np.maximum(sums[:, :, 0], TINY)
    mean = sums[:, :, 1 : c + 1]
    within = (sums[:, :, c + 1 :] - mean[:, :, first] * mean[:, :, second] / count[:, :, None]).sum(
        axis=1
    )
    matrix = np.zeros((len(within), c, c))
    matrix[:, first, second] = matrix[:, second, first] = within
    among = matrix[:, 1:, 1:] + TINY * case.n * np.eye(c - 1)
    shares = np.maximum(np.linalg.solve(among, matrix[:, 1:, :1])[:, :, 0], 0)
    total = shares.sum(axis=1, keepdims=True)
    return np.asarray(shares * np.minimum(1, MOST_COPIED / np.maximum(total, TINY)))
