"""Which column of a frame holds which field of an item."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import pandas as pd

from toolkit.common.hints import did_you_mean
from toolkit.errors import AnswerError
from toolkit.scoring.field_names import NAMES

NEEDED = ("raw", "id", "gold")
ARGUMENTS = {"id": "item_id", "stem": "cluster"}  # where an argument has another name


def find_columns(
    frame: pd.DataFrame, asked_for: Mapping[str, Hashable], *, judged: bool
) -> dict[str, Hashable]:
    """Find the column of every field: the one that was named, else one of the usual names.

    Parameters
    ----------
    frame : DataFrame
        One row per reply.
    asked_for : mapping of str to hashable
        Field -> the column that an argument names, or None.
    judged : bool
        Whether a judge is asked, who needs the item's text.

    Returns
    -------
    dict of str to hashable
        Field -> column; a field that is neither there nor needed is left out.

    Raises
    ------
    AnswerError
        A column is missing or there are two that could be meant.

    Examples
    --------
    >>> frame = pd.DataFrame(columns=["scenario_id", "expected_label", "reply"])
    >>> find_columns(frame, {"id": None, "gold": None, "raw": "reply"}, judged=False)
    {'id': 'scenario_id', 'gold': 'expected_label', 'raw': 'reply'}
    """
    found: dict[str, Hashable] = {}
    there: list[Hashable] = list(frame.columns)
    for field, name in asked_for.items():
        argument = ARGUMENTS.get(field, field)
        if name is not None:
            if there.count(name) != 1:
                raise AnswerError(
                    f"no column {name!r}{did_you_mean(name, there)}"
                    if name not in there
                    else f"two columns {name!r}",
                    allowed=there,
                    where=argument,
                )
            found[field] = name
            continue
        usual = NAMES.get(field, ())
        candidates = [each for each in usual if each in there]
        if len(candidates) > 1 or (candidates and there.count(candidates[0]) > 1):
            raise AnswerError(
                f"several columns could be the {field}",
                got=candidates,
                allowed="one of them",
                example=f"evaluate_frame(frame, {argument}={candidates[0]!r})",
            )
        if candidates:
            found[field] = candidates[0]
        elif field in NEEDED or (field == "text" and judged):
            raise AnswerError(
                f"no column holds the {field}",
                got=there,
                allowed=usual,
                example=f'evaluate_frame(frame, {argument}="my_column")',
            )
    return found
