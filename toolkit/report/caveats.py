"""What limits the verdict, in words: it stands above the numbers that it is about."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from toolkit.coefficients.agreement import Agreement
from toolkit.coefficients.contrast import Contrast
from toolkit.labels.table import Labels
from toolkit.report.pairing import Selection
from toolkit.report.words import in_words

MOST_SHOWN = 6  # constructs, and categories of each
MUCH = 0.05  # share of items lost from which a reader is told
# Codes that say why a number of the table is empty; they do not limit the verdict.
NUMBER_NOTES = (
    "present_not_declared",
    "more_than_two_categories",
    "kappa_max_needs_ordered_weights",
)


def caveats_of(
    labels: Labels,
    agreement: Agreement,
    contrast: Contrast | None,
    selected: Selection | None,
) -> tuple[str, ...]:
    """Put all that limits the verdict into sentences, the most weighty first.

    What the headline says already, why a kappa or the comparison is undefined, is not said again.
    """
    known = _in_headline(agreement, contrast)
    said = [] if selected is None else [_picked(selected)]
    if contrast is not None:
        said += [*_lost_calls(contrast), *_prevalence(contrast)]
    said += [*_unused_cluster(labels, agreement), *_ties(agreement), *_alone(agreement)]
    of_constructs = {c for one in agreement for c in (*one.kappa.reasons, *one.kappa.flags)}
    general = [*labels.flags, *agreement.flags]
    if contrast is not None:
        general += [*contrast.reasons, *contrast.flags]
    said += [
        _inferred(labels) if code == "schema_inferred" else in_words(code)
        for code in dict.fromkeys(general)
        if code not in of_constructs and not any(code == told for _, told in known)
    ]
    return (*said, *said_once(agreement, known=known))


def said_once(
    agreement: Agreement,
    codes: Sequence[str] | None = None,
    known: Collection[tuple[str, str]] = (),
) -> tuple[str, ...]:
    """Put reasons and flags of all constructs into words, each once.

    `codes` picks some; None takes all but those on single numbers of the table. `known` are pairs
    of construct and code that stand elsewhere.
    """
    found: dict[str, list[str]] = {}
    for one in agreement:
        for code in (*one.kappa.reasons, *one.kappa.flags):
            wanted = code in codes if codes is not None else code not in NUMBER_NOTES
            if wanted and (one.construct, code) not in known:
                found.setdefault(code, []).append(one.construct)
    everyone = len(agreement.constructs)
    return tuple(f"{_whose(names, everyone)}: {in_words(code)}" for code, names in found.items())


def _in_headline(agreement: Agreement, contrast: Contrast | None) -> set[tuple[str, str]]:
    """Constructs and reasons that the headline names; "" is the comparison as a whole."""
    if contrast is None:
        undefined = [one for one in agreement if math.isnan(one.kappa.estimate)]
        return {(one.construct, one.kappa.reasons[0]) for one in undefined}
    if contrast.n_calls == 0:
        return {("", contrast.reasons[0])}
    kappas = zip(contrast.names, (contrast.kappa_low, contrast.kappa_high), strict=True)
    return {(name, contrast.side_reasons[name][0]) for name, value in kappas if math.isnan(value)}


def _picked(selected: Selection) -> str:
    return (
        f"nobody named both constructs: {selected.picked}, so the interval of the difference "
        f"flatters it; adjusted for {selected.number} contrasts (Holm) p is {selected.p_value:.2g}"
    )


def _lost_calls(contrast: Contrast) -> list[str]:
    lost = sum(contrast.left_out.values())
    if lost <= MUCH * (lost + contrast.n_calls) or contrast.n_calls == 0:
        return []
    reasons = ", ".join(f"{in_words(name)}: {n:,}" for name, n in contrast.left_out.items())
    total = lost + contrast.n_calls
    return [f"the comparison rests on {contrast.n_calls:,} of {total:,} items ({reasons})"]


def _prevalence(contrast: Contrast) -> list[str]:
    """Unequal prevalence alone moves kappa (Spitznagel and Helzer 1985): rule it out first."""
    if not contrast.common_prevalence:
        return []
    common = contrast.common_prevalence
    gap = common["kappa_high"] - common["kappa_low"]
    if gap * contrast.difference > 0 and abs(gap) >= abs(contrast.difference) / 2:
        return []
    said = (
        f"at one prevalence ({100 * common['prevalence']:.0f} %) the difference would be {gap:.2f} "
        f"instead of {contrast.difference:.2f}: unequal prevalence may be much of it"
    )
    return [said]


def _unused_cluster(labels: Labels, agreement: Agreement) -> list[str]:
    if agreement.cluster is not None or "cluster" not in labels.frame:
        return []
    if labels.frame["cluster"].nunique() == labels.items:
        return []
    said = (
        "the labels have a column 'cluster' that was not used: intervals count items as "
        "independent (cluster='cluster' changes that)"
    )
    return [said]


def _ties(agreement: Agreement) -> list[str]:
    """Say where a majority exists for a part of the items only: the part on which people agree."""
    shares = []
    for one in agreement:
        tied = one.kappa.left_out.get("tied_reference", 0)
        if tied > MUCH * (tied + one.measures["n"]):
            shares.append(f"{100 * tied / (tied + one.measures['n']):.0f} % ({one.construct})")
    if not shares:
        return []
    said = (
        f"people were tied on {', '.join(shares)} of the judged items; kappa is that of the "
        "others, which are probably easier"
    )
    return [said]


def _alone(agreement: Agreement) -> list[str]:
    """Say where one person's label stands as the majority."""
    counts = [
        f"{one.single_labels:,} of {one.measures['n']:,} ({one.construct})"
        for one in agreement
        if one.single_labels > MUCH * one.measures["n"]
    ]
    if not counts:
        return []
    said = (
        "only one of the people gave a usable label, which then stands as the majority, on so many "
        f"items: {', '.join(counts)}"
    )
    return [said]


def _inferred(labels: Labels) -> str:
    """Say what was inferred; constructs with the same categories are named together."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name in labels.constructs:
        alike.setdefault(labels.schema[name].labels, []).append(name)
    shown = [
        f"{_whose(names, len(labels.constructs), MOST_SHOWN)}: {_first(categories, MOST_SHOWN)}"
        for categories, names in alike.items()
    ]
    return f"{in_words('schema_inferred')} ({_first(shown, MOST_SHOWN, '; ')})"


def _whose(names: Sequence[str], everyone: int, most: int | None = None) -> str:
    return "every construct" if 1 < len(names) == everyone else _first(names, most)


def _first(items: Sequence[str], most: int | None = None, separator: str = ", ") -> str:
    shown = list(items[:most])
    left = len(items) - len(shown)
    return separator.join([*shown, f"and {left} more"] if left else shown)
