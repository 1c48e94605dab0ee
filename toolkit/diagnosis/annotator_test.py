r"""Alternative annotator test: whether the judge may stand in for one of the people.

Each person j in turn is set aside. On every item, judge and person j are scored by how close they
are to the labels of the others; the better one wins, both win a tie. With :math:`\bar d_j` the
person's share of wins minus the judge's, the judge replaces person j if :math:`\bar d_j < \epsilon`
in a one-sided t-test, Benjamini-Yekutieli over people.

Where positives are rare a judge that never flags ties or wins nearly everywhere, and passes. So the
same test is given with every reference class weighing the same, and kappa stands beside both.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student
from statsmodels.stats.multitest import multipletests

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.diagnosis.case import Case, Floats
from toolkit.errors import StatisticsError
from toolkit.labels.roles import Codes
from toolkit.plain import plain

EXPERTS, SKILLED, CROWD = 0.2, 0.15, 0.1  # epsilon by who the people are
FEWEST_PEOPLE, FEWEST_ITEMS = 3, 30
FEWEST_IN_CLASS = 5  # fewer weigh too much each: of 3 positives nothing can be concluded
PASSES = 0.5  # winning rate from which the judge passes
LEVEL = 0.05  # false discovery rate


@dataclass(frozen=True)
class AnnotatorTest:
    """Result of the alternative annotator test.

    Attributes
    ----------
    people : tuple of str
        Persons that were set aside in turn, each with enough shared items.
    items : tuple of int
        Items of each person that another person and the judge labelled too.
    judge_wins, person_wins : tuple of float
        Share of those items on which the judge, or the person, is at least as close to the others.
    balanced_judge_wins, balanced_person_wins : tuple of float
        The same with each class of the others' labels weighing the same.
    p_values, balanced_p_values : tuple of float
        Adjusted p-values of "the person beats the judge by epsilon or more".
    winning_rate, balanced_winning_rate : float
        Share of persons for whom that is rejected; from .5 on the judge passes.
    advantage, balanced_advantage : float
        Average advantage probability: mean of `judge_wins`.
    kappas : tuple of float
        Kappa of the judge with each person, with the weights of the construct.
    epsilon : float
        Lead that a person must have to be worth the cost.
    scoring : str
        "accuracy" or "rmse" (negative root mean squared error of category numbers).
    level : float
        False discovery rate of the adjusted p-values.
    left_out : dict of str to int
        Persons with too few shared items, and how many they have.
    reasons : tuple of str
        Why numbers are nan: ``few_people``, ``few_items``; balanced only: ``one_class``,
        ``few_in_class``.

    References
    ----------
    Calderon, Reichart and Dror 2025, ACL 2025:16051, doi:10.18653/v1/2025.acl-long.782.
    Benjamini and Yekutieli 2001, Ann. Statistics 29:1165, doi:10.1214/aos/1013699998.

    Examples
    --------
    >>> import numpy as np
    >>> people = np.tile([[0, 0, 0], [1, 1, 1], [0, 0, 1], [1, 1, 0]], (10, 1))
    >>> result = annotator_test(people[:, 0], people, np.eye(2), ordered=False)
    >>> result.passes, result.winning_rate
    (True, 1.0)
    """

    people: tuple[str, ...]
    items: tuple[int, ...]
    judge_wins: tuple[float, ...]
    person_wins: tuple[float, ...]
    balanced_judge_wins: tuple[float, ...]
    balanced_person_wins: tuple[float, ...]
    p_values: tuple[float, ...]
    balanced_p_values: tuple[float, ...]
    winning_rate: float
    balanced_winning_rate: float
    advantage: float
    balanced_advantage: float
    kappas: tuple[float, ...]
    epsilon: float
    scoring: str
    level: float
    left_out: dict[str, int]
    reasons: tuple[str, ...]

    @property
    def passes(self) -> bool:
        """Whether the judge passes with all items weighing the same."""
        return self.winning_rate >= PASSES

    @property
    def balanced_passes(self) -> bool:
        """Whether the judge passes with all reference classes weighing the same."""
        return self.balanced_winning_rate >= PASSES

    def to_dict(self) -> dict[str, Any]:
        """Give all fields and both verdicts as strict-JSON material."""
        own = {"passes": self.passes, "balanced_passes": self.balanced_passes}
        return dict(plain({**vars(self), **own}))

    def to_frame(self) -> pd.DataFrame:
        """Give one row a person, kappa beside the wins."""
        return pd.DataFrame(
            {
                "person": self.people,
                "items": self.items,
                "kappa": self.kappas,
                "judge_wins": self.judge_wins,
                "person_wins": self.person_wins,
                "p_value": self.p_values,
                "balanced_judge_wins": self.balanced_judge_wins,
                "balanced_person_wins": self.balanced_person_wins,
                "balanced_p_value": self.balanced_p_values,
            }
        )

    def __str__(self) -> str:
        if np.isnan(self.winning_rate):
            return f"alternative annotator test undefined: {', '.join(self.reasons)}"
        words = {True: "passes", False: "does not pass"}
        balanced = (
            "undefined"
            if np.isnan(self.balanced_winning_rate)
            else f"{words[self.balanced_passes]}, winning rate {self.balanced_winning_rate:.2f}"
        )
        return (
            f"the judge {words[self.passes]} the alternative annotator test at epsilon "
            f"{self.epsilon:g}: winning rate {self.winning_rate:.2f}, advantage probability "
            f"{self.advantage:.2f}; classes weighing the same: {balanced}; kappa with each of "
            f"{len(self.people)} people {', '.join(f'{kappa:.2f}' for kappa in self.kappas)}"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>{self.to_frame().to_html(index=False)}"


def annotator_test(
    judge: Codes,
    people: Codes,
    weights: Floats,
    *,
    ordered: bool,
    names: tuple[str, ...] | None = None,
    epsilon: float = SKILLED,
) -> AnnotatorTest:
    r"""Test whether the judge may stand in for one of the people.

    Parameters
    ----------
    judge : ndarray of int, shape (n,)
        The judge's codes; -1: no label.
    people : ndarray of int, shape (n, p)
        Codes of each person; -1: no label.
    weights : ndarray of shape (k, k)
        Agreement weights of the kappas.
    ordered : bool
        Whether the categories are numbers on a line: scored by negative RMSE, else by accuracy.
    names : tuple of str, optional
        Of the persons; by default "person 1", "person 2", ...
    epsilon : float
        Lead of a person that pays: `EXPERTS` .2, `SKILLED` .15 or `CROWD` .1.

    Returns
    -------
    AnnotatorTest
        Undefined, with reasons, for fewer than 3 persons with 30 shared items each.

    Raises
    ------
    StatisticsError
        If `epsilon` is not within [0, 1).

    Notes
    -----
    A loss summed over the same others orders judge and person as accuracy and negative RMSE do,
    and whole numbers tie exactly. Balanced: item i weighs
    :math:`w_i = \sum_c s_{ic} / (C \sum_i s_{ic})`, with s the shares of the others' labels in
    each of the C classes that occur; the variance of the mean is
    :math:`\sum_i w_i^2 (d_i - \bar d)^2 \, m / (m - 1)` with :math:`m = 1 / \sum_i w_i^2`, and t
    has m - 1 degrees of freedom (equal weights: the t-test itself). Items count as independent.

    References
    ----------
    Calderon, Reichart and Dror 2025, ACL 2025:16051, doi:10.18653/v1/2025.acl-long.782.

    Examples
    --------
    >>> import numpy as np
    >>> rare = (np.arange(100) < 6).astype(int)
    >>> people = np.stack([rare, np.roll(rare, 1), np.roll(rare, -1)], axis=1)
    >>> never = annotator_test(np.zeros(100, int), people, np.eye(2), ordered=False)
    >>> never.passes, never.balanced_passes, never.kappas[0]
    (True, False, 0.0)
    """
    if not 0 <= epsilon < 1:
        raise StatisticsError(
            "epsilon is no lead in shares of wins",
            got=epsilon,
            allowed="0 <= epsilon < 1",
            example=f"epsilon={SKILLED}",
        )
    k = len(weights)
    names = names or tuple(f"person {i + 1}" for i in range(people.shape[1]))
    given = (people >= 0) & (judge >= 0)[:, None]
    shared = given & (given.sum(axis=1, keepdims=True) > 1)
    enough = shared.sum(axis=0) >= FEWEST_ITEMS
    left_out = {names[j]: int(shared[:, j].sum()) for j in np.flatnonzero(~enough)}
    kept = int(enough.sum())
    if kept < FEWEST_PEOPLE:
        reason = "few_people" if int(given.any(axis=0).sum()) < FEWEST_PEOPLE else "few_items"
        return _undefined(epsilon, ordered=ordered, left_out=left_out, reason=reason)
    seat = np.cumsum(enough) - 1
    item, person = np.nonzero(shared & enough)
    own, answer = people[item, person], judge[item]
    by = seat[person]
    others = (people[:, :, None] == np.arange(k)).sum(axis=1)[item] - (own[:, None] == np.arange(k))
    won, lost = _wins(answer, own, others, ordered=ordered)
    items = _sums(np.ones(len(by)), by)
    equal = 1 / items[by]
    balanced, reasons = _balanced(others, by)
    p, rate = _tested(lost - won, equal, by, epsilon)
    balanced_p, balanced_rate = _tested(lost - won, balanced, by, epsilon)
    judge_wins, balanced_judge_wins = _sums(won, by) / items, _sums(won * balanced, by)
    tables = np.bincount((by * k + own) * k + answer, minlength=kept * k * k).reshape(-1, k, k)
    return AnnotatorTest(
        people=tuple(names[j] for j in np.flatnonzero(enough)),
        items=tuple(map(int, items)),
        judge_wins=_floats(judge_wins),
        person_wins=_floats(_sums(lost, by) / items),
        balanced_judge_wins=_floats(balanced_judge_wins),
        balanced_person_wins=_floats(_sums(lost * balanced, by)),
        p_values=_floats(p),
        balanced_p_values=_floats(balanced_p),
        winning_rate=rate,
        balanced_winning_rate=balanced_rate,
        advantage=float(judge_wins.mean()),
        balanced_advantage=float(balanced_judge_wins.mean()),
        kappas=_floats(cohen_kappa(tables, weights)),
        epsilon=epsilon,
        scoring=_scoring(ordered=ordered),
        level=LEVEL,
        left_out=left_out,
        reasons=reasons,
    )


def of_case(case: Case, construct: int, epsilon: float = SKILLED) -> AnnotatorTest:
    """Test the judge of a case against all its people on one construct."""
    scale = case.scales[construct]
    return annotator_test(
        case.judge[construct],
        case.people[construct],
        scale.weights,
        ordered=scale.ordered and scale.k > 2,  # noqa: PLR2004  two categories: accuracy
        names=case.names.people,
        epsilon=epsilon,
    )


# Below, one row is one label: an item as one person labelled it; `by` is that person.


def _sums(values: Floats, by: Codes) -> Floats:
    """Sums by person."""
    return np.bincount(by, weights=values).astype(np.float64)


def _wins(judge: Codes, person: Codes, others: Codes, *, ordered: bool) -> tuple[Floats, Floats]:
    """Wins of the judge and of the person against the counts of the others' labels, (rows, k)."""
    number = np.arange(others.shape[1])
    apart = np.subtract.outer(number, number)
    loss = apart**2 if ordered else (apart != 0).astype(np.int64)
    to_others, row = others @ loss, np.arange(len(judge))
    by_judge, by_person = to_others[row, judge], to_others[row, person]
    return (by_judge <= by_person).astype(np.float64), (by_person <= by_judge).astype(np.float64)


