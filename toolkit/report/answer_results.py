"""results.json of a re-scoring: the same bytes for the same answers and seed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.answers.answer import NORMALIZER_VERSION
from toolkit.report.answer_changes import overturned
from toolkit.report.answer_headline import rescore_notes, rescore_sentence
from toolkit.report.answer_runs import StoredAnswers
from toolkit.report.results import write_sections
from toolkit.scoring.judge.evaluate_frame import EvaluatedFrame
from toolkit.scoring.rescoring.result import Rescore


def write_rescore(
    out: str | Path,
    *,
    parameters: Mapping[str, Any],
    stored: StoredAnswers,
    found: Mapping[str, Rescore],
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
    stored, found, judged, suspected
        What the notebook made.

    Returns
    -------
    dict
        What was written: schema_version, parameters, versions, read, sentence, notes, overturned,
        rescored (by run), judge, totals. Single replies are not in it; undefined numbers are null.

    Raises
    ------
    OSError
        If the folder can't be written.

    Examples
    --------
    >>> import tempfile
    >>> from toolkit.report.answer_runs import read_answers, rescore_runs
    >>> stored = read_answers([{"scenario_id": "j1", "category": "justice", "expected_label": 1,
    ...     "agent_response": '{"label": 1}', "predicted_label": 0}])
    >>> with tempfile.TemporaryDirectory() as out:
    ...     written = write_rescore(out, parameters={"seed": 0}, stored=stored,
    ...                             found=rescore_runs(stored))
    >>> written["overturned"]
    {'this run': ['justice']}
    """
    sections = {
        "read": {
            "name": stored.name,
            "sha256": stored.sha256,
            "rows": {name: len(rows) for name, rows in stored.runs.items()},
        },
        "sentence": rescore_sentence(found),
        "notes": rescore_notes(found),
        "overturned": overturned(found),
        "rescored": {name: one.to_dict() for name, one in found.items()},
        "judge": None if judged is None else judged.report.to_dict(),
        "totals": None if suspected is None else _records(suspected),
    }
    digest = next(iter(found.values())).versions["registry_digest"]
    versions = {"normalizer": NORMALIZER_VERSION, "conventions": str(digest)[:12]}
    return write_sections(out, parameters, sections, versions=versions)


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]
