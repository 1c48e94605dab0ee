"""Draw a sample of the latent world: items, people, judges, and the causes planted in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from toolkit.labels.simulation.causes import CAUSES, Stage
from toolkit.labels.simulation.latent import mix, normals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from toolkit.labels.simulation.latent import Codes, Floats, LatentConstruct, World

# A judge that is asked again repeats most of its misjudgements: this share of the variance of its
# latent error belongs to the item, the rest is drawn anew.
REPEATED_ERROR = 0.8


@dataclass
class Sample:
    """What has been drawn so far; a cause changes it in place.

    Axes are (people or sittings, constructs, items). `z` is the latent truth, `scores` are the
    judge's latent judgements, there only while causes act on them. Codes are category positions,
    -1 where a label is missing.
    """

    constructs: list[LatentConstruct]
    world: World
    z: Floats
    stratum: NDArray[np.int64] | None
    judge_sees: Floats
    people_see: Floats
    scores: Floats = field(default_factory=lambda: np.empty(0))
    judge: Codes = field(default_factory=lambda: np.empty(0, dtype=np.int8))
    people: Codes = field(default_factory=lambda: np.empty(0, dtype=np.int8))
    second: Codes = field(default_factory=lambda: np.empty(0, dtype=np.int8))
    planted: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def codes(self) -> Codes:
        """Codes in the order of the table: judge, people, second judge, second sitting."""
        return np.concatenate([self.judge[:1], self.people, self.second, self.judge[1:]])


def draw(
    constructs: Sequence[LatentConstruct],
    world: World,
    seed: int,
    causes: Sequence[str] = (),
    effect: float = 1.0,
) -> Sample:
    """Draw labels and plant the causes in the first construct.

    Each source of chance has its own stream, so switching one nuisance on, planting a cause, adding
    a person or adding a construct leaves everything else as it was.
    """
    # A new source goes to the end: spawning more leaves the earlier streams as they were.
    streams = np.random.Generator(np.random.PCG64(seed)).spawn(11)
    latent, common_latent, noise, common_noise, same, people, missing = streams[:7]
    second, strata, again, planting = streams[7:]
    shape = (len(constructs), world.n_calls)

    z = mix(
        world.construct_correlation,
        normals(common_latent, 1, world),
        normals(latent, len(constructs), world),
    )
    sample = Sample(
        constructs=list(constructs),
        world=world,
        z=z,
        stratum=_strata(strata, world),
        judge_sees=z,
        people_see=np.broadcast_to(z, (world.humans, *shape)),
    )
    chances = dict(zip(CAUSES, planting.spawn(len(CAUSES)), strict=True))

    def plant(stage: Stage) -> None:
        for name, cause in CAUSES.items():
            if cause.stage is stage and name in causes:
                sample.planted[name] = cause.plant(sample, chances[name], effect)

    plant(Stage.LATENT)
    errors = [_errors((noise, common_noise, same), len(constructs), world)]
    for stream in again.spawn(world.sittings - 1):
        anew = _errors(stream.spawn(3), len(constructs), world)
        errors.append(mix(REPEATED_ERROR, errors[0], anew))
    sample.judge = np.stack([_judge(sample, sample.judge_sees, error) for error in errors])
    if any(CAUSES[name].stage is Stage.SCORE for name in causes):
        sample.scores = np.stack([_scores(sample, error) for error in errors])
        plant(Stage.SCORE)
        sample.judge[:, 0] = sample.constructs[0].cut_score(sample.scores[:, 0])
    sample.people = np.stack(
        [
            _person(sample, stream.standard_normal(shape), index)
            for index, stream in enumerate(people.spawn(world.humans))
        ]
    )
    *of_errors, of_missing = second.spawn(4)
    sample.second = np.empty((0, *shape), dtype=np.int8)
    if world.judges > 1:
        own = _judge(sample, z, _errors(of_errors, len(constructs), world))
        sample.second = own[None]
        sample.second[:, of_missing.random(shape) < world.missing] = -1
    plant(Stage.CODES)
    sample.judge[missing.random(sample.judge.shape) < world.missing] = -1
    return sample


def _errors(streams: Sequence[np.random.Generator], constructs: int, world: World) -> Floats:
    """Draw a judge's latent errors; in some calls one draw drives all constructs."""
    noise, common_noise, same = streams
    return np.where(
        same.random(world.n_calls) < world.call_correlation,
        normals(common_noise, 1, world),
        normals(noise, constructs, world),
    )


def _judge(sample: Sample, z: Floats, errors: Floats) -> Codes:
    return np.stack([c.judge(z[i], errors[i]) for i, c in enumerate(sample.constructs)])


def _scores(sample: Sample, errors: Floats) -> Floats:
    z = sample.judge_sees
    return np.stack([c.score(z[i], errors[i]) for i, c in enumerate(sample.constructs)])


def _person(sample: Sample, noise: Floats, index: int) -> Codes:
    z = sample.people_see[index]
    return np.stack([c.person(z[i], noise[i], index) for i, c in enumerate(sample.constructs)])


def _strata(stream: np.random.Generator, world: World) -> NDArray[np.int64] | None:
    """Give each item a stratum; the first is twice as large as any other."""
    if world.strata is None:
        return None
    return np.maximum(stream.integers(-1, world.strata, world.n_calls), 0)
