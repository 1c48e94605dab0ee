"""The frame that says how items were drawn, and the checks that it still says so."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from toolkit.errors import PlanError
from toolkit.labels.encode import encode_names
from toolkit.labels.origin import Origin

NEEDED = ("item_id", "stratum", "inclusion_probability", "design_weight")
PROVENANCE = ("stratum_size", "pool_size", "wave", "plan_sha256", "pool_sha256", "batch_sha256")
JUDGE_COLUMN = "judge_"  # before a construct's name: the judge's label of the item
READ = "read_"  # before a construct's name: items on which it is read
ROUNDING = 1e-6  # of weights that went through a file
EXAMPLE = "batch = tk.draw(plan, pool, seed=7); tk.weighted_kappa(labels, design=batch)"


class Design(NamedTuple):
    """Drawn items, all waves together.

    `items` and `stratum` (codes) are those of the drawn items; `names`, `sizes` and `drawn` of the
    strata; `judge` holds the judge's labels where the frame has them, `read` what is read of a plan
    with reading costs; `flags` what was not checked; `pools` the fingerprints of the pools that the
    batches name.
    """

    items: NDArray[np.object_]
    stratum: NDArray[np.intp]
    names: tuple[str, ...]
    sizes: NDArray[np.int64]
    drawn: NDArray[np.int64]
    judge: pd.DataFrame
    read: dict[str, NDArray[np.bool_]]
    flags: tuple[str, ...]
    pools: frozenset[str] = frozenset()


def batch_sha256(frame: pd.DataFrame) -> str:
    """Fingerprint of a batch: its items, their strata with sizes, its plan and its pool."""
    rows = sorted(
        zip(
            frame["item_id"].astype(str),
            frame["stratum"].astype(str),
            frame["stratum_size"].astype(int),
            strict=True,
        )
    )
    head = (str(frame["plan_sha256"].iloc[0]), str(frame["pool_sha256"].iloc[0]))
    text = "\n".join(["\t".join(head), *("\t".join(map(str, row)) for row in rows)])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_design(design: Any) -> Design:
    """Check one batch, or the batches of all waves, and put them together."""
    frames = [_frame(part) for part in _listed(design)]
    if not frames or not all(len(frame) for frame in frames):
        raise PlanError("a design without items", example=EXAMPLE, where="design")
    verified = [_verified(frame) for frame in frames]
    if len(frames) > 1 and not all(verified):
        raise PlanError(
            "waves can only be put together as they were drawn",
            allowed=f"frames with the columns {', '.join(PROVENANCE)}",
            example=EXAMPLE,
            where="design",
        )
    whole = pd.concat(frames, ignore_index=True)
    if whole["item_id"].duplicated().any():
        raise PlanError(
            "an item is in the design twice",
            got=whole.loc[whole["item_id"].duplicated(), "item_id"].iloc[0],
            where="design",
        )
    stratum, names = pd.factorize(whole["stratum"], sort=True)
    drawn = np.bincount(stratum, minlength=len(names))
    sizes = _drawn_sizes(whole, stratum, drawn) if verified[0] else _sizes(whole, stratum, drawn)
    return Design(
        items=whole["item_id"].to_numpy(dtype=object),
        stratum=stratum,
        names=tuple(map(str, names)),
        sizes=sizes,
        drawn=drawn,
        judge=whole[[c for c in whole if str(c).startswith(JUDGE_COLUMN)]],
        read=_read(whole),
        flags=() if verified[0] else ("design_unverified",),
        pools=frozenset(str(f["pool_sha256"].iloc[0]) for f in frames if "pool_sha256" in f),
    )


def _listed(design: Any) -> list[Any]:
    several = isinstance(design, Sequence) and not isinstance(design, str)
    return list(design) if several else [design]


def _frame(design: Any) -> pd.DataFrame:
    if isinstance(design, str | Path):
        try:
            # Identifiers stay as they are written: 007 is not 7.
            design = pd.read_csv(design, dtype={"item_id": str, "stratum": str})
        except (OSError, ValueError) as error:
            raise PlanError("the design can't be read", got=str(design), where="design") from error
    if not isinstance(design, pd.DataFrame) or not set(NEEDED) <= set(design.columns):
        got = list(design.columns) if isinstance(design, pd.DataFrame) else type(design).__name__
        raise PlanError(
            "no design",
            got=got,
            allowed=f"the frame of tk.draw, with the columns {', '.join(NEEDED)}",
            example=EXAMPLE,
            where="design",
        )
    frame: pd.DataFrame = design.reset_index(drop=True)
    origin = Origin("design", "index", list)
    names = {
        name: encode_names(frame[name], origin, required=True).column()
        for name in ("item_id", "stratum")
    }
    return frame.assign(**names)


def _read(whole: pd.DataFrame) -> dict[str, NDArray[np.bool_]]:
    """Items on which a construct is read, by its name; a wave without the column reads all."""
    read = {}
    for name in [str(column) for column in whole if str(column).startswith(READ)]:
        said = whole[name].astype(object).where(whole[name].notna(), True).astype(str).str.lower()
        unclear = ~said.isin(["true", "false"])
        if unclear.any():
            row = int(np.argmax(unclear))
            raise PlanError(
                "a construct is read on an item or it is not",
                got=whole[name].iloc[row],
                allowed=[True, False],
                where=f"design, item {whole['item_id'].iloc[row]!r}, column {name!r}",
            )
        read[name.removeprefix(READ)] = (said == "true").to_numpy()
    return read


def _verified(frame: pd.DataFrame) -> bool:
    """Tell whether a frame is as it was drawn; a frame without fingerprints can't tell."""
    if not set(PROVENANCE) <= set(frame.columns):
        return False
    hashes = frame[["plan_sha256", "pool_sha256", "batch_sha256"]].drop_duplicates()
    if len(hashes) > 1:
        # Waves that were put together by the user: each stands for itself.
        return all(_verified(part) for _, part in frame.groupby("batch_sha256"))
    if frame["stratum_size"].isna().any() or batch_sha256(frame) != hashes["batch_sha256"].iloc[0]:
        raise PlanError(
            "the design is not as it was drawn: its items, strata or pool do not fit its "
            "fingerprint",
            got=f"{len(frame)} items",
            allowed="all rows of the frame of tk.draw, unchanged; a file of it is read with "
            "dtype={'item_id': str}",
            example=EXAMPLE,
            where="design",
        )
    return True


