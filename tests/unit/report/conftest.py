from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import nbformat
import pytest

if TYPE_CHECKING:
    from pathlib import Path

PARAMETERS = """
labels: str | None = None  # label table, None for the bundled pilot
low: str | None = "escalation"  # construct that came out low
reference: str | list[str] | None = None  # one rater or several
level: float = 0.95  # of the intervals
draws: int = 20_000
plot: bool = False
out: str = "reports/small"  # folder of the report
"""
WRITE_RESULTS = """
import json
from pathlib import Path

shown = {"low": low, "reference": reference, "level": level, "draws": draws, "labels": labels}
Path(out, "results.json").write_text(json.dumps(shown, sort_keys=True))
"""


@pytest.fixture
def write_notebook(tmp_path: Path):
    """Write a notebook: a heading, the parameters, and the cells given."""

    def write(
        *cells: str, name: str = "small", parameters: str = PARAMETERS, tag: str = "parameters"
    ) -> Path:
        tagged = nbformat.v4.new_code_cell(parameters.strip(), metadata={"tags": [tag]})
        heading = nbformat.v4.new_markdown_cell("# escalation is worse than self_harm")
        code = [nbformat.v4.new_code_cell(cell.strip()) for cell in cells or (WRITE_RESULTS,)]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = nbformat.v4.new_notebook(
            cells=[heading, tagged, *code], metadata={"kernelspec": kernel}
        )
        path = tmp_path / f"{name}.ipynb"
        nbformat.write(notebook, path)
        return path

    return write


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in another folder, as a caller does."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def command() -> list[str]:
    """The command line, run by this interpreter."""
    return [sys.executable, "-c", "from toolkit.report.cli import main; main()"]
