"""Kappa of a world's constructs from its frame, without the package."""

from __future__ import annotations

import numpy as np
from diagnosis_frame import categories_of
from diagnosis_population import quadratic_kappa


def kappas(world):
    """Quadratic kappa of the judge's first sitting with the pooled people, low and high."""
    return tuple(kappa_of(world, name) for name in (world.low, world.high))


def labels_of(world, construct):
    """Positions of the categories, items in rows: the judge's first sitting, then every person."""
    frame = world.frame
    part = frame[(frame["construct"] == construct) & (frame.get("sitting", 1) == 1)]
    wide = part.pivot(index="item_id", columns="rater_id", values="label")
    place = {label: i for i, label in enumerate(categories_of(world.options))}
    return wide.apply(lambda column: column.map(place)).astype(float)


def kappa_of(world, construct):
    """Every person's pairs with the judge pooled in one table."""
    wide, k = labels_of(world, construct), world.options.k
    table = np.zeros((k, k))
    for person in (name for name in wide if name.startswith("person")):
        pair = wide[[person, "judge"]].dropna().astype(int)
        np.add.at(table, (pair[person], pair["judge"]), 1)
    return quadratic_kappa(table)
