"""What a pilot says about people's labels within the strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients.weights import Floats
from toolkit.common.hints import did_you_mean
from toolkit.errors import PlanError
from toolkit.labels.pairs import Alignment
from toolkit.labels.roles import Roles, resolve_roles
from toolkit.labels.table import Labels
from toolkit.labels.values import Coder
from toolkit.planning.influence import Codes
from toolkit.planning.posterior import label_prior
from toolkit.planning.strata_result import MIXED, Strata

COLUMNS = ("stratum", "construct", "label", "count")
EXAMPLE = "pilot=tk.read_labels('pilot.csv', overlap=False)"


@dataclass(frozen=True, eq=False)
class Pilot:
    """People's labels on items of the pool, counted.

    `counts` has one array (H, k, k) per construct: stratum, person's label, judge's label. `notes`
    says in words what was assumed or left out.
    """

    counts: tuple[Floats, ...]
    notes: tuple[str, ...]

    def labels(self, construct: int) -> float:
        """Labels on a construct."""
        return float(self.counts[construct].sum())


def read_pilot(st: Strata, pilot: Any, reference: str | Sequence[str] | None = None) -> Pilot:
    """Count a pilot: a label table, or counts by stratum, construct and label."""
    if isinstance(pilot, Pilot):
        return pilot
    if isinstance(pilot, Labels):
        return _from_labels(st, pilot, reference)
    if isinstance(pilot, pd.DataFrame) and "item_id" not in pilot:
        return _from_counts(st, pilot)
    read = isinstance(pilot, str | Path | pd.DataFrame)
    raise PlanError(
        "a pilot of labels is read first" if read else "no pilot",
        got=list(map(str, pilot.columns))
        if isinstance(pilot, pd.DataFrame)
        else (pilot if read else type(pilot).__name__),
        allowed="a label table (tk.read_labels) with people's labels on items of the pool, or a "
        f"DataFrame with the columns {', '.join(COLUMNS)}",
        example=EXAMPLE,
        where="pilot",
    )


def posterior(st: Strata, pilot: Pilot, construct: int) -> tuple[Floats, tuple[str, ...]]:
    """Dirichlet parameters (H, k, k) of people's labels by stratum and judge's label.

    The prior is that of the estimate: strata that share a judge label share its mass. A stratum
    without any label of the construct takes the counts of all strata with the same judge label: the
    second result names these strata.
    """
    counts, mix = pilot.counts[construct], st.mix[construct]
    prior = label_prior(mix, st.sizes).reshape(counts.shape)
    empty = (mix > 0) & (counts.sum(1) == 0)
    pooled = (counts + prior).sum(0)
    alpha = np.where(empty[:, None, :], pooled[None], counts + prior)
    names = tuple(st.names[h] for h in np.flatnonzero(empty.any(1)))
    return np.asarray(np.where(mix[:, None, :] > 0, alpha, 0)), names


def expected_shares(st: Strata, alpha: Floats, construct: int) -> Floats:
    """Joint shares (H, k, k) at the posterior mean; the judge's own shares are known."""
    mass = alpha.sum(1, keepdims=True)
    return np.asarray(alpha / np.where(mass > 0, mass, 1) * st.mix[construct][:, None, :])


def drawn_shares(
    st: Strata, alpha: Floats, construct: int, draws: int, rng: np.random.Generator
) -> Floats:
    """Joint shares drawn from the posterior, (draws, H, k, k)."""
    held = np.nonzero(st.mix[construct] > 0)
    gammas = rng.standard_gamma(
        alpha[held[0], :, held[1]], size=(draws, len(held[0]), alpha.shape[1])
    )
    # Little mass can give zeros for all categories, below the smallest float.
    gammas /= np.maximum(gammas.sum(2, keepdims=True), np.finfo(float).tiny)
    shares = np.zeros((draws, *alpha.shape))
    # Indices apart from each other put their axis first.
    shares[:, held[0], :, held[1]] = np.moveaxis(gammas, 1, 0)
    return shares * st.mix[construct][None, :, None, :]


def _from_labels(st: Strata, labels: Labels, reference: str | Sequence[str] | None) -> Pilot:
    roles = _people(labels, reference)
    alignment = Alignment(labels)
    place = pd.Index(st.items).get_indexer(pd.Index(alignment.items))
    known = place >= 0
    if not known.any():
        raise PlanError(
            "the pilot is from another pool: none of its items is in the strata",
            got=[str(item) for item in alignment.items[:3]],
            allowed=f"items such as {', '.join(map(str, st.items[:3]))}",
            example=f"item_id {st.items[0]!r} in the pilot for that item of the pool",
            where="pilot",
        )
    judged = st.codes[place[known]]
    counts, notes, tied = [], [], 0
    for c, name in enumerate(st.constructs):
        k = st.schema[name].k
        count = np.zeros((len(st.names), k, k))
        if name in labels.constructs:
            given_code, ties = alignment.reference(name, roles)
            code = _recoded(st, labels, name)[given_code[known]]
            given = code >= 0
            tied += int((ties & known).sum())
            np.add.at(count, (st.member[place[known][given]], code[given], judged[given, c]), 1)
        counts.append(count)
    if not any(count.any() for count in counts):
        raise PlanError(
            "no person's label on any construct of the pool"
            f"{did_you_mean(labels.constructs[0], st.constructs)}",
            got=labels.constructs,
            allowed=st.constructs,
            example=f"construct {st.constructs[0]!r} in the pilot",
            where="pilot",
        )
    if not known.all():
        notes.append(f"{int((~known).sum())} items of the pilot are not in the pool: left out")
    if tied:
        notes.append(f"{tied} labels on which people were tied: left out")
    return Pilot(tuple(counts), tuple(notes))


