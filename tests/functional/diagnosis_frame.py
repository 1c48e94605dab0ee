"""The long label table of a draft, and its schema."""

from __future__ import annotations

import numpy as np
import pandas as pd

WORDS = {
    2: ("absent", "present"),
    3: ("low", "middle", "high"),
    5: ("never", "seldom", "at times", "often", "always"),
}


def categories_of(options):
    """The labels, lowest first: 0 and 1, 1 to k, or words."""
    if options.variant == "strings":
        return WORDS[options.k]
    return (0, 1) if options.k == 2 else tuple(range(1, options.k + 1))


def schema_of(names, options):
    """Declare every construct: two categories are nominal, more are ordinal."""
    categories = list(categories_of(options))
    nominal = {"kind": "nominal", "categories": categories, "present": categories[1:]}
    ordinal = {"kind": "ordinal", "categories": categories}
    return {"constructs": dict.fromkeys(names, nominal if options.k == 2 else ordinal)}


def long_frame(draft, names, options):
    """One row per item, construct, rater and sitting; missing labels are rows without a label."""
    tables = [
        *(("judge", "judge", s + 1, one) for s, one in enumerate(draft.judge)),
        *((f"person{p + 1}", "human", 1, one) for p, one in enumerate(draft.people)),
        *(() if draft.second is None else [("judge2", "judge", 1, draft.second)]),
    ]
    return pd.concat([_rows(*table, draft, names, options) for table in tables], ignore_index=True)


def _rows(rater, kind, sitting, codes, draft, names, options):
    item = np.tile(np.arange(draft.n), len(names))
    number = pd.Series(item).astype(str)
    labels = np.array([*categories_of(options), None], dtype=object)
    columns = {
        "item_id": "item" + number,
        "construct": np.repeat(names, draft.n),
        "rater_id": rater,
        "rater_kind": kind,
        "label": labels[codes.ravel()],
        "call_id": f"{rater}-{sitting}-" + number,
    }
    if options.clustered:
        columns["cluster"] = "group" + pd.Series(draft.cluster[item]).astype(str)
    if options.strata:
        columns["stratum"] = np.array(["east", "north", "south", "west"])[draft.stratum[item]]
    if options.ordered:
        columns["order"] = draft.order[item]
    if options.sittings > 1:
        columns["sitting"] = sitting
    return pd.DataFrame(columns)
