"""Draw the items that people are to label, with what is needed to estimate from them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.coefficients.options import whole
from toolkit.common.hints import did_you_mean
from toolkit.errors import PlanError
from toolkit.labels.table import Labels
from toolkit.planning.design import JUDGE_COLUMN, NEEDED, PROVENANCE, READ, batch_sha256
from toolkit.planning.pool import read_pool
from toolkit.planning.strata_result import Strata

SECOND = "second"  # column of a plan and its batch: for a second person
HIDDEN = ("stratum", SECOND, *NEEDED[2:], *PROVENANCE)  # columns that tell a labeller too much


def draw(
    plan: Any,
    pool: str | Path | pd.DataFrame,
    seed: int = 0,
    keep: Sequence[str] = (),
) -> pd.DataFrame:
    """Draw a plan's items at random, without replacement within strata.

    Parameters
    ----------
    plan : Plan or Replan
        Of the next wave, items of earlier waves are not drawn again.
    pool : DataFrame or path
        The pool that the plan was made for, with the judge's labels; the order of its rows does not
        matter.
    seed : int
        The same seed draws the same items in the same order.
    keep : list of str
        Columns of the pool to keep, such as the text.

    Returns
    -------
    DataFrame
        One row per item, in random order whatever its stratum: item_id, stratum,
        inclusion_probability, design_weight, the kept columns, ``judge_<construct>`` with the
        judge's label, and stratum_size, pool_size, wave, plan_sha256, pool_sha256, batch_sha256. A
        CSV of it, read with ``dtype={"item_id": str}``, is as good. In a later wave probability and
        weight are those of all waves together. Where the plan has them: ``second``, items that a
        second person labels too, and ``read_<construct>``, items on which it is read (none for a
        construct without target); both are at random within strata. Show a labeller
        item_id and the kept columns alone: `blind` does.

    Raises
    ------
    PlanError
        If the pool is not the plan's, by its items or by the judge's labels, or a column is
        unknown.

    Notes
    -----
    Within a stratum all samples of the planned size are equally likely. Later waves drawn from the
    items that are left make a simple random sample of the stratum together with earlier ones, so
    inclusion probabilities add up.

    References
    ----------
    Saerndal, Swensson and Wretman 1992, Model Assisted Survey Sampling, section 3.7,
    ISBN 978-0-387-40620-6.

    Examples
    --------
    >>> from toolkit import planning
    >>> pool = pd.DataFrame({"item_id": range(500), "tone": [0] * 400 + [1] * 100})
    >>> st = planning.strata(pool, ["tone"])
    >>> rows = [("tone=0", 0, 38), ("tone=0", 1, 2), ("tone=1", 0, 8), ("tone=1", 1, 12)]
    >>> counts = pd.DataFrame(rows, columns=["stratum", "label", "count"]).assign(construct="tone")
    >>> batch = draw(planning.plan_for_budget(st, counts, budget=60), pool, seed=7)
    >>> len(batch), round(batch["design_weight"].sum())
    (60, 500)
    """
    st = _strata(plan)
    rng = np.random.default_rng(whole("seed", seed, 0, example=7))
    given = pool.copy(deep=False) if isinstance(pool, pd.DataFrame) else pool
    labels = read_pool(given, st.constructs, st.schema)
    _refuse_another_pool(st, labels)
    n = _numbers(plan, st)
    drawn = np.array(sorted(getattr(plan, "drawn", ())), dtype=object)
    before = np.isin(st.items, drawn)
    earlier = np.bincount(st.member[before], minlength=len(st.names))
    chosen, rank = _chosen(st, n, before, earlier, rng)
    probability = ((n + earlier) / st.sizes)[st.member[chosen]]
    batch = pd.DataFrame(
        {
            "item_id": st.items[chosen].astype(str),
            "stratum": np.array(st.names, dtype=object)[st.member[chosen]].astype(str),
            "inclusion_probability": probability,
            "design_weight": 1 / probability,
        }
    )
    for name, number in _parts(plan, st).items():
        batch[name] = rank < number[st.member[chosen]]
    frame = labels.frame.drop_duplicates("item_id").set_index("item_id")
    for name in _kept(keep, frame, batch):
        batch[name] = frame[name].reindex(batch["item_id"]).to_numpy()
    for c, name in enumerate(st.constructs):
        values = pd.Series(st.schema[name].categories)
        batch[JUDGE_COLUMN + name] = values.take(st.codes[chosen, c]).to_numpy()
    batch["stratum_size"] = st.sizes[st.member[chosen]]
    batch["pool_size"] = int(st.sizes.sum())
    batch["wave"] = int(getattr(plan, "wave", 1))
    batch["plan_sha256"] = plan.sha256
    batch["pool_sha256"] = labelled_pool_sha256(st)
    batch["batch_sha256"] = ""
    batch["batch_sha256"] = batch_sha256(batch) if len(batch) else ""
    hashes = ("plan_sha256", "pool_sha256", "batch_sha256")
    batch.attrs = {name: str(batch[name].iloc[0]) for name in hashes if len(batch)}
    return batch


def blind(batch: pd.DataFrame) -> pd.DataFrame:
    """Give a batch without what would tell a labeller about the judge.

    Parameters
    ----------
    batch : DataFrame
        From `draw`.

    Returns
    -------
    DataFrame
        The column item_id and those kept, in the same order of rows.

    Examples
    --------
    >>> frame = pd.DataFrame({"item_id": ["a"], "stratum": ["tone=1"], "text": ["hi"]})
    >>> blind(frame).columns.tolist()
    ['item_id', 'text']
    """
    told = [n for n in batch if n in HIDDEN or str(n).startswith(JUDGE_COLUMN)]
    return batch.drop(columns=told)


def labelled_pool_sha256(st: Strata) -> str:
    """Fingerprint of a pool: its identifiers and the judge's labels, whatever their order."""
    codes = np.char.mod("%d", st.codes)
    rows = sorted("\t".join([str(item), *row]) for item, row in zip(st.items, codes, strict=True))
    text = "\n".join(["\t".join(st.constructs), *rows])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _strata(plan: Any) -> Strata:
    st = getattr(plan, "strata", None)
    if not isinstance(st, Strata) or not hasattr(plan, "allocation"):
        raise PlanError(
            "no plan",
            got=type(plan).__name__,
            allowed="what tk.plan_for_targets, tk.plan_for_budget or tk.replan gives",
            where="plan",
        )
    return st


