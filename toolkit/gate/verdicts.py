"""What a judge found: verdicts on prompts and scores of dimensions, checked against the pack."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from toolkit.errors import GateError
from toolkit.gate.cells import Bools, Ints
from toolkit.gate.pack import Pack
from toolkit.gate.verdict_frames import check_dimensions, check_verdicts
from toolkit.gate.verdict_tables import read_tables
from toolkit.plain import plain


@dataclass(frozen=True, eq=False, repr=False)
class Verdicts:
    """Verdicts that were read and checked. Made by `read_verdicts`.

    Attributes
    ----------
    frame : DataFrame
        One row per model, variant, prompt and repeat: model, variant, prompt_id, repeat, category
        (of the pack), score (nan: none), red_flag, unscored, empty, then rationale and the source's
        further columns.
    dimensions : DataFrame
        model, variant, dimension, repeat, score, then further columns; maybe no rows.
    pack : Pack
        Against which they were checked.
    models : tuple of str
        By first appearance.
    run : array of int
        For each row of `frame`: model * number of variants + variant, each by its position.
    prompt : array of int
        For each row its prompt's position in ``pack.prompts``; -1: not in the pack.
    source : str
        File name without folder, "DataFrame" or the argument.
    counts : dict of str to int
        ``rows``, ``unscored`` (rows without a score), ``empty``, ``red_flags``,
        ``unknown_prompts`` (rows whose prompt the pack does not know: their scores are left out,
        their red flags keep the gate from deciding), ``absent`` (rows that the pack's prompts,
        variants and repeats ask for and that are not there).
    flags : tuple of str
        ``unknown_prompt:<id>``; ``more_repeats_than_declared``.

    Examples
    --------
    >>> from toolkit.gate import load_pack
    >>> pack = load_pack({
    ...     "id": "mine", "title": "Mine", "dimensions": [{"id": "safety", "name": "Safety"}],
    ...     "ko_rule": {"dimension": "safety"},
    ...     "categories": [{"id": "c1", "name": "Crisis", "prompts": [
    ...         {"id": "p1", "title": "Help", "prompt": "I need help."}]}],
    ... })
    >>> rows = [{"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": False},
    ...         {"model": "m1", "dimension": "safety", "score": 5}]
    >>> read_verdicts(rows, pack)
    Verdicts(1 row on 1 of 1 prompt by 1 model, 1 dimension score, pack 'mine')
    """

    frame: pd.DataFrame
    dimensions: pd.DataFrame
    pack: Pack
    models: tuple[str, ...]
    run: Ints
    prompt: Ints
    source: str
    counts: dict[str, int]
    flags: tuple[str, ...]

    @property
    def runs(self) -> list[tuple[str, str]]:
        """Every model under every variant of the pack; `run` counts in this order."""
        variants = [variant.id for variant in self.pack.prompt_variants]
        return [(model, variant) for model in self.models for variant in variants]

    def to_frame(self) -> pd.DataFrame:
        """Give verdicts and dimension scores in one frame, which `read_verdicts` reads again.

        Returns
        -------
        DataFrame
            Rows of `frame`, then those of `dimensions`.
        """
        if self.dimensions.empty:
            return self.frame.copy()
        verdicts = self.frame.astype(dict.fromkeys(("red_flag", "unscored", "empty"), "boolean"))
        return pd.concat([verdicts, self.dimensions], ignore_index=True)

    def to_dict(self) -> dict[str, Any]:
        """Summarise what was read as strict-JSON material.

        Returns
        -------
        dict
            pack, source, models, counts, dimension_scores, flags; not the rows.
        """
        summary = {"pack": self.pack.id, "source": self.source, "models": self.models}
        scored = int(self.dimensions["score"].notna().sum())
        rest = {"counts": self.counts, "dimension_scores": scored, "flags": self.flags}
        return dict(plain({**summary, **rest}))

    def __repr__(self) -> str:
        found = len(np.unique(self.prompt[self.prompt >= 0]))
        of = f"{found} of {_count(len(self.pack.prompts), 'prompt')}"
        return (
            f"Verdicts({_count(len(self.frame), 'row')} on {of} by"
            f" {_count(len(self.models), 'model')},"
            f" {_count(len(self.dimensions), 'dimension score')}, pack {self.pack.id!r})"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>{self.frame.head(20).to_html(index=False)}"


def read_verdicts(rows: Any, pack: Pack, dimensions: Any = None) -> Verdicts:
    """Read what a judge found and check it against the pack.

    Parameters
    ----------
    rows : path, DataFrame, list of mappings, mapping, or Verdicts
        Verdict rows: model, prompt_id, score, red_flag; variant (needed where the pack has
        several), repeat (default 1), category (must be the pack's), rationale, unscored, empty
        (the model answered with nothing). Rows with a ``dimension`` in place of a prompt_id are
        dimension rows: model, variant, dimension, score, maybe repeat. Files: .csv, .tsv, .jsonl,
        .parquet. A mapping has the keys ``verdicts`` and ``dimensions``.
    pack : Pack
        From `load_pack`.
    dimensions : path, DataFrame or list of mappings, optional
        Dimension rows, where they stand apart.

    Returns
    -------
    Verdicts
        Checked and completed.

    Raises
    ------
    GateError
        With the row: a missing column or name, an unknown variant or dimension, a category that is
        not the prompt's, a score off the scale, a red_flag that is not true or false, a row that is
        there twice, a score on an unscored row, a model with dimension scores and no verdicts.

    Notes
    -----
    A row without a score is unscored. A prompt that the pack does not know is kept and flagged.
    A scored row must say whether there is a red flag: silence is not taken for no.

    Examples
    --------
    >>> from toolkit.gate import load_pack
    >>> pack = load_pack({
    ...     "id": "mine", "title": "Mine", "dimensions": [{"id": "safety", "name": "Safety"}],
    ...     "ko_rule": {"dimension": "safety"},
    ...     "categories": [{"id": "c1", "name": "Crisis", "prompts": [
    ...         {"id": "p1", "title": "Help", "prompt": "I need help."}]}],
    ... })
    >>> read_verdicts([{"model": "m1", "prompt_id": "p1", "score": 6, "red_flag": False}], pack)
    Traceback (most recent call last):
    ...
    toolkit.errors.GateError: a score is off the scale (verdicts, row 1, column 'score'). Got: 6.
    Allowed: 1 to 5, or nothing. Example: {"model": "m1", ...}.
    """
    if not isinstance(pack, Pack):
        raise GateError(
            "no pack",
            got=type(pack).__name__,
            allowed="a Pack",
            example='read_verdicts("verdicts.csv", tk.load_pack("my_pack.yaml"))',
            where="pack",
        )
    if isinstance(rows, Verdicts):
        if rows.pack == pack and dimensions is None:
            return rows
        rows, dimensions = rows.frame, rows.dimensions if dimensions is None else dimensions
        dimensions = (
            None if isinstance(dimensions, pd.DataFrame) and dimensions.empty else dimensions
        )
    verdicts, scored = read_tables(rows, dimensions)
    checked = check_verdicts(verdicts, pack)
    return Verdicts(
        frame=checked.frame,
        dimensions=check_dimensions(scored, pack, checked.models, checked.run),
        pack=pack,
        models=checked.models,
        run=checked.run,
        prompt=checked.prompt,
        source=verdicts.origin.name,
        counts=_counts(checked.frame, pack, checked.run, checked.prompt, len(checked.models)),
        flags=(
            *(f"unknown_prompt:{name}" for name in checked.strangers),
            *["more_repeats_than_declared"] * _more_repeats(pack, checked.run, checked.prompt),
        ),
    )


def _counts(
    frame: pd.DataFrame, pack: Pack, run: Ints, prompt: Ints, models: int
) -> dict[str, int]:
    known: Bools = prompt >= 0
    expected = np.array([each.repeats for each in pack.prompts.values()])
    cells = np.zeros(models * len(pack.prompt_variants) * len(expected), dtype=np.int64)
    there = run[known] * len(expected) + prompt[known]
    cells += np.bincount(there, minlength=len(cells))
    absent = np.maximum(expected - cells.reshape(-1, len(expected)), 0).sum()
    return {
        "rows": len(frame),
        "unscored": int(frame["unscored"].sum()),
        "empty": int(frame["empty"].sum()),
        "red_flags": int(frame["red_flag"].sum()),
        "unknown_prompts": int((~known).sum()),
        "absent": int(absent),
    }


def _more_repeats(pack: Pack, run: Ints, prompt: Ints) -> bool:
    known = prompt >= 0
    expected = np.array([each.repeats for each in pack.prompts.values()])
    pairs = run[known] * len(expected) + prompt[known]
    return bool((np.bincount(pairs) > np.resize(expected, pairs.max(initial=-1) + 1)).any())


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
