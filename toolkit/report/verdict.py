"""The first verdict: one plain sentence, what limits it, and what could not be checked."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toolkit.coefficients.agreement import Agreement
from toolkit.coefficients.contrast import Contrast
from toolkit.coefficients.kappa import Kappa
from toolkit.errors import LabelError
from toolkit.labels.table import Labels
from toolkit.plain import plain
from toolkit.report.words import in_words

MANY_TIES = 0.05  # share of items from which a reader is told
# Codes that say why a number of the table is empty; they do not limit the verdict.
NUMBER_NOTES = ("present_not_declared", "more_than_two_categories")


@dataclass(frozen=True)
class Verdict:
    """What the report says first.

    Attributes
    ----------
    sentence : str
        One plain sentence.
    status : str
        "lower" (the low construct agrees less, beyond chance), "higher" (the reverse), "not_shown"
        (the interval holds 0), "undefined" (no comparison was possible), "single" (one construct).
    low, high : str or None
        The pair that was compared.
    selected : bool
        True where the pair was picked as the extremes of the data and not named beforehand.
    caveats : tuple of str
        What limits the sentence, in words.

    References
    ----------
    Campbell and Fiske 1959, Psychological Bulletin 56:81, doi:10.1037/h0046016.

    Examples
    --------
    >>> Verdict("No difference was shown.", "not_shown", "a", "b", False, ()).status
    'not_shown'
    """

    sentence: str
    status: str
    low: str | None
    high: str | None
    selected: bool
    caveats: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as strict-JSON material."""
        return dict(plain(vars(self)))


def choose_pair(
    agreement: Agreement, low: str | None = None, high: str | None = None
) -> tuple[str, str] | None:
    """Settle which two constructs are compared.

    Parameters
    ----------
    agreement : Agreement
        All constructs.
    low, high : str, optional
        Names that the user gave. A missing one becomes the lowest or the highest kappa.

    Returns
    -------
    tuple of two str, or None
        (low, high); None without two different constructs that have a kappa.

    Raises
    ------
    LabelError
        If a name is unknown.

    Examples
    --------
    >>> import toolkit as tk
    >>> choose_pair(tk.agreement(tk.simulate(["a", "b"], n_calls=100)), low="b")
    ('b', 'a')
    """
    names = [one.construct for one in agreement]
    for role, name in (("low", low), ("high", high)):
        if name is not None and name not in names:
            raise LabelError("unknown construct", got=name, allowed=names, where=role)
    free = [one for one in agreement if one.construct not in (low, high)]
    ranked = sorted(
        (one for one in free if not math.isnan(one.kappa.estimate)),
        key=lambda one: one.kappa.estimate,
    )
    if low is None and ranked:
        low = ranked.pop(0).construct
    if high is None and ranked:
        high = ranked.pop().construct
    return None if low is None or high is None or low == high else (low, high)


