"""What limits the verdict, in words: it stands above the numbers that it is about."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.coefficients.agreement import Agreement
from toolkit.coefficients.contrast import Contrast
from toolkit.diagnosis.result import Diagnosis
from toolkit.labels.table import Labels
from toolkit.report.words import in_words

MOST_SHOWN = 6  # constructs, and categories of each
MUCH = 0.05  # share of items lost from which a reader is told
# Codes that say why a number of the table is empty; they do not limit the verdict.
NUMBER_NOTES = (
    "present_not_declared",
    "more_than_two_categories",
    "kappa_max_needs_ordered_weights",
)


def caveats_of(labels: Labels, diagnosis: Diagnosis) -> tuple[str, ...]:
    """Put all that limits the verdict into sentences, the most weighty first.

    What the verdict says already, why the comparison is undefined, is not said again.
    """
    agreement, contrast = diagnosis.agreement, diagnosis.contrast
    said = [*_single_people(diagnosis)]
    if contrast is not None:
        said += _lost_calls(contrast)
    said += [*_unused_cluster(labels, agreement), *_ties(agreement), *_alone(agreement)]
    of_constructs = {c for one in agreement for c in (*one.kappa.reasons, *one.kappa.flags)}
    general = [*labels.flags, *agreement.flags]
    if contrast is not None and contrast.n_calls:
        general += [*contrast.reasons, *contrast.flags]
    said += [
        _inferred(labels) if code == "schema_inferred" else in_words(code)
        for code in dict.fromkeys(general)
        if code not in of_constructs
    ]
    return (*said, *said_once(agreement))


def said_once(agreement: Agreement, codes: Sequence[str] | None = None) -> tuple[str, ...]:
    """Put reasons and flags of all constructs into words, each once.

    `codes` picks some; None takes all but those on single numbers of the table.
    """
    found: dict[str, list[str]] = {}
    for one in agreement:
        for code in (*one.kappa.reasons, *one.kappa.flags):
            wanted = code in codes if codes is not None else code not in NUMBER_NOTES
            if wanted:
                found.setdefault(code, []).append(one.construct)
    everyone = len(agreement.constructs)
    return tuple(f"{_whose(names, everyone)}: {in_words(code)}" for code, names in found.items())


def _single_people(diagnosis: Diagnosis) -> list[str]:
    """Say that the verdict's kappas are not those of the tables where people are several."""
    gap, contrast = diagnosis.gap, diagnosis.contrast
    if len(diagnosis.parameters["reference"]) == 1 or contrast is None or not contrast.n_calls:
        return []
    of_majority = f"{contrast.kappa_low:.2f} and {contrast.kappa_high:.2f}"
    if "nan" in of_majority or of_majority == f"{gap.kappa_low:.2f} and {gap.kappa_high:.2f}":
        return []
    said = (
        "the kappas of the verdict are those of the judge with each person alone; with the "
        f"{contrast.reference} they are {of_majority}"
    )
    return [said]


def _lost_calls(contrast: Contrast) -> list[str]:
    lost = sum(contrast.left_out.values())
    if lost <= MUCH * (lost + contrast.n_calls) or contrast.n_calls == 0:
        return []
    reasons = ", ".join(f"{in_words(name)}: {n:,}" for name, n in contrast.left_out.items())
    total = lost + contrast.n_calls
    return [f"the comparison rests on {contrast.n_calls:,} of {total:,} items ({reasons})"]


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
