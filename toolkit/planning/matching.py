"""Labels matched with the design by which their items were drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.coefficients.from_labels import chosen_constructs, order_flags
from toolkit.errors import LabelError, PlanError
from toolkit.labels.pairs import Alignment, Marks
from toolkit.labels.read import read_labels
from toolkit.labels.roles import Roles, refuse_other_tables, resolve_roles
from toolkit.labels.table import Labels
from toolkit.planning.design import JUDGE_COLUMN, Design
from toolkit.planning.posterior import Counts

JUDGE = "judge"


class Matched(NamedTuple):
    """One construct's labels on the design's items.

    `counts` (H, k * k) by stratum and cell, reference by judge; `labels` with the judge's.
    """

    construct: str
    counts: Counts
    labels: Labels
    k: int
    left_out: dict[str, int]
    flags: tuple[str, ...]


def match(
    labels: Labels,
    design: Design,
    construct: str | None,
    judge: str | None,
    reference: str | Sequence[str] | None,
) -> Matched:
    """Count the labels of the drawn items, and what could not be used."""
    refuse_other_tables(labels)
    name = _one_construct(labels, construct)
    with_judge = _with_judge(labels, design, name, judge)
    if not _inside(labels, design).any():
        raise PlanError(
            "no labelled item is in the design",
            got=labels.frame["item_id"].iloc[0] if len(labels.frame) else None,
            allowed="labels of the items that were drawn",
            where="design",
        )
    roles = resolve_roles(with_judge, judge, reference)
    frame, inside = with_judge.frame, _inside(with_judge, design)
    people = frame["rater_id"].isin(roles.reference) & (frame["construct"] == name)
    outside = frame.loc[people & ~inside, "item_id"].nunique()
    unasked = _not_read(design, name, frame.loc[people & (with_judge.codes >= 0), "item_id"])
    if len(unasked) == len(design.items):
        raise PlanError(
            "the plan reads this construct on no drawn item, and none is labelled on it",
            got=name,
            allowed=[other for other, read in design.read.items() if read.any()],
            where="construct",
        )
    kept = inside & ~(frame["item_id"].isin(unasked) & (frame["construct"] == name)).to_numpy()
    alignment = Alignment(
        replace(
            with_judge,
            frame=frame[kept].reset_index(drop=True),
            codes=with_judge.codes[kept],
        )
    )
    pairs = alignment.pairs(name, _present(roles, alignment))
    where = pd.Index(design.items).get_indexer(pd.Index(alignment.items[pairs.item]))
    k = with_judge.schema[name].k
    cells = pairs.codes[:, 0] * k + pairs.codes[:, 1]
    counts = np.bincount(
        design.stratum[where] * k * k + cells, minlength=len(design.names) * k * k
    ).reshape(-1, k * k)
    left_out = dict(pairs.left_out)
    asked = len(design.items) - len(unasked)
    unread = asked - len(pairs.item) - sum(left_out.values())
    if unread:
        left_out["no_reference_label"] = left_out.get("no_reference_label", 0) + unread
    if len(unasked):
        left_out["not_read"] = len(unasked)
    if outside:
        left_out["not_in_design"] = int(outside)
    flags = [*design.flags, *pairs.flags, *roles.flags, *order_flags(with_judge.schema[name])]
    flags += ["labels_missing"] if len(pairs.item) < asked else []
    flags += ["labels_outside_design"] if outside else []
    return Matched(name, counts, with_judge, k, left_out, tuple(dict.fromkeys(flags)))


def _not_read(design: Design, name: str, labelled: pd.Series) -> NDArray[np.object_]:
    """Items on which the plan does not read the construct, but for those labelled all the same."""
    if name not in design.read:
        return np.array([], dtype=object)
    unread = design.items[~design.read[name]]
    return np.asarray(unread[~np.isin(unread.astype(str), labelled.astype(str))])


def _inside(labels: Labels, design: Design) -> Marks:
    """Mark the rows of items that were drawn."""
    items = pd.Index(labels.frame["item_id"].astype(object))
    return np.asarray(pd.Index(design.items).get_indexer(items) >= 0)


def _one_construct(labels: Labels, construct: str | None) -> str:
    if construct is None and len(labels.constructs) != 1:
        raise LabelError(
            "several constructs: say which one",
            got=construct,
            allowed=labels.constructs,
            example=f"construct={(labels.constructs or ('escalation',))[0]!r}",
        )
    return chosen_constructs(labels, [construct] if construct else labels.constructs)[0]


def _with_judge(labels: Labels, design: Design, name: str, judge: str | None) -> Labels:
    """Add the judge's labels that the design carries, where the table has no judge."""
    column = JUDGE_COLUMN + name
    known = labels.raters
    if judge is not None or (known["rater_kind"] == "judge").any() or column not in design.judge:
        return labels
    people = labels.frame.assign(
        rater_kind="human"
        if "rater_kind" not in labels.frame
        else labels.frame["rater_kind"].fillna("human")
    )
    rows: dict[str, Any] = {
        "item_id": design.items,
        "construct": name,
        "rater_id": JUDGE,
        "rater_kind": "judge",
        "label": design.judge[column].to_numpy(dtype=object),
    }
    columns = [*rows, "sitting"] if "sitting" in people else list(rows)
    both = pd.concat([people[columns].astype(object), pd.DataFrame(rows)], ignore_index=True)
    # Inferred categories may lack one that the judge alone gave.
    schema = None if "schema_inferred" in labels.flags else labels.schema
    return read_labels(both, schema, overlap=False)


def _present(roles: Roles, alignment: Alignment) -> Roles:
    """Refuse a judge without any label on the drawn items."""
    if roles.judge not in alignment.position:
        raise PlanError(
            "the judge has no label on any drawn item",
            got=roles.judge,
            allowed=list(alignment.position),
            where="judge",
        )
    return roles
