"""Agreement along the declared order, and by stratum: where in the corpus the fault sits."""

from __future__ import annotations

import numpy as np
from IPython.display import HTML
from matplotlib.axes import Axes

from toolkit.coefficients.chance_corrected import cohen_kappa
from toolkit.diagnosis.build import Columns, build
from toolkit.diagnosis.case import Case, Floats, limits
from toolkit.diagnosis.drift import BLOCKS, blocks
from toolkit.diagnosis.evidence import CauseEvidence
from toolkit.diagnosis.result import Diagnosis
from toolkit.diagnosis.rules import SUPPORTED
from toolkit.diagnosis.words import ENABLE
from toolkit.labels.pairs import Alignment
from toolkit.labels.roles import Codes, resolve_roles
from toolkit.labels.table import Labels
from toolkit.report.diagnosis_markup import paragraph
from toolkit.report.plots import BLUE, GREEN, GREY, ROW, VERMILLION, Picture, _blank, _text

LEAST_CALLS = 40  # in a window
DATE = 10  # characters of a date; the time of day has no room
SHARE = 6  # a window holds a sixth of the calls, or LEAST_CALLS


def rolling_agreement(diagnosis: Diagnosis, labels: Labels) -> Picture | HTML:
    """Draw kappa of both constructs in a window that moves along the declared order.

    Parameters
    ----------
    diagnosis : Diagnosis
        From `toolkit.diagnose`.
    labels : Labels
        What was read.

    Returns
    -------
    Picture or IPython.display.HTML
        A matplotlib figure with 95 % bands; the stretch with the lowest agreement is shaded. A
        sentence where no order is declared, or it can't be used.

    Examples
    --------
    >>> import toolkit as tk
    >>> labels = tk.simulate(["a", "b"], n_calls=60)
    >>> rolling_agreement(tk.diagnose(labels, draws=500), labels).data
    '<p>Not drawn: no column ...'
    """
    found = diagnosis.evidence["drift"]
    stretches = found.facts.get("stretches")
    if stretches is None:
        return _not_drawn(diagnosis, found)
    case = _case_of(diagnosis, labels)
    order = np.asarray(case.order, dtype=np.float64)
    cell = blocks(order, case.unit)
    size = np.bincount(cell[cell >= 0], minlength=BLOCKS)
    width = int(np.clip(np.ceil(LEAST_CALLS * BLOCKS / size.sum()), BLOCKS // SHARE, BLOCKS))
    ends = np.concatenate([[0], size.cumsum()]) / size.sum()
    middle = (ends[width:] + ends[:-width]) / 2
    figure = _blank(8, 3.8)
    axes = figure.subplots()
    name = "lowest stretch" if found.status == SUPPORTED else "lowest stretch, not a named cause"
    for number, one in enumerate(stretches):
        label = None if number else name
        axes.axvspan(one["from"], one["to"], color=GREY, alpha=0.22, linewidth=0, label=label)
    looks = ((diagnosis.gap.low, VERMILLION, "v", "-"), (diagnosis.gap.high, GREEN, "^", "--"))
    said = []
    for construct, (who, color, marker, style) in enumerate(looks):
        estimate, low, high = _windows(case, construct, cell, width)
        axes.fill_between(middle, low, high, color=color, alpha=0.15, linewidth=0)
        axes.plot(middle, estimate, marker + style, color=color, markersize=5, label=_text(who))
        said.append(f"{who} from {np.nanmin(estimate):.2f} to {np.nanmax(estimate):.2f}")
    _axis(
        axes, labels, case.item[np.argsort(order)][: np.isfinite(order).sum()], found.facts["order"]
    )
    calls = size.sum() * width // BLOCKS
    axes.set_ylabel(f"kappa in windows of about\n{calls:,} calls, 95 % bands")
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    where = " and ".join(f"{100 * one['from']:.0f} to {100 * one['to']:.0f} %" for one in stretches)
    figure.alt = (
        f"Kappa in a window of about {calls} calls that moves along "
        f"{found.facts['order']}: {'; '.join(said)}. The {name} is {where} of the calls."
    )
    return figure


def strata_forest(diagnosis: Diagnosis) -> Picture | HTML:
    """Draw the standardised kappa of the low construct in every stratum, the lowest on top.

    Parameters
    ----------
    diagnosis : Diagnosis
        From `toolkit.diagnose`.

    Returns
    -------
    Picture or IPython.display.HTML
        A matplotlib figure; a sentence where no strata are declared, or they can't be used.

    Examples
    --------
    >>> import toolkit as tk
    >>> strata_forest(tk.diagnose(tk.simulate(["a", "b"], n_calls=60), draws=500)).data
    '<p>Not drawn: no column ...'
    """
    found = diagnosis.evidence["stratum"]
    strata = found.facts.get("strata")
    if strata is None:
        return _not_drawn(diagnosis, found)
    number = {None: np.nan}  # facts are strict-JSON material, in which nan is None
    rows = sorted(strata, key=lambda one: -number.get(one["standardised"], one["standardised"]))
    figure = _blank(8, 1.5 + ROW * len(rows))
    axes = figure.subplots()
    for height, one in enumerate(rows):
        bad = one["bad"] and found.status == SUPPORTED
        color, marker = (VERMILLION, "v") if bad else (BLUE, "o")
        ends = [number.get(one[end], one[end]) for end in ("low", "high")]
        axes.plot(ends, [height, height], color=color, linewidth=2.5)
        axes.plot(
            number.get(one["standardised"], one["standardised"]),
            height,
            marker,
            color=color,
            markersize=8,
        )
        axes.plot(number.get(one["kappa"], one["kappa"]), height, "x", color="black", markersize=6)
    axes.plot([], [], "o", color=BLUE, label="standardised kappa, 95 % interval")
    if found.status == SUPPORTED:
        axes.plot([], [], "v", color=VERMILLION, label="the worst strata")
    axes.plot([], [], "x", color="black", linestyle="none", label="kappa as it is")
    axes.set_yticks(
        range(len(rows)), [_text(f"{one['name']} ({one['n']:,} calls)") for one in rows]
    )
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.axvline(0, color=GREY, linewidth=1, linestyle=":")
    axes.set_xlim(min(axes.get_xlim()[0], -0.05), 1.03)
    axes.set_xlabel(f"kappa of {_text(diagnosis.gap.low)} by {_text(found.facts['stratum'])}")
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    said = ", ".join(
        f"{one['name']} {number.get(one['standardised'], one['standardised']):.2f}"
        for one in rows[::-1]
    )
    figure.alt = f"Standardised kappa of {diagnosis.gap.low} by stratum, lowest first: {said}."
    return figure


def _not_drawn(diagnosis: Diagnosis, found: CauseEvidence) -> HTML:
    why = found.sentence.partition(": ")[2].rstrip(".")
    enable = "" if diagnosis.contrast is None else f" To enable it: {ENABLE[found.cause]}."
    return HTML(paragraph(f"Not drawn: {why}.{enable}"))


def _case_of(diagnosis: Diagnosis, labels: Labels) -> Case:
    """The calls of the diagnosis, built again from its parameters."""
    given = diagnosis.parameters
    roles = resolve_roles(labels, given["judge"], given["reference"])
    columns = Columns(given["cluster"], None, given["order"], given["witness"])
    names = (diagnosis.gap.low, diagnosis.gap.high)
    weights = given.get("weights", "schema")
    return build(Alignment(labels), names, roles, weights, columns, given["seed"])[0]


def _windows(case: Case, construct: int, cell: Codes, width: int) -> tuple[Floats, Floats, Floats]:
    """Kappa and its 95 % limits in each window of neighbouring blocks."""
    people, judge = case.referred(construct), case.judged(construct)
    cells = (people[:, :, None] * judge[:, None, :]).reshape(case.n, -1)
    parts = [case.sums(cells * (cell == block)[:, None]) for block in range(BLOCKS)]
    total = np.cumsum([np.zeros_like(parts[0]), *parts], axis=0)
    k = people.shape[1]
    stacks = (total[width:] - total[:-width]).reshape(-1, len(total[0]), k, k) + case.mass(k, k)
    kappas = np.asarray(cohen_kappa(stacks, case.scales[construct].weights))
    ends = np.array([limits(stack) for stack in kappas])
    return kappas[:, 0], ends[:, 0], ends[:, 1]


def _axis(axes: Axes, labels: Labels, items: Codes, column: str) -> None:
    """Put values of the order below the axis; as shares of the calls they have no other scale."""
    value = labels.frame.groupby("item_id", sort=False)[column].first()
    shares = np.linspace(0, 1, 6)
    at = value.loc[Alignment(labels).items[items[np.round(shares * (items.size - 1)).astype(int)]]]
    names = [f"{one:g}" if isinstance(one, int | float) else str(one)[:DATE] for one in at]
    axes.set_xticks(shares, [_text(name) for name in names])
    axes.set_xlim(0, 1)
    axes.set_xlabel(f"{_text(column)} (equal distances hold equal numbers of calls)")
    axes.set_ylim(top=1.02)
    axes.axhline(0, color=GREY, linewidth=1, linestyle=":")
    axes.spines[["top", "right"]].set_visible(False)
