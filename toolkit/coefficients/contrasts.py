"""All pairs of constructs compared at once, with p-values that account for their number."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from statsmodels.stats.multitest import multipletests

from toolkit.coefficients.contrast import Contrast, contrast_of_calls
from toolkit.coefficients.from_labels import chosen_constructs
from toolkit.coefficients.options import resampling
from toolkit.errors import LabelError
from toolkit.labels.pairs import Alignment
from toolkit.labels.roles import resolve_roles
from toolkit.labels.table import Labels
from toolkit.plain import plain


@dataclass(frozen=True, repr=False)
class Contrasts:
    """Contrasts of all pairs of constructs.

    Attributes
    ----------
    pairs : tuple of Contrast
        In the order of the constructs; in each the second kappa minus the first.
    p_holm : tuple of float
        Their p-values adjusted by Holm's method; nan where a contrast is undefined.

    References
    ----------
    Holm 1979, Scandinavian J. of Statistics 6:65, https://www.jstor.org/stable/4615733.

    Examples
    --------
    >>> import toolkit as tk
    >>> len(tk.contrasts(tk.simulate(["a", "b", "c"], n_calls=100)).pairs)
    3
    """

    pairs: tuple[Contrast, ...]
    p_holm: tuple[float, ...]

    def __repr__(self) -> str:
        return f"Contrasts({len(self.pairs)} pairs; see to_frame())"

    def __iter__(self) -> Iterator[Contrast]:
        return iter(self.pairs)

    def p_of(self, one: str, other: str) -> float:
        """Give the adjusted p-value of a pair, in either order."""
        for pair, p_value in zip(self.pairs, self.p_holm, strict=True):
            if set(pair.names) == {one, other}:
                return p_value
        raise KeyError((one, other))

    def to_frame(self) -> pd.DataFrame:
        """Give one row per pair, with p_holm beside p_value."""
        frame = pd.concat([pair.to_frame() for pair in self.pairs], ignore_index=True)
        frame.insert(list(frame.columns).index("p_value") + 1, "p_holm", list(self.p_holm))
        return frame

    def to_dict(self) -> dict[str, Any]:
        """Give everything as strict-JSON material."""
        return dict(plain({"pairs": [p.to_dict() for p in self.pairs], "p_holm": self.p_holm}))

    def _repr_html_(self) -> str:
        columns = ["of_low", "of_high", "difference", "low", "high", "p_value", "p_holm", "n_calls"]
        return str(self.to_frame()[columns].round(3).to_html(index=False, na_rep="undefined"))


def contrasts(
    labels: Labels,
    constructs: Sequence[str] | None = None,
    judge: str | None = None,
    reference: str | Sequence[str] | None = None,
    weights: Any = None,
    cluster: str | None = None,
    seed: int = 0,
    *,
    interval: str = "jeffreys",
    level: float = 0.95,
    draws: int = 20_000,
) -> Contrasts:
    """Compare all pairs of constructs, each over the calls that labelled both.

    Parameters
    ----------
    labels : Labels
        From `read_labels` or `simulate`.
    constructs : sequence of str, optional
        Two or more names; None: all.
    judge, reference, weights, cluster, seed, interval, level, draws
        As in `contrast`. Intervals are not widened for the number of pairs; p_holm is adjusted.

    Returns
    -------
    Contrasts

    Raises
    ------
    LabelError
        If fewer than two constructs are there, or a name is unknown.
    StatisticsError
        If an option does not fit.

    References
    ----------
    Vanbelle 2017, Biometrical Journal 59:1016, doi:10.1002/bimj.201600154.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["escalation", "self_harm", "advice"], n_calls=100)
    >>> tk.contrasts(labels).to_frame()["of_low"].tolist()
    ['escalation', 'escalation', 'self_harm']
    """
    options = resampling(interval, level, draws, seed)
    roles, alignment = resolve_roles(labels, judge, reference), Alignment(labels)
    names = labels.constructs if constructs is None else chosen_constructs(labels, constructs)
    if len(names) < 2:  # noqa: PLR2004  a pair
        raise LabelError("fewer than two constructs", got=names, allowed=labels.constructs)
    pairs = tuple(
        contrast_of_calls(alignment, pair, roles, weights, cluster, options)
        for pair in itertools.combinations(names, 2)
    )
    return Contrasts(pairs, _holm([pair.p_value for pair in pairs]))


def _holm(p_values: list[float]) -> tuple[float, ...]:
    values = np.array(p_values)
    defined = ~np.isnan(values)
    if defined.any():
        values[defined] = multipletests(values[defined], method="holm")[1]
    return tuple(values.tolist())
