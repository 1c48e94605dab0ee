"""The first verdict: one plain sentence, what limits it, and what could not be checked."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

from toolkit.coefficients.agreement import Agreement
from toolkit.coefficients.contrast import Contrast
from toolkit.coefficients.kappa import Kappa
from toolkit.labels.table import Labels
from toolkit.plain import plain
from toolkit.report.caveats import caveats_of
from toolkit.report.pairing import Selection
from toolkit.report.words import in_words


@dataclass(frozen=True)
class Verdict:
    """What the report says first.

    Attributes
    ----------
    sentence : str
        One plain sentence.
    status : str
        "lower" (the low construct agrees less, beyond chance), "higher" (the reverse), "not_shown"
        (the interval holds 0, or the adjusted p-value of a picked pair is too large), "undefined"
        (no comparison was possible), "single" (one construct).
    low, high : str or None
        The pair that was compared.
    focus : str
        The construct with the lower kappa, whose disagreements are worth reading first.
    p_selected : float or None
        Where the data picked the pair, its p-value adjusted for that.
    caveats : tuple of str
        What limits the sentence, in words.

    References
    ----------
    Campbell and Fiske 1959, Psychological Bulletin 56:81, doi:10.1037/h0046016.

    Examples
    --------
    >>> Verdict("No difference was shown.", "not_shown", "a", "b", "a", None, ()).status
    'not_shown'
    """

    sentence: str
    status: str
    low: str | None
    high: str | None
    focus: str
    p_selected: float | None
    caveats: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))


def first_verdict(
    labels: Labels,
    agreement: Agreement,
    contrast: Contrast | None,
    selected: Selection | None = None,
) -> Verdict:
    """Say in one sentence whether the judge is worse on one construct than on another.

    Parameters
    ----------
    labels : Labels
        What was read.
    agreement : Agreement
        All constructs.
    contrast : Contrast or None
        The pair; None with a single construct.
    selected : Selection, optional
        From `selection`, where the data picked the pair: a gap then needs its adjusted p-value.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["self_harm"], n_calls=100)
    >>> first_verdict(labels, tk.agreement(labels), None).status
    'single'
    """
    caveats = caveats_of(labels, agreement, contrast, selected)
    p_selected = None if selected is None else selected.p_value
    if contrast is None:
        (one,) = agreement.constructs
        sentence = _single(agreement)
        return Verdict(sentence, "single", None, None, one.construct, p_selected, caveats)
    low, high = contrast.names
    focus = high if contrast.difference < 0 else low
    if math.isnan(contrast.difference):
        status, sentence = "undefined", _apart(agreement, contrast)
    elif _is_beyond(contrast, selected):
        status = "lower" if contrast.difference > 0 else "higher"
        sentence = _gap(agreement, contrast)
    else:
        status, sentence = "not_shown", _no_gap(agreement, contrast)
    return Verdict(sentence, status, low, high, focus, p_selected, caveats)


def _is_beyond(contrast: Contrast, selected: Selection | None) -> bool:
    beyond = contrast.low > 0 or contrast.high < 0
    return beyond and (selected is None or selected.p_value < 1 - contrast.level)


def people_to_compare(labels: Labels, judge: str) -> tuple[str, str] | None:
    """Find the two people, the judge apart, who share the most items.

    Parameters
    ----------
    labels : Labels
        What was read.
    judge : str
        The rater who is measured; never one of the two.

    Returns
    -------
    tuple of two str, or None
        None where no two people share an item.

    Examples
    --------
    >>> import toolkit as tk
    >>> people_to_compare(tk.simulate(["self_harm"], n_calls=10), "judge")
    ('human1', 'human2')
    """
    frame, raters = labels.frame, labels.raters
    kinds = raters["rater_kind"].astype(object)
    # Where nobody has a kind, all raters but the judge are taken as people, as in `agreement`.
    human = (kinds == "human") | (not kinds.notna().any())
    people = [str(person) for person in raters.loc[human, "rater_id"] if person != judge]
    own = {person: set(frame.loc[frame["rater_id"] == person, "item_id"]) for person in people}
    pairs = itertools.combinations(people, 2)
    best = max(pairs, key=lambda pair: len(own[pair[0]] & own[pair[1]]), default=None)
    return best if best and own[best[0]] & own[best[1]] else None


def _gap(agreement: Agreement, contrast: Contrast) -> str:
    weaker, stronger = contrast.names
    worse, better = contrast.kappa_low, contrast.kappa_high
    if contrast.difference < 0:
        weaker, stronger, worse, better = stronger, weaker, better, worse
    shared = (
        "so the model, prompt, text and parser that the two share do not explain it by themselves"
        if "same_call_assumed" not in contrast.flags
        else "which model, prompt, text and parser do not explain by themselves if one call gave "
        "both labels"
    )
    return (
        f"{_judge(agreement)} agrees with {_reference(agreement)} less on {weaker} "
        f"({_named(contrast, weaker)} {worse:.2f}) than on {stronger} "
        f"({_named(contrast, stronger)} {better:.2f}) in the same "
        f"{contrast.n_calls:,} calls: the difference is {abs(contrast.difference):.2f} "
        f"({_limits(contrast)}), {shared}."
    )


def _apart(agreement: Agreement, contrast: Contrast) -> str:
    low, high = (f"{name} ({_kappa(agreement[name].kappa)})" for name in contrast.names)
    return (
        f"{_judge(agreement)} was measured against {_reference(agreement)} on {low} and on {high}, "
        f"but the two can't be compared like for like: {_why(contrast)}."
    )


def _why(contrast: Contrast) -> str:
    """The reason of the side that has no kappa, or of the comparison as a whole."""
    if contrast.n_calls == 0:
        return in_words(contrast.reasons[0])
    estimates = zip(contrast.names, (contrast.kappa_low, contrast.kappa_high), strict=True)
    undefined = [name for name, kappa in estimates if math.isnan(kappa)]
    said = [f"on {name} {in_words(contrast.side_reasons[name][0])}" for name in undefined]
    return "; ".join(said)


def _kappa(kappa: Kappa) -> str:
    if math.isnan(kappa.estimate):
        return "kappa undefined"
    return f"kappa {kappa.estimate:.2f}, interval {kappa.low:.2f} to {kappa.high:.2f}"


def _no_gap(agreement: Agreement, contrast: Contrast) -> str:
    low, high = contrast.names
    largest = max(abs(contrast.low), abs(contrast.high))
    return (
        f"It is not shown that {_judge(agreement)} agrees with {_reference(agreement)} "
        f"differently on {low} ({_named(contrast, low)} {contrast.kappa_low:.2f}) and on {high} "
        f"({_named(contrast, high)} {contrast.kappa_high:.2f}): over {contrast.n_calls:,} "
        f"shared calls the difference is {contrast.difference:.2f} ({_limits(contrast)}); "
        f"up to {largest:.2f} stays possible."
    )


def _named(contrast: Contrast, name: str) -> str:
    weights = contrast.weights[contrast.names.index(name)]
    return "kappa" if weights == "unweighted" else f"{weights} kappa"


def _judge(agreement: Agreement) -> str:
    return "The judge" if agreement.judge == "judge" else agreement.judge


def _reference(agreement: Agreement) -> str:
    name = agreement.reference
    return f"the {name}" if name.startswith("majority of ") else name


def _limits(contrast: Contrast) -> str:
    low, high = contrast.low, contrast.high
    if contrast.difference < 0 and high < 0:
        low, high = -high, -low
    return f"{100 * contrast.level:g} % interval {low:.2f} to {high:.2f}"


def _single(agreement: Agreement) -> str:
    (one,) = agreement.constructs
    kappa = one.kappa
    if math.isnan(kappa.estimate):
        return f"Agreement on {one.construct} is undefined: {in_words(kappa.reasons[0])}."
    return (
        f"{_judge(agreement)} agrees with {_reference(agreement)} on {one.construct} with kappa "
        f"{kappa.estimate:.2f} ({100 * kappa.level:g} % interval {kappa.low:.2f} to "
        f"{kappa.high:.2f}, {one.measures['n']:,} items); with one construct there is nothing to "
        "compare it to."
    )
