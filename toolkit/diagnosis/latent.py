r"""Agreement as two cuts on a latent scale: what kappa would be with other margins or less noise.

People's cuts t and the judge's cuts u come from the margins of the table, the latent correlation
rho from its covariance. Then P(people <= i, judge <= j) = Phi2(t_i, u_j; rho), with

.. math:: \Phi_2(h, g; \rho) - \Phi(h)\Phi(g) = \frac{1}{2\pi} \int_0^{\arcsin\rho}
          \exp\left(-\frac{h^2 + g^2 - 2 h g \sin v}{2 \cos^2 v}\right) dv

(Plackett 1954, Biometrika 41:351, doi:10.1093/biomet/41.3-4.351). Summed over all pairs of cuts it
is the covariance of the category numbers (Hoeffding). With two categories rho is the tetrachoric
correlation.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from toolkit.coefficients.weights import Floats

LEAST = 0.001  # margins are kept off 0 and 1 by this much, so that cuts stay finite
MOST = 0.995  # largest latent correlation told from 1
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
EDGE = float(np.arcsin(MOST))
STEPS, LARGEST, TINY, CLOSE = (
    9,
    0.5,
    1e-9,
    1e-8,
)  # Newton in arcsin(rho), where the covariance bends least


def cuts_of(margins: Floats) -> Floats:
    """Cut points (..., k - 1) on the latent scale from category shares (..., k)."""
    below = np.cumsum(margins, axis=-1)[..., :-1] / margins.sum(axis=-1, keepdims=True)
    return np.asarray(ndtri(np.clip(below, LEAST, 1 - LEAST)))


def margins_of(cuts: Floats) -> Floats:
    """Category shares (..., k) from cut points (..., k - 1)."""
    ends = np.zeros((*cuts.shape[:-1], 1))
    return np.diff(np.concatenate([ends, ndtr(cuts), ends + 1], axis=-1), axis=-1)


def excess(people: Floats, judge: Floats, rho: Floats) -> Floats:
    """Phi2 minus the product at every pair of cuts: (..., a), (..., b), (...) -> (..., a, b)."""
    h, g = people[..., :, None, None], judge[..., None, :, None]
    half = np.arcsin(np.clip(rho, -MOST, MOST))[..., None, None, None] / 2
    angle = half * (NODES + 1)
    power = (h * h + g * g - 2 * h * g * np.sin(angle)) / (2 * np.cos(angle) ** 2)
    return np.asarray((np.exp(-power) @ WEIGHTS) * half[..., 0] / (2 * np.pi))


def table_of(people: Floats, judge: Floats, rho: Floats) -> Floats:
    """Table of shares (..., k, k) of the latent model."""
    joint = excess(people, judge, rho) + ndtr(people)[..., :, None] * ndtr(judge)[..., None, :]
    lead = np.broadcast_shapes(people.shape[:-1], judge.shape[:-1], np.shape(rho))
    k, j = people.shape[-1] + 1, judge.shape[-1] + 1
    full = np.zeros((*lead, k + 1, j + 1))
    full[..., 1:k, 1:j] = joint
    full[..., k, 1:j] = ndtr(judge)
    full[..., 1:k, j] = ndtr(people)
    full[..., k, j] = 1
    return np.maximum(np.diff(np.diff(full, axis=-2), axis=-1), 0)


def rho_of(tables: Floats) -> Floats:
    """Latent correlation of a stack of tables: the one whose covariance is the observed."""
    shares = tables / tables.sum(axis=(-2, -1), keepdims=True)
    people, judge = shares.sum(axis=-1), shares.sum(axis=-2)
    i, j = np.arange(people.shape[-1]), np.arange(judge.shape[-1])
    observed = np.einsum("...ij,i,j", shares, i, j) - (people @ i) * (judge @ j)
    h, g = cuts_of(people), cuts_of(judge)
    angle = np.zeros(observed.shape)
    for _ in range(STEPS):
        gap = excess(h, g, np.sin(angle)).sum(axis=(-2, -1)) - observed
        slope = _density(h, g, angle).sum(axis=(-2, -1))
        step = np.clip(gap / np.maximum(slope, TINY), -LARGEST, LARGEST)
        angle = np.clip(angle - step, -EDGE, EDGE)
        if np.abs(step).max(initial=0) < CLOSE:
            break
    return np.sin(angle)


def _density(people: Floats, judge: Floats, angle: Floats) -> Floats:
    """Slope of `excess` in the angle arcsin(rho): (..., a, b)."""
    h, g, v = people[..., :, None], judge[..., None, :], angle[..., None, None]
    power = (h * h + g * g - 2 * h * g * np.sin(v)) / (2 * np.cos(v) ** 2)
    return np.asarray(np.exp(-power) / (2 * np.pi))
