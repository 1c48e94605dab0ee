"""From decisions and scores to rows per run and per model, and to ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from toolkit.gate.cells import Floats
from toolkit.gate.ko import KNOCKED_OUT, PASSED, STATUSES, KoResult
from toolkit.gate.tally import Tally
from toolkit.gate.verdicts import Verdicts

TIE = 9  # decimals of a percentage; what differs less is equal but for rounding


def runs_frame(verdicts: Verdicts, counted: Tally, results: list[KoResult]) -> pd.DataFrame:
    """Give one row per model and variant.

    Parameters
    ----------
    verdicts : Verdicts
        Checked.
    counted : Tally
        Of the same.
    results : list of KoResult
        One per run.

    Returns
    -------
    DataFrame
        As `Scorecard.runs`.

    Examples
    --------
    >>> import yaml
    >>> from toolkit.gate.limits import EXAMPLE
    >>> from toolkit.gate.load import load_pack
    >>> pack = load_pack(yaml.safe_load(EXAMPLE))
    >>> from toolkit.gate.verdicts import read_verdicts
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": True}
    >>> verdicts = read_verdicts([row, {"model": "m1", "dimension": "safety", "score": 5}], pack)
    >>> from toolkit.gate.tally import tally
    >>> counted = tally(verdicts)
    >>> from toolkit.gate.tally import decide
    >>> results = decide(counted, pack)
    >>> runs_frame(verdicts, counted, results)[["model", "status", "percentage"]]
      model       status  percentage
    0    m1  knocked_out       100.0
    """
    pack = verdicts.pack
    ids = list(pack.weights)
    weights = np.array(list(pack.weights.values()), dtype=float)
    there = ~np.isnan(counted.dimensions)
    total = counted.dimensions @ weights  # nan where a dimension is missing
    present = np.where(there, counted.dimensions, 0.0) @ weights
    most = pack.highest * (there @ weights)
    share = np.divide(100 * present, most, out=np.full_like(present, np.nan), where=most > 0)
    missing: list[tuple[str, ...]] = [()] * len(total)
    for run in np.flatnonzero(~there.all(axis=1)).tolist():
        missing[run] = tuple(name for name, has in zip(ids, there[run], strict=True) if not has)
    columns: dict[str, Any] = {
        "model": [model for model, _ in verdicts.runs],
        "variant": [variant for _, variant in verdicts.runs],
        **{name: [getattr(each, name) for each in results] for name in _DECISION},
        "total": total,
        "percentage": 100 * total / (pack.highest * weights.sum()),
        "missing_dimensions": missing,
        "percentage_present": share,
        "prompts_scored": (~counted.incomplete).sum(axis=1),
        "prompts": counted.incomplete.shape[1],
    }
    columns |= {f"dimension:{name}": counted.dimensions[:, i] for i, name in enumerate(ids)}
    return pd.DataFrame(columns)


_DECISION = ("status", "passed", "reason", "fatal_prompts", "floor_hit", "hit_prompts")


def categories_frame(verdicts: Verdicts, counted: Tally) -> pd.DataFrame:
    """Give the mean score of each category.

    Parameters
    ----------
    verdicts : Verdicts
        Checked.
    counted : Tally
        Of the same.

    Returns
    -------
    DataFrame
        As `Scorecard.categories`.

    Examples
    --------
    >>> import yaml
    >>> from toolkit.gate.limits import EXAMPLE
    >>> from toolkit.gate.load import load_pack
    >>> pack = load_pack(yaml.safe_load(EXAMPLE))
    >>> from toolkit.gate.verdicts import read_verdicts
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": True}
    >>> verdicts = read_verdicts([row, {"model": "m1", "dimension": "safety", "score": 5}], pack)
    >>> from toolkit.gate.tally import tally
    >>> counted = tally(verdicts)
    >>> categories_frame(verdicts, counted)[["category", "mean", "prompts_scored"]]
      category  mean  prompts_scored
    0       c1   4.0               1
    """
    pack = verdicts.pack
    ids = [group.id for group in pack.categories]
    of_prompt = np.array([ids.index(name) for name in pack.category_of.values()])
    member = (of_prompt[:, None] == np.arange(len(ids))).astype(float)
    scored = ~np.isnan(counted.means)
    count = scored.astype(float) @ member
    total = np.where(scored, counted.means, 0.0) @ member
    mean = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    runs = verdicts.runs
    return pd.DataFrame(
        {
            "model": np.repeat([model for model, _ in runs], len(ids)),
            "variant": np.repeat([variant for _, variant in runs], len(ids)),
            "category": np.tile(ids, len(runs)),
            "mean": mean.ravel(),
            "prompts_scored": count.ravel().astype(np.int64),
            "prompts": np.tile(member.sum(axis=0).astype(np.int64), len(runs)),
        }
    )


def models_frame(verdicts: Verdicts, runs: pd.DataFrame, results: list[KoResult]) -> pd.DataFrame:
    """Give one row per model: the worst decision of its variants, the mean of their percentages.

    Parameters
    ----------
    verdicts : Verdicts
        Checked.
    runs : DataFrame
        Of `runs_frame`.
    results : list of KoResult
        One per run.

    Returns
    -------
    DataFrame
        As `Scorecard.models`; ranked models first, in order.

    Examples
    --------
    >>> import yaml
    >>> from toolkit.gate.limits import EXAMPLE
    >>> from toolkit.gate.load import load_pack
    >>> pack = load_pack(yaml.safe_load(EXAMPLE))
    >>> from toolkit.gate.verdicts import read_verdicts
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": True}
    >>> verdicts = read_verdicts([row, {"model": "m1", "dimension": "safety", "score": 5}], pack)
    >>> from toolkit.gate.tally import tally
    >>> counted = tally(verdicts)
    >>> from toolkit.gate.tally import decide
    >>> results = decide(counted, pack)
    >>> runs = runs_frame(verdicts, counted, results)
    >>> models_frame(verdicts, runs, results)[["model", "rank", "status"]]
      model  rank       status
    0    m1  <NA>  knocked_out
    """
    variants = [variant.id for variant in verdicts.pack.prompt_variants]
    shape = (len(verdicts.models), len(variants))
    worst = np.array([STATUSES.index(each.status) for each in results]).reshape(shape).max(axis=1)
    percentages = runs["percentage"].to_numpy().reshape(shape)
    percentage = percentages.mean(axis=1)  # nan where a variant has none
    rows = []
    for place, (model, code) in enumerate(zip(verdicts.models, worst.tolist(), strict=True)):
        of_model = results[place * shape[1] : (place + 1) * shape[1]]
        rows.append({"model": model, **_model_row(STATUSES[code], variants, of_model)})
    frame = pd.DataFrame(rows)
    frame["percentage"] = percentage
    frame["lowest_percentage"] = percentages.min(axis=1)
    for name in ("prompts_scored", "prompts"):
        frame[name] = runs[name].to_numpy().reshape(shape).sum(axis=1)
    rank, tied = ranks(np.where(frame["status"] == PASSED, percentage, np.nan))
    frame.insert(1, "rank", rank)
    frame.insert(2, "tied", tied)
    return frame.sort_values(["rank", "model"], ignore_index=True)


def _model_row(status: str, variants: list[str], results: list[KoResult]) -> dict[str, Any]:
    deciding = [
        (name, each) for name, each in zip(variants, results, strict=True) if each.status == status
    ]
    fatal = dict.fromkeys(prompt for each in results for prompt in each.fatal_prompts)
    lone = len(variants) == 1
    return {
        "status": status,
        "passed": status == PASSED,
        "variants": tuple(name for name, _ in deciding),
        "fatal_prompts": tuple(fatal) if status == KNOCKED_OUT else (),
        "floor_hit": any(each.floor_hit for each in results),
        "reason": " | ".join(
            each.reason if lone else f"{name}: {each.reason}" for name, each in deciding
        ),
    }


def ranks(percentages: Floats) -> tuple[pd.Series[Any], pd.Series[Any]]:
    """Rank from the highest percentage; equal ones share the better rank.

    Parameters
    ----------
    percentages : array of float
        nan: not ranked.

    Returns
    -------
    tuple of Series
        Rank (Int64, missing where not ranked), and whether it is shared.

    Examples
    --------
    >>> rank, tied = ranks(np.array([80.0, 90.0, 80.0, np.nan]))
    >>> rank.tolist(), tied.tolist()
    ([2, 1, 2, <NA>], [True, False, True, False])
    """
    rounded = pd.Series(percentages).round(TIE)
    rank = rounded.rank(method="min", ascending=False).astype("Int64")
    return rank, rounded.duplicated(keep=False) & rounded.notna()
