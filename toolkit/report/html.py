"""An executed notebook as one page that opens offline."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
from nbconvert import HTMLExporter
from traitlets.config import Config

if TYPE_CHECKING:
    import os

_TEMPLATES = Path(__file__).parent / "templates"

# Static kinds only: a widget or a script would need code from outside to be drawn.
_SHOWN = [
    "text/html",
    "image/svg+xml",
    "image/png",
    "image/jpeg",
    "text/markdown",
    "text/latex",
    "text/plain",
]


def to_html(notebook: str | os.PathLike[str]) -> str:
    """Turn an executed notebook into one page.

    Parameters
    ----------
    notebook : str or path-like
        An executed notebook.

    Returns
    -------
    str
        HTML with its style and pictures inside. The page runs no script and asks for nothing from
        outside: its content security policy forbids both, whatever a cell printed. Code is folded;
        that of cells tagged ``parameters`` or ``hide-input`` is left out.

    Examples
    --------
    >>> import tempfile
    >>> import nbformat
    >>> from toolkit.report.html import to_html
    >>> cells = [nbformat.v4.new_markdown_cell("# One construct is worse")]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     nbformat.write(nbformat.v4.new_notebook(cells=cells), f"{folder}/a.ipynb")
    ...     page = to_html(f"{folder}/a.ipynb")
    >>> "<title>One construct is worse</title>" in page
    True
    """
    path = Path(notebook)
    content = nbformat.read(path, as_version=4)
    content.metadata.pop("widgets", None)
    exporter = HTMLExporter(
        template_name="report",
        extra_template_basedirs=[str(_TEMPLATES)],
        exclude_anchor_links=True,
        exclude_output_prompt=True,
        exclude_input_prompt=True,
        embed_images=True,
        config=Config({"NbConvertBase": {"display_data_priority": _SHOWN}}),
    )
    resources = {"metadata": {"name": _title(content, path.stem), "path": str(path.parent)}}
    page, _ = exporter.from_notebook_node(content, resources=resources)
    return str(page)


def _title(content: nbformat.NotebookNode, otherwise: str) -> str:
    """Return the notebook's title, else its first heading, else its name."""
    if content.metadata.get("title"):
        return str(content.metadata["title"])
    for cell in content.cells:
        heading = re.search(r"^# +(.+)$", cell.source, flags=re.MULTILINE)
        if cell.cell_type == "markdown" and heading:
            return heading[1].strip()
    return otherwise
