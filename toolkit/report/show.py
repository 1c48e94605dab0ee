"""Tables and sentences of a report as HTML: everything that came from data is shown as text."""

from __future__ import annotations

import html
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
from IPython.display import HTML

from toolkit.coefficients.agreement import Agreement
from toolkit.coefficients.contrast import Contrast
from toolkit.coefficients.kappa import Kappa
from toolkit.diagnosis.result import Diagnosis
from toolkit.labels.table import Labels
from toolkit.report.caveats import NUMBER_NOTES, said_once
from toolkit.report.markup import as_table, number, p_value
from toolkit.report.words import in_words

HEADERS = {
    "construct": "construct",
    "n": "items",
    "prevalence_reference": "present: reference",
    "prevalence_judge": "present: judge",
    "agreement": "agreement",
    "kappa": "kappa [interval]",
    "kappa_max": "kappa_max",
    "ac1": "AC1",
    "pabak": "PABAK",
}


def bullets(title: str, items: Sequence[str]) -> HTML:
    """Show a short list; nothing at all when it is empty.

    Parameters
    ----------
    title : str
        Line above the list.
    items : sequence of str
        Plain text.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> bullets("Note:", ["a < b"]).data
    '<div class="note"><p>Note:</p><ul><li>a &lt; b</li></ul></div>'
    """
    if not items:
        return HTML("")
    lines = "".join(f"<li>{html.escape(item)}</li>" for item in items)
    return HTML(f'<div class="note"><p>{html.escape(title)}</p><ul>{lines}</ul></div>')


def read_table(labels: Labels) -> HTML:
    """Show what was read: one row per rater.

    Parameters
    ----------
    labels : Labels
        From `read_labels`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> import toolkit as tk
    >>> "human1" in read_table(tk.simulate(["self_harm"], n_calls=10)).data
    True
    """
    frame = labels.raters.astype(object).where(labels.raters.notna(), "not declared")
    frame["labels"] = _counts(frame["labels"])
    names = {"rater_id": "rater", "rater_kind": "kind", "labels": "labels"}
    return as_table(frame[list(names)].rename(columns=names))


def made_table(parameters: Mapping[str, object], results: Mapping[str, Any]) -> HTML:
    """Show how the report was made: parameters and versions.

    Parameters
    ----------
    parameters : mapping of str to object
        The notebook's parameters.
    results : mapping
        From `write_results`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> "seed" in made_table({"seed": 7}, {"versions": {"numpy": "2"}}).data
    True
    """
    rows = [
        (name, "not given" if value is None else str(value)) for name, value in parameters.items()
    ]
    rows += [(f"{name} version", text) for name, text in results["versions"].items()]
    return as_table(pd.DataFrame(rows), header=False)


def left_out_table(labels: Labels, agreement: Agreement, contrast: Contrast | None = None) -> HTML:
    """Show what could not be used: a row per construct and comparison, a column per reason.

    Parameters
    ----------
    labels : Labels
        From `read_labels`.
    agreement : Agreement
        From `agreement`.
    contrast : Contrast, optional
        The comparison of two constructs.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["self_harm"], n_calls=10)
    >>> left_out_table(labels, tk.agreement(labels)).data
    '<p>Nothing was left out.</p>'
    """
    rows = [
        (row["construct"], f"labels: {in_words(row['reason'])}", _given_by(row))
        for row in labels.left_out.to_dict("records")
    ]
    rows += [
        (row["construct"], f"items: {in_words(row['reason'])}", f"{row['items']:,}")
        for row in agreement.left_out.to_dict("records")
    ]
    if contrast is not None:
        name = f"{contrast.names[0]} against {contrast.names[1]}"
        lost = contrast.left_out.items()
        rows += [(name, f"items: {in_words(reason)}", f"{number:,}") for reason, number in lost]
    if not rows:
        return HTML("<p>Nothing was left out.</p>")
    cells = pd.DataFrame(rows, columns=["construct", "reason", "number"])
    shown = cells.pivot_table(
        "number", "construct", "reason", aggfunc=", ".join, fill_value="", sort=False
    )
    return as_table(shown.rename_axis(columns=None).reset_index())


def agreement_table(agreement: Agreement, people: Agreement | None = None) -> HTML:
    """Show one row per construct, the lowest kappa first; notes on single numbers stand above.

    Parameters
    ----------
    agreement : Agreement
        From `agreement`.
    people : Agreement, optional
        One person against another, for a column of their kappas.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> import toolkit as tk
    >>> "kappa_max" in agreement_table(tk.agreement(tk.simulate(["self_harm"], n_calls=50))).data
    True
    """
    frame = agreement.to_frame().sort_values("kappa", kind="stable", na_position="first")
    order = [agreement[name] for name in frame["construct"]]
    frame["kappa"] = [_kappa(one.kappa) for one in order]
    frame["n"] = _counts(frame["n"])
    shown = frame[list(HEADERS)].rename(columns=HEADERS)
    if people is not None:
        other = [people[name] for name in frame["construct"]]
        place = list(HEADERS).index("kappa") + 1
        shown.insert(place, "people: kappa [interval]", [_kappa(one.kappa) for one in other])
        shown.insert(place + 1, "people: items", _counts(one.measures["n"] for one in other))
    notes = bullets("Of the numbers below:", said_once(agreement, NUMBER_NOTES))
    return HTML(notes.data + as_table(shown).data)


