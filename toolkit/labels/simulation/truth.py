"""What is true of simulated labels: the population's tables as shares, and their kappas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from toolkit.plain import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ConstructTruth:
    """What is true of one simulated construct in the population, before a cause is planted.

    Attributes
    ----------
    construct : str
        Name of the construct.
    categories : tuple of (int or str)
        Categories in order.
    shares : tuple of float
        Population share of each category of the true labels; they sum to 1.
    prevalence : float
        Share of items whose true label is the second of two categories, in [0, 1]; nan for more
        than two categories, where `shares` tells.
    sensitivity, specificity : float
        The judge against the true labels, in [0, 1]; nan for more than two categories.
    agreement : float
        Latent correlation of the judge with the truth, in [0, 1]; nan for two categories.
    human_error : tuple of float
        Per person: probability of a flipped label (two categories), or the share of the latent
        variance that is noise.
    table : ndarray of float, shape (k, k)
        Expected shares, rows `human1`, columns `judge`; the sum is 1.
    kappa, kappa_quadratic : float
        Cohen's kappa of `table`, unweighted and with quadratic weights; nan where undefined
        because chance agreement is 1.
    table_majority : ndarray of float, shape (k, k)
        The same against the majority of all people, among the items that have one.
    kappa_majority, kappa_majority_quadratic : float
        Kappas of `table_majority`.
    tied : float
        Share of items without a majority, in [0, 1].
    kappa_people, kappa_people_quadratic : float
        Kappas of `human1` against `human2`; nan where there is one person only.

    Examples
    --------
    >>> import toolkit as tk
    >>> truth = tk.simulate({"harm": {"prevalence": 0.1, "sensitivity": 0.8}}).truth["harm"]
    >>> truth.table.round(3)
    array([[0.855, 0.045],
           [0.02 , 0.08 ]])
    >>> round(truth.kappa, 3)
    0.675
    """

    construct: str
    categories: tuple[int | str, ...]
    shares: tuple[float, ...]
    prevalence: float
    sensitivity: float
    specificity: float
    agreement: float
    human_error: tuple[float, ...]
    table: Floats
    kappa: float
    kappa_quadratic: float
    table_majority: Floats
    kappa_majority: float
    kappa_majority_quadratic: float
    tied: float
    kappa_people: float
    kappa_people_quadratic: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists, numbers and strings; nan becomes None, as strict JSON wants it.

        Examples
        --------
        >>> import toolkit as tk
        >>> tk.simulate(["harm"]).truth["harm"].to_dict()["agreement"] is None
        True
        """
        return {name: plain(value) for name, value in asdict(self).items()}


class Truth(Mapping[str, ConstructTruth]):
    """Truth of every simulated construct, by name, in the order of the constructs.

    The numbers of a construct describe the world as the options ask for it, before any cause was
    planted; what a cause changed in the first construct is told by `planted` alone.

    Parameters
    ----------
    truths : sequence of ConstructTruth
        One entry per construct.
    planted : mapping of str to dict, optional
        What each planted cause drew, in the order in which the causes were asked for.

    Attributes
    ----------
    causes : tuple of str
        Names of the planted causes; empty without any.
    planted : dict of str to dict
        Per cause plain values: direction, strata, place in the order, shares.

    Examples
    --------
    >>> import toolkit as tk
    >>> truth = tk.simulate(["escalation", "self_harm"]).truth
    >>> list(truth), truth["self_harm"].prevalence
    (['escalation', 'self_harm'], 0.2)
    >>> truth.causes
    ()
    >>> tk.simulate(["escalation", "self_harm"], cause="halo").truth.planted
    {'halo': {'share': 0.6}}
    """

    def __init__(
        self,
        truths: Sequence[ConstructTruth],
        planted: Mapping[str, dict[str, Any]] | None = None,
    ) -> None:
        self._truths = {truth.construct: truth for truth in truths}
        self.planted = dict(planted or {})

    @property
    def causes(self) -> tuple[str, ...]:
        """Names of the planted causes."""
        return tuple(self.planted)

    def __getitem__(self, construct: str) -> ConstructTruth:
        return self._truths[construct]

    def __iter__(self) -> Iterator[str]:
        return iter(self._truths)

    def __len__(self) -> int:
        return len(self._truths)

    def __repr__(self) -> str:
        kappas = ", ".join(f"{name}: kappa {truth.kappa:.3f}" for name, truth in self.items())
        planted = f"; planted: {', '.join(self.causes)}" if self.causes else ""
        return f"Truth({kappas}{planted})"

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return one plain mapping per construct, ready for strict JSON.

        Examples
        --------
        >>> import toolkit as tk
        >>> tk.simulate(["harm"]).truth.to_dict()["harm"]["categories"]
        [0, 1]
        """
        return {name: truth.to_dict() for name, truth in self.items()}

    def to_frame(self) -> pd.DataFrame:
        """Return one row per construct with every number but the tables.

        Examples
        --------
        >>> import toolkit as tk
        >>> tk.simulate(["harm"]).truth.to_frame()[["construct", "prevalence", "sensitivity"]]
          construct  prevalence  sensitivity
        0      harm         0.2         0.85
        """
        frame = pd.DataFrame([asdict(truth) for truth in self.values()])
        return frame.drop(columns=["table", "table_majority"])
