"""Verdict rows and dimension rows, checked against the pack row by row and against each other."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from toolkit.errors import GateError
from toolkit.gate.cells import NOTHING, Floats, Ints, names, refuse_cell, repeats, scores, truths
from toolkit.gate.hints import did_you_mean
from toolkit.gate.pack import Pack
from toolkit.gate.verdict_tables import DIMENSION_EXAMPLE, Table, written
from toolkit.labels.encode import Encoded
from toolkit.labels.values import is_null


class Checked(NamedTuple):
    """Verdict rows with their positions in models, variants and prompts.

    Attributes
    ----------
    frame : DataFrame
        As `Verdicts.frame`.
    models : tuple of str
        By first appearance.
    run, prompt : array of int
        As in `Verdicts`.
    strangers : tuple of str
        Prompts that the pack does not know.
    """

    frame: pd.DataFrame
    models: tuple[str, ...]
    run: Ints
    prompt: Ints
    strangers: tuple[str, ...]


def check_verdicts(table: Table, pack: Pack) -> Checked:
    """Check verdict rows.

    Parameters
    ----------
    table : Table
        Rows as they are.
    pack : Pack
        Knows prompts, variants, categories and scale.

    Returns
    -------
    Checked
        In the order of the source.

    Raises
    ------
    GateError
        As `read_verdicts`.

    Examples
    --------
    >>> import yaml
    >>> from toolkit.gate.limits import EXAMPLE
    >>> from toolkit.gate.load import load_pack
    >>> pack = load_pack(yaml.safe_load(EXAMPLE))
    >>> from toolkit.gate.verdict_tables import read_tables
    >>> row = {"model": "m1", "prompt_id": "p1", "score": 4, "red_flag": "0"}
    >>> table, _ = read_tables([row], None)
    >>> check_verdicts(table, pack).models
    ('m1',)
    """
    model, variant = names(table, "model"), _variants(table, pack)
    prompt_names = names(table, "prompt_id")
    prompt = _positions(prompt_names, list(pack.prompts))
    frame = _frame(table, pack, model, variant, prompt_names)
    frame["category"] = _categories(table, pack, prompt)
    run = model.codes.astype(np.int64) * len(pack.prompt_variants) + variant
    cell = run * (len(prompt_names.values) + 1) + prompt_names.codes
    keys = pd.DataFrame({"cell": cell, "repeat": frame["repeat"]})
    _refuse_twice(table, keys, "model, variant, prompt and repeat")
    strangers = prompt_names.values[~prompt_names.values.isin(list(pack.prompts))]
    return Checked(frame, tuple(model.values.tolist()), run, prompt, tuple(strangers.tolist()))


def check_dimensions(
    table: Table | None, pack: Pack, models: tuple[str, ...], judged: Ints
) -> pd.DataFrame:
    """Check dimension rows.

    Parameters
    ----------
    table : Table or None
        Rows as they are.
    pack : Pack
        Knows dimensions, variants and scale.
    models : tuple of str
        Those with verdicts.
    judged : array of int
        Runs (model and variant) with verdicts.

    Returns
    -------
    DataFrame
        As `Verdicts.dimensions`.

    Raises
    ------
    GateError
        As `read_verdicts`.

    Examples
    --------
    >>> import yaml
    >>> from toolkit.gate.limits import EXAMPLE
    >>> from toolkit.gate.load import load_pack
    >>> pack = load_pack(yaml.safe_load(EXAMPLE))
    >>> check_dimensions(None, pack, ("m1",), np.array([0])).columns.tolist()
    ['model', 'variant', 'dimension', 'repeat', 'score']
    """
    if table is None:
        texts = {name: pd.Series([], dtype="str") for name in ("model", "variant", "dimension")}
        numbers = {"repeat": pd.Series([], dtype=np.int64), "score": pd.Series([], dtype=float)}
        return pd.DataFrame({**texts, **numbers})
    model, variant = names(table, "model"), _variants(table, pack)
    dimension = _known(table, "dimension", list(pack.weights), pack)
    place = _positions(model, list(models))
    run = place * len(pack.prompt_variants) + variant
    alone = ~np.isin(run, np.unique(judged))  # below 0 for a model without verdicts
    if alone.any():
        row = int(np.argmax(alone))
        name = model.text(model.codes[row])
        hint = did_you_mean(name, [each for each in models if each != name])
        what = f"a model has dimension scores and no verdict under this variant{hint}"
        refuse_cell(table, "model", row, what, "verdict rows for every model and variant")
    flagged = truths(table, "red_flag") == 1
    if flagged.any():
        row = int(np.argmax(flagged))
        what = "a red flag on a dimension: the gate knows red flags on prompts"
        refuse_cell(table, "red_flag", row, what, "a verdict row with a prompt_id")
    score = scores(table, pack.lowest, pack.highest)
    _refuse_contradiction(table, score)
    repeat = repeats(table)
    keys = pd.DataFrame({"run": run, "dimension": dimension, "repeat": repeat})
    _refuse_twice(table, keys, "model, variant, dimension and repeat")
    known = pd.Series([each.id for each in pack.prompt_variants], dtype="str")
    ids = pd.Series(list(pack.weights), dtype="str")
    frame = pd.DataFrame(
        {
            "model": model.column(),
            "variant": known.take(variant).reset_index(drop=True),
            "dimension": ids.take(dimension).reset_index(drop=True),
            "repeat": repeat,
            "score": score,
        }
    )
    return _with_further(frame, table)


def _frame(
    table: Table, pack: Pack, model: Encoded, variant: Ints, prompt: Encoded
) -> pd.DataFrame:
    score = scores(table, pack.lowest, pack.highest)
    _refuse_contradiction(table, score)
    flag = truths(table, "red_flag")
    silent = (flag == NOTHING) & ~np.isnan(score)
    if silent.any():
        row = int(np.argmax(silent))
        refuse_cell(
            table,
            "red_flag",
            row,
            "a scored row does not say whether there is a red flag",
            "true or false",
        )
    known = pd.Series([each.id for each in pack.prompt_variants], dtype="str")
    frame = pd.DataFrame(
        {
            "model": model.column(),
            "variant": known.take(variant).reset_index(drop=True),
            "prompt_id": prompt.column(),
            "repeat": repeats(table),
            "category": "",
            "score": score,
            "red_flag": flag == 1,
            "unscored": np.isnan(score),
            "empty": truths(table, "empty") == 1,
        }
    )
    return _with_further(frame, table)


def _refuse_contradiction(table: Table, score: Floats) -> None:
    contradicting = (truths(table, "unscored") == 1) & ~np.isnan(score)
    if contradicting.any():
        row = int(np.argmax(contradicting))
        refuse_cell(table, "score", row, "a row is unscored and has a score", "one of the two")


def _with_further(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    further = [name for name in table.frame.columns if name not in frame.columns]
    others = table.frame[further]
    with suppress(UnicodeEncodeError):  # half an emoji, which pandas has no text for
        others = others.infer_objects()
    return pd.concat([frame, others], axis=1)


def _variants(table: Table, pack: Pack) -> Ints:
    known = [variant.id for variant in pack.prompt_variants]
    if "variant" not in table.frame:
        if len(known) == 1:
            return np.zeros(len(table.frame), dtype=np.int64)
        raise GateError(
            "no column 'variant', and the pack has several",
            got=list(table.frame.columns),
            allowed=f"a column variant with {', '.join(known)}",
            example=f'"variant": "{known[0]}"',
            where=table.origin.name,
        )
    return _known(table, "variant", known, pack)


def _known(table: Table, column: str, known: list[str], pack: Pack) -> Ints:
    encoded = names(table, column)
    positions = _positions(encoded, known)
    if (positions < 0).any():
        row = int(np.argmax(positions < 0))
        name = encoded.text(encoded.codes[row])
        what = f"the pack {pack.id!r} has no such {column}{did_you_mean(name, known)}"
        refuse_cell(table, column, row, what, known)
    return positions


def _positions(encoded: Encoded, known: list[str]) -> Ints:
    return pd.Index(known).get_indexer(encoded.values).astype(np.int64)[encoded.codes]


def _categories(table: Table, pack: Pack, prompt: Ints) -> Any:
    """Give the pack's category of each row; a row may name another only where the pack has none."""
    ids = [*dict.fromkeys(pack.category_of.values())]
    of_prompt = [ids.index(category) for category in pack.category_of.values()]
    right = np.array([*of_prompt, len(ids)])[prompt]
    if "category" in table.frame:
        column = table.frame["category"]
        named = pd.Index(ids).get_indexer(pd.Index(column.astype(str)))
        wrong = (prompt >= 0) & (named != right) & written(column)
        if wrong.any():
            row = int(np.argmax(wrong))
            name = list(pack.prompts)[int(prompt[row])]
            what = f"prompt {name!r} is of another category"
            refuse_cell(table, "category", row, what, [ids[int(right[row])]])
    return pd.Series([*ids, None], dtype="str").take(right).reset_index(drop=True)


def _refuse_twice(table: Table, keys: pd.DataFrame, what: str) -> None:
    twice = keys.duplicated(keep=False).to_numpy()
    if not twice.any():
        return
    first = int(np.argmax(twice))
    same = np.flatnonzero((keys == keys.iloc[first]).all(axis=1).to_numpy())
    row = table.frame.iloc[first]
    raise GateError(
        f"one {what} is there twice",
        got={
            name: row[name]
            for name in ("model", "variant", "prompt_id", "repeat", "dimension")
            if name in table.frame and not is_null(row[name])
        },
        allowed="one row each; several judgements of one prompt are repeats 1, 2, ...",
        example='"repeat": 2' if "prompt" in what else DIMENSION_EXAMPLE,
        where=table.origin.at(first, int(same[1])),
    )
