"""results.json of a report of the gate: the same bytes for the same verdicts and seed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolkit.gate.scopes import ScopeComparison
from toolkit.gate.scorecard import Scorecard
from toolkit.gate.stability_result import GateStability
from toolkit.report.gate_files import GateInputs
from toolkit.report.gate_show import above_the_best
from toolkit.report.gate_summary import gate_notes, gate_sentence
from toolkit.report.results import write_sections


def write_gate(
    out: str | Path,
    *,
    parameters: Mapping[str, Any],
    read: GateInputs,
    card: Scorecard,
    scopes: ScopeComparison | str,
    stability: GateStability,
) -> dict[str, Any]:
    """Write the results of a report of the gate as strict JSON.

    Parameters
    ----------
    out : str or Path
        Folder of the report; made if it is not there.
    parameters : mapping of str to object
        The notebook's parameters; see `toolkit.report.results.write_sections`.
    read, card, scopes, stability
        What the notebook made.

    Returns
    -------
    dict
        What was written: schema_version, parameters, versions, read, sentence, notes, scorecard,
        above_the_best, scopes, stability. Undefined numbers are null.

    Raises
    ------
    OSError
        If the folder can't be written.

    Examples
    --------
    >>> import tempfile
    >>> from toolkit.gate import scorecard
    >>> from toolkit.gate.stability import gate_stability
    >>> from toolkit.report.gate_files import both_scopes, read_gate
    >>> read = read_gate("support_safety")
    >>> with tempfile.TemporaryDirectory() as out:
    ...     written = write_gate(out, parameters={"seed": 0}, read=read,
    ...         card=scorecard(read.verdicts), scopes=both_scopes(read.verdicts),
    ...         stability=gate_stability(read.verdicts, read.pack, draws=100))
    >>> written["above_the_best"]
    ['alder']
    """
    sections = {
        "read": read.verdicts.to_dict(),
        "sentence": gate_sentence(card),
        "notes": gate_notes(card, stability),
        "scorecard": card.to_dict(),
        "above_the_best": above_the_best(card)["model"].tolist(),
        "scopes": {"note": scopes} if isinstance(scopes, str) else scopes.to_dict(),
        "stability": stability.to_dict(),
    }
    return write_sections(out, parameters, sections)