def contrast_text(contrast: Contrast) -> HTML:
    """Show the comparison of the pair in numbers and words.

    Parameters
    ----------
    contrast : Contrast
        From `contrast`.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["a", "b"], n_calls=50)
    >>> "shared calls" in contrast_text(tk.contrast(labels, low="a", high="b")).data
    True
    """
    if contrast.n_calls == 0:
        return HTML(f"<p>Nothing to compare: {in_words(contrast.reasons[0])}.</p>")
    low, high = contrast.names
    rows = [
        ("shared calls", f"{contrast.n_calls:,}"),
        ("judge", contrast.judge),
        ("reference", contrast.reference),
        (f"kappa of {low}", f"{number(contrast.kappa_low)} ({contrast.weights[0]})"),
        (f"kappa of {high}", f"{number(contrast.kappa_high)} ({contrast.weights[1]})"),
        (f"difference ({high} minus {low})", number(contrast.difference)),
        (
            f"{100 * contrast.level:g} % interval of the difference",
            _limits(contrast.low, contrast.high),
        ),
        ("p-value (same draws)", p_value(contrast.p_value)),
        ("p-value (Hotelling's T squared)", p_value(contrast.p_hotelling)),
        ("correlation of the two estimates", number(contrast.correlation)),
        ("resampled", f"{contrast.units:,} {'clusters' if contrast.cluster else 'calls'}"),
    ]
    table = as_table(pd.DataFrame(rows), header=False)
    apart = (
        "<p>These two kappas rest on the shared calls alone, so they can differ from those in the "
        "table above.</p>"
    )
    return HTML(table.data + apart + _what_if(contrast.common_prevalence, low, high))


def disagreement_table(diagnosis: Diagnosis, most: int = 12) -> HTML:
    """Show disagreements on the low construct that are worth reading first.

    Parameters
    ----------
    diagnosis : Diagnosis
        From `toolkit.diagnose`.
    most : int
        How many rows at most.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> import toolkit as tk
    >>> diagnosis = tk.diagnose(tk.simulate(["self_harm"], n_calls=50), draws=500)
    >>> "item" in disagreement_table(diagnosis).data
    True
    """
    frame = diagnosis.disagreements
    if frame.empty:
        return HTML(f"<p>Nobody disagrees on {html.escape(diagnosis.gap.low)}.</p>")
    names = {"item_id": "item", "reference": "reference", "judge": diagnosis.agreement.judge}
    shown = frame.head(most)[list(names)].rename(columns=names)
    yes = {True: "yes", False: "no"}
    if "people_agree" in frame and len(diagnosis.parameters["reference"]) > 1:
        shown["people agree with each other"] = frame["people_agree"].map(yes)
    if "high_agrees" in frame:
        shown[f"judge is right on {diagnosis.gap.high}"] = frame["high_agrees"].map(yes)
    left = len(frame) - most
    more = f"<p>{left:,} more in diagnosis.disagreements.</p>" if left > 0 else ""
    return HTML(as_table(shown).data + more)


def _what_if(common: Mapping[str, float], low: str, high: str) -> str:
    if not common:
        return ""
    return (
        f"<p>What if both constructs were present in {100 * common['prevalence']:.0f} % of the "
        f"items? With each construct's own sensitivity and specificity, kappa would be "
        f"{number(common['kappa_low'])} for {html.escape(low)} and "
        f"{number(common['kappa_high'])} for {html.escape(high)}. A what-if, not a correction: "
        "error rates move with the kind of items.</p>"
    )


def _counts(numbers: Iterable[float]) -> list[str]:
    return [f"{number:,}" for number in numbers]


def _given_by(row: Mapping[Hashable, Any]) -> str:
    return f"{row['count']:,} by {row['rater_id']}"


def _limits(low: float, high: float) -> str:
    if math.isnan(low) and math.isnan(high):
        return "undefined"
    # No-break spaces keep an interval on one line.
    return f"[{number(low)},\u00a0{number(high)}]"


def _kappa(kappa: Kappa) -> str:
    kind = "" if kappa.weights == "unweighted" else f" {kappa.weights}"
    if math.isnan(kappa.estimate) and math.isnan(kappa.low):
        return "undefined"
    return f"{number(kappa.estimate)} {_limits(kappa.low, kappa.high)}{kind}"
