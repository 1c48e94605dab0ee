"""results.json: the numbers of a report, the same bytes for the same labels and seed."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path, PurePath
from typing import Any

from toolkit.coefficients.agreement import Agreement
from toolkit.coefficients.contrast import Contrast
from toolkit.labels.table import Labels
from toolkit.plain import plain
from toolkit.report.outputs import write_json
from toolkit.report.verdict import Verdict

SCHEMA_VERSION = 1
PACKAGES = ("construct-toolkit", "numpy", "scipy", "pandas", "statsmodels")


def write_results(
    out: str | Path,
    *,
    parameters: Mapping[str, Any],
    labels: Labels,
    agreement: Agreement,
    contrast: Contrast | None,
    verdict: Verdict,
    people: Agreement | None = None,
    not_run: list[dict[str, str]] | None = None,
) -> dict[str, Any]:
    """Write the results of a construct diagnosis as strict JSON.

    Parameters
    ----------
    out : str or Path
        Folder of the report; made if it is not there.
    parameters : mapping of str to object
        The notebook's parameters. Paths are kept relative or reduced to their last part, and `out`
        is left out, so that neither the machine nor the folder changes a byte.
    labels, agreement, contrast, verdict, people, not_run
        What the notebook made.

    Returns
    -------
    dict
        What was written: schema_version, parameters, versions, read, left_out, agreement, people,
        contrast, verdict, not_run. nan is null; the reason stands beside it.

    Raises
    ------
    OSError
        If the folder can't be written.

    Examples
    --------
    >>> import tempfile
    >>> import toolkit as tk
    >>> from toolkit.report.verdict import first_verdict
    >>> labels = tk.simulate(["self_harm"], n_calls=100)
    >>> agreement = tk.agreement(labels)
    >>> verdict = first_verdict(labels, agreement, None)
    >>> with tempfile.TemporaryDirectory() as out:
    ...     written = write_results(out, parameters={"seed": 0}, labels=labels,
    ...                             agreement=agreement, contrast=None, verdict=verdict)
    >>> written["verdict"]["status"]
    'single'
    """
    sections = {
        "read": labels.to_dict(),
        "left_out": agreement.left_out.to_dict("records"),
        "agreement": agreement.to_dict(),
        "people": None if people is None else people.to_dict(),
        "contrast": None if contrast is None else contrast.to_dict(),
        "verdict": verdict.to_dict(),
        "not_run": not_run or [],
    }
    return write_sections(out, parameters, sections)


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
