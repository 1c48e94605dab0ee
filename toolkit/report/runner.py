"""Run a notebook with checked parameters and leave its page, its numbers and its status."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import papermill
from papermill.exceptions import PapermillExecutionError

from toolkit import errors
from toolkit.errors import NotebookError, ParameterError, ToolkitError
from toolkit.report.html import to_html
from toolkit.report.kernel import kernel_options, last_words
from toolkit.report.outputs import clear, read_json, write_json, write_text
from toolkit.report.parameters import read_parameters
from toolkit.report.resources import find_notebook
from toolkit.report.values import check_values, values_from_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from toolkit.report.parameters import Parameter


@dataclass(frozen=True, repr=False)
class Run:
    """A report that was made.

    Attributes
    ----------
    status : str
        ``"ok"``; a report that could not be made raises instead.
    results : dict
        Content of ``results.json``, as the notebook wrote it.
    html : pathlib.Path
        The page to read, one file that needs nothing from outside.
    notebook : pathlib.Path
        The executed notebook.
    out : pathlib.Path
        The folder that holds them, with ``results.json`` and ``status.json``.

    See Also
    --------
    run_report : Makes it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from toolkit.report.runner import Run
    >>> Run("ok", {}, Path("out/a.html"), Path("out/a.ipynb"), Path("out")).html.name
    'a.html'
    """

    status: str
    results: dict[str, Any]
    html: Path
    notebook: Path
    out: Path

    def __repr__(self) -> str:
        return f"Run({self.status}, {self.html})"


def run_report(
    name: str | os.PathLike[str], out: str | os.PathLike[str] | None = None, **parameters: Any
) -> Run:
    """Run a notebook and write the report that it makes.

    Parameters
    ----------
    name : str or path-like
        Name of a bundled notebook (``"construct_diagnosis"``), or path of a notebook of your own
        that ends in ``.ipynb``, has a cell tagged ``parameters`` with a parameter ``out``, and
        writes ``results.json`` there.
    out : str or path-like, optional
        Folder for the report, ``reports/<name>`` by default. Files of an earlier run of the same
        notebook are removed from it before anything else happens.
    **parameters : object
        Values for the notebook's parameters; `construct-toolkit list` shows them. Relative paths
        are relative to the current folder.

    Returns
    -------
    Run
        Where the files are, and the results.

    Raises
    ------
    ParameterError
        If the notebook or a parameter is unknown, or a value is of the wrong type.
    ToolkitError
        The refusal that stopped the notebook (bad labels, bad schema, ...), of the same kind.
    NotebookError
        If the notebook stopped on any other error. The executed notebook shows where.

    See Also
    --------
    toolkit.report.parameters.read_parameters : What a notebook can be called with.

    Notes
    -----
    Whatever happens, ``status.json`` says so: ``status`` is ``ok``, ``bad_input``, ``failed``, or
    ``running`` if the process was killed. Read ``results.json`` only beside ``ok``.

    Examples
    --------
    >>> from toolkit.report.runner import run_report
    >>> run_report("no_such_notebook")
    Traceback (most recent call last):
    ...
    toolkit.errors.ParameterError: no notebook of that name...
    """
    if not isinstance(name, str | os.PathLike):
        raise ParameterError("no notebook", got=name, example="construct_diagnosis", where="name")
    return _run(os.fspath(name), out, lambda declared: check_values(declared, parameters))


def run_report_from_text(name: str, out: str | None, texts: Sequence[str]) -> Run:
    """Run a notebook with parameters that are text, as on a command line.

    Parameters
    ----------
    name, out
        As in `run_report`.
    texts : sequence of str
        Each ``name=value``, read by `toolkit.report.values.values_from_text`.

    Returns
    -------
    Run
        As from `run_report`, which also names the errors.

    Examples
    --------
    >>> from toolkit.report.runner import run_report_from_text
    >>> run_report_from_text("no_such_notebook", None, ["seed=7"])
    Traceback (most recent call last):
    ...
    toolkit.errors.ParameterError: no notebook of that name...
    """
    return _run(name, out, lambda declared: values_from_text(declared, texts))


def _run(
    name: str,
    out: str | os.PathLike[str] | None,
    check: Callable[[Sequence[Parameter]], dict[str, Any]],
) -> Run:
    # Without `out` a misspelled name raises here, before a folder is made for it.
    folder = _folder(out) if out is not None else Path("reports") / find_notebook(name).stem
    page, executed = (folder / f"{Path(name).stem}.{kind}" for kind in ("html", "ipynb"))
    results, status = folder / "results.json", folder / "status.json"
    if executed.exists() and Path(name).exists() and executed.samefile(name):
        raise ParameterError(
            "the executed notebook would take the place of its source",
            got=str(folder),
            allowed="a folder other than the notebook's own",
            example="--out reports/run1",
            where="out",
        )
    clear(folder, [page.name, executed.name, results.name, status.name])
    _say(status, "running")
    try:
        path = find_notebook(name)
        _execute(path, executed, _values(path, folder, check))
        run = Run("ok", read_json(results), page, executed, folder)
        write_text(page, to_html(executed))
        _say(status, "ok")
    except BaseException as error:
        refused = isinstance(error, ToolkitError) and not isinstance(error, NotebookError)
        with suppress(OSError):  # on a full disk there may be no room to say so
            results.unlink(missing_ok=True)
            _say(status, "bad_input" if refused else "failed", error)
        if isinstance(error, OSError):
            message = f"the report could not be written: {error.strerror}"
            raise NotebookError(message, where=str(folder)) from error
        raise
    return run


def _folder(out: str | os.PathLike[str]) -> Path:
    if not isinstance(out, str | os.PathLike) or not os.fspath(out) or "\0" in os.fspath(out):
        raise ParameterError("no folder", got=out, example="reports/run1", where="out")
    return Path(out)


def _values(
    path: Path, folder: Path, check: Callable[[Sequence[Parameter]], dict[str, Any]]
) -> dict[str, Any]:
    declared = read_parameters(path)
    if "out" not in (parameter.name for parameter in declared):
        raise ParameterError("a notebook needs a parameter 'out'", where=path.name)
    values = check(declared)
    if "out" in values:
        raise ParameterError("'out' is an option of its own", example="--out reports/run1")
    return {**values, "out": str(folder)}


def _execute(path: Path, executed: Path, values: dict[str, Any]) -> None:
    """Run a copy in a scratch folder; keep what it became even when it stopped."""
    with tempfile.TemporaryDirectory() as scratch, _quiet_papermill():
        # papermill formats braces in the paths that it is given, so it is given some without.
        source, written = Path(scratch) / "source.ipynb", Path(scratch) / "executed.ipynb"
        shutil.copyfile(path, source)
        try:
            papermill.execute_notebook(
                source,
                written,
                parameters=values,
                kernel_name="python3",
                language="python",
                progress_bar=sys.stderr.isatty(),
                start_timeout=120,
                store_widget_state=False,
                **kernel_options(Path(scratch)),
            )
        except PapermillExecutionError as error:
            raise _translated(error, executed) from None
        except Exception as error:
            message = f"the notebook could not be run: {type(error).__name__}: {error}"
            words = last_words(Path(scratch))
            raise NotebookError(message, got=words or None, where=str(executed)) from error
        finally:
            if written.exists():
                _keep(written, executed)


def _keep(written: Path, executed: Path) -> None:
    """Copy the executed notebook without the scratch paths that papermill noted in it."""
    notebook = nbformat.read(written, as_version=4)
    for note in ("input_path", "output_path"):
        notebook.metadata.papermill.pop(note, None)
    write_text(executed, nbformat.writes(notebook) + "\n")


def _translated(error: PapermillExecutionError, executed: Path) -> ToolkitError:
    """Give back the refusal that the notebook met, or say where it stopped."""
    kind = getattr(errors, error.ename, None)
    if isinstance(kind, type) and issubclass(kind, ToolkitError) and kind is not NotebookError:
        # The message is complete already; the class adds the full stop again.
        refusal: ToolkitError = kind(error.evalue.removesuffix("."))
        return refusal
    return NotebookError(
        f"the notebook stopped at In [{error.exec_count}]: {error.ename}: {error.evalue}",
        where=str(executed),
    )


def _say(file: Path, status: str, error: BaseException | None = None) -> None:
    kind = type(error).__name__ if error else None
    write_json(file, {"status": status, "kind": kind, "message": str(error) if error else None})


@contextmanager
def _quiet_papermill() -> Iterator[None]:
    """Hide papermill's warnings about parameters: they were checked, and it can't read ``|``."""
    logger = logging.getLogger("papermill")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)
