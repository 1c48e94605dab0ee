"""Reasons and flags in plain words: the one place where a code becomes a sentence."""

from __future__ import annotations

WORDS = {
    # reasons: why a number is undefined or degenerate
    "both_constant": "both sides gave one and the same label throughout, so kappa is undefined: "
    "nothing here shows that the judge can find a case",
    "judge_constant": "the judge gave one label throughout, so kappa is 0 by construction",
    "reference_constant": "the reference has one label throughout, so kappa is 0 by construction",
    "no_overlap": "no item carries both labels",
    "no_shared_calls": "no judge call labelled both constructs",
    "present_not_declared": "the schema does not say which category means present, so prevalence "
    "and the indices that need it are undefined",
    "more_than_two_categories": "prevalence index and bias index are defined for two categories",
    "interval_undefined": "the chosen interval can't be computed for this table",
    "zero_width": "the chosen interval has no width: the table can't show its own uncertainty",
    # flags: what to beware of
    "few_positives": "fewer than 10 items in the rarer category: the interval rests on few cases",
    "few_clusters": "fewer than 30 clusters: the interval may be too narrow",
    "same_call_assumed": "no call ids were given, so the labels of an item are taken to come from "
    "one judge call",
    "order_not_declared": "nobody declared the order of the categories: no weighted kappa",
    "estimate_outside_interval": "the estimate lies outside its interval, as when agreement is "
    "perfect on few cases: trust the interval",
    "weights_differ": "the two kappas are weighted differently (quadratic for the ordinal one): "
    "part of their difference may be the weights",
    "many_categories": "more than 5 categories: the interval was not simulated for so many",
    "later_sittings_unused": "some raters labelled items more than once: the first sitting counts",
    "one_cluster": "there is one cluster, which does not show how clusters vary",
    "columns_taken": "taken as raters or constructs, as nobody named them",
    "clipped": "the interval was cut off at the end of the scale",
    "one_rater": "there is one rater, so nothing can be compared",
    "no_labels": "declared, but no usable label",
    "kappa_max_needs_ordered_weights": "kappa_max is computed for named weights only",
    "undefined_draws": "kappa was undefined in some bootstrap draws, which were left out",
    "schema_inferred": "no schema was given: categories were taken from the labels that occur, "
    "and numbers count as ordered",
    "present_inferred": "1 was taken to mean present",
    "rater_kind_assumed": "no rater kinds were given: all raters but the judge are taken as people",
    # left out
    "missing": "label missing",
    "abstain": "rater abstained",
    "no_judge_label": "no usable label by the judge",
    "no_reference_label": "no usable label by the reference",
    "tied_reference": "people were tied",
    "different_calls": "labelled in different judge calls",
    "no_call_id": "no call id",
}


def in_words(code: str) -> str:
    """Put a reason or flag into words; what stands behind a colon is a name and stays as it is."""
    word, colon, name = code.partition(":")
    said = WORDS.get(word, word.replace("_", " "))
    return f"{name}: {said}" if colon else said
