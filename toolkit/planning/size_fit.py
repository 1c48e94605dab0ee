r"""Sample sizes from the goodness-of-fit test of the intraclass kappa.

All raters use the categories equally often. With kappa :math:`\kappa` the outcomes of an item have
shares :math:`P(\kappa)`; n items are enough to tell :math:`\kappa_1` from :math:`\kappa_0` when
:math:`n \sum (P(\kappa_1) - P(\kappa_0))^2 / P(\kappa_0)` reaches a chi-square value with one
degree of freedom.

Outcomes are "all raters in category i", for each i, and "not all in one". Two categories: with
probability kappa the raters share one draw, else they draw independently (the common correlation
model; the shares within "not all in one" do not depend on kappa, so they add nothing). More: the
shares of an item vary by a Dirichlet law of intraclass correlation kappa (Rotondi and Donner 2012).
For two raters both models are the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import optimize, stats

from toolkit.coefficients.weights import Floats
from toolkit.planning.size_checks import EDGE


class Fit(NamedTuple):
    """Category shares and number of raters: what a goodness-of-fit test is planned for."""

    shares: tuple[float, ...]
    raters: int

    def outcomes(self, kappa: float) -> Floats:
        """Share of items on which all raters choose category i, for each i; last, of the others."""
        shares = np.array(self.shares)
        if len(shares) == 2:  # noqa: PLR2004  common correlation
            power = shares**self.raters
            return np.append(kappa * shares + (1 - kappa) * power, (1 - kappa) * (1 - power.sum()))
        step = kappa * np.arange(self.raters)[:, None]
        alike = np.prod((shares * (1 - kappa) + step) / (1 - kappa + step), axis=0)
        return np.append(alike, 1 - alike.sum())

    def misfit(self, kappa: float, expected: float) -> float:
        """Chi-square per item of kappa's outcomes against those expected under another kappa."""
        under = self.outcomes(expected)
        return float(((self.outcomes(kappa) - under) ** 2 / under).sum())


def critical(alpha: float, sided: int) -> float:
    """Chi-square value of a test with this error; its square root is the normal value."""
    return float(stats.chi2.isf(2 * alpha / sided, 1))


def items_for_limits(
    fit: Fit, true: float, low: float, high: float | None, alpha: float, sided: int
) -> float:
    """Items at which an interval around `true` stays within its limits."""
    least = min(fit.misfit(true, limit) for limit in (low, high) if limit is not None)
    return critical(alpha, sided) / least


def items_for_test(
    fit: Fit, null: float, true: float, alpha: float, sided: int, power: float
) -> float:
    """Items at which the test of `null` has this power; it rejects on either side of `null`."""
    least = critical(alpha, sided)

    def lacking(noncentrality: float) -> float:
        return float(stats.ncx2.sf(least, 1, noncentrality)) - power

    # Power grows with noncentrality; beyond (z_alpha + z_power)^2 the test has more than enough.
    most = (least**0.5 + max(float(stats.norm.ppf(power)), 0.0)) ** 2 + 1
    needed = optimize.brentq(lacking, 0, most, xtol=1e-12)
    return float(needed) / fit.misfit(true, null)


def expected_limits(
    fit: Fit, true: float, n: int, alpha: float, sided: int
) -> tuple[float, float | None]:
    """Limits that n items are expected to give; one-sided: the lower one alone."""
    enough = critical(alpha, sided) / n

    def beyond(limit: float) -> float:
        return fit.misfit(true, limit) - enough

    low = float(optimize.brentq(beyond, 0, true)) if beyond(0) > 0 else 0.0
    if sided == 1:
        return low, None
    end = 1 - EDGE  # at 1 nobody disagrees: the misfit is infinite there
    return low, float(optimize.brentq(beyond, true, end)) if beyond(end) > 0 else 1.0
