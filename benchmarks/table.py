"""The one table of a benchmark run: lines, targets, and how they are printed."""

from __future__ import annotations

import math
import os
import platform
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "pingouin")


@dataclass(frozen=True)
class Line:
    """One line of the table.

    `seconds` is None where the line is a ratio or could not be measured; `measured` is a ratio or
    another figure in words; `met` is None where there is no target.
    """

    what: str
    n: str = ""
    seconds: float | None = None
    extrapolated: bool = False
    measured: str = ""
    target: str = ""
    met: bool | None = None

    def cells(self) -> list[str]:
        """Give the text of each column."""
        mark = " (e)" if self.extrapolated else ""
        time = "" if self.seconds is None else f"{self.seconds:.4g} s{mark}"
        verdict = {None: "", True: "ok", False: "MISSED"}[self.met]
        return [self.what, self.n, time, self.measured, self.target, verdict]


def at_most(what: str, seconds: float, limit: float, *, n: str = "", measured: str = "") -> Line:
    """Make a line whose time must stay below a limit in seconds."""
    target = f"< {limit:g} s"
    return Line(what, n, seconds, measured=measured, target=target, met=seconds < limit)


def ratio(
    what: str, value: float, *, least: float = 0.0, most: float = math.inf, n: str = ""
) -> Line:
    """Make a line for a ratio that must reach `least` or must not exceed `most`."""
    target = f">= {least:,g} times" if least else f"<= {most:g} times"
    met = least <= value <= most
    return Line(what, n, measured=f"{_figures(value)} times", target=target, met=met)


def times(line: Line, ours: float) -> Line:
    """Fill in how many times as long as `ours` a line took."""
    if line.seconds is None:
        return line
    factor = line.seconds / ours
    return replace(line, measured=f"{_figures(factor)} times ours")


def markdown(lines: list[Line]) -> str:
    """Lay out the table, columns padded so that it reads in a terminal as well."""
    head = ["line", "n", "time", "measured", "target", "verdict"]
    rows = [head, *(line.cells() for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    rows.insert(1, ["-" * width for width in widths])
    padded = ([f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)] for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in padded)


def machine() -> str:
    """Say on what the figures were measured."""
    packages = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    python = platform.python_version()
    return f"Python {python}, {packages}; {os.cpu_count()} cores, {platform.machine()}."


def _figures(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"  # noqa: PLR2004 - legibility


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(absent)"
