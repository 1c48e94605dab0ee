"""The long label table of drawn category positions, and the schema that declares it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from toolkit.labels.simulation.latent import LatentConstruct, World
    from toolkit.labels.simulation.sample import Sample

ITEMS_PER_SITTING = 50


def simulated_schema(constructs: Sequence[LatentConstruct]) -> dict[str, Any]:
    """Declare the categories of simulated constructs, and of two which one is present."""
    return {
        "constructs": {
            construct.name: {"kind": "ordinal", "categories": list(construct.categories)}
            if construct.ordinal
            else {
                "kind": "nominal",
                "categories": list(construct.categories),
                "present": [construct.categories[1]],
            }
            for construct in constructs
        }
    }


def simulated_frame(sample: Sample) -> pd.DataFrame:
    """Lay drawn labels out long: item by item, construct by construct, judge first.

    All columns are categorical, so that a million items are not a million strings a column.
    """
    constructs, world = sample.constructs, sample.world
    people = [f"human{index + 1}" for index in range(world.humans)]
    raters = ["judge", *people, *["judge2"] * (world.judges - 1)]
    # One column of labels per rater, and one more for the judge's second sitting.
    columns_of = np.array([*range(len(raters)), *[0] * (world.sittings - 1)])
    # Axes of the long table, slowest first.
    axes = np.ix_(np.arange(world.n_calls), np.arange(len(constructs)), np.arange(len(columns_of)))
    item, construct, column = (axis.ravel() for axis in np.broadcast_arrays(*axes))
    rater = columns_of[column]
    human = (rater > 0) & (rater <= len(people))
    columns = {
        "item_id": _column(item, _numbered("i", world.n_calls, 4)),
        "construct": _column(construct, [c.name for c in constructs]),
        "rater_id": _column(rater, raters),
        "rater_kind": _column(human.astype(np.int64), ["judge", "human"]),
        "label": _labels(constructs, sample.codes),
        "call_id": _call_ids(people, world, item, column),
    }
    if world.conversation is not None:
        conversations = int(world.conversation[-1]) + 1
        columns["cluster"] = _column(world.conversation[item], _numbered("c", conversations, 3))
    if sample.stratum is not None:
        strata = _numbered("s", world.strata or 1, 1)
        columns["stratum"] = _column(sample.stratum[item], strata)
    if world.ordered:
        columns["order"] = _column(item, np.arange(1, world.n_calls + 1))
    if world.sittings > 1:
        again = column >= len(raters)
        columns["sitting"] = _column(again.astype(np.int64), [1, 2])
    return pd.DataFrame(columns, copy=False)


def _labels(constructs: Sequence[LatentConstruct], codes: NDArray[np.int8]) -> pd.Categorical:
    """Categories at their positions; all integers if all categories are, else all strings."""
    pool = [label for construct in constructs for label in construct.categories]
    if not all(isinstance(label, int) for label in pool):
        pool = [str(label) for label in pool]
    distinct = list(dict.fromkeys(pool))
    place = np.array([distinct.index(label) for label in pool])
    first = np.cumsum([0, *(len(construct.categories) for construct in constructs)])[:-1]
    position = np.where(codes < 0, -1, place[codes + first[:, None]])
    # From (rater, construct, item) to the order of the rows.
    return _column(position.transpose(2, 1, 0).ravel(), distinct)


def _call_ids(
    people: Sequence[str], world: World, item: NDArray[np.int64], column: NDArray[np.int64]
) -> pd.Categorical:
    """One judge call per item and sitting; a person's call is a sitting of consecutive items."""
    calls = _numbered("call", world.n_calls, 4)
    sittings = _numbered("-", (world.n_calls - 1) // ITEMS_PER_SITTING + 1, 2)
    names = [calls, *(np.strings.add(name, sittings) for name in people)]
    if world.judges > 1:
        names.append(np.strings.add("judge2-", calls))
    if world.sittings > 1:
        names.append(np.strings.add("again-", calls))
    first = np.cumsum([0, *(len(own) for own in names)])[:-1]
    human = (column > 0) & (column <= len(people))
    within = np.where(human, item // ITEMS_PER_SITTING, item)
    return _column(first[column] + within, np.concatenate(names))


def _numbered(prefix: str, count: int, width: int) -> NDArray[np.str_]:
    digits = max(width, len(str(count)))
    numbers = np.strings.zfill(np.arange(1, count + 1).astype(str), digits)
    return np.strings.add(prefix, numbers)


def _column(codes: NDArray[np.int64], values: Any) -> pd.Categorical:
    return pd.Categorical.from_codes(codes, categories=pd.Index(values))
