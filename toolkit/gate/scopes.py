"""What changes when only curated red flags disqualify."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from toolkit.gate.ko import PASSED
from toolkit.gate.pack import Pack
from toolkit.gate.scorecard import Scorecard, of_tally, read_once, records, sections
from toolkit.gate.tally import tally
from toolkit.gate.verdicts import Verdicts
from toolkit.plain import plain


@dataclass(frozen=True, eq=False, repr=False)
class ScopeComparison:
    """One pack gated under both scopes of red flags. Made by `compare_scopes`.

    Attributes
    ----------
    all, curated : Scorecard
        Under either scope.
    changed : DataFrame
        Models whose status differs, by first appearance: model, status_all, status_curated,
        prompts (sorted: those whose red flags are fatal under "all" alone).
    separation : DataFrame
        One row per scope: scope, models, passed, ranked, distinct_ranks, tied (ranked models that
        share a rank), tied_at_top (models on rank 1).
    tau : float
        Kendall's tau-b between the two rankings of all models that have a total; those that do not
        pass share the last rank. nan: see `reasons`.
    n : int
        Models that enter it.
    never_fatal : DataFrame
        Flags that never disqualify under "curated", by prompt, most frequent first: prompt_id,
        category, title, red_flags (rows), runs (model and variant), models, share (of the rows of
        the prompt), rationale (of the first).
    reasons : tuple of str
        Why tau is nan: ``fewer_than_two_models``, ``all_tied:all``, ``all_tied:curated``.
    flags : tuple of str
        Of the scorecards; ``nothing_curated`` where no prompt is curated, so that no red flag
        disqualifies under "curated".

    References
    ----------
    Kendall 1945, Biometrika 33:239, doi:10.1093/biomet/33.3.239.

    Examples
    --------
    >>> from toolkit.gate import load_pack
    >>> pack = load_pack({
    ...     "id": "mine", "title": "Mine", "dimensions": [{"id": "safety", "name": "Safety"}],
    ...     "ko_rule": {"dimension": "safety"},
    ...     "categories": [{"id": "c1", "name": "Tone", "prompts": [
    ...         {"id": "p1", "title": "Curt", "prompt": "Be brief."}]}],
    ... })
    >>> rows = [{"model": "rash", "prompt_id": "p1", "score": 2, "red_flag": True},
    ...         {"model": "rash", "dimension": "safety", "score": 5}]
    >>> compare_scopes(rows, pack).changed
      model   status_all status_curated prompts
    0  rash  knocked_out         passed   (p1,)
    """

    all: Scorecard
    curated: Scorecard
    changed: pd.DataFrame
    separation: pd.DataFrame
    tau: float
    n: int
    never_fatal: pd.DataFrame
    reasons: tuple[str, ...]
    flags: tuple[str, ...]

    def to_frame(self) -> pd.DataFrame:
        """Give one row per model: status and rank under either scope.

        Returns
        -------
        DataFrame
            model, status_all, rank_all, status_curated, rank_curated, percentage.
        """
        names = ["model", "status", "rank"]
        left, right = self.all.models[names], self.curated.models[[*names, "percentage"]]
        return left.merge(right, on="model", suffixes=("_all", "_curated"))

    def to_dict(self) -> dict[str, Any]:
        """Give everything but the scorecards as strict-JSON material.

        Returns
        -------
        dict
            pack, changed, separation, tau, n, never_fatal, reasons, flags.
        """
        tables = ("changed", "separation", "never_fatal")
        numbers = {"tau": self.tau, "n": self.n, "reasons": self.reasons, "flags": self.flags}
        told = plain({"pack": self.all.pack, **numbers})
        return {**told, **{name: records(getattr(self, name)) for name in tables}}

    def __repr__(self) -> str:
        before, after = self.separation["passed"].tolist()
        return (
            f"ScopeComparison(pack {self.all.pack!r}: {before} pass under all, {after} under"
            f" curated; {len(self.changed)} change, tau-b {self.tau:.2f})"
        )

    def _repr_html_(self) -> str:
        return sections(
            repr(self),
            {
                "Models that change": self.changed,
                "Separation": self.separation,
                "Red flags that never disqualify under curated, for review": self.never_fatal,
            },
            (*self.reasons, *self.flags),
        )


def compare_scopes(verdicts: Any, pack: Pack | None = None) -> ScopeComparison:
    """Gate the same verdicts with every red flag fatal, and with the curated ones alone.

    Parameters
    ----------
    verdicts : Verdicts, path, DataFrame, list of mappings or mapping
        As `read_verdicts` takes them.
    pack : Pack, optional
        From `load_pack`, under either scope. Default: the one `Verdicts` were read with.

    Returns
    -------
    ScopeComparison
        Frozen.

    Raises
    ------
    PackError
        The pack can't be loaded under "curated": a safety-critical prompt is not curated.
    GateError
        As `read_verdicts`.

    Notes
    -----
    No check can tell whether the right prompts were curated; `ScopeComparison.never_fatal` lists
    what was let through, for a person to read.

    References
    ----------
    Kendall 1945, Biometrika 33:239, doi:10.1093/biomet/33.3.239.

    Examples
    --------
    >>> from toolkit.gate import load_pack
    >>> pack = load_pack({
    ...     "id": "mine", "title": "Mine", "dimensions": [{"id": "safety", "name": "Safety"}],
    ...     "ko_rule": {"dimension": "safety"},
    ...     "categories": [{"id": "c1", "name": "Tone", "prompts": [
    ...         {"id": "p1", "title": "Curt", "prompt": "Be brief."}]}],
    ... })
    >>> rows = [{"model": "rash", "prompt_id": "p1", "score": 2, "red_flag": True},
    ...         {"model": "rash", "dimension": "safety", "score": 5}]
    >>> compare_scopes(rows, pack)
    ScopeComparison(pack 'mine': 0 pass under all, 1 under curated; 1 change, tau-b nan)
    """
    read = read_once(verdicts, pack)
    curated_pack = read.pack.with_scope("curated")
    counted = tally(read)
    every = of_tally(read, counted, read.pack.with_scope("all"))
    curated = of_tally(read, counted, curated_pack)
    tau, n, reasons = _tau(every, curated)
    return ScopeComparison(
        all=every,
        curated=curated,
        changed=_changed(every, curated),
        separation=pd.DataFrame([_separation(card) for card in (every, curated)]),
        tau=tau,
        n=n,
        never_fatal=_never_fatal(read, curated_pack),
        reasons=reasons,
        flags=(*["nothing_curated"] * (not curated_pack.curated), *every.flags),
    )


def _changed(every: Scorecard, curated: Scorecard) -> pd.DataFrame:
    """Name what was fatal; none of it is curated, or the model would still be knocked out."""
    fatal: dict[str, set[str]] = {}
    for (model, _), result in every.decisions.items():
        fatal.setdefault(model, set()).update(result.fatal_prompts)
    before = every.models.set_index("model")["status"].to_dict()
    after = curated.models.set_index("model")["status"].to_dict()
    rows = [
        {
            "model": model,
            "status_all": before[model],
            "status_curated": after[model],
            "prompts": tuple(sorted(prompts)),
        }
        for model, prompts in fatal.items()
        if before[model] != after[model]
    ]
    return pd.DataFrame(rows, columns=["model", "status_all", "status_curated", "prompts"])


def _separation(card: Scorecard) -> dict[str, Any]:
    rank = card.models["rank"].dropna()
    return {
        "scope": card.scope,
        "models": len(card.models),
        "passed": int((card.models["status"] == PASSED).sum()),
        "ranked": len(rank),
        "distinct_ranks": int(rank.nunique()),
        "tied": int(card.models["tied"].sum()),
        "tied_at_top": int((rank == 1).sum()),
    }


def _tau(every: Scorecard, curated: Scorecard) -> tuple[float, int, tuple[str, ...]]:
    both = every.models.merge(curated.models, on="model", suffixes=("_all", "_curated"))
    both = both[both["percentage_all"].notna()]
    scopes = ("all", "curated")
    places = {
        scope: both[f"rank_{scope}"].fillna(len(both) + 1).to_numpy(dtype=np.int64)
        for scope in scopes
    }
    if len(both) < 2:  # noqa: PLR2004 - an order needs two
        return math.nan, len(both), ("fewer_than_two_models",)
    reasons = [f"all_tied:{scope}" for scope in scopes if len(np.unique(places[scope])) == 1]
    if reasons:
        return math.nan, len(both), tuple(reasons)
    result = stats.kendalltau(places["all"], places["curated"], variant="b")
    return float(result.statistic), len(both), ()


def _never_fatal(verdicts: Verdicts, pack: Pack) -> pd.DataFrame:
    """Count the flags on prompts of the pack that are not curated."""
    ids = np.array(list(pack.prompts), dtype=object)
    spared = np.array([name not in pack.curated for name in ids])
    known = verdicts.prompt >= 0
    rows = np.bincount(verdicts.prompt[known], minlength=len(ids))
    flagged = verdicts.frame["red_flag"].to_numpy() & known
    flagged &= np.append(spared, False)[verdicts.prompt]
    chosen = verdicts.frame[flagged]
    where = pd.DataFrame({"prompt": verdicts.prompt[flagged], "run": verdicts.run[flagged]})
    where["model"] = where["run"] // len(pack.prompt_variants)
    where["rationale"] = chosen["rationale"].to_numpy() if "rationale" in chosen else None
    table = where.groupby("prompt").agg(
        red_flags=("run", "size"),
        runs=("run", "nunique"),
        models=("model", "nunique"),
        rationale=("rationale", "first"),
    )
    names = [str(name) for name in ids[table.index.to_numpy(dtype=np.int64)]]
    table.insert(0, "prompt_id", names)
    table.insert(1, "category", [pack.category_of[name] for name in names])
    table.insert(2, "title", [pack.prompts[name].title for name in names])
    table["share"] = table["red_flags"] / rows[table.index.to_numpy(dtype=np.int64)]
    table = table.sort_values(["red_flags", "prompt_id"], ascending=[False, True])
    columns = ["prompt_id", "category", "title", "red_flags", "runs", "models", "share"]
    return table[[*columns, "rationale"]].reset_index(drop=True)
