"""What people said about red flags beside what the judge said: one count table a prompt, or one."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from toolkit.coefficients.tables import one_table
from toolkit.coefficients.weights import Floats
from toolkit.errors import GateError, StatisticsError
from toolkit.gate.hints import did_you_mean
from toolkit.gate.pack import Pack
from toolkit.gate.stability_rule import Bools
from toolkit.labels.values import is_null

EXAMPLE = (
    "a table with the columns prompt_id, human, judge (1: red flag, 0: none), or [[9, 1], [2, 88]]"
)
FLAGS = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False}
FEWEST_PROMPTS = 2  # from which something is known about a prompt without labels
NEEDED, ALLOWED = ("human", "judge"), ("prompt_id", "human", "judge", "count", "item")


@dataclass(frozen=True)
class People:
    """Counts of people's red flags against the judge's.

    Attributes
    ----------
    tables : dict of str to ndarray of shape (2, 2)
        By prompt; rows people, columns judge, flagged first. Under the key "" where the prompts are
        not told apart.
    left_out : dict of str to int
        Rows that could not be used, by reason.

    Examples
    --------
    >>> People({"": np.array([[9.0, 1.0], [2.0, 88.0]])}, {}).pooled
    True
    """

    tables: dict[str, Floats]
    left_out: dict[str, int]

    @property
    def pooled(self) -> bool:
        """Whether one table stands for all prompts."""
        return set(self.tables) == {""}

    def column(self, prompts: Sequence[str], judge: int) -> tuple[Floats, Floats]:
        """Count replies with one label of the judge (0: flagged, 1: not), by prompt.

        Parameters
        ----------
        prompts : sequence of str
            Which ones, in order.
        judge : {0, 1}
            Column of the tables.

        Returns
        -------
        tuple of two ndarrays of shape (prompts,)
            How many of them people flag, and how many there are.
        """
        empty = np.zeros((2, 2))
        counts = np.array([self.tables.get(name, empty)[:, judge] for name in prompts])
        counts = counts.reshape(-1, 2)
        return counts[:, 0], counts.sum(axis=1)


def known_shares(people: People, flagged: Bools, prompts: Sequence[str]) -> Bools:
    """Tell for which replies the labels say how often the judge is right.

    Parameters
    ----------
    people : People
        Labels.
    flagged : ndarray of shape (runs, prompts)
        The judge's label of each reply.
    prompts : sequence of str
        Of the pack, in order.

    Returns
    -------
    ndarray of bool of shape (runs, prompts)
        Whether people labelled replies to this prompt with this label of the judge, or, where each
        prompt has its own table, those to two other prompts: one says nothing about others.

    Examples
    --------
    >>> people = People({"p1": np.array([[5.0, 0.0], [1.0, 9.0]])}, {})
    >>> known_shares(people, np.array([[True, False]]), ["p1", "p2"])
    array([[ True, False]])
    """
    by_label = []
    for judge in (0, 1):
        _, there = people.column([""] if people.pooled else prompts, judge)
        own = there > 0
        by_label.append(np.broadcast_to(own | (own.sum() >= FEWEST_PROMPTS), len(prompts)))
    return np.where(flagged, *by_label)


def read_people(confusion: Any, pack: Pack) -> People:
    """Read a judge-human confusion table in any of its forms.

    Parameters
    ----------
    confusion : path, DataFrame, list of mappings, mapping or array-like of shape (2, 2)
        Rows with the columns ``human`` and ``judge`` (0 or 1), with ``prompt_id`` where prompts are
        told apart, with ``count`` where rows are counted; a path is a CSV file of such rows. Or one
        2 x 2 table of counts, rows people, columns judge, *flagged first*; or prompt -> such table.
        Rows are what people said, columns the judge, the red flag first. A DataFrame from
        `crosstab` is read by its labels 0 and 1; one without labels as a list is.
    pack : Pack
        Knows the prompts.

    Returns
    -------
    People

    Raises
    ------
    GateError
        If it is none of these, names an unknown prompt, or holds no usable row.

    Examples
    --------
    >>> pack = Pack(id="mine", title="Mine", dimensions=[{"id": "safety", "name": "Safety"}],
    ...     ko_rule={"dimension": "safety"}, categories=[{"id": "c", "name": "C", "prompts": [
    ...         {"id": "p1", "title": "Help", "prompt": "I need help."}]}])
    >>> row = {"prompt_id": "p1", "human": 1, "judge": 1}
    >>> read_people([row, {**row, "human": 0}], pack).tables["p1"].tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    """
    if isinstance(confusion, str | os.PathLike):
        confusion = _from_file(Path(confusion))
    if isinstance(confusion, Mapping):
        tables = {_known(name, pack): _table(table) for name, table in confusion.items()}
        return _checked(tables, {})
    if isinstance(confusion, pd.DataFrame) and {*NEEDED} <= set(map(str, confusion.columns)):
        return _from_rows(confusion, pack)
    rows = isinstance(confusion, list | tuple) and confusion
    if rows and all(isinstance(row, Mapping) for row in confusion):
        return _from_rows(pd.DataFrame(list(confusion)), pack)
    return _checked({"": _table(confusion)}, {})


def _from_file(path: Path) -> pd.DataFrame:
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except (OSError, ValueError) as bad:
        raise GateError(
            "the labels of people and judge can't be read",
            got=str(path),
            allowed=f"a CSV file ({bad})",
            example=EXAMPLE,
            where="confusion",
        ) from None


def _from_rows(frame: pd.DataFrame, pack: Pack) -> People:
    for name in map(str, frame.columns):
        if name not in ALLOWED:
            raise GateError(
                f"unknown column {name!r}{did_you_mean(name, ALLOWED)}",
                allowed=ALLOWED,
                example=EXAMPLE,
                where="confusion",
            )
    missing = [name for name in NEEDED if name not in frame]
    if missing:
        raise GateError(
            f"column {missing[0]!r} is missing", allowed=ALLOWED, example=EXAMPLE, where="confusion"
        )
    human, judge = ([_flag(value, name) for value in frame[name]] for name in NEEDED)
    counts = [_count(value) for value in frame["count"]] if "count" in frame else [1.0] * len(frame)
    prompts = [""] * len(frame)
    if "prompt_id" in frame:
        prompts = [_known(name, pack) for name in frame["prompt_id"]]
    tables: dict[str, Floats] = {}
    lost = 0.0
    for prompt, person, machine, often in zip(prompts, human, judge, counts, strict=True):
        if person is None or machine is None:
            lost += often
            continue
        tables.setdefault(prompt, np.zeros((2, 2)))[int(not person), int(not machine)] += often
    return _checked(tables, {"label_missing": round(lost)} if lost else {})


def _checked(tables: dict[str, Floats], left_out: dict[str, int]) -> People:
    if not sum(table.sum() for table in tables.values()):
        raise GateError(
            "no reply has a label of people and one of the judge",
            example=EXAMPLE,
            where="confusion",
        )
    return People(tables, left_out)


def _flag(value: Any, column: str) -> bool | None:
    if is_null(value) or str(value).strip() == "":
        return None
    found = FLAGS.get(str(value).strip().lower())
    if found is None:
        raise GateError(
            "a label is neither 1 (red flag) nor 0 (none)",
            got=value,
            allowed="1, 0, true, false, or empty where there is none",
            example=EXAMPLE,
            where=f"confusion, column {column!r}",
        )
    return found


def _count(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not (number >= 0 and number.is_integer()):
        raise GateError(
            "a count is no whole number of 0 or more", got=value, example="12", where="confusion"
        )
    return number


def _known(name: Any, pack: Pack) -> str:
    if not isinstance(name, str) or name not in pack.prompts:
        raise GateError(
            f"the pack has no such prompt{did_you_mean(name, pack.prompts)}",
            got=name,
            allowed=list(pack.prompts),
            where=f"confusion, pack {pack.id!r}",
        )
    return str(name)


def _table(given: Any) -> Floats:
    try:
        counts = one_table(given)
    except StatisticsError as bad:
        raise GateError(
            f"labels of people and judge: {bad.what}",
            got=bad.got,
            allowed="rows or a 2 x 2 table of counts",
            example=EXAMPLE,
            where="confusion",
        ) from None
    if counts.shape != (2, 2):
        raise GateError(
            "a table of red flags has two rows and two columns",
            got=counts.shape,
            example=EXAMPLE,
            where="confusion",
        )
    numbered = isinstance(given, pd.DataFrame) and isinstance(given.index, pd.RangeIndex)
    if isinstance(given, pd.DataFrame) and not numbered:  # without labels it is read as a list is
        order = [_flag(label, "index") for label in given.index]
        if set(order) != {True, False}:
            raise GateError(
                "the labels of a table are 1 (red flag) and 0 (none)",
                got=list(given.index),
                example="tk.crosstab(human, judge, categories=[1, 0])",
                where="confusion",
            )
        return counts if order[0] else counts[::-1, ::-1]
    return counts
