"""Outcomes, rules and verdicts of re-scored answers in plain words."""

from __future__ import annotations

ANSWER_WORDS = {
    # what an answer was read by
    "leading_word": "first word",
    "neutral_key": "JSON, neutral key",
    "signed_key": "JSON, key that names a class",
    "neutral_tag": "tag",
    "signed_tag": "tag that names a class",
    "neutral_boxed": "boxed",
    "bare_integer": "bare digit",
    "field": "line with key and value",
    "cue": "line that announces the answer",
    "ticked_box": "ticked box",
    "carrier": "word in a text field of JSON",
    "revision": "word after a change of mind",
    "own_question": "reply to its own question",
    "free_text": "words beside the answer",
    "lone_line": "line of its own",
    "negated_word": "denied word in a sentence",
    "word": "word in a sentence",
    # why there is none
    "no_answer": "no answer",
    "refusal": "refusal",
    "hedge": "hedge",
    "off_vocabulary": "word of another question",
    "transport_error": "no reply arrived",
    "judge_error": "the judge failed",
    "conflict": "two places disagree",
    "truncated": "cut off",
    "malformed": "broken structure",
    # why a row was refused
    "no_scenario_id": "no scenario_id",
    "duplicate_scenario_id": "scenario_id there more than once in a run: nothing says which counts",
    "unknown_category": "unknown category",
    "no_expected_label": "no expected label",
    "expected_label_outside_labels": "the expected label is not on offer",
    "error_row": "an error was stored instead of a reply",
    "only_a_hash": "only a hash of the reply was stored",
    "no_raw_text": "the reply was not stored",
    # verdicts over published totals
    "inverted_suspected": "inversion suspected",
    "below_chance": "below chance",
    "below_constant": "below a constant answer",
    "one_class": "one answer to everything",
    "counts_do_not_add_up": "counts do not add up",
    "consistent": "nothing found",
    "unknown_not_published": "how many answers went unread was not published; unread ones "
    "push a score down, too",
    "answered_only": "tested over answered items",
    "accuracy_over_all": "the published accuracy is over all items",
    "accuracy_over_answered": "the published accuracy is over answered items",
    "or_one_constant_answer": "or one constant answer",
    # flags of a re-scoring
    "old_label_unknown": "the run says only right or wrong, not which label it read",
    "old_label_outside_labels": "labels of the old scorer that are not on offer",
    "old_scores_computed": "a run holds no scores of its own: it is compared with a rewriting of "
    "the published scorer",
    "nothing_scored": "no row could be scored",
    "rows_refused": "rows that can't be scored again",
    "stored_scores_contradict": "stored is_correct is not what the stored label says",
    "few_clusters": "fewer than 30 item stems: the interval may be too narrow",
    "clusters_counted": "all items alike, so stems stand for items",
}


def in_answer_words(code: object) -> str:
    """Put an outcome, a rule, a reason or a verdict into words.

    Parameters
    ----------
    code : object
        As the scoring functions name it.

    Returns
    -------
    str
        The words; an unknown code with blanks for underscores.

    Examples
    --------
    >>> in_answer_words("neutral_key"), in_answer_words("a_new_rule")
    ('JSON, neutral key', 'a new rule')
    """
    return ANSWER_WORDS.get(str(code), str(code).replace("_", " "))
