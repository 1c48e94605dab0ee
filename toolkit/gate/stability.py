"""How probable is it that the gate would decide otherwise? The judge behind it errs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import numpy as np

from toolkit.coefficients.options import FEWEST_DRAWS, MOST_DRAWS, check_level, whole
from toolkit.errors import GateError, StatisticsError
from toolkit.gate.ko import KNOCKED_OUT, PASSED, STATUSES, UNDETERMINED, on_floor
from toolkit.gate.pack import Pack
from toolkit.gate.stability_draws import Drawn, another_run, floor_noise, perfect_judge
from toolkit.gate.stability_kappa import SUBSTANTIAL, reliabilities
from toolkit.gate.stability_people import People, known_shares, read_people
from toolkit.gate.stability_rates import Floats
from toolkit.gate.stability_result import (
    ANOTHER_RUN,
    PERFECT_JUDGE,
    Chances,
    DecisionStability,
    FlagProbability,
    GateStability,
)
from toolkit.gate.stability_rule import CODE, Bools, Decided, decide, disqualifying
from toolkit.gate.stability_seen import Seen, seen_in
from toolkit.gate.verdicts import read_verdicts

NOTHING = Chances(math.nan, math.nan, math.nan, {})
# Conventions: below the first, what repeats show about the others is no estimate; below the second
# it is a rough one.
FEWEST_CELLS, FEW_CELLS = 10, 30
NO_LABELS = "prompt_without_labels"
BLIND = Chances(math.nan, math.nan, math.nan, {})  # asked, but labels of people are missing


def gate_stability(
    verdicts: Any,
    pack: Pack,
    seed: int = 0,
    confusion: Any = None,
    draws: int = 10_000,
    *,
    threshold: float = SUBSTANTIAL,
    level: float = 0.95,
) -> GateStability:
    r"""Estimate how probable it is that the gate would decide otherwise, and which prompt decides.

    Two questions, each with its own data. *Another run* (from repeats): the same models answer and
    the same judge reads once more, as often as before; a repeat is the same prompt asked and judged
    once more. Repeats that only read a stored reply again hold the judge's noise and none of the
    model's, and so does the answer. *A perfect judge* (from labels of people and
    judge): the replies stay, and flagged is what people flag. A judge may be steady and wrong, or
    right on average and unsteady, so neither answers the other.

    Parameters
    ----------
    verdicts : Verdicts, DataFrame, path or rows
        As `read_verdicts` takes them.
    pack : Pack
        From `load_pack`; its scope and floor decide.
    seed : int
        0 or more; the same seed gives the same numbers.
    confusion : optional
        Labels of people beside the judge's, see `read_people`: rows with prompt_id, human, judge,
        or one 2 x 2 table of counts for all prompts, flagged first. The judge's label is the one
        that the gate uses (flagged if any repeat is). The replies must be drawn at random from
        replies like these, or at random within what the judge flagged and what it did not (kappa is
        then not that of all replies); never by what people said.
    draws : int
        Simulated runs and judges, 100 or more.
    threshold : float
        A prompt is too unreliable to disqualify on where the whole interval of its kappa lies below
        it. Default .60, the lower end of "substantial" (Landis and Koch 1977): a convention.
    level : float
        Of the intervals of kappa.

    Returns
    -------
    GateStability
        Probabilities per model and per variant, flags by prompt, reliability by prompt.

    Raises
    ------
    GateError
        If the verdicts do not fit the pack, the labels can't be read, or an option does not fit.

    See Also
    --------
    passes_ko : The decision itself.

    Notes
    -----
    Another run: the flag rate :math:`\theta` of a model, variant and prompt with k of n repeats
    flagged is Beta(:math:`a + k, b + n - k`), where Beta(a, b) is what the cells of its model have
    in common; how models differ is estimated too, and all of it is drawn from its posterior. The
    prompt is flagged in a new run of n repeats with probability :math:`1 - (1 - \theta)^n`. A prior
    of its own for each cell (Jeffreys) would announce flags everywhere. The mean floor score varies
    with the standard deviation of its repeats, pooled over models; without repeats it stays
    (``floor_not_repeated``). It takes 10 replies with two repeats (else nan, reason
    ``few_repeats``) and is rough below 30 (flag ``few_repeats``): conventions.

    A perfect judge: P(people flag | judge's flag) of each prompt is Beta with Jeffreys' prior from
    a pooled table; from one table a prompt it is drawn towards the other prompts. The uncertainty
    of the table is drawn too. Where people labelled no reply to the prompt with the judge's label,
    nor to two other prompts, there is no probability (``prompt_without_labels``). Floor scores
    stay: the labels say nothing about them.

    What is unscored stays unscored, so an undetermined model has no flip: nan, reason
    ``undetermined``. Every draw is decided by the rule of `passes_ko`.

    Simulated with known truth (ten models, twelve prompts, three repeats, 40 labelled replies a
    prompt; 3,000 decisions a row for another run, 6,000 for a perfect judge): mean probability
    said in a bin, and share that flipped, for all bins of 60 models or more. In percent; standard
    errors (worlds are the units) are up to .006, .01, .02, .02, .02, .04, .06 and .05, bin by bin.

    ============================ ==============================================================
    another run                  1→1 3→6 7→7 14→17 27→29 41→44 57→60
    another run, curated         1→1 3→5 7→9 15→15 28→28 41→43 57→53
    another run, both differ     0→0 3→5 7→9 14→17 28→29 42→45 57→49
    perfect judge                1→1 3→5 7→9 15→13 26→22 41→43 60→54
    perfect judge, curated       1→2 4→5 7→7 14→11 27→26 41→38 60→59 81→75
    perfect judge, one table     1→1 4→3 7→8 14→13 26→27 41→36 62→59 88→84
    perfect judge, models differ 0→1 3→8 7→16 15→19 27→22 41→32 59→54
    ============================ ==============================================================

    Small probabilities are said too low (.03 said, .05 happened), large ones too high: .58 said of
    another run was .50 where models and prompts differ, .88 of a perfect judge was .84. The last
    row is a limit: the labels of people are taken to be as good for one model as for another. Where
    models differ much in how often people flag them (there: odds by a factor of 3.3 a standard
    deviation), the probabilities hold on average, not model by model: .07 said, .16 happened.

    The replies of one model are drawn independently over its variants and prompts, given the rates
    of the model; of a perfect judge given those of the judge. Where variants share what makes a
    reply dangerous this is wrong, and the probability for the model over all its variants too low
    or too high: with two variants of the same rates .43 was said where .59 happened. The rows of
    single variants rest on the independence of prompts alone.

    References
    ----------
    Beta-binomial shrinkage: Gelman et al. 2013, Bayesian Data Analysis, 3rd ed., section 5.3,
    ISBN 978-1-4398-4095-5. Jeffreys' prior of a rate: Brown, Cai and DasGupta 2001, Statistical
    Science 16:101, doi:10.1214/ss/1009213286. Threshold: Landis and Koch 1977, Biometrics 33:159,
    doi:10.2307/2529310.

    Examples
    --------
    >>> from toolkit.gate import load_pack
    >>> pack = load_pack({
    ...     "id": "mine", "title": "Mine", "dimensions": [{"id": "safety", "name": "Safety"}],
    ...     "ko_rule": {"dimension": "safety"},
    ...     "categories": [{"id": "c1", "name": "Crisis", "prompts": [
    ...         {"id": "p1", "title": "Help", "prompt": "I need help.", "repeats": 3}]}],
    ... })
    >>> rows = [{"model": model, "variant": "none", "prompt_id": "p1", "repeat": repeat,
    ...          "score": 4, "red_flag": model == "bold" and repeat == 1}
    ...         for model in ("bold", "calm") for repeat in (1, 2, 3)]
    >>> rows += [{"model": model, "variant": "none", "dimension": "safety", "score": 4}
    ...          for model in ("bold", "calm")]
    >>> result = gate_stability(rows, pack, confusion=[[18, 2], [12, 68]])
    >>> result["bold"].status, round(result["bold"].perfect_judge.flips, 1)
    ('knocked_out', 0.4)
    """
    draws, seed, threshold, level = _options(draws, seed, threshold, level)
    seen = seen_in(read_verdicts(verdicts, pack), pack)
    people = None if confusion is None else read_people(confusion, pack)
    streams = [np.random.default_rng(each) for each in np.random.SeedSequence(seed).spawn(2)]
    reasons, flags = [], _remarks(seen)
    chances: dict[str, _Found] = {}
    repeated = int((seen.trials > 1).sum())
    if repeated >= FEWEST_CELLS:
        chances[ANOTHER_RUN] = _asked(another_run(seen, pack, draws, streams[0]), seen, pack)
        flags += [f"few_repeats:{repeated}"] * (repeated < FEW_CELLS)
    else:
        why = f"few_repeats:{repeated}" if repeated else "no_repeats"
        reasons.append(f"{ANOTHER_RUN}:{why}")
    if people is not None:
        runs = perfect_judge(seen, pack, people, draws, streams[1])
        known = known_shares(people, seen.flagged, list(pack.prompts)) | (seen.trials == 0)
        chances[PERFECT_JUDGE] = _asked(runs, seen, pack, known)
        flags += _unlabelled(people, pack, known)
    else:
        reasons.append(f"{PERFECT_JUDGE}:no_people")
    return GateStability(
        pack=pack.id,
        scope=pack.ko_rule.red_flag_scope,
        models=_models(seen, chances, reasons),
        variants=_variants(seen, chances, reasons),
        flag_probabilities=_flag_probabilities(seen, pack, chances, reasons),
        reliability=reliabilities(seen, pack, people, threshold=threshold, level=level, seed=seed),
        threshold=threshold,
        level=level,
        draws=draws,
        seed=seed,
        left_out={**seen.left_out, **(people.left_out if people else {})},
        reasons=tuple(reasons),
        flags=tuple(flags),
        n={
            ANOTHER_RUN: repeated,
            PERFECT_JUDGE: round(sum(table.sum() for table in people.tables.values()))
            if people
            else 0,
        },
    )


def _unlabelled(people: People, pack: Pack, known: Bools) -> list[str]:
    """Count prompts that are taken to be like the others, and those of which nothing is known."""
    if people.pooled:
        return []
    dark = [bool(column.any()) for column in ~known.T]
    tables = people.tables
    alike = sum(
        name not in tables and not unknown for name, unknown in zip(pack.prompts, dark, strict=True)
    )
    found = [("prompts_without_people", alike), (NO_LABELS, sum(dark))]
    return [f"{word}:{number}" for word, number in found if number]


class _Found:
    """Chances by variant and by model, and the share of draws with a flag by cell."""

    def __init__(self) -> None:
        self.variants: list[Chances] = []
        self.models: dict[str, Chances] = {}
        self.flagged: list[Floats] = []


def _asked(runs: Iterator[Drawn], seen: Seen, pack: Pack, known: Bools | None = None) -> _Found:
    """Decide every draw of every variant, and of every model over its variants.

    A decision that may rest on a reply of which nothing is `known` has no probability.
    """
    found, rule = _Found(), pack.ko_rule
    curated = np.array([name in pack.curated for name in pack.prompts])
    reasons = [*pack.prompts, f"floor:{rule.dimension}"]
    known = np.ones(seen.flagged.shape, dtype=bool) if known is None else known
    fatal_if_known = disqualifying(~known, curated, rule.red_flag_scope)
    blind = [bool(row.any()) for row in fatal_if_known]
    one_run = zip(seen.names, seen.in_doubt, seen.status, blind, known, runs, strict=True)
    for model, group in groupby(one_run, key=lambda row: row[0][0]):
        fatals, floors, statuses, doubts, blinds = [], [], [], [], []
        for _, in_doubt, status, unknown, cells, drawn in group:
            fatals.append(disqualifying(drawn.flagged, curated, rule.red_flag_scope))
            floors.append(np.asarray(on_floor(drawn.floor, rule.threshold)))
            statuses.append(CODE[status])
            doubts.append(in_doubt)
            blinds.append(unknown)
            decided = decide(fatals[-1], floors[-1], in_doubt=in_doubt)
            found.variants.append(BLIND if unknown else _chances(decided, status, reasons))
            found.flagged.append(np.where(cells, drawn.flagged.mean(axis=0), np.nan))
        # The worst variant decides: what is fatal in one is fatal for the model.
        together = decide(
            np.logical_or.reduce(fatals), np.logical_or.reduce(floors), in_doubt=any(doubts)
        )
        all_told = _chances(together, STATUSES[max(statuses)], reasons)
        found.models[model] = BLIND if any(blinds) else all_told
    return found


def _chances(decided: Decided, status: str, reasons: list[str]) -> Chances:
    passes = float((decided.status == CODE[PASSED]).mean())
    flips = 1 - passes if status == PASSED else passes
    sole = np.bincount(decided.sole[decided.sole >= 0], minlength=len(reasons))
    order = np.argsort(-sole, kind="stable")
    return Chances(
        flips=math.nan if status == UNDETERMINED else flips,
        passes=passes,
        knocked_out=float((decided.status == CODE[KNOCKED_OUT]).mean()),
        sole={reasons[i]: float(sole[i] / decided.sole.size) for i in order if sole[i]},
    )


def _models(
    seen: Seen, chances: dict[str, _Found], reasons: list[str]
) -> tuple[DecisionStability, ...]:
    worst: dict[str, int] = {}
    for (model, _), status in zip(seen.names, seen.status, strict=True):
        worst[model] = max(worst.get(model, 0), CODE[status])
    return tuple(
        _decision(
            model,
            None,
            STATUSES[code],
            {question: found.models[model] for question, found in chances.items()},
            reasons,
        )
        for model, code in worst.items()
    )


def _variants(
    seen: Seen, chances: dict[str, _Found], reasons: list[str]
) -> tuple[DecisionStability, ...]:
    return tuple(
        _decision(
            *names,
            status,
            {question: found.variants[place] for question, found in chances.items()},
            reasons,
        )
        for place, (names, status) in enumerate(zip(seen.names, seen.status, strict=True))
    )


def _decision(
    model: str,
    variant: str | None,
    status: str,
    answers: dict[str, Chances],
    reasons: list[str],
) -> DecisionStability:
    doubt = [UNDETERMINED] if status == UNDETERMINED else []
    doubt += [f"{PERFECT_JUDGE}:{NO_LABELS}"] * (answers.get(PERFECT_JUDGE) is BLIND)
    return DecisionStability(
        model=model,
        variant=variant,
        status=status,
        another_run=answers.get(ANOTHER_RUN, NOTHING),
        perfect_judge=answers.get(PERFECT_JUDGE, NOTHING),
        reasons=(*doubt, *reasons),
    )


def _flag_probabilities(
    seen: Seen, pack: Pack, chances: dict[str, _Found], reasons: list[str]
) -> tuple[FlagProbability, ...]:
    def of(question: str, run: int, place: int) -> float:
        there = question in chances and seen.trials[run, place] > 0
        return float(chances[question].flagged[run][place]) if there else math.nan

    def why(run: int, place: int) -> tuple[str, ...]:
        if not seen.trials[run, place]:
            return ("no_verdict",)
        asked = PERFECT_JUDGE in chances
        dark = asked and math.isnan(chances[PERFECT_JUDGE].flagged[run][place])
        return (*reasons, *[f"{PERFECT_JUDGE}:{NO_LABELS}"] * dark)

    return tuple(
        FlagProbability(
            *names,
            prompt_id=prompt,
            flagged=bool(seen.flagged[run, place]),
            hits=int(seen.hits[run, place]),
            repeats=int(seen.trials[run, place]),
            another_run=of(ANOTHER_RUN, run, place),
            perfect_judge=of(PERFECT_JUDGE, run, place),
            reasons=why(run, place),
        )
        for run, names in enumerate(seen.names)
        for place, prompt in enumerate(pack.prompts)
    )


def _remarks(seen: Seen) -> list[str]:
    """Say what the draws can't vary."""
    noise = floor_noise(seen)
    if not noise.freedom:
        return ["floor_not_repeated"]
    return [] if noise.variance else ["floor_never_varied"]


def _options(draws: Any, seed: Any, threshold: Any, level: Any) -> tuple[int, int, float, float]:
    good = isinstance(threshold, float | int) and not isinstance(threshold, bool)
    if not good or not -1 <= threshold <= 1:
        raise GateError(
            "threshold is no kappa", got=threshold, allowed="-1 to 1", example="threshold=.6"
        )
    try:
        return (
            whole("draws", draws, FEWEST_DRAWS, MOST_DRAWS, example=10_000),
            whole("seed", seed, 0, example=0),
            float(threshold),
            check_level(level),
        )
    except StatisticsError as bad:
        raise GateError(
            bad.what, got=bad.got, allowed=bad.allowed, example=bad.example, where=bad.where
        ) from None
