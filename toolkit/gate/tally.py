"""Verdicts counted once: flags, gaps and scores of every model under every variant."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from toolkit.gate.cells import Bools, Floats, Ints
from toolkit.gate.ko import KoResult, passes_ko
from toolkit.gate.pack import Pack
from toolkit.gate.verdicts import Verdicts


class Tally(NamedTuple):
    """What the gate and the totals are made of; a run is a model under a variant.

    Attributes
    ----------
    flagged : list of tuple of str
        For each run the prompts with a red flag in any repeat, also those not in the pack.
    incomplete, empty : bool array of shape (runs, prompts)
        Prompts with a repeat that has no score or no row; with a repeat answered with nothing.
    means : float array of shape (runs, prompts)
        Mean score over the repeats that have one; nan where none has.
    dimensions : float array of shape (runs, dimensions)
        Mean over repeats; nan where there is no score or a repeat has none.
    """

    flagged: list[tuple[str, ...]]
    incomplete: Bools
    empty: Bools
    means: Floats
    dimensions: Floats


def tally(verdicts: Verdicts) -> Tally:
    """Count verdicts by run and prompt.

    Parameters
    ----------
    verdicts : Verdicts
        Checked.

    Returns
    -------
    Tally
        Runs in the order of ``verdicts.runs``.

    Examples
    --------
    >>> import yaml
    >>> from toolkit.gate.limits import EXAMPLE
    >>> from toolkit.gate.load import load_pack
    >>> pack = load_pack(yaml.safe_load(EXAMPLE))
    >>> from toolkit.gate.verdicts import read_verdicts
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": True}
    >>> verdicts = read_verdicts([row, {"model": "m1", "dimension": "safety", "score": 5}], pack)
    >>> tally(verdicts).flagged
    [('p1',)]
    """
    frame, pack = verdicts.frame, verdicts.pack
    shape = (len(verdicts.models) * len(pack.prompt_variants), len(pack.prompts))
    known = verdicts.prompt >= 0
    cell = verdicts.run[known] * shape[1] + verdicts.prompt[known]
    score = frame["score"].to_numpy()[known]
    scored = ~np.isnan(score)
    rows = _sums(cell, np.ones(len(cell)), shape)
    filled = _sums(cell, scored.astype(float), shape)
    total = _sums(cell, np.where(scored, score, 0.0), shape)
    repeats = np.array([prompt.repeats for prompt in pack.prompts.values()])
    empty = frame["empty"].to_numpy()[known].astype(float)
    return Tally(
        flagged=_flagged(verdicts, shape[0]),
        incomplete=filled < np.maximum(rows, repeats),
        empty=_sums(cell, empty, shape) > 0,
        means=_ratio(total, filled),
        dimensions=_dimensions(verdicts, shape[0]),
    )


def decide(counted: Tally, pack: Pack) -> list[KoResult]:
    """Ask `passes_ko` about every run.

    Parameters
    ----------
    counted : Tally
        Of verdicts on this pack, whatever its scope of red flags.
    pack : Pack
        Whose rule decides.

    Returns
    -------
    list of KoResult
        One per run.

    Examples
    --------
    >>> import yaml
    >>> from toolkit.gate.limits import EXAMPLE
    >>> from toolkit.gate.load import load_pack
    >>> pack = load_pack(yaml.safe_load(EXAMPLE))
    >>> from toolkit.gate.verdicts import read_verdicts
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": True}
    >>> verdicts = read_verdicts([row, {"model": "m1", "dimension": "safety", "score": 5}], pack)
    >>> [result.status for result in decide(tally(verdicts), pack)]
    ['knocked_out']
    """
    ids, dimensions = list(pack.prompts), list(pack.weights)
    unscored, empty = _named(counted.incomplete, ids), _named(counted.empty, ids)
    return [
        passes_ko(dict(zip(dimensions, row, strict=True)), flagged, pack, unscored[i], empty[i])
        for i, (row, flagged) in enumerate(
            zip(counted.dimensions.tolist(), counted.flagged, strict=True)
        )
    ]


def _sums(cell: Ints, values: Floats, shape: tuple[int, int]) -> Floats:
    if (values % 1 > 0).any():  # sums of fractions depend on their order; the rows' is accidental
        order = np.lexsort((values, cell))
        cell, values = cell[order], values[order]
    summed = np.bincount(cell, weights=values, minlength=shape[0] * shape[1])
    return summed.astype(np.float64).reshape(shape)  # of no rows, numpy would count in integers


def _ratio(total: Floats, count: Floats) -> Floats:
    return np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)


def _flagged(verdicts: Verdicts, runs: int) -> list[tuple[str, ...]]:
    chosen = verdicts.frame["red_flag"].to_numpy()
    where = verdicts.run[chosen].tolist()
    found: list[dict[str, None]] = [{} for _ in range(runs)]
    for run, prompt in zip(where, verdicts.frame["prompt_id"][chosen].tolist(), strict=True):
        found[run][prompt] = None
    return [tuple(prompts) for prompts in found]


def _named(chosen: Bools, ids: list[str]) -> list[tuple[str, ...]]:
    named: list[tuple[str, ...]] = [()] * len(chosen)
    for run in np.flatnonzero(chosen.any(axis=1)).tolist():
        named[run] = tuple(ids[place] for place in np.flatnonzero(chosen[run]).tolist())
    return named


def _dimensions(verdicts: Verdicts, runs: int) -> Floats:
    frame, pack = verdicts.dimensions, verdicts.pack
    shape = (runs, len(pack.weights))
    variants = [variant.id for variant in pack.prompt_variants]
    model = _places(frame["model"].tolist(), list(verdicts.models))
    run = model * len(variants) + _places(frame["variant"].tolist(), variants)
    cell = run * shape[1] + _places(frame["dimension"].tolist(), list(pack.weights))
    # A nan among the repeats makes the sum nan: what was not scored is not guessed.
    total = _sums(cell, frame["score"].to_numpy(), shape)
    return _ratio(total, _sums(cell, np.ones(len(cell)), shape))


def _places(names: list[str], known: list[str]) -> Ints:
    place = {name: position for position, name in enumerate(known)}
    return np.array([place[name] for name in names], dtype=np.int64)
