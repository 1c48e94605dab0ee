"""What the gate decides, in one sentence, and what limits it."""

from __future__ import annotations

import html

from IPython.display import HTML

from toolkit.gate.ko import KNOCKED_OUT, PASSED, UNDETERMINED
from toolkit.gate.scorecard import Scorecard
from toolkit.gate.stability_kappa import ALL_TOGETHER
from toolkit.gate.stability_result import GateStability
from toolkit.report.gate_show import above_the_best
from toolkit.report.gate_stability_show import least_stable_first, most_flips
from toolkit.report.gate_words import in_gate_words
from toolkit.report.markup import number
from toolkit.report.show import bullets

WORTH_SAYING = 0.1  # probability of a flip from which the sentence on stability is worth reading
MOST_NAMED = 5


def gate_headline(card: Scorecard, stability: GateStability) -> HTML:
    """Say in one sentence who passes, with what limits it right below.

    Parameters
    ----------
    card : Scorecard
        From `toolkit.gate.scorecard`.
    stability : GateStability
        From `toolkit.gate.gate_stability`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.gate import scorecard
    >>> from toolkit.gate.stability import gate_stability
    >>> from toolkit.report.gate_files import read_gate
    >>> read = read_gate()
    >>> found = gate_stability(read.verdicts, read.pack, confusion=read.people, draws=200)
    >>> "Before you read on" in gate_headline(scorecard(read.verdicts), found).data
    True
    """
    notes = bullets("Before you read on:", gate_notes(card, stability))
    return HTML(f'<p class="headline">{html.escape(gate_sentence(card))}</p>{notes.data}')


def gate_sentence(card: Scorecard) -> str:
    """Say who passes, and what a high total did not buy.

    Parameters
    ----------
    card : Scorecard
        From `toolkit.gate.scorecard`.

    Returns
    -------
    str

    Examples
    --------
    >>> from toolkit.gate import scorecard
    >>> from toolkit.report.gate_files import read_gate
    >>> gate_sentence(scorecard(read_gate().verdicts))
    "Of 10 models 5 pass, 4 are knocked out and 1 is undetermined, which is no pass; ..."
    """
    counts = card.models["status"].value_counts()
    out, open_ = (int(counts.get(status, 0)) for status in (KNOCKED_OUT, UNDETERMINED))
    passed = int(counts.get(PASSED, 0))
    head = (
        f"Of {_count(len(card.models), 'model')} {passed:,} {'passes' if passed == 1 else 'pass'}, "
        f"{out:,} {_are(out)} knocked out and {open_:,} {_are(open_)} undetermined, which is no "
        "pass"
    )
    above = above_the_best(card).to_dict("records")
    if not above or not passed:
        return f"{head}."
    first = above[0]
    return (
        f"{head}; the highest total that did not pass is {first['model']}'s "
        f"{first['percentage']:.1f} % ({in_gate_words(first['status'])})."
    )


def gate_notes(card: Scorecard, stability: GateStability) -> list[str]:
    """Say what limits the sentence, in words.

    Parameters
    ----------
    card : Scorecard
        From `toolkit.gate.scorecard`.
    stability : GateStability
        From `toolkit.gate.gate_stability`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from toolkit.gate import scorecard
    >>> from toolkit.gate.stability import gate_stability
    >>> from toolkit.report.gate_files import read_gate
    >>> read = read_gate()
    >>> gate_notes(scorecard(read.verdicts), gate_stability(read.verdicts, read.pack, draws=200))[0]
    'red flags disqualify on the curated prompts only (scope curated)'
    """
    scopes = {
        "all": "any red flag disqualifies (scope all)",
        "curated": "red flags disqualify on the curated prompts only (scope curated)",
    }
    said = [scopes[card.scope]]
    shaky = [one for one in least_stable_first(stability) if most_flips(one) >= WORTH_SAYING]
    if shaky:
        named = [f"{one.model} ({number(most_flips(one))})" for one in shaky[:MOST_NAMED]]
        more = f" and {len(shaky) - MOST_NAMED} more" if len(shaky) > MOST_NAMED else ""
        said.append(
            "the judge errs; the larger of the two probabilities that the decision flips is "
            f"highest for {', '.join(named)}{more}"
        )
    if stability.too_unreliable:
        prompts = ", ".join(stability.too_unreliable)
        on = "" if prompts == ALL_TOGETHER else f" on {prompts}"
        said.append(
            f"a red flag{on} disqualifies although people and judge agree on it with a kappa below "
            f"{stability.threshold:.2f}{'' if on else ', all prompts taken together'}"
        )
    codes = (*stability.reasons, *stability.flags, *card.flags)
    said += [
        in_gate_words(code)
        for code in dict.fromkeys(codes)
        if not code.startswith(("incomplete:", "not_ranked:"))
    ]
    return said + _of_models(card)


def _of_models(card: Scorecard) -> list[str]:
    """Say of which models something is missing, the models that passed first."""
    said = []
    for name in ("not_ranked", "incomplete"):
        models = [code.partition(":")[2] for code in card.flags if code.startswith(f"{name}:")]
        if models:
            more = f" and {len(models) - MOST_NAMED} more" if len(models) > MOST_NAMED else ""
            said.append(f"{in_gate_words(name)}: {', '.join(models[:MOST_NAMED])}{more}")
    return said


def _are(number_: int) -> str:
    return "is" if number_ == 1 else "are"


def _count(number_: int, word: str) -> str:
    return f"{number_:,} {word}{'' if number_ == 1 else 's'}"
