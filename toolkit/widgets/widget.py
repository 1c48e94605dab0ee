"""A page in the browser: one widget, whose script and style come with the package."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolkit.errors import LabelError
from toolkit.widgets.summary import Summary

Setup = dict[str, Any]
Receive = Callable[[dict[str, Any]], dict[str, Any]]

_HERE = Path(__file__).parent
_SCRIPTS = ("text.js", "wire.js", "page.js")  # what every page's own script builds on
_STYLES = ("page.css", "adjudicator.css")  # one for all: a page's style replaces that of another


def open_page(name: str, setup: Setup, receive: Receive) -> Any:
    """Make a widget that hands messages over and gives the replies to the browser.

    Parameters
    ----------
    name : str
        Of the page's own script.
    setup : dict
        All of the widget's state beside script and style.
    receive : callable
        From a message to its reply.

    Returns
    -------
    anywidget.AnyWidget
        To be shown.

    Raises
    ------
    LabelError
        The package anywidget is missing.
    """
    try:
        import anywidget  # noqa: PLC0415 - loads Jupyter
        import traitlets  # noqa: PLC0415
    except ImportError as error:
        raise LabelError(
            f"a page in the notebook needs a package that is missing: {error.name}",
            allowed="interactive=False works without",
            example="pip install anywidget",
        ) from None

    class Page(anywidget.AnyWidget):
        _esm = _joined(*_SCRIPTS, f"{name}.js")
        _css = _joined(*_STYLES)
        setup = traitlets.Dict().tag(sync=True)

    def answer(widget: Any, message: dict[str, Any], _: Any) -> None:
        widget.send({"ask": message.get("ask"), **receive(message)})

    page = Page(setup=setup)
    page.on_msg(answer)
    return page


def bundle(summary: Summary, widget: Any = None) -> dict[str, Any]:
    """Give what a cell shows: the widget where there is one, and a summary.

    A browser without the kernel, and an export, show the summary.
    """
    static = {"text/plain": summary.text, "text/html": summary.html}
    shown = {} if widget is None else widget._repr_mimebundle_()
    return {**(shown[0] if isinstance(shown, tuple) else shown), **static}


def somebody_is_there() -> bool:
    """Tell a cell that a person runs in a page from one of a notebook that is run through.

    A kernel that papermill starts from a notebook inherits that page's variables. But who runs a
    notebook through says with every cell that nobody can answer a prompt (allow_stdin).
    """
    try:
        from IPython.core.getipython import get_ipython  # noqa: PLC0415 - only where it is there
    except ImportError:
        return False
    shell: Any = get_ipython()
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return False
    asked = kernel.get_parent("shell") or {}
    if not asked.get("content", {}).get("allow_stdin", False):
        return False
    editor = "__vsc_ipynb_file__" in shell.user_ns or "google.colab" in str(type(shell))
    return editor or "JPY_SESSION_NAME" in os.environ


def _joined(*names: str) -> str:
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)
