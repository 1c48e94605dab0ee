"""Which question a sample-size calculation was asked, and whether its method can answer."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from toolkit.errors import PlanError
from toolkit.planning.size_checks import EDGE, TWO, category_shares, fitting, two_margins
from toolkit.planning.size_result import NAMES

RANDOM = "one random sample of items, each labelled by every rater, independently of other items"
LARGE = "large samples: with few positives the interval covers less than it says"


def method_named(method: Any) -> str:
    """Check the name of a method."""
    if not isinstance(method, str) or method not in NAMES:
        raise PlanError("unknown method", got=method, allowed=list(NAMES), example="'cantor'")
    return method


def question_asked(null: Any, half_width: Any, low: Any, high: Any, n: Any) -> str:
    """Tell which question the arguments ask: power, width or reach."""
    limits = low is not None or high is not None
    asked = {
        "null": null is not None,
        "half_width": half_width is not None,
        "low, high": limits,
        "n": n is not None,
    }
    if sum(asked.values()) != 1:
        raise PlanError(
            "one question at a time: a test (null), an interval (half_width, or low and high), or "
            "the interval that n items give (n)",
            got=[name for name, given in asked.items() if given],
            example="tk.size(true=.6, half_width=.1, prevalence=.25)",
        )
    return "power" if asked["null"] else "reach" if asked["n"] else "width"


def refuse_without_formula(
    method: str, question: str, *, raters: Any, shares: Any, limits: bool
) -> None:
    """Refuse what a method has no formula for."""
    lacking = {
        "an interval": method == "flack" and question != "power",
        "low= and high=": method == "cantor" and limits,
        "n=": method != "goodness_of_fit" and question == "reach",
        "more than two raters": method != "goodness_of_fit" and not _two(raters),
        "shares=": method == "cantor" and shares is not None,
    }
    for what, missing in lacking.items():
        if missing:
            raise PlanError(
                f"method {method!r} has no formula for {what}",
                got=method,
                allowed="flack" if what == "shares=" else "goodness_of_fit",
                where="method",
            )


def margins_given(method: str, prevalence: Any, shares: Any, raters: Any) -> tuple[float, ...]:
    """Give the two shares of positives (cantor), or the share of each category."""
    if method == "cantor":
        if prevalence is None:
            raise PlanError(
                "the share of positives is needed",
                allowed="one share, or (reference, judge)",
                example="prevalence=.05",
                where="prevalence",
            )
        return two_margins(prevalence)
    given = category_shares(prevalence, shares)
    if method == "goodness_of_fit":
        fitting(given, raters)
    return given


def limits_given(true: float, low: Any, high: Any, sided: int) -> tuple[float, float | None]:
    """Check that the limits enclose `true` and agree with the number of sides."""
    below = _real(low) and 0 <= low < true
    above = high is None if sided == 1 else _real(high) and true < high <= 1 - EDGE
    if not below or not above:
        raise PlanError(
            "limits do not fit the kappa and the number of sides",
            got={"low": low, "true": true, "high": high, "sided": sided},
            allowed="0 <= low < true < high < 1, or low alone with sided=1",
            example="true=.6, low=.5, high=.7",
        )
    return float(low), None if high is None else float(high)


def assumed(method: str, margins: tuple[float, ...], raters: int) -> tuple[str, ...]:
    """Say in words what must hold."""
    if method == "cantor":
        reference, judge = margins
        used = f"the reference calls {reference:.3g} of the items positive, the judge {judge:.3g}"
        return RANDOM, used, LARGE
    same = f"all {raters} raters use the categories equally often ({_listed(margins)})"
    if method == "flack":
        return RANDOM, same, "the least favourable table with these shares and kappas", LARGE
    if raters == TWO:
        return RANDOM, same, LARGE
    model = "share one draw with probability kappa" if len(margins) == TWO else "follow a Dirichlet"
    return RANDOM, same, f"labels of an item {model}, so every pair has the same kappa", LARGE


def _two(raters: Any) -> bool:
    return isinstance(raters, Integral) and raters == TWO


def _real(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _listed(shares: tuple[float, ...]) -> str:
    return ", ".join(f"{share:.3g}" for share in shares)
