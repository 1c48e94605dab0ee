"""From labels to the case of a diagnosis: the calls that carry both constructs, by all raters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients.from_labels import construct_weights
from toolkit.coefficients.weights import agreement_weights
from toolkit.diagnosis.arrange import counts, numbered
from toolkit.diagnosis.case import Case, Floats, Marks, Names, Scale, shares
from toolkit.errors import LabelError
from toolkit.labels.pairs import NO_LABEL, Alignment
from toolkit.labels.roles import Codes, Roles

MOST_VALUES = 12  # a numeric covariate with more distinct values is cut into quarters
QUARTERS = 4
EPOCH = pd.Timestamp(0, tz="UTC")


@dataclass(frozen=True, eq=False)
class Readable:
    """Items with a person's label on both constructs that the judge labelled at all.

    `judge` has shape (2, m), -1 where the judge's label of that construct is missing; `people` are
    shares (m, k) for each of the two constructs; `unit` is the resampling unit, `weight` that
    of the item.
    """

    judge: Codes
    people: tuple[Floats, Floats]
    unit: Codes
    weight: Floats


@dataclass(frozen=True)
class Columns:
    """Declared columns: of clusters, of strata, of the order; and the witness asked for."""

    cluster: str | None = None
    stratum: str | None = None
    order: str | None = None
    witness: str | None = None


def build(
    alignment: Alignment,
    names: tuple[str, ...],
    roles: Roles,
    weights: Any,
    columns: Columns,
    seed: int,
) -> tuple[Case, Readable]:
    """Lay out the calls of the first two constructs in `names`, with all others beside them."""
    labels = alignment.labels
    scales = tuple(_scale(alignment, name, weights) for name in names)
    judge = np.stack([alignment.judge(name, roles.judge) for name in names])
    calls, assumed = alignment.call_codes(names, roles.judge)
    kinds = dict(zip(labels.raters["rater_id"], labels.raters["rater_kind"], strict=True))
    people, judges = _others(roles, kinds, columns.witness)
    matrices = [alignment.matrix(name) for name in names]
    by_people = _of(matrices, [alignment.position[rater] for rater in people])
    referred = (by_people[:2, :, : len(roles.reference)] != NO_LABEL).any(axis=2).all(axis=0)
    labelled = judge != NO_LABEL
    readable = referred & labelled.any(axis=0)
    same = (calls[0] == calls[1]) & (calls[0] != NO_LABEL)
    both = referred & labelled[:2].all(axis=0)
    same_call = bool((both & same).any()) or not both.any()
    shared = both & same if same_call else both
    aligned = np.stack(
        [np.where(call == calls[0], own, NO_LABEL) for call, own in zip(calls, judge, strict=True)]
    )
    aligned[:2] = judge[:2]
    clusters = alignment.cluster(columns.cluster)
    unit = np.arange(len(alignment.items)) if clusters is None else clusters
    weight = alignment.weight()
    weight = np.ones(len(unit)) if weight is None else weight
    stratum, strata = stratum_of(alignment, columns.stratum)
    order, dates = order_of(alignment, columns.order)
    item = np.flatnonzero(shared)
    case = Case(
        scales=scales,
        judge=aligned[:, item],
        people=by_people[:, item],
        reference=len(roles.reference),
        judges=_of(matrices, [alignment.position[rater] for rater in judges])[:, item],
        again=np.stack([alignment.second(name, roles.judge) for name in names])[:, item],
        unit=np.unique(unit[item], return_inverse=True)[1],
        weight=weight[item] / weight[item].mean() if item.size else weight[item],
        stratum=None if stratum is None else stratum[item],
        order=None if order is None else order[item],
        item=item,
        names=Names(
            roles.judge, people, judges, strata, columns.stratum or "", columns.order or "", dates
        ),
        same_call=same_call,
        call_assumed=bool(assumed),
        seed=seed,
    )
    seen = _readable(scales, judge, by_people[:2, :, : case.reference], readable, unit, weight)
    return numbered_by_content(case), seen


def build_whole(
    alignment: Alignment,
    names: tuple[str, ...],
    roles: Roles,
    weights: Any,
    cluster: str | None,
    seed: int,
    replicates: int,
) -> Case:
    """Lay out all items, so that each construct keeps all that judge and reference labelled."""
    judge = np.stack([alignment.judge(name, roles.judge) for name in names])
    matrices = [alignment.matrix(name) for name in names]
    people = _of(matrices, [alignment.position[rater] for rater in roles.reference])
    item = np.flatnonzero(((judge != NO_LABEL) & (people != NO_LABEL).any(axis=2)).any(axis=0))
    clusters, weight = alignment.cluster(cluster), alignment.weight()
    unit = item if clusters is None else clusters[item]
    case = Case(
        scales=tuple(_scale(alignment, name, weights) for name in names),
        judge=judge[:, item],
        people=people[:, item],
        reference=len(roles.reference),
        judges=people[:, item, :0],
        again=np.full((len(names), item.size), NO_LABEL),
        unit=np.unique(unit, return_inverse=True)[1],
        weight=np.ones(item.size) if weight is None else weight[item] / weight[item].mean(),
        stratum=None,
        order=None,
        item=item,
        names=Names(roles.judge, roles.reference),
        replicates=replicates,
        seed=seed,
    )
    return numbered_by_content(case)


def numbered_by_content(case: Case) -> Case:
    """Number the units of a case by what they hold."""
    k = max(scale.k for scale in case.scales)
    columns = [case.judge.T, case.again.T, case.weight[:, None]]
    columns += [counts(codes, k) for codes in (case.people, case.judges)]
    if case.stratum is not None:
        columns.append(case.stratum[:, None])
    if case.order is not None:
        columns.append(np.nan_to_num(case.order, nan=-np.inf)[:, None])
    return replace(case, unit=numbered(np.concatenate(columns, axis=1), case.unit))


def _scale(alignment: Alignment, name: str, weights: Any) -> Scale:
    construct = alignment.labels.schema[name]
    chosen = construct_weights(alignment.labels, name, weights)
    ordered = construct.k == 2 or construct.kind == "ordinal"  # noqa: PLR2004
    numbers = all(isinstance(one, int | float) for one in construct.categories)
    values = tuple(float(one) for one in construct.categories) if numbers else ()
    return Scale(name, construct.k, ordered, agreement_weights(chosen, construct.k), values)


def _others(
    roles: Roles, kinds: dict[str, object], witness: str | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Persons, those of the reference first, and other judges."""
    rest = [rater for rater in kinds if rater != roles.judge and rater not in roles.reference]
    if witness is not None:
        if witness not in rest:
            raise LabelError(
                "no witness: it is another rater than judge and reference",
                got=witness,
                allowed=rest or "None, as the table has no other rater",
                example=f"witness={rest[0]!r}" if rest else "witness=None",
                where="witness",
            )
        rest = [r for r in rest if r == witness or kinds[r] != kinds[witness]]
    people = tuple(rater for rater in rest if kinds[rater] != "judge")
    return (*roles.reference, *people), tuple(r for r in rest if kinds[r] == "judge")


