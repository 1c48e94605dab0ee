"""results.json: the numbers of a report, the same bytes for the same labels and seed."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path, PurePath
from typing import Any

from toolkit.coefficients.agreement import Agreement
from toolkit.diagnosis.gap import Gap
from toolkit.diagnosis.result import Diagnosis
from toolkit.labels.table import Labels
from toolkit.plain import plain
from toolkit.report.outputs import write_json

SCHEMA_VERSION = 1
PACKAGES = ("construct-toolkit", "numpy", "scipy", "pandas", "statsmodels")


def write_results(
    out: str | Path,
    *,
    parameters: Mapping[str, Any],
    labels: Labels,
    diagnosis: Diagnosis,
    people: Agreement | None = None,
    not_run: Sequence[Mapping[str, str]] = (),
) -> dict[str, Any]:
    """Write the results of a construct diagnosis as strict JSON.

    Parameters
    ----------
    out : str or Path
        Folder of the report; made if it is not there.
    parameters : mapping of str to object
        The notebook's parameters. Paths are kept relative or reduced to their last part, and `out`
        is left out, so that neither the machine nor the folder changes a byte.
    labels, diagnosis, people, not_run
        What the notebook made.

    Returns
    -------
    dict
        What was written: schema_version, parameters, versions, read, left_out, agreement, people,
        contrast, diagnosis, verdict, not_run. nan is null; the reason stands beside it.

    Raises
    ------
    OSError
        If the folder can't be written.

    Examples
    --------
    >>> import tempfile
    >>> import toolkit as tk
    >>> labels = tk.simulate(["self_harm"], n_calls=100)
    >>> diagnosis = tk.diagnose(labels, draws=500)
    >>> with tempfile.TemporaryDirectory() as out:
    ...     written = write_results(out, parameters={"seed": 0}, labels=labels, diagnosis=diagnosis)
    >>> written["verdict"]["status"]
    'single'
    """
    agreement, contrast = diagnosis.agreement, diagnosis.contrast
    sections = {
        "read": labels.to_dict(),
        "left_out": agreement.left_out.to_dict("records"),
        "agreement": agreement.to_dict(),
        "people": None if people is None else people.to_dict(),
        "contrast": None if contrast is None else contrast.to_dict(),
        "diagnosis": diagnosis.to_dict(),
        "verdict": {**diagnosis.verdict.to_dict(), **compared(diagnosis.gap)},
        "not_run": list(not_run),
    }
    return write_sections(out, parameters, sections)


def compared(gap: Gap) -> dict[str, str | None]:
    """Say of a gap what was compared, and how it came out.

    Parameters
    ----------
    gap : Gap
        Of a diagnosis.

    Returns
    -------
    dict
        status: "lower" (the low construct agrees less, beyond chance), "higher" (the reverse),
        "not_shown" (the interval holds 0), "undefined" (no comparison was possible), "single" (one
        construct). low, high: the pair, None with one construct. focus: the construct with the
        lower kappa.

    Examples
    --------
    >>> from toolkit.diagnosis.gap import Gap
    >>> compared(Gap("a", "b", 0.3, 0.8, 0.5, 0.4, 0.6, 0.95, 400))["status"]
    'lower'
    """
    if not gap.high:
        return {"status": "single", "low": None, "high": None, "focus": gap.low}
    if math.isnan(gap.difference):
        status = "undefined"
    elif gap.lower > 0:
        status = "lower"
    else:
        status = "higher" if gap.upper < 0 else "not_shown"
    focus = gap.high if gap.difference < 0 else gap.low
    return {"status": status, "low": gap.low, "high": gap.high, "focus": focus}


def write_sections(
    out: str | Path,
    parameters: Mapping[str, Any],
    sections: Mapping[str, Any],
    *,
    versions: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Write ``results.json``: parameters, versions, and the sections of any report.

    Parameters
    ----------
    out : str or Path
        Folder of the report; made if it is not there.
    parameters : mapping of str to object
        The notebook's parameters, kept as in `write_results`.
    sections : mapping of str to object
        What the report found: numbers, text, None, and mappings or sequences of them.
    versions : mapping of str to str, optional
        Of what else the numbers depend on.

    Returns
    -------
    dict
        What was written. nan is null.

    Raises
    ------
    OSError
        If the folder can't be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as out:
    ...     write_sections(out, {"seed": 0}, {"accuracy": float("nan")})["accuracy"] is None
    True
    """
    results = {
        "schema_version": SCHEMA_VERSION,
        "parameters": {k: _portable(v) for k, v in parameters.items() if k != "out"},
        "versions": {
            "python": platform.python_version(),
            **{package: version(package) for package in PACKAGES},
            **(versions or {}),
        },
        **sections,
    }
    written = dict(plain(results))
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "results.json", written)
    return written


def _portable(value: Any) -> Any:
    """Give a path as text, an absolute one by its last part."""
    if isinstance(value, str | PurePath):
        return PurePath(value).name if PurePath(value).is_absolute() else str(value)
    return value