def _balanced(others: Codes, by: Codes) -> tuple[Floats, tuple[str, ...]]:
    """Weights at which every class of the others' labels weighs the same, summing to 1 by person.

    nan with a reason where they would rest on too few items.
    """
    share = others / others.sum(axis=1, keepdims=True)
    total = np.stack([_sums(column, by) for column in share.T], axis=1)
    occurs = total > 0
    classes = occurs.sum(axis=1)
    alone = classes < 2  # noqa: PLR2004  nothing to balance
    few = (occurs & (total < FEWEST_IN_CLASS)).any(axis=1)
    weights = (share / np.where(occurs, total, 1)[by]).sum(axis=1) / classes[by]
    reasons = [word for word, here in (("one_class", alone), ("few_in_class", few)) if here.any()]
    return np.where((alone | few)[by], np.nan, weights), tuple(reasons)


def _tested(lead: Floats, weights: Floats, by: Codes, epsilon: float) -> tuple[Floats, float]:
    """Adjusted p-values of a mean lead of epsilon or more, and the share of people rejected."""
    mean = _sums(lead * weights, by)
    size = 1 / _sums(weights**2, by)
    freedom = np.maximum(size - 1, 1)
    error = np.sqrt(_sums(weights**2 * (lead - mean[by]) ** 2, by) * size / freedom)
    certain = np.where(mean < epsilon, -np.inf, np.inf)  # all leads equal: no spread to test by
    t = np.where(error > 0, (mean - epsilon) / np.where(error > 0, error, 1), certain)
    p = np.where(np.isnan(mean), np.nan, student.cdf(t, freedom))
    if np.isnan(p).any():
        return p, float("nan")
    adjusted = np.asarray(multipletests(p, alpha=LEVEL, method="fdr_by")[1])
    return adjusted, float((adjusted <= LEVEL).mean())


def _undefined(
    epsilon: float, *, ordered: bool, left_out: dict[str, int], reason: str
) -> AnnotatorTest:
    nan = float("nan")
    return AnnotatorTest(
        people=(),
        items=(),
        judge_wins=(),
        person_wins=(),
        balanced_judge_wins=(),
        balanced_person_wins=(),
        p_values=(),
        balanced_p_values=(),
        winning_rate=nan,
        balanced_winning_rate=nan,
        advantage=nan,
        balanced_advantage=nan,
        kappas=(),
        epsilon=epsilon,
        scoring=_scoring(ordered=ordered),
        level=LEVEL,
        left_out=left_out,
        reasons=(reason,),
    )


def _scoring(*, ordered: bool) -> str:
    return "rmse" if ordered else "accuracy"


def _floats(values: Floats) -> tuple[float, ...]:
    return tuple(map(float, values))