def _numbers(plan: Any, st: Strata) -> NDArray[np.int64]:
    allocation = plan.allocation.set_index("stratum")["n"]
    return np.asarray(allocation.reindex(list(st.names)).fillna(0).astype(np.int64))


def _refuse_another_pool(st: Strata, labels: Labels) -> None:
    """Compare items and the judge's labels with those of the strata."""
    frame, codes = labels.frame, labels.codes
    place = pd.Index(st.items).get_indexer(pd.Index(frame["item_id"].astype(object)))
    # Items that the judge did not label on every construct are in no stratum.
    complete = frame.groupby("item_id")["construct"].transform("size") == len(st.constructs)
    columns = {name: c for c, name in enumerate(st.constructs)}
    column = frame["construct"].map(columns).to_numpy()
    strange = complete.to_numpy() & (place < 0)
    missing = len(st.items) - len(np.unique(place[(place >= 0) & complete.to_numpy()]))
    if strange.any() or missing:
        raise PlanError(
            "this is not the pool of the plan: it holds other items",
            got=f"{frame['item_id'][strange].nunique()} items more, {missing} missing",
            allowed=f"the {len(st.items):,} items of the plan's pool",
            where="pool",
        )
    known = place >= 0
    differs = codes[known] != st.codes[place[known], column[known]]
    if differs.any():
        row = int(np.argmax(differs))
        item = frame["item_id"][known].iloc[row]
        raise PlanError(
            "this is not the pool of the plan: the judge's labels are others",
            got=f"{int(differs.sum())} labels that differ",
            allowed="the labels that the strata were made from",
            where=f"pool, item {item!r}",
        )


def _parts(plan: Any, st: Strata) -> dict[str, NDArray[np.int64]]:
    """Numbers of every stratum's items for a second person, or for the reading of a construct."""
    allocation = plan.allocation.set_index("stratum").reindex(list(st.names))
    parts = [name for name in allocation if name == SECOND or str(name).startswith(READ)]
    made = {str(name): allocation[name].to_numpy(dtype=np.int64) for name in parts}
    if any(name.startswith(READ) for name in made):
        # A labeller is asked every construct that has no such column.
        none = np.zeros(len(st.names), dtype=np.int64)
        made |= {READ + name: none for name in st.constructs if READ + name not in made}
    return made


def _chosen(
    st: Strata,
    n: NDArray[np.int64],
    before: NDArray[np.bool_],
    earlier: NDArray[np.int64],
    rng: np.random.Generator,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Positions of the drawn items, and their places in the random order of their stratum.

    The first n of every stratum, mixed again.
    """
    if (n + earlier > st.sizes).any():
        h = int(np.argmax(n + earlier - st.sizes))
        raise PlanError(
            f"stratum {st.names[h]!r} has fewer items than are to be drawn",
            got=int(n[h] + earlier[h]),
            allowed=f"at most {st.sizes[h]}",
            where="plan",
        )
    shuffled = rng.permutation(len(st.items))
    shuffled = shuffled[~before[shuffled]]
    member = st.member[shuffled]
    rank = pd.Series(member).groupby(member).cumcount().to_numpy()
    # Densely drawn strata reach further into the first order, so it would tell them.
    mixed = rng.permutation(np.flatnonzero(rank < n[member]))
    return shuffled[mixed], rank[mixed]


def _kept(keep: Sequence[str], frame: pd.DataFrame, batch: pd.DataFrame) -> list[str]:
    names = [keep] if isinstance(keep, str) else list(keep)
    own = {"construct", "rater_id", "label", *batch.columns, *PROVENANCE}
    free = [str(name) for name in frame.columns if name not in own]
    for name in names:
        if name not in free:
            raise PlanError(
                f"no column of the pool to keep{did_you_mean(name, free)}",
                got=name,
                allowed=free,
                where="keep",
            )
    return list(dict.fromkeys(names))
