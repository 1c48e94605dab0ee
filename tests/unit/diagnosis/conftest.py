"""Small cases written out as tables, for answers that can be derived on paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from toolkit.diagnosis.build import Columns, build
from toolkit.diagnosis.case import Case
from toolkit.labels.pairs import Alignment
from toolkit.labels.read import read_labels
from toolkit.labels.roles import resolve_roles

MakeCase = Callable[..., Case]


def frame_of(
    raters: Mapping[str, Mapping[str, Sequence[Any]]], **columns: Sequence[Any]
) -> pd.DataFrame:
    """Long labels from rater -> construct -> labels by item; None is no label; columns by item."""
    rows = []
    for rater, constructs in raters.items():
        kind = "judge" if rater.startswith("judge") else "human"
        for construct, values in constructs.items():
            for item, value in enumerate(values):
                if value is not None:
                    own = {name: column[item] for name, column in columns.items()}
                    call = f"{rater}-{item}"
                    rows.append((f"i{item:05d}", construct, rater, kind, value, call, own))
    names = ["item_id", "construct", "rater_id", "rater_kind", "label", "call_id"]
    frame = pd.DataFrame([row[:-1] for row in rows], columns=names)
    return frame.join(pd.DataFrame([row[-1] for row in rows], index=frame.index))


def labels_of_table(table: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Labels (reference, judge) of a table of counts, reference in rows."""
    counts = np.asarray(table)
    cells = np.repeat(np.arange(counts.size), counts.ravel())
    reference, judge = np.divmod(cells, counts.shape[1])
    return reference.tolist(), judge.tolist()


@pytest.fixture
def case_of() -> MakeCase:
    """Build a case from ``raters`` (see `frame_of`); low and high are the first two constructs."""

    def make(
        raters: Mapping[str, Mapping[str, Sequence[Any]]],
        *,
        categories: Sequence[Any] = (0, 1),
        kind: str = "nominal",
        reference: Any = None,
        weights: Any = "schema",
        cluster: str | None = None,
        stratum: str | None = None,
        order: str | None = None,
        witness: str | None = None,
        **columns: Sequence[Any],
    ) -> Case:
        names = tuple(dict.fromkeys(name for own in raters.values() for name in own))
        schema = {"constructs": {n: {"kind": kind, "categories": list(categories)} for n in names}}
        labels = read_labels(frame_of(raters, **columns), schema=schema)
        alignment = Alignment(labels)
        roles = resolve_roles(labels, "judge", reference)
        used = Columns(cluster, stratum, order, witness)
        return build(alignment, names, roles, weights, used, seed=0)[0]

    return make


@pytest.fixture
def of_table() -> Callable[[Sequence[Sequence[int]]], tuple[list[int], list[int]]]:
    """Labels (reference, judge) of a table of counts."""
    return labels_of_table
