"""Where the bundled notebooks and data are, in a wheel and in a checkout."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from toolkit.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

_PACKAGE = Path(__file__).resolve().parents[1]


def bundled(name: str) -> Path:
    """Find a data file or folder that comes with the package.

    Parameters
    ----------
    name : str
        Path inside the bundled data, with forward slashes.

    Returns
    -------
    pathlib.Path
        Absolute path of an existing file or folder. Read it, never write to it.

    Raises
    ------
    ParameterError
        If nothing of that name is bundled.

    Examples
    --------
    >>> from toolkit.report.resources import bundled
    >>> bundled("README.md").name
    'README.md'
    """
    root = _folder("data")
    path = (root / name).resolve()
    if path.is_relative_to(root) and path.exists():
        return path
    files = [item.relative_to(root).as_posix() for item in root.rglob("*") if item.is_file()]
    raise ParameterError(
        f"no bundled data of that name{did_you_mean(name, files)}", got=name, allowed=sorted(files)
    )


def notebooks() -> dict[str, Path]:
    """Find the notebooks that come with the package.

    Returns
    -------
    dict of str to pathlib.Path
        Name without ending to absolute path, in alphabetical order.

    Examples
    --------
    >>> from toolkit.report.resources import notebooks
    >>> all(path.suffix == ".ipynb" for path in notebooks().values())
    True
    """
    return {path.stem: path for path in sorted(_folder("notebooks").glob("*.ipynb"))}


def find_notebook(name: str) -> Path:
    """Find a bundled notebook by its name, or a notebook of your own by its path.

    Parameters
    ----------
    name : str
        Name of a bundled notebook, or a path that ends in ``.ipynb``.

    Returns
    -------
    pathlib.Path
        Path of an existing notebook.

    Raises
    ------
    ParameterError
        If there is no such notebook.

    Examples
    --------
    >>> from toolkit.report.resources import find_notebook
    >>> find_notebook("no_such_notebook")
    Traceback (most recent call last):
    ...
    toolkit.errors.ParameterError: no notebook of that name...
    """
    if name.endswith(".ipynb"):
        if Path(name).is_file():
            return Path(name)
        raise ParameterError("no such notebook file", got=name, allowed="path of a .ipynb file")
    known = notebooks()
    if name not in known:
        raise ParameterError(
            f"no notebook of that name{did_you_mean(name, known)}",
            got=name,
            allowed=[*known, "path of a .ipynb file"],
        )
    return known[name]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Phrase the nearest known name for an error message.

    Parameters
    ----------
    name : str
        What was asked for.
    known : iterable of str
        What there is.

    Returns
    -------
    str
        ``"; did you mean 'nearest'?"``, or an empty string when nothing is near.

    Examples
    --------
    >>> from toolkit.report.resources import did_you_mean
    >>> did_you_mean("lables", ["labels", "schema"])
    "; did you mean 'labels'?"
    """
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _folder(name: str) -> Path:
    """Return the folder inside the wheel, else the one at the top of the checkout."""
    inside = _PACKAGE / f"_{name}"
    return inside if inside.is_dir() else _PACKAGE.parent / name
