"""From a pool that the judge labelled to strata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.coefficients.weights import Floats
from toolkit.common.hints import did_you_mean
from toolkit.errors import PlanError
from toolkit.labels.pairs import NO_LABEL, Alignment
from toolkit.labels.schema import Schema
from toolkit.labels.table import Labels
from toolkit.planning.influence import Codes
from toolkit.planning.merge import merged_groups
from toolkit.planning.pool import JUDGE, pool_column, read_pool
from toolkit.planning.scores import distinct_rows, score_bins
from toolkit.planning.strata_result import MIXED, Strata, pool_sha256


def strata(
    pool: str | Path | pd.DataFrame,
    constructs: Sequence[str],
    scores: str | Sequence[str] | None = None,
    quantiles: int | Sequence[float] | None = None,
    cost: str | Mapping[str, float] | None = None,
    floor: int = 30,
    *,
    schema: str | Path | Mapping[str, Any] | Schema | None = None,
) -> Strata:
    """Put a pool's items into strata by the labels that the judge gave them.

    Parameters
    ----------
    pool : DataFrame or path
        One row per item: item_id, one column per construct with the judge's label, and the columns
        that `scores` and `cost` name.
    constructs : list of str
        The judge's columns.
    scores : str or list of str, optional
        Columns of numbers by which strata of one judge label vector are split further.
    quantiles : int or list of float, optional
        Into how many parts of equal size, or at which quantiles within the stratum, such as
        ``[.5, .9]``. Default with scores: 2.
    cost : str or mapping, optional
        Of labelling an item: a column, averaged within a stratum, or a mapping from names of
        strata. Default 1.
    floor : int, optional
        Strata with fewer items are merged into their nearest (see Notes). It is also the least
        sample of a stratum in which the judge flagged nothing.
    schema : path, mapping or Schema, optional
        Categories of the constructs. Without one they are inferred from the judge's labels.

    Returns
    -------
    Strata
        Sorted by the judge's labels, whatever the order of the rows.

    Raises
    ------
    PlanError
        If the pool can't be read or has an item twice, or names, scores, quantiles, costs or the
        floor do not fit.
    LabelError
        If a label is unknown or no label.

    Notes
    -----
    The nearest stratum differs in the fewest labels, each counted by the square of how rare the
    construct's less common labels are; among equals it is the nearest part of the scores, then the
    smaller one. Merging costs no validity: where a merged stratum holds several judge labels of a
    construct, their shares are known for the whole pool and kept in `mix`, and the spread of
    kappa's influence value is taken over both raters' labels. It costs precision, so rare labels
    are kept together, and a stratum that is the last in which a judge label stands alone is kept
    below the floor; `Strata.thin` names it. Items without a judge label on every construct are left
    out and counted.

    References
    ----------
    Katki, Li, Edelstein and Castle 2012, Statistics in Medicine 31:436, doi:10.1002/sim.4422.

    Examples
    --------
    >>> pool = pd.DataFrame({"item_id": range(100), "tone": [0] * 70 + [1] * 30})
    >>> strata(pool, constructs=["tone"])
    Strata(100 items in 2 strata, by the judge's labels on tone)
    """
    names = _constructs(constructs)
    if isinstance(floor, bool) or not isinstance(floor, int | np.integer) or floor < 1:
        raise PlanError("no floor", got=floor, allowed="a whole number, 1 or more", where="floor")
    labels = read_pool(pool, names, schema)
    alignment = Alignment(labels)
    codes = np.column_stack([_codes(alignment, labels, name) for name in names])
    kept = (codes != NO_LABEL).all(1)
    if not kept.any():
        raise PlanError(
            "no item has the judge's label on every construct", got=names, where="constructs"
        )
    # An item without any label is not in the label table, but counted there.
    lacking = labels.left_out["construct"] == names[0]
    rows = (codes[:, 0] != NO_LABEL).sum() + labels.left_out.loc[lacking, "count"].sum()
    without = int(rows - kept.sum())
    # Sorted by identifier, so that the order of the pool's rows changes nothing.
    where = np.flatnonzero(kept)
    where = where[np.argsort(alignment.items[where].astype(str), kind="stable")]
    items, codes = alignment.items[where], codes[where]
    bins, parts = score_bins(alignment, where, codes, scores, quantiles)
    cells, cell = distinct_rows(np.column_stack([codes, bins]))
    categories = tuple(labels.schema[name].k for name in names)
    groups = merged_groups(cells, np.bincount(cell), categories, int(floor))
    member = groups[cell]
    sizes = np.bincount(member)
    mix = tuple(
        np.bincount(member * k + codes[:, c], minlength=len(sizes) * k).reshape(-1, k)
        / sizes[:, None]
        for c, k in enumerate(categories)
    )
    judge = np.column_stack([np.where(m.max(1) == 1, m.argmax(1), MIXED) for m in mix])
    cell_names = [_cell_name(labels.schema, names, row, parts) for row in cells]
    made = _names(labels.schema, names, mix, cell_names, groups)
    return Strata(
        names=made,
        constructs=names,
        sizes=sizes,
        judge=judge,
        mix=mix,
        schema=Schema(constructs={name: labels.schema[name] for name in names}),
        cost=_costs(cost, alignment, where, member, made),
        floor=int(floor),
        items=items,
        member=member,
        codes=codes,
        merged={
            made[g]: tuple(cell_names[i] for i in np.flatnonzero(groups == g))
            for g in range(len(sizes))
            if (groups == g).sum() > 1
        },
        left_out={"no_judge_label": without} if without else {},
        sha256=pool_sha256(items),
    )


def _constructs(constructs: Any) -> tuple[str, ...]:
    many = isinstance(constructs, Iterable) and not isinstance(constructs, str)
    listed = list(constructs) if many else [constructs]
    if (
        not listed
        or not all(isinstance(name, str) for name in listed)
        or len(set(listed)) < len(listed)
    ):
        raise PlanError(
            "constructs are the judge's columns, each named once",
            got=constructs,
            example="constructs=['escalation', 'self_harm']",
            where="constructs",
        )
    return tuple(listed)


def _codes(alignment: Alignment, labels: Labels, name: str) -> Codes:
    if name not in labels.constructs:
        raise PlanError(
            "the judge has no label on a construct",
            got=name,
            allowed=labels.constructs,
            where="constructs",
        )
    return alignment.judge(name, JUDGE)


def _cell_name(
    schema: Schema, names: tuple[str, ...], row: Codes, parts: tuple[tuple[str, int], ...]
) -> str:
    said = [f"{name}={schema[name].labels[code]}" for name, code in zip(names, row, strict=False)]
    place = int(row[-1])
    for score, number in reversed(parts):
        place, part = divmod(place, number)
        said.insert(len(names), f"{score} {part + 1}/{number}")
    return ", ".join(said)


def _names(
    schema: Schema,
    names: tuple[str, ...],
    mix: tuple[Floats, ...],
    cell_names: list[str],
    groups: Codes,
) -> tuple[str, ...]:
    """Name of a stratum: its one cell's, or the labels that it holds."""
    made: list[str] = []
    for g in range(len(mix[0])):
        inside = np.flatnonzero(groups == g)
        name = cell_names[inside[0]]
        if len(inside) > 1:
            held = [
                f"{construct}={'|'.join(schema[construct].labels[j] for j in np.flatnonzero(m[g]))}"
                for construct, m in zip(names, mix, strict=True)
            ]
            name = f"{', '.join(held)} (merged)"
            before = sum(other.startswith(name) for other in made)
            name += f" {before + 1}" if before else ""
        made.append(name)
    return tuple(made)


def _costs(
    cost: str | Mapping[str, float] | None,
    alignment: Alignment,
    where: NDArray[np.intp],
    member: Codes,
    names: tuple[str, ...],
) -> Floats:
    if cost is None:
        return np.ones(len(names))
    if isinstance(cost, str):
        values = pool_column(alignment, cost, "cost")[where]
        each = pd.to_numeric(pd.Series(values), errors="coerce").to_numpy(dtype=float)
        found = np.bincount(member, each) / np.bincount(member)
    elif isinstance(cost, Mapping):
        for name in cost:
            if name not in names:
                raise PlanError(
                    f"unknown stratum{did_you_mean(name, names)}",
                    got=name,
                    allowed=names,
                    where="cost",
                )
        given = pd.Series([cost.get(name, 1) for name in names], dtype=object)
        found = pd.to_numeric(given, errors="coerce").to_numpy(dtype=float)
    else:
        found = np.array([np.nan])
    if not (np.isfinite(found) & (found > 0)).all():
        raise PlanError(
            "costs are numbers above 0, for every item",
            got=cost,
            allowed="a column of the pool, or a mapping from names of strata to numbers",
            example=f"cost='minutes', or cost={{{names[0]!r}: 2}}",
            where="cost",
        )
    return found
