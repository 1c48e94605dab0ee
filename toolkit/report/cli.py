"""The command line: make a report, or list what there is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from toolkit import __version__
from toolkit.errors import NotebookError, ToolkitError
from toolkit.report.parameters import read_parameters
from toolkit.report.resources import notebooks

if TYPE_CHECKING:
    from collections.abc import Callable

BAD_INPUT, NOTEBOOK_FAILED = 2, 3
STOPPED = 130  # as shells say of a program that was interrupted


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="construct-toolkit")
def main() -> None:
    """Find out why a judge disagrees with people on a construct.

    Exit codes: 0 fine, 2 bad input, 3 the notebook failed.
    """


@main.command()
@click.argument("name")
@click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the notebook; repeat for more. Lists: name=[a, b]. None: name=null.",
)
@click.option("--out", metavar="DIR", help="Folder for the report [default: reports/NAME].")
def report(name: str, parameters: tuple[str, ...], out: str | None) -> None:
    """Run the notebook NAME, or one of your own by its path, and write its report.

    Relative paths are relative to the current folder. The folder of the report then holds
    NAME.html, NAME.ipynb, results.json and status.json.

    Example: construct-toolkit report construct_diagnosis -p labels=my.csv -p low=escalation
    """
    click.echo(f"Running {name} ...", err=True)
    _or_exit(lambda: _report(name, parameters, out))


@main.command(name="list")
def list_() -> None:
    """List the notebooks that come with the package, with their parameters."""
    _or_exit(_list)


def _report(name: str, texts: tuple[str, ...], out: str | None) -> None:
    # Loaded here, because papermill takes a second that `--help` and `list` need not pay.
    from toolkit.report.runner import run_report_from_text  # noqa: PLC0415

    click.echo(run_report_from_text(name, out, texts).html)


def _list() -> None:
    for name, path in notebooks().items():
        click.echo(name)
        for parameter in read_parameters(path):
            head = f"{parameter.name}: {parameter.annotation} = {parameter.default!r}"
            click.echo(f"  {head:<48}  {parameter.help}".rstrip())


def _or_exit(action: Callable[[], None]) -> None:
    """Report a refusal in one line, without a traceback."""
    try:
        action()
    except ToolkitError as error:
        click.echo(f"construct-toolkit: {error}", err=True)
        sys.exit(NOTEBOOK_FAILED if isinstance(error, NotebookError) else BAD_INPUT)
    except KeyboardInterrupt:
        click.echo("construct-toolkit: stopped", err=True)
        sys.exit(STOPPED)
