"""A pool, a pilot and targets for a plan: your own, or the bundled ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.errors import ParameterError
from toolkit.labels.read import read_labels
from toolkit.report.resources import bundled

COUNTS = ("stratum", "construct", "label", "count")
BUNDLED_TARGETS = {"escalation": 0.10, "self_harm": 0.05}
EXAMPLE = '-p targets="[escalation=0.10, self_harm=0.05]"'


@dataclass(frozen=True, slots=True, eq=False)
class PlanInputs:
    """What a report of a plan is made from.

    Attributes
    ----------
    pool : path
        Items with the judge's labels.
    pilot : Labels or DataFrame
        People's labels, or their counts.
    schema : path or None
        Categories of the constructs.
    constructs : tuple of str
        The judge's columns.
    targets : dict of str to float
        Half-widths; empty where a budget alone was given.
    keep : tuple of str
        Columns of the pool that the drawn batch keeps.
    files : dict of str to object
        What was read: pool, pilot, schema.

    Examples
    --------
    >>> read_planning().constructs
    ('escalation', 'self_harm')
    """

    pool: Any
    pilot: Any
    schema: Any
    constructs: tuple[str, ...]
    targets: dict[str, float]
    keep: tuple[str, ...]
    files: dict[str, Any]


def read_planning(
    pool: str | Path | None = None,
    pilot: str | Path | None = None,
    schema: str | Path | None = None,
    constructs: str | Sequence[str] | None = None,
    targets: str | Sequence[str] | None = None,
    budget: float | None = None,
    keep: str | Sequence[str] | None = None,
) -> PlanInputs:
    """Read what a plan is made from.

    Parameters
    ----------
    pool : path, optional
        Table with item_id and a column of the judge's labels per construct; None: the bundled pool,
        with its pilot, schema and targets.
    pilot : path, optional
        Label table of people, or a table of counts with the columns stratum, construct, label and
        count. A pool of your own needs one: the bundled labels are never taken for it.
    schema : path, optional
        Categories of the constructs; None: inferred.
    constructs : str or list of str, optional
        The judge's columns; None: those that have a target.
    targets : str or list of str, optional
        Half-widths, each as ``construct=number``.
    budget : float, optional
        Given in place of targets, or beside them.
    keep : str or list of str, optional
        Columns of the pool that the drawn batch shall keep; None: `text`, if it is there.

    Returns
    -------
    PlanInputs

    Raises
    ------
    ParameterError
        If a pool of your own comes without a pilot, or without both targets and budget.
    LabelError
        If the pilot can't be read.

    Examples
    --------
    >>> read_planning().targets
    {'escalation': 0.1, 'self_harm': 0.05}
    """
    wanted = named_numbers("targets", targets)
    if pool is None:
        if pilot is not None:
            raise ParameterError("a pilot of your own needs its pool", got=pilot, where="pool")
        pool, pilot = bundled("pool/pool.csv.gz"), bundled("pool/pilot.csv")
        schema = bundled("pool/schema.yaml") if schema is None else schema
        constructs = tuple(BUNDLED_TARGETS) if constructs is None else constructs
        wanted = wanted or (dict(BUNDLED_TARGETS) if budget is None else {})
    if pilot is None:
        raise ParameterError(
            "a pool of your own needs a pilot: some items of it that people labelled",
            got=pool,
            example="-p pool=my_pool.csv -p pilot=my_labels.csv",
            where="pilot",
        )
    if not wanted and budget is None:
        raise ParameterError("a plan needs targets or a budget", example=EXAMPLE, where="targets")
    named = tuple(_several(constructs)) if constructs is not None else tuple(wanted)
    if not named:
        raise ParameterError(
            "a budget without targets needs the constructs",
            example="-p constructs=[escalation, self_harm]",
            where="constructs",
        )
    files = {"pool": pool, "pilot": pilot, "schema": schema}
    kept = tuple(_several(keep)) if keep is not None else _text_column(pool)
    return PlanInputs(pool, _pilot(pilot, schema), schema, named, wanted, kept, files)


def named_numbers(parameter: str, given: str | Sequence[str] | None) -> dict[str, float]:
    """Read one or several ``construct=number``, numbers between 0 and 1.

    Parameters
    ----------
    parameter : str
        Its name, for the error.
    given : str or list of str, optional
        A text may hold several, with commas between them. None: nothing.

    Returns
    -------
    dict of str to float

    Raises
    ------
    ParameterError
        If an entry is no such pair, or a construct comes twice.

    Examples
    --------
    >>> named_numbers("targets", ["escalation=0.10"])
    {'escalation': 0.1}
    >>> named_numbers("targets", "escalation=0.10, self_harm=0.05")
    {'escalation': 0.1, 'self_harm': 0.05}
    """
    found: dict[str, float] = {}
    for text in _several(given or ()):
        name, _, value = text.rpartition("=")
        name, number = name.strip(), _number(value)
        if not name or not 0 < number < 1 or name in found:
            raise ParameterError(
                "no construct=number, or twice the same construct",
                got=text,
                allowed="each construct once, numbers above 0 and below 1",
                example=EXAMPLE.replace("targets", parameter),
                where=parameter,
            )
        found[name] = number
    return found


def _several(given: str | Sequence[str]) -> list[str]:
    """Split one text without brackets, as a command line gives it, at its commas."""
    return [part.strip() for part in given.split(",")] if isinstance(given, str) else list(given)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _pilot(path: Any, schema: Any) -> Any:
    """Read labels of people; a table of counts is told by its columns."""
    if Path(path).name.endswith((".csv", ".csv.gz")) and Path(path).is_file():
        head = pd.read_csv(path, nrows=0)
        if set(COUNTS) <= set(head.columns):
            return pd.read_csv(path)
    return read_labels(path, schema=schema, overlap=False)


def _text_column(pool: Any) -> tuple[str, ...]:
    """The column that the labelling widget shows, told from the first line of a CSV file."""
    named_csv = Path(pool).name.endswith((".csv", ".csv.gz")) and Path(pool).is_file()
    return ("text",) if named_csv and "text" in pd.read_csv(pool, nrows=0).columns else ()
