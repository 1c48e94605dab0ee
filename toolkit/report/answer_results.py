"""results.json of a re-scoring: the same bytes for the same answers and seed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.answers.answer import NORMALIZER_VERSION
from toolkit.report.answer_changes import overturned
from toolkit.report.answer_headline import rescore_notes, rescore_sentence
from toolkit.report.answer_runs import by_run
from toolkit.report.results import write_sections
from toolkit.scoring.judge.evaluate_frame import EvaluatedFrame
from toolkit.scoring.rescoring.by_run import POOLED
from toolkit.scoring.rescoring.result import Rescore, records


def write_rescore(
    out: str | Path,
    *,
    parameters: Mapping[str, Any],
    found: Rescore,
    judged: EvaluatedFrame | None = None,
    suspected: pd.DataFrame | None = None,
) -> dict[str, Any]:
    """Write the results of a re-scoring as strict JSON.

    Parameters
    ----------
    out : str or Path
        Folder of the report; made if it is not there.
    parameters : mapping of str to object
        The notebook's parameters; see `write_results`.
    found, judged, suspected
        What the notebook made.

    Returns
    -------
    dict
        What was written: schema_version, parameters, versions, read, sentence, notes, overturned,
        scores (level, versions, flags), rescored (by run), over_all_runs (null for a single run),
        judge, totals. Single replies are not in it; undefined numbers are null.

    Raises
    ------
    OSError
        If the folder can't be written.

    Examples
    --------
    >>> import tempfile
    >>> import toolkit as tk
    >>> found = tk.rescore([{"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...     "agent_response": '{"label": 1}', "predicted_label": 0}])
    >>> with tempfile.TemporaryDirectory() as out:
    ...     written = write_rescore(out, parameters={"seed": 0}, found=found)
    >>> written["overturned"]
    {'this run': ['justice']}
    """
    runs = by_run(found)
    sections = {
        "read": {
            "name": found.versions["source"],
            "sha256": found.versions["source_sha256"],
            "rows": {name: len(one.scores) + len(one.refused) for name, one in runs.items()},
        },
        "sentence": rescore_sentence(found),
        "notes": rescore_notes(found),
        "overturned": overturned(found),
        "scores": {"level": found.level, "versions": found.versions, "flags": list(found.flags)},
        "rescored": {name: _of_run(one) for name, one in runs.items()},
        "over_all_runs": _together(found),
        "judge": None if judged is None else judged.report.to_dict(),
        "totals": None if suspected is None else records(suspected),
    }
    digest = found.versions["conventions_digest"]
    versions = {"normalizer": NORMALIZER_VERSION, "conventions": str(digest)[:12]}
    return write_sections(out, parameters, sections, versions=versions)


def _of_run(one: Rescore) -> dict[str, Any]:
    told = one.to_dict()
    return {name: told[name] for name in told if name not in ("versions", "flags", "level")}


def _together(found: Rescore) -> dict[str, Any] | None:
    pooled = [
        rows[rows["flags"].map(lambda flags: POOLED in flags).astype(bool)]
        for rows in (found.summary, found.by_level)
    ]
    if pooled[0].empty:
        return None
    return {"summary": records(pooled[0]), "by_level": records(pooled[1])}
