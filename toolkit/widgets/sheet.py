"""A batch as a CSV file, for people who label without a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from toolkit.errors import LabelError
from toolkit.labels.journal_file import saving, write_whole
from toolkit.widgets.batch import Batch
from toolkit.widgets.marks import Turn
from toolkit.widgets.progress import Progress
from toolkit.widgets.questions import UNSURE, Questions
from toolkit.widgets.sheet_cells import category_cell, harmless, item_cells, refuse_unwritable
from toolkit.widgets.sheet_read import read_sheet


def write_sheet(
    path: str | Path, batch: Batch, order: Sequence[str], questions: Questions, progress: Progress
) -> Path:
    """Write one row per item: its text, what is to be read, a column per construct, a note."""
    target, constructs = Path(path), questions.schema.constructs
    refuse_unwritable(questions.schema)
    item_cells(batch.turns)
    if target.suffix.lower() != ".csv":
        raise LabelError("a sheet is a .csv file", got=target.name, example='"sheet.csv"')
    _refuse_loss(target, batch, questions, progress)
    rows = []
    for item in order:
        state, asked = progress.state(item), progress.constructs[item]
        said = {name: category_cell(label) for name, label in state.labels.items()}
        said |= dict.fromkeys(state.unsure, UNSURE)
        row = {"item_id": harmless(item), "text": harmless(_flat(batch.turns[item]))}
        row["to_read"] = harmless(", ".join(asked))
        row |= {harmless(n): said.get(n, "") if n in asked else "" for n in constructs}
        rows.append({**row, "note": harmless(state.note), "item_sha256": batch.sha256[item]})
    with saving(target):
        write_whole(target, pd.DataFrame(rows, dtype=object).to_csv(index=False).encode())
    return target


def _refuse_loss(target: Path, batch: Batch, questions: Questions, progress: Progress) -> None:
    """Refuse to replace a file that holds anything that the journal does not."""
    if not target.exists():
        return
    try:
        filled = read_sheet(target, batch, questions, progress)
        why = f"answers on {len(filled)} items that are not in the journal" if filled else None
    except LabelError as error:
        why = f"something else than the sheet of this batch: {error}"
    if why is not None:
        raise LabelError(
            f"{target.name} is not replaced, as it holds {why}",
            allowed="from_csv takes a sheet over first; or another path, or remove the file",
            where=str(target),
        )


def _flat(turns: Sequence[Turn]) -> str:
    return "\n\n".join(f"{t.role}: {t.text}" if t.role else t.text for t in turns)
