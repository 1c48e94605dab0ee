"""Measure the coverage of the intervals and write docs/validation.md: `make validation`.

Finished cells are kept in reports/validation.json, so that a run that was stopped goes on. A kept
cell counts only as long as the package gives the same numbers for the first cell of its family.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from pathlib import Path

import click
from cells import DATASETS, OTHER_DATASETS, all_cells
from report import write_report
from study import run, run_all

REPOSITORY = Path(__file__).resolve().parents[2]
KEPT = REPOSITORY / "reports" / "validation.json"
DRAWS = 1_000


@click.command()
@click.option("--datasets", type=click.IntRange(1), help="Data sets a cell (4,000; 5,000 type I).")
@click.option("--draws", default=DRAWS, show_default=True, help="Bootstrap draws an interval.")
@click.option("--only", default="", help="Measure cells whose name contains this; no report.")
@click.option("--workers", default=2, show_default=True, help="Processes.")
def main(datasets, draws, only, workers):
    """Measure all cells that are not yet measured, then write the report."""

    def wanted(cell):
        return datasets or OTHER_DATASETS.get(cell.family, DATASETS)

    prints = _fingerprints()

    def is_done(cell):
        result = kept.get(cell.name, {})
        now = (prints[cell.family], wanted(cell), draws)
        same = now == tuple(map(result.get, ("fingerprint", "datasets", "draws")))
        return same and math.isclose(result["truth"], cell.truth, abs_tol=1e-9)

    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    chosen = [cell for name, cell in all_cells().items() if only in name]
    todo = [cell for cell in chosen if not is_done(cell)]
    click.echo(f"{len(chosen)} cells, {len(todo)} to measure with {workers} processes ...")
    KEPT.parent.mkdir(exist_ok=True)
    start = time.monotonic()
    for number, (name, result) in enumerate(run_all(todo, wanted, draws, workers), 1):
        mark = prints[all_cells()[name].family]
        kept[name] = {"fingerprint": mark, "draws": draws, **result}
        KEPT.write_text(json.dumps(kept, indent=1), encoding="utf-8")
        minutes = (time.monotonic() - start) / 60
        click.echo(f"{number:4}/{len(todo)} {minutes:5.1f} min {result['coverage']:.4f}  {name}")
    if only:
        click.echo(f"Kept in {KEPT.name}; run without --only to write the report.")
        return
    write_report({name: kept[name] for name in all_cells()}, REPOSITORY / "docs")
    click.echo("Wrote docs/validation.md and docs/validation.json.")


def _fingerprints():
    """Checksum, by family, of what the package gives for a few data sets of the first cell."""
    first = {cell.family: cell for cell in reversed(all_cells().values())}
    return {
        family: hashlib.sha256(repr(run(cell, 5, 200)).encode()).hexdigest()[:12]
        for family, cell in first.items()
    }


if __name__ == "__main__":
    main()