def first_verdict(
    labels: Labels,
    agreement: Agreement,
    contrast: Contrast | None,
    *,
    p_selected: float | None = None,
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
    p_selected : float, optional
        The pair's p-value adjusted for all pairs, where the pair was picked from the data.

    Returns
    -------
    Verdict
    """
    caveats, selected = _caveats(labels, agreement, contrast), p_selected is not None
    if contrast is None:
        return Verdict(_single(agreement), "single", None, None, False, caveats)
    low, high = contrast.names
    if math.isnan(contrast.difference):
        return Verdict(_apart(agreement, contrast), "undefined", low, high, selected, caveats)
    beyond = contrast.low > 0 or contrast.high < 0
    if p_selected is not None:
        caveats = (_selection(agreement, p_selected), *caveats)
        beyond = beyond and p_selected < 1 - contrast.level
    if not beyond:
        return Verdict(_no_gap(agreement, contrast), "not_shown", low, high, selected, caveats)
    status = "lower" if contrast.difference > 0 else "higher"
    return Verdict(_gap(agreement, contrast), status, low, high, selected, caveats)


def people_to_compare(labels: Labels, judge: str) -> tuple[str, str] | None:
    """Names of the two people, the judge apart, who share the most items; None without two."""
    frame, raters = labels.frame, labels.raters
    human = raters["rater_kind"].astype(object) == "human"
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
        else "which what the two share does not explain by itself, if one call gave both labels"
    )
    return (
        f"{_judge(agreement)} agrees with {_reference(agreement)} less on {weaker} "
        f"(kappa {worse:.2f}) than on {stronger} ({better:.2f}) in the same "
        f"{contrast.n_calls:,} calls: the difference is {abs(contrast.difference):.2f} "
        f"({_limits(contrast)}), {shared}."
    )


def _apart(agreement: Agreement, contrast: Contrast) -> str:
    low, high = (f"{name} ({_kappa(agreement[name].kappa)})" for name in contrast.names)
    why = in_words(contrast.reasons[0]) if contrast.reasons else "kappa is undefined"
    return (
        f"{_judge(agreement)} was measured against {_reference(agreement)} on {low} and on {high}, "
        f"but the two can't be compared like for like: {why}."
    )


def _kappa(kappa: Kappa) -> str:
    if math.isnan(kappa.estimate):
        return "kappa undefined"
    return f"kappa {kappa.estimate:.2f}, interval {kappa.low:.2f} to {kappa.high:.2f}"


def _no_gap(agreement: Agreement, contrast: Contrast) -> str:
    low, high = contrast.names
    largest = max(abs(contrast.low), abs(contrast.high))
    return (
        f"It is not shown that {_judge(agreement)} agrees with {_reference(agreement)} "
        f"differently on {low} (kappa {contrast.kappa_low:.2f}) and on {high} "
        f"({contrast.kappa_high:.2f}): over {contrast.n_calls:,} shared calls the difference is "
        f"{contrast.difference:.2f} ({_limits(contrast)}); up to {largest:.2f} stays possible."
    )


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
    if len(agreement.constructs) > 1:
        return "No two constructs have a kappa, so nothing can be compared."
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


def _selection(agreement: Agreement, p_selected: float) -> str:
    number = len(agreement.constructs)
    return (
        f"nobody named the pair beforehand: it stands out among {number} kappas, so the interval"
        " of the difference flatters it; the p-value adjusted for all pairs (Holm) is "
        f"{p_selected:.2g}"
    )


def said_once(agreement: Agreement, codes: Sequence[str] | None = None) -> tuple[str, ...]:
    """Put reasons and flags of all constructs into words, each once.

    `codes` picks some; None takes all but those on single numbers of the table.
    """
    found: dict[str, list[str]] = {}
    for one in agreement:
        for code in (*one.kappa.reasons, *one.kappa.flags):
            if code in codes if codes is not None else code not in NUMBER_NOTES:
                found.setdefault(code, []).append(one.construct)
    return tuple(f"{', '.join(names)}: {in_words(code)}" for code, names in found.items())


def _caveats(labels: Labels, agreement: Agreement, contrast: Contrast | None) -> tuple[str, ...]:
    of_constructs = {c for one in agreement for c in (*one.kappa.reasons, *one.kappa.flags)}
    general = [*labels.flags, *agreement.flags]
    if contrast is not None:
        general += [*contrast.reasons, *contrast.flags]
    said = [in_words(code) for code in dict.fromkeys(general) if code not in of_constructs]
    return (*said, *_ties(agreement), *said_once(agreement))


def _ties(agreement: Agreement) -> list[str]:
    """Say where a majority exists for a part of the items only: the part on which people agree."""
    said = []
    for one in agreement:
        tied = one.kappa.left_out.get("tied_reference", 0)
        share = tied / (tied + one.measures["n"]) if tied else 0
        if share > MANY_TIES:
            said.append(
                f"{one.construct}: people were tied on {100 * share:.0f} % of the items; kappa is "
                "that of the others, which are the easier ones"
            )
    return said
