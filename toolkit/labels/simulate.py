"""Simulated labels whose population values are known exactly."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from toolkit.errors import ToolkitError
from toolkit.labels.read import read_labels
from toolkit.labels.simulation.cause_options import read_causes, read_effect
from toolkit.labels.simulation.latent import World
from toolkit.labels.simulation.layout import simulated_frame, simulated_schema
from toolkit.labels.simulation.options import MOST_HUMANS, probability, read_constructs, whole
from toolkit.labels.simulation.population import construct_truth
from toolkit.labels.simulation.sample import draw
from toolkit.labels.simulation.truth import Truth
from toolkit.labels.table import Labels

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_STRATA = 26
STRATA_OF_CAUSE = 4


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedLabels(Labels):
    """Labels together with what is true of the population they were drawn from.

    Attributes
    ----------
    truth : Truth
        Per construct: prevalence, sensitivity, specificity, expected tables and kappas, before a
        cause was planted; and the causes with what was planted.

    See Also
    --------
    simulate : Draw them.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["escalation", "self_harm"], n_calls=100, seed=1)
    >>> labels
    SimulatedLabels(800 labels of 100 items by 4 raters on 2 constructs, from simulate, seed 1)
    >>> labels.truth
    Truth(escalation: kappa 0.785, self_harm: kappa 0.785)
    """

    truth: Truth


def simulate(
    constructs: Any,
    n_calls: int = 300,
    *,
    cause: str | Sequence[str] | None = None,
    seed: int = 0,
    prevalence: Any = 0.2,
    sensitivity: float = 0.85,
    specificity: float = 0.95,
    categories: Any = 2,
    agreement: float = 0.8,
    humans: int = 3,
    human_error: Any = 0.0,
    call_correlation: float = 0.0,
    construct_correlation: float = 0.0,
    conversations: int | None = None,
    conversation_effect: float = 0.0,
    missing: float = 0.0,
    judges: int = 1,
    strata: int | None = None,
    ordered: bool = False,
    sittings: int = 1,
    effect: float = 1.0,
) -> SimulatedLabels:
    """Simulate a judge and one to three people who label several constructs of the same items.

    Nuisances are off unless asked for, and switching one on leaves the rest of the draw as it was.
    A cause of disagreement can be planted in the first construct, so that it agrees worse than the
    last one.

    Parameters
    ----------
    constructs : list of str, or dict of str to dict
        Names, or name -> options that override the arguments of the same name: `prevalence`,
        `sensitivity`, `specificity`, `categories`, `agreement`, `human_error`.
    n_calls : int, optional
        Items, 1 or more; the judge labels all constructs of an item in one call.
    cause : str, or tuple of two str, optional
        What makes the judge and people disagree on the first construct, or a pair of such causes
        at once; Notes say what each does. What was drawn stands in ``truth.planted``.
    seed : int, optional
        0 or more; the same seed gives the same labels.
    prevalence : float or sequence of float, optional
        Share of true labels in each category, lowest category first; they sum to 1. A single
        number p in [0, 1] means binomial shares: for two categories, p is the share of the second.
    sensitivity, specificity : float, optional
        Two categories only: probability, in [0, 1], that the judge is right where the true label is
        the second category, and where it is the first.
    categories : int or sequence, optional
        Number of categories (2 gives 0 and 1, k > 2 gives 1 to k), or distinct labels, lowest
        first, all integers or all strings. Two are nominal and the second is present; more are
        ordinal.
    agreement : float, optional
        Ordinal only: correlation of the judge with the latent truth, in [0, 1].
    humans : int, optional
        Number of people, 1 to 3: raters `human1` to `human3`. Each labels every item.
    human_error : float or sequence of float, optional
        How fallible people are, one number or one each. Two categories: the probability of a
        flipped label. Ordinal: the share of a person's latent variance that is noise.
    call_correlation : float, optional
        Share of calls, in [0, 1], in which one draw drives the judge's errors on all constructs; in
        the others they are independent.
    construct_correlation : float, optional
        Correlation of the latent truths of any two constructs, in [0, 1].
    conversations : int, optional
        Items per conversation; adds the column `cluster`. None: items stand alone.
    conversation_effect : float, optional
        Intraclass correlation within a conversation, in [0, 1], of the latent truth and of the
        latent error of the judge.
    missing : float, optional
        Share of the judge's labels that are missing at random, in [0, 1].
    judges : int, optional
        1 or 2: the second is the rater `judge2`, with calls and errors of its own. Causes on the
        judge's side leave it alone; those on the side of people or items show in both judges.
    strata : int, optional
        2 to 26: adds the column `stratum`, `s1` and so on, at random by item; `s1` is twice as
        large as any other. With cause "stratum" 4 unless said. None: no strata.
    ordered : bool, optional
        Adds the column `order`, 1 to n_calls, the order of the calls. On with cause "drift".
    sittings : int, optional
        2 lets the judge answer everything a second time (column `sitting`, other calls). A fifth
        of the variance of its latent error is drawn anew, the rest stays. On with "judge_noise".
    effect : float, optional
        Size of the planted cause, above 0 and up to 2: 0.6 is 40 % smaller.

    Returns
    -------
    SimulatedLabels
        Labels of the raters `judge` and `human1`..., with the attribute `truth`.

    Raises
    ------
    ToolkitError
        If an option or a cause is unknown, out of its range, or does not fit the number of
        categories or constructs.

    Notes
    -----
    Each item has a standard normal latent value z per construct, and cut points make the true
    category of it. With two categories the judge errs when a standard normal e is below
    Phi^-1(1 - sensitivity) or Phi^-1(1 - specificity), so that a shared e makes errors coincide. On
    an ordinal construct the judge sees ``a z + sqrt(1 - a^2) e`` with a the agreement, a person
    ``sqrt(1 - h) z + sqrt(h) e`` with h the human error, and both cut where the truth is cut. The
    population table is the integral over z of P(row | z) P(column | z), found by adaptive
    quadrature to about 1e-11.

    The causes, and what each does to the first construct:

    call_failure
        A share of the judge's calls fail and answer with the commonest category, or at random (by
        chance, one of the two in a sample); such a call spoils the first construct always, the
        last with probability .2, any other with .5.
    unreadable
        About a fifth of the judge's labels are missing, mostly of clear cases: truth and judge far
        from the mean on the same side.
    reversed_polarity
        The judge's scale is reversed: in all items, with strata in one or two of them.
    swapped_constructs
        The judge's labels of the first and second construct are exchanged; of two constructs both
        get low, so take three or more.
    threshold_shift
        The judge's cuts are moved up or down its latent scale.
    prevalence
        All but 3.5 % of the items (ordinal: 2 %) are of the commonest category; the judge is as
        good as before.
    human_ceiling
        Every person sees the item through noise of their own.
    drift
        The judge mostly guesses from a change point on, or within a block of the order.
    stratum
        The judge mostly guesses in one or two strata.
    halo
        The judge's latent judgement of the others is mixed into that of the first.
    too_few_labels
        People label 30 to 50 items only; by chance there is a moderate true gap, or none.
    definition
        The judge looks at a latent value that only correlates with the one that people look at.
    judge_noise
        The judge's latent judgement has much noise, anew in every sitting.

    With the default options a cause lowers the kappa of the first construct by about .25 to .40
    (more: reversed, swapped; less or not at all: too_few_labels). A guess is the judge's label of
    another item. Reversed and swapped labels are all or nothing, whatever the effect. Of a pair,
    each cause draws what it draws alone.

    References
    ----------
    Spitznagel and Helzer 1985, Archives of General Psychiatry 42:725,
    doi:10.1001/archpsyc.1985.01790300093012 (kappa from prevalence, sensitivity, specificity).

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(
    ...     {
    ...         "escalation": {"prevalence": 0.12, "sensitivity": 0.5, "specificity": 0.9},
    ...         "empathy": {"categories": 5, "agreement": 0.7},
    ...     },
    ...     n_calls=200,
    ...     human_error=0.02,
    ...     seed=7,
    ... )
    >>> round(labels.truth["escalation"].kappa, 3)
    0.334
    >>> tk.simulate(["escalation", "self_harm"], cause="threshold_shift").truth.planted
    {'threshold_shift': {'direction': 'judge higher', 'shift': 1.3}}
    """
    people = whole(humans, "humans", 1, MOST_HUMANS)
    defaults = {
        "prevalence": prevalence,
        "sensitivity": sensitivity,
        "specificity": specificity,
        "categories": categories,
        "agreement": agreement,
        "human_error": human_error,
    }
    asked = read_constructs(constructs, defaults, people)
    causes = read_causes(cause, asked)
    world = World(
        n_calls=whole(n_calls, "n_calls", 1),
        humans=people,
        call_correlation=probability(call_correlation, "call_correlation"),
        construct_correlation=probability(construct_correlation, "construct_correlation"),
        conversations=None if conversations is None else whole(conversations, "conversations", 1),
        conversation_effect=probability(conversation_effect, "conversation_effect"),
        missing=probability(missing, "missing"),
        judges=whole(judges, "judges", 1, 2),
        strata=_strata(strata, causes),
        ordered=_yes_or_no(ordered, "ordered") or "drift" in causes,
        sittings=max(whole(sittings, "sittings", 1, 2), 1 + ("judge_noise" in causes)),
    )
    if world.conversation_effect > 0 and world.conversations is None:
        raise ToolkitError(
            "a conversation effect needs conversations",
            got=conversation_effect,
            allowed="conversation_effect=0, or a number of items per conversation",
            example="conversations=4, conversation_effect=0.2",
            where="conversation_effect",
        )
    start = whole(seed, "seed", 0)
    sample = draw(asked, world, start, causes, read_effect(effect))
    labels = read_labels(simulated_frame(sample), simulated_schema(asked), overlap=False)
    own = {field.name: getattr(labels, field.name) for field in fields(labels)}
    own["source"] = f"simulate, seed {start}"
    planted = {name: sample.planted[name] for name in causes}
    truth = Truth([construct_truth(construct) for construct in asked], planted)
    return SimulatedLabels(**own, truth=truth)


def _strata(strata: Any, causes: tuple[str, ...]) -> int | None:
    if strata is None:
        return STRATA_OF_CAUSE if "stratum" in causes else None
    return whole(strata, "strata", 2, MOST_STRATA)


def _yes_or_no(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise ToolkitError(
            "this must be true or false", got=value, allowed=[True, False], where=where
        )
    return value
