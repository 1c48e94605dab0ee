"""Agreement weights between categories: 1 for the same category, less for a worse disagreement."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolkit.errors import StatisticsError

Floats = NDArray[np.float64]
EXAMPLE = "weights='quadratic', or for three categories [[1, .5, 0], [.5, 1, .5], [0, .5, 1]]"


def agreement_weights(weights: Any, k: int) -> Floats:
    r"""Build the matrix of agreement weights between `k` ordered categories.

    Parameters
    ----------
    weights : None, "linear", "quadratic" or array-like of shape (k, k)
        None: 1 on the diagonal, 0 elsewhere. A matrix with 1 on its diagonal holds agreement
        weights (at most 1). A matrix with 0 on its diagonal holds disagreement weights (at least
        0) and is turned into agreement weights; kappa is the same for both.
    k : int
        Number of categories; 0 gives an empty matrix.

    Returns
    -------
    ndarray of shape (k, k)
        Rows are the reference's categories, columns the judge's; 1 on the diagonal.

    Raises
    ------
    StatisticsError
        For an unknown name, a wrong shape, a value that is not finite, or a diagonal that is
        neither 1 nor 0.

    Notes
    -----
    Linear: :math:`1 - |i - j| / (k - 1)`; quadratic: :math:`1 - (i - j)^2 / (k - 1)^2`.
    Disagreement weights d become :math:`1 - d / \max d`.

    References
    ----------
    Cohen 1968, Psychological Bulletin 70:213, doi:10.1037/h0026256.

    Examples
    --------
    >>> agreement_weights("linear", 3)
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0.5],
           [0. , 0.5, 1. ]])
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 0:
        raise StatisticsError("no number of categories", got=k, allowed="whole", example="k=3")
    if weights is None:
        return np.eye(k)
    if isinstance(weights, str):
        return _distance_weights(weights, k)
    return _matrix_weights(weights, k)


def is_ordered(weights: Any) -> bool:
    """Tell whether the weights are named ones, which presuppose ordered categories."""
    return isinstance(weights, str)


def _distance_weights(name: str, k: int) -> Floats:
    power = {"linear": 1, "quadratic": 2}.get(name)
    if power is None:
        allowed = [None, "linear", "quadratic", f"a {k} x {k} matrix with 1 on the diagonal"]
        raise StatisticsError("unknown weights", got=name, allowed=allowed, example=EXAMPLE)
    position = np.arange(k)
    distance = np.abs(position[:, None] - position) / max(k - 1, 1)
    return np.asarray(1.0 - distance**power, dtype=np.float64)


def _matrix_weights(weights: Any, k: int) -> Floats:
    try:
        matrix = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StatisticsError("weights are no numbers", got=weights, example=EXAMPLE) from error
    if matrix.shape != (k, k):
        raise StatisticsError(
            "weights have the wrong shape", got=matrix.shape, allowed=[(k, k)], example=EXAMPLE
        )
    if not np.isfinite(matrix).all():
        raise StatisticsError("weights are not all finite", got=matrix.tolist(), example=EXAMPLE)
    diagonal = np.diag(matrix)
    if np.allclose(diagonal, 1) and matrix.max() <= 1:
        return matrix
    if np.allclose(diagonal, 0) and matrix.min() >= 0 and matrix.max() > 0:
        return np.asarray(1.0 - matrix / matrix.max())
    raise StatisticsError(
        "weights are neither agreement nor disagreement weights",
        got=matrix.tolist(),
        allowed="1 on the diagonal and at most 1 elsewhere, or 0 on the diagonal and positive",
        example=EXAMPLE,
    )
