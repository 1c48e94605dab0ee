"""Simulated labels whose population values are known exactly."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from toolkit.errors import ToolkitError
from toolkit.labels.read import read_labels
from toolkit.labels.simulation.latent import World
from toolkit.labels.simulation.layout import simulated_frame, simulated_schema
from toolkit.labels.simulation.options import MOST_HUMANS, probability, read_constructs, whole
from toolkit.labels.simulation.population import construct_truth
from toolkit.labels.simulation.truth import Truth
from toolkit.labels.table import Labels


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedLabels(Labels):
    """Labels together with what is true of the population they were drawn from.

    Attributes
    ----------
    truth : Truth
        Per construct: prevalence, sensitivity, specificity, expected tables and kappas.

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
    cause: Any = None,
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
) -> SimulatedLabels:
    """Simulate a judge and one to three people who label several constructs of the same items.

    Nuisances are off unless asked for, and switching one on leaves the rest of the draw as it was.

    Parameters
    ----------
    constructs : list of str, or dict of str to dict
        Names, or name -> options that override the arguments of the same name: `prevalence`,
        `sensitivity`, `specificity`, `categories`, `agreement`, `human_error`.
    n_calls : int, optional
        Items, 1 or more; the judge labels all constructs of an item in one call.
    cause : None
        Planted causes of disagreement are not available yet.
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

    Returns
    -------
    SimulatedLabels
        Labels of the raters `judge` and `human1`..., with the attribute `truth`.

    Raises
    ------
    ToolkitError
        If an option is unknown, out of its range, or does not fit the number of categories, or if a
        cause is asked for.

    Notes
    -----
    Each item has a standard normal latent value z per construct, and cut points make the true
    category of it. With two categories the judge errs when a standard normal e is below
    Phi^-1(1 - sensitivity) or Phi^-1(1 - specificity), so that a shared e makes errors coincide. On
    an ordinal construct the judge sees ``a z + sqrt(1 - a^2) e`` with a the agreement, a person
    ``sqrt(1 - h) z + sqrt(h) e`` with h the human error, and both cut where the truth is cut. The
    population table is the integral over z of P(row | z) P(column | z), found by adaptive
    quadrature to about 1e-11.

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
    """
    if cause is not None:
        raise ToolkitError(
            "planted causes are not available yet", got=cause, allowed=[None], where="cause"
        )
    people = whole(humans, "humans", 1, MOST_HUMANS)
    defaults = {
        "prevalence": prevalence,
        "sensitivity": sensitivity,
        "specificity": specificity,
        "categories": categories,
        "agreement": agreement,
        "human_error": human_error,
    }
    planted = read_constructs(constructs, defaults, people)
    world = World(
        n_calls=whole(n_calls, "n_calls", 1),
        humans=people,
        call_correlation=probability(call_correlation, "call_correlation"),
        construct_correlation=probability(construct_correlation, "construct_correlation"),
        conversations=None if conversations is None else whole(conversations, "conversations", 1),
        conversation_effect=probability(conversation_effect, "conversation_effect"),
        missing=probability(missing, "missing"),
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
    labels = read_labels(
        simulated_frame(planted, world, start), simulated_schema(planted), overlap=False
    )
    own = {field.name: getattr(labels, field.name) for field in fields(labels)}
    own["source"] = f"simulate, seed {start}"
    return SimulatedLabels(
        **own, truth=Truth([construct_truth(construct) for construct in planted])
    )
