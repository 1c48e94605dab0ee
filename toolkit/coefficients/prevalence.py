"""Kappa at another prevalence, and the prevalence behind an imperfect judge.

Both are what-ifs: sensitivity and specificity are taken as fixed, yet they move with the mix of
easy and hard items (Vach 2005, J. Clinical Epidemiology 58:655,
doi:10.1016/j.jclinepi.2004.02.021).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolkit.coefficients.weights import Floats
from toolkit.errors import StatisticsError
from toolkit.plain import plain

ROUNDING = 1e-12


def kappa_at_prevalence(
    sensitivity: Any,
    specificity: Any,
    prevalence: Any,
    *,
    reference_sensitivity: Any = 1.0,
    reference_specificity: Any = 1.0,
) -> Floats:
    r"""Cohen's kappa that a judge of given accuracy would reach at a given prevalence.

    Parameters
    ----------
    sensitivity, specificity : array-like
        Probability that the judge finds a true positive, and clears a true negative; 0 to 1.
    prevalence : array-like
        Share of true positives, 0 to 1.
    reference_sensitivity, reference_specificity : array-like
        The same for the other rater, whose errors are independent of the judge's given the truth.
        1: the reference is the truth.

    Returns
    -------
    ndarray
        Broadcast of all arguments. nan where both raters give one and the same label throughout
        (the only reason: ``both_constant``), or where an argument is nan.

    Raises
    ------
    StatisticsError
        If an argument is no probability, or their shapes do not broadcast.

    Notes
    -----
    With prevalence :math:`\pi`, Youden indices :math:`J_g = Se_g + Sp_g - 1` and margins
    :math:`p_g = \pi Se_g + (1 - \pi) (1 - Sp_g)`:
    :math:`\kappa = 2 \pi (1 - \pi) J_1 J_2 / (p_1 (1 - p_2) + p_2 (1 - p_1))`.

    References
    ----------
    Thompson and Walter 1988, J. Clinical Epidemiology 41:949, doi:10.1016/0895-4356(88)90031-5.
    Two fallible raters: Spitznagel and Helzer 1985, Archives of General Psychiatry 42:725,
    doi:10.1001/archpsyc.1985.01790300093012.

    Examples
    --------
    >>> kappa_at_prevalence(.8, .9, [.01, .1, .5]).round(3)
    array([0.121, 0.534, 0.7  ])
    >>> kappa_at_prevalence(.95, .95, .01, reference_sensitivity=.95,
    ...                     reference_specificity=.95).round(2)
    np.float64(0.14)
    """
    se, sp, prevalence, ref_se, ref_sp = _probabilities(
        sensitivity=sensitivity,
        specificity=specificity,
        prevalence=prevalence,
        reference_sensitivity=reference_sensitivity,
        reference_specificity=reference_specificity,
    )
    judge, reference = _positive(se, sp, prevalence), _positive(ref_se, ref_sp, prevalence)
    youden = (se + sp - 1) * (ref_se + ref_sp - 1)
    chance = judge * (1 - reference) + reference * (1 - judge)
    return _ratio(2 * prevalence * (1 - prevalence) * youden, chance, chance > 0)


@dataclass(frozen=True, eq=False)
class TruePrevalence:
    """Prevalence behind the share of positives that an imperfect judge reports.

    Attributes
    ----------
    estimate : ndarray
        0 to 1: `unclipped`, moved to the nearer end where it lies outside. nan where undefined.
    unclipped : ndarray
        What the formula gives.
    clipped : ndarray of bool
        Where the two differ: the reported share cannot come from this sensitivity and specificity,
        so chance or wrong accuracies speak, and the estimate is a bound.
    reasons : tuple of str
        Why some are nan: ``uninformative_judge`` (sensitivity + specificity = 1), ``missing``.
    flags : tuple of str
        ``clipped``; ``worse_than_chance`` (sensitivity + specificity below 1 somewhere: a reversed
        convention?).

    References
    ----------
    Rogan and Gladen 1978, American J. of Epidemiology 107:71,
    doi:10.1093/oxfordjournals.aje.a112510.

    Examples
    --------
    >>> rogan_gladen(.22, .85, .95).estimate.round(4)
    np.float64(0.2125)
    """

    estimate: Floats
    unclipped: Floats
    clipped: NDArray[np.bool_]
    reasons: tuple[str, ...]
    flags: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))


def rogan_gladen(apparent: Any, sensitivity: Any, specificity: Any) -> TruePrevalence:
    r"""Correct the share of positives that a judge reports for the judge's known errors.

    Parameters
    ----------
    apparent : array-like
        Share of items that the judge calls positive, 0 to 1.
    sensitivity, specificity : array-like
        Probability that the judge finds a true positive, and clears a true negative; 0 to 1.

    Returns
    -------
    TruePrevalence
        Broadcast of the three. Values outside [0, 1] are moved to the nearer end, never silently.

    Raises
    ------
    StatisticsError
        If an argument is no probability, or their shapes do not broadcast.

    Notes
    -----
    :math:`\hat\pi = (p + Sp - 1) / (Se + Sp - 1)`.

    References
    ----------
    Rogan and Gladen 1978, American J. of Epidemiology 107:71,
    doi:10.1093/oxfordjournals.aje.a112510.

    Examples
    --------
    >>> result = rogan_gladen([.22, .02], sensitivity=.85, specificity=.95)
    >>> result.estimate, result.unclipped.round(4), result.flags
    (array([0.2125, 0.    ]), array([ 0.2125, -0.0375]), ('clipped',))
    """
    p, se, sp = _probabilities(apparent=apparent, sensitivity=sensitivity, specificity=specificity)
    youden = se + sp - 1
    informative = np.abs(youden) > ROUNDING
    unclipped = _ratio(p + sp - 1, youden, informative)
    estimate = np.clip(unclipped, 0, 1)
    clipped = np.abs(estimate - unclipped) > ROUNDING
    missing = np.isnan(p + youden)
    return TruePrevalence(
        estimate=estimate,
        unclipped=unclipped,
        clipped=clipped,
        reasons=_names(uninformative_judge=~informative & ~missing, missing=missing),
        flags=_names(clipped=clipped, worse_than_chance=youden < -ROUNDING),
    )


def _positive(sensitivity: Floats, specificity: Floats, prevalence: Floats) -> Floats:
    return np.clip(prevalence * sensitivity + (1 - prevalence) * (1 - specificity), 0, 1)


def _ratio(numerator: Floats, denominator: Floats, defined: NDArray[np.bool_]) -> Floats:
    result = np.full(np.shape(defined), np.nan)
    np.divide(numerator, denominator, out=result, where=defined)
    return result[()]


def _names(**where: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(name for name, hit in where.items() if np.any(hit))


def _probabilities(**values: Any) -> list[Floats]:
    """Check arguments for values from 0 to 1 (nan is a missing one) and broadcast them."""
    arrays = []
    for name, value in values.items():
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise StatisticsError(
                f"{name} is no number", got=value, example=f"{name}=.9"
            ) from error
        if (array < 0).any() or (array > 1).any():
            raise StatisticsError(
                f"{name} is no probability", got=value, allowed="0 to 1", example=f"{name}=.9"
            )
        arrays.append(array)
    try:
        return list(np.broadcast_arrays(*arrays))
    except ValueError as error:
        raise StatisticsError(
            "arguments of different shapes",
            got={name: array.shape for name, array in zip(values, arrays, strict=True)},
            allowed="shapes that broadcast",
        ) from error
