"""The long label table of drawn category positions, and the schema that declares it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from toolkit.labels.simulation.latent import draw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from toolkit.labels.simulation.latent import LatentConstruct, World

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


def simulated_frame(constructs: Sequence[LatentConstruct], world: World, seed: int) -> pd.DataFrame:
    """Draw labels and lay them out long: item by item, construct by construct, judge first.

    All columns are categorical, so that a million items are not a million strings a column.
    """
    codes = draw(constructs, world, seed)
    raters = ["judge", *(f"human{index + 1}" for index in range(world.humans))]
    # Axes of the long table, slowest first.
    axes = np.ix_(np.arange(world.n_calls), np.arange(len(constructs)), np.arange(len(raters)))
    item, construct, rater = (axis.ravel() for axis in np.broadcast_arrays(*axes))
    columns = {
        "item_id": _column(item, _numbered("i", world.n_calls, 4)),
        "construct": _column(construct, [c.name for c in constructs]),
        "rater_id": _column(rater, raters),
        "rater_kind": _column(np.minimum(rater, 1), ["judge", "human"]),
        "label": _labels(constructs, codes),
        "call_id": _call_ids(raters, world.n_calls, item, rater),
    }
    if world.conversation is not None:
        conversations = int(world.conversation[-1]) + 1
        columns["cluster"] = _column(world.conversation[item], _numbered("c", conversations, 3))
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
    raters: Sequence[str], items: int, item: NDArray[np.int64], rater: NDArray[np.int64]
) -> pd.Categorical:
    """One judge call per item; a person's call is a sitting of consecutive items."""
    calls = _numbered("call", items, 4)
    sittings = _numbered("-", (items - 1) // ITEMS_PER_SITTING + 1, 2)
    people = [np.strings.add(name, sittings) for name in raters[1:]]
    of_people = items + (rater - 1) * len(sittings) + item // ITEMS_PER_SITTING
    return _column(np.where(rater == 0, item, of_people), np.concatenate([calls, *people]))


def _numbered(prefix: str, count: int, width: int) -> NDArray[np.str_]:
    digits = max(width, len(str(count)))
    numbers = np.strings.zfill(np.arange(1, count + 1).astype(str), digits)
    return np.strings.add(prefix, numbers)


def _column(codes: NDArray[np.int64], values: Any) -> pd.Categorical:
    return pd.Categorical.from_codes(codes, categories=pd.Index(values))
