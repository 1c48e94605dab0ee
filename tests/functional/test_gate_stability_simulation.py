"""Do the probabilities of `gate_stability` hold? Worlds with known flag rates and known truths.

In every world the parameters are drawn anew, ten models answer twelve prompts, and the gate decides
on what a judge saw. *Another run* is then run, and *a perfect judge* is asked; predicted
probabilities are compared with how often the decision flipped, bin by bin.

Measured at 300 worlds a row for another run, 600 for a perfect judge, on the seeds below; mean
probability said in a bin, and share that flipped (standard errors, worlds as units: up to .006,
.01, .02, .02, .02, .04, .06 and .05 from the first bin to the last):

    another run, all            said     .01 .03 .07 .14 .27 .41 .57
                                happened .01 .06 .07 .17 .29 .44 .60
    another run, curated        said     .01 .03 .07 .15 .28 .41 .57
                                happened .01 .05 .09 .15 .28 .43 .53
    another run, models and     said     .00 .03 .07 .14 .28 .42 .57
      prompts differ            happened .00 .05 .09 .17 .29 .45 .49
    perfect judge, all          said     .01 .03 .07 .15 .26 .41 .60
                                happened .01 .05 .09 .13 .22 .43 .54
    perfect judge, curated      said     .01 .04 .07 .14 .27 .41 .60 .81
                                happened .02 .05 .07 .11 .26 .38 .59 .75
    perfect judge, one table    said     .01 .04 .07 .14 .26 .41 .62 .88
                                happened .01 .03 .08 .13 .27 .36 .59 .84
    perfect judge, models       said     .00 .03 .07 .15 .27 .41 .59
      differ                    happened .01 .08 .16 .19 .22 .32 .54

Were the cells of all models one group, "models and prompts differ" would be off by up to .26 (.63
said, .45 happened; .80 said, .53 happened). With a prior of its own for every cell (Jeffreys),
decisions said to flip almost surely flip in half of the cases.

The models here have one variant. Replies are drawn independently over variants and prompts, given
the rates of the model: for two variants of the same rates .43 was said where .59 happened.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

from toolkit.gate import load_pack
from toolkit.gate.ko import PASSED, on_floor
from toolkit.gate.stability_draws import another_run, perfect_judge
from toolkit.gate.stability_people import People
from toolkit.gate.stability_rates import RatePrior
from toolkit.gate.stability_rule import CODE, decide, disqualifying
from toolkit.gate.stability_seen import Seen

MODELS, PROMPTS, REPEATS, LABELLED = 10, 12, 3, 40
DRAWS = 2_000
WORLDS, MORE_WORLDS = 300, 600
BINS = (0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.01)
FEWEST = 60  # models in a bin that is judged
TOLERANCE = 0.03  # the worlds do not follow the priors of the estimate


def pack(scope):
    names = [f"p{number}" for number in range(PROMPTS)]
    rule = {"dimension": "safety", "red_flag_scope": scope, "red_flag_prompts": names[:4]}
    prompts = [{"id": name, "title": name, "prompt": name, "repeats": REPEATS} for name in names]
    return load_pack(
        {
            "id": "world",
            "title": "World",
            "dimensions": [{"id": "safety", "name": "Safety"}],
            "ko_rule": rule,
            "categories": [{"id": "c", "name": "C", "prompts": prompts}],
        }
    )


def passes(flagged, floor, pack):
    """The gate's decision on every model: flagged (models, prompts), floor (models,)."""
    curated = np.array([name in pack.curated for name in pack.prompts])
    fatal = disqualifying(flagged, curated, pack.ko_rule.red_flag_scope)
    return (
        decide(fatal, on_floor(floor, pack.ko_rule.threshold), in_doubt=False).status
        == CODE[PASSED]
    )


def seen(hits, floor):
    """Verdicts as arrays: repeats flagged (models, prompts), floor readings (models, repeats)."""
    number = len(hits)
    return Seen(
        names=tuple((f"m{place}", "none") for place in range(number)),
        hits=hits.astype(float),
        trials=np.full(hits.shape, float(REPEATS)),
        flagged=hits > 0,
        status=(PASSED,) * number,
        in_doubt=(False,) * number,
        floor_scores=tuple(np.asarray(row, dtype=float) for row in floor),
        left_out={},
    )


def predicted(runs, before, pack):
    """Share of draws in which a decision differs from the one before, by model."""
    pairs = zip(runs, before, strict=True)
    return np.array([(passes(one.flagged, one.floor, pack) != was).mean() for one, was in pairs])


class Forecast(NamedTuple):
    """Predicted flips and what happened; shape (worlds, models)."""

    said: np.ndarray
    happened: np.ndarray

    def bins(self):
        """Yield (bin, models, mean forecast, share of flips, error of their difference)."""
        gap = self.happened - self.said
        for low, high in pairwise(BINS):
            inside = (self.said >= low) & (self.said < high)
            number = inside.sum()
            if number >= FEWEST:
                # Models of one world share its draws: worlds are the units.
                error = np.sqrt(((gap * inside).sum(axis=1) ** 2).sum()) / number
                shares = self.said[inside].mean(), self.happened[inside].mean()
                yield (low, high), int(number), *shares, float(error)

    def __str__(self):
        return "\n".join(
            f"{low:.2f}-{high:.2f} n={n} said {said:.3f} happened {share:.3f} error {error:.3f}"
            for (low, high), n, said, share, error in self.bins()
        )