def _people(labels: Labels, reference: str | Sequence[str] | None) -> Roles:
    """Whose labels are the reference; a pilot needs no judge, the pool has its labels."""
    raters = labels.raters
    kinds = dict(zip(raters["rater_id"], raters["rater_kind"], strict=True))
    judges = [rater for rater, kind in kinds.items() if kind == "judge"]
    if judges:
        return resolve_roles(labels, judges[0], reference)
    people = [rater for rater, kind in kinds.items() if kind == "human"] or list(kinds)
    if reference is None or reference == "majority":
        if len(people) > 1 and not any(kind == "human" for kind in kinds.values()):
            raise PlanError(
                "several raters, and none is known to be a person",
                got=list(kinds),
                example=f"reference={people[0]!r}, or a column rater_kind",
                where="pilot",
            )
        return Roles("", tuple(people))
    named = (reference,) if isinstance(reference, str) else tuple(reference)
    for rater in named:
        if rater not in kinds:
            raise PlanError(
                f"unknown rater{did_you_mean(rater, kinds)}",
                got=rater,
                allowed=list(kinds),
                where="reference",
            )
    return Roles("", named)


def _recoded(st: Strata, labels: Labels, name: str) -> Any:
    """Codes of the pilot's categories in those of the pool; the last entry is for no label."""
    coder = st.schema[name].coder
    codes = [coder.code(value) for value in labels.schema[name].categories]
    used = set(labels.codes[(labels.frame["construct"] == name).to_numpy()].tolist())
    for position, code in enumerate(codes):
        if code < 0 and position in used:
            raise PlanError(
                f"people use a category of {name!r} that the pool's schema does not have",
                got=labels.schema[name].categories[position],
                allowed=st.schema[name].categories,
                example="tk.strata(pool, constructs, schema=...) with all categories",
                where="pilot",
            )
    return np.array([*codes, -1])


def _from_counts(st: Strata, frame: pd.DataFrame) -> Pilot:
    missing = [name for name in COLUMNS if name not in frame]
    if missing:
        raise PlanError(
            "a table of counts lacks columns",
            got=list(map(str, frame.columns)),
            allowed=f"{', '.join(COLUMNS)}; judge_label for merged strata",
            example=f"{EXAMPLE}, or counts such as {st.names[0]!r}, {st.constructs[0]!r}, "
            f"{st.schema[st.constructs[0]].categories[0]!r}, 97",
            where="pilot",
        )
    number = pd.to_numeric(frame["count"], errors="coerce").to_numpy(dtype=float)
    if not (np.isfinite(number) & (number >= 0)).all() or not number.any():
        raise PlanError(
            "counts are numbers, 0 or more, and not all 0",
            got=frame["count"].tolist(),
            where="pilot",
        )
    stratum = _positions(frame["stratum"], st.names, "stratum", "the pilot is from another pool")
    construct = _positions(frame["construct"], st.constructs, "construct", "unknown construct")
    counts = [np.zeros((len(st.names), st.schema[n].k, st.schema[n].k)) for n in st.constructs]
    said = frame["judge_label"] if "judge_label" in frame else pd.Series(None, index=frame.index)
    for c, name in enumerate(st.constructs):
        mine = construct == c
        coder = st.schema[name].coder
        people = _codes(coder, st, name, frame["label"][mine])
        judge = st.judge[stratum[mine], c]
        if (judge == MIXED).any():
            judge = np.where(judge == MIXED, _judge_codes(coder, st, name, said[mine]), judge)
        np.add.at(counts[c], (stratum[mine], people, judge), number[mine])
    return Pilot(tuple(counts), ())


def _positions(column: pd.Series[Any], known: Sequence[str], name: str, what: str) -> Any:
    found = pd.Index(known).get_indexer(pd.Index(column.astype(str)))
    if (found < 0).any():
        strange = str(column.iloc[int(np.argmin(found))])
        raise PlanError(
            f"{what}{did_you_mean(strange, known)}",
            got=strange,
            allowed=known,
            where=f"pilot, column {name}",
        )
    return found


def _codes(coder: Coder, st: Strata, name: str, labels: pd.Series[Any]) -> Codes:
    numbers, distinct = pd.factorize(labels, use_na_sentinel=False)
    codes = np.array([coder.code(value) for value in distinct], dtype=np.int64)
    for value, code in zip(distinct, codes, strict=True):
        if code < 0:
            raise PlanError(
                f"unknown label of {name!r}",
                got=value,
                allowed=st.schema[name].categories,
                where="pilot",
            )
    return codes[numbers]


def _judge_codes(coder: Coder, st: Strata, name: str, labels: pd.Series[Any]) -> Codes:
    """Codes of the judge's label, which rows of merged strata must name."""
    if labels.isna().any():
        raise PlanError(
            "counts of a merged stratum need the judge's label",
            got=list(st.merged),
            allowed="a column judge_label",
            where="pilot",
        )
    return _codes(coder, st, name, labels)
