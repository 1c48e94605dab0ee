"""The latent world behind simulated labels: how items, people and the judge come about.

Every item i has, for each construct c, a standard normal latent value z_ic that nobody sees. Cut
points turn it into the true category. People and the judge are fallible copies:

- Two categories. The truth is *present* when z lies above the cut. The judge errs with probability
  ``1 - sensitivity`` where the truth is present and ``1 - specificity`` where it is absent; a
  person flips the truth with probability ``human_error``.
- More than two, ordered. The judge sees ``a z + sqrt(1 - a^2) e`` with a = ``agreement``, a person
  ``sqrt(1 - h) z + sqrt(h) e`` with h = ``human_error``, e standard normal; both use the cut points
  of the truth. So two people correlate with 1 - h on the latent scale, judge and person with
  ``a sqrt(1 - h)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int8]
    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LatentConstruct:
    """One construct of the simulated world; the options are those of `simulate`."""

    name: str
    categories: tuple[int | str, ...]
    prevalence: float | tuple[float, ...]
    sensitivity: float
    specificity: float
    agreement: float
    human_error: tuple[float, ...]

    @property
    def ordinal(self) -> bool:
        """Whether the construct has more than two, ordered, categories."""
        return len(self.categories) > 2  # noqa: PLR2004 - two categories are a yes and a no

    @cached_property
    def shares(self) -> Floats:
        """Population share of each true category; a single number is a binomial's probability."""
        if isinstance(self.prevalence, tuple):
            return np.array(self.prevalence)
        steps = len(self.categories) - 1
        ups = np.arange(steps + 1)
        p = self.prevalence
        return np.asarray(special.comb(steps, ups) * p**ups * (1 - p) ** (steps - ups))

    @cached_property
    def cuts(self) -> Floats:
        """Cut points on the latent scale, one fewer than the categories."""
        # The upper tail keeps a rare top category exact where 1 - p would round.
        above = np.cumsum(self.shares[::-1])[::-1][1:]
        return np.asarray(-special.ndtri(np.clip(above, 0, 1)))

    def truth(self, z: Floats) -> Codes:
        """Position of the true category at each latent value."""
        return np.searchsorted(self.cuts, z).astype(np.int8)

    def judge(self, z: Floats, noise: Floats) -> Codes:
        """Position of the judge's category, given standard normal noise."""
        if self.ordinal:
            return self.truth(mix(self.agreement**2, z, noise))
        truth = self.truth(z)
        error = np.array([1 - self.specificity, 1 - self.sensitivity])
        return truth ^ (noise < special.ndtri(error)[truth])

    def score(self, z: Floats, noise: Floats) -> Floats:
        """Give the judge's latent judgement, on which a cause may act before it is cut.

        Of two categories it is normal with variance 1 around Phi^-1(1 - specificity) or
        Phi^-1(sensitivity), and cut at 0: the same labels as `judge`, on a scale.
        """
        if self.ordinal:
            return mix(self.agreement**2, z, noise)
        truth = self.truth(z)
        return np.asarray(np.where(truth == 1, noise, -noise) + self._strength[truth])

    def cut_score(self, score: Floats) -> Codes:
        """Position of the judge's category, given its latent judgement."""
        return self.truth(score) if self.ordinal else (score > 0).astype(np.int8)

    @property
    def score_moments(self) -> tuple[float, float]:
        """Mean and standard deviation of `score` in the population."""
        if self.ordinal:
            return 0.0, 1.0
        mean = float(self.shares @ self._strength)
        return mean, float(np.sqrt(1 + self.shares @ (self._strength - mean) ** 2))

    @property
    def _strength(self) -> Floats:
        # A judge that never errs would sit at infinity; one error in a million is as good.
        flagged = np.clip([1 - self.specificity, self.sensitivity], 1e-6, 1 - 1e-6)
        return np.asarray(special.ndtri(flagged))

    def person(self, z: Floats, noise: Floats, index: int) -> Codes:
        """Position of the category that a person gives, given standard normal noise."""
        error = self.human_error[index]
        if self.ordinal:
            return self.truth(mix(1 - error, z, noise))
        return self.truth(z) ^ (noise < special.ndtri(error))


@dataclass(frozen=True)
class World:
    """Nuisances that items, people and the judge share; the options are those of `simulate`."""

    n_calls: int
    humans: int
    call_correlation: float
    construct_correlation: float
    conversations: int | None
    conversation_effect: float
    missing: float
    judges: int = 1
    strata: int | None = None
    ordered: bool = False
    sittings: int = 1

    @cached_property
    def conversation(self) -> NDArray[np.int64] | None:
        """Position of each item's conversation, or None where items stand alone."""
        if self.conversations is None:
            return None
        return np.arange(self.n_calls) // self.conversations


def normals(stream: np.random.Generator, rows: int, world: World) -> Floats:
    """Draw standard normal rows; items of a conversation correlate with `conversation_effect`."""
    conversations, items = stream.spawn(2)
    own = items.standard_normal((rows, world.n_calls))
    where = world.conversation
    if where is None:
        return own
    between = conversations.standard_normal((rows, where[-1] + 1))
    return mix(world.conversation_effect, between[:, where], own)


def mix(share: float, common: Floats, own: Floats) -> Floats:
    """Add standard normals so that `share` of the variance comes from `common`."""
    return np.asarray(np.sqrt(share) * common + np.sqrt(1 - share) * own)
