"""The verdict in plain words."""

from __future__ import annotations

import math

from toolkit.diagnosis import rules
from toolkit.diagnosis.evidence import Evidence
from toolkit.diagnosis.examine import MODULES, Round
from toolkit.diagnosis.gap import Gap
from toolkit.diagnosis.result import DiagnosisVerdict
from toolkit.diagnosis.verdict import Conclusion
from toolkit.diagnosis.words import APART, ENABLE, TITLES, counted, listed

MORE = 1.05  # a larger share closes more than the gap


def verdict_of(conclusion: Conclusion, evidence: Evidence) -> DiagnosisVerdict:
    """Say what a conclusion means."""
    by_status = {
        status: tuple(one.cause for one in evidence if one.status == status)
        for status in (rules.MINOR, rules.REFUTED)
    }
    questions = [APART[cause] for cause in conclusion.open if cause in APART]
    if "threshold_shift" in conclusion.causes:
        questions.append(
            "Whose cut is right can't be seen in labels: a written definition, or a third rater, "
            "would tell."
        )
    if not conclusion.first.case.same_call and conclusion.first.case.n:
        questions.append(
            "The two constructs come from different calls, so a failure of calls is not excluded: "
            "labels of both from one call would tell."
        )
    return DiagnosisVerdict(
        causes=conclusion.causes,
        open=conclusion.open,
        also_seen=by_status[rules.MINOR],
        excluded=by_status[rules.REFUTED],
        sentence=_sentence(conclusion, evidence),
        questions=tuple(questions),
        rules={cause: evidence[cause].rule for cause in conclusion.causes},
    )


def _sentence(conclusion: Conclusion, evidence: Evidence) -> str:
    causes = conclusion.causes
    said = [_compared(conclusion.first)]
    if causes == ("too_few_labels",):
        facts = evidence["too_few_labels"].facts
        if "labels_needed" in facts:
            needed = f": about {facts['labels_needed']:,} calls are needed"
            said.append(f"These are too few labels to say more{needed}.")
    elif causes:
        named = listed([_cause(evidence, cause, _gap_of(conclusion, cause)) for cause in causes])
        said += [f"Supported: {named}.", evidence[causes[0]].sentence]
        if "definition" in causes:
            said.append(_untested(evidence))
        if "prevalence" in causes:
            said.append(_one_sided(conclusion.base.gap))
    if conclusion.open:
        titles = listed([TITLES[cause] for cause in conclusion.open], "or")
        what = "the rest" if causes else "this"
        said.append(f"It is open whether {what} is {titles}: these labels can't tell.")
    if not causes and not conclusion.open:
        said.append(_nothing(conclusion.first))
    return " ".join(filter(None, said))


def _compared(first: Round) -> str:
    """The gap in numbers, or why there is none."""
    gap = first.gap
    if gap.n == 0:
        return (
            f"{gap.low} and {gap.high} can't be compared: no call carries labels of both by judge "
            "and people."
        )
    if math.isnan(gap.difference):
        calls = counted(gap.n, "call")
        return f"{gap.low} and {gap.high} can't be compared over {calls}: {first.unfit}."
    assumed = " No call ids are given: one call per item is assumed."
    return _gap(gap, same_call=first.case.same_call) + assumed * first.case.call_assumed


def _one_sided(gap: Gap) -> str:
    """That a gap is shown against one direction alone."""
    if gap.shown:
        return ""
    return (
        f"The gap is tested against one direction (p = {gap.p_value / 2:.2g}), because people's "
        "labels alone say which construct is rarer."
    )


def _untested(evidence: Evidence) -> str:
    """What a remainder may still hide."""
    unknown = [TITLES[one.cause] for one in evidence if one.status == rules.UNDETERMINED]
    return f"Not tested, so not excluded: {listed(unknown)}." if unknown else ""


def _nothing(first: Round) -> str:
    """Why no cause is named."""
    gap = first.gap
    if math.isnan(gap.difference):
        return ""
    if first.unfit:
        return f"These labels can't tell why: {first.unfit}."
    if math.isnan(gap.lower):
        return "Without an interval no cause is named: more clusters are needed."
    if gap.shown:
        return "No cause is supported by these labels."
    if gap.upper < 0:
        return f"{gap.low} is not the lower one: name the two the other way round."
    return "No gap that matters is shown, so there is no cause to name."


def _gap(gap: Gap, *, same_call: bool) -> str:
    calls = f"{'in' if same_call else 'on'} the same "
    calls += counted(gap.n, "call" if same_call else "item")
    interval = f"{100 * gap.level:g} % interval {gap.lower:.2f} to {gap.upper:.2f}"
    if math.isnan(gap.lower):
        interval = "no interval: too few clusters"
    picked = (
        f", widened because they were picked from {gap.selected_from}" if gap.selected_from else ""
    )
    return (
        f"Kappa of {gap.low} is {gap.kappa_low:.2f} and of {gap.high} {gap.kappa_high:.2f} {calls}"
        f": a gap of {gap.difference:.2f} ({interval}{picked})."
    )


def _gap_of(conclusion: Conclusion, cause: str) -> str:
    """Of which gap a share is: that of the labels as they are, or what an undone fault leaves."""
    place = conclusion.round_of.get(cause)
    seen = conclusion.base if place is None else conclusion.rounds[place]
    return "the gap" if seen is conclusion.first else "the gap that is then left"


def _cause(evidence: Evidence, cause: str, gap: str) -> str:
    one = evidence[cause]
    share = one.step if math.isnan(one.share) else one.share
    if math.isnan(share):
        return TITLES[cause]
    percent = f"{100 * max(share, 0):.0f} % of {gap}" if share < MORE else f"more than {gap}"
    if cause == "definition":
        return f"{TITLES[cause]} ({percent} is left when the others are undone)"
    return f"{TITLES[cause]} (undone, it closes {percent})"


def next_steps(conclusion: Conclusion) -> list[str]:
    """What to do, in order: for each named cause, then what would tell the open ones apart."""
    steps = [str(MODULES[cause].NEXT) for cause in conclusion.causes]
    data = [f"Get {ENABLE[cause]}." for cause in conclusion.open if cause in APART]
    if conclusion.first.unfit and not conclusion.causes:
        data.append("Read the judge's answers and the people's labels before measuring again.")
    return [*steps, *data]
