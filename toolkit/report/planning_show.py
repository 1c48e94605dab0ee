"""Tables of a plan: labels per stratum, half-widths, other designs, the drawn batch."""

from __future__ import annotations

import html

import pandas as pd
from IPython.display import HTML

from toolkit.planning.design import JUDGE_COLUMN, PROVENANCE
from toolkit.planning.plan import Plan
from toolkit.report.markup import as_table
from toolkit.report.show import bullets

MOST_STRATA, MOST_ITEMS = 40, 10
THREE = "{:.3f}".format
LEAST = "the least of a plan without assurance"
DESIGNS = {
    "plan": "this plan",
    "simple random": "simple random sample",
    "proportional": "strata in proportion to their size",
    "equal": "the same number in every stratum",
    "separate": "a plan of its own for each construct",
}


def plan_headline(plan: Plan) -> HTML:
    """Say in one sentence how many items to label and what it buys, and what limits it.

    Parameters
    ----------
    plan : Plan
        From `toolkit.planning`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.report.planning_example import example_plan
    >>> "Before you read on" in plan_headline(example_plan()).data
    True
    """
    notes = bullets("Before you read on:", [*plan.warnings, *plan_notes(plan)])
    return HTML(f'<p class="headline">{html.escape(plan_sentence(plan))}</p>{notes.data}')


def plan_sentence(plan: Plan) -> str:
    """Say how many items to label, and what a simple random sample would need.

    Parameters
    ----------
    plan : Plan
        From `toolkit.planning`.

    Returns
    -------
    str

    Examples
    --------
    >>> from toolkit.report.planning_example import example_plan
    >>> plan_sentence(example_plan())
    'Label ... items: kappa is then known, on average, to ±0.100 for escalation and to ±0.050 ...'
    """
    random = plan.comparison.set_index("design").loc["simple random"]
    if pd.isna(random["labels"]):
        beside = "no simple random sample of this pool reaches that"
    elif _per_label(plan):
        beside = (
            f"met on average only, a plan needs {plan.certificate:,.0f} items and a simple random "
            f"sample {random['labels']:,.0f}, {random['labels'] / plan.certificate:.1f} times as "
            "many"
        )
    else:
        beside = (
            f"a simple random sample needs {random['labels']:,.0f} items to do so on average, "
            f"{random['times']:.1f} times as many"
        )
    return f"Label {plan.total:,} items: {_promise(plan)}; {beside}."


def _per_label(plan: Plan) -> bool:
    """Whether other designs, which are met on average, go beside the least without assurance."""
    return plan.assurance is not None and plan.cost == plan.total


def _promise(plan: Plan) -> str:
    """Say to what half-widths the kappas are planned, or assured, to be known."""
    frame = plan.half_width
    if plan.assurance is not None:
        frame = frame[frame["target"].notna()]
    column = "planned" if plan.assurance is None else "target"
    widths = _joined(
        [
            f"to ±{width:.3f} for {name}"
            for name, width in zip(frame["construct"], frame[column], strict=True)
        ]
    )
    if plan.assurance is None:
        return f"kappa is then known, on average, {widths}"
    return (
        f"kappa is then known {widths}, or better, with probability {plan.assured:.2f} if the "
        "pilot's shares are right"
    )


def plan_notes(plan: Plan) -> list[str]:
    """Say what limits the plan, in words.

    Parameters
    ----------
    plan : Plan
        From `toolkit.planning`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from toolkit.report.planning_example import example_plan
    >>> plan_notes(example_plan())[0]
    'the pilot leaves the half-widths open: escalation ... to ..., self_harm ...'
    """
    bands = ", ".join(
        f"{row.construct} {row.low:.3f} to {row.high:.3f}" for row in plan.half_width.itertuples()
    )
    said = [f"the pilot leaves the half-widths open: {bands} (its 10-90 % band)"]
    if plan.assurance is None:
        said.append(
            "the half-widths are met on average: about every second sample gives a wider interval"
        )
    else:
        said.append(
            f"all targets are met by {100 * plan.assured:.0f} % of simulated samples "
            f"(asked for: {100 * plan.assurance:.0f} %)"
        )
    unit = "labels" if plan.cost == plan.total else "of cost"
    said.append(
        f"met on average, no plan with these strata and this pilot needs less than "
        f"{plan.certificate:,.5g} {unit}"
    )
    whose = {
        "pool": "kappa is that of these very items, not of other traffic",
        "deployment": "kappa is that of the traffic from which the pool was drawn at random",
    }
    return [*said, whose[plan.estimand]]