def readings(level, rng):
    """Whole scores of a dimension read several times."""
    noisy = level[:, None] + 0.5 * rng.standard_normal((len(level), REPEATS))
    return np.clip(np.rint(noisy), 1, 5)


def rates_alike(rng):
    """Flag rates of all cells from one Beta distribution."""
    mean, correlation = rng.beta(1, 15), rng.uniform(0.05, 0.95)
    size = 1 / correlation - 1
    return rng.beta(mean * size, (1 - mean) * size, (MODELS, PROMPTS))


def rates_by_model_and_prompt(rng):
    """Flag rates that depend on the model and on the prompt; the estimate knows the models only."""
    logit = -4 + 1.5 * rng.standard_normal((MODELS, 1)) + 1.5 * rng.standard_normal((1, PROMPTS))
    return 1 / (1 + np.exp(-(logit + 2 * rng.standard_normal((MODELS, PROMPTS)))))


def another_runs(rates, scope, seed, worlds=WORLDS):
    gate = pack(scope)
    said, happened = [], []
    for number in range(worlds):
        rng = np.random.default_rng([seed, number])
        rate, level = rates(rng), rng.uniform(1.8, 5, MODELS)
        (hits, floor), (hits_again, floor_again) = (
            (rng.binomial(REPEATS, rate), readings(level, rng)) for _ in range(2)
        )
        before = passes(hits > 0, floor.mean(axis=1), gate)
        after = passes(hits_again > 0, floor_again.mean(axis=1), gate)
        said.append(predicted(another_run(seen(hits, floor), gate, DRAWS, rng), before, gate))
        happened.append(before != after)
    return Forecast(np.array(said), np.array(happened, dtype=float))


def perfect_judges(seed, scope="all", *, per_prompt=True, by_model=False, worlds=MORE_WORLDS):
    gate = pack(scope)
    said, happened = [], []
    for number in range(worlds):
        rng = np.random.default_rng([seed, number])
        groups = PROMPTS if per_prompt else 1
        finds, alarms = rng.beta(12, 2, groups), rng.beta(1, 30, groups)
        share = np.broadcast_to(rng.beta(1, 9, groups), (MODELS, PROMPTS))
        if by_model:
            odds = np.exp(1.2 * rng.standard_normal((MODELS, 1))) * share / (1 - share)
            share = odds / (1 + odds)
        truth = rng.random(share.shape) < share
        flagged = rng.random(share.shape) < np.where(truth, finds, alarms)
        tables = {}
        for place, name in enumerate(gate.prompts):
            group = place if per_prompt else 0
            chances = share[rng.integers(MODELS, size=LABELLED), place]
            human = rng.random(LABELLED) < chances
            judge = rng.random(LABELLED) < np.where(human, finds[group], alarms[group])
            table = np.array([[human & judge, human & ~judge], [~human & judge, ~human & ~judge]])
            key = name if per_prompt else ""
            tables[key] = tables.get(key, 0) + table.sum(axis=2).astype(float)
        floor = np.full((MODELS, 1), 4.0)
        before, after = (passes(what, floor[:, 0], gate) for what in (flagged, truth))
        runs = perfect_judge(seen(flagged * REPEATS, floor), gate, People(tables, {}), DRAWS, rng)
        said.append(predicted(runs, before, gate))
        happened.append(before != after)
    return Forecast(np.array(said), np.array(happened, dtype=float))


SCENARIOS = {
    "another run, all": lambda: another_runs(rates_alike, "all", 20_263),
    "another run, curated": lambda: another_runs(rates_alike, "curated", 20_264),
    "another run, models and prompts differ": lambda: another_runs(
        rates_by_model_and_prompt, "all", 20_268
    ),
    "perfect judge, all": lambda: perfect_judges(20_265),
    "perfect judge, curated": lambda: perfect_judges(20_266, "curated"),
    "perfect judge, one table": lambda: perfect_judges(20_267, per_prompt=False),
}
MISSPECIFIED = {"perfect judge, models differ": lambda: perfect_judges(20_269, by_model=True)}


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_decision_flips_as_often_as_was_said(name):
    forecast = SCENARIOS[name]()
    bins = list(forecast.bins())
    assert len(bins) >= 5
    for inside, _, said, happened, error in bins:
        assert abs(said - happened) < TOLERANCE + 3 * error, inside


@pytest.mark.slow
@pytest.mark.parametrize("name", MISSPECIFIED)
def test_where_models_differ_it_holds_on_average_only(name):
    forecast = MISSPECIFIED[name]()
    assert abs(forecast.said.mean() - forecast.happened.mean()) < TOLERANCE
    # Better all the same than to say nothing: than one number for every model.
    brier = ((forecast.said - forecast.happened) ** 2).mean()
    assert brier < forecast.happened.var()


@pytest.mark.slow
def test_a_prior_of_its_own_for_every_cell_would_announce_flips_that_do_not_come(monkeypatch):
    def jeffreys(_hits, _trials, _model, draws, _rng):
        return [RatePrior(np.full(draws, 0.5), np.full(draws, 0.5))] * MODELS

    monkeypatch.setattr("toolkit.gate.stability_draws.priors_by_model", jeffreys)
    forecast = another_runs(rates_alike, "all", 20_270, worlds=200)
    sure = forecast.said > 0.9
    assert sure.sum() > FEWEST
    assert forecast.happened[sure].mean() < 0.7


if __name__ == "__main__":
    for title, run in {**SCENARIOS, **MISSPECIFIED}.items():
        if len(sys.argv) == 1 or sys.argv[1] in title:
            print(title, run(), sep="\n", flush=True)  # noqa: T201 - the figures above
