"""Which two constructs are compared, and what it costs that the data picked them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from statsmodels.stats.multitest import multipletests

from toolkit.coefficients.agreement import Agreement
from toolkit.coefficients.contrasts import contrasts
from toolkit.errors import LabelError
from toolkit.labels.table import Labels


@dataclass(frozen=True)
class Selection:
    """How the data picked a pair: over how many contrasts, and the p-value adjusted for them.

    Attributes
    ----------
    number : int
        Contrasts among which the pair stands out.
    p_value : float
        Adjusted by Holm's method.
    picked : str
        In words, what was picked.

    References
    ----------
    Holm 1979, Scandinavian J. of Statistics 6:65, https://www.jstor.org/stable/4615733.

    Examples
    --------
    >>> Selection(3, 0.012, "both were picked").number
    3
    """

    number: int
    p_value: float
    picked: str


def choose_pair(
    agreement: Agreement, low: str | None = None, high: str | None = None
) -> tuple[str, str] | None:
    """Settle which two constructs are compared.

    Parameters
    ----------
    agreement : Agreement
        All constructs.
    low, high : str, optional
        Names that the user gave. A missing one becomes the lowest or the highest kappa.

    Returns
    -------
    tuple of two str, or None
        (low, high); None without two different constructs.

    Raises
    ------
    LabelError
        If a name is unknown, or both are the same.

    Examples
    --------
    >>> import toolkit as tk
    >>> choose_pair(tk.agreement(tk.simulate(["a", "b"], n_calls=100)), low="b")
    ('b', 'a')
    """
    names = [one.construct for one in agreement]
    for role, name in (("low", low), ("high", high)):
        if name is not None and name not in names:
            raise LabelError("unknown construct", got=name, allowed=names, where=role)
    if low is not None and low == high:
        raise LabelError("low and high are the same construct", got=low, allowed=names)
    free = [one for one in agreement if one.construct not in (low, high)]
    # Undefined kappas stand last: they are compared only where there is nothing else.
    free.sort(key=lambda one: (math.isnan(one.kappa.estimate), one.kappa.estimate))
    defined = [one for one in free if not math.isnan(one.kappa.estimate)]
    ranked = [one.construct for one in free]
    if low is None and ranked:
        low = ranked.pop(0)
    if high is None and ranked:
        best = defined[-1].construct if defined else ranked[0]
        high = best if best != low else ranked[0]
    return None if low is None or high is None else (low, high)


def selection(
    labels: Labels,
    pair: tuple[str, str] | None,
    low: str | None,
    high: str | None,
    **options: Any,
) -> Selection | None:
    """Adjust the pair's p-value for the contrasts among which it was picked.

    Parameters
    ----------
    labels : Labels
        What was read.
    pair : tuple of two str, or None
        From `choose_pair`.
    low, high : str or None
        Names that the user gave.
    **options : object
        As for `toolkit.contrasts`.

    Returns
    -------
    Selection or None
        None where nothing was picked (both named, or no more than two constructs), or where the
        pair has no p-value to adjust: its difference or its interval is undefined.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["a", "b", "c"], n_calls=100)
    >>> selection(labels, ("a", "b"), "a", None).picked
    'b was picked as the highest of 2 others'
    """
    if (
        pair is None
        or (low is not None and high is not None)
        or len(labels.constructs) <= len(pair)
    ):
        return None
    named = low if low is not None else high
    family = [
        one
        for one in contrasts(labels, **options)
        if (named is None or named in one.names) and not math.isnan(one.p_value)
    ]
    place = next((i for i, one in enumerate(family) if set(one.names) == set(pair)), None)
    if place is None:
        return None
    adjusted = multipletests([one.p_value for one in family], method="holm")[1]
    if named is None:
        picked = f"they are the lowest and the highest of {len(labels.constructs)} kappas"
    else:
        other, extreme = (pair[1], "highest") if named == pair[0] else (pair[0], "lowest")
        others = len(labels.constructs) - 1
        picked = f"{other} was picked as the {extreme} of {others} others"
    return Selection(len(family), float(adjusted[place]), picked)
