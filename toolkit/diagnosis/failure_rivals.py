"""The best account of what ties the errors of a call: failed calls, or one of two rivals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toolkit.diagnosis.case import Floats
from toolkit.diagnosis.failure_model import (
    LOADINGS,
    NOTHING,
    Answers,
    Factor,
    Fit,
    tied,
    two_state,
)
from toolkit.labels.roles import Codes

RANDOM, GUESSED, DEFAULT, GIVEN = "random", "guessed", "default", "given"
WORTH = 1.0  # gain in log-likelihood below which the rivals need not be asked
CLOSE = 4.0  # modes that are further behind the best one are not fitted with a factor


@dataclass(frozen=True, eq=False)
class Accounts:
    """Log-likelihoods of the accounts, all given what the witnesses say.

    Attributes
    ----------
    fit : Fit
        Failed calls, beside a factor where that is likelier.
    mode : str
        "random", or "default".
    failed, failed_only : float
        Failed calls with and without a factor.
    nothing, impression, difficulty : float
        No failed calls: independent answers, a general impression, hard items.
    """

    fit: Fit
    mode: str
    failed: float
    failed_only: float
    nothing: float
    impression: float
    difficulty: float


def accounts(seen: Answers, classes: Codes) -> Accounts:
    """Fit failed calls and their rivals."""
    answers = failed_answers(seen, classes)
    nothing = tied(seen, NOTHING)
    fits = {mode: two_state(seen, answer) for mode, answer in answers.items()}
    mode = max(fits, key=lambda name: fits[name].likelihood)
    fit, alone = fits[mode], fits[mode].likelihood
    likelihood = max(nothing, alone)
    if alone - nothing < WORTH:
        independent = [nothing] * 3
        return Accounts(fit, _plain(mode), likelihood, likelihood, *independent)
    impression, pushed = _impression(seen)
    difficulty, hard, doubt = _difficulty(seen)
    near = [name for name in answers if fits[name].likelihood > alone - CLOSE]
    for name in near:
        for factor in (*pushed, *hard):
            tried = two_state(seen, answers[name], factor, fits[name])
            found = tried.likelihood - (doubt if factor.difficulty else 0)
            if found > likelihood:
                fit, mode, likelihood = tried, name, found
    return Accounts(fit, _plain(mode), likelihood, alone, nothing, impression, difficulty)


def failed_answers(seen: Answers, classes: Codes) -> dict[str, list[Floats]]:
    """Give the failed answers that are tried: at random, or one category of each construct.

    At random, all categories are alike or as common as they are among the classes; the one
    category is the commonest class, or the one that is given whatever the class.
    """
    sizes = [table.shape[1] for table in seen.counts[: seen.c]]
    common = [
        int(np.bincount(own[own >= 0], minlength=k).argmax())
        for own, k in zip(classes, sizes, strict=True)
    ]
    given = [int(row[:k].min(axis=0).argmax()) for row, k in zip(seen.rows, sizes, strict=False)]
    answers = {RANDOM: [np.full(k, 1 / k) for k in sizes]}
    answers[GUESSED] = [_usual(table) for table in seen.counts[: seen.c]]
    for name, chosen in ((DEFAULT, common), (GIVEN, given)):
        answers[name] = [np.eye(k)[one] for one, k in zip(chosen, sizes, strict=True)]
    if given == common:
        del answers[GIVEN]
    return answers


def _plain(mode: str) -> str:
    return RANDOM if mode in (RANDOM, GUESSED) else DEFAULT


def _usual(table: Floats) -> Floats:
    """Shares of the classes of a table, with one more item spread over them."""
    count = table.reshape(-1, table.shape[1], table.shape[1]).sum(axis=(0, 2)) + 1 / table.shape[1]
    return np.asarray(count / count.sum())


def _impression(seen: Answers) -> tuple[float, list[Factor]]:
    """Log-likelihood of the best loading; it and the one below, to try beside failed calls."""
    factors = [Factor(impression=loading) for loading in LOADINGS]
    likelihoods = [tied(seen, factor) for factor in factors]
    best = int(np.argmax(likelihoods))
    return likelihoods[best], factors[max(1, best - 1) : best + 1]


def _difficulty(seen: Answers) -> tuple[float, list[Factor], float]:
    """The same for hard items, less what difficulty explains among the witnesses alone."""
    alone = [tied(seen, Factor(doubt=loading), doubt_only=True) for loading in LOADINGS]
    steady = int(np.argmax(alone))
    bonus = alone[steady] - alone[0]
    doubts = LOADINGS[max(steady - 1, 0) : steady + 2]
    factors = [[Factor(difficulty=own, doubt=doubt) for own in LOADINGS] for doubt in doubts]
    found = np.array([[tied(seen, factor) for factor in row] for row in factors])
    row, best = np.unravel_index(int(found.argmax()), found.shape)
    return float(found.max()) - bonus, factors[row][max(1, int(best) - 1) : int(best) + 1], bonus
