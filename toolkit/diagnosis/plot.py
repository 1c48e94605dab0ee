"""The picture of a diagnosis: what share of the gap goes when each cause is undone.

Only here does the package draw; matplotlib is loaded when somebody asks for the picture.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from toolkit.diagnosis.evidence import CauseEvidence
from toolkit.diagnosis.rules import MINOR, REFUTED, SUPPORTED, UNDETERMINED
from toolkit.diagnosis.words import TITLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from toolkit.diagnosis.result import Diagnosis

LEAST, MOST = -0.55, 1.55  # shares beyond are drawn as arrows at the edge
VERMILLION, BLUE, GREY = "#D55E00", "#0072B2", "#767676"  # Okabe and Ito, for colour-blind readers
# Status by colour and by shape: neither carries it alone.
LOOKS: dict[str, dict[str, Any]] = {
    SUPPORTED: {"color": VERMILLION, "marker": "o", "markersize": 9},
    MINOR: {"color": BLUE, "marker": "D", "markersize": 7},
    UNDETERMINED: {"color": "black", "marker": "s", "markersize": 7, "fillstyle": "none"},
    REFUTED: {"color": GREY, "marker": "o", "markersize": 7, "fillstyle": "none"},
}
LEGEND = {
    SUPPORTED: "supported",
    MINOR: "minor: there, but not named",
    UNDETERMINED: "undetermined",
    REFUTED: "refuted",
}
WIDTH = 9.5  # inches
ROW, MARGIN = 0.36, 1.6  # inches a cause, and for axis and legend


def shares_figure(diagnosis: Diagnosis) -> Figure:
    """Draw each cause's share of the gap with its 90 % interval on a figure of its own."""
    from matplotlib.figure import Figure  # noqa: PLC0415  only who draws waits for it

    figure = Figure(figsize=(WIDTH, height_of(diagnosis)), layout="constrained")
    draw_shares(diagnosis, figure.subplots())
    return figure


def height_of(diagnosis: Diagnosis) -> float:
    """Inches that the picture needs."""
    return MARGIN + ROW * len(diagnosis.evidence.causes)


def draw_shares(diagnosis: Diagnosis, axes: Axes) -> None:
    """Draw a row a cause, the strongest on top; causes without a share say why."""
    rows = ranked(diagnosis)[::-1]
    for line, style in ((0, ":"), (1, "--")):
        axes.axvline(line, color=GREY, linewidth=1, linestyle=style)
    for height, one in enumerate(rows):
        if math.isnan(one.share):
            axes.text(0.03, height, why_no_share(one), va="center", fontsize=9, color="#57606a")
        else:
            _row(axes, height, one)
    for status, look in LOOKS.items():
        if any(one.status == status and not math.isnan(one.share) for one in rows):
            axes.plot([], [], linestyle="none", label=LEGEND[status], **look)
    if axes.get_legend_handles_labels()[0]:
        axes.figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    axes.set_yticks(range(len(rows)), [_title(one, diagnosis) for one in rows])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlim(LEAST, MOST)
    axes.set_xticks([-0.5, 0, 0.5, 1, 1.5], ["-50 %", "0", "50 %", "100 %", "150 %"])
    axes.set_xlabel("share of the gap that goes when the cause is undone, 90 % interval")
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def shares_in_words(diagnosis: Diagnosis) -> str:
    """The picture in words, for those who can't see it."""
    rows = ranked(diagnosis)
    known = [one for one in rows if not math.isnan(one.share)]
    if not known:
        return "No cause has a share of the gap: there is no gap, or nothing was testable."
    said = "; ".join(
        f"{TITLES[one.cause]} {one.share:.2f} ({one.share_low:.2f} to {one.share_high:.2f}, "
        f"{one.status})"
        for one in known
    )
    missing = [TITLES[one.cause] for one in rows if math.isnan(one.share)]
    rest = f"; without a share: {', '.join(missing)}" if missing else ""
    return f"Share of the gap that goes when each cause is undone, 90 % interval: {said}{rest}."


def ranked(diagnosis: Diagnosis) -> list[CauseEvidence]:
    """Causes as a reader wants them: named, open, minor, the rest by share, untestable last."""
    verdict = diagnosis.verdict
    named = [*verdict.causes, *(one for one in verdict.open if one not in verdict.causes)]

    def place(one: CauseEvidence) -> tuple[int, float]:
        if one.cause in named:
            return 0, float(named.index(one.cause))
        share = -math.inf if math.isnan(one.share) else one.share
        if one.status == MINOR:
            return 1, -share
        return (3 if untestable(one) else 2), -share

    return sorted(diagnosis.evidence, key=place)


def untestable(one: CauseEvidence) -> bool:
    """Whether nothing could be measured."""
    return math.isnan(one.effect) and one.sentence.startswith("Not testable")


def why_no_share(one: CauseEvidence) -> str:
    """Why a cause has no share of the gap."""
    if untestable(one):
        return "not testable"
    return "no what-if" if math.isnan(one.kappa_without) else "no gap is left to share"


def _title(one: CauseEvidence, diagnosis: Diagnosis) -> str:
    return TITLES[one.cause] + (" (named)" if one.cause in diagnosis.verdict.causes else "")


def _row(axes: Axes, height: int, one: CauseEvidence) -> None:
    look = {"linestyle": "none", **LOOKS[one.status]}
    if look.get("fillstyle") == "none":
        look |= {"fillstyle": "full", "markerfacecolor": "white"}  # covers the line behind it
    if not LEAST < one.share < MOST:
        _beyond(axes, height, one, look["color"])
        return
    ends = [min(max(end, LEAST), MOST) for end in (one.share_low, one.share_high)]
    if not math.isnan(sum(ends)):
        axes.plot(ends, [height, height], color=look["color"], linewidth=2.2)
    axes.plot(one.share, height, **look)


def _beyond(axes: Axes, height: int, one: CauseEvidence, color: str) -> None:
    """An arrow at the edge, and the share in figures, where the axis does not reach."""
    below = one.share < 0
    edge = LEAST + 0.03 if below else MOST - 0.03
    axes.plot(edge, height, "<" if below else ">", color=color, markersize=8)
    said = f"{100 * one.share:.0f} % [{100 * one.share_low:.0f}, {100 * one.share_high:.0f}]"
    where = edge + (0.05 if below else -0.05)
    axes.text(where, height, said, ha="left" if below else "right", va="center", fontsize=9)
