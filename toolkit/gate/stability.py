"""How probable is it that the gate would decide otherwise? The judge behind it errs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import numpy as np

from toolkit.coefficients.options import FEWEST_DRAWS, MOST_DRAWS, check_level, whole
from toolkit.errors import GateError, StatisticsError
from toolkit.gate.ko import KNOCKED_OUT, PASSED, STATUSES, UNDETERMINED
from toolkit.gate.pack import Pack
from toolkit.gate.stability_draws import Drawn, another_run, floor_noise, perfect_judge
from toolkit.gate.stability_kappa import SUBSTANTIAL, reliabilities
from toolkit.gate.stability_people import read_people
from toolkit.gate.stability_rates import Floats
from toolkit.gate.stability_result import (
    ANOTHER_RUN,
    PERFECT_JUDGE,
    Chances,
    DecisionStability,
    FlagProbability,
    GateStability,
)
from toolkit.gate.stability_rule import CODE, Decided, decide, disqualifying
from toolkit.gate.stability_seen import Seen, seen_in
from toolkit.gate.verdicts import read_verdicts

NOTHING = Chances(math.nan, math.nan, math.nan, {})


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
    the same judge reads once more, as often as before. *A perfect judge* (from labels of people and
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
    (``floor_not_repeated``).

    A perfect judge: P(people flag | judge's flag) of each prompt is Beta with Jeffreys' prior from
    a pooled table; from one table a prompt it is drawn towards the other prompts. The uncertainty
    of the table is drawn too. Floor scores stay: the labels say nothing about them.

    What is unscored stays unscored, so an undetermined model has no flip: nan, reason
    ``undetermined``. Every draw is decided by the rule of `passes_ko`.

    Simulated with known truth (ten models, twelve prompts, three repeats, 40 labelled replies a
    prompt; 3,000 decisions a row for another run, 6,000 for a perfect judge): mean probability
    said in a bin, and share that flipped. Standard errors grow from .002 at .01 to .04 at .41.

    ================================= ===========================================================
    another run                       .01: .01, .03: .06, .07: .07, .14: .17, .27: .29, .41: .44
    another run, scope curated        .01: .01, .03: .05, .07: .09, .15: .15, .28: .28, .41: .43
    ... models and prompts differ     .00: .00, .03: .05, .07: .09, .14: .17, .28: .29, .42: .45
    perfect judge                     .01: .01, .03: .05, .07: .09, .15: .13, .26: .22, .41: .43
    perfect judge, scope curated      .01: .02, .04: .05, .07: .07, .14: .11, .27: .26, .41: .38
    perfect judge, one table          .01: .01, .04: .03, .07: .08, .14: .13, .26: .27, .41: .36
    perfect judge, models differ much .00: .01, .03: .08, .07: .16, .15: .19, .27: .22, .41: .32
    ================================= ===========================================================

    The last row is a limit: the labels of people are taken to be as good for one model as for
    another. Where models differ much in how often people flag them (there: odds by a factor of 3.3
    a standard deviation), the probabilities hold on average, not model by model.

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
    if (seen.trials > 1).any():
        chances[ANOTHER_RUN] = _asked(another_run(seen, pack, draws, streams[0]), seen, pack)
    else:
        reasons.append(f"{ANOTHER_RUN}:no_repeats")
    if people is not None:
        runs = perfect_judge(seen, pack, people, draws, streams[1])
        chances[PERFECT_JUDGE] = _asked(runs, seen, pack)
        unlabelled = set(pack.prompts) - set(people.tables)
        if unlabelled and not people.pooled:
            flags.append(f"prompts_without_people:{len(unlabelled)}")
    else:
        reasons.append(f"{PERFECT_JUDGE}:no_people")
    return GateStability(
        pack=pack.id,
        scope=pack.ko_rule.red_flag_scope,
        models=_models(seen, chances, reasons),
        variants=_variants(seen, chances, reasons),
        flag_probabilities=_flag_probabilities(seen, pack, chances),
        reliability=reliabilities(seen, pack, people, threshold=threshold, level=level, seed=seed),
        threshold=threshold,
        level=level,
        draws=draws,
        seed=seed,
        left_out={**seen.left_out, **(people.left_out if people else {})},
        reasons=tuple(reasons),
        flags=tuple(flags),
    )


class _Found:
    """Chances by variant and by model, and the share of draws with a flag by cell."""

    def __init__(self) -> None:
        self.variants: list[Chances] = []
        self.models: dict[str, Chances] = {}
        self.flagged: list[Floats] = []


def _asked(runs: Iterator[Drawn], seen: Seen, pack: Pack) -> _Found:
    """Decide every draw of every variant, and of every model over its variants."""
    found, rule = _Found(), pack.ko_rule
    curated = np.array([name in pack.curated for name in pack.prompts])
    reasons = [*pack.prompts, f"floor:{rule.dimension}"]
    one_run = zip(seen.names, seen.in_doubt, seen.status, runs, strict=True)
    for model, group in groupby(one_run, key=lambda row: row[0][0]):
        fatals, floors, statuses, doubts = [], [], [], []
        for _, in_doubt, status, drawn in group:
            fatals.append(disqualifying(drawn.flagged, curated, rule.red_flag_scope))
            floors.append(drawn.floor <= rule.threshold)
            statuses.append(CODE[status])
            doubts.append(in_doubt)
            decided = decide(fatals[-1], floors[-1], in_doubt=in_doubt)
            found.variants.append(_chances(decided, status, reasons))
            found.flagged.append(drawn.flagged.mean(axis=0))
        # The worst variant decides: what is fatal in one is fatal for the model.
        together = decide(
            np.logical_or.reduce(fatals), np.logical_or.reduce(floors), in_doubt=any(doubts)
        )
        found.models[model] = _chances(together, STATUSES[max(statuses)], reasons)
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
    return DecisionStability(
        model=model,
        variant=variant,
        status=status,
        another_run=answers.get(ANOTHER_RUN, NOTHING),
        perfect_judge=answers.get(PERFECT_JUDGE, NOTHING),
        reasons=(*doubt, *reasons),
    )


def _flag_probabilities(
    seen: Seen, pack: Pack, chances: dict[str, _Found]
) -> tuple[FlagProbability, ...]:
    def of(question: str, run: int, place: int) -> float:
        there = question in chances and seen.trials[run, place] > 0
        return float(chances[question].flagged[run][place]) if there else math.nan

    return tuple(
        FlagProbability(
            *names,
            prompt_id=prompt,
            flagged=bool(seen.flagged[run, place]),
            hits=int(seen.hits[run, place]),
            repeats=int(seen.trials[run, place]),
            another_run=of(ANOTHER_RUN, run, place),
            perfect_judge=of(PERFECT_JUDGE, run, place),
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
