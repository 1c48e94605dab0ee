"""The causes of disagreement that can be planted, in the order in which they act."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from toolkit.labels.simulation import causes_codes, causes_latent, causes_score

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from toolkit.labels.simulation.sample import Sample


class Stage(Enum):
    """What a cause acts on."""

    LATENT = "what people and the judge see, before there are labels"
    SCORE = "the judge's latent judgement, before it is cut into categories"
    CODES = "labels"


@dataclass(frozen=True)
class Cause:
    """A function that changes a sample, given chance and effect, and says what it planted."""

    stage: Stage
    plant: Callable[[Sample, np.random.Generator, float], dict[str, Any]]


# Each cause has its own stream of chance, by its place here: move none, add at the end.
CAUSES = {
    "prevalence": Cause(Stage.LATENT, causes_latent.prevalence),
    "human_ceiling": Cause(Stage.LATENT, causes_latent.human_ceiling),
    "definition": Cause(Stage.LATENT, causes_latent.definition),
    "halo": Cause(Stage.SCORE, causes_score.halo),
    "judge_noise": Cause(Stage.SCORE, causes_score.judge_noise),
    "threshold_shift": Cause(Stage.SCORE, causes_score.threshold_shift),
    "swapped_constructs": Cause(Stage.CODES, causes_codes.swapped_constructs),
    "reversed_polarity": Cause(Stage.CODES, causes_codes.reversed_polarity),
    "drift": Cause(Stage.CODES, causes_codes.drift),
    "stratum": Cause(Stage.CODES, causes_codes.stratum),
    "call_failure": Cause(Stage.CODES, causes_codes.call_failure),
    "unreadable": Cause(Stage.CODES, causes_codes.unreadable),
    "too_few_labels": Cause(Stage.CODES, causes_codes.too_few_labels),
}
