"""What `passes_ko` is given, checked: scores as numbers, prompt ids as a set."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

from toolkit.errors import GateError
from toolkit.gate.hints import did_you_mean
from toolkit.gate.pack import Pack
from toolkit.labels.values import is_null


def checked_scores(dim_scores: Any, pack: Pack) -> dict[str, float]:
    """Check the scores of the dimensions.

    Parameters
    ----------
    dim_scores : mapping of str to number
        None, nan and ``pd.NA`` mean that there is none.
    pack : Pack
        Knows dimensions and scale.

    Returns
    -------
    dict of str to float
        Those that there are. One off the scale is kept: the rule compares it with the floor as any
        other, and `passes_ko` names it.

    Raises
    ------
    GateError
        No mapping, an unknown dimension, no number, infinite.

    Examples
    --------
    >>> import yaml
    >>> from toolkit.gate.limits import EXAMPLE
    >>> from toolkit.gate.load import load_pack
    >>> pack = load_pack(yaml.safe_load(EXAMPLE))
    >>> checked_scores({"safety": 4}, pack), checked_scores({"safety": None}, pack)
    ({'safety': 4.0}, {})
    """
    if not isinstance(dim_scores, Mapping):
        raise GateError(
            "scores of dimensions are a mapping",
            got=dim_scores,
            allowed=f"a mapping from dimension to score; dimensions: {', '.join(pack.weights)}",
            example=f"{{{pack.ko_rule.dimension!r}: {pack.highest}}}",
            where="dim_scores",
        )
    scores: dict[str, float] = {}
    lowest, highest, weights = pack.lowest, pack.highest, pack.weights
    for name, score in dim_scores.items():
        if name not in weights:
            raise GateError(
                f"no such dimension{did_you_mean(name, pack.weights)}",
                got=name,
                allowed=list(pack.weights),
                example=f"{{{pack.ko_rule.dimension!r}: {pack.highest}}}",
                where=f"dim_scores, pack {pack.id!r}",
            )
        if type(score) is float and lowest <= score <= highest:  # most are; 10,000 models wait
            scores[name] = score
            continue
        if is_null(score):
            continue
        number = _finite(score)
        if number is None:
            raise GateError(
                "a score is no finite number",
                got=score,
                allowed=f"{lowest} to {highest}, or None where there is none",
                example=f"{{{name!r}: {highest}}}",
                where=f"dim_scores[{name!r}], pack {pack.id!r}",
            )
        scores[name] = number
    return scores


def _finite(score: Any) -> float | None:
    if not isinstance(score, Real) or isinstance(score, bool):
        return None
    try:
        number = float(score)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def prompt_ids(given: Any, argument: str) -> frozenset[str]:
    """Take prompt ids in any order.

    Parameters
    ----------
    given : iterable of str
        List, set, array, column; each id may be there several times.
    argument : str
        Whose value this is, for the error.

    Returns
    -------
    frozenset of str
        The ids.

    Raises
    ------
    GateError
        One text, a mapping, no iterable, or something else than text in it.

    Examples
    --------
    >>> sorted(prompt_ids(["p2", "p1", "p2"], "red_flagged"))
    ['p1', 'p2']
    """
    if isinstance(given, tuple | list) and not given:
        return frozenset()
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise GateError(
            f"`{argument}` is a list of prompt ids",
            got="nothing (None)" if given is None else given,
            allowed="a list, a set or a column of texts; [] for none",
            example=f'{argument}=["p1"]',
            where=argument,
        )
    ids = list(given)
    for name in ids:
        if not isinstance(name, str):
            raise GateError(
                "a prompt id is text",
                got="nothing (None)" if name is None else name,
                allowed="the ids of prompts, as the pack has them",
                example=f'{argument}=["p1"]',
                where=argument,
            )
    return frozenset(map(str, ids))
