"""What a sample-size calculation gives, with everything that the number depends on."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import pandas as pd

from toolkit.plain import plain

NAMES = {
    "cantor": "Cantor 1996",
    "flack": "Flack and others 1988, worst case",
    "goodness_of_fit": "Donner and Eliasziw's goodness of fit",
}


@dataclass(frozen=True)
class Size:
    """A sample size, or what a given sample size reaches, and what it rests on.

    Attributes
    ----------
    n : int
        Items that both (all) raters label.
    n_raw : float
        The same before it was rounded up.
    method : str
        "cantor", "flack" or "goodness_of_fit".
    question : str
        "width" (how many items for an interval), "power" (how many for a test), "reach" (what
        interval `n` items are expected to give).
    sided : int
        1 or 2: sides of the test or of the interval.
    alpha, level : float
        Error of the test or interval, and 1 - alpha.
    power : float or None
        Chance to reject `null` if kappa is `true`; None where no test is planned.
    true, null : float or None
        Kappa that is expected, and kappa under the hypothesis to reject.
    low, high : float or None
        Limits that the interval is planned, or expected, to have. None: not planned.
    half_width : float or None
        What was asked for.
    prevalence : tuple of float or None
        Share of positives: of both raters, or (reference, judge).
    shares : tuple of float or None
        Share of each category, the same for all raters.
    raters : int
        Raters that label every item.
    assumptions : tuple of str
        What must hold, in words.

    References
    ----------
    Cantor 1996, Psychological Methods 1:150, doi:10.1037/1082-989X.1.2.150.

    Examples
    --------
    >>> from toolkit.planning.size import size
    >>> print(size(null=.4, true=.6, prevalence=.3, sided=1))
    141 items (140.55): a one-sided test at alpha .05 rejects a kappa of .4 with probability .8
    if it is .6 (Cantor 1996)
    """

    n: int
    n_raw: float
    method: str
    question: str
    sided: int
    alpha: float
    level: float
    power: float | None
    true: float
    null: float | None
    low: float | None
    high: float | None
    half_width: float | None
    prevalence: tuple[float, ...] | None
    shares: tuple[float, ...] | None
    raters: int
    assumptions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))

    def to_frame(self) -> pd.DataFrame:
        """Give one row with all fields."""
        return pd.DataFrame([vars(self)])

    def __str__(self) -> str:
        sided = ("one", "two")[self.sided - 1]
        if self.question == "power":
            said = (
                f"a {sided}-sided test at alpha {_short(self.alpha)} rejects a kappa of "
                f"{_short(self.null)} with probability {_short(self.power)} if it is "
                f"{_short(self.true)}"
            )
        else:
            verb = "is expected to run" if self.question == "reach" else "is planned to run"
            said = (
                f"a {sided}-sided {100 * self.level:g} % interval around {_short(self.true)} "
                f"{verb} {_limits(self.low, self.high)}"
            )
        raw = "" if self.n_raw == self.n else f" ({self.n_raw:.2f})"
        return f"{self.n} items{raw}: {said} ({NAMES[self.method]})"

    def _repr_html_(self) -> str:
        listed = "".join(f"<li>{html.escape(line)}</li>" for line in self.assumptions)
        return f"<p>{html.escape(str(self))}</p><ul>{listed}</ul>"


def _short(value: float | None) -> str:
    text = "" if value is None else f"{round(value, 3):g}"
    return text[1:] if text.startswith("0.") else text


def _limits(low: float | None, high: float | None) -> str:
    return f"from {_short(low)}" + ("" if high is None else f" to {_short(high)}")
