"""Classical sample sizes: one construct, one random sample, no strata."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from toolkit.errors import PlanError
from toolkit.planning import size_cohen, size_fit
from toolkit.planning.size_checks import TWO, kappa_value, sides, unit
from toolkit.planning.size_questions import (
    assumed,
    limits_given,
    margins_given,
    method_named,
    question_asked,
    refuse_without_formula,
)
from toolkit.planning.size_result import Size

ROUNDING = 1e-9  # relative: 200.00000000001 items are 200
MOST_ALPHA, LEAST_POWER = 0.25, 0.5  # beyond them the normal formulas turn round


def size(
    method: str = "cantor",
    *,
    true: float | None = None,
    null: float | None = None,
    half_width: float | None = None,
    low: float | None = None,
    high: float | None = None,
    n: int | None = None,
    prevalence: Any = None,
    shares: Any = None,
    raters: int = 2,
    alpha: float = 0.05,
    power: float | None = None,
    sided: int | None = None,
) -> Size:
    r"""How many items a random sample needs for a kappa, by three classical methods.

    Which question is asked follows from the arguments: `null` asks for the power of a test,
    `half_width` (or `low` and `high`) for the width of an interval, `n` for the interval that so
    many items are expected to give. Strata, several constructs and costs: `plan_for_targets`.

    Parameters
    ----------
    method : {"cantor", "flack", "goodness_of_fit"}
        "cantor": two categories, any two margins. "flack": any number of categories, both raters
        with the same shares; a test, in the worst case. "goodness_of_fit": 2 to 5 categories, 2 to
        6 raters with the same shares; the intraclass kappa (Scott's pi, Fleiss' kappa).
    true : float
        Kappa that is expected, 0 to below 1.
    null : float, optional
        Kappa under the hypothesis to reject, 0 to below 1.
    half_width : float, optional
        Half of the width of the interval; with ``sided=1`` the distance to its lower limit.
    low, high : float, optional
        Limits that the interval shall stay within ("goodness_of_fit"); `low` alone asks for a
        one-sided interval.
    n : int, optional
        Items that there are ("goodness_of_fit").
    prevalence : float or pair of float
        Share of positives, of two categories; "cantor" also takes (reference, judge).
    shares : sequence of float, optional
        Share of each category, in place of `prevalence`.
    raters : int
        Raters that label each item; more than 2 for "goodness_of_fit" only.
    alpha : float
        Error of the test or interval; a two-sided interval at .05 is the 95 % interval.
    power : float, optional
        Chance to reject; .8 if not given.
    sided : {1, 2}, optional
        Sides of test or interval; 2 if not given, 1 for `low` alone.

    Returns
    -------
    Size
        Number of items, and what it rests on; the sidedness is always in it.

    Raises
    ------
    PlanError
        If arguments do not fit together or are out of range, or no table has these margins and
        this kappa.

    Notes
    -----
    With Q the variance of kappa times the number of items (Fleiss, Cohen and Everitt 1969), width:
    :math:`n = Q (z / E)^2`; power:
    :math:`n = ((z_\alpha \sqrt{Q_0} + z_{power} \sqrt{Q_1}) / (\kappa_1 - \kappa_0))^2`. "flack"
    takes for each Q its largest value over all tables with the given shares and kappa.
    "goodness_of_fit" takes the smallest n at which the chi-square distance between the outcomes
    under the two kappas is large enough.

    References
    ----------
    Cantor 1996, Psychological Methods 1:150, doi:10.1037/1082-989X.1.2.150. Flack, Afifi,
    Lachenbruch and Schouten 1988, Psychometrika 53:321, doi:10.1007/BF02294215. Donner and Eliasziw
    1992, Statistics in Medicine 11:1511, doi:10.1002/sim.4780111109. Donner and Rotondi 2010, Int.
    J. of Biostatistics 6:31, doi:10.2202/1557-4679.1275. Rotondi and Donner 2012, J. Clinical
    Epidemiology 65:778, doi:10.1016/j.jclinepi.2011.10.019.

    Examples
    --------
    Null and truth are named, because swapping them asks another question:

    >>> size(null=.7, true=.85, prevalence=.5, sided=1).n
    117
    >>> size(null=.85, true=.7, prevalence=.5, sided=1).n
    96

    Rarity costs labels:

    >>> [size(true=.6, half_width=.1, prevalence=share).n for share in (.25, .03)]
    [332, 2206]
    """
    chosen = method_named(method)
    question = question_asked(null, half_width, low, high, n)
    limits = low is not None or high is not None
    refuse_without_formula(chosen, question, raters=raters, shares=shares, limits=limits)
    if question != "power" and power is not None:
        raise PlanError("power goes with null=", got=power, example="null=.4, true=.6, power=.8")
    alpha = unit("alpha", alpha)
    if alpha >= MOST_ALPHA:
        raise PlanError("alpha is too large", got=alpha, allowed="below .25", example="alpha=.05")
    lower_alone = low is not None and high is None
    number_of_sides = sides(sided, 1 if lower_alone else TWO)
    common: dict[str, Any] = {
        "method": chosen,
        "question": question,
        "sided": number_of_sides,
        "alpha": alpha,
        "level": 1 - alpha,
        "true": kappa_value("true", true),
        "raters": raters,
    }
    if question == "power":
        return _power(common, null, 0.8 if power is None else power, prevalence, shares)
    if question == "reach":
        return _reach(common, n, prevalence, shares)
    return _width(common, half_width, low, high, prevalence, shares)


def _power(common: dict[str, Any], null: Any, power: Any, prevalence: Any, shares: Any) -> Size:
    null, power, true = kappa_value("null", null), unit("power", power), common["true"]
    alpha, sided, method = common["alpha"], common["sided"], common["method"]
    if null == true:
        raise PlanError("null and true are the same kappa", got=true, example="null=.4, true=.6")
    if power <= LEAST_POWER:
        raise PlanError("power is too small", got=power, allowed="above .5", example="power=.8")
    margins = margins_given(method, prevalence, shares, common["raters"])
    if method == "goodness_of_fit":
        fit = size_fit.Fit(margins, common["raters"])
        raw = size_fit.items_for_test(fit, null, true, alpha, sided, power)
    else:
        spread = size_cohen.cantor_spread if method == "cantor" else size_cohen.flack_spread
        both = (spread(null, margins), spread(true, margins))
        raw = size_cohen.items_for_power(both, abs(true - null), alpha, sided, power)
    below = ("true lies below null: the test is planned to show too low a kappa",)
    said = assumed(method, margins, common["raters"]) + (below if true < null else ())
    return _made(common, raw, margins, said, null=null, power=power)


def _width(
    common: dict[str, Any], half_width: Any, low: Any, high: Any, prevalence: Any, shares: Any
) -> Size:
    true, sided, alpha = common["true"], common["sided"], common["alpha"]
    if half_width is not None:
        half_width = unit("half_width", half_width)
        low, high = true - half_width, true + half_width if sided == TWO else None
    margins = margins_given(common["method"], prevalence, shares, common["raters"])
    if common["method"] == "cantor":
        spread = size_cohen.cantor_spread(true, margins)
        raw = size_cohen.items_for_width(spread, half_width, alpha, sided)
    else:
        low, high = limits_given(true, low, high, sided)
        fit = size_fit.Fit(margins, common["raters"])
        raw = size_fit.items_for_limits(fit, true, low, high, alpha, sided)
    said = assumed(common["method"], margins, common["raters"])
    given = {"half_width": half_width, "low": low, "high": high}
    return _made(common, raw, margins, said, **given)


def _reach(common: dict[str, Any], n: Any, prevalence: Any, shares: Any) -> Size:
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < TWO:
        raise PlanError("n is no number of items", got=n, allowed="whole, 2 or more", where="n")
    margins = margins_given(common["method"], prevalence, shares, common["raters"])
    fit = size_fit.Fit(margins, common["raters"])
    low, high = size_fit.expected_limits(
        fit, common["true"], int(n), common["alpha"], common["sided"]
    )
    said = assumed(common["method"], margins, common["raters"])
    return _made(common, float(n), margins, said, low=low, high=high)


def _made(
    common: dict[str, Any],
    raw: float,
    margins: tuple[float, ...],
    assumptions: tuple[str, ...],
    **found: Any,
) -> Size:
    """Round up, and say everything that the number rests on."""
    pair = common["method"] == "cantor"
    absent = dict.fromkeys(("power", "null", "low", "high", "half_width"))
    return Size(
        n=math.ceil(raw * (1 - ROUNDING)),
        n_raw=raw,
        prevalence=margins if pair else None,
        shares=None if pair else margins,
        assumptions=assumptions,
        **{**absent, **common, **found},
    )
