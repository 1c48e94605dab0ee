"""Doctests of a single file need the packages loaded first; cells of a notebook keep their order.

pytest runs a module that it was given on its own under importlib mode; loaded before their package,
`toolkit.coefficients.agreement` would stand where the function of that name belongs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbval.plugin import IPyNbCell

import toolkit.answers
import toolkit.coefficients
import toolkit.diagnosis
import toolkit.gate
import toolkit.labels
import toolkit.planning
import toolkit.scoring
import toolkit.widgets

if TYPE_CHECKING:
    import pytest

__all__ = ["toolkit"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put cells last and in order, after pytest-randomly has shuffled the tests.

    A cell needs those above it, and its kernel ends where other tests begin.
    """
    cells = [item for item in items if isinstance(item, IPyNbCell)]
    others = [item for item in items if not isinstance(item, IPyNbCell)]
    items[:] = [*others, *sorted(cells, key=lambda cell: (str(cell.path), cell.cell_num))]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end that the browser tests were left out, and how to get them."""
    skipped = terminalreporter.stats.get("skipped", [])
    left_out = sum("no Chromium" in str(report.longrepr) for report in skipped)
    if left_out:
        terminalreporter.write_line(
            f"LEFT OUT: {left_out} browser tests, because there is no Chromium here. "
            "To run them, on Debian and Ubuntu: apt-get install chromium fonts-dejavu-core",
            yellow=True,
        )
