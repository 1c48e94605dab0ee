"""A pack, verdicts and labels of people for a report of the gate: your own, or the bundled ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolkit.errors import PackError, ParameterError
from toolkit.gate.load import load_pack
from toolkit.gate.pack import Pack
from toolkit.gate.scopes import ScopeComparison, compare_scopes
from toolkit.gate.verdicts import Verdicts, read_verdicts
from toolkit.report.resources import bundled

BUNDLED = ("office_quality", "support_safety")


@dataclass(frozen=True, slots=True)
class GateInputs:
    """What a report of the gate is made from.

    Attributes
    ----------
    pack : Pack
        Under the scope that was asked for.
    verdicts : Verdicts
        Checked against it.
    people : path or None
        Labels of people beside the judge's.
    files : dict of str to object
        What was read: pack, verdicts, people.

    Examples
    --------
    >>> read_gate().pack.id
    'office_quality'
    """

    pack: Pack
    verdicts: Verdicts
    people: Any
    files: dict[str, Any]


def read_gate(
    pack: str | Path | None = None,
    verdicts: Any = None,
    people: Any = None,
    scope: str | None = None,
) -> GateInputs:
    """Read a pack and the verdicts on it.

    Parameters
    ----------
    pack : path or str, optional
        Pack file, or the name of a bundled pack; None: the bundled "office_quality".
    verdicts, people : path, DataFrame or rows, optional
        As `toolkit.gate.read_verdicts` and `toolkit.gate.gate_stability` take them. A bundled pack
        brings its own; labels of people are never taken from another pack.
    scope : {"all", "curated"}, optional
        Which red flags disqualify; None: as the pack says.

    Returns
    -------
    GateInputs

    Raises
    ------
    ParameterError
        If a pack of your own comes without verdicts.
    PackError, GateError
        If pack or verdicts do not hold together.

    Examples
    --------
    >>> read_gate("support_safety").verdicts
    Verdicts(360 rows on 12 of 12 prompts by 10 models, 90 dimension scores, pack 'support_safety')
    """
    name = BUNDLED[0] if pack is None else str(pack)
    own = name not in BUNDLED or Path(name).is_file()
    if own and verdicts is None:
        raise ParameterError(
            "a pack of your own needs verdicts",
            got=name,
            allowed=f"a file of verdicts, or one of the bundled packs: {', '.join(BUNDLED)}",
            example="-p pack=my_pack.yaml -p verdicts=my_verdicts.csv",
            where="verdicts",
        )
    source = name if own else bundled(f"packs/{name}.yaml")
    if verdicts is None:  # the bundled labels of people belong to the bundled verdicts only
        verdicts = bundled(f"gate/{name}.csv")
        people = bundled(f"gate/{name}_people.csv") if people is None else people
    read = load_pack(source)
    if scope is not None:
        read = read.with_scope(scope)
    files = {"pack": source, "verdicts": verdicts, "people": people}
    return GateInputs(read, read_verdicts(verdicts, read), people, files)


def both_scopes(verdicts: Verdicts) -> ScopeComparison | str:
    """Gate under both scopes, or say why that can't be done.

    Parameters
    ----------
    verdicts : Verdicts
        With their pack.

    Returns
    -------
    ScopeComparison or str
        A sentence where the pack does not load under the scope curated.

    Examples
    --------
    >>> both_scopes(read_gate().verdicts).separation["passed"].tolist()
    [2, 5]
    """
    try:
        return compare_scopes(verdicts)
    except PackError as error:
        return f"The scopes can't be compared: {error}"
