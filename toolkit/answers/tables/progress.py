"""A bar for long work, on the standard error; results never depend on it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONG = 20_000  # rows, a few seconds on one core


@contextmanager
def progress_bar(total: int, shown: bool | None) -> Iterator[Callable[[int], object]]:  # noqa: FBT001 - passed on
    """Show how far the work is.

    Parameters
    ----------
    total : int
        Rows.
    shown : bool or None
        None: where there are more than 20,000 and somebody looks (terminal or notebook).

    Yields
    ------
    callable
        To be told how many more rows are done.

    Examples
    --------
    >>> with progress_bar(100, None) as done:
    ...     _ = done(100)
    """
    if not (total > LONG and _watched() if shown is None else shown):
        yield lambda _: None
        return
    # tqdm.auto warns in a notebook that has no widgets.
    widgets = _in_notebook() and importlib.util.find_spec("ipywidgets") is not None
    tqdm = importlib.import_module("tqdm.auto" if widgets else "tqdm").tqdm
    with tqdm(total=total, unit=" rows", unit_scale=True, leave=False) as bar:
        yield bar.update


def _watched() -> bool:
    return _in_notebook() or (sys.stderr is not None and sys.stderr.isatty())


def _in_notebook() -> bool:
    kernel = sys.modules.get("ipykernel.kernelapp")  # never imported for this question
    return kernel is not None and bool(kernel.IPKernelApp.initialized())