def _drawn_sizes(
    whole: pd.DataFrame, stratum: NDArray[np.intp], drawn: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Sizes of the strata as `draw` wrote them, and a check that no wave or stratum is missing."""
    if len(whole["pool_sha256"].unique()) > 1:
        raise PlanError(
            "waves of different pools can't be put together",
            got=sorted(whole["pool_sha256"].str[:12].unique()),
            where="design",
        )
    by_stratum = whole.groupby(stratum)
    sizes = by_stratum["stratum_size"].max().to_numpy(dtype=np.int64)
    latest = by_stratum["inclusion_probability"].max().to_numpy(dtype=np.float64) * sizes
    same = (by_stratum["stratum_size"].min().to_numpy() == sizes).all()
    if not same or (np.abs(latest - drawn) > ROUNDING * sizes).any():
        raise PlanError(
            "the design lacks a wave: fewer items than its inclusion probabilities say",
            got=drawn.tolist(),
            allowed=np.round(latest).astype(int).tolist(),
            example="tk.weighted_kappa(labels, design=[first_batch, second_batch])",
            where="design",
        )
    if sizes.sum() != int(whole["pool_size"].iloc[0]):
        raise PlanError(
            "the design lacks a stratum",
            got=f"strata of {sizes.sum()} items",
            allowed=f"all strata of the pool of {whole['pool_size'].iloc[0]}",
            where="design",
        )
    return np.asarray(sizes)


def _sizes(
    whole: pd.DataFrame, stratum: NDArray[np.intp], drawn: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Sizes of the strata from the weights of a design that was not drawn here."""
    numbers = {
        name: pd.to_numeric(whole[name], errors="coerce").to_numpy(dtype=np.float64)
        for name in ("inclusion_probability", "design_weight")
    }
    share, weight = numbers["inclusion_probability"], numbers["design_weight"]
    sizes = np.asarray(np.bincount(stratum, weight), dtype=np.float64)
    even = np.abs(weight * drawn[stratum] - sizes[stratum]) <= ROUNDING * sizes[stratum]
    inverse = np.abs(share * weight - 1) <= ROUNDING
    valid = even & inverse & (share > 0) & (share <= 1 + ROUNDING)
    whole_number = np.abs(sizes - np.round(sizes)) <= ROUNDING * sizes
    if not valid.all() or not whole_number.all():
        wrong = ~valid if not valid.all() else ~whole_number[stratum]
        row = int(np.argmax(wrong))
        raise PlanError(
            "weights are not those of a stratified random sample",
            got={"inclusion_probability": share[row], "design_weight": weight[row]},
            allowed="in every stratum drawn / size and size / drawn, the same for all its items",
            where=f"design, item {whole['item_id'].iloc[row]!r}",
        )
    return np.round(sizes).astype(np.int64)