def allocation_table(plan: Plan) -> HTML:
    """Show the labels of each stratum, with the weight that an item gets and expected positives.

    Parameters
    ----------
    plan : Plan
        From `toolkit.planning`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.report.planning_example import example_plan
    >>> "escalation=1, self_harm=0" in allocation_table(example_plan()).data
    True
    """
    frame = plan.allocation.sort_values("n", ascending=False, kind="stable")
    positives = plan.expected_positives.pivot_table(
        index="stratum", columns="construct", values="expected", sort=False
    )
    shown = pd.DataFrame(
        {
            "stratum": frame["stratum"],
            "items": frame["size"].map("{:,}".format),
            "to label": frame["n"].map("{:,}".format),
            "of the stratum": (frame["n"] / frame["size"]).map("{:.1%}".format),
            "an item stands for": (frame["size"] / frame["n"]).map("{:,.1f}".format),
        }
    )
    for name in plan.strata.constructs:
        expected = positives[name].reindex(frame["stratum"]).to_numpy()
        shown[f"{name}: expected positives"] = [f"{number:,.1f}" for number in expected]
    return _cut(shown, MOST_STRATA, "strata")


def widths_table(plan: Plan) -> HTML:
    """Show what the plan reaches for each construct, and what its last tenth of width costs.

    Parameters
    ----------
    plan : Plan
        From `toolkit.planning`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.report.planning_example import example_plan
    >>> "the last 10 % of width" in widths_table(example_plan()).data
    True
    """
    frame = plan.half_width
    words = plan.shadow_price.set_index("construct")["words"]
    shown = {
        "construct": frame["construct"],
        "kappa, by the pilot": frame["kappa"].map("{:.2f}".format),
        "target": frame["target"].map(lambda value: "none" if pd.isna(value) else THREE(value)),
        "planned half-width": frame["planned"].map(THREE),
        "10-90 % band": [f"{row.low:.3f} to {row.high:.3f}" for row in frame.itertuples()],
        "price": frame["construct"].map(words).fillna(""),
    }
    return as_table(pd.DataFrame(shown))


def designs_table(plan: Plan) -> HTML:
    """Show what other designs need for the same half-widths, and reach with the same labels.

    Parameters
    ----------
    plan : Plan
        From `toolkit.planning`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> from toolkit.report.planning_example import example_plan
    >>> "simple random sample" in designs_table(example_plan()).data
    True
    """
    frame, times = plan.comparison, "times the plan"
    assured = "" if plan.assurance is None else ", with its assurance"
    if _per_label(plan):
        # The others are met on average only: what a plan needs for that is their measure.
        least = pd.DataFrame([{"design": "least", "labels": plan.certificate}])
        frame = pd.concat([frame[:1], least, frame[1:]])
        frame["times"], times = frame["labels"] / plan.certificate, "times the least"
    names = frame["design"].map(DESIGNS | {"plan": DESIGNS["plan"] + assured, "least": LEAST})
    aim = "the targets" if plan.question == "targets" else "the same half-widths"
    shown = {
        "design": names,
        f"labels for {aim}, on average": frame["labels"].map(
            lambda value: "more than the pool" if pd.isna(value) else f"{value:,.0f}"
        ),
        times: frame["times"].map(lambda value: "" if pd.isna(value) else f"{value:.2f}"),
    }
    for name in plan.strata.constructs:
        shown[f"{name} with {plan.total:,} labels"] = frame[f"half_width_{name}"].map(
            lambda value: "" if pd.isna(value) else THREE(value)
        )
    return as_table(pd.DataFrame(shown))


def batch_table(batch: pd.DataFrame) -> HTML:
    """Show the first items of a drawn batch.

    Parameters
    ----------
    batch : DataFrame
        From `toolkit.planning.draw`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> batch = pd.DataFrame({"item_id": ["a"], "stratum": ["tone=1"], "design_weight": [4.5]})
    >>> "tone=1" in batch_table(batch).data
    True
    """
    # Fingerprints say nothing to a reader, and people label without the judge's labels in sight.
    columns = [
        name
        for name in batch.columns
        if name not in PROVENANCE and not name.startswith(JUDGE_COLUMN)
    ]
    shown = batch[columns].copy()
    for name in shown.select_dtypes("float"):
        shown[name] = shown[name].map("{:.4g}".format)
    return _cut(shown, MOST_ITEMS, "items")


def _cut(frame: pd.DataFrame, most: int, what: str) -> HTML:
    rest = len(frame) - most
    more = f"<p>and {rest:,} more {what}</p>" if rest > 0 else ""
    return HTML(as_table(frame.head(most)).data + more)


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
