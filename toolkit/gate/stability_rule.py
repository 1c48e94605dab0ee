"""The rule of `passes_ko` over many draws at once, and what was the only reason in each.

A test compares it with `passes_ko` on thousands of draws; nothing here decides for users.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolkit.gate.ko import KNOCKED_OUT, PASSED, STATUSES, UNDETERMINED

Bools = NDArray[np.bool_]
CODE = {status: code for code, status in enumerate(STATUSES)}  # a higher code is worse
NO_SOLE_REASON = -1


class Decided(NamedTuple):
    """What the gate says in every draw.

    Attributes
    ----------
    status : ndarray of shape (draws,)
        Position in `STATUSES`; the worst one is the highest.
    sole : ndarray of shape (draws,)
        Position of the only fatal prompt where nothing else knocks out; the number of prompts where
        the floor alone does; -1 where there is no reason, or more than one.
    """

    status: NDArray[np.int8]
    sole: NDArray[np.intp]


def decide(fatal: Bools, floor_hit: Bools, *, in_doubt: bool) -> Decided:
    """Decide in every draw, in the precedence of `passes_ko`.

    Parameters
    ----------
    fatal : ndarray of shape (draws, prompts)
        Red flags that disqualify under the scope of the pack.
    floor_hit : ndarray of shape (draws,)
        Whether the floor score lies at the threshold or below.
    in_doubt : bool
        Whether something keeps a model that is not knocked out from passing.

    Returns
    -------
    Decided

    Examples
    --------
    >>> decide(np.array([[True, False], [False, False]]), np.zeros(2, bool), in_doubt=False)
    Decided(status=array([2, 0], dtype=int8), sole=array([ 0, -1]))
    """
    number = fatal.sum(axis=1)
    out = (number > 0) | floor_hit
    otherwise = CODE[UNDETERMINED if in_doubt else PASSED]
    sole = np.full(len(fatal), NO_SOLE_REASON, dtype=np.intp)
    if fatal.shape[1]:
        sole = np.where((number == 1) & ~floor_hit, fatal.argmax(axis=1), sole)
    sole = np.where(floor_hit & (number == 0), fatal.shape[1], sole)
    return Decided(np.where(out, CODE[KNOCKED_OUT], otherwise).astype(np.int8), sole)


def disqualifying(flagged: Bools, curated: Bools, scope: str) -> Bools:
    """Keep the red flags that disqualify.

    Parameters
    ----------
    flagged : ndarray of shape (draws, prompts)
        Red flags.
    curated : ndarray of shape (prompts,)
        Whether a prompt is among ``red_flag_prompts``.
    scope : {"all", "curated"}
        Of the pack.

    Returns
    -------
    ndarray of shape (draws, prompts)

    Examples
    --------
    >>> disqualifying(np.array([[True, True]]), np.array([True, False]), "curated")
    array([[ True, False]])
    """
    return flagged if scope == "all" else flagged & curated
