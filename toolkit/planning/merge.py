"""Strata that are too thin are put together with their nearest.

A merged stratum that holds several judge labels of a construct still gives a valid estimate, since
their shares are known, but the items of the rarer label can no longer be drawn on purpose. That
costs variance by the square of what one item weighs, which goes with one by the label's share. So
labels of rare constructs are kept together, and the last stratum in which a judge label stands
alone is never given up, however thin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.weights import Floats
from toolkit.planning.influence import Codes

ROUNDING = 9  # decimals of distances that are compared


def merged_groups(
    cells: Codes, sizes: NDArray[np.int64], categories: tuple[int, ...], floor: int
) -> Codes:
    """Group of every cell, numbered by the first cell of each group.

    Parameters
    ----------
    cells : ndarray of shape (cells, C + 1)
        The judge's codes, and the part of the scores.
    sizes : ndarray of shape (cells,)
        Items.
    categories : tuple of int
        Number of categories of each construct.
    floor : int
        Least size of a group.

    Returns
    -------
    ndarray of shape (cells,)
        The thinnest group goes first, until none is thin but those that must stand alone.
    """
    table = np.hstack([np.eye(k)[cells[:, c]] for c, k in enumerate(categories)])
    of_construct = np.repeat(np.eye(len(categories)), categories, axis=0)
    size, part = sizes.astype(float), cells[:, -1] * sizes.astype(float)
    held = table * size[:, None]
    weight = _rarity(held.sum(0), of_construct) ** 2
    weight /= max(weight.sum(), 1)
    alone = table > 0  # labels that are the only ones of their construct in the group
    group, alive = np.arange(len(cells)), np.ones(len(cells), dtype=bool)
    stays = np.zeros(len(cells), dtype=bool)
    while (alive & ~stays).any():
        thin = int(np.where(alive & ~stays, size, np.inf).argmin())
        if size[thin] >= floor:
            break
        shares = held / size[:, None]
        apart = 1 - np.minimum(shares, shares[thin]) @ of_construct
        last = (alone & (alone.sum(0) == 1)) @ of_construct > 0
        gives_up = ((apart > 10.0**-ROUNDING) & (last | last[thin])).any(1)
        allowed = np.flatnonzero(alive & ~gives_up & (np.arange(len(cells)) != thin))
        if not len(allowed):
            stays[thin] = True
            continue
        steps = np.abs(part[allowed] / size[allowed] - part[thin] / size[thin])
        distance = (apart[allowed] @ weight).round(ROUNDING)
        nearest = int(allowed[np.lexsort((size[allowed], steps, distance))[0]])
        for each in (held, size, part):
            each[nearest] += each[thin]
        kinds = (held[nearest] > 0) @ of_construct
        alone[nearest] = (held[nearest] > 0) & (of_construct @ (kinds == 1) > 0)
        alone[thin] = False
        alive[thin] = False
        stays[nearest] = False
        group[group == thin] = nearest
    _, first, place = np.unique(group, return_index=True, return_inverse=True)
    return np.searchsorted(np.sort(first), first[place])


def _rarity(counts: Floats, of_construct: Floats) -> Floats:
    """How rare the labels other than the most common one are; 0 for a constant judge, (C,)."""
    total = counts @ of_construct
    others = total - (of_construct * counts[:, None]).max(0)
    return np.asarray(np.divide(total, others, out=np.zeros_like(total), where=others > 0))
