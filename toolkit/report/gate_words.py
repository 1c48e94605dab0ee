"""Reasons, flags and verdicts of the gate in words; those of coefficients are in `report.words`."""

from __future__ import annotations

from toolkit.report.words import WORDS as OF_COEFFICIENTS

WORDS = {
    "another_run:no_repeats": "no prompt was judged twice, so another run can't be simulated;"
    " repeat the prompts",
    "another_run:few_repeats": "fewer than 10 replies have two repeats, so another run can't be"
    " simulated; repeat more prompts",
    "few_repeats": "replies have two repeats or more, which is little, so what is said of another"
    " run is rough",
    "perfect_judge:prompt_without_labels": "people labelled no replies like those that decide here",
    "prompt_without_labels": "prompts have replies on which labels of people say nothing; decisions"
    " that may rest on them have no probability",
    "people_pooled": "labels of people do not tell prompts apart",
    "no_verdict": "no verdict",
    "no_verdicts": "no verdicts",
    "self_kappa": "judge with itself",
    "incomplete": "prompts lack a score or a repeat, so red flags may be unseen",
    "perfect_judge:no_people": "there are no labels of people, so the judge's errors are unknown;"
    " label replies (parameter people)",
    "floor_not_repeated": "scores of the dimensions were not repeated, so the floor stays as it is",
    "floor_never_varied": "scores of the dimensions never varied between repeats, so the floor"
    " stays as it is",
    "floor_never_fires": "the floor lies below the scale: it knocks nobody out",
    "floor_always_fires": "the floor lies at the top of the scale: it knocks everybody out",
    "more_repeats_than_declared": "some prompts have more repeats than the pack declares",
    "nothing_curated": "the pack curates no prompt, so no red flag disqualifies under curated",
    "fewer_than_two_models": "fewer than two models have a total",
    "all_tied:all": "under all, no two models can be told apart",
    "all_tied:curated": "under curated, no two models can be told apart",
    "prompts_without_people": "prompts have no labels of people; theirs are taken to be like the"
    " others",
    "unknown_prompt": "is a prompt that the pack does not know",
    "not_ranked": "passed, but has no total",
    "undetermined": "undetermined",
    "too_unreliable": "too unreliable",
    "not_shown": "not shown",
    "reliable": "reliable",
    "undefined": "undefined",
    "no_people": "no labels of people",
    "knocked_out": "knocked out",
    "passed": "passed",
    "unscored": "verdicts without a score",
    "empty": "empty answers",
    "unknown_prompts": "verdicts on prompts that the pack does not know",
    "absent": "verdicts that the pack asks for and that are not there",
    "label_missing": "replies that people or the judge left unlabelled",
}


def in_gate_words(code: str) -> str:
    """Say a reason, a flag or a verdict of the gate in words.

    Parameters
    ----------
    code : str
        As results carry it; what follows a colon is a name or a count.

    Returns
    -------
    str
        The code itself, with blanks, where there are no words for it.

    Examples
    --------
    >>> in_gate_words("prompts_without_people:3")
    '3 prompts have no labels of people; theirs are taken to be like the others'
    >>> in_gate_words("knocked_out")
    'knocked out'
    """
    if code in WORDS:
        return WORDS[code]
    if code in OF_COEFFICIENTS:
        return OF_COEFFICIENTS[code]
    kind, _, name = code.rpartition(":") if code.count(":") > 1 else code.partition(":")
    if kind == "floor" and name:
        return f"floor of {name}"
    if kind == "self_kappa":
        return f"{WORDS[kind]}: {in_gate_words(name)}"
    if kind == "another_run:few_repeats":
        return f"{WORDS[kind]} (now {name})"
    return f"{name} {WORDS[kind]}" if kind in WORDS else code.replace("_", " ")