def _of(matrices: list[Codes], positions: list[int]) -> Codes:
    return np.stack([matrix[:, positions] for matrix in matrices])


def _readable(
    scales: tuple[Scale, ...],
    judge: Codes,
    people: Codes,
    keep: Marks,
    unit: Codes,
    weight: Floats,
) -> Readable:
    low, high = (shares(people[c][keep], scales[c].k) for c in (0, 1))
    codes = judge[:2, keep]
    units = np.unique(unit[keep], return_inverse=True)[1]
    content = np.concatenate([codes.T, low, high], axis=1)
    return Readable(codes, (low, high), numbered(content, units), weight[keep])


def stratum_of(alignment: Alignment, column: str | None) -> tuple[Codes | None, tuple[str, ...]]:
    """Codes of the strata; a numeric column with many values is cut into quarters."""
    if column is None:
        return None, ()
    values = _first_known(alignment, column)
    numbers = pd.to_numeric(values, errors="coerce")
    if numbers[values.notna()].notna().all() and numbers.nunique() > MOST_VALUES:
        cut = pd.qcut(numbers, QUARTERS, duplicates="drop")
        return np.asarray(cut.cat.codes, dtype=np.int64), tuple(map(str, cut.cat.categories))
    codes, names = pd.factorize(values, sort=True)
    return codes, tuple(map(str, names))


def order_of(alignment: Alignment, column: str | None) -> tuple[Floats | None, bool]:
    """Numbers, or seconds of dates, by item, nan where there is none; whether they are dates."""
    if column is None:
        return None, False
    values = _first_known(alignment, column)
    order, dates = pd.to_numeric(values, errors="coerce"), False
    if (order.isna() & values.notna()).any():
        dates = True
        order = pd.to_datetime(values, errors="coerce", format="ISO8601", utc=True)
        if (order.isna() & values.notna()).any():
            wrong = values[order.isna() & values.notna()].iloc[0]
            raise LabelError(
                f"column {column!r} is no order",
                got=wrong,
                allowed="numbers, or dates as 2026-03-01 or 2026-03-01T12:00",
                example="order='order'; groups without an order are strata: stratum='batch'",
                where="order",
            )
        order = (order - EPOCH) / pd.Timedelta(seconds=1)
    return np.asarray(order, dtype=np.float64), dates


def _first_known(alignment: Alignment, column: str) -> pd.Series[Any]:
    """Value of a column for every item, from whichever rows of the item carry one."""
    frame = alignment.labels.frame
    if column not in frame:
        raise LabelError(
            "unknown column",
            got=column,
            allowed=[str(name) for name in frame.columns],
            example="order='order', stratum='stratum'",
        )
    values = frame[column].astype(object)
    grouped = values.groupby(alignment.item)
    several = np.asarray(grouped.agg("nunique") > 1)
    if several.any():
        number = int(np.argmax(several))
        raise LabelError(
            f"column {column!r} is not one value for every item",
            got=list(values[alignment.item == number].dropna().unique()[:2]),
            allowed="the same value, or none, in all rows of an item",
            where=f"item {alignment.items[number]!r}",
        )
    return grouped.first()
