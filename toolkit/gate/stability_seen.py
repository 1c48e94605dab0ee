"""What verdicts say of every model and variant, as arrays that can be drawn anew."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toolkit.gate.pack import Pack
from toolkit.gate.stability_rates import Floats
from toolkit.gate.stability_rule import Bools
from toolkit.gate.tally import decide, tally
from toolkit.gate.verdicts import Verdicts


@dataclass(frozen=True)
class Seen:
    """What the verdicts say of every model and variant, V in all, on P prompts.

    Attributes
    ----------
    names : tuple of (str, str)
        Model and variant; sorted by model, so that the order of the rows changes no draw.
    hits, trials : ndarray of shape (V, P)
        Repeats with a red flag, and repeats with a verdict.
    flagged : ndarray of shape (V, P)
        Whether the gate takes a prompt as red-flagged.
    status : tuple of V str
        What the gate says.
    in_doubt : tuple of V bools
        Whether something keeps the gate from a pass, whatever is flagged.
    floor_scores : tuple of V ndarrays
        Readings of the rule's dimension; none where it is missing.
    left_out : dict of str to int
        Verdicts that could not be used, by reason.
    """

    names: tuple[tuple[str, str], ...]
    hits: Floats
    trials: Floats
    flagged: Bools
    status: tuple[str, ...]
    in_doubt: tuple[bool, ...]
    floor_scores: tuple[Floats, ...]
    left_out: dict[str, int]


def seen_in(verdicts: Verdicts, pack: Pack) -> Seen:
    """Count verdicts and let the gate decide on them once.

    Parameters
    ----------
    verdicts : Verdicts
        Checked.
    pack : Pack
        Whose rule decides.

    Returns
    -------
    Seen
        A prompt without a scored repeat has no trial.
    """
    runs, results = verdicts.runs, decide(tally(verdicts), pack)
    order = sorted(range(len(runs)), key=lambda run: (runs[run][0], run))
    hits, trials = _counts(verdicts, pack)
    scores = _floor_scores(verdicts, pack)
    left_out = {
        name: number
        for name, number in verdicts.counts.items()
        if name in ("unscored", "unknown_prompts", "absent") and number
    }
    return Seen(
        names=tuple(runs[run] for run in order),
        hits=hits[order],
        trials=trials[order],
        flagged=hits[order] > 0,
        status=tuple(results[run].status for run in order),
        in_doubt=tuple(bool(results[run].doubts) for run in order),
        floor_scores=tuple(scores[run] for run in order),
        left_out=left_out,
    )


def _counts(verdicts: Verdicts, pack: Pack) -> tuple[Floats, Floats]:
    frame, shape = verdicts.frame, (len(verdicts.runs), len(pack.prompts))
    known = verdicts.prompt >= 0
    cell = (verdicts.run * shape[1] + verdicts.prompt)[known]
    flag = frame["red_flag"].to_numpy()[known]
    read = flag | ~frame["unscored"].to_numpy()[known]
    hits, trials = (
        np.bincount(cell[chosen], minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
        for chosen in (flag, read)
    )
    return hits, trials


def _floor_scores(verdicts: Verdicts, pack: Pack) -> list[Floats]:
    rows = verdicts.dimensions[verdicts.dimensions["dimension"] == pack.ko_rule.dimension]
    by_run = {run: part["score"].to_numpy() for run, part in rows.groupby(["model", "variant"])}
    found = [by_run.get(run, np.empty(0)) for run in verdicts.runs]
    # A repeat without a score leaves the gate without a floor score.
    return [np.empty(0) if np.isnan(scores).any() else np.sort(scores) for scores in found]
