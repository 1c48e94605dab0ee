"""results.json of a plan, and the drawn batch as CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from toolkit.planning.draw import blind
from toolkit.planning.plan import Plan
from toolkit.planning.what_if_result import WhatIf
from toolkit.report.outputs import write_json, write_text
from toolkit.report.planning_show import plan_notes, plan_sentence
from toolkit.report.results import write_sections

BATCH = "batch"  # name of the drawn items' files, without ending
TO_LABEL = "to_label.csv"  # the same items without what tells a labeller about the judge


def write_planning(
    out: str | Path,
    *,
    parameters: Mapping[str, Any],
    plan: Plan,
    curve: pd.DataFrame,
    batch: pd.DataFrame,
    elsewhere: Mapping[str, WhatIf] | None = None,
) -> dict[str, Any]:
    """Write a plan as strict JSON, and the drawn items beside it.

    ``batch.csv`` and ``batch.json`` hold strata, weights and the judge's labels, for the estimate;
    ``to_label.csv`` holds what a labeller may see.

    Parameters
    ----------
    out : str or Path
        Folder of the report; made if it is not there.
    parameters : mapping of str to object
        The notebook's parameters; see `toolkit.report.results.write_sections`.
    plan, curve, batch, elsewhere
        What the notebook made.

    Returns
    -------
    dict
        What was written to results.json: schema_version, parameters, versions, sentence, notes,
        plan, curve, batch (counts and fingerprints, not the items), elsewhere. Undefined numbers
        are null.

    Raises
    ------
    OSError
        If the folder can't be written.

    Examples
    --------
    >>> import tempfile
    >>> from toolkit.planning.curve import width_curve
    >>> from toolkit.report.planning_example import example_plan
    >>> plan = example_plan()
    >>> batch = pd.DataFrame({"item_id": ["a"], "stratum": ["tone=1"]})
    >>> with tempfile.TemporaryDirectory() as out:
    ...     written = write_planning(out, parameters={}, plan=plan, batch=batch,
    ...                              curve=width_curve(plan, points=3))
    >>> written["plan"]["total"] == plan.total, written["batch"]["items"]
    (True, 1)
    """
    folder = Path(out)
    fingerprints = [name for name in batch.columns if name.endswith("sha256")]
    sections = {
        "sentence": plan_sentence(plan),
        "notes": plan_notes(plan),
        "plan": plan.to_dict(),
        "curve": curve.to_dict("records"),
        "batch": {
            "items": len(batch),
            "by_stratum": {str(k): int(n) for k, n in batch["stratum"].value_counts().items()},
            **{name: str(batch[name].iloc[0]) for name in fingerprints},
        },
        "elsewhere": {name: made.to_dict() for name, made in (elsewhere or {}).items()},
    }
    results = write_sections(folder, parameters, sections)
    write_text(folder / f"{BATCH}.csv", batch.to_csv(index=False, lineterminator="\n"))
    # pandas knows how to write its own types; the text is read again to be laid out as usual.
    write_json(
        folder / f"{BATCH}.json", json.loads(batch.to_json(orient="records", double_precision=15))
    )
    write_text(folder / TO_LABEL, blind(batch).to_csv(index=False, lineterminator="\n"))
    return results
